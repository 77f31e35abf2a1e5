/* Escapes of JSON and XML, numbers in any locale, and the first failure kept. */
#include "rcity_test.h"

#include <locale.h>

#include "io/export/text_block.h"

typedef void (*add_function)(rcity_text_block *block, const char *text);

static void check(add_function add, const char *text, const char *expected)
{
    rcity_context *context = test_context(1);
    rcity_text_block block;
    rcity_text_block_init(context, &block);
    add(&block, text);
    rcity_text_add(&block, "%s", "|");
    assert_int_equal(block.status, RCITY_OK);
    block.text[block.length - 1] = '\0';
    assert_string_equal(block.text, expected);
    rcity_text_block_deinit(&block);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_json_text_is_escaped(void **state)
{
    (void)state;
    check(rcity_text_add_json, "", "\"\"");
    check(rcity_text_add_json, NULL, "null");
    check(rcity_text_add_json, "plain", "\"plain\"");
    check(rcity_text_add_json, "a\"b\\c", "\"a\\\"b\\\\c\"");
    check(rcity_text_add_json, "tab\there\n\x01\x1f\x7f", "\"tab\\u0009here\\u000a\\u0001\\u001f\\u007f\"");
    check(rcity_text_add_json,
          "stra\xc3\x9f"
          "e \xe2\x82\xac \xf0\x9f\x97\xbc",
          "\"stra\xc3\x9f"
          "e \xe2\x82\xac \xf0\x9f\x97\xbc\"");
    check(rcity_text_add_json, "</script>'&", "\"</script>'&\"");
}

static void test_xml_text_is_escaped(void **state)
{
    (void)state;
    check(rcity_text_add_xml, "", "");
    check(rcity_text_add_xml, "a<b>&\"'", "a&lt;b&gt;&amp;&quot;&apos;");
    check(rcity_text_add_xml, "two\nlines\t.", "two&#10;lines&#9;.");
    check(rcity_text_add_xml, "\x01\x08\x1f", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    check(rcity_text_add_xml, "]]>", "]]&gt;");
}

/* What is no UTF-8 shows as the replacement character, byte by byte, and what follows is whole again. */
static void test_broken_utf8(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "\xff",
        "\x80",
        "\xc3",
        "\xc0\xaf",
        "\xc1\xbf",
        "\xe2\x82",
        "\xe0\x80\xaf",
        "\xed\xa0\x80",
        "\xf5\x80\x80\x80",
        "\xf4\x90\x80\x80",
        "\xf0\x80\x80\x80",
        "\xef\xbf\xbf",
        "\xf0\x9f\x97",
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        char text[16], expected[64] = "x";
        snprintf(text, sizeof text, "x%sy", broken[i]);
        size_t length = 1;
        for (size_t k = 0; k < strlen(broken[i]); k++) {
            length += (size_t)snprintf(expected + length, sizeof expected - length, "\xef\xbf\xbd");
        }
        snprintf(expected + length, sizeof expected - length, "y");
        check(rcity_text_add_xml, text, expected);
    }
}

static void check_number(double value, const char *expected)
{
    rcity_context *context = test_context(1);
    rcity_text_block block;
    rcity_text_block_init(context, &block);
    rcity_text_add_number(&block, value);
    assert_string_equal(block.text, expected);
    rcity_text_block_deinit(&block);
    rcity_context_destroy(&context);
}

static void check_fixed(double value, int decimals, const char *expected)
{
    rcity_context *context = test_context(1);
    rcity_text_block block;
    rcity_text_block_init(context, &block);
    rcity_text_add_fixed(&block, value, decimals);
    assert_string_equal(block.text, expected);
    rcity_text_block_deinit(&block);
    rcity_context_destroy(&context);
}

static void check_numbers(void)
{
    check_number(-95.0, "-95");
    check_number(0.1, "0.1");
    check_number(-0.0, "0");
    check_number((double)NAN, "null");
    check_number(HUGE_VAL, "null");
    check_number(1e-7, "1e-07");
    check_fixed(11.5812345678, 8, "11.58123457");
    check_fixed(-0.000000001, 8, "0.00000000");
    check_fixed(-0.5, 0, "0"); /* to even, and no sign */
    check_fixed(-12.0, 2, "-12.00");
}

static void test_numbers_ignore_the_locale(void **state)
{
    (void)state;
    check_numbers();
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "C.UTF-8"};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        if (setlocale(LC_NUMERIC, locales[i]) != NULL) {
            check_numbers();
        }
    }
    setlocale(LC_NUMERIC, "C");
}

static void test_first_failure_is_kept(void **state)
{
    (void)state;
    failing_allocator failing = {2, 0, 0};
    rcity_context *context = test_context_failing(&failing, 1);
    rcity_text_block block;
    rcity_text_block_init(context, &block);
    for (int i = 0; i < 10000; i++) {
        rcity_text_add(&block, "line %d\n", i);
    }
    assert_int_equal(block.status, RCITY_ERR_MEMORY);
    assert_true(block.length < 10000 && strlen(block.text) == block.length);
    rcity_text_block_deinit(&block);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
    assert_int_equal(failing.live_count, 0);
}

TEST_SUITE(text_block)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_text_is_escaped),      cmocka_unit_test(test_xml_text_is_escaped),
        cmocka_unit_test(test_numbers_ignore_the_locale), cmocka_unit_test(test_broken_utf8),
        cmocka_unit_test(test_first_failure_is_kept),
    };
    return cmocka_run_group_tests_name("text block", tests, NULL, NULL);
}
