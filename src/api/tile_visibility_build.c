/* The file of a visibility matrix, made by the method that uses one. */
#include <string.h>
#include <sys/stat.h>

#include "base/abi.h"
#include "method/method.h"
#include "radiocity/tile_visibility.h"

void rcity_tile_visibility_options_init(rcity_tile_visibility_options *options, size_t struct_bytes)
{
    const rcity_tile_visibility_options made = {.struct_bytes = 0};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

/* Options that the matrix does not depend on would say that it is another one. */
static rcity_status check_names(const rcity_job *job, const rcity_tile_visibility_options *options)
{
    const rcity_method *method = job->method;
    for (int i = 0; i < options->option_count; i++) {
        for (int k = 0; k < method->info.option_count; k++) {
            bool is_used = (method->visibility_options & RCITY_OPTION_BIT(k)) != 0;
            RCITY_CHECK(job->context, is_used || strcmp(method->options[k].name, options->option_name[i]) != 0,
                        RCITY_ERR_ARGUMENT, "a visibility matrix does not depend on `%s`; leave it out",
                        options->option_name[i]);
        }
    }
    return RCITY_OK;
}

static rcity_status start(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                          const rcity_tile_visibility_options *options, rcity_job *job)
{
    memset(job, 0, sizeof *job);
    job->context = context;
    job->scene = scene;
    job->shapes = rcity_scene_shapes(scene);
    job->device = device;
    job->method = rcity_method_get_visibility_builder();
    RCITY_CHECK(context, job->shapes != NULL, RCITY_ERR_STATE, "the scene is not committed yet");
    RCITY_NEED_SOME(context, options->option_name, options->option_count);
    RCITY_NEED_SOME(context, options->option_value, options->option_count);
    RCITY_TRY(rcity_method_read_options(job, options->option_count, options->option_name, options->option_value));
    return check_names(job, options);
}

rcity_status rcity_tile_visibility_build_sized(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                               const rcity_tile_visibility_options *options, const char *path,
                                               size_t info_bytes, rcity_tile_visibility_info *info)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    rcity_tile_visibility_options known;
    RCITY_TAKE(context, rcity_tile_visibility_options, only_tiles, options, &known);
    if (!known.only_tiles) {
        RCITY_NEED(context, path);
    }
    RCITY_NEED(context, info);
    RCITY_CHECK_BYTES(context, rcity_tile_visibility_info, info_bytes);
    rcity_job job;
    rcity_tile_visibility_info made;
    memset(&made, 0, sizeof made);
    RCITY_TRY(start(context, scene, device, &known, &job));
    RCITY_TRY(job.method->build_visibility(&job, known.only_tiles ? NULL : path, &made));
    struct stat file;
    made.file_bytes = !known.only_tiles && stat(path, &file) == 0 ? (int64_t)file.st_size : 0;
    rcity_copy_struct(&made, sizeof made, info_bytes, info);
    return RCITY_OK;
}
