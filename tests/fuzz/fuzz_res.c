/* COST 231 wall lists from anywhere: parsed, cleaned, committed, used. */
#include <stddef.h>
#include <stdint.h>

#include "fuzz_scene.h"
#include "io/res.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int drop = 0; drop < 2; drop++) {
        rcity_context *context = fuzz_context();
        rcity_scene_options options = rcity_scene_options_default();
        options.drop_invalid = drop != 0;
        rcity_scene *scene = NULL;
        rcity_status status = rcity_res_read(context, "fuzz.res", (const char *)data, size, &options, &scene);
        fuzz_end_parse(context, status, &scene, true);
        rcity_context_destroy(&context);
    }
    return 0;
}
