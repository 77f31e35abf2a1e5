/* Scenes from paths. */
#include "scene_files.h"

#include <inttypes.h>
#include <stdio.h>

#include "outputs.h"
#include "session.h"

rcity_status scene_file_load(rcity_context *context, const char *path, rcity_scene **scene)
{
    rcity_scene_options options = rcity_scene_options_default();
    return path_ends_with(path, ".res") ? rcity_res_load(context, path, &options, scene)
                                        : rcity_scene_load(context, path, scene);
}

void scene_print_counts(const rcity_scene_info *info)
{
    printf("%" PRId64 " %s, %" PRId64 " walls", info->building_count,
           info->building_count == 1 ? "building" : "buildings", info->wall_count);
}

void scene_print_repairs(const rcity_scene_info *info)
{
    if (session_is_quiet()) {
        return;
    }
    for (int repair = 0; repair < RCITY_REPAIR_COUNT; repair++) {
        if (info->repair_count[repair] > 0) {
            fprintf(stderr, "radiocity: %s: %" PRId64 "\n", rcity_repair_text((rcity_repair)repair),
                    info->repair_count[repair]); /* after the text, which then fits one as well as many */
        }
    }
}
