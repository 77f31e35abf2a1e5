/* SHA-256 against the examples of FIPS 180-4's companion document and by pieces. */
#include "rcity_test.h"

#include "base/sha256.h"

static void hash_text(const char *text, size_t piece, char hex[65])
{
    rcity_sha256 sha;
    rcity_sha256_init(&sha);
    size_t length = strlen(text);
    for (size_t at = 0; at < length; at += piece) {
        rcity_sha256_add(&sha, text + at, length - at < piece ? length - at : piece);
    }
    rcity_sha256_finish(&sha, hex);
}

static void test_hashes_match_published_examples(void **state)
{
    (void)state;
    char hex[65];
    hash_text("", 1, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    hash_text("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    for (size_t piece = 1; piece <= 60; piece++) {
        hash_text(two_blocks, piece, hex);
        assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
    static char million[1000001];
    memset(million, 'a', 1000000);
    hash_text(million, 999, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_SUITE(sha256)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hashes_match_published_examples)};
    return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
