/* Ways around corners into streets: from the source to a corner that it sees, on to what the corner sees and the source does
   not, and so on (Rick and Kuhlen, section 5.3). */
#ifndef RCITY_METHOD_SHADOW_CANYON_H
#define RCITY_METHOD_SHADOW_CANYON_H

#include "kernel/shadow/corner_way.h"
#include "method/shadow/los_raster.h"
#include "method/shadow/shadow_candidate.h"

/* A chain of corners, told by its last one. */
typedef struct rcity_canyon_node {
    int32_t parent; /* the chain without its last corner; -1: the source stands before it */
    int32_t corner; /* index of the point */
    int32_t order;  /* corners so far */
    rcity_grid_point3 at;
    double leg_m;                 /* from the corner before, or the source */
    double dx, dy;                /* direction of that leg in plan, of length 1 */
    rcity_shadow_turns turns;     /* at the corners before this one; the length up to it */
    float azimuth_dx, azimuth_dy; /* direction of departure in plan */
} rcity_canyon_node;

/* A way to a pixel: a chain and its last turn. */
typedef struct rcity_canyon_way {
    int32_t node;
    float angle_rad;  /* of the last turn */
    float log_way;    /* log10 of its L, in metres: shadow_candidate.h */
    float log_length; /* log10 of the whole length in space, in metres */
    float slope;      /* at which it leaves the source: rise over run of the unfolded way */
} rcity_canyon_way;

/* A chain as its last leg needs it. */
static inline rcity_corner_end rcity_canyon_node_end(const rcity_canyon_node *node)
{
    return (rcity_corner_end){(float)node->dx, (float)node->dy, (float)node->leg_m, node->turns.length_m};
}

/* The way of a chain on to a receiver; the rest as of rcity_corner_way_make(). */
static inline rcity_canyon_way rcity_canyon_way_make(int32_t node, rcity_corner_end end, float dx_m, float dy_m,
                                                     float rise_m)
{
    rcity_corner_way way = rcity_corner_way_make(end, dx_m, dy_m, rise_m);
    return (rcity_canyon_way){node, way.angle_rad, way.log_way, way.log_length, way.slope};
}

typedef struct rcity_canyon {
    size_t node_count, node_capacity;
    rcity_canyon_node *nodes;
    size_t way_count, way_capacity;
    rcity_canyon_way *ways; /* pixel by pixel, those of a pixel by their nodes */
    size_t *first;          /* way of each pixel, and one more */
    size_t first_capacity;
    size_t raster_count; /* rasters of sight made for it, the source's included */
} rcity_canyon;

void rcity_canyon_deinit(rcity_context *context, rcity_canyon *canyon);

/* What the trace of every source of a plane needs; one trace at a time. */
typedef struct rcity_canyon_tracer {
    const rcity_los_plane *plane;
    int32_t *wall_before, *wall_after; /* of each corner: the wall that ends there, the one that begins; -1: too low */
    uint8_t *is_open;          /* of each corner: both walls are open to the air there, at the receivers' height */
    int32_t *view_of;          /* of each corner, while a source is traced; -1 else */
    rcity_los_worker *workers; /* one a thread */
    uint64_t *masks;           /* of corners, kept between traces */
    size_t mask_capacity;
} rcity_canyon_tracer;

rcity_status rcity_canyon_tracer_init(rcity_context *context, const rcity_los_plane *plane,
                                      rcity_canyon_tracer *tracer);
void rcity_canyon_tracer_deinit(rcity_context *context, rcity_canyon_tracer *tracer);

/* Heights above ground at which corners count that a source looks over: 2, 4, 8 ... metres, the first above the receivers, so
   that receivers of similar heights share them. A unit or more above the receivers, shadows of falling lines are found
   fast. */
#define RCITY_CANYON_RUNG_MAX (1024 * RCITY_HEIGHT_UNITS_PER_M)
int32_t rcity_canyon_rung(int32_t level);

/* The height of a source at a corner: that of the first source where the roof there is as high: waves go along the street. A
   source that looks over the roof sends its waves down: the corner counts at a rung over its foot. */
int32_t rcity_canyon_height(const rcity_los_plane *plane, rcity_grid_point3 source, rcity_grid_point corner,
                            int32_t roof);

/* Does a source see a corner past which its waves bend: one wall at it faces the source, the other turns away, and the line is
   free? The corner is given with the points before and after it on its outline. Where a neighbour's wall goes on from it
   there is no corner; that is for the caller to know. */
bool rcity_canyon_is_corner(const rcity_sight *sight, rcity_grid_point3 source, rcity_grid_point before,
                            rcity_grid_point at, rcity_grid_point after, int32_t height);

/* Trace a source, to `order` corners. `lit` gets what the source itself sees. Threads share the work; the result does not
   depend on their number. */
rcity_status rcity_canyon_trace(rcity_context *context, rcity_canyon_tracer *tracer, rcity_grid_point3 source,
                                int order, uint64_t *lit, rcity_canyon *canyon);

#endif
