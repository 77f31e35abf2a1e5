#include "munich.h"

rcity_context *test_munich_open(int thread_count, rcity_scene **scene)
{
    const char *path = test_data("munich_cost231/Munich_buildings.res");
    if (path == NULL) {
        skip();
    }
    rcity_context *context = test_context(thread_count);
    rcity_scene_options options = rcity_scene_options_default();
    *scene = NULL;
    assert_ok(context, rcity_res_load(context, path, &options, scene));
    return context;
}
