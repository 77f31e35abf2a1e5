/* From options to the law. */
#include "method/surroundings/mean_options.h"

#include "base/angle.h"

rcity_surroundings_law rcity_mean_law_read(const rcity_job *job, rcity_mean_options options)
{
    rcity_surroundings_law law;
    law.least_db = (float)job->number[options.diffuse];
    law.roof_m = (float)job->number[options.diffuse_roof];
    law.per_elevation = (float)(1.0 / rcity_angle_rad(job->number[options.diffuse_elevation]));
    law.doubt = (float)job->number[options.doubt];
    law.doubt_m = (float)job->number[options.doubt_distance];
    return law;
}
