/* Antenna files: MSI/Planet and CSV cuts. */
#include "heard_log.h"

#include "base/base.h"
#include "io/antenna/antenna_file.h"
#include "io/antenna/msi.h"

/* A text that grows. */
typedef struct text_buffer {
    char bytes[40000];
    size_t length;
} text_buffer;

static void add(text_buffer *text, const char *format, ...) RCITY_PRINTF(2, 3);

static void add(text_buffer *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
    assert_true(text->length < sizeof text->bytes);
}

/* Loss that the made-up files hold: whole tenths of a dB, so that text keeps them. */
static double made_loss_db(bool is_vertical, double angle_deg)
{
    double off_deg = fabs(remainder(angle_deg - (is_vertical ? 4.0 : 0.0), 360.0));
    return floor(10.0 * fmin(12.0 * pow(off_deg / (is_vertical ? 8.0 : 65.0), 2.0), 25.0)) / 10.0;
}

/* "angle loss" from 0 in steps. */
static void add_section(text_buffer *text, bool is_vertical, double step_deg, const char *line_end)
{
    int count = (int)(360.0 / step_deg);
    add(text, "%s %d%s", is_vertical ? "VERTICAL" : "HORIZONTAL", count, line_end);
    for (int i = 0; i < count; i++) {
        add(text, "%g\t%.1f%s", i * step_deg, made_loss_db(is_vertical, i * step_deg), line_end);
    }
}

static rcity_status parse(rcity_context *context, const text_buffer *text, rcity_antenna **antenna)
{
    rcity_status status =
        rcity_msi_parse(context, "folder/made.msi", text->bytes, text->length, RCITY_SYNTHESIS_PROJECTION, antenna);
    if (status == RCITY_ERR_FORMAT) {
        assert_message(context, "'folder/made.msi'");
        assert_null(strchr(rcity_context_message(context), '\n'));
        assert_int_equal(rcity_context_memory_used(context), 0);
    }
    return status;
}

static void check_made(rcity_context *context, const text_buffer *text, const char *name, double gain_dbi)
{
    rcity_antenna *antenna = NULL;
    assert_ok(context, parse(context, text, &antenna));
    rcity_antenna_info info;
    rcity_antenna_describe(antenna, &info);
    assert_string_equal(info.name, name);
    assert_near(info.gain_dbi, gain_dbi, 1e-9);
    assert_near(info.electrical_tilt_deg, 4.0, 1e-9);
    for (int degree = 0; degree < 360; degree += 3) {
        assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, degree, -4.0), gain_dbi - made_loss_db(false, degree),
                    1e-3);
        assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 0.0, -degree), gain_dbi - made_loss_db(true, degree),
                    1e-3);
    }
    rcity_antenna_destroy(&antenna);
    assert_int_equal(rcity_context_memory_used(context), 0);
}

static void test_antenna_files_are_read_in_every_form(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    static text_buffer text;
    text.length = 0;
    add(&text, "NAME Made up 65-4\nMAKE nobody\nFREQUENCY 1795\nH_WIDTH 65\nV_WIDTH 8\nFRONT_TO_BACK 25\n"
               "GAIN 15.5 dBd\nTILT ELECTRICAL\nELECTRICAL_TILT 4\nPOLARIZATION +45\nCOMMENT none\n");
    add_section(&text, false, 1.0, "\n");
    add_section(&text, true, 1.0, "\n");
    check_made(context, &text, "Made up 65-4", 15.5 + 2.15);
    /* line ends of another system, another order, small letters, unknown keys, a name without NAME, keys at the end */
    text.length = 0;
    add(&text, "\xef\xbb\xbfPanel 7\r\n\r\n");
    add_section(&text, true, 1.0, "\r\n");
    add(&text, "my_own_key 5 6 7\r\n");
    add_section(&text, false, 1.0, "\r\n");
    add(&text, "gain 17,65dBi\r\nfrequency 1.7-1.9 GHz\r\ntilt 4\r\n\x1a");
    check_made(context, &text, "Panel 7", 17.65);
    /* the old Mac's line ends; no name, no unit: dBd */
    text.length = 0;
    add(&text, "GAIN 15.5\r");
    add_section(&text, false, 1.0, "\r");
    add_section(&text, true, 1.0, "\r");
    check_made(context, &text, "made.msi", 17.65);
    assert_int_equal(heard.count, 0);
    rcity_context_destroy(&context);
}

static void test_frequencies_and_ranges_are_read(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const struct {
        const char *text;
        double hz;
    } cases[] = {{"1795", 1.795e9},      {"1795 MHz", 1.795e9}, {"2.4 GHz", 2.4e9},
                 {"1710-1880", 1.795e9}, {"2,4GHz", 2.4e9},     {"unknown", (double)NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static text_buffer text;
        text.length = 0;
        add(&text, "GAIN 1 dBi\nFREQUENCY %s\n", cases[i].text);
        add_section(&text, false, 5.0, "\n");
        add_section(&text, true, 5.0, "\n");
        rcity_antenna *antenna = NULL;
        assert_ok(context, parse(context, &text, &antenna));
        rcity_antenna_info info;
        rcity_antenna_describe(antenna, &info);
        if (isnan(cases[i].hz)) {
            assert_true(isnan(info.frequency_hz));
        } else {
            assert_near(info.frequency_hz, cases[i].hz, 1.0);
        }
        rcity_antenna_destroy(&antenna);
    }
    rcity_context_destroy(&context);
}

/* Other numbers of angles: half degrees, steps of ten, -179 to 180, 1 to 360, 0 and 360, a small gap, -180 and
   180, 0 and 360 that differ by rounding. */
static void test_angles_of_any_step_are_read(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    static text_buffer text;
    rcity_antenna *antenna = NULL;
    for (int form = 0; form < 8; form++) {
        text.length = 0;
        add(&text, "GAIN 10 dBi\n");
        add_section(&text, true, 1.0, "\n");
        double step_deg = form == 0 ? 0.5 : form == 1 ? 10.0 : 1.0;
        int first = form == 2 ? -179 : form == 3 ? 1 : form == 6 ? -180 : 0;
        int count = form == 0 ? 720 : form == 1 ? 36 : form == 4 || form >= 6 ? 361 : 360;
        add(&text, "HORIZONTAL %d\n", count);
        for (int i = 0; i < count; i++) {
            double angle_deg = first + i * step_deg;
            if (form != 5 || i < 100 || i > 103) { /* 100 to 103 are missing: a gap of 5 degrees */
                double off_db = form == 7 && i == 360 ? 0.04 : 0.0;
                add(&text, "%g %.2f\n", angle_deg, made_loss_db(false, angle_deg) + off_db);
            }
        }
        assert_ok(context, parse(context, &text, &antenna));
        for (int degree = 0; degree < 360; degree += 10) {
            double expected_db = made_loss_db(false, degree);
            expected_db = form == 5 && degree == 100
                              ? 0.8 * made_loss_db(false, 99.0) + 0.2 * made_loss_db(false, 104.0)
                              : expected_db;
            assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, degree, -4.0), 10.0 - expected_db, 1e-3);
        }
        assert_int_equal(heard.count, form >= 5 ? 1 : 0);
        rcity_antenna_destroy(&antenna);
    }
    assert_non_null(strstr(heard.text, "states 360 angles and has 356"));
    rcity_context_destroy(&context);
}

/* What is odd but can be used is used, with a word. */
static void test_odd_antenna_files_cause_warnings(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    static text_buffer text;
    rcity_antenna *antenna = NULL;
    rcity_antenna_info info;
    text.length = 0;
    add(&text, "GAIN 10 dBi\nHORIZONTAL 36\n");
    for (int i = 0; i < 36; i++) {
        add(&text, "%d %.1f\n", 10 * i, 2.5 + made_loss_db(false, 10.0 * i));
    }
    add_section(&text, true, 1.0, "\n");
    assert_ok(context, parse(context, &text, &antenna));
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.text, "horizontal cut is 2.50 dB below the gain"));
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 0.0, -4.0), 10.0, 1e-4);
    rcity_antenna_destroy(&antenna);
    /* a stated tilt that the vertical cut contradicts */
    text.length = 0;
    add(&text, "GAIN 10 dBi\nELECTRICAL_TILT 20\n");
    add_section(&text, false, 1.0, "\n");
    add_section(&text, true, 1.0, "\n");
    assert_ok(context, parse(context, &text, &antenna));
    assert_int_equal(heard.count, 2);
    assert_non_null(strstr(heard.text, "states an electrical tilt of 20 degrees"));
    rcity_antenna_describe(antenna, &info);
    assert_near(info.electrical_tilt_deg, 4.0, 1e-9);
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

#define EVEN_CUT                                                                                                       \
    " 24\n0 0\n15 1\n30 2\n45 3\n60 4\n75 5\n90 6\n105 7\n120 8\n135 9\n150 10\n165 11\n180 12\n195 11\n210 10\n225 "  \
    "9\n240 8\n255 7\n270 6\n285 5\n300 4\n315 3\n330 2\n345 1\n"

static void test_bad_antenna_files_are_refused_with_line(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "has no GAIN; add a line such as 'GAIN 17.5 dBi'"},
        {"NAME x\nHORIZONTAL" EVEN_CUT "VERTICAL" EVEN_CUT, "has no GAIN"},
        {"GAIN much\n", "line 1: GAIN is 'much'; give a number with dBi or dBd"},
        {"GAIN 17 dB\n", "line 1: the unit of GAIN is 'dB'; give dBi or dBd"},
        {"GAIN 99 dBi\n", "line 1: the gain is 99 dBi, must be within 60"},
        {"GAIN 9 dBi\nGAIN 9 dBi\n", "line 2: GAIN is given a second time"},
        {"GAIN 9\nELECTRICAL_TILT steep\n", "line 2: ELECTRICAL_TILT is 'steep'"},
        {"GAIN 9\nTILT 99\n", "line 2: the tilt is 99 degrees"},
        {"GAIN 9\n", "has no horizontal cut"},
        {"GAIN 9\nHORIZONTAL" EVEN_CUT, "has no vertical cut; it needs a line 'VERTICAL 360'"},
        {"GAIN 9\nVERTICAL" EVEN_CUT, "has no horizontal cut"},
        {"GAIN 9\nHORIZONTAL" EVEN_CUT "HORIZONTAL" EVEN_CUT, "line 27: the horizontal cut begins a second time"},
        {"GAIN 9\nHORIZONTAL many\n", "line 2: HORIZONTAL is 'many'"},
        {"GAIN 9\nHORIZONTAL 360\n0 x\n", "line 3: 'x' is not a number; the horizontal cut"},
        {"GAIN 9\nHORIZONTAL 360\n0 0\nten 2\n", "line 4: 'ten' is not a number"},
        {"GAIN 9\nHORIZONTAL 360\n0\n", "line 3: '' is not a number"},
        {"GAIN 9\nHORIZONTAL 360\n0 0 0\n", "line 3: there is '0' behind angle and loss"},
        {"GAIN 9\nHORIZONTAL 360\n0 -3\n", "line 3: the loss of the horizontal cut at 0 degrees is -3 dB"},
        {"GAIN 9\nHORIZONTAL 360\n0 3e3\n", "is 3000 dB, must be at most 1000"},
        {"GAIN 9\nHORIZONTAL 360\n500 3\n", "line 3: the angle of the horizontal cut is 500"},
        {"GAIN 9\nHORIZONTAL 3\n0 0\n1 0\n0 0.5\nVERTICAL" EVEN_CUT,
         "line 5 gives the horizontal cut at 0 degrees a second time (first in line 3)"},
        {"GAIN 9\nHORIZONTAL 3\n0 0\n1 0\n1 0\nVERTICAL" EVEN_CUT,
         "line 5 gives the horizontal cut at 1 degrees a second time (first in line 4)"},
        {"GAIN 9\nHORIZONTAL 3\n0 0\n1 0\n360 0.1\nVERTICAL" EVEN_CUT,
         "line 5 gives the horizontal cut at 360 degrees a second time (first in line 3)"},
        {"GAIN 9\nHORIZONTAL 3\n-180 3\n0 0\n-180 3\nVERTICAL" EVEN_CUT,
         "line 5 gives the horizontal cut at -180 degrees a second time (first in line 3)"},
        {"GAIN 9\nHORIZONTAL 3\n0 0\n120 3\n240 3\nVERTICAL" EVEN_CUT,
         "angles are missing: the horizontal cut has none between 0 and 120 degrees"},
        {"GAIN 9\nHORIZONTAL 1\n7 0\nVERTICAL" EVEN_CUT, "has none between 7 and 7 degrees"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static text_buffer text;
        text.length = 0;
        add(&text, "%s", cases[i].text);
        rcity_antenna *antenna = NULL;
        assert_status(context, parse(context, &text, &antenna), RCITY_ERR_FORMAT);
        assert_message(context, cases[i].message);
        assert_null(antenna);
    }
    rcity_antenna *antenna = NULL;
    assert_status(context, rcity_msi_parse(context, "x.msi", "GA\0IN", 5, RCITY_SYNTHESIS_SUM, &antenna),
                  RCITY_ERR_FORMAT);
    assert_message(context, "NUL byte");
    /* angles missing in the middle, as the message of a real file would say it */
    static text_buffer text;
    text.length = 0;
    add(&text, "GAIN 9 dBi\n");
    add_section(&text, false, 1.0, "\n");
    add(&text, "VERTICAL 360\n");
    for (int degree = 0; degree < 360; degree++) {
        if (degree < 200 || degree > 210) {
            add(&text, "%d %.1f\n", degree, made_loss_db(true, degree));
        }
    }
    assert_status(context, parse(context, &text, &antenna), RCITY_ERR_FORMAT);
    assert_message(context, "line 563: angles are missing: the vertical cut has none between 199 and 211 degrees");
    rcity_context_destroy(&context);
}

static void test_csv_cuts(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static text_buffer text;
    text.length = 0;
    add(&text, "# name: By hand\n# gain_dbi: 12.5\n# frequency_mhz: 900\nangle_deg,horizontal_loss_db,"
               "vertical_loss_db,remark\n");
    for (int degree = 0; degree < 360; degree++) {
        add(&text, "%d,%.1f,%.1f,\n", degree, made_loss_db(false, degree), made_loss_db(true, degree));
    }
    const char *path = test_path("cuts.csv");
    assert_ok(context, rcity_text_save(context, path, text.bytes));
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_open(context, path, RCITY_SYNTHESIS_SUM, &antenna));
    rcity_antenna_info info;
    rcity_antenna_describe(antenna, &info);
    assert_string_equal(info.name, "By hand");
    assert_near(info.gain_dbi, 12.5, 0.0);
    assert_near(info.frequency_hz, 900e6, 0.0);
    assert_near(info.electrical_tilt_deg, 4.0, 1e-9);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 65.0, -12.0), 12.5 - 24.0, 1e-3); /* 12 and 12 dB */
    rcity_antenna_destroy(&antenna);
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"angle_deg,vertical_loss_db\n0,0\n", "no column horizontal_loss_db"},
        {"angle,horizontal,vertical\n0,0,0\n", "states no gain; add a line such as '# gain_dbi: 17.5'"},
        {"# gain_dbi: high\nangle,horizontal,vertical\n0,0,0\n", "'# gain_dbi: high' holds no number"},
        {"# gain_dbi: 99\nangle,horizontal,vertical\n0,0,0\n", "gain_dbi is 99, must be within 60"},
        {"# gain_dbi: 9\n# frequency_mhz: -1\nangle,horizontal,vertical\n0,0,0\n", "frequency_mhz is -1"},
        {"# gain_dbi: 9\nangle,horizontal,vertical\n0,0,0\n,1,1\n", "line 4 has no angle_deg"},
        {"# gain_dbi: 9\nangle,horizontal,vertical\n0,0,0\n1,x,1\n", "line 4, column 'horizontal': 'x'"},
        {"# gain_dbi: 9\nangle,horizontal,vertical\n0,0,0\n1,-1,1\n", "line 4: the loss of the horizontal cut"},
        {"# gain_dbi: 9\nangle,horizontal,vertical\n0,0,0\n", "angles are missing"},
        {"# gain_dbi: 9\nangle,horizontal,vertical\n", "has no horizontal cut"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_status(
            context,
            rcity_cuts_csv_parse(context, "a.csv", cases[i].text, strlen(cases[i].text), RCITY_SYNTHESIS_SUM, &antenna),
            RCITY_ERR_FORMAT);
        assert_message(context, cases[i].message);
        assert_message(context, "'a.csv'");
        assert_null(antenna);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_unknown_antenna_name_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_open(context, "3gpp", RCITY_SYNTHESIS_PROJECTION, &antenna));
    rcity_antenna_destroy(&antenna);
    assert_status(context, rcity_antenna_open(context, "yagi", RCITY_SYNTHESIS_PROJECTION, &antenna), RCITY_ERR_FILE);
    assert_message(context, "'yagi' is no built-in antenna (isotropic, dipole, 3gpp) and no file: cannot read 'yagi'");
    assert_null(antenna);
    rcity_context_destroy(&context);
}

static void test_no_memory(void **state)
{
    (void)state;
    static text_buffer text;
    text.length = 0;
    add(&text, "GAIN 9 dBi\n");
    add_section(&text, false, 5.0, "\n");
    add_section(&text, true, 5.0, "\n");
    for (long n = 1;; n++) {
        failing_allocator failing = {.fail_at = n};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_antenna *antenna = NULL;
        rcity_status status = parse(context, &text, &antenna);
        rcity_antenna_destroy(&antenna);
        assert_int_equal(rcity_context_memory_used(context), 0);
        bool is_done = status == RCITY_OK;
        assert_true(is_done || status == RCITY_ERR_MEMORY);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        if (is_done) {
            assert_true(n > 5);
            break;
        }
    }
}

TEST_SUITE(msi)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_antenna_files_are_read_in_every_form),
        cmocka_unit_test(test_frequencies_and_ranges_are_read),
        cmocka_unit_test(test_angles_of_any_step_are_read),
        cmocka_unit_test(test_odd_antenna_files_cause_warnings),
        cmocka_unit_test(test_bad_antenna_files_are_refused_with_line),
        cmocka_unit_test(test_csv_cuts),
        cmocka_unit_test(test_unknown_antenna_name_is_refused),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("msi", tests, NULL, NULL);
}
