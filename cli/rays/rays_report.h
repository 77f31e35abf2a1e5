/* What `rays` prints: a table for people, JSON for scripts. */
#ifndef CLI_RAYS_REPORT_H
#define CLI_RAYS_REPORT_H

#include "rays_input.h"

void rays_report(const rcity_rays *rays, const rays_input *input);

/* The estimate of a run. */
void rays_report_plan(const rays_input *input, const rcity_estimate *estimate, bool fits_memory);

#endif
