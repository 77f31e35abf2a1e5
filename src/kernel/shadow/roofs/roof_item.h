/* The over-roof path of one pixel of a raster. */
#ifndef RCITY_KERNEL_SHADOW_ROOFS_ROOF_ITEM_H
#define RCITY_KERNEL_SHADOW_ROOFS_ROOF_ITEM_H

#include "kernel/shadow/roofs/roof_count.h"
#include "kernel/shadow/roofs/roof_path.h"
#include "kernel/visibility/roofs/roof_bare.h"
#include "kernel/visibility/roofs/roof_end.h"
#include "kernel/visibility/roofs/roof_ground.h"
#include "kernel/visibility/roofs/roof_walk.h"

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_roof_job {
    rcity_sight_map map;
    rcity_i32 source_x, source_y, source_z;
    rcity_i32 level; /* of pixels without heights of their own */
    rcity_i32 column_count, row_words;
    rcity_i32 has_heights, has_visible, counts; /* 1 or 0 */
    rcity_i32 is_on_wall;                       /* of the source */
    rcity_i32 row_count;
    rcity_i32 level_shift, patch_first; /* as in rcity_roof_view */
    float unit_m, height_unit_m;
    rcity_i32 source_first; /* of a launch over several sources */
} rcity_roof_job;

/* A source of a launch over several sources. */
typedef struct RCITY_ALIGNED(16) rcity_roof_source {
    rcity_i32 x, y, z;
    rcity_i32 kind;
} rcity_roof_source;

#define RCITY_ROOF_SOURCE_FREE     0
#define RCITY_ROOF_SOURCE_ON_WALL  1
#define RCITY_ROOF_SOURCE_ENCLOSED 2 /* inside a building: there is no path over roofs */

RCITY_KERNEL void rcity_roof_job_choose(rcity_roof_source source, rcity_roof_job *job)
{
    job->source_x = source.x;
    job->source_y = source.y;
    job->source_z = source.z;
    job->is_on_wall = source.kind == RCITY_ROOF_SOURCE_ON_WALL;
}

/* The receivers of a raster. Made where it is used, never a kernel argument. */
typedef struct rcity_roof_plane {
    RCITY_GLOBAL const rcity_u64 *visible;
    RCITY_GLOBAL const rcity_u64 *masks; /* one bit per pixel: inside a building; then as many: on a wall */
    RCITY_GLOBAL const rcity_i32 *xy;    /* of columns, then of rows */
    RCITY_GLOBAL const rcity_i32 *z;     /* of pixels */
} rcity_roof_plane;

RCITY_KERNEL int rcity_roof_is_set(RCITY_GLOBAL const rcity_u64 *mask, const rcity_roof_job *job, rcity_i32 column,
                                   rcity_i32 row)
{
    return (int)(mask[(rcity_u32)row * (rcity_u32)job->row_words + (rcity_u32)column / 64] >> (column % 64)) & 1;
}

RCITY_KERNEL rcity_roof_line rcity_roof_item_line(const rcity_roof_job *job, const rcity_roof_plane *plane,
                                                  rcity_i32 column, rcity_i32 row)
{
    rcity_sight_segment segment;
    segment.ax = job->source_x;
    segment.ay = job->source_y;
    segment.az = job->source_z;
    segment.bx = plane->xy[column];
    segment.by = plane->xy[job->column_count + row];
    segment.bz =
        job->has_heights ? plane->z[(rcity_u32)row * (rcity_u32)job->column_count + (rcity_u32)column] : job->level;
    return rcity_roof_line_make(segment);
}

/* The straight path to a visible receiver, with its nearest edge. */
RCITY_KERNEL rcity_roof_path rcity_roof_path_clear(const rcity_roof_view *view, const rcity_roof_line *line,
                                                   rcity_roof_scale scale, float unit_m, float height_unit_m)
{
    rcity_roof_path path = rcity_roof_path_straight(line, scale);
    if (line->length == 0 || !((float)line->end * scale.place_m > 0.0f)) {
        return path;
    }
    rcity_roof_clearance clearance =
        rcity_roof_clearance_find(view, line, scale, unit_m, height_unit_m, RCITY_SHADOW_NEAR_ROOT_M);
    float street_root_m =
        view->map.cells.column_count > 0
            ? rcity_roof_clearance_street(view, line, unit_m, clearance.length_m, RCITY_SHADOW_NEAR_ROOT_M)
            : RCITY_SHADOW_NEAR_ROOT_M;
    path.grazing_root_m = clearance.root_m;
    path.ground_root_m =
        clearance.ground_root_m > -RCITY_SHADOW_NEAR_ROOT_M ? clearance.ground_root_m : RCITY_SHADOW_CLEAR_ROOT_M;
    path.pair_m = rcity_shadow_nearest_pack(clearance.is_corner, street_root_m);
    return path;
}

/* A pixel in progress. */
typedef struct rcity_roof_item {
    rcity_roof_line line;
    rcity_roof_scale scale;
    int is_on_wall;
    rcity_roof_path path; /* what is known of it so far */
} rcity_roof_item;

/* What is known of a receiver outside of buildings before any walk for a path over roofs; returns 1 when the path is
   complete. */
RCITY_KERNEL int rcity_roof_item_start(const rcity_roof_view *view, const rcity_roof_job *job, rcity_roof_line line,
                                       int is_visible, int is_on_wall, rcity_roof_item *item)
{
    item->line = line;
    item->scale = rcity_roof_scale_make(&item->line, job->unit_m, job->height_unit_m);
    item->is_on_wall = is_on_wall;
    if (is_visible || item->line.length == 0) {
        item->path = is_visible && !job->counts
                         ? rcity_roof_path_clear(view, &item->line, item->scale, job->unit_m, job->height_unit_m)
                         : rcity_roof_path_straight(&item->line, item->scale);
        return 1;
    }
    item->path = rcity_roof_path_none();
    return 0;
}

/* The same for a pixel. */
RCITY_KERNEL int rcity_roof_item_begin(const rcity_roof_view *view, const rcity_roof_job *job,
                                       const rcity_roof_plane *plane, rcity_i32 column, rcity_i32 row,
                                       rcity_roof_item *item)
{
    if (rcity_roof_is_set(plane->masks, job, column, row)) {
        item->path = rcity_roof_path_none();
        return 1;
    }
    return rcity_roof_item_start(view, job, rcity_roof_item_line(job, plane, column, row),
                                 job->has_visible && rcity_roof_is_set(plane->visible, job, column, row),
                                 rcity_roof_is_set(plane->masks, job, column, row + job->row_count), item);
}

/* Counts the roofs only. */
RCITY_KERNEL rcity_roof_path rcity_roof_item_count(const rcity_roof_view *view, const rcity_roof_job *job,
                                                   const rcity_roof_item *item)
{
    rcity_roof_path path = rcity_roof_path_straight(&item->line, item->scale);
    int is_rising = item->line.bz >= item->line.az; /* the source is the lower end */
    path.count = rcity_roof_count(view, item->line);
    if (is_rising ? job->is_on_wall : item->is_on_wall) {
        rcity_roof_hull unused;
        rcity_roof_hull_begin(&item->line, &unused);
        path.count += rcity_roof_rise(view, &item->line, is_rising, &unused);
    }
    return path;
}

/* Adds the ground to a path that has nothing yet; returns what is kept of it, as in rcity_shadow_roof. */
RCITY_KERNEL float rcity_roof_item_ground(const rcity_roof_view *view, const rcity_roof_job *job,
                                          const rcity_roof_item *item, rcity_roof_hull *hull)
{
    return rcity_roof_bare_ground(view, item->line, item->scale, job->height_unit_m, RCITY_SHADOW_NEAR_ROOT_M, hull);
}

/* Adds all roofs to the path; `ahead` as in rcity_roof_walk_roofs(). */
RCITY_KERNEL void rcity_roof_item_walk(const rcity_roof_view *view, const rcity_roof_job *job,
                                       const rcity_roof_item *item, int ahead, rcity_roof_hull *hull)
{
    if (job->is_on_wall) {
        rcity_roof_rise(view, &item->line, 1, hull);
    }
    if (item->is_on_wall) {
        rcity_roof_rise(view, &item->line, 0, hull);
    }
    rcity_roof_walk_roofs(view, item->line, ahead, hull);
}

RCITY_KERNEL rcity_roof_path rcity_roof_item_run(const rcity_roof_view *view, const rcity_roof_job *job,
                                                 const rcity_roof_plane *plane, rcity_i32 column, rcity_i32 row,
                                                 rcity_roof_hull *hull)
{
    rcity_roof_item item;
    if (rcity_roof_item_begin(view, job, plane, column, row, &item)) {
        return item.path;
    }
    if (job->counts) {
        return rcity_roof_item_count(view, job, &item);
    }
    rcity_roof_hull_begin(&item.line, hull);
    float ground_root_m = rcity_roof_item_ground(view, job, &item, hull);
    rcity_roof_item_walk(view, job, &item, RCITY_ROOF_AHEAD, hull);
    rcity_roof_path path = rcity_roof_path_sum(hull, item.scale);
    path.ground_root_m = ground_root_m;
    return path;
}

/* Are there only over-roof paths to find, without ground and without counting? */
RCITY_KERNEL int rcity_roof_job_is_flat(const rcity_roof_job *job)
{
    return !job->counts && job->map.ground_cells.column_count == 0;
}

#endif
