/* The form of roofs in over-roof paths, through the public interface: flat roofs against lossy wedges, gables against
   thin walls, both ways, without steps. */
#include "rays_trial.h"

typedef struct form_trial {
    trial base;
    const char *form;
} form_trial;

static form_trial open_form(const char *form, double frequency_hz)
{
    form_trial t = {open_trial(), form};
    t.base.over_roofs = "on";
    t.base.frequency_hz = frequency_hz;
    return t;
}

/* The coherent gain at a place; -400 where no path arrives. */
static double gain_db(form_trial *t, const double point[3])
{
    const char *names[] = {"max-reflections", "max-diffractions", "over-roofs",
                           "ground",          "rx-polarization",  "roof-form"};
    const char *values[] = {t->base.reflections,
                            t->base.diffractions,
                            t->base.over_roofs,
                            t->base.ground,
                            t->base.is_horizontal ? "horizontal" : "vertical",
                            t->form};
    rcity_request request = rcity_request_default();
    request.method = "images";
    request.transmitter.x_m = t->base.tx[0];
    request.transmitter.y_m = t->base.tx[1];
    request.transmitter.height_m = t->base.tx[2];
    request.transmitter.frequency_hz = t->base.frequency_hz;
    request.transmitter.polarization =
        t->base.is_horizontal ? RCITY_POLARIZATION_HORIZONTAL : RCITY_POLARIZATION_VERTICAL;
    request.receivers.point_count = 1;
    request.receivers.xyh_m = point;
    request.option_count = 6;
    request.option_name = names;
    request.option_value = values;
    rcity_rays *rays = NULL;
    rcity_receiver_summary at;
    assert_ok(t->base.context, rcity_rays_find(t->base.context, t->base.scene, NULL, &request, &rays));
    assert_ok(t->base.context, rcity_rays_get_receiver(rays, 0, &at));
    rcity_rays_destroy(&rays);
    return at.path_count > 0 ? at.coherent_gain_db : -400.0;
}

static void place_tx(form_trial *t, double x, double y, double z)
{
    t->base.tx[0] = x;
    t->base.tx[1] = y;
    t->base.tx[2] = z;
}

/* One long house: its two edges as a pair of lossy wedges, which the uniform theory has for both polarizations. */
static void test_flat_roof_follows_lossy_wedges(void **state)
{
    (void)state;
    static const double widths[] = {6, 12, 30};
    static const double masts[][2] = {{-100, 10}, {-300, 19.9}, {-300, 25}, {-300, 45}, {-300, 80}};
    static const double behind_m[] = {8, 30, 60};
    for (int turn = 0; turn < 2; turn++) {
        double sum = 0.0, square = 0.0, screen_square = 0.0, worst = 0.0;
        int count = 0;
        for (int i = 0; i < 3; i++) {
            form_trial t = open_form("flat", 1e9);
            t.base.is_horizontal = turn == 1;
            add_box(&t.base, 0, -2000, widths[i], 2000, 20);
            assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
            for (int k = 0; k < 15; k++) {
                double point[3] = {widths[i] + behind_m[k % 3], 0.2, 1.5};
                place_tx(&t, masts[k / 3][0], 0.1, masts[k / 3][1]);
                t.base.over_roofs = "off";
                double wedges_db = gain_db(&t, point);
                t.base.over_roofs = "on";
                double flat_db = gain_db(&t, point) - wedges_db;
                t.form = "screens";
                double screens_db = gain_db(&t, point) - wedges_db;
                t.form = "flat";
                sum += flat_db;
                square += flat_db * flat_db;
                screen_square += screens_db * screens_db;
                worst = fmax(worst, fabs(flat_db));
                count++;
            }
            close_trial(&t.base);
        }
        print_message("%s: flat roofs against wedges mean %.1f dB, rms %.1f dB, worst %.1f dB; screens rms %.1f dB\n",
                      turn == 0 ? "vertical" : "horizontal", sum / count, sqrt(square / count), worst,
                      sqrt(screen_square / count));
        assert_true(fabs(sum / count) < 2.0 && sqrt(square / count) < 2.5 && worst < 7.0);
        assert_true(sqrt(screen_square / count) > 7.0);
    }
}

/* A gable is a ridge in the middle: a thin wall there. */
static void test_gable_is_its_ridge(void **state)
{
    (void)state;
    static const double masts[][2] = {{-100, 10}, {-300, 25}, {-300, 45}};
    double worst_db = 0.0;
    for (int i = 0; i < 3; i++) {
        double made_db[2];
        for (int turn = 0; turn < 2; turn++) {
            form_trial t = open_form(turn == 0 ? "gable" : "screens", 1e9);
            double point[3] = {40, 0.2, 1.5};
            add_box(&t.base, turn == 0 ? 0 : 5.98, -2000, turn == 0 ? 12 : 6.02, 2000, 20);
            assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
            place_tx(&t, masts[i][0], 0.1, masts[i][1]);
            made_db[turn] = gain_db(&t, point);
            close_trial(&t.base);
        }
        worst_db = fmax(worst_db, fabs(made_db[0] - made_db[1]));
    }
    print_message("gables are thin walls within %.3f dB\n", worst_db);
    assert_true(worst_db < 0.1);
}

/* A house with a higher part, a court and a neighbour. */
static void add_row(trial *t)
{
    add_box(t, 0, -300, 14, 300, 18);
    add_box(t, 5, -300, 9, 300, 24);
    add_box(t, 34, -300, 46, 300, 20);
    add_box(t, 54, -300, 66, 300, 20);
    assert_ok(t->context, rcity_scene_commit(t->scene));
}

static void test_forms_are_the_same_both_ways(void **state)
{
    (void)state;
    static const char *const forms[] = {"flat", "gable"};
    static const double ends[][3] = {{-60, 0.1, 12}, {80, 3.2, 1.5}, {25, 1.2, 40}, {-20, 0.7, 30}, {50, 0.4, 3}};
    for (int i = 0; i < 4; i++) {
        form_trial t = open_form(forms[i / 2], 1e9);
        t.base.is_horizontal = i % 2 == 1;
        t.base.reflections = "1";
        t.base.ground = "on";
        add_row(&t.base);
        for (int k = 0; k < 5; k++) {
            const double *a = ends[k];
            const double *b = ends[(k + 1) % 5];
            place_tx(&t, a[0], a[1], a[2]);
            double there_db = gain_db(&t, b);
            place_tx(&t, b[0], b[1], b[2]);
            assert_true(there_db > -300.0);
            assert_near(gain_db(&t, a), there_db, 1e-6);
        }
        close_trial(&t.base);
    }
}

/* The mast rises from below the roof until it sees the receiver. */
static void test_forms_are_continuous(void **state)
{
    (void)state;
    static const char *const forms[] = {"flat", "gable"};
    for (int i = 0; i < 4; i++) {
        form_trial t = open_form(forms[i / 2], 1e9);
        t.base.is_horizontal = i % 2 == 1;
        t.base.diffractions = "1";
        add_box(&t.base, 0, -2000, 12, 2000, 20);
        assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
        const double point[3] = {42, 0.2, 1.5};
        double worst_db = 0.0;
        double last_db = (double)NAN;
        for (int k = 0; k <= 400; k++) {
            place_tx(&t, -60, 0.1, 15.0 + 0.25 * k);
            double here_db = gain_db(&t, point);
            worst_db = isnan(last_db) ? 0.0 : fmax(worst_db, fabs(here_db - last_db));
            last_db = here_db;
        }
        print_message("%s, %s: largest step in 25 cm %.2f dB\n", t.form, i % 2 == 1 ? "horizontal" : "vertical",
                      worst_db);
        assert_true(worst_db < 0.7);
        close_trial(&t.base);
    }
}

/* A wall hides the straight line, the ridge of its gable, far below it, does not: the eaves are lower, and it passes. */
static void test_line_passes_above_a_ridge(void **state)
{
    (void)state;
    double made_db[2];
    for (int turn = 0; turn < 2; turn++) {
        form_trial t = open_form(turn == 0 ? "gable" : "screens", 1e9);
        t.base.diffractions = "0";
        add_box(&t.base, 0, -2000, 40, 2000, 20);
        assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
        place_tx(&t, -60, 0.1, 120);
        made_db[turn] = gain_db(&t, (const double[3]){50, 0.2, 1.5});
        close_trial(&t.base);
    }
    double distance_m = sqrt(110.0 * 110.0 + 0.1 * 0.1 + 118.5 * 118.5);
    assert_near(made_db[0], 20.0 * log10(0.299792458 / (4.0 * PI * distance_m)), 1e-6);
    assert_true(made_db[1] < made_db[0] - 10.0);
}

/* On metal E along the edges is short-circuited, E across them is not. */
static void test_metal_roof_tells_polarizations(void **state)
{
    (void)state;
    double made_db[2];
    for (int turn = 0; turn < 2; turn++) {
        form_trial t = open_form("flat", 1e9);
        t.base.is_horizontal = turn == 1;
        add_box_of(&t.base, 0, -2000, 12, 2000, 20, "metal");
        assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
        place_tx(&t, -100, 0.1, 15);
        made_db[turn] = gain_db(&t, (const double[3]){42, 0.2, 1.5});
        close_trial(&t.base);
    }
    print_message("metal roof: vertical %.1f dB above horizontal\n", made_db[0] - made_db[1]);
    assert_true(made_db[0] - made_db[1] > 15.0);
}

TEST_SUITE(rays_roof_form)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_roof_follows_lossy_wedges), cmocka_unit_test(test_gable_is_its_ridge),
        cmocka_unit_test(test_forms_are_the_same_both_ways),   cmocka_unit_test(test_forms_are_continuous),
        cmocka_unit_test(test_line_passes_above_a_ridge),      cmocka_unit_test(test_metal_roof_tells_polarizations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
