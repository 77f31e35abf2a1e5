/* Two-ray theory over the ground of a scene, for tests of `tiles`. */
#ifndef RCITY_TEST_TWO_RAY_THEORY_H
#define RCITY_TEST_TWO_RAY_THEORY_H

#include "tiles_trial.h"

#include "kernel/wave/two_ray.h"
#include "scene/facets/facet_table.h"

/* Fields of the direct ray and the one off the ground, over those of free space, by theory. */
static inline double two_ray_share(const rcity_facet_table *table, double plan_m, double tx_height_m,
                                   double rx_height_m, bool is_horizontal)
{
    const rcity_facet_material *ground = &table->materials[table->ground_material];
    rcity_two_ray link;
    memset(&link, 0, sizeof link);
    link.plan_m = (float)plan_m;
    link.tx_height_m = (float)tx_height_m;
    link.rx_height_m = (float)rx_height_m;
    link.wavenumber_per_m = (float)(2.0 * PI / table->wavelength_m);
    link.ground.permittivity = rcity_complex_make((float)ground->permittivity_re, (float)ground->permittivity_im);
    link.ground.thickness_m = (float)ground->thickness_m;
    link.ground.is_conductor = ground->is_conductor;
    rcity_face_response field = rcity_two_ray_field(link);
    return sqrt((double)rcity_complex_square(is_horizontal ? field.te : field.tm));
}

#endif
