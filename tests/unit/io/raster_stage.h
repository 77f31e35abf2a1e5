/* What the tests of rasters share: rasters made with GDAL, and an import around them. */
#ifndef RCITY_TEST_RASTER_STAGE_H
#define RCITY_TEST_RASTER_STAGE_H

#include "rcity_test.h"

#include <cpl_error.h>
#include <gdal.h>
#include <unistd.h>

#include "io/import/import_data.h"
#include "scene/shapes.h"

/* A raster to be made; fields that are zero or NULL stay unsaid. */
typedef struct raster_recipe {
    const char *name;
    int columns, rows;
    double to_place[6]; /* all zero: none */
    const char *crs;
    GDALDataType type; /* 0: Float32 */
    int band_count;    /* 0: 1 */
    const char *unit;
    double nodata; /* 0: none */
    float (*value)(const void *user, int column, int row);
    const void *user;
} raster_recipe;

/* Make it; the path is good until eight more are asked for. */
static inline const char *make_raster(const raster_recipe *recipe)
{
    const char *path = test_path(recipe->name);
    GDALAllRegister();
    int band_count = recipe->band_count > 0 ? recipe->band_count : 1;
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GTiff"), path, recipe->columns, recipe->rows, band_count,
                                      recipe->type != GDT_Unknown ? recipe->type : GDT_Float32, NULL);
    assert_non_null(dataset);
    double to_place[6];
    memcpy(to_place, recipe->to_place, sizeof to_place);
    if (to_place[1] != 0.0) {
        assert_int_equal(GDALSetGeoTransform(dataset, to_place), CE_None);
    }
    if (recipe->crs != NULL) {
        OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
        assert_int_equal(OSRSetFromUserInput(crs, recipe->crs), OGRERR_NONE);
        assert_int_equal(GDALSetSpatialRef(dataset, crs), CE_None);
        OSRDestroySpatialReference(crs);
    }
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    if (recipe->unit != NULL) {
        GDALSetRasterUnitType(band, recipe->unit);
    }
    if (recipe->nodata != 0.0) {
        GDALSetRasterNoDataValue(band, recipe->nodata);
    }
    float *line = malloc((size_t)recipe->columns * sizeof *line);
    assert_non_null(line);
    for (int row = 0; row < recipe->rows && recipe->value != NULL; row++) {
        for (int column = 0; column < recipe->columns; column++) {
            line[column] = recipe->value(recipe->user, column, row);
        }
        assert_int_equal(
            GDALRasterIO(band, GF_Write, 0, row, recipe->columns, 1, line, recipe->columns, 1, GDT_Float32, 0, 0),
            CE_None);
    }
    free(line);
    GDALClose(dataset);
    return path;
}

/* An import in the middle of its work. */
typedef struct raster_stage {
    rcity_context *context;
    rcity_gdal_call call;
    rcity_import_options options;
    const char *paths[8];
    rcity_import import;
} raster_stage;

/* A scene in a CRS ("none" for none), still empty. */
static inline void open_stage_in(raster_stage *stage, rcity_context *context, const char *crs, bool drop_invalid)
{
    memset(stage, 0, sizeof *stage);
    stage->context = context;
    rcity_gdal_open(context, "test", &stage->call);
    stage->options = rcity_import_options_default();
    stage->options.scene.drop_invalid = drop_invalid;
    stage->options.scene.crs = crs;
    stage->options.terrain_paths = stage->paths;
    stage->import.context = context;
    stage->import.call = &stage->call;
    stage->import.options = &stage->options;
    stage->import.crs_text = crs;
    stage->import.x_min_m = stage->import.y_min_m = HUGE_VAL;
    stage->import.x_max_m = stage->import.y_max_m = -HUGE_VAL;
    if (strcmp(crs, "none") != 0) {
        assert_ok(context, rcity_gdal_read_scene_crs(&stage->call, crs, &stage->import.crs));
    }
    assert_ok(context, rcity_scene_create(context, &stage->options.scene, &stage->import.scene));
}

static inline void open_stage(raster_stage *stage, const char *crs)
{
    open_stage_in(stage, test_context(1), crs, false);
}

/* Ends the context too, and sees that nothing is left. */
static inline void close_stage(raster_stage *stage)
{
    rcity_scene_destroy(&stage->import.scene);
    if (stage->import.crs != NULL) {
        OSRDestroySpatialReference(stage->import.crs);
    }
    rcity_gdal_close(&stage->call);
    assert_int_equal(rcity_context_memory_used(stage->context), 0);
    rcity_context_destroy(&stage->context);
}

static inline void add_terrain(raster_stage *stage, const char *path)
{
    stage->paths[stage->options.terrain_path_count++] = path;
}

static inline void add_house(raster_stage *stage, int64_t id, double west_m, double south_m, double east_m,
                             double north_m)
{
    test_add_box(stage->context, stage->import.scene, id, (test_box){west_m, south_m, east_m, north_m, 10});
    stage->import.x_min_m = fmin(stage->import.x_min_m, west_m);
    stage->import.y_min_m = fmin(stage->import.y_min_m, south_m);
    stage->import.x_max_m = fmax(stage->import.x_max_m, east_m);
    stage->import.y_max_m = fmax(stage->import.y_max_m, north_m);
}

/* ---- terrain ---- */

static const char utm32[] = "EPSG:32632";

/* A number that no other pixel has, on sixteenths. */
static inline float unique_value(const void *user, int column, int row)
{
    (void)user;
    return (float)(100 + column + row * 4) + (float)((column * 7 + row * 3) % 16) / 16.0f;
}

/* The raster of most tests: 40 x 30 pixels of 10 m whose centres lie on whole tens plus 5. */
static inline raster_recipe small_recipe(const char *name)
{
    return (raster_recipe){.name = name,
                           .columns = 40,
                           .rows = 30,
                           .to_place = {500000, 10, 0, 5000300, 0, -10},
                           .crs = utm32,
                           .value = unique_value};
}

/* A tile of a larger raster: the place of its first pixel there. */
typedef struct tile_part {
    int column, row;
} tile_part;

static inline float tile_value(const void *user, int column, int row)
{
    const tile_part *part = user;
    return unique_value(NULL, column + part->column, row + part->row);
}

/* One part of the raster of most tests, as a file of its own. */
static inline const char *make_part(const char *name, tile_part part, int columns, int rows)
{
    raster_recipe recipe = small_recipe(name);
    recipe.columns = columns;
    recipe.rows = rows;
    recipe.to_place[0] += 10.0 * part.column;
    recipe.to_place[3] -= 10.0 * part.row;
    recipe.value = tile_value;
    recipe.user = &part;
    return make_raster(&recipe);
}

static inline const rcity_terrain *read_terrain(raster_stage *stage)
{
    assert_ok(stage->context, rcity_import_terrain(&stage->import));
    const rcity_terrain *terrain = rcity_scene_draft_terrain(stage->import.scene);
    assert_non_null(terrain);
    assert_int_equal(stage->import.report.terrain_node_count, (int64_t)terrain->column_count * terrain->row_count);
    return terrain;
}

static inline void refuse_terrain(raster_stage *stage, rcity_status expected, const char *words)
{
    assert_status(stage->context, rcity_import_terrain(&stage->import), expected);
    assert_message(stage->context, words);
    assert_null(rcity_scene_draft_terrain(stage->import.scene));
}

#endif
