/* What the tests share: cmocka, asserts that print both values, a context, a failing allocator. */
#ifndef RCITY_TEST_H
#define RCITY_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "radiocity/radiocity.h"

/* A test file ends with one suite, which runs its table and returns how many tests failed; NAME is that of the file
 * without test_. The folder's CMakeLists.txt lists it, test_main.c runs it:
 *     TEST_SUITE(wedge)
 *     {
 *         const struct CMUnitTest tests[] = {cmocka_unit_test(test_half_plane)};
 *         return cmocka_run_group_tests_name("wedge", tests, NULL, NULL);
 *     } */
#define TEST_SUITE(name)                                                                                               \
    int suite_##name(void);                                                                                            \
    int suite_##name(void)

/* Was the suite called with this word, such as "long" (in full size)? */
bool test_is_called_with(const char *word);

/* `a` and `b` differ by at most `tolerance`; NaN never passes. */
#define assert_near(actual, expected, tolerance)                                                                       \
    do {                                                                                                               \
        double test_actual_ = (double)(actual);                                                                        \
        double test_expected_ = (double)(expected);                                                                    \
        if (!(fabs(test_actual_ - test_expected_) <= (tolerance))) {                                                   \
            print_error("%s is %.10g, expected %.10g within %g\n", #actual, test_actual_, test_expected_,              \
                        (double)(tolerance));                                                                          \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* The call succeeds; its message is printed when not. */
#define assert_ok(context, call) assert_status(context, call, RCITY_OK)

#define assert_status(context, call, expected)                                                                         \
    do {                                                                                                               \
        rcity_status test_status_ = (call);                                                                            \
        if (test_status_ != (expected)) {                                                                              \
            print_error("%s gave %s (%s), expected %s\n", #call, rcity_status_name(test_status_),                      \
                        rcity_context_message(context), rcity_status_name(expected));                                  \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* The message of the last failure holds these words. */
#define assert_message(context, words)                                                                                 \
    do {                                                                                                               \
        if (strstr(rcity_context_message(context), (words)) == NULL) {                                                 \
            print_error("the message is '%s', expected '%s' in it\n", rcity_context_message(context), (words));        \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* A context with a number of threads; the test ends when it cannot be made. */
rcity_context *test_context(int thread_count);

/* The id of the first usable OpenCL device; false, with a visible line, where there is none. `id` has room for 32 bytes. */
bool test_find_opencl(char *id);

/* An allocator that fails its n-th call (1 is the first; 0 never fails) and counts calls. */
typedef struct failing_allocator {
    long fail_at;
    long call_count;
    long live_count;
} failing_allocator;

rcity_context *test_context_failing(failing_allocator *failing, int thread_count);

/* A scene of boxes (x0, y0, x1, y1, height), committed. */
typedef struct test_box {
    double x0_m, y0_m, x1_m, y1_m, height_m;
} test_box;

rcity_scene *test_scene(rcity_context *context, const test_box *boxes, int box_count);

/* The same in a CRS; NULL: none. */
rcity_scene *test_scene_in(rcity_context *context, const char *crs, const test_box *boxes, int box_count);

/* Add one box to a scene that is still open. */
void test_add_box(rcity_context *context, rcity_scene *scene, int64_t id, test_box box);

/* Close what a test worked with; nothing is left in the context's memory. */
void test_close(rcity_context **context, rcity_scene **scene, rcity_device **device);

/* The value of a map's note, or NULL where it has none of this key. */
const char *test_find_note(const rcity_map *map, const char *key);

/* Path of a fresh file name in a folder of this test's own; the folder is made once. */
const char *test_path(const char *name);

/* Path of a file with a text in that folder. */
const char *test_text(rcity_context *context, const char *name, const char *text);

/* Path of a file of the real data, or NULL (after a printed line) where they are absent. */
const char *test_data(const char *name);

/* Random numbers from a seed: the i-th is the same everywhere. */
uint64_t test_random(uint64_t seed, uint64_t i);

/* Uniform in [low, high). */
double test_uniform(uint64_t seed, uint64_t i, double low, double high);

#endif
