/* Which part of rasters becomes terrain, and at which nodes. */
#include "io/raster/terrain_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/import/import_crs.h"
#include "io/raster/terrain_unit.h"
#include "scene/frame.h"

#define MARGIN_MAX_M 2e6  /* wider than any scene */
#define BYTES_A_NODE 8.25 /* peak while heights are sampled, filled or committed */
#define SQUARE       1e-9 /* largest relative difference of the sides of a square pixel */

static rcity_status check_options(rcity_context *context, const rcity_import_options *options)
{
    double cell_m = options->terrain_cell_m;
    double margin_m = options->terrain_margin_m;
    RCITY_CHECK(context, isnan(cell_m) || (cell_m >= 1.0 / 128.0 && cell_m <= RCITY_TERRAIN_CELL_MAX_M),
                RCITY_ERR_ARGUMENT, "the terrain's cell is to be %g m, must be 1/128 to %g m", cell_m,
                RCITY_TERRAIN_CELL_MAX_M);
    RCITY_CHECK(context, isnan(margin_m) || (margin_m >= 0.0 && margin_m <= MARGIN_MAX_M), RCITY_ERR_ARGUMENT,
                "the terrain is to reach %g m beyond the buildings, must be 0 to %g m", margin_m, MARGIN_MAX_M);
    RCITY_CHECK(context,
                options->terrain_fill != RCITY_FILL_VALUE || (options->terrain_fill_m >= RCITY_ELEVATION_MIN_M &&
                                                              options->terrain_fill_m <= RCITY_ELEVATION_MAX_M),
                RCITY_ERR_ARGUMENT, "voids are to be filled with %g m, must be %g to %g m", options->terrain_fill_m,
                RCITY_ELEVATION_MIN_M, RCITY_ELEVATION_MAX_M);
    return RCITY_OK;
}

static bool do_boxes_meet(const double a[4], const double b[4])
{
    return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

/* A possible reason why two inputs do not overlap; "" if none is found. */
static const char *guess_mistake(const rcity_import *import, const rcity_terrain_plan *plan)
{
    const double *b = plan->buildings_m;
    const double turned[4] = {b[1], b[0], b[3], b[2]};
    if (plan->has_cover && do_boxes_meet(turned, plan->cover_m)) {
        return "; with x and y swapped they would: the axes of one of them are the wrong way round";
    }
    const rcity_raster_layer *layer = &plan->set.layers[0];
    if (import->crs == NULL || layer->crs == NULL) {
        return "";
    }
    double here[2] = {0.0, 0.0};
    double there[2] = {0.0, 0.0};
    OGRCoordinateTransformationH to_lonlat[2] = {NULL, NULL};
    bool is_known = rcity_crs_open_lonlat(import->call, import->crs, &to_lonlat[0]) == RCITY_OK &&
                    rcity_crs_open_lonlat(import->call, layer->crs, &to_lonlat[1]) == RCITY_OK;
    double x =
        layer->to_place[0] + 0.5 * (layer->to_place[1] * layer->column_count + layer->to_place[2] * layer->row_count);
    double y =
        layer->to_place[3] + 0.5 * (layer->to_place[4] * layer->column_count + layer->to_place[5] * layer->row_count);
    is_known = is_known && rcity_crs_place(to_lonlat[0], 0.5 * (b[0] + b[2]), 0.5 * (b[1] + b[3]), here) &&
               rcity_crs_place(to_lonlat[1], x, y, there);
    for (int i = 0; i < 2; i++) {
        if (to_lonlat[i] != NULL) {
            OCTDestroyCoordinateTransformation(to_lonlat[i]);
        }
    }
    if (!is_known) {
        return "";
    }
    if (fabs(here[0] - there[1]) < 1.0 && fabs(here[1] - there[0]) < 1.0) {
        return "; longitude and latitude of one of them are swapped";
    }
    if (here[1] * there[1] < 0.0) {
        return "; one lies north and one south of the equator: check their CRS and the order of the axes";
    }
    if (here[0] * there[0] < 0.0) {
        return "; one lies east and one west of Greenwich: check their CRS and the order of the axes";
    }
    return "; check their CRS";
}

static rcity_status fail_apart(const rcity_import *import, const rcity_terrain_plan *plan)
{
    const double *b = plan->buildings_m;
    const double *c = plan->cover_m;
    char cover[160] = "nothing of the scene's part of the world";
    if (plan->has_cover) {
        snprintf(cover, sizeof cover, "x %.0f to %.0f, y %.0f to %.0f", c[0], c[2], c[1], c[3]);
    }
    return rcity_fail(import->context, RCITY_ERR_ARGUMENT,
                      "the terrain and the buildings do not overlap: '%s' covers %s, the buildings x %.0f to %.0f, y "
                      "%.0f to %.0f%s",
                      plan->set.tiles[0].path, cover, b[0], b[2], b[1], b[3], guess_mistake(import, plan));
}

/* The bounds of all rasters in the scene's CRS, if they have any. */
static void bound_rasters(rcity_terrain_plan *plan)
{
    const double nothing[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    memcpy(plan->cover_m, nothing, sizeof nothing);
    plan->has_cover = true;
    for (int i = 0; i < plan->set.layer_count && plan->has_cover; i++) {
        double box[4];
        plan->has_cover = rcity_raster_bound(&plan->set.layers[i], box) && box[0] > -RCITY_COORDINATE_MAX_M &&
                          box[1] > -RCITY_COORDINATE_MAX_M && box[2] < RCITY_COORDINATE_MAX_M &&
                          box[3] < RCITY_COORDINATE_MAX_M;
        for (int k = 0; k < 2; k++) {
            plan->cover_m[k] = fmin(plan->cover_m[k], box[k]);
            plan->cover_m[k + 2] = fmax(plan->cover_m[k + 2], box[k + 2]);
        }
    }
}

/* The area of the terrain: the buildings with the margin, limited to the rasters. */
static rcity_status choose_frame(const rcity_import *import, rcity_terrain_plan *plan, double frame_m[4])
{
    double margin_m = import->options->terrain_margin_m;
    bool has_margin = !isnan(margin_m) && import->x_min_m <= import->x_max_m;
    bound_rasters(plan);
    if (import->has_area) { /* also where rasters are missing: that is an error, and not less terrain */
        memcpy(frame_m, import->area_m, sizeof import->area_m);
        return RCITY_OK;
    }
    RCITY_CHECK(import->context, has_margin || plan->has_cover, RCITY_ERR_ARGUMENT,
                "'%s' reaches beyond what the scene's CRS can hold; keep a part of it around the buildings, with "
                "`terrain-margin-m`",
                plan->set.tiles[0].path);
    memcpy(frame_m, plan->cover_m, sizeof plan->cover_m);
    if (has_margin) {
        const double wanted[4] = {import->x_min_m - margin_m, import->y_min_m - margin_m, import->x_max_m + margin_m,
                                  import->y_max_m + margin_m};
        for (int k = 0; k < 2; k++) {
            frame_m[k] = plan->has_cover ? fmax(wanted[k], frame_m[k]) : wanted[k];
            frame_m[k + 2] = plan->has_cover ? fmin(wanted[k + 2], frame_m[k + 2]) : wanted[k + 2];
        }
    }
    bool is_apart = plan->has_buildings && plan->has_cover && !do_boxes_meet(plan->buildings_m, plan->cover_m);
    return is_apart ? fail_apart(import, plan) : RCITY_OK;
}

/* Can the pixel centres of the only layer be nodes? Then its heights are used unchanged. */
static bool try_exact(const rcity_import *import, int32_t units_per_m, rcity_terrain_plan *plan)
{
    const rcity_raster_layer *layer = &plan->set.layers[0];
    const double *to_place = layer->to_place;
    double side_m = fabs(to_place[1]);
    double cell_m = round(side_m * units_per_m) / units_per_m;
    double most = fmax(layer->column_count, layer->row_count);
    double wanted_m = import->options->terrain_cell_m;
    if (plan->set.layer_count != 1 || layer->from_scene != NULL || to_place[2] != 0.0 || to_place[4] != 0.0 ||
        fabs(fabs(to_place[5]) - side_m) > SQUARE * side_m || fabs(cell_m - side_m) * most * units_per_m > 0.01 ||
        cell_m <= 0.0 || (!isnan(wanted_m) && fabs(wanted_m - side_m) > SQUARE * side_m)) {
        return false;
    }
    double east_m = to_place[0] + (layer->column_count - 0.5) * to_place[1];
    double south_m = to_place[3] + (layer->row_count - 0.5) * to_place[5];
    plan->lattice.x_m = fmin(to_place[0] + 0.5 * to_place[1], east_m);
    plan->lattice.y_m = fmin(to_place[3] + 0.5 * to_place[5], south_m);
    plan->lattice.cell_m = cell_m;
    return true;
}

/* Otherwise new nodes: about a pixel apart, on multiples of whole metres, or of plan units for finer pixels. */
static rcity_status choose_lattice(const rcity_import *import, const double frame_m[4], int32_t units_per_m,
                                   rcity_terrain_plan *plan)
{
    double wanted_m = import->options->terrain_cell_m;
    double x_m = 0.5 * (frame_m[0] + frame_m[2]);
    double y_m = 0.5 * (frame_m[1] + frame_m[3]);
    plan->lattice.x_m = plan->lattice.y_m = 0.0;
    if (!isnan(wanted_m)) {
        double units = wanted_m * units_per_m;
        RCITY_CHECK(import->context, fabs(units - round(units)) < 1e-6 && units > 0.5, RCITY_ERR_ARGUMENT,
                    "the terrain's cell is to be %.9g m, must be a multiple of 1/%d m in this scene", wanted_m,
                    units_per_m);
        plan->lattice.cell_m = round(units) / units_per_m;
        return RCITY_OK;
    }
    double side_m = HUGE_VAL;
    for (int i = 0; i < plan->set.layer_count; i++) {
        double layer_side_m;
        if (rcity_raster_measure_pixel(&plan->set.layers[i], x_m, y_m, &layer_side_m)) {
            side_m = fmin(side_m, layer_side_m);
        }
    }
    if (side_m == HUGE_VAL) {
        return fail_apart(import, plan);
    }
    RCITY_CHECK(import->context, side_m <= RCITY_TERRAIN_CELL_MAX_M, RCITY_ERR_ARGUMENT,
                "'%s' has pixels of %.0f m, must be at most %g m", plan->set.tiles[0].path, side_m,
                RCITY_TERRAIN_CELL_MAX_M);
    plan->lattice.cell_m = side_m >= 1.0 ? round(side_m) : fmax(round(side_m * units_per_m), 1.0) / units_per_m;
    return RCITY_OK;
}

/* The coarsest possible grid of the committed scene: frame and buildings, and a cell around them. */
static rcity_status find_units(const rcity_import *import, const rcity_terrain_plan *plan, const double frame_m[4],
                               int32_t *units_per_m)
{
    double extent_m = 0.0;
    for (int k = 0; k < 2; k++) {
        double low_m = plan->has_buildings ? fmin(frame_m[k], plan->buildings_m[k]) : frame_m[k];
        double high_m = plan->has_buildings ? fmax(frame_m[k + 2], plan->buildings_m[k + 2]) : frame_m[k + 2];
        extent_m = fmax(extent_m, high_m - low_m);
    }
    double wanted_m = import->options->terrain_cell_m;
    double cell_m = plan->set.layers[0].from_scene == NULL ? fabs(plan->set.layers[0].to_place[1]) : 0.0;
    cell_m = isnan(wanted_m) ? cell_m : fmax(cell_m, wanted_m);
    *units_per_m = rcity_plan_units_per_m(extent_m + 2.0 * cell_m + 2.0); /* the origin lies on whole metres */
    RCITY_CHECK(import->context, *units_per_m > 0, RCITY_ERR_ARGUMENT,
                "the terrain is %.0f km wide, more than a scene can be; keep a part of it around the buildings, with "
                "`terrain-margin-m`",
                extent_m / 1000.0);
    return RCITY_OK;
}

static rcity_status check_size(const rcity_import *import, const rcity_lattice *lattice)
{
    rcity_context *context = import->context;
    double node_count = (double)lattice->column_count * (double)lattice->row_count;
    double need_bytes = BYTES_A_NODE * node_count;
    double limit_bytes = (double)rcity_context_memory_limit(context);
    char need_text[32], limit_text[32];
    RCITY_CHECK(context, node_count <= INT32_MAX, RCITY_ERR_ARGUMENT,
                "the terrain has %lld x %lld nodes, must be at most %d in all; keep less of it (`terrain-margin-m`, "
                "`terrain-area-lonlat`) or "
                "take a larger cell (`terrain-cell-m`)",
                (long long)lattice->column_count, (long long)lattice->row_count, INT32_MAX);
    RCITY_CHECK(context, (double)rcity_context_memory_used(context) + need_bytes <= limit_bytes, RCITY_ERR_MEMORY,
                "the terrain of %lld x %lld nodes needs %s, the limit is %s; keep less of it (`terrain-margin-m`, "
                "`terrain-area-lonlat`), take "
                "a larger cell (`terrain-cell-m`) or raise `memory`",
                (long long)lattice->column_count, (long long)lattice->row_count,
                rcity_format_bytes(need_bytes, need_text), rcity_format_bytes(limit_bytes, limit_text));
    return RCITY_OK;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Warn if the rasters do not cover the margin: lines that leave the terrain early count as free. */
static void warn_short(const rcity_import *import, const rcity_terrain_plan *plan, const double kept_m[4])
{
    double margin_m = import->options->terrain_margin_m;
    if (isnan(margin_m) || import->x_min_m > import->x_max_m) {
        return;
    }
    const double reach_m[4] = {import->x_min_m - kept_m[0], import->y_min_m - kept_m[1], kept_m[2] - import->x_max_m,
                               kept_m[3] - import->y_max_m};
    double least_m = fmin(fmin(reach_m[0], reach_m[1]), fmin(reach_m[2], reach_m[3]));
    if (least_m < margin_m - plan->lattice.cell_m * (1.0 + 1e-6)) { /* the last node may lie a cell inside */
        rcity_log(import->context, RCITY_LOG_WARNING,
                  "the terrain is to reach %g m beyond the data, its rasters let it reach %.0f m west, %.0f m south, "
                  "%.0f m east and %.0f m north; give more tiles",
                  margin_m, reach_m[0], reach_m[1], reach_m[2], reach_m[3]);
    }
}

static void widen_box(rcity_lattice_box *box, const rcity_lattice_box *other)
{
    box->column_begin = least(box->column_begin, other->column_begin);
    box->row_begin = least(box->row_begin, other->row_begin);
    box->column_end = most(box->column_end, other->column_end);
    box->row_end = most(box->row_end, other->row_end);
}

/* The rectangle of nodes. If buildings may be dropped, only the covered part is kept; else everything under them. */
static rcity_status choose_nodes(rcity_import *import, const double frame_m[4], rcity_terrain_plan *plan)
{
    rcity_lattice *lattice = &plan->lattice;
    rcity_lattice_box frame = rcity_lattice_inside(lattice, frame_m);
    rcity_lattice_box needed = frame; /* an area is needed as it is; buildings outside are refused at commit */
    bool has_buildings = plan->has_buildings && !rcity_scene_drops_invalid(import->scene) && !import->has_area;
    bool has_needed = import->has_area || has_buildings;
    if (has_buildings) {
        needed = rcity_lattice_around(lattice, plan->buildings_m);
        needed.column_end += needed.column_end == needed.column_begin ? 1 : 0; /* at least one cell */
        needed.row_end += needed.row_end == needed.row_begin ? 1 : 0;
        widen_box(&frame, &needed);
    }
    rcity_lattice_box kept = frame;
    bool is_empty;
    RCITY_TRY(rcity_region_choose(import, &plan->set, lattice, frame, has_needed ? &needed : NULL, &kept, &is_empty));
    if (is_empty && plan->has_buildings) {
        return fail_apart(import, plan);
    }
    lattice->column = kept.column_begin;
    lattice->row = kept.row_begin;
    lattice->column_count = is_empty ? 0 : kept.column_end - kept.column_begin + 1;
    lattice->row_count = is_empty ? 0 : kept.row_end - kept.row_begin + 1;
    RCITY_CHECK(import->context, lattice->column_count >= 2 && lattice->row_count >= 2, RCITY_ERR_ARGUMENT,
                "'%s' covers less than a cell of %g m in the scene", plan->set.tiles[0].path, lattice->cell_m);
    const double kept_m[4] = {lattice->x_m + (double)kept.column_begin * lattice->cell_m,
                              lattice->y_m + (double)kept.row_begin * lattice->cell_m,
                              lattice->x_m + (double)kept.column_end * lattice->cell_m,
                              lattice->y_m + (double)kept.row_end * lattice->cell_m};
    if (plan->has_buildings && !do_boxes_meet(kept_m, plan->buildings_m)) {
        return fail_apart(import, plan);
    }
    warn_short(import, plan, kept_m);
    return check_size(import, lattice);
}

rcity_status rcity_terrain_plan_make(rcity_import *import, rcity_terrain_plan *plan)
{
    const rcity_import_options *options = import->options;
    double frame_m[4];
    int32_t units_per_m = 0;
    RCITY_TRY(check_options(import->context, options));
    RCITY_TRY(rcity_raster_set_open(import, RCITY_RASTER_TERRAIN, options->terrain_paths, options->terrain_path_count,
                                    &plan->set));
    RCITY_TRY(rcity_terrain_settle_units(import, &plan->set));
    plan->has_buildings = rcity_scene_bound_buildings(import->scene, plan->buildings_m);
    RCITY_TRY(choose_frame(import, plan, frame_m));
    RCITY_TRY(find_units(import, plan, frame_m, &units_per_m));
    plan->is_exact = try_exact(import, units_per_m, plan);
    if (!plan->is_exact) {
        RCITY_TRY(choose_lattice(import, frame_m, units_per_m, plan));
    }
    return choose_nodes(import, frame_m, plan);
}
