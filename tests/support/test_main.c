/* The main of every test program: runs one suite of its folder.
 *   test_FOLDER SUITE [TEST | WORD]   TEST: only tests of this name, * and ? allowed; WORD: long, or --something
 *   test_FOLDER --list                the names of its suites */
#include "rcity_test.h"
#include "test_suites.h"

#define SKIPPED 77 /* what CTest takes as skipped: tests/CMakeLists.txt */

static const char *called_with = "";

bool test_is_called_with(const char *word)
{
    return strcmp(called_with, word) == 0;
}

static const test_suite *find_suite(const char *name)
{
    const test_suite *suite = test_suites;
    while (suite->name != NULL && strcmp(suite->name, name) != 0) {
        suite++;
    }
    return suite->name != NULL ? suite : NULL;
}

static void list_suites(void)
{
    for (const test_suite *suite = test_suites; suite->name != NULL; suite++) {
        printf("%s\n", suite->name);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_suites();
        return 0;
    }
    const test_suite *suite = argc > 1 ? find_suite(argv[1]) : NULL;
    if (suite == NULL || argc > 3) {
        fprintf(stderr, "usage: %s SUITE [TEST | long | --OPTION]; --list names the suites\n", argv[0]);
        return 2;
    }
    if (argc == 3) {
        bool is_word = strcmp(argv[2], "long") == 0 || strncmp(argv[2], "--", 2) == 0;
        called_with = argv[2];
        cmocka_set_test_filter(is_word ? NULL : argv[2]);
    }
    int result = suite->run();
    return result == SKIPPED ? SKIPPED : result != 0; /* however many failed */
}
