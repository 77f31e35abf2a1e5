/* A set of files of which all appear or none. */
#include "output_set.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool output_set_add(output_set *set, const char *path)
{
    if (set->count == set->capacity) {
        int capacity = set->capacity > 0 ? 2 * set->capacity : 8;
        output_file *grown = realloc(set->files, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        set->files = grown;
        set->capacity = capacity;
    }
    output_file *file = &set->files[set->count];
    static char resolved[PATH_MAX];
    path = realpath(path, resolved) != NULL ? resolved : path; /* the target of a link is replaced */
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    snprintf(file->path, sizeof file->path, "%s", path);
    snprintf(file->kept, sizeof file->kept, "%.*s.%s.kept-%ld", (int)(name - path), path, name, (long)getpid());
    unlink(file->kept); /* left by a killed process with the same id */
    file->is_kept = link(file->path, file->kept) == 0;
    set->count++;
    return true;
}

void output_set_finish(output_set *set, bool is_complete)
{
    for (int i = 0; i < set->count; i++) {
        const output_file *file = &set->files[i];
        if (!is_complete && (!file->is_kept || rename(file->kept, file->path) != 0)) {
            unlink(file->path);
        }
        unlink(file->kept);
    }
    free(set->files);
    memset(set, 0, sizeof *set);
}
