/* What the methods under test share: the inputs of a case, and the table that finds a method by its word. */
#ifndef RCITY_TESTS_REFERENCE_H
#define RCITY_TESTS_REFERENCE_H

#include <stdbool.h>

#define INPUT_MAX 32

/* The inputs a case names, fixed ones of the method first. */
typedef struct inputs {
    int count;
    char key[INPUT_MAX][32];
    double value[INPUT_MAX];
} inputs;

/* The last one of that name; without one the test fails. */
double input(const inputs *given, const char *key);

bool has_input(const inputs *given, const char *key);

typedef struct reference_method {
    const char *method, *output;
    double (*evaluate)(const inputs *given);
} reference_method;

/* The wave physics, in double precision; ends with a row without a name. */
extern const reference_method wave_methods[];

#endif
