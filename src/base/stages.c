/* A handful of names, found by going through them. */
#include "base/stages.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"

void rcity_stages_start(rcity_stages *stages)
{
    if (stages != NULL) {
        memset(stages, 0, sizeof *stages);
        stages->since_s = rcity_clock_s();
    }
}

void rcity_stages_end(rcity_stages *stages, const char *name)
{
    if (stages == NULL) {
        return;
    }
    double now_s = rcity_clock_s();
    int at = 0;
    while (at < stages->count && strcmp(stages->stage[at].name, name) != 0) {
        at++;
    }
    if (at < RCITY_STAGE_MAX) {
        stages->count += at == stages->count;
        stages->stage[at].name = name;
        stages->stage[at].seconds += now_s - stages->since_s;
    }
    stages->since_s = now_s;
}

void rcity_stages_describe(const rcity_stages *stages, char *text, size_t text_bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; stages != NULL && i < stages->count && used < text_bytes; i++) {
        int written = snprintf(text + used, text_bytes - used, "%s%s %.3g s", i > 0 ? ", " : "", stages->stage[i].name,
                               stages->stage[i].seconds);
        used += written > 0 ? (size_t)written : 0;
    }
}
