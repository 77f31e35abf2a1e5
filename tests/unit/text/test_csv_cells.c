/* Cells of CSV: what is quoted, and that our own reader gets back what went in. */
#include "rcity_test.h"

#include "comma_locale.h"
#include "io/csv.h"
#include "text/csv_cells.h"

typedef struct collected {
    char text[4096];
    size_t length;
} collected;

static void put(void *user, const char *bytes, size_t count)
{
    collected *made = user;
    assert_true(made->length + count < sizeof made->text);
    memcpy(made->text + made->length, bytes, count);
    made->length += count;
    made->text[made->length] = '\0';
}

static void test_texts_are_quoted_where_they_must_be(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {{"", ""},
                 {"plain text", "plain text"},
                 {"a,b", "\"a,b\""},
                 {"a;b", "\"a;b\""},
                 {"\"", "\"\"\"\""},
                 {"say \"hi\"!", "\"say \"\"hi\"\"!\""},
                 {"two\nlines", "\"two\nlines\""},
                 {"\r", "\"\r\""}};
    rcity_context *context = test_context(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        collected made = {"", 0};
        rcity_text_sink sink = {put, &made};
        rcity_csv_put_text(&sink, cases[i].text);
        assert_string_equal(made.text, cases[i].expected);
        rcity_text_put(&sink, ",1\n");
        char table[sizeof made.text + 16];
        rcity_csv *csv = NULL;
        snprintf(table, sizeof table, "name,x\n%s", made.text);
        assert_ok(context, rcity_csv_parse(context, "table", table, strlen(table), &csv));
        assert_int_equal(rcity_csv_row_count(csv), 1);
        const char *read = rcity_csv_text(csv, 0, 0);
        assert_string_equal(read, strcmp(cases[i].text, "\r") == 0 ? "" : cases[i].text); /* ends are trimmed */
        rcity_csv_destroy(&csv);
    }
    rcity_context_destroy(&context);
}

static void check_numbers(void)
{
    collected made = {"", 0};
    rcity_text_sink sink = {put, &made};
    rcity_csv_put_number(&sink, 1.5, 3);
    rcity_csv_put_number(&sink, (double)NAN, 3);
    rcity_csv_put_number(&sink, HUGE_VAL, 3);
    rcity_csv_put_number(&sink, -0.0001, 3);
    rcity_csv_put_number(&sink, -12.345678901, 9);
    assert_string_equal(made.text, ",1.500,,,0.000,-12.345678901");
}

static void test_numbers_have_a_point_in_every_locale(void **state)
{
    (void)state;
    check_numbers();
    if (comma_locale_enter()) {
        check_numbers();
        comma_locale_leave();
    }
}

TEST_SUITE(csv_cells)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_quoted_where_they_must_be),
        cmocka_unit_test(test_numbers_have_a_point_in_every_locale),
    };
    return cmocka_run_group_tests_name("csv cells", tests, NULL, NULL);
}
