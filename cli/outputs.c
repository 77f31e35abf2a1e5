/* Checking output paths. */
#include "outputs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arguments.h"
#include "exit_status.h"

static bool is_same_file(const char *path, const char *other)
{
    struct stat a;
    struct stat b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int output_check(const char *command, const char *path, const char *input_path)
{
    if (input_path != NULL && is_same_file(path, input_path)) {
        return usage_error(command, "'%s' is the input; choose another output path", path);
    }
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (slash != NULL && (size_t)(slash - path) >= sizeof folder) {
        fprintf(stderr, "radiocity: the path of the output is over %zu bytes long\n", sizeof folder);
        return EXIT_FILE;
    }
    snprintf(folder, sizeof folder, "%.*s",
             slash == NULL   ? 1
             : slash == path ? 1
                             : (int)(slash - path),
             slash == NULL ? "." : path);
    struct stat found;
    if (stat(folder, &found) != 0 || !S_ISDIR(found.st_mode)) {
        fprintf(stderr, "radiocity: cannot write '%s': there is no folder '%s'; make it first\n", path, folder);
        return EXIT_FILE;
    }
    if (access(folder, W_OK) != 0) {
        fprintf(stderr, "radiocity: cannot write '%s': %s; choose a folder that is writable\n", path, strerror(errno));
        return EXIT_FILE;
    }
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
        fprintf(stderr, "radiocity: '%s' exists and is not a plain file; choose another output path\n", path);
        return EXIT_FILE;
    }
    return 0;
}

bool output_keep(const char *path, char kept[KEPT_PATH_BYTES])
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    snprintf(kept, KEPT_PATH_BYTES, "%.*s.%s.kept-%ld", (int)(name - path), path, name, (long)getpid());
    unlink(kept); /* of a process of the same number that was killed */
    return link(path, kept) == 0;
}

void output_restore(const char *path, bool is_kept, const char *kept)
{
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
