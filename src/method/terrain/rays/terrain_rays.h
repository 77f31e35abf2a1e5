/* Field strength by rays over the triangles of the elevation grid: each cell is split along its south-west to north-east
   diagonal. A triangle has the loss of the strongest ray that reaches it; receivers take that of their triangle. */
#ifndef RCITY_METHOD_TERRAIN_RAYS_H
#define RCITY_METHOD_TERRAIN_RAYS_H

#include "device/device.h"
#include "radiocity/material.h"
#include "radiocity/radio.h"
#include "scene/place/segment_test.h"
#include "scene/shapes.h"

#define RCITY_TERRAIN_RAYS_DEPTH_MAX   3   /* reflections */
#define RCITY_TERRAIN_RAYS_COARSEN_MAX 64  /* cells of the scene in one of the tracer, to each side */
#define RCITY_TERRAIN_RAYS_COUNT_MAX   4e6 /* azimuths */
#define RCITY_TERRAIN_RAYS_EARTH_MIN   0.1 /* of the effective radius, relative to the true one */
#define RCITY_TERRAIN_RAYS_EARTH_MAX   1e6
#define RCITY_TERRAIN_RAYS_LOSS_MAX_DB 1e4

/* Where the nodes of a coarser grid get their heights. */
typedef enum rcity_terrain_rays_coarsening {
    RCITY_TERRAIN_RAYS_SUBSAMPLE, /* the node of the scene's grid at the same place */
    RCITY_TERRAIN_RAYS_MEAN,      /* mean of the nodes up to half a coarse cell away to each side */
} rcity_terrain_rays_coarsening;

typedef struct rcity_terrain_rays_options {
    double frequency_hz;
    double receiver_height_m; /* above the ground; 0: the triangles themselves, as in the paper */
    double max_range_m;       /* on the map; 0: no limit but that of the loss */
    double max_loss_db; /* EIRP less threshold; 0: no limit. What has more loss has no value, and the range ends where
                                 no effect can reach it. */
    double azimuth_step_rad; /* 0: as wide as no triangle within range is missed */
    int coarsen;             /* cells of the scene in one of the tracer, to each side; 1: the scene's grid */
    rcity_terrain_rays_coarsening coarsening;
    bool two_ray;        /* the direct ray and its reflection off flat ground; else free space */
    bool knife_edge;     /* hidden triangles have the loss over their horizon; else none */
    int reflections;     /* secondary rays, 0 to RCITY_TERRAIN_RAYS_DEPTH_MAX */
    double earth_factor; /* effective radius of the earth over 6371 km, such as 4/3; 0: a flat earth, as in the paper */
    rcity_material ground;
    double
        te_share; /* of the power polarized across the plane of incidence: 1 for horizontal polarization, 0 for vertical */
    bool plain;          /* search as in the paper, on the host: the reference */
    bool without_direct; /* for tests: secondary rays alone */
} rcity_terrain_rays_options;

/* Free space at 1 GHz, no limit, no hidden triangle has a value, medium dry ground, vertical polarization. */
rcity_terrain_rays_options rcity_terrain_rays_options_default(void);

/* A grid on a device, for any number of transmitters. One thread at a time. */
typedef struct rcity_terrain_rays rcity_terrain_rays;

/* `context`, `device` and `shapes` are borrowed until close. @return RCITY_ERR_ARGUMENT for shapes without terrain, a grid
   that is too large, or options out of range; RCITY_ERR_MEMORY. */
rcity_status rcity_terrain_rays_open(rcity_context *context, rcity_device *device, const rcity_shapes *shapes,
                                     const rcity_terrain_rays_options *options, rcity_terrain_rays **rays);
void rcity_terrain_rays_close(rcity_terrain_rays **rays);

/* What a transmitter reaches. Triangle 2 * (row * (column_count - 1) + column) lies below the diagonal of the cell, the next
   one above. */
typedef struct rcity_terrain_rays_field {
    int64_t triangle_count;
    float *loss_db;          /* of the strongest ray; NAN: none */
    uint32_t *seen;          /* a bit for each triangle: a ray comes down on it straight from the transmitter */
    int64_t ray_count;       /* azimuths */
    double azimuth_step_rad; /* between them */
    double range_m;          /* rays end here */
    rcity_terrain_grid grid; /* the tracer's; heights borrowed from the rays */
} rcity_terrain_rays_field;

/* Trace a transmitter at a point of the scene's grid, on or above the ground. On a coarser grid it keeps its height above the
   ground. The same bits for any number of threads. @return RCITY_ERR_ARGUMENT outside the grid or below the ground, and for
   too many azimuths. */
rcity_status rcity_terrain_rays_trace(rcity_terrain_rays *rays, rcity_grid_point3 source,
                                      rcity_terrain_rays_field *field);
void rcity_terrain_rays_field_deinit(rcity_context *context, rcity_terrain_rays_field *field);

/* The triangle at a place of the plan; one on a line belongs to the cell north-east of it, one on a diagonal to the triangle
   below. -1 outside the grid. */
int64_t rcity_terrain_rays_triangle(const rcity_terrain_grid *grid, int32_t x, int32_t y);

/* The loss at a place of the plan: that of its triangle; NAN where that has none, and outside the grid. `is_seen` may be NULL.
   */
float rcity_terrain_rays_loss_db(const rcity_terrain_rays_field *field, int32_t x, int32_t y, bool *is_seen);

/* The same for all cells of a raster, on the context's threads: the loss, NAN where there is none, and 1 where a ray comes down
   straight from the transmitter, else 0. Cells whose `z_m` is NAN are left out with NAN in both; `z_m` and `is_seen` may be
   NULL. */
void rcity_terrain_rays_fill_raster(rcity_context *context, const rcity_shapes *shapes, const rcity_raster *raster,
                                    const rcity_terrain_rays_field *field, const float *z_m, float *loss_db,
                                    float *is_seen);

/* Bytes that tracing needs on the host, and as much again on a device of its own. */
uint64_t rcity_terrain_rays_bytes(const rcity_terrain_grid *terrain, int coarsen);

/* The widest azimuth step with which a ray goes over every triangle that lies within `range_m`, for cells of `cell_m`. */
double rcity_terrain_rays_step_rad(double cell_m, double range_m);

#endif
