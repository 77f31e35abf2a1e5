/* JSON as it is written: escapes, numbers in every locale, commas, spaces and lines. */
#include "rcity_test.h"

#include "comma_locale.h"
#include "text/json_writer.h"

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

static void check_text(const char *text, const char *expected)
{
    collected made = {"", 0};
    rcity_text_sink sink = {put, &made};
    rcity_json_put_text(&sink, text);
    assert_string_equal(made.text, expected);
}

static void test_texts_are_escaped(void **state)
{
    (void)state;
    check_text(NULL, "null");
    check_text("", "\"\"");
    check_text("plain", "\"plain\"");
    check_text("a\"b\\c", "\"a\\\"b\\\\c\"");
    check_text("\"\"", "\"\\\"\\\"\"");
    check_text("tab\there\n\x01\x1f\x7f", "\"tab\\u0009here\\u000a\\u0001\\u001f\\u007f\"");
    check_text("\xe2\x82\xac \xf0\x9f\x97\xbc", "\"\xe2\x82\xac \xf0\x9f\x97\xbc\"");
    check_text("\xef\xbf\xbf", "\"\xef\xbf\xbf\""); /* U+FFFF is no character, but JSON may hold it */
}

static void test_broken_utf8_is_replaced_byte_by_byte(void **state)
{
    (void)state;
    check_text("x\xff", "\"x\xef\xbf\xbd\"");
    check_text("\x80y", "\"\xef\xbf\xbdy\"");
    check_text("x\xe2\x82y", "\"x\xef\xbf\xbd\xef\xbf\xbdy\"");
    check_text("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    check_text("\xc3\"", "\"\xef\xbf\xbd\\\"\"");
}

static void check_numbers(void)
{
    collected made = {"", 0};
    rcity_json_writer json = {.sink = {put, &made}, .is_compact = true};
    rcity_json_begin_array(&json, NULL);
    rcity_json_number(&json, NULL, 0.1);
    rcity_json_number(&json, NULL, -0.0);
    rcity_json_number(&json, NULL, (double)NAN);
    rcity_json_number(&json, NULL, -HUGE_VAL);
    rcity_json_number(&json, NULL, 1e-7);
    rcity_json_number(&json, NULL, -95.0);
    rcity_json_fixed(&json, NULL, 11.5812345678, 8);
    rcity_json_fixed(&json, NULL, -0.0004, 3);
    rcity_json_integer(&json, NULL, INT64_MIN);
    rcity_json_boolean(&json, NULL, true);
    rcity_json_end_array(&json);
    assert_string_equal(made.text, "[0.1,0,null,null,1e-07,-95,11.58123457,0.000,-9223372036854775808,true]");
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

static void write_sample(rcity_json_writer *json)
{
    rcity_json_begin_object(json, NULL);
    rcity_json_text(json, "a", "b");
    rcity_json_begin_object(json, "empty");
    rcity_json_end_object(json);
    rcity_json_break_line(json);
    rcity_json_begin_array(json, "list");
    for (int i = 0; i < 2; i++) {
        rcity_json_break_line(json);
        rcity_json_begin_object(json, NULL);
        rcity_json_key(json, "i");
        rcity_json_integer(json, NULL, i);
        rcity_json_boolean(json, "is", false);
        rcity_json_end_object(json);
    }
    rcity_json_break_line(json);
    rcity_json_end_array(json);
    rcity_json_end_object(json);
    rcity_json_end_line(json);
}

static void test_commas_spaces_and_lines(void **state)
{
    (void)state;
    collected made = {"", 0};
    rcity_json_writer json = {.sink = {put, &made}};
    write_sample(&json);
    assert_string_equal(made.text, "{\"a\": \"b\", \"empty\": {},\n\"list\": [\n{\"i\": 0, \"is\": false},\n"
                                   "{\"i\": 1, \"is\": false}\n]}\n");
    made.length = 0;
    json.is_compact = true;
    write_sample(&json); /* a second value starts without comma */
    assert_string_equal(made.text, "{\"a\":\"b\",\"empty\":{},\n\"list\":[\n{\"i\":0,\"is\":false},\n"
                                   "{\"i\":1,\"is\":false}\n]}\n");
}

TEST_SUITE(json_writer)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_broken_utf8_is_replaced_byte_by_byte),
        cmocka_unit_test(test_numbers_have_a_point_in_every_locale),
        cmocka_unit_test(test_commas_spaces_and_lines),
    };
    return cmocka_run_group_tests_name("json writer", tests, NULL, NULL);
}
