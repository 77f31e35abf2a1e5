/* Checking output paths. */
#include "outputs.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

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

int output_check_all(rcity_context *context, const char *command, const char *path, int input_count,
                     const char *const *input_paths)
{
    for (int i = 0; path != NULL && i < input_count; i++) {
        int result = output_check(context, command, path, input_paths[i]);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

bool path_ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t ending_length = strlen(ending);
    return length > ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}
