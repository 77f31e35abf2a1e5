/* Tables of text. */
#include "rcity_test.h"

#include "io/csv.h"

static rcity_csv *parse(rcity_context *context, const char *text)
{
    rcity_csv *csv = NULL;
    assert_ok(context, rcity_csv_parse(context, "folder/list.csv", text, strlen(text), &csv));
    return csv;
}

static void test_rows_and_columns_are_read(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_csv *csv = parse(context, "name,x,y\nA,1,2.5\nB,-3e2\n");
    assert_int_equal(rcity_csv_row_count(csv), 2);
    assert_int_equal(rcity_csv_column_count(csv), 3);
    assert_string_equal(rcity_csv_column_name(csv, 1), "x");
    assert_string_equal(rcity_csv_name(csv), "folder/list.csv");
    assert_string_equal(rcity_csv_text(csv, 0, 0), "A");
    assert_string_equal(rcity_csv_text(csv, 1, 2), ""); /* a shorter row */
    assert_string_equal(rcity_csv_text(csv, 1, -1), "");
    assert_int_equal(rcity_csv_line(csv, 1), 3);
    double value = 7.0;
    assert_ok(context, rcity_csv_number(context, csv, 0, 2, &value));
    assert_near(value, 2.5, 0.0);
    assert_ok(context, rcity_csv_number(context, csv, 1, 1, &value));
    assert_near(value, -300.0, 0.0);
    assert_ok(context, rcity_csv_number(context, csv, 1, 2, &value)); /* empty: as it was */
    assert_near(value, -300.0, 0.0);
    rcity_csv_destroy(&csv);
    assert_null(csv);
    rcity_csv_destroy(&csv);
    rcity_csv_destroy(NULL);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Quotes after RFC 4180: separators, line ends and doubled quotes inside. */
static void test_quotes_follow_rfc_4180(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_csv *csv = parse(
        context, "\"a\",\"b,c\",d\r\n\"x \"\"y\"\", z\",\"two\r\nlines\", \" in \" \r\n5\" pipe,,\"\"\r\nlast,1,2");
    assert_string_equal(rcity_csv_column_name(csv, 1), "b,c");
    assert_string_equal(rcity_csv_text(csv, 0, 0), "x \"y\", z");
    assert_string_equal(rcity_csv_text(csv, 0, 1), "two\r\nlines");
    assert_string_equal(rcity_csv_text(csv, 0, 2), "in");
    assert_string_equal(rcity_csv_text(csv, 1, 0), "5\" pipe");
    assert_string_equal(rcity_csv_text(csv, 1, 2), "");
    assert_int_equal(rcity_csv_line(csv, 1), 4); /* the row before has a line end inside */
    assert_string_equal(rcity_csv_text(csv, 2, 2), "2");
    assert_int_equal(rcity_csv_row_count(csv), 3);
    rcity_csv_destroy(&csv);
    rcity_context_destroy(&context);
}

/* What programs and people make of CSV. */
static void test_common_csv_dialects_are_read(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    double value = 0.0;
    /* byte-order mark, semicolons, decimal comma, spaces, empty lines, a comment, the old end-of-file mark */
    rcity_csv *csv =
        parse(context, "\xef\xbb\xbf# made by hand\n\n Name ; X ;Y;\n\n# more\n A ; 1,5 ; -2.25 ; \n ;;\n\x1a");
    assert_int_equal(rcity_csv_column_count(csv), 3);
    assert_int_equal(rcity_csv_row_count(csv), 1);
    assert_int_equal(rcity_csv_line(csv, 0), 6);
    assert_string_equal(rcity_csv_text(csv, 0, 0), "A");
    assert_ok(context, rcity_csv_number(context, csv, 0, 1, &value));
    assert_near(value, 1.5, 0.0);
    assert_ok(context, rcity_csv_number(context, csv, 0, 2, &value));
    assert_near(value, -2.25, 0.0);
    rcity_csv_destroy(&csv);
    /* tabs, lines of old Macs; an empty value between tabs is one */
    csv = parse(context, "a\tb\tc\r1\t\t 3\r4\t5");
    assert_int_equal(rcity_csv_row_count(csv), 2);
    assert_string_equal(rcity_csv_text(csv, 0, 1), "");
    assert_string_equal(rcity_csv_text(csv, 0, 2), "3");
    assert_int_equal(rcity_csv_line(csv, 1), 3);
    rcity_csv_destroy(&csv);
    /* names alone */
    csv = parse(context, "a,b");
    assert_int_equal(rcity_csv_row_count(csv), 0);
    rcity_csv_destroy(&csv);
    /* empty values beyond the names, as spreadsheets leave them */
    csv = parse(context, "a,b\n1,2,,,\n");
    assert_string_equal(rcity_csv_text(csv, 0, 1), "2");
    rcity_csv_destroy(&csv);
    rcity_context_destroy(&context);
}

static void test_find_column(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_csv *csv = parse(context, "Site,LAT,lon,,x_m\n1,2,3,4,5\n");
    assert_int_equal(rcity_csv_find_column(csv, "site"), 0);
    assert_int_equal(rcity_csv_find_column(csv, "latitude|lat"), 1);
    assert_int_equal(rcity_csv_find_column(csv, "lng|longitude|LON"), 2);
    assert_int_equal(rcity_csv_find_column(csv, "lon|lat"), 2); /* the first of the names that is there */
    assert_int_equal(rcity_csv_find_column(csv, "x"), -1);
    assert_int_equal(rcity_csv_find_column(csv, "x_m_"), -1);
    assert_int_equal(rcity_csv_find_column(csv, ""), -1);
    rcity_csv_destroy(&csv);
    rcity_context_destroy(&context);
}

static void test_comments_with_keys_are_notes(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_csv *csv = parse(context, "# gain_dbi: 17.5 \n#Name = My antenna: two\na\n# late:1\n");
    assert_string_equal(rcity_csv_note(csv, "gain_dbi"), "17.5");
    assert_string_equal(rcity_csv_note(csv, "name"), "My antenna: two");
    assert_string_equal(rcity_csv_note(csv, "late"), "1");
    assert_string_equal(rcity_csv_note(csv, "gain"), "");
    rcity_csv_destroy(&csv);
    rcity_context_destroy(&context);
}

static void test_bad_tables_are_refused_with_line(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const struct {
        const char *text;
        size_t bytes; /* 0: up to the end of the text */
        const char *message;
    } cases[] = {
        {"", 0, "no columns"},
        {"\n\n# only words\n,,\n", 0, "no columns"},
        {"a,b\n1,\"2\n3,4\n", 0, "line 2: a quote (\") is opened and never closed"},
        {"a,b\n1,\"2\"3\n", 0, "line 2: there is text behind a closing quote"},
        {"a,b\n\n1,2,3\n", 0, "line 3 has 3 values, the first line names 2 columns"},
        {"a,b\n1,2\n1\0,2\n", 12, "line 3 holds a NUL byte"},
        {"Site,x, site \n1,2,3\n", 0, "line 1 names the column 'site' twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t bytes = cases[i].bytes != 0 ? cases[i].bytes : strlen(cases[i].text);
        rcity_csv *csv = NULL;
        assert_status(context, rcity_csv_parse(context, "list.csv", cases[i].text, bytes, &csv), RCITY_ERR_FORMAT);
        assert_message(context, cases[i].message);
        assert_message(context, "'list.csv'");
        assert_null(csv);
        assert_int_equal(rcity_context_memory_used(context), 0);
    }
    rcity_csv *csv = NULL;
    assert_status(context, rcity_csv_load(context, test_path("absent.csv"), &csv), RCITY_ERR_FILE);
    assert_message(context, "absent.csv");
    rcity_context_destroy(&context);
}

static void test_bad_numbers(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const char *const words[] = {"x", "1,5", "12 m", "nan", "inf", "1e999", "--1", "1.5.2", "0x10", "1e", "."};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "name,height\nA,\"%s\"\n", words[i]);
        rcity_csv *csv = parse(context, text);
        double value = 3.0;
        assert_status(context, rcity_csv_number(context, csv, 0, 1, &value), RCITY_ERR_FORMAT);
        snprintf(text, sizeof text, "line 2, column 'height': '%s' is not a number", words[i]);
        assert_message(context, text);
        assert_near(value, 3.0, 0.0);
        rcity_csv_destroy(&csv);
    }
    rcity_context_destroy(&context);
}

/* Random tables, written with quotes where needed, come back as they were. */
static void test_round_trip(void **state)
{
    (void)state;
    const uint64_t seed = 31;
    print_message("seed %llu\n", (unsigned long long)seed);
    rcity_context *context = test_context(1);
    static const char letters[] = "ab 1.,;\"\n\r\t#'x";
    uint64_t at = 0;
    for (int round = 0; round < 200; round++) {
        char value[12][16];
        char text[2000];
        int rows = 1 + (int)(test_random(seed, at++) % 3);
        size_t length = (size_t)snprintf(text, sizeof text, "c1,c2,c3\n");
        for (int i = 0; i < 3 * rows; i++) {
            int letter_count = (int)(test_random(seed, at++) % 8);
            value[i][0] = 'v'; /* neither empty nor a space at the ends, which are trimmed */
            for (int k = 1; k <= letter_count; k++) {
                value[i][k] = letters[test_random(seed, at++) % (sizeof letters - 1)];
            }
            value[i][letter_count + 1] = 'v';
            value[i][letter_count + 2] = '\0';
            text[length++] = '"';
            for (const char *letter = value[i]; *letter != '\0'; letter++) {
                length += *letter == '"' ? (size_t)snprintf(text + length, 3, "\"\"") : 0;
                text[length] = *letter;
                length += *letter != '"';
            }
            text[length++] = '"';
            text[length++] = i % 3 == 2 ? '\n' : ',';
        }
        rcity_csv *csv = NULL;
        assert_ok(context, rcity_csv_parse(context, "t.csv", text, length, &csv));
        assert_int_equal(rcity_csv_row_count(csv), rows);
        for (int i = 0; i < 3 * rows; i++) {
            assert_string_equal(rcity_csv_text(csv, i / 3, i % 3), value[i]);
        }
        rcity_csv_destroy(&csv);
    }
    rcity_context_destroy(&context);
}

static void test_no_memory(void **state)
{
    (void)state;
    const char *path = test_path("list.csv");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("# note: 1\na,b\n", file);
    for (int i = 0; i < 100; i++) {
        fprintf(file, "%d,\"x\"\n", i);
    }
    assert_int_equal(fclose(file), 0);
    for (long n = 1;; n++) {
        failing_allocator failing = {.fail_at = n};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_csv *csv = NULL;
        rcity_status status = rcity_csv_load(context, path, &csv);
        if (status == RCITY_OK) {
            assert_int_equal(rcity_csv_row_count(csv), 100);
            rcity_csv_destroy(&csv);
            rcity_context_destroy(&context);
            assert_true(n > 5);
            break;
        }
        assert_int_equal(status, RCITY_ERR_MEMORY);
        assert_null(csv);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    }
}

TEST_SUITE(csv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_and_columns_are_read),
        cmocka_unit_test(test_quotes_follow_rfc_4180),
        cmocka_unit_test(test_common_csv_dialects_are_read),
        cmocka_unit_test(test_find_column),
        cmocka_unit_test(test_comments_with_keys_are_notes),
        cmocka_unit_test(test_bad_tables_are_refused_with_line),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
