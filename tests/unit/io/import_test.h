/* What the tests of import and export share: small GeoJSON texts, other formats made from them, one call to import. */
#ifndef RCITY_IMPORT_TEST_H
#define RCITY_IMPORT_TEST_H

#include "rcity_test.h"

#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include "scene/shapes.h"

/* GeoJSON in pieces. */
#define JSON_CRS(code)   "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::" code "\"}},"
#define JSON(crs, items) "{\"type\":\"FeatureCollection\"," crs "\"features\":[" items "]}"
#define ITEM(properties, kind, coordinates)                                                                            \
    "{\"type\":\"Feature\",\"properties\":{" properties "},\"geometry\":{\"type\":\"" kind                             \
    "\",\"coordinates\":" coordinates "}}"
#define RING(x0, y0, x1, y1)            "[[" x0 "," y0 "],[" x1 "," y0 "],[" x1 "," y1 "],[" x0 "," y1 "],[" x0 "," y0 "]]"
#define BOX(properties, x0, y0, x1, y1) ITEM(properties, "Polygon", "[" RING(x0, y0, x1, y1) "]")

/* Write a text as a file of this test's own; returns its path. */
static inline const char *save_text(const char *name, const char *text)
{
    const char *path = test_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return path;
}

/* The first layer of one file as another format. */
static inline const char *convert(const char *from, const char *driver_name, const char *name)
{
    GDALAllRegister();
    const char *path = test_path(name);
    GDALDriverH driver = GDALGetDriverByName(driver_name);
    GDALDatasetH source = GDALOpenEx(from, GDAL_OF_VECTOR, NULL, NULL, NULL);
    assert_non_null(source);
    GDALDatasetH target = GDALCreate(driver, path, 0, 0, 0, GDT_Unknown, NULL);
    assert_non_null(target);
    assert_non_null(GDALDatasetCopyLayer(target, GDALDatasetGetLayer(source, 0), "city", NULL));
    GDALClose(target);
    GDALClose(source);
    return path;
}

/* Import one file of buildings. On success the scene is the caller's. */
static inline rcity_status import_file(rcity_context *context, const char *path, const rcity_import_options *given,
                                       rcity_scene **scene, rcity_import_report *report)
{
    rcity_import_options options = given != NULL ? *given : rcity_import_options_default();
    options.building_path_count = 1;
    options.building_paths = &path;
    *scene = NULL;
    rcity_status status = rcity_scene_import(context, &options, scene, report);
    assert_true((status == RCITY_OK) == (*scene != NULL));
    return status;
}

/* The same for a text, and what the scene holds; texts of the info are gone with the scene, but for the hash. */
static inline rcity_status import_text(rcity_context *context, const char *text, const rcity_import_options *given,
                                       rcity_scene_info *info, rcity_import_report *report)
{
    rcity_scene *scene = NULL;
    rcity_status status = import_file(context, save_text("test.geojson", text), given, &scene, report);
    if (status == RCITY_OK && info != NULL) {
        assert_ok(context, rcity_scene_describe(scene, info));
        info->crs = info->source = NULL;
    }
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    return status;
}

/* Greatest distance of corners that belong to each other, in metres; the scenes have as many of them. */
static inline double compare_corners(const rcity_scene *left, const rcity_scene *right)
{
    const rcity_shapes *a = rcity_scene_shapes(left);
    const rcity_shapes *b = rcity_scene_shapes(right);
    double farthest_m = 0.0;
    assert_int_equal(a->point_count, b->point_count);
    assert_int_equal(a->ring_count, b->ring_count);
    for (int64_t i = 0; i < a->point_count; i++) {
        double ax = a->origin_x_m + (double)a->points[i].x / a->units_per_m;
        double ay = a->origin_y_m + (double)a->points[i].y / a->units_per_m;
        double bx = b->origin_x_m + (double)b->points[i].x / b->units_per_m;
        double by = b->origin_y_m + (double)b->points[i].y / b->units_per_m;
        farthest_m = fmax(farthest_m, hypot(ax - bx, ay - by));
    }
    return farthest_m;
}

#endif
