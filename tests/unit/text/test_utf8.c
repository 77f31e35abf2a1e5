/* Which bytes are UTF-8: every code point there is, every way two and three bytes can be wrong. */
#include "rcity_test.h"

#include "text/utf8.h"

static size_t encode(uint32_t code, char *text)
{
    size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 1; code >>= 6) {
        text[i] = (char)(0x80 | (code & 0x3f));
    }
    text[0] = (char)(lead[count] | code);
    text[count] = '\0';
    return count;
}

static void test_every_code_point(void **state)
{
    (void)state;
    char text[8];
    for (uint32_t code = 1; code <= 0x1fffff; code++) {
        bool is_character = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
        size_t count = encode(code, text);
        assert_int_equal(rcity_utf8_bytes(text), is_character ? count : 0);
    }
    assert_int_equal(rcity_utf8_bytes(""), 1);
}

/* Pairs of bytes followed by the end: right are those that the encoder makes, all others are none. */
static void test_every_pair_of_bytes(void **state)
{
    (void)state;
    for (int first = 0x80; first < 0x100; first++) {
        for (int second = 0; second < 0x100; second++) {
            char text[3] = {(char)first, (char)second, '\0'};
            bool is_pair = first >= 0xc2 && first <= 0xdf && second >= 0x80 && second <= 0xbf;
            assert_int_equal(rcity_utf8_bytes(text), is_pair ? 2 : 0);
        }
    }
    assert_int_equal(rcity_utf8_bytes("\xe0\x9f\xbf"), 0); /* overlong */
    assert_int_equal(rcity_utf8_bytes("\xf0\x8f\xbf\xbf"), 0);
    assert_int_equal(rcity_utf8_bytes("\xf8\x88\x80\x80\x80"), 0);
}

static void test_cuts_between_characters(void **state)
{
    (void)state;
    const char *text = "a\xc3\x9f\xe2\x82\xac!"; /* 1, 2, 3 and 1 bytes */
    static const size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 7, 7};
    for (size_t most = 0; most < sizeof expected / sizeof expected[0]; most++) {
        assert_int_equal(rcity_utf8_cut(text, most), expected[most]);
    }
}

TEST_SUITE(utf8)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code_point),
        cmocka_unit_test(test_every_pair_of_bytes),
        cmocka_unit_test(test_cuts_between_characters),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
