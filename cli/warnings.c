/* Warnings of one run, by their text. */
#include "warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_MAX   64 /* further different ones are always printed */
#define START_SIZE 48 /* number of characters by which a warning is recognised */

static struct {
    char *text;
    long count;
} kept[KEPT_MAX];

static int kept_count = 0;

bool warning_is_new(const char *text)
{
    for (int i = 0; i < kept_count; i++) {
        if (strcmp(kept[i].text, text) == 0) {
            kept[i].count++;
            return false;
        }
    }
    size_t bytes = strlen(text) + 1;
    char *copy = kept_count < KEPT_MAX ? malloc(bytes) : NULL;
    if (copy != NULL) {
        memcpy(copy, text, bytes);
        kept[kept_count].text = copy;
        kept[kept_count++].count = 1;
    }
    return true;
}

void warnings_finish(bool is_quiet)
{
    for (int i = 0; i < kept_count; i++) {
        if (kept[i].count > 1 && !is_quiet) {
            fprintf(stderr, "radiocity: the warning '%.*s%s' came %ld times\n", START_SIZE, kept[i].text,
                    strlen(kept[i].text) > START_SIZE ? "..." : "", kept[i].count);
        }
        free(kept[i].text);
        kept[i].text = NULL;
    }
    kept_count = 0;
}
