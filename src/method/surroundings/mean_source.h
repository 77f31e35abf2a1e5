/* A transmitter in its surroundings: its links to places, for levels drawn toward the mean. */
#ifndef RCITY_METHOD_SURROUNDINGS_MEAN_SOURCE_H
#define RCITY_METHOD_SURROUNDINGS_MEAN_SOURCE_H

#include "kernel/antenna.h"
#include "method/method.h"
#include "method/surroundings/built_up.h"
#include "method/surroundings/mean_level.h"
#include "scene/place/segment_test.h"

/* Read-only once made; for any number of threads. */
typedef struct rcity_mean_source {
    const rcity_built_up *built_up; /* Borrowed. */
    rcity_surroundings_law law;
    rcity_surroundings_end end;
    rcity_point position;
    rcity_antenna_job antenna;
    const float *pattern;
    double spread_db; /* loss over the first metre */
    float wavelength_m;
    rcity_surroundings_line *node_lines; /* to the lattice */
} rcity_mean_source;

/* `from` is where the transmitter stands on the scene's grid, `spread_db` the loss over the first metre at its
   wavelength. Zeroed before; rcity_mean_source_deinit() in any case. */
rcity_status rcity_mean_source_init(rcity_context *context, const rcity_built_up *built_up,
                                    const rcity_surroundings_law *law, const rcity_tx *tx, rcity_grid_point3 from,
                                    double spread_db, double wavelength_m, rcity_mean_source *source);
void rcity_mean_source_deinit(rcity_context *context, rcity_mean_source *source);

/* The link to a place: on the grid, and in the scene's CRS. */
rcity_mean_link rcity_mean_source_link(const rcity_mean_source *source, rcity_grid_point3 at, const rcity_point *to);

/* The part of the power of a ray that the ground law leaves. */
double rcity_mean_source_ground(const rcity_mean_source *source, const rcity_mean_link *link);

/* What is left of the power of a free line to a place, to be multiplied by what the ground law leaves: where hills come
   near, the ground takes otherwise than from a line over flat ground. `left` is what the nearest edge leaves, `bare_db`
   what the bare ground takes as an edge. */
float rcity_mean_source_left(const rcity_mean_source *source, rcity_grid_point3 at, const rcity_point *to, float left,
                             float bare_db);

#endif
