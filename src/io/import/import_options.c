/* What an import does unless told; the same in every build. */
#include <math.h>
#include <string.h>

#include "radiocity/import.h"

rcity_import_options rcity_import_options_default(void)
{
    rcity_import_options options;
    memset(&options, 0, sizeof options);
    options.scene = rcity_scene_options_default();
    options.floor_height_m = RCITY_FLOOR_HEIGHT_M;
    options.default_height_m = (double)NAN;
    options.terrain_cell_m = (double)NAN;
    options.terrain_margin_m = (double)NAN;
    options.terrain_fill_m = (double)NAN;
    options.vegetation_height_m = (double)NAN;
    return options;
}
