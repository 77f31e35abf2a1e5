/* One receiver of the method over terrain: the profile under its line, and the loss that is asked for. */
#ifndef RCITY_KERNEL_TERRAIN_TERRAIN_LOSS_H
#define RCITY_KERNEL_TERRAIN_TERRAIN_LOSS_H

#include "kernel/terrain/effective_height.h"
#include "kernel/terrain/ground_grid.h"
#include "kernel/terrain/p1812/p1812_loss.h"
#include "kernel/terrain/profile_edge.h"

/* Losses. */
#define RCITY_TERRAIN_FREE_SPACE       0
#define RCITY_TERRAIN_TWO_RAY          1
#define RCITY_TERRAIN_KNIFE_EDGE       2
#define RCITY_TERRAIN_BULLINGTON       3
#define RCITY_TERRAIN_DEYGOUT          4
#define RCITY_TERRAIN_DELTA_BULLINGTON 5
#define RCITY_TERRAIN_HATA             6
#define RCITY_TERRAIN_P1812            7

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
    float curvature_per_m;  /* 1 over the radius of the effective earth; 0: flat */
    float padding;          /* the struct has the same size for every compiler */
    rcity_p1812_link p1812; /* all but the heights of the ends */
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

/* A profile with the ends of a link over it. */
typedef struct rcity_terrain_line {
    rcity_ground_profile profile;
    rcity_profile_place tx, rx;
    float tx_height_m, rx_height_m; /* above the ground at its ends */
} rcity_terrain_line;

RCITY_KERNEL rcity_terrain_line rcity_terrain_line_make(rcity_ground_profile profile, float tx_z_m, float rx_z_m)
{
    rcity_terrain_line line;
    line.profile = profile;
    line.tx.index = 0;
    line.tx.z_m = tx_z_m;
    line.rx.index = profile.count - 1;
    line.rx.z_m = rx_z_m;
    line.tx_height_m = rcity_terrain_max(tx_z_m - rcity_ground_profile_height_m(&profile, 0), RCITY_LINK_HEIGHT_MIN_M);
    line.rx_height_m =
        rcity_terrain_max(rx_z_m - rcity_ground_profile_height_m(&profile, profile.count - 1), RCITY_LINK_HEIGHT_MIN_M);
    return line;
}

/* The strongest edge of all. */
RCITY_KERNEL rcity_profile_edge rcity_terrain_edge(const rcity_terrain_job *job, const rcity_terrain_line *line)
{
    return rcity_profile_edge_find(&line->profile, line->tx, line->rx, job->curvature_per_m, job->wavelength_m);
}

/* Say what blocks the line: roofs where the ground alone would leave it free. */
RCITY_KERNEL void rcity_terrain_say_obstacle(const rcity_terrain_job *job, int is_hidden, int is_hidden_by_ground,
                                             rcity_terrain_answer *answer)
{
    answer->is_visible = is_hidden ? 0.0f : 1.0f;
    answer->mechanism = is_hidden_by_ground ? job->mechanisms.hill
                        : is_hidden         ? job->mechanisms.roof
                                            : job->mechanisms.direct;
}

/* ITU-R P.1812: its one pass over the profile finds the obstacles too. */
RCITY_KERNEL rcity_terrain_answer rcity_terrain_answer_p1812(const rcity_terrain_job *job,
                                                             const rcity_terrain_line *line)
{
    rcity_terrain_answer answer;
    rcity_p1812_link link = job->p1812;
    link.tx_height_m = line->tx_height_m;
    link.rx_height_m = line->rx_height_m;
    rcity_p1812_result result = rcity_p1812_loss(link, line->profile);
    answer.loss_db = result.loss_db;
    answer.diffraction_db = result.diffraction_db;
    rcity_terrain_say_obstacle(job, result.shape.over[0].worst > 0.0f, result.shape.bare.worst > 0.0f, &answer);
    return answer;
}

/* What Bullington's edge, or three edges, add to free space. */
RCITY_KERNEL float rcity_terrain_diffraction_db(const rcity_terrain_job *job, const rcity_terrain_line *line,
                                                rcity_profile_edge edge)
{
    if (job->loss == RCITY_TERRAIN_DEYGOUT) {
        return rcity_deygout_loss_db(&line->profile, line->tx, line->rx, edge, job->curvature_per_m, job->wavelength_m);
    }
    if (job->loss != RCITY_TERRAIN_BULLINGTON && job->loss != RCITY_TERRAIN_DELTA_BULLINGTON) {
        return rcity_knife_edge_loss_db(edge.v);
    }
    rcity_diffraction_link link;
    link.tx_height_m = line->tx_height_m;
    link.rx_height_m = line->rx_height_m;
    link.frequency_ghz = job->p1812.frequency_ghz;
    link.radius_km = 0.001f / job->curvature_per_m;
    link.sea_share = job->p1812.sea_share;
    link.clear_m = job->p1812.clear_m;
    link.is_vertical = job->p1812.is_vertical;
    return job->loss == RCITY_TERRAIN_BULLINGTON ? rcity_bullington_loss_db(link, line->profile)
                                                 : rcity_delta_bullington_loss_db(link, line->profile);
}

/* The other losses over a profile. */
RCITY_KERNEL rcity_terrain_answer rcity_terrain_answer_line(const rcity_terrain_job *job, const rcity_link *link,
                                                            const rcity_terrain_line *line)
{
    rcity_terrain_answer answer;
    rcity_profile_edge edge = rcity_terrain_edge(job, line);
    int is_hidden = edge.v > 0.0f;
    int is_hidden_by_ground = is_hidden;
    if (is_hidden && line->profile.cover_m) {
        rcity_terrain_line bare = *line;
        bare.profile.cover_m = 0;
        is_hidden_by_ground = rcity_terrain_edge(job, &bare).v > 0.0f;
    }
    rcity_terrain_say_obstacle(job, is_hidden, is_hidden_by_ground, &answer);
    answer.diffraction_db = rcity_terrain_diffraction_db(job, line, edge);
    answer.loss_db = rcity_free_space_loss_db(link->distance_m, job->wavelength_m);
    if (job->loss == RCITY_TERRAIN_TWO_RAY) {
        answer.loss_db = rcity_plane_earth_loss_db(*link, job->wavelength_m);
    } else if (job->loss == RCITY_TERRAIN_HATA) {
        answer.loss_db = rcity_hata_over_ground_db(&line->profile, *link, line->tx.z_m, job->frequency_mhz,
                                                   job->wavelength_m, job->environment);
    } else if (job->loss != RCITY_TERRAIN_FREE_SPACE) {
        answer.loss_db += answer.diffraction_db;
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
    rcity_terrain_line line =
        rcity_terrain_line_make(rcity_ground_profile_fill(&job->ground, ground_m, &job->cover, cover_m, &link,
                                                          job->step_m, stride, heights, covers),
                                job->frame.tx_z_m, job->frame.tx_z_m - link.rise_m);
    return job->loss == RCITY_TERRAIN_P1812 ? rcity_terrain_answer_p1812(job, &line)
                                            : rcity_terrain_answer_line(job, &link, &line);
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
