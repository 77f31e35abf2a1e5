/* One step of the bounce loop for one ray: what reaches a tile, an edge or a receiver, and whether it goes on. Steps c,
   d and f of J. S. Lu et al. 2019, section III.E. */
#ifndef RCITY_KERNEL_TILES_TILE_BOUNCE_H
#define RCITY_KERNEL_TILES_TILE_BOUNCE_H

#include "kernel/tiles/tile_scatter.h"

typedef struct rcity_tile_limits {
    rcity_i32 max_bounces, max_reflections, max_diffractions;
    float power_min; /* of a ray that is bounced on, as tile_arrival.h counts it */
    float far_m;     /* where the antenna's far field begins */
} rcity_tile_limits;

/* What all rays of a transmitter have in common. */
typedef struct rcity_tile_bounce {
    rcity_tile_link link;
    rcity_tile_limits limits;
    rcity_tile_rough rough;
    float gain;                     /* the antenna's largest, not in dB */
    rcity_i32 rough_material_count; /* faces up to here are rough; 0: nothing is collected for scattering */
    rcity_i32 keeps_tiles;          /* sums of tiles are asked for */
} rcity_tile_bounce;

RCITY_KERNEL rcity_tile_place_scale rcity_tile_scale_of(rcity_tile_link link, float gain, rcity_real3 place)
{
    float distance_m = (float)rcity_real3_length(rcity_real3_subtract(place, rcity_tile_link_place(link)));
    return rcity_tile_place_scale_make(rcity_fmax(distance_m, 1e-3f), gain);
}

RCITY_KERNEL rcity_i32 rcity_tube_class(const rcity_tube *tube)
{
    return tube->edge_count > 0    ? RCITY_TILE_DIFFRACTED
           : tube->event_count > 0 ? RCITY_TILE_REFLECTED
                                   : RCITY_TILE_DIRECT;
}

RCITY_KERNEL int rcity_tube_may_reflect(rcity_tile_limits limits, const rcity_tube *tube)
{
    return tube->event_count < limits.max_bounces && tube->event_count - tube->edge_count < limits.max_reflections;
}

RCITY_KERNEL int rcity_tube_may_diffract(rcity_tile_limits limits, const rcity_tube *tube)
{
    return tube->event_count < limits.max_bounces && tube->edge_count < limits.max_diffractions;
}

/* Does a tube that reaches a tile come along its surface, from an edge of it? Such a ray is not reflected there. */
RCITY_KERNEL int rcity_tube_comes_along(rcity_tile_world world, const rcity_tube *tube, rcity_tile tile)
{
    rcity_i32 last = tube->event_count > 0 ? tube->event[tube->event_count - 1] : 0;
    if (tube->event_count == 0 || !rcity_event_is_edge(last) || tile.surface == RCITY_TILE_TERRAIN) {
        return 0;
    }
    rcity_tile_edge edge = world.edges[~last];
    return (edge.tile_o >= 0 && world.tiles[edge.tile_o].surface == tile.surface) ||
           (edge.tile_n >= 0 && world.tiles[edge.tile_n].surface == tile.surface);
}

/* Are tiles to be looked for: where they reflect on, where they will scatter, or where their own sums are asked for? */
RCITY_KERNEL int rcity_tube_needs_tiles(rcity_tile_bounce bounce, const rcity_tube *tube)
{
    return rcity_tube_may_reflect(bounce.limits, tube) || bounce.keeps_tiles ||
           (bounce.rough_material_count > 0 && tube->event_count < bounce.limits.max_bounces);
}

/* Is a ray worth bouncing on? */
RCITY_KERNEL int rcity_tile_ray_goes_on(rcity_tile_limits limits, const rcity_tile_arrival *ray)
{
    return (float)(ray->theta_power + ray->phi_power) >= limits.power_min;
}

/* Collect what a tile will scatter of a ray; `lit` are the cells of the tile at the depth of the tube. */
RCITY_KERNEL void rcity_tile_light(rcity_tile_bounce bounce, rcity_face face, rcity_tile tile,
                                   rcity_tile_place_scale scale, const rcity_tile_arrival *ray,
                                   RCITY_GLOBAL rcity_tile_lit *lit)
{
    float cos_in = -(float)rcity_real3_dot(ray->travel, rcity_tile_normal(tile));
    if (cos_in > 0.0f) {
        float share = rcity_tile_rough_share(bounce.rough, face, bounce.link.wavenumber_per_m, cos_in);
        rcity_tile_lit_add(lit + rcity_tile_lit_cell(bounce.rough, tile, ray->travel), scale, share, cos_in,
                           (float)ray->theta_power, (float)ray->phi_power, (float)ray->antenna_gain,
                           (float)ray->length_m, ray->travel);
    }
}

#endif
