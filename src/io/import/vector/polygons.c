/* The polygons of one feature. */
#include "io/import/vector/polygons.h"

#include <math.h>
#include <string.h>

/* Narrower rings are artefacts of cut shapes: no wall is that thin, and they collapse on a grid of millimetres. */
#define SLIVER_WIDTH_M 0.02

/* A thin ring of up to this many points is checked for crossings; no sliver has more. */
#define SLIVER_POINT_MAX 1000

void rcity_polygons_init(rcity_context *context, rcity_polygons *polygons)
{
    memset(polygons, 0, sizeof *polygons);
    polygons->context = context;
}

void rcity_polygons_deinit(rcity_polygons *polygons)
{
    rcity_release(polygons->context, polygons->xy_m);
    rcity_release(polygons->context, polygons->ring_point_count);
    rcity_release(polygons->context, polygons->polygon_first_ring);
    memset(polygons, 0, sizeof *polygons);
}

/* Twice the signed area, relative to the first point, so that large coordinates do not cancel it. */
static double ring_area2(const double *xy_m, size_t count)
{
    double area2 = 0.0;
    for (size_t i = 1; i + 1 < count; i++) {
        double ax = xy_m[2 * i] - xy_m[0];
        double ay = xy_m[2 * i + 1] - xy_m[1];
        double bx = xy_m[2 * i + 2] - xy_m[0];
        double by = xy_m[2 * i + 3] - xy_m[1];
        area2 += ax * by - bx * ay;
    }
    return area2;
}

static double ring_length(const double *xy_m, size_t count)
{
    double length_m = 0.0;
    for (size_t i = 0; i < count; i++) {
        size_t next = i + 1 < count ? i + 1 : 0;
        length_m += hypot(xy_m[2 * next] - xy_m[2 * i], xy_m[2 * next + 1] - xy_m[2 * i + 1]);
    }
    return length_m;
}

static double side_of(const double *p, const double *q, const double *at)
{
    return (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0]);
}

/* Do two walls that are not neighbours cross? Such a ring is no sliver, even if its areas cancel. */
static bool crosses_itself(const double *xy_m, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double *a = xy_m + 2 * i;
        const double *b = xy_m + 2 * ((i + 1) % count);
        for (size_t k = i + 2; k < count; k++) {
            const double *c = xy_m + 2 * k;
            const double *d = xy_m + 2 * ((k + 1) % count);
            if (side_of(a, b, c) * side_of(a, b, d) < 0.0 && side_of(c, d, a) * side_of(c, d, b) < 0.0) {
                return true;
            }
        }
    }
    return false;
}

/* The width of the ring across the line from its first point to the point farthest from it. */
static double ring_breadth(const double *xy_m, size_t count)
{
    size_t far = 0;
    double far_m = 0.0;
    for (size_t i = 1; i < count; i++) {
        double distance_m = hypot(xy_m[2 * i] - xy_m[0], xy_m[2 * i + 1] - xy_m[1]);
        far = distance_m > far_m ? i : far;
        far_m = fmax(far_m, distance_m);
    }
    double least = 0.0;
    double most = 0.0;
    for (size_t i = 1; i < count && far_m > 0.0; i++) {
        double across_m = side_of(xy_m, xy_m + 2 * far, xy_m + 2 * i) / far_m;
        least = fmin(least, across_m);
        most = fmax(most, across_m);
    }
    return most - least;
}

/* Is it a ring without width, straight or bent? A ring that crosses itself is not one. */
static bool is_sliver(const double *xy_m, size_t count)
{
    if (count < 3 || ring_breadth(xy_m, count) < SLIVER_WIDTH_M) {
        return true;
    }
    bool is_thin = fabs(ring_area2(xy_m, count)) < SLIVER_WIDTH_M * ring_length(xy_m, count);
    return is_thin && count <= SLIVER_POINT_MAX && !crosses_itself(xy_m, count);
}

/* Reverse a ring; its first point stays the first. */
static void reverse(double *xy_m, size_t count)
{
    for (size_t low = 1, high = count - 1; low < high; low++, high--) {
        for (size_t k = 0; k < 2; k++) {
            double swap = xy_m[2 * low + k];
            xy_m[2 * low + k] = xy_m[2 * high + k];
            xy_m[2 * high + k] = swap;
        }
    }
}

/* Transform points to the scene's CRS, a block at a time. */
static rcity_status move_points(const rcity_vector *vector, OGRFeatureH feature, double *xy, size_t count)
{
    enum { BLOCK = 256 };
    for (size_t first = 0; first < count; first += BLOCK) {
        double x[BLOCK];
        double y[BLOCK];
        int is_placed[BLOCK];
        size_t block = count - first < BLOCK ? count - first : BLOCK;
        for (size_t i = 0; i < block; i++) {
            x[i] = xy[2 * (first + i)];
            y[i] = xy[2 * (first + i) + 1];
        }
        OCTTransformEx(vector->transform, (int)block, x, y, NULL, is_placed);
        for (size_t i = 0; i < block; i++) {
            double *point = xy + 2 * (first + i);
            bool has_place = is_placed[i] && isfinite(x[i]) && isfinite(y[i]);
            if (!has_place) {
                rcity_gdal_forget(vector->import->call); /* our message says more */
            }
            RCITY_CHECK(vector->import->context, has_place, RCITY_ERR_ARGUMENT,
                        "'%s' feature %lld: the point (%.10g, %.10g) has no place in the scene's CRS %.60s; are x and "
                        "y swapped, is the CRS right?",
                        vector->path, (long long)OGR_F_GetFID(feature), point[0], point[1], vector->import->crs_text);
            point[0] = x[i];
            point[1] = y[i];
        }
    }
    return RCITY_OK;
}

static void include_points(rcity_polygons *polygons, const double *xy_m, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        polygons->box[0] = fmin(polygons->box[0], xy_m[2 * i]);
        polygons->box[1] = fmin(polygons->box[1], xy_m[2 * i + 1]);
        polygons->box[2] = fmax(polygons->box[2], xy_m[2 * i]);
        polygons->box[3] = fmax(polygons->box[3], xy_m[2 * i + 1]);
    }
}

static rcity_status check_finite(const rcity_vector *vector, OGRFeatureH feature, const double *xy, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        RCITY_CHECK(vector->import->context, isfinite(xy[2 * i]) && isfinite(xy[2 * i + 1]), RCITY_ERR_GEOMETRY,
                    "'%s' feature %lld: the corner (%g, %g) is not finite; correct it or leave it out with "
                    "`bad-buildings=drop`",
                    vector->path, (long long)OGR_F_GetFID(feature), xy[2 * i], xy[2 * i + 1]);
    }
    return RCITY_OK;
}

/* Append one ring, unless it is a sliver. */
static rcity_status add_ring(const rcity_vector *vector, OGRFeatureH feature, OGRGeometryH ring, bool is_outline,
                             rcity_polygons *polygons, bool *is_added)
{
    *is_added = false;
    int given = ring != NULL ? OGR_G_GetPointCount(ring) : 0;
    size_t count = given > 0 ? (size_t)given : 0;
    RCITY_TRY(rcity_reserve(polygons->context, polygons->point_count + count + 1, 2 * sizeof *polygons->xy_m,
                            &polygons->point_capacity, "polygons", &polygons->xy_m));
    RCITY_TRY(rcity_reserve(polygons->context, polygons->ring_count + 1, sizeof *polygons->ring_point_count,
                            &polygons->ring_capacity, "polygons", &polygons->ring_point_count));
    double *xy_m = polygons->xy_m + 2 * polygons->point_count;
    if (count > 0) {
        OGR_G_GetPoints(ring, xy_m, 2 * (int)sizeof *xy_m, xy_m + 1, 2 * (int)sizeof *xy_m, NULL, 0);
        if (count > 1 && xy_m[0] == xy_m[2 * count - 2] && xy_m[1] == xy_m[2 * count - 1]) {
            count--;
        }
        RCITY_TRY(check_finite(vector, feature, xy_m, count));
        if (vector->transform != NULL) {
            RCITY_TRY(move_points(vector, feature, xy_m, count));
        }
    }
    if (is_sliver(xy_m, count)) {
        polygons->sliver_count++;
        return RCITY_OK;
    }
    double area2 = ring_area2(xy_m, count);
    if (is_outline ? area2 < 0.0 : area2 > 0.0) {
        reverse(xy_m, count);
    }
    include_points(polygons, xy_m, count);
    polygons->ring_point_count[polygons->ring_count++] = (int)count;
    polygons->point_count += count;
    *is_added = true;
    return RCITY_OK;
}

static rcity_status add_polygon(const rcity_vector *vector, OGRFeatureH feature, OGRGeometryH polygon,
                                rcity_polygons *polygons)
{
    polygons->has_polygon = true;
    RCITY_TRY(rcity_reserve(polygons->context, polygons->polygon_count + 2, sizeof *polygons->polygon_first_ring,
                            &polygons->polygon_capacity, "polygons", &polygons->polygon_first_ring));
    polygons->polygon_first_ring[polygons->polygon_count] = polygons->ring_count;
    for (int i = 0; i < OGR_G_GetGeometryCount(polygon); i++) {
        bool is_added;
        RCITY_TRY(add_ring(vector, feature, OGR_G_GetGeometryRef(polygon, i), i == 0, polygons, &is_added));
        if (i == 0 && !is_added) {
            return RCITY_OK; /* holes of an outline that was left out */
        }
    }
    if (polygons->ring_count > polygons->polygon_first_ring[polygons->polygon_count]) {
        polygons->polygon_first_ring[++polygons->polygon_count] = polygons->ring_count;
    }
    return RCITY_OK;
}

/* The polygons within a geometry; OGR itself limits how deep collections nest. */
static rcity_status collect(const rcity_vector *vector, OGRFeatureH feature, OGRGeometryH geometry,
                            rcity_polygons *polygons)
{
    OGRwkbGeometryType type = OGR_GT_Flatten(OGR_G_GetGeometryType(geometry));
    if (OGR_G_IsEmpty(geometry)) {
        return RCITY_OK;
    }
    if (type == wkbPolygon || type == wkbTriangle) {
        return add_polygon(vector, feature, geometry, polygons);
    }
    if (type == wkbMultiPolygon || type == wkbGeometryCollection) {
        for (int i = 0; i < OGR_G_GetGeometryCount(geometry); i++) {
            RCITY_TRY(collect(vector, feature, OGR_G_GetGeometryRef(geometry, i), polygons));
        }
    }
    return RCITY_OK;
}

bool rcity_polygons_next(const rcity_polygons *polygons, rcity_polygon_part *part)
{
    if (part->next == polygons->polygon_count) {
        return false;
    }
    const double *xy_m = part->next > 0 ? part->xy_m : polygons->xy_m;
    for (int i = 0; i < part->ring_count; i++) { /* skip those of the previous polygon */
        xy_m += 2 * (size_t)part->ring_point_count[i];
    }
    size_t ring = polygons->polygon_first_ring[part->next];
    part->next++;
    part->ring_count = (int)(polygons->polygon_first_ring[part->next] - ring);
    part->ring_point_count = polygons->ring_point_count + ring;
    part->xy_m = xy_m;
    return true;
}

rcity_status rcity_polygons_read(const rcity_vector *vector, OGRFeatureH feature, rcity_polygons *polygons)
{
    polygons->point_count = polygons->ring_count = polygons->polygon_count = 0;
    polygons->sliver_count = 0;
    polygons->has_polygon = false;
    polygons->box[0] = polygons->box[1] = HUGE_VAL;
    polygons->box[2] = polygons->box[3] = -HUGE_VAL;
    OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
    if (geometry == NULL) {
        return RCITY_OK;
    }
    /* decided by the type: a surface that may have arcs is converted to lines even when it has none */
    if (!OGR_G_HasCurveGeometry(geometry, FALSE)) {
        return collect(vector, feature, geometry, polygons);
    }
    OGRGeometryH straight = OGR_G_GetLinearGeometry(geometry, 0.0, NULL);
    if (straight == NULL) {
        return rcity_gdal_fail(vector->import->call, "turn curves into lines");
    }
    rcity_status status = collect(vector, feature, straight, polygons);
    OGR_G_DestroyGeometry(straight);
    return status;
}
