/* The default look of a picture; here so that builds without Cairo have it too. */
#include <math.h>

#include "radiocity/io.h"
#include "radiocity/rays.h"

rcity_picture_options rcity_picture_options_default(void)
{
    return (rcity_picture_options){.width_px = 1600, .value_min = (double)NAN, .value_max = (double)NAN};
}

rcity_rays_draw_options rcity_rays_draw_options_default(void)
{
    return (rcity_rays_draw_options){.width_px = 1200, .receiver_index = -1, .floor_db = 40.0};
}
