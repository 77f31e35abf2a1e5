/* Vegetation from a vector layer: polygons with a height. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "io/import/height_unit.h"
#include "io/import/import_vectors.h"
#include "scene/shapes.h"

static const char *const height_names[] = {"height",        "height_m",   "tree_height", "treeheight",
                                           "canopy_height", "canopy_hei", "veg_height",  "vegetation_height",
                                           "stand_height",  "hoehe",      "h",           NULL};

/* Woods may extend beyond the town, but not to the next one. */
#define REACH_M 10e3

typedef struct vegetation_reader {
    rcity_import *import;
    rcity_vector_field height;
    rcity_vector_field natural_tag, landuse_tag; /* tags that make an OpenStreetMap polygon a wood */
    rcity_polygons polygons;
    int64_t without_height_count;
    long long heightless_id; /* the first feature without height */
    int64_t feature_count;
} vegetation_reader;

static rcity_status find_fields(vegetation_reader *reader, const rcity_vector *vector)
{
    static const char *const natural_name[] = {"natural", NULL};
    static const char *const landuse_name[] = {"landuse", NULL};
    const rcity_import_options *options = reader->import->options;
    RCITY_TRY(rcity_vector_find_field(vector, NULL, natural_name, "", false, &reader->natural_tag));
    RCITY_TRY(rcity_vector_find_field(vector, NULL, landuse_name, "", false, &reader->landuse_tag));
    RCITY_TRY(rcity_vector_find_field(vector, options->vegetation_height_field, height_names, "vegetation-height-field",
                                      true, &reader->height));
    RCITY_TRY(rcity_height_unit_settle(vector, &reader->height));
    if (!reader->height.is_found && isnan(options->vegetation_height_m)) {
        char fields[600];
        rcity_vector_list_fields(vector, fields, sizeof fields);
        return rcity_fail(reader->import->context, RCITY_ERR_ARGUMENT,
                          "'%s' has no field with a usual name for heights and numbers in it; name one with "
                          "`vegetation-height-field`, or "
                          "give `vegetation-height-m=METRES`; it has: %s",
                          vector->path, fields);
    }
    return RCITY_OK;
}

/* OpenStreetMap's polygons include houses and lakes. */
static bool is_vegetation(const vegetation_reader *reader, const rcity_vector *vector, OGRFeatureH feature)
{
    char natural[64];
    char landuse[64];
    if (!vector->is_osm) {
        return true;
    }
    rcity_vector_get_text(feature, &reader->natural_tag, natural, sizeof natural);
    rcity_vector_get_text(feature, &reader->landuse_tag, landuse, sizeof landuse);
    return strcasecmp(natural, "wood") == 0 || strcasecmp(landuse, "forest") == 0 ||
           strcasecmp(landuse, "orchard") == 0;
}

static rcity_status add_parts(vegetation_reader *reader, const rcity_vector *vector, rcity_vegetation *vegetation)
{
    rcity_polygon_part part = {0};
    while (rcity_polygons_next(&reader->polygons, &part)) {
        vegetation->ring_count = part.ring_count;
        vegetation->ring_point_count = part.ring_point_count;
        vegetation->xy_m = part.xy_m;
        rcity_status status = rcity_scene_add_vegetation(reader->import->scene, vegetation);
        if (status != RCITY_OK) {
            return rcity_fail_prefix(reader->import->context, status, "'%s': ", vector->path);
        }
    }
    return RCITY_OK;
}

static rcity_status read_vegetation(void *user, const rcity_vector *vector, OGRFeatureH feature)
{
    vegetation_reader *reader = user;
    rcity_import *import = reader->import;
    if (!is_vegetation(reader, vector, feature)) {
        return RCITY_OK;
    }
    rcity_vegetation vegetation;
    memset(&vegetation, 0, sizeof vegetation);
    vegetation.id = OGR_F_GetFID(feature);
    rcity_status status = rcity_polygons_read(vector, feature, &reader->polygons);
    if (status == RCITY_OK && !reader->polygons.has_polygon) {
        import->report.other_geometry_count++;
        return RCITY_OK;
    }
    if (status == RCITY_OK) {
        status = rcity_vector_get_number(vector, feature, &reader->height, true, &vegetation.height_m);
    }
    bool is_droppable = status == RCITY_ERR_FORMAT || status == RCITY_ERR_ARGUMENT || status == RCITY_ERR_GEOMETRY;
    if (is_droppable && rcity_scene_drops_invalid(import->scene)) {
        rcity_scene_note_dropped_vegetation(import->scene);
        return RCITY_OK;
    }
    RCITY_TRY(status);
    reader->feature_count++;
    import->report.sliver_count += reader->polygons.sliver_count;
    if (!(vegetation.height_m > 0.0)) {
        vegetation.height_m = import->options->vegetation_height_m;
        if (isnan(vegetation.height_m)) {
            reader->heightless_id =
                reader->without_height_count++ == 0 ? (long long)vegetation.id : reader->heightless_id;
            return RCITY_OK;
        }
        import->report.vegetation_default_count += (int64_t)reader->polygons.polygon_count;
    }
    import->report.vegetation_count += (int64_t)reader->polygons.polygon_count;
    rcity_import_widen_bounds(import, reader->polygons.box);
    return add_parts(reader, vector, &vegetation);
}

static rcity_status check_result(const vegetation_reader *reader)
{
    const char *path = reader->import->options->vegetation_path;
    RCITY_CHECK(reader->import->context, reader->feature_count > 0, RCITY_ERR_FORMAT, "'%s' holds no vegetation", path);
    RCITY_CHECK(reader->import->context, reader->without_height_count == 0, RCITY_ERR_FORMAT,
                "%lld of %lld polygons of '%s' have no height, the first is feature %lld; give "
                "`vegetation-height-m=METRES`",
                (long long)reader->without_height_count, (long long)reader->feature_count, path, reader->heightless_id);
    return RCITY_OK;
}

rcity_status rcity_import_vegetation(rcity_import *import)
{
    const rcity_import_options *options = import->options;
    if (options->vegetation_path == NULL) {
        return RCITY_OK;
    }
    double before[4];
    vegetation_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.import = import;
    rcity_polygons_init(import->context, &reader.polygons);
    rcity_vector vector;
    rcity_status status;
    RCITY_TRY(
        rcity_vector_open(import, options->vegetation_path, options->vegetation_layer, "vegetation-layer", &vector));
    RCITY_TRY_DONE(rcity_vector_aim(&vector));
    RCITY_TRY_DONE(find_fields(&reader, &vector));
    rcity_import_begin_bounds(import, before);
    RCITY_TRY_DONE(rcity_vector_read(&vector, "read vegetation", read_vegetation, &reader));
    RCITY_TRY_DONE(check_result(&reader));
    status = rcity_import_join_bounds(import, options->vegetation_path, REACH_M, before);
done:
    rcity_vector_close(&vector);
    rcity_polygons_deinit(&reader.polygons);
    return status;
}
