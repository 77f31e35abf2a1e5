/* Chains of corners while a source is traced: the views of corners, and the paths on to the next. The caller decides
   who computes the views, host or device, and where the results are stored. */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_CHAINS_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_CHAINS_H

#include "kernel/shadow/corners/corner_path.h"
#include "kernel/shadow/shadow_take.h"
#include "method/shadow/corners/corner_table.h"
#include "method/shadow/shadow_candidate.h"

/* A chain of corners, given by its last one. */
typedef struct rcity_corner_node {
    int32_t parent; /* the chain without its last corner; -1: the source comes before it */
    int32_t corner; /* index of the point */
    int32_t order;  /* corners so far */
    rcity_grid_point3 at;
    rcity_corner_place outline;   /* the corner and its neighbours */
    double leg_m;                 /* from the corner before, or the source */
    double dx, dy;                /* direction of that leg in plan, of length 1 */
    rcity_shadow_turns turns;     /* at the corners before this one; the length up to it */
    float azimuth_dx, azimuth_dy; /* direction of departure in plan */
    double log_grazing_sum;       /* of log10 of rcity_corner_grazing() at the corners before */
    float grazing_root_m;         /* their geometric mean; 0 if there are none */
} rcity_corner_node;

/* A path to a pixel: a chain and its last turn. */
typedef struct rcity_chain_path {
    int32_t node;
    float angle_rad;      /* of the last turn */
    float log_distance;   /* log10 of its L, in metres: shadow_candidate.h */
    float log_length;     /* log10 of the whole length in space, in metres */
    float slope;          /* at which it leaves the source: rise over run of the unfolded path */
    float grazing_root_m; /* as in rcity_corner_path */
    float pair_m, street;
} rcity_chain_path;

typedef struct rcity_corner_paths {
    size_t node_count, node_capacity;
    rcity_corner_node *nodes;
    size_t path_count, path_capacity;
    rcity_chain_path *paths; /* pixel by pixel, those of a pixel in the order of their nodes */
    size_t *first;           /* index of each pixel's first path, and one more */
    size_t first_capacity;
    size_t raster_count; /* line-of-sight rasters made for it, the source's included */
} rcity_corner_paths;

/* The leg to a chain's last corner. */
static inline rcity_corner_leg rcity_corner_node_leg(const rcity_corner_node *node)
{
    bool is_second = node->order == 2;
    return (rcity_corner_leg){(float)node->dx,
                              (float)node->dy,
                              (float)node->leg_m,
                              node->turns.length_m,
                              is_second ? node->azimuth_dx : 0.0f,
                              is_second ? node->azimuth_dy : 0.0f};
}

/* The path of a chain to a receiver; the rest as in rcity_corner_path_make(). */
static inline rcity_chain_path rcity_chain_path_make(int32_t node, const rcity_corner_leg *leg, float dx_m, float dy_m,
                                                     float rise_m)
{
    rcity_corner_path path = rcity_corner_path_make(leg, dx_m, dy_m, rise_m);
    return (rcity_chain_path){node,       path.angle_rad,      path.log_distance, path.log_length,
                              path.slope, path.grazing_root_m, path.pair_m,       path.street};
}

/* The last turn of a path, and the chain before it, as they are weighed. */
static inline rcity_corner_path rcity_chain_path_last(const rcity_chain_path *path)
{
    return (rcity_corner_path){path->angle_rad,      path->log_distance, path->log_length, path->slope,
                               path->grazing_root_m, path->pair_m,       path->street};
}

static inline rcity_shadow_chain rcity_corner_node_chain(const rcity_corner_node *node)
{
    return (rcity_shadow_chain){node->turns, node->grazing_root_m, node->azimuth_dx, node->azimuth_dy};
}

/* The view of a point: the source, or a corner. What a corner sees does not depend on how it was reached. */
typedef struct rcity_chain_view {
    int32_t corner; /* -1: the source */
    rcity_grid_point3 at;
    rcity_corner_place outline;           /* of a corner */
    int32_t *corners;                     /* the corners that it sees, in the order of walls; found by the caller */
    size_t corner_count, corner_capacity; /* capacity 0: they are borrowed until rcity_corner_chains_end() */
    int32_t place, look;                  /* for the caller: where its results are stored */
} rcity_chain_view;

/* A trace in progress. */
typedef struct rcity_corner_chains {
    rcity_context *context;
    const rcity_corner_table *corners; /* Borrowed, as the next. */
    int32_t *view_of;                  /* of each corner; -1: none */
    rcity_grid_point3 source;
    int32_t step; /* the height above ground at which corners count for it */
    size_t view_count, view_capacity;
    rcity_chain_view *views; /* the source's own is the first */
    size_t first_node;       /* of the last round */
} rcity_corner_chains;

/* Begins with the source's view alone. `view_of` has one element per point, all -1; it serves one trace at a time. */
rcity_status rcity_corner_chains_begin(rcity_context *context, const rcity_corner_table *corners, int32_t *view_of,
                                       rcity_grid_point3 source, rcity_corner_chains *chains);

/* Adds a corner that a view sees. */
rcity_status rcity_corner_chains_see(rcity_corner_chains *chains, size_t view, int32_t corner);

/* Adds the chains with one more corner, and the views of new corners; what the views of the last round see must be
   known. */
rcity_status rcity_corner_chains_extend(rcity_corner_chains *chains, rcity_corner_paths *corner_paths);

/* Ends a trace; all of `view_of` is -1 again. */
void rcity_corner_chains_end(rcity_corner_chains *chains);

#endif
