/* The formulas over terrain in double precision. */
#define RCITY_REAL_IS_DOUBLE

#include "terrain_double.h"
#include "terrain.cl"

void terrain_double(int64_t profile_count, const double *in, const float *height_m, const float *cover_m,
                    const float *distance_m, int64_t item, double *out)
{
    rcity_terrain_job job = {.profile_count = profile_count};
    rcity_terrain_item(rcity_terrain_link(in), rcity_terrain_profile(job, in, height_m, cover_m, distance_m, item),
                       out);
}
