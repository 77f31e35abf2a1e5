/* Diffuse scattering off a tile, after the effective-roughness model (kernel/wave/roughness.h): what arrives at a tile
   is collected by direction, and sent on to every place that the tile sees. Power only. */
#ifndef RCITY_KERNEL_TILES_TILE_SCATTER_H
#define RCITY_KERNEL_TILES_TILE_SCATTER_H

#include "kernel/tiles/tile_sums.h"
#include "kernel/wave/roughness.h"

/* The directions of a directive lobe: cells of the plane of the tile's two sides, on which the direction of arrival is
   projected. Lambertian scattering, which forgets the direction, has one cell. */
#define RCITY_TILE_LIT_SIDE  4
#define RCITY_TILE_LIT_CELLS (RCITY_TILE_LIT_SIDE * RCITY_TILE_LIT_SIDE)

/* Depths at which a ray may be scattered: the number of events before. */
#define RCITY_TILE_LIT_DEPTHS 6

/* Power that passes through a tile, of one cell and depth, in the units of tile_sums.h over its area. */
typedef struct rcity_tile_lit {
    rcity_i64 theta, phi; /* the powers that will be scattered */
    rcity_i64 isotropic;  /* of both, without the transmitter's gain */
    rcity_i64 detour;     /* powers times the detour */
    rcity_i64 arrival[3]; /* powers times the direction of travel */
} rcity_tile_lit;

#define RCITY_TILE_LIT_WORDS 7

/* How tiles scatter. */
typedef struct rcity_tile_rough {
    float share;            /* S^2 */
    rcity_i32 lobe;         /* exponent of the directive lobe; 0: Lambertian */
    rcity_i32 of_reflected; /* the share is of reflected power; else of incident power */
    rcity_i32 cell_count, depth_count;
} rcity_tile_rough;

/* The share of one wave's power that the tile scatters. */
RCITY_KERNEL float rcity_tile_rough_share(rcity_tile_rough rough, rcity_face face, rcity_real wavenumber_per_m,
                                          rcity_real cos_in)
{
    if (!rough.of_reflected) {
        return rough.share;
    }
    face.rough_loss = RCITY_REAL(0.0);
    rcity_face_response response = rcity_face_reflect(face, wavenumber_per_m, cos_in);
    return rough.share *
           (float)(RCITY_REAL(0.5) * (rcity_complex_square(response.te) + rcity_complex_square(response.tm)));
}

/* The cell of a direction of travel. */
RCITY_KERNEL rcity_i32 rcity_tile_lit_cell(rcity_tile_rough rough, rcity_tile tile, rcity_real3 travel)
{
    if (rough.cell_count == 1) {
        return 0;
    }
    rcity_real3 along_u = rcity_real3_make((rcity_real)tile.ux, (rcity_real)tile.uy, (rcity_real)tile.uz);
    rcity_real3 along_v = rcity_real3_cross(rcity_tile_normal(tile), along_u);
    float u = (float)rcity_real3_dot(travel, along_u);
    float v = (float)rcity_real3_dot(travel, along_v);
    float cells = 0.5f * (float)RCITY_TILE_LIT_SIDE; /* per unit */
    rcity_i32 column = (rcity_i32)rcity_fmin(rcity_fmax((u + 1.0f) * cells, 0.0f), 2.0f * cells - 0.5f);
    rcity_i32 row = (rcity_i32)rcity_fmin(rcity_fmax((v + 1.0f) * cells, 0.0f), 2.0f * cells - 0.5f);
    return row * RCITY_TILE_LIT_SIDE + column;
}

/* Collect what a ray brings to a tile; `lit` is the tile's cell. `share` from rcity_tile_rough_share(). */
RCITY_KERNEL void rcity_tile_lit_add(RCITY_GLOBAL rcity_tile_lit *lit, rcity_tile_place_scale scale, float share,
                                     float cos_in, float theta_power, float phi_power, float gain, float length_m,
                                     rcity_real3 travel)
{
    float theta = theta_power * share * cos_in * scale.power;
    float phi = phi_power * share * cos_in * scale.power;
    float both = theta + phi;
    float detour = rcity_fmax(length_m - scale.distance_m, 0.0f) / RCITY_TILE_DETOUR_M;
    rcity_global_add64(&lit->theta, rcity_tile_units(theta));
    rcity_global_add64(&lit->phi, rcity_tile_units(phi));
    rcity_global_add64(&lit->isotropic, rcity_tile_units(gain > 0.0f ? both / gain : 0.0f));
    rcity_global_add64(&lit->detour, rcity_tile_units(both * detour));
    rcity_global_add64(&lit->arrival[0], rcity_tile_units(both * (float)travel.x));
    rcity_global_add64(&lit->arrival[1], rcity_tile_units(both * (float)travel.y));
    rcity_global_add64(&lit->arrival[2], rcity_tile_units(both * (float)travel.z));
}

/* A tile as a source of scattered power. Powers per area of the tile, relative to an isotropic source of 4 pi. */
typedef struct rcity_tile_glow {
    float theta, phi;   /* power that leaves, each polarization */
    float isotropic;    /* of both, over theta + phi: without the transmitter's gain */
    float length_m;     /* travelled before */
    rcity_real3 travel; /* direction of arrival, of length 1 */
    float per_lobe;     /* 1 / integral of the lobe; Lambertian: 1 / pi */
} rcity_tile_glow;

/* The source that a cell is; of `count` depths after `lit`, the cells of a tile following each other by depth.
   @return 0 where nothing arrived. */
RCITY_KERNEL int rcity_tile_glow_make(RCITY_GLOBAL const rcity_tile_lit *lit, rcity_i32 depth_count,
                                      rcity_i32 cell_stride, rcity_tile_place_scale scale, rcity_tile_rough rough,
                                      rcity_tile tile, rcity_tile_glow *glow)
{
    float sum[RCITY_TILE_LIT_WORDS] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (rcity_i32 i = 0; i < depth_count; i++) {
        RCITY_GLOBAL const rcity_tile_lit *at = lit + i * cell_stride;
        sum[0] += (float)at->theta;
        sum[1] += (float)at->phi;
        sum[2] += (float)at->isotropic;
        sum[3] += (float)at->detour;
        for (int k = 0; k < 3; k++) {
            sum[4 + k] += (float)at->arrival[k];
        }
    }
    float both = sum[0] + sum[1];
    if (!(both > 0.0f)) {
        return 0;
    }
    glow->theta = sum[0] / scale.power;
    glow->phi = sum[1] / scale.power;
    glow->isotropic = sum[2] / both;
    glow->length_m = scale.distance_m + sum[3] / both * RCITY_TILE_DETOUR_M;
    rcity_real3 travel = rcity_real3_make((rcity_real)sum[4], (rcity_real)sum[5], (rcity_real)sum[6]);
    rcity_real3 inward = rcity_real3_scale(rcity_tile_normal(tile), RCITY_REAL(-1.0));
    rcity_real size = rcity_real3_length(travel);
    glow->travel = size > RCITY_REAL(0.0) ? rcity_real3_scale(travel, RCITY_REAL(1.0) / size) : inward;
    rcity_real cos_in = rcity_real3_dot(glow->travel, inward);
    glow->per_lobe = rough.lobe == 0 ? 1.0f / RCITY_PI : 1.0f / (float)rcity_roughness_lobe_sr(rough.lobe, cos_in);
    return 1;
}

/* How the power that leaves spreads over directions, per steradian. `out` has length 1. */
RCITY_KERNEL float rcity_tile_glow_pattern(const rcity_tile_glow *glow, rcity_tile_rough rough, rcity_tile tile,
                                           rcity_real3 out)
{
    rcity_real3 normal = rcity_tile_normal(tile);
    rcity_real cos_out = rcity_real3_dot(normal, out);
    if (!(cos_out > RCITY_REAL(0.0))) {
        return 0.0f;
    }
    if (rough.lobe == 0) {
        return (float)cos_out * glow->per_lobe;
    }
    rcity_real cos_in = -rcity_real3_dot(normal, glow->travel);
    rcity_real cos_specular = rcity_real3_dot(glow->travel, out) + RCITY_REAL(2.0) * cos_in * cos_out;
    return (float)rcity_roughness_lobe(rough.lobe, cos_specular) * glow->per_lobe;
}

/* What a tile brings to a place, over the power density that leaves it. */
typedef struct rcity_tile_reach {
    float power;      /* density: the integral of pattern / r^2 over the tile */
    rcity_real3 flux; /* the same, each part times its direction of travel: what passes through a surface is this times
                         its normal */
} rcity_tile_reach;

/* A source larger than a fifth of the distance is divided, each side into at most so many parts; a target larger than a
   third of it too. */
#define RCITY_TILE_PARTS_MAX   8
#define RCITY_TILE_PARTS_PER   5.0f
#define RCITY_TARGET_PARTS_MAX 5
#define RCITY_TARGET_PARTS_PER 3.0f

/* Into how many parts a side is divided: `per` for each distance that fits into it. */
RCITY_KERNEL rcity_i32 rcity_tile_parts(float half_m, float distance_m, float per, rcity_i32 most)
{
    float parts = per * 2.0f * half_m / (distance_m > 1e-3f ? distance_m : 1e-3f) + 0.999f;
    return !(parts < (float)most) ? most : parts > 1.0f ? (rcity_i32)parts : 1;
}

/* The parts of a tile: the middle of the first one, and the steps to the next along both sides. */
typedef struct rcity_tile_parts_of {
    rcity_i32 count_u, count_v;
    rcity_real3 first, step_u, step_v;
} rcity_tile_parts_of;

RCITY_KERNEL rcity_tile_parts_of rcity_tile_divide(rcity_tile tile, float distance_m, float per, rcity_i32 most)
{
    rcity_tile_parts_of parts;
    parts.count_u = rcity_tile_parts(tile.half_u, distance_m, per, most);
    parts.count_v = rcity_tile_parts(tile.half_v, distance_m, per, most);
    rcity_real3 along_u = rcity_real3_make((rcity_real)tile.ux, (rcity_real)tile.uy, (rcity_real)tile.uz);
    rcity_real3 along_v = rcity_real3_cross(rcity_tile_normal(tile), along_u);
    float u = tile.half_u / (float)parts.count_u; /* half of a part */
    float v = tile.half_v / (float)parts.count_v;
    parts.step_u = rcity_real3_scale(along_u, (rcity_real)(2.0f * u));
    parts.step_v = rcity_real3_scale(along_v, (rcity_real)(2.0f * v));
    parts.first = rcity_real3_add(rcity_tile_centre(tile),
                                  rcity_real3_add(rcity_real3_scale(along_u, (rcity_real)(u - tile.half_u)),
                                                  rcity_real3_scale(along_v, (rcity_real)(v - tile.half_v))));
    return parts;
}

/* The middle of part i along the first side, k along the second. */
RCITY_KERNEL rcity_real3 rcity_tile_part(const rcity_tile_parts_of *parts, rcity_i32 i, rcity_i32 k)
{
    return rcity_real3_add(parts->first, rcity_real3_add(rcity_real3_scale(parts->step_u, (rcity_real)i),
                                                         rcity_real3_scale(parts->step_v, (rcity_real)k)));
}

/* At a point. */
RCITY_KERNEL rcity_tile_reach rcity_tile_glow_reach(const rcity_tile_glow *glow, rcity_tile_rough rough,
                                                    rcity_tile tile, rcity_real3 to)
{
    float distance_m = (float)rcity_real3_length(rcity_real3_subtract(to, rcity_tile_centre(tile)));
    rcity_tile_parts_of parts = rcity_tile_divide(tile, distance_m, RCITY_TILE_PARTS_PER, RCITY_TILE_PARTS_MAX);
    float part_m2 = 4.0f * tile.half_u * tile.half_v / (float)(parts.count_u * parts.count_v);
    rcity_tile_reach reach;
    reach.power = 0.0f;
    reach.flux = rcity_real3_make(RCITY_REAL(0.0), RCITY_REAL(0.0), RCITY_REAL(0.0));
    for (rcity_i32 k = 0; k < parts.count_v; k++) {
        for (rcity_i32 i = 0; i < parts.count_u; i++) {
            rcity_real3 leg = rcity_real3_subtract(to, rcity_tile_part(&parts, i, k));
            float square_m2 = (float)rcity_real3_dot(leg, leg);
            square_m2 = square_m2 > 1e-6f ? square_m2 : 1e-6f;
            rcity_real3 out = rcity_real3_scale(leg, (rcity_real)(1.0f / rcity_sqrt(square_m2)));
            float power = rcity_tile_glow_pattern(glow, rough, tile, out) * part_m2 / square_m2;
            reach.power += power;
            reach.flux = rcity_real3_add(reach.flux, rcity_real3_scale(out, (rcity_real)power));
        }
    }
    return reach;
}

/* The mean over another tile; those of its parts that lie behind the source have nothing. */
RCITY_KERNEL rcity_tile_reach rcity_tile_glow_reach_tile(const rcity_tile_glow *glow, rcity_tile_rough rough,
                                                         rcity_tile tile, rcity_tile target)
{
    rcity_real3 between = rcity_real3_subtract(rcity_tile_centre(target), rcity_tile_centre(tile));
    float distance_m = (float)rcity_real3_length(between);
    rcity_tile_parts_of parts = rcity_tile_divide(target, distance_m, RCITY_TARGET_PARTS_PER, RCITY_TARGET_PARTS_MAX);
    float share = 1.0f / (float)(parts.count_u * parts.count_v);
    rcity_tile_reach mean;
    mean.power = 0.0f;
    mean.flux = rcity_real3_make(RCITY_REAL(0.0), RCITY_REAL(0.0), RCITY_REAL(0.0));
    for (rcity_i32 k = 0; k < parts.count_v; k++) {
        for (rcity_i32 i = 0; i < parts.count_u; i++) {
            rcity_tile_reach reach = rcity_tile_glow_reach(glow, rough, tile, rcity_tile_part(&parts, i, k));
            mean.power += reach.power * share;
            mean.flux = rcity_real3_add(mean.flux, rcity_real3_scale(reach.flux, (rcity_real)share));
        }
    }
    return mean;
}

#endif
