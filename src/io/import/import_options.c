/* The default options of an import; the same in every build. */
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "radiocity/import.h"

void rcity_import_options_init(rcity_import_options *options, size_t struct_bytes)
{
    rcity_import_options made;
    memset(&made, 0, sizeof made);
    made.scene = rcity_scene_options_default();
    made.floor_height_m = RCITY_FLOOR_HEIGHT_M;
    made.default_height_m = (double)NAN;
    made.terrain_cell_m = (double)NAN;
    made.terrain_margin_m = (double)NAN;
    made.terrain_fill_m = (double)NAN;
    made.vegetation_height_m = (double)NAN;
    for (int i = 0; i < 4; i++) {
        made.terrain_area_lonlat[i] = (double)NAN;
    }
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}
