/* Reads the reference files and holds the library against them. */
#include "rcity_test.h"

#include "kernel/free_space.h"

#define WORD_MAX 24

/* The inputs a case names, fixed ones of the method first. */
typedef struct inputs {
    int count;
    char key[WORD_MAX][32];
    double value[WORD_MAX];
} inputs;

static double input(const inputs *given, const char *key)
{
    for (int i = given->count - 1; i >= 0; i--) {
        if (strcmp(given->key[i], key) == 0) {
            return given->value[i];
        }
    }
    print_error("the case has no %s\n", key);
    fail();
    return 0.0;
}

static double free_space_loss_db(const inputs *given)
{
    float wavelength_m = (float)((double)RCITY_LIGHT_M_PER_S / input(given, "frequency_hz"));
    return (double)rcity_free_space_loss_db((float)input(given, "distance_m"), wavelength_m);
}

static const struct {
    const char *method, *output;
    double (*evaluate)(const inputs *given);
} functions[] = {
    {"free-space", "loss_db", free_space_loss_db},
};

static double evaluate(const char *method, const char *output, const inputs *given)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i].method, method) == 0 && strcmp(functions[i].output, output) == 0) {
            return functions[i].evaluate(given);
        }
    }
    print_error("no function for %s %s\n", method, output);
    fail();
    return 0.0;
}

/* The words of a line; what lies behind the last one is empty. */
static int split(char *line, char *words[WORD_MAX])
{
    static char nothing[1];
    int count = 0;
    for (int i = 0; i < WORD_MAX; i++) {
        words[i] = nothing;
    }
    for (char *word = strtok(line, " \t\r\n"); word != NULL && count < WORD_MAX; word = strtok(NULL, " \t\r\n")) {
        words[count++] = word;
    }
    return count;
}

static void add_inputs(inputs *given, char **words, int count)
{
    assert_int_equal(count % 2, 0);
    for (int i = 0; i < count; i += 2) {
        assert_true(given->count < WORD_MAX);
        snprintf(given->key[given->count], sizeof given->key[0], "%s", words[i]);
        char *end;
        given->value[given->count++] = strtod(words[i + 1], &end);
        assert_true(*end == '\0');
    }
}

static int read_file(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s",
             getenv("RADIOCITY_REFERENCE") != NULL ? getenv("RADIOCITY_REFERENCE") : RCITY_REFERENCE_DIR, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        print_message("SKIPPED: no %s\n", path);
        return 0;
    }
    char line[512];
    char method[64] = "";
    inputs fixed = {0};
    double tolerance = 0.0;
    int case_count = 0;
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        char *words[WORD_MAX];
        int count = split(line, words);
        if (count == 0 || words[0][0] == '#' || strcmp(words[0], "source") == 0) {
            continue;
        }
        assert_true(count >= 2);
        if (strcmp(words[0], "method") == 0) {
            snprintf(method, sizeof method, "%s", words[1]);
            fixed.count = 0;
            add_inputs(&fixed, words + 2, count - 2);
        } else if (strcmp(words[0], "tolerance") == 0) {
            tolerance = strtod(words[1], NULL);
        } else {
            assert_string_equal(words[0], "accept");
            assert_true(count >= 6);
            assert_string_equal(words[count - 3], "expect");
            inputs given = fixed;
            add_inputs(&given, words + 1, count - 4);
            double expected = strtod(words[count - 1], NULL);
            double actual = evaluate(method, words[count - 2], &given);
            if (!(fabs(actual - expected) <= tolerance)) {
                print_error("%s:%d: %s is %.6f, published %.6f within %g\n", name, number, words[count - 2], actual,
                            expected, tolerance);
                fail();
            }
            case_count++;
        }
    }
    fclose(file);
    return case_count;
}

static void test_p525(void **state)
{
    (void)state;
    int count = read_file("p525_free_space.txt");
    print_message("%d published values\n", count);
    assert_true(count == 8 || count == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_p525)};
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
