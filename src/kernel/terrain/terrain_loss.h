/* One receiver of the method over terrain: the profile under its line, and the loss that is asked for. */
#ifndef RCITY_KERNEL_TERRAIN_TERRAIN_LOSS_H
#define RCITY_KERNEL_TERRAIN_TERRAIN_LOSS_H

#include "kernel/terrain/effective_height.h"
#include "kernel/terrain/ground_grid.h"
#include "kernel/terrain/profile_edge.h"

/* Losses. */
#define RCITY_TERRAIN_FREE_SPACE 0
#define RCITY_TERRAIN_TWO_RAY    1
#define RCITY_TERRAIN_KNIFE_EDGE 2
#define RCITY_TERRAIN_DEYGOUT    3
#define RCITY_TERRAIN_HATA       4

/* What blocks the line: numbers of include/radiocity/mechanism.h, which the host gives to the job. */
typedef struct rcity_terrain_mechanisms {
    float direct, roof, hill;
    float padding;
} rcity_terrain_mechanisms;

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_terrain_job {
    rcity_link_frame frame;
    rcity_ground_grid ground, cover;
    rcity_terrain_mechanisms mechanisms;
    rcity_i64 first_item; /* of this launch, among the cells of the raster */
    rcity_i64 slot_count; /* profiles that lie side by side on a device */
    rcity_i32 point_max;  /* of the longest profile */
    rcity_i32 loss;
    rcity_i32 environment; /* Hata's */
    float step_m;
    float wavelength_m;
    float frequency_mhz;
    float curvature_per_m; /* 1 over the radius of the effective earth; 0: flat */
    float padding;         /* the struct has the same size for every compiler */
} rcity_terrain_job;

/* What is known about one receiver; all NaN where there is none. */
typedef struct rcity_terrain_answer {
    float loss_db;
    float diffraction_db; /* of the edges that the loss counts, else of the strongest one */
    float is_visible;     /* 1 where no point of the profile rises above the line, else 0 */
    float mechanism;
} rcity_terrain_answer;

RCITY_KERNEL rcity_terrain_answer rcity_terrain_no_answer(void)
{
    rcity_terrain_answer answer;
    answer.loss_db = RCITY_NAN;
    answer.diffraction_db = RCITY_NAN;
    answer.is_visible = RCITY_NAN;
    answer.mechanism = RCITY_NAN;
    return answer;
}

/* The loss over a profile. */
RCITY_KERNEL rcity_terrain_answer rcity_terrain_answer_profile(const rcity_terrain_job *job, const rcity_link *link,
                                                               const rcity_ground_profile *profile, float tx_z_m)
{
    rcity_profile_place tx;
    rcity_profile_place rx;
    rcity_terrain_answer answer;
    tx.index = 0;
    tx.z_m = tx_z_m;
    rx.index = profile->count - 1;
    rx.z_m = tx_z_m - link->rise_m;
    rcity_profile_edge edge = rcity_profile_edge_find(profile, tx, rx, job->curvature_per_m, job->wavelength_m);
    float free_db = rcity_free_space_loss_db(link->distance_m, job->wavelength_m);
    answer.is_visible = edge.v > 0.0f ? 0.0f : 1.0f;
    answer.mechanism = edge.v > 0.0f ? (rcity_ground_profile_cover_m(profile, edge.index) > 0.0f ? job->mechanisms.roof
                                                                                                 : job->mechanisms.hill)
                                     : job->mechanisms.direct;
    answer.diffraction_db = rcity_knife_edge_loss_db(edge.v);
    answer.loss_db = free_db;
    if (job->loss == RCITY_TERRAIN_KNIFE_EDGE) {
        answer.loss_db = free_db + answer.diffraction_db;
    } else if (job->loss == RCITY_TERRAIN_DEYGOUT) {
        answer.diffraction_db = rcity_deygout_loss_db(profile, tx, rx, edge, job->curvature_per_m, job->wavelength_m);
        answer.loss_db = free_db + answer.diffraction_db;
    } else if (job->loss == RCITY_TERRAIN_TWO_RAY) {
        answer.loss_db = rcity_plane_earth_loss_db(*link, job->wavelength_m);
    } else if (job->loss == RCITY_TERRAIN_HATA) {
        answer.loss_db =
            rcity_hata_over_ground_db(profile, *link, tx_z_m, job->frequency_mhz, job->wavelength_m, job->environment);
    }
    return answer;
}

/* One link. `heights` and `covers` are room for a profile: RCITY_GROUND_PROFILE_MAX points with a stride. */
RCITY_KERNEL rcity_terrain_answer rcity_terrain_answer_link(const rcity_terrain_job *job, rcity_link link,
                                                            RCITY_GLOBAL const float *ground_m,
                                                            RCITY_GLOBAL const float *cover_m,
                                                            RCITY_GLOBAL float *heights, RCITY_GLOBAL float *covers,
                                                            rcity_i64 stride)
{
    rcity_terrain_answer answer;
    if (link.plan_m < RCITY_GROUND_LINE_MIN_M) {
        answer.loss_db =
            rcity_free_space_loss_db(rcity_fmax(link.distance_m, RCITY_LINK_DISTANCE_MIN_M), job->wavelength_m);
        answer.diffraction_db = 0.0f;
        answer.is_visible = 1.0f;
        answer.mechanism = job->mechanisms.direct;
        return answer;
    }
    rcity_ground_profile profile = rcity_ground_profile_fill(&job->ground, ground_m, &job->cover, cover_m, &link,
                                                             job->step_m, stride, heights, covers);
    return rcity_terrain_answer_profile(job, &link, &profile, job->frame.tx_z_m);
}

/* One cell of the raster; z_m is the receiver's height, NaN where there is none. */
RCITY_KERNEL rcity_terrain_answer rcity_terrain_answer_cell(const rcity_terrain_job *job, float z_m, rcity_i64 cell,
                                                            RCITY_GLOBAL const float *ground_m,
                                                            RCITY_GLOBAL const float *cover_m,
                                                            RCITY_GLOBAL float *heights, RCITY_GLOBAL float *covers,
                                                            rcity_i64 stride)
{
    return rcity_isnan(z_m) ? rcity_terrain_no_answer()
                            : rcity_terrain_answer_link(job, rcity_link_to_cell(job->frame, z_m, cell), ground_m,
                                                        cover_m, heights, covers, stride);
}

/* One receiver of a list of points. */
RCITY_KERNEL rcity_terrain_answer rcity_terrain_answer_point(const rcity_terrain_job *job, rcity_link_point rx,
                                                             RCITY_GLOBAL const float *ground_m,
                                                             RCITY_GLOBAL const float *cover_m,
                                                             RCITY_GLOBAL float *heights, RCITY_GLOBAL float *covers,
                                                             rcity_i64 stride)
{
    return rcity_isnan(rx.z_m) ? rcity_terrain_no_answer()
                               : rcity_terrain_answer_link(job, rcity_link_to_point(job->frame, rx), ground_m, cover_m,
                                                           heights, covers, stride);
}

#endif
