/* Warps by nearest neighbour. A loop of our own over GDAL's transformers: a mean of dB is no level, cells without a
   value keep none, and the memory is counted. */
#include "io/gis/map_warp.h"

#include <gdal.h>
#include <gdal_alg.h>
#include <math.h>
#include <string.h>

#include "result/map_data.h"

#define EDGE_PIECES      64   /* points along each side of the map */
#define POINT_TOLERANCE  1e-3 /* of a cell: tolerance of the approximate transformer */
#define SAME_CELL        0.01 /* cell sizes that differ by less keep their round number */
#define GROWTH_MAX       8.0  /* a map that needs more cells, relative to its rotated box, is torn apart */
#define GROWTH_ALLOWANCE 10000.0

/* The transformation between the two CRS: exact in both directions, and a fast approximation along rows. */
typedef struct warp_transformers {
    void *exact;
    void *quick; /* uses `exact` */
} warp_transformers;

static void close_transformers(warp_transformers *transformers)
{
    if (transformers->quick != NULL) {
        GDALDestroyApproxTransformer(transformers->quick);
    }
    if (transformers->exact != NULL) {
        GDALDestroyReprojectionTransformer(transformers->exact);
    }
}

/* Both CRS of a warp; the caller destroys them. */
static rcity_status read_both(rcity_gdal_call *call, const rcity_map *map, const char *crs,
                              OGRSpatialReferenceH *source, OGRSpatialReferenceH *target)
{
    RCITY_CHECK(call->context, strcmp(rcity_map_crs(map), "none") != 0, RCITY_ERR_ARGUMENT,
                "the map has no CRS and cannot be transformed into '%.100s'; import the scene with `crs`", crs);
    RCITY_CHECK(call->context, strcmp(crs, "none") != 0, RCITY_ERR_ARGUMENT,
                "a map in the CRS '%.100s' cannot be transformed into 'none'; leave out the output's CRS to keep it",
                rcity_map_crs(map));
    RCITY_TRY(rcity_gdal_read_crs(call, crs, target));
    if (OSRIsGeocentric(*target)) {
        return rcity_fail(call->context, RCITY_ERR_ARGUMENT,
                          "the CRS '%.100s' is geocentric; a map needs one with two axes, such as EPSG:32632 or "
                          "EPSG:4326",
                          crs);
    }
    return rcity_gdal_read_crs(call, rcity_map_crs(map), source);
}

static void destroy_both(OGRSpatialReferenceH source, OGRSpatialReferenceH target)
{
    if (source != NULL) {
        OSRDestroySpatialReference(source);
    }
    if (target != NULL) {
        OSRDestroySpatialReference(target);
    }
}

rcity_status rcity_map_warp_is_needed(rcity_gdal_call *call, const rcity_map *map, const char *crs, bool *is_needed)
{
    OGRSpatialReferenceH source = NULL;
    OGRSpatialReferenceH target = NULL;
    rcity_status status = read_both(call, map, crs, &source, &target);
    if (status == RCITY_OK) {
        *is_needed = !OSRIsSame(source, target);
    }
    destroy_both(source, target);
    return status;
}

static rcity_status open_transformers(rcity_gdal_call *call, const rcity_map *map, const char *crs,
                                      warp_transformers *transformers)
{
    OGRSpatialReferenceH source = NULL;
    OGRSpatialReferenceH target = NULL;
    rcity_status status;
    RCITY_TRY_DONE(read_both(call, map, crs, &source, &target));
    transformers->exact = GDALCreateReprojectionTransformerEx(source, target, NULL);
    if (transformers->exact != NULL) {
        transformers->quick = GDALCreateApproxTransformer(GDALReprojectionTransform, transformers->exact,
                                                          POINT_TOLERANCE * rcity_map_raster(map).cell_m);
    }
    if (transformers->quick == NULL) {
        status = rcity_fail(call->context, RCITY_ERR_ARGUMENT,
                            "there is no transformation from the CRS '%.100s' to '%.100s' (%s)", rcity_map_crs(map),
                            crs, call->text[0] != '\0' ? call->text : "no reason given");
    }
done:
    destroy_both(source, target);
    return status;
}

static rcity_status move_points(rcity_gdal_call *call, const warp_transformers *transformers, const char *crs,
                                int count, double *x, double *y)
{
    double z[4 * EDGE_PIECES] = {0.0};
    int is_moved[4 * EDGE_PIECES] = {0};
    double first_x = x[0];
    double first_y = y[0];
    GDALReprojectionTransform(transformers->exact, FALSE, count, x, y, z, is_moved);
    rcity_gdal_forget(call); /* failed points are reported below */
    for (int i = 0; i < count; i++) {
        RCITY_CHECK(call->context, is_moved[i] && isfinite(x[i]) && isfinite(y[i]), RCITY_ERR_ARGUMENT,
                    "the map around (%.10g, %.10g) has no place in the CRS '%.100s'; choose one made for its area",
                    first_x, first_y, crs);
    }
    return RCITY_OK;
}

typedef struct warp_bounds {
    double x_min, y_min, x_max, y_max;
} warp_bounds;

/* The bounds of the map in the new CRS, from points along its sides. */
static rcity_status find_bounds(rcity_gdal_call *call, const warp_transformers *transformers, const char *crs,
                                const rcity_raster *raster, warp_bounds *bounds)
{
    double width = (double)raster->column_count * raster->cell_m;
    double height = (double)raster->row_count * raster->cell_m;
    double x[4 * EDGE_PIECES];
    double y[4 * EDGE_PIECES];
    for (int i = 0; i < EDGE_PIECES; i++) {
        double part = (double)i / (double)EDGE_PIECES;
        const double side_x[4] = {part, 1.0, 1.0 - part, 0.0};
        const double side_y[4] = {0.0, part, 1.0, 1.0 - part};
        for (int side = 0; side < 4; side++) {
            x[4 * i + side] = raster->west_m + side_x[side] * width;
            y[4 * i + side] = raster->north_m - side_y[side] * height;
        }
    }
    RCITY_TRY(move_points(call, transformers, crs, 4 * EDGE_PIECES, x, y));
    *bounds = (warp_bounds){x[0], y[0], x[0], y[0]};
    for (int i = 1; i < 4 * EDGE_PIECES; i++) {
        bounds->x_min = fmin(bounds->x_min, x[i]);
        bounds->x_max = fmax(bounds->x_max, x[i]);
        bounds->y_min = fmin(bounds->y_min, y[i]);
        bounds->y_max = fmax(bounds->y_max, y[i]);
    }
    return RCITY_OK;
}

/* The shorter side of a cell in the middle of the map, in the new CRS. */
static rcity_status find_cell(rcity_gdal_call *call, const warp_transformers *transformers, const char *crs,
                              const rcity_raster *raster, double *cell)
{
    double middle_x = raster->west_m + 0.5 * (double)raster->column_count * raster->cell_m;
    double middle_y = raster->north_m - 0.5 * (double)raster->row_count * raster->cell_m;
    double x[3] = {middle_x, middle_x + raster->cell_m, middle_x};
    double y[3] = {middle_y, middle_y, middle_y + raster->cell_m};
    RCITY_TRY(move_points(call, transformers, crs, 3, x, y));
    *cell = fmin(hypot(x[1] - x[0], y[1] - y[0]), hypot(x[2] - x[0], y[2] - y[0]));
    if (fabs(*cell / raster->cell_m - 1.0) < SAME_CELL) {
        *cell = raster->cell_m;
    }
    return RCITY_OK;
}

/* The raster in the new CRS; its corners lie on multiples of its cell. */
static rcity_status find_raster(rcity_gdal_call *call, const warp_transformers *transformers, const char *crs,
                                const rcity_raster *raster, int64_t side_max, rcity_raster *found)
{
    warp_bounds bounds;
    double cell;
    RCITY_TRY(find_bounds(call, transformers, crs, raster, &bounds));
    RCITY_TRY(find_cell(call, transformers, crs, raster, &cell));
    double longer = fmax(bounds.x_max - bounds.x_min, bounds.y_max - bounds.y_min);
    if (side_max > 0 && longer / cell > (double)side_max) {
        cell = longer / (double)side_max;
    }
    RCITY_CHECK(call->context, cell > 0.0 && isfinite(cell), RCITY_ERR_ARGUMENT,
                "the map has no extent in the CRS '%.100s'; choose one made for its area", crs);
    double first_column = floor(bounds.x_min / cell + 1e-6);
    double last_column = ceil(bounds.x_max / cell - 1e-6);
    double first_row = floor(bounds.y_min / cell + 1e-6);
    double last_row = ceil(bounds.y_max / cell - 1e-6);
    double columns = fmax(last_column - first_column, 1.0);
    double rows = fmax(last_row - first_row, 1.0);
    /* The box around the map for any rotation: a long and narrow map may fill it. */
    double side = (double)raster->column_count + (double)raster->row_count;
    RCITY_CHECK(
        call->context, columns * rows <= GROWTH_MAX * 0.5 * side * side + GROWTH_ALLOWANCE, RCITY_ERR_ARGUMENT,
        "the map of %lld x %lld cells would have %.0f x %.0f in the CRS '%.100s': it lies across that CRS's edge "
        "or far from its area; choose another",
        (long long)raster->column_count, (long long)raster->row_count, columns, rows, crs);
    *found = (rcity_raster){.column_count = (int64_t)columns,
                            .row_count = (int64_t)rows,
                            .west_m = first_column * cell,
                            .north_m = last_row * cell,
                            .cell_m = cell};
    return RCITY_OK;
}

/* The first of the bands to warp, and the one after the last. */
typedef struct band_range {
    int begin, end;
} band_range;

static rcity_status copy_descriptions(const rcity_map *map, band_range bands, rcity_map *made)
{
    for (int i = bands.begin; i < bands.end; i++) {
        rcity_band band = {.name = ""};
        float *value;
        RCITY_TRY(rcity_map_get_band(map, i, &band));
        RCITY_TRY(rcity_map_add_like(made, &band, &value));
    }
    const char *key = NULL;
    const char *value = NULL;
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        if (strcmp(key, RCITY_NOTE_CELL_UNIT) != 0) {
            RCITY_TRY(rcity_map_note(made, key, "%s", value));
        }
    }
    RCITY_TRY(rcity_map_note(made, "warped_from_crs", "%s", rcity_map_crs(map)));
    return rcity_map_note(made, "warped_from_cell", "%.10g", rcity_map_raster(map).cell_m);
}

/* A row of the new map: the positions of its centres in the old one. */
typedef struct warp_row {
    double *x, *y, *z;
    int *is_moved;
    int64_t *cell; /* of the old map; -1: outside */
} warp_row;

static void find_cells(const warp_transformers *transformers, const rcity_raster *from, const rcity_raster *to,
                       int64_t row, warp_row *work)
{
    for (int64_t i = 0; i < to->column_count; i++) {
        work->x[i] = to->west_m + ((double)i + 0.5) * to->cell_m;
        work->y[i] = to->north_m - ((double)row + 0.5) * to->cell_m;
        work->z[i] = 0.0;
    }
    GDALApproxTransform(transformers->quick, TRUE, (int)to->column_count, work->x, work->y, work->z, work->is_moved);
    for (int64_t i = 0; i < to->column_count; i++) {
        double column = floor((work->x[i] - from->west_m) / from->cell_m);
        double old_row = floor((from->north_m - work->y[i]) / from->cell_m);
        bool is_inside = work->is_moved[i] && column >= 0.0 && column < (double)from->column_count && old_row >= 0.0 &&
                         old_row < (double)from->row_count;
        work->cell[i] = is_inside ? (int64_t)old_row * from->column_count + (int64_t)column : -1;
    }
}

static rcity_status alloc_row(rcity_context *context, int64_t column_count, warp_row *work)
{
    size_t count = (size_t)column_count;
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->x, "a row of points", &work->x));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->y, "a row of points", &work->y));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->z, "a row of points", &work->z));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->is_moved, "a row of points", &work->is_moved));
    return rcity_alloc(context, count, sizeof *work->cell, "a row of points", &work->cell);
}

static rcity_status fill(rcity_gdal_call *call, const warp_transformers *transformers, const rcity_map *map,
                         band_range bands, rcity_map *made)
{
    rcity_raster from = rcity_map_raster(map);
    rcity_raster to = rcity_map_raster(made);
    warp_row work = {NULL, NULL, NULL, NULL, NULL};
    rcity_status status;
    RCITY_TRY_DONE(alloc_row(call->context, to.column_count, &work));
    for (int64_t row = 0; row < to.row_count; row++) {
        find_cells(transformers, &from, &to, row, &work);
        for (int b = bands.begin; b < bands.end; b++) {
            rcity_band old = {.value = NULL};
            RCITY_TRY_DONE(rcity_map_get_band(map, b, &old));
            float *value = rcity_map_edit_band(made, b - bands.begin) + row * to.column_count;
            for (int64_t i = 0; i < to.column_count; i++) {
                value[i] = work.cell[i] >= 0 ? old.value[work.cell[i]] : NAN;
            }
        }
        RCITY_TRY_DONE(rcity_progress(call->context, "changing the CRS", (double)(row + 1), (double)to.row_count));
    }
    rcity_gdal_forget(call); /* points beyond the edge of a CRS have no value; that is no error */
done:
    rcity_release(call->context, work.cell);
    rcity_release(call->context, work.is_moved);
    rcity_release(call->context, work.z);
    rcity_release(call->context, work.y);
    rcity_release(call->context, work.x);
    return status;
}

rcity_status rcity_map_warp(rcity_gdal_call *call, const rcity_map *map, int band_index, const char *crs,
                            int64_t side_max, rcity_map **warped)
{
    band_range bands = {band_index < 0 ? 0 : band_index, band_index < 0 ? rcity_map_band_count(map) : band_index + 1};
    rcity_raster from = rcity_map_raster(map);
    rcity_raster to;
    warp_transformers transformers = {NULL, NULL};
    rcity_map *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(open_transformers(call, map, crs, &transformers));
    RCITY_TRY_DONE(find_raster(call, &transformers, crs, &from, side_max, &to));
    RCITY_TRY_DONE(rcity_map_create(call->context, &to, crs, &made));
    RCITY_TRY_DONE(copy_descriptions(map, bands, made));
    RCITY_TRY_DONE(fill(call, &transformers, map, bands, made));
    *warped = made;
    made = NULL;
done:
    rcity_map_destroy(&made);
    close_transformers(&transformers);
    return status;
}
