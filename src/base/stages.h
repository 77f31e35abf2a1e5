/* Where the time of a work of several stages goes, for benchmarks. */
#ifndef RCITY_BASE_STAGES_H
#define RCITY_BASE_STAGES_H

#include <stddef.h>

#define RCITY_STAGE_MAX 24

/* Zeroed before use. One thread notes; functions take NULL, which notes nothing. */
typedef struct rcity_stages {
    struct {
        const char *name; /* borrowed */
        double seconds;
    } stage[RCITY_STAGE_MAX];
    int count;
    double since_s; /* the end of the last stage */
} rcity_stages;

/* Forget all times; the first stage begins. */
void rcity_stages_start(rcity_stages *stages);

/* What was done since the last stage was this; stages of one name are added up. */
void rcity_stages_end(rcity_stages *stages, const char *name);

/* As words: "tables 0.012 s, sums 0.4 s". Cut where it does not fit. */
void rcity_stages_describe(const rcity_stages *stages, char *text, size_t text_bytes);

#endif
