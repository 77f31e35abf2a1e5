/* The suites of one test program: the table CMake writes and the main that reads it. */
#ifndef RCITY_TEST_SUITES_H
#define RCITY_TEST_SUITES_H

typedef struct test_suite {
    const char *name;
    int (*run)(void); /* the number of tests that failed */
} test_suite;

/* By name; an entry without a name ends the table. */
extern const test_suite test_suites[];

#endif
