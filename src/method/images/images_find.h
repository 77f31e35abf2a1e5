/* What the stages of the method pass on, and the search for paths with it. */
#ifndef RCITY_METHOD_IMAGES_FIND_H
#define RCITY_METHOD_IMAGES_FIND_H

#include "method/images/images_kept.h"
#include "method/images/scatter/scatter.h"
#include "method/images/search/path_search.h"
#include "method/method.h"
#include "result/rays_data.h"

#define RCITY_IMAGES_PIECE_CELLS 4096 /* cells of a raster that are done together: their rays are held until then */

/* What depends on the scene only, not on transmitter or frequency. */
typedef struct rcity_images_prepared {
    rcity_sight *sight;
    rcity_facet_table world; /* its materials at no frequency in particular */
    rcity_reach_world reach_world;
    rcity_plan_index prism_index;
    rcity_terrain_tree terrain_tree;
} rcity_images_prepared;

/* What depends on a transmitter's position and frequency: the scene at that frequency, the beams, and the paths to all
   receivers where keeping them pays. */
typedef struct rcity_images_traced {
    const rcity_images_prepared *prepared;
    rcity_facet_table world;       /* borrows from the prepared one */
    rcity_reach_world reach_world; /* the same */
    rcity_search search;
    rcity_images_kept *kept; /* NULL: they are found each time */
} rcity_images_traced;

rcity_status rcity_images_prepare(const rcity_job *job, void **prepared);
void rcity_images_release_prepared(rcity_context *context, void *prepared);
rcity_status rcity_images_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                                const rcity_tx *transmitters, void **traces);
void rcity_images_release_trace(rcity_context *context, void *trace);

/* What a method asks of the search beyond the orders of paths. */
typedef struct rcity_images_asked {
    bool goes_over_roofs;
    rcity_rx_polarization rx_polarization;
    rcity_scatter_options scattering;
} rcity_images_asked;

rcity_images_asked rcity_images_ask(const rcity_job *job);

/* Add the paths to those receivers of `rays` that are RCITY_RECEIVER_NO_PATH so far, in the order of the receivers,
   with the antennas of `tx`. The receivers of the rays are those of the job from `offset` on; for a raster, plane by
   plane. The caller finishes the rays. */
rcity_status rcity_images_find(const rcity_job *job, const rcity_images_asked *asked, const rcity_images_traced *traced,
                               const rcity_tx *tx, int64_t offset, rcity_rays *rays);

/* Find the same paths and keep them without antennas. */
rcity_status rcity_images_find_to_keep(const rcity_job *job, const rcity_images_asked *asked,
                                       const rcity_images_traced *traced, int64_t offset, rcity_rays *rays,
                                       rcity_images_kept *kept);

#endif
