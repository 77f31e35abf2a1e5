/* The sums over all paths to one place. */
#ifndef RCITY_METHOD_BEAMS_FIELD_BEAMS_SUMS_H
#define RCITY_METHOD_BEAMS_FIELD_BEAMS_SUMS_H

#include "method/images/field/path_antenna.h"
#include "method/images/field/path_groups.h"
#include "method/images/images_points.h"
#include "result/spread.h"

/* One path, with antennas. */
typedef struct rcity_beams_item {
    rcity_phasor amplitude, cross_amplitude;
    double power;     /* relative to that into the transmitting antenna */
    double isotropic; /* the same without the gains of both antennas */
    double delay_s;
    int mechanism; /* an rcity_mechanism */
} rcity_beams_item;

/* All paths to a place. Grows as needed, kept between places; zeroed before the first. */
typedef struct rcity_beams_sums {
    rcity_context *context; /* borrowed */
    const rcity_facet_table *world;
    const rcity_path_ends *ends;
    rcity_beams_item *items;
    size_t item_count, item_capacity;
    rcity_group_item *groups;
    size_t group_count, group_capacity;
    double apart, apart_isotropic; /* power of items that are in no group */
    rcity_weighted *weighted;
    size_t weighted_capacity;
} rcity_beams_sums;

/* What arrives at a place; NAN where nothing does. */
typedef struct rcity_beams_level {
    double gain, isotropic_gain; /* of the sum; 0 where nothing arrives */
    double mean_delay_s, delay_spread_s;
    double excess_delay_s; /* of the last path that is not much weaker than the strongest, after the first such path */
    double k_factor_db;    /* the strongest path over all others; NAN with one path */
    int mechanism;         /* of the class with most power; -1 where nothing arrives */
    int64_t path_count;
} rcity_beams_level;

void rcity_beams_sums_deinit(rcity_beams_sums *sums);

/* Add a path's field: an rcity_beams_listener. */
rcity_status rcity_beams_sums_add(void *sums, const rcity_trace_path *path);

/* Add an item whose groups the caller adds, or whose power counts apart from all groups. */
rcity_status rcity_beams_sums_add_item(rcity_beams_sums *sums, const rcity_beams_item *item, bool is_apart);
rcity_status rcity_beams_sums_add_group(rcity_beams_sums *sums, const rcity_group_item *group);

/* The level of the paths added so far, which are then forgotten. Paths weaker than `threshold_db` below the strongest do
   not count for the excess delay. */
rcity_status rcity_beams_sums_close(rcity_beams_sums *sums, rcity_images_sum sum, double threshold_db,
                                    rcity_beams_level *level);

#endif
