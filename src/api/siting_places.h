/* Where stations of a search may stand in a scene: places of a lattice, on roofs or in streets, or candidates from a list
   or along walls. */
#ifndef RCITY_API_SITING_PLACES_H
#define RCITY_API_SITING_PLACES_H

#include "plan/siting/siting_task.h"

typedef struct rcity_siting_places {
    rcity_context *context; /* a child: what it says of a place that is not allowed is no failure */
    const rcity_scene *scene;
    const rcity_siting_options *options;
    double bounds[4]; /* x and y at least, x and y at most */
    int64_t base[2];  /* of the lattice: setting 0 is this multiple of the step */
    int height_count, azimuth_count, tilt_count;
    const double *height_m;
    const double *tilt_deg;
    int64_t candidate_count; /* with places from a list */
    double *candidate_xyh_m; /* owned */
} rcity_siting_places;

/* @return RCITY_ERR_ARGUMENT for an area that misses the scene, candidates of which too few are allowed. */
rcity_status rcity_siting_places_init(rcity_context *context, const rcity_scene *scene,
                                      const rcity_siting_options *options, rcity_siting_places *places);
void rcity_siting_places_deinit(rcity_siting_places *places);

/* The functions of an rcity_siting_world; `user` is the places. */
bool rcity_siting_places_snap(void *user, double x_m, double y_m, rcity_siting_setting *setting);
bool rcity_siting_places_allow(void *user, const rcity_siting_setting *setting);
void rcity_siting_places_locate(void *user, const rcity_siting_setting *setting, double xy_m[2]);

/* The transmitter of a setting, at the station's own power. @return false where there is no place for it. */
bool rcity_siting_places_fill(const rcity_siting_places *places, const rcity_siting_setting *setting,
                              rcity_transmitter *transmitter);

/* The places of a grid of candidates, or one candidate of the list for each of its cells; those that are allowed. Release
   with rcity_release(). */
rcity_status rcity_siting_places_list(rcity_siting_places *places, rcity_context *context, double grid_m,
                                      int64_t *count, rcity_siting_setting **settings);

#endif
