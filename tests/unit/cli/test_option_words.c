/* Fields in a message become options; whatever else stands in backquotes stays. */
#include "option_words.h"

#include <string.h>

#include "rcity_test.h"

static void test_fields_become_options(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", ""},
        {"raise `memory`", "raise --memory"},
        {"`skip-out-of-range` leaves it out", "--skip-out-of-range leaves it out"},
        {"out with `bad-buildings=drop`", "out with --bad-buildings drop"},
        {"`crs=EPSG:32632`, or `crs=none`; `to-crs`", "--crs EPSG:32632, or --crs none; --to-crs"},
        {"`weakest=-150`", "--weakest -150"},
        {"`crs=LOCAL_CS[\"a = b\"]` counts", "--crs LOCAL_CS[\"a = b\"] counts"},
        {"`p2109=` x", "--p2109  x"},
        {"a `b", "a `b"},
        {"a `b=c", "a `b=c"},
        {"``memory`", "`--memory"},
        {"the file `My File`.csv", "the file `My File`.csv"},
        {"`-x` and `9`", "`-x` and `9`"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[OPTION_WORDS_BYTES];
        assert_string_equal(option_words(cases[i].text, words, sizeof words), cases[i].expected);
        assert_int_equal(strlen(words), strlen(cases[i].text));
    }
}

static void test_long_text_is_cut(void **state)
{
    char words[8];
    (void)state;
    assert_string_equal(option_words("raise `memory`", words, sizeof words), "raise `");
    assert_string_equal(option_words("`a=b` and more", words, sizeof words), "--a b a");
}

TEST_SUITE(option_words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_become_options),
        cmocka_unit_test(test_long_text_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
