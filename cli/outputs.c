/* Checking output paths. */
#include "outputs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arguments.h"
#include "session.h"

static bool is_same_file(const char *path, const char *other)
{
    struct stat a;
    struct stat b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int output_check(rcity_context *context, const char *command, const char *path, const char *input_path)
{
    if (input_path != NULL && is_same_file(path, input_path)) {
        return usage_error(command, "'%s' is the input; choose another output path", path);
    }
    rcity_status status = rcity_output_check(context, path);
    return status == RCITY_OK ? 0 : session_fail(context, status);
}

bool output_keep(const char *path, char kept[KEPT_PATH_BYTES])
{
    static char resolved[PATH_MAX];
    path = realpath(path, resolved) != NULL ? resolved : path; /* the file behind a link is what gets replaced */
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    snprintf(kept, KEPT_PATH_BYTES, "%.*s.%s.kept-%ld", (int)(name - path), path, name, (long)getpid());
    unlink(kept); /* of a process of the same number that was killed */
    return link(path, kept) == 0;
}

void output_restore(const char *path, bool is_kept, const char *kept)
{
    static char resolved[PATH_MAX];
    path = realpath(path, resolved) != NULL ? resolved : path;
    if (!is_kept || rename(kept, path) != 0) {
        unlink(path);
    }
}

bool path_ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t ending_length = strlen(ending);
    return length > ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}
