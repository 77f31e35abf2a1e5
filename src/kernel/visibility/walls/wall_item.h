/* What the straight line to one pixel of a raster passes through: walls, metres in buildings and in foliage. */
#ifndef RCITY_KERNEL_VISIBILITY_WALLS_WALL_ITEM_H
#define RCITY_KERNEL_VISIBILITY_WALLS_WALL_ITEM_H

#include "kernel/visibility/sight/sight_measure.h"
#include "kernel/visibility/walls/wall_path.h"

#define RCITY_WALL_PATH_DEFERRED (-1) /* a count: the host decides */

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_wall_job {
    rcity_sight_map map, trees;
    rcity_i32 source_x, source_y, source_z;
    rcity_i32 level; /* of pixels without heights of their own */
    rcity_i32 column_count, row_count, row_words;
    rcity_i32 has_heights, has_visible, has_foliage; /* 1 or 0; without it, foliage is not measured */
    /* Words of 64 pixels from one source's visibility bits to the next one's; 0: all sources share them. */
    rcity_i32 visible_stride;
    float unit_m, height_unit_m;
    rcity_i32 padding;
} rcity_wall_job;

/* A source of a launch over several sources. */
typedef struct RCITY_ALIGNED(16) rcity_wall_source {
    rcity_i32 x, y, z;
    rcity_i32 padding;
} rcity_wall_source;

RCITY_KERNEL void rcity_wall_job_choose(rcity_wall_source source, rcity_wall_job *job)
{
    job->source_x = source.x;
    job->source_y = source.y;
    job->source_z = source.z;
}

/* The receivers of a raster. Made where it is used, never a kernel argument. */
typedef struct rcity_wall_plane {
    RCITY_GLOBAL const rcity_u64 *visible; /* one bit per pixel */
    RCITY_GLOBAL const rcity_i32 *places;  /* x of columns, y of rows, heights of pixels if they have their own */
} rcity_wall_plane;

RCITY_KERNEL rcity_sight_segment rcity_wall_item_segment(const rcity_wall_job *job, const rcity_wall_plane *plane,
                                                         rcity_i32 column, rcity_i32 row)
{
    rcity_u32 first = (rcity_u32)(job->column_count + job->row_count);
    rcity_u32 pixel = (rcity_u32)row * (rcity_u32)job->column_count + (rcity_u32)column;
    rcity_sight_segment segment;
    segment.ax = job->source_x;
    segment.ay = job->source_y;
    segment.az = job->source_z;
    segment.bx = plane->places[column];
    segment.by = plane->places[job->column_count + row];
    segment.bz = job->has_heights ? plane->places[first + pixel] : job->level;
    return segment;
}

/* The result for a line from the fractions of its length. */
RCITY_KERNEL rcity_wall_path rcity_wall_path_make(const rcity_wall_job *job, rcity_sight_segment segment,
                                                  rcity_i32 count, float in_buildings, float in_foliage)
{
    float dx = (float)(segment.bx - segment.ax) * job->unit_m;
    float dy = (float)(segment.by - segment.ay) * job->unit_m;
    float dz = (float)(segment.bz - segment.az) * job->height_unit_m;
    float length_m = rcity_sqrt(dx * dx + dy * dy + dz * dz);
    rcity_wall_path path;
    path.count = count;
    path.building_m = in_buildings * length_m;
    path.foliage_m = in_foliage * length_m;
    return path;
}

/* One pixel; all zero for a visible one. */
RCITY_KERNEL rcity_wall_path rcity_wall_item_run(const rcity_sight_view *view, const rcity_sight_view *trees,
                                                 const rcity_wall_job *job, const rcity_wall_plane *plane,
                                                 rcity_i32 column, rcity_i32 row)
{
    rcity_sight_segment segment = rcity_wall_item_segment(job, plane, column, row);
    rcity_u32 word = (rcity_u32)row * (rcity_u32)job->row_words + (rcity_u32)column / 64;
    if (job->has_visible && ((plane->visible[word] >> (column % 64)) & 1) != 0) {
        return rcity_wall_path_make(job, segment, 0, 0.0f, 0.0f);
    }
    rcity_sight_line line = rcity_sight_line_make(segment);
    rcity_sight_sweep sweep;
    rcity_sight_tally tally;
    float in_foliage = 0.0f;
    rcity_sight_tally_begin(&tally);
    int is_done = rcity_sight_tally_buildings(view, &line, &sweep, &tally) &&
                  (!job->has_foliage || rcity_sight_tally_foliage(view, trees, &line, &sweep, &in_foliage));
    return rcity_wall_path_make(job, segment, is_done ? tally.wall_count : RCITY_WALL_PATH_DEFERRED, tally.inside,
                                in_foliage);
}

#endif
