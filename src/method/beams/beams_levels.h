/* What the levels of one transmitter need beside its beams: paths over roofs, and the mean of the surroundings. */
#ifndef RCITY_METHOD_BEAMS_LEVELS_H
#define RCITY_METHOD_BEAMS_LEVELS_H

#include "method/beams/beams_trace.h"
#include "method/beams/field/beams_sums.h"
#include "method/surroundings/mean_source.h"

/* Read-only once made; for any number of threads. */
typedef struct rcity_beams_levels {
    const rcity_job *job;
    const rcity_beams_traced *traced;
    rcity_point position; /* of the transmitter */
    rcity_path_ends ends;
    rcity_beams_rules rules;
    const rcity_beams_around *around; /* of the scene as it was prepared, or the next */
    rcity_beams_around own_around;    /* where that has no roofs, and now they are wanted: options have changed */
    rcity_mean_source source;         /* where the rules have the law */
} rcity_beams_levels;

/* Does a job have the paper's law? */
bool rcity_beams_levels_are_paper(const rcity_job *job);

/* The paper's law with a transmitter: words resolved. */
rcity_beams_paper rcity_beams_levels_paper(const rcity_job *job, const rcity_tx *tx);

/* Does a job want levels drawn toward the mean? Fields that are added with their phases have none. */
bool rcity_beams_levels_have_law(const rcity_job *job);

/* Does a job want paths over roofs, or the mean? Then it needs the roofs between. */
bool rcity_beams_levels_need_roofs(const rcity_job *job);

/* Zeroed on failure; rcity_beams_levels_deinit() in any case. */
rcity_status rcity_beams_levels_init(const rcity_job *job, const rcity_beams_traced *traced, const rcity_tx *tx,
                                     rcity_beams_levels *levels);
void rcity_beams_levels_deinit(rcity_beams_levels *levels);

/* What edges leave of straight rays, and paths over roofs, to the job's receivers from number `first` on, in one launch;
   `over` has room for `count`. A loss of NAN: neither. */
rcity_status rcity_beams_levels_go_over(const rcity_beams_levels *levels, int64_t first, int64_t count,
                                        rcity_tile_roof_path *over);

/* A receiver in its surroundings. */
typedef struct rcity_beams_link {
    rcity_beams_beside beside;
    rcity_mean_link mean; /* where there is the law; a weight of 0 without it */
} rcity_beams_link;

rcity_beams_link rcity_beams_levels_link(const rcity_beams_levels *levels, const rcity_point *position,
                                         const rcity_tile_roof_path *over);

/* Draw the level of an open receiver, so far that of its paths, toward the mean, where there is the law. */
void rcity_beams_levels_draw(const rcity_beams_levels *levels, const rcity_beams_link *link, rcity_beams_level *level);

/* Close the sums of an open receiver: the paths, the diffuse path, drawn toward the mean. */
rcity_status rcity_beams_levels_close(const rcity_beams_levels *levels, const rcity_beams_link *link,
                                      rcity_beams_sums *sums, rcity_beams_level *level, rcity_beams_form *form);

/* Levels at the job's points. */
rcity_status rcity_beams_points_run(const rcity_job *job, const rcity_beams_traced *traced, const rcity_tx *tx,
                                    const rcity_point_levels *levels);

/* Add what comes over roofs to the rays of the job's points: power without a phase, beside their paths. */
rcity_status rcity_beams_points_add_over(const rcity_job *job, const rcity_beams_traced *traced, const rcity_tx *tx,
                                         rcity_rays *rays);

/* What is known of a point. */
typedef struct rcity_beams_point {
    int64_t number; /* of the job's points */
    rcity_beams_link link;
    rcity_beams_level level;
    rcity_beams_form form;
    size_t path_count; /* the powers of these are weighed for delays */
    const rcity_beams_item *paths;
} rcity_beams_point;

/* Hears each open point outside the near field; in several threads. */
typedef rcity_status (*rcity_beams_point_listener)(void *user, const rcity_beams_point *point);

rcity_status rcity_beams_points_list(const rcity_beams_levels *levels, rcity_beams_point_listener listener, void *user);

#endif
