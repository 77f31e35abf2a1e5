/* The default options of a picture; in their own file so that builds without Cairo have them too. */
#include <math.h>

#include "base/abi.h"
#include "radiocity/io.h"
#include "radiocity/rays.h"
#include "radiocity/surfaces.h"

void rcity_picture_options_init(rcity_picture_options *options, size_t struct_bytes)
{
    rcity_picture_options made = {.width_px = 1600, .value_min = (double)NAN, .value_max = (double)NAN};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

void rcity_rays_draw_options_init(rcity_rays_draw_options *options, size_t struct_bytes)
{
    rcity_rays_draw_options made = {.width_px = 1200, .receiver_index = -1, .floor_db = 40.0};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

void rcity_surfaces_draw_options_init(rcity_surfaces_draw_options *options, size_t struct_bytes)
{
    rcity_surfaces_draw_options made = {.width_px = 1600,
                                        .value_min = (double)NAN,
                                        .value_max = (double)NAN,
                                        .azimuth_deg = 225.0,
                                        .elevation_deg = 40.0};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}
