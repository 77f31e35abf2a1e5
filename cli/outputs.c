/* Checking output paths. */
#include "outputs.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "arguments.h"
#include "exit_status.h"
#include "session.h"

static bool is_same_file(const char *path, const char *other)
{
    struct stat a;
    struct stat b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int output_check_inputs(const char *command, const char *path, int input_count, const char *const *input_paths)
{
    for (int i = 0; path != NULL && i < input_count; i++) {
        if (input_paths[i] != NULL && is_same_file(path, input_paths[i])) {
            return usage_error(command, "'%s' is the input; choose another output path", path);
        }
    }
    return 0;
}

int output_check_new(const char *path)
{
    struct stat found;
    if (session_may_overwrite() || stat(path, &found) != 0 || !S_ISREG(found.st_mode)) {
        return 0;
    }
    fprintf(stderr, "radiocity: '%s' exists; replace it with --overwrite, or choose another name\n", path);
    return EXIT_FILE;
}

int output_check_all(rcity_context *context, const char *command, const char *path, int input_count,
                     const char *const *input_paths)
{
    int result = output_check_inputs(command, path, input_count, input_paths);
    result = result == 0 && path != NULL ? output_check_new(path) : result;
    rcity_status status = result == 0 && path != NULL ? rcity_output_check(context, path) : RCITY_OK;
    return status == RCITY_OK ? result : session_fail(context, status);
}

int output_check(rcity_context *context, const char *command, const char *path, const char *input_path)
{
    return output_check_all(context, command, path, 1, &input_path);
}

int output_fail_build(const char *library, const char *path)
{
    fprintf(stderr, "radiocity: this build has no %s and cannot write '%s'; build it with that library\n", library,
            path);
    return EXIT_UNSUPPORTED;
}

static bool has_ending(const output_name *output)
{
    bool is_tiff = strcmp(output->ending, ".tif") == 0 && path_ends_with(output->path, ".tiff");
    return is_tiff || path_ends_with(output->path, output->ending);
}

int output_check_names(const char *command, int count, const output_name *outputs)
{
    rcity_build_features features = rcity_build_features_get();
    for (int i = 0; i < count; i++) {
        const output_name *output = &outputs[i];
        if (output->path == NULL) {
            continue;
        }
        if (!has_ending(output)) {
            return usage_error(command, "%s ends in %s; let '%s' do so", output->what, output->ending, output->path);
        }
        for (int k = 0; k < i; k++) {
            if (outputs[k].path != NULL && strcmp(outputs[k].path, output->path) == 0) {
                return usage_error(command, "%s and %s are the same file '%s'", outputs[k].option, output->option,
                                   output->path);
            }
        }
        if (output->needs_gdal && !features.has_geotiff) {
            return output_fail_build("GDAL", output->path);
        }
        if (output->needs_cairo && !features.has_pictures) {
            return output_fail_build("Cairo", output->path);
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
