/* Buildings from vector layers: heights from a field, from floors or by default; ground, id and material. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/import/height_unit.h"
#include "io/import/import_vectors.h"
#include "io/import/measure.h"
#include "io/import/osm_parts.h"
#include "io/import/osm_value.h"
#include "scene/material.h"
#include "scene/scene_data.h"

/* Usual names of fields, OpenStreetMap's first: it is also searched among the other tags. Shapefiles cut names after
   ten letters. */
static const char *const height_names[] = {"height",
                                           "height_m",
                                           "building_height",
                                           "buildingheight",
                                           "building_h",
                                           "bldg_height",
                                           "bldg_heigh",
                                           "bldgheight",
                                           "bldg_hgt",
                                           "meanheight",
                                           "mean_height",
                                           "mean_heigh",
                                           "avg_height",
                                           "measuredheight",
                                           "measuredhe",
                                           "measured_height",
                                           "relh2",
                                           "hoehe",
                                           "gebaeudehoehe",
                                           "gebhoehe",
                                           "hauteur",
                                           "altura",
                                           "altezza",
                                           "hgt",
                                           "h",
                                           NULL};
static const char *const floors_names[] = {
    "building:levels", "building_levels", "building_l",  "levels",      "floors",           "num_floors",
    "numfloors",       "nfloors",         "n_floors",    "floor_count", "numberoffloors",   "storeysaboveground",
    "storeys",         "stories",         "num_stories", "geschosse",   "anzahl_geschosse", "anzgeschosse",
    "etages",          "nb_etages",       "pisos",       NULL};
static const char *const material_names[] = {"building:material", "building_material", "material",
                                             "wall_material",     "wall_mater",        NULL};

/* Largest distance between sources of one scene. */
#define REACH_M 50e3

/* Without terrain the ground may differ from 0 by this much; it is then taken as 0. */
#define FLAT_GROUND_M 0.5

typedef struct building_reader {
    rcity_import *import;
    rcity_vector_field height, floors, ground, id, material;
    rcity_vector_field building_tag, part_tag; /* tags that make an OpenStreetMap polygon a building */
    rcity_vector_field place_tag, layer_tag, base_tag, base_levels_tag; /* where an OpenStreetMap building stands */
    rcity_osm_parts osm;                                                /* its buildings until all are read */
    rcity_polygons polygons;
    int64_t kept_count;
    int64_t invalid_count; /* features that cannot be used, left out */
    bool may_be_degrees;   /* a source's coordinates are read as metres but could be degrees */
    /* the first feature without height */
    const char *heightless_path;
    long long heightless_id;
    char heightless_why[160];
} building_reader;

static rcity_status find_fields(building_reader *reader, const rcity_vector *vector)
{
    const rcity_import_options *options = reader->import->options;
    RCITY_TRY(
        rcity_vector_find_field(vector, options->height_field, height_names, "height-field", true, &reader->height));
    RCITY_TRY(
        rcity_vector_find_field(vector, options->floors_field, floors_names, "floors-field", true, &reader->floors));
    RCITY_TRY(rcity_vector_find_field(vector, options->ground_field, NULL, "ground-field", true, &reader->ground));
    RCITY_TRY(rcity_height_unit_settle(vector, &reader->height));
    RCITY_TRY(rcity_height_unit_settle(vector, &reader->ground));
    RCITY_TRY(rcity_vector_find_field(vector, options->id_field, NULL, "id-field", true, &reader->id));
    RCITY_TRY(rcity_vector_find_field(vector, options->material_field, material_names, "material-field", false,
                                      &reader->material));
    static const char *const building_name[] = {"building", NULL};
    static const char *const part_name[] = {"building:part", NULL};
    RCITY_TRY(rcity_vector_find_field(vector, NULL, building_name, "", false, &reader->building_tag));
    RCITY_TRY(rcity_vector_find_field(vector, NULL, part_name, "", false, &reader->part_tag));
    static const char *const place_name[] = {"location", NULL};
    static const char *const layer_name[] = {"layer", NULL};
    static const char *const base_name[] = {"min_height", NULL};
    static const char *const base_levels_name[] = {"building:min_level", NULL};
    RCITY_TRY(rcity_vector_find_field(vector, NULL, place_name, "", false, &reader->place_tag));
    RCITY_TRY(rcity_vector_find_field(vector, NULL, layer_name, "", false, &reader->layer_tag));
    RCITY_TRY(rcity_vector_find_field(vector, NULL, base_name, "", false, &reader->base_tag));
    RCITY_TRY(rcity_vector_find_field(vector, NULL, base_levels_name, "", false, &reader->base_levels_tag));
    if (!reader->height.is_found && !reader->floors.is_found && isnan(options->default_height_m)) {
        char fields[600];
        rcity_vector_list_fields(vector, fields, sizeof fields);
        return rcity_fail(reader->import->context, RCITY_ERR_ARGUMENT,
                          "'%s' has no field with a usual name for heights or floors and numbers in it; name one with "
                          "`height-field` or "
                          "`floors-field`, or give `default-height-m=METRES`; it has: %s",
                          vector->path, fields);
    }
    rcity_import_report *report = &reader->import->report;
    if (report->height_field[0] == '\0') {
        memcpy(report->height_field, reader->height.name, sizeof report->height_field);
    }
    if (report->floors_field[0] == '\0') {
        memcpy(report->floors_field, reader->floors.name, sizeof report->floors_field);
    }
    return RCITY_OK;
}

/* What OpenStreetMap says a building is: the value of building or else of building:part; "" for parks and lakes. */
static void read_osm_kind(const building_reader *reader, OGRFeatureH feature, char tag[64])
{
    rcity_vector_get_text(feature, &reader->building_tag, tag, 64);
    if (tag[0] == '\0') {
        rcity_vector_get_text(feature, &reader->part_tag, tag, 64);
    }
    tag[0] = strcasecmp(tag, "no") == 0 ? '\0' : tag[0];
}

/* Is a building of OpenStreetMap no obstacle that a prism on the ground can be: below the ground, or a roof on posts?
   Counted. */
static bool is_no_prism(building_reader *reader, OGRFeatureH feature, const char *kind)
{
    rcity_import_report *report = &reader->import->report;
    char place[32];
    char layer[32];
    double level = 0.0;
    rcity_vector_get_text(feature, &reader->place_tag, place, sizeof place);
    rcity_vector_get_text(feature, &reader->layer_tag, layer, sizeof layer);
    bool is_underground = strcasecmp(place, "underground") == 0 || strcasecmp(place, "underwater") == 0 ||
                          (rcity_measure_read(layer, false, 1.0, &level) && level < 0.0);
    bool is_roof = !is_underground && (strcasecmp(kind, "roof") == 0 || strcasecmp(kind, "carport") == 0 ||
                                       strcasecmp(kind, "canopy") == 0);
    report->underground_count += is_underground;
    report->open_roof_count += is_roof;
    return is_underground || is_roof;
}

/* A number in a tag of OpenStreetMap; NAN where there is none. What cannot be read counts as unknown: one mapper's words
   must not refuse a town. */
static double read_osm_number(building_reader *reader, OGRFeatureH feature, const rcity_vector_field *field,
                              bool allows_unit)
{
    rcity_import_report *report = &reader->import->report;
    char text[RCITY_FIELD_BYTES];
    double value = (double)NAN;
    rcity_vector_get_text(feature, field, text, sizeof text);
    if (text[0] != '\0' && !rcity_osm_value_read(text, allows_unit, &value) && report->unread_value_count++ == 0) {
        memcpy(report->unread_value, text, sizeof report->unread_value);
    }
    return value;
}

/* A height or a number of floors. */
static rcity_status read_number(building_reader *reader, const rcity_vector *vector, OGRFeatureH feature,
                                const rcity_vector_field *field, bool allows_unit, double *value)
{
    if (vector->is_osm && field->unit == 1.0) {
        *value = field->is_found ? read_osm_number(reader, feature, field, allows_unit) : (double)NAN;
        return RCITY_OK;
    }
    return rcity_vector_get_number(vector, feature, field, allows_unit, value);
}

static void note_heightless(building_reader *reader, const rcity_vector *vector, OGRFeatureH feature)
{
    if (reader->heightless_path != NULL) {
        return;
    }
    reader->heightless_path = vector->path;
    reader->heightless_id = (long long)OGR_F_GetFID(feature);
    char text[64] = "";
    rcity_vector_get_text(feature, &reader->height, text, sizeof text);
    if (!reader->height.is_found) {
        snprintf(reader->heightless_why, sizeof reader->heightless_why, "no field of heights");
    } else {
        snprintf(reader->heightless_why, sizeof reader->heightless_why, "'%s' is %s", reader->height.name,
                 text[0] != '\0' ? text : "empty");
    }
}

/* Where the height of a building comes from. */
typedef enum height_source { HEIGHT_FIELD, HEIGHT_FLOORS, HEIGHT_NONE } height_source;

/* Height of a feature: its field, its floors, the default; NAN if it has none. Values of 0 and below mark unknown
   heights. */
static rcity_status find_height(building_reader *reader, const rcity_vector *vector, OGRFeatureH feature,
                                double *height_m, height_source *source)
{
    const rcity_import_options *options = reader->import->options;
    double floors = (double)NAN;
    *source = HEIGHT_FIELD;
    RCITY_TRY(read_number(reader, vector, feature, &reader->height, true, height_m));
    if (*height_m > 0.0) {
        return RCITY_OK;
    }
    RCITY_TRY(read_number(reader, vector, feature, &reader->floors, false, &floors));
    *source = floors > 0.0 ? HEIGHT_FLOORS : HEIGHT_NONE;
    *height_m = floors > 0.0 ? floors * options->floor_height_m : options->default_height_m;
    return RCITY_OK;
}

/* Called after the whole feature was read: one that is left out for another reason is not counted here. */
static void count_height(building_reader *reader, const rcity_vector *vector, OGRFeatureH feature, height_source source)
{
    const rcity_import_options *options = reader->import->options;
    rcity_import_report *report = &reader->import->report;
    report->floors_count += source == HEIGHT_FLOORS;
    if (source != HEIGHT_NONE) {
        return;
    }
    report->without_height_count++;
    if (!isnan(options->default_height_m)) {
        report->default_height_count++;
    } else if (options->drop_without_height) {
        report->dropped_count++;
    } else {
        note_heightless(reader, vector, feature);
    }
}

static rcity_status find_id(building_reader *reader, const rcity_vector *vector, OGRFeatureH feature, int64_t *id)
{
    *id = OGR_F_GetFID(feature);
    if (!reader->id.is_found) {
        return RCITY_OK;
    }
    if (!reader->id.is_tag && OGR_F_IsFieldSetAndNotNull(feature, reader->id.index)) {
        OGRFieldType type = OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, reader->id.index));
        if (type == OFTInteger || type == OFTInteger64) {
            *id = OGR_F_GetFieldAsInteger64(feature, reader->id.index);
            return RCITY_OK;
        }
    }
    char text[64];
    double number = (double)NAN;
    rcity_vector_get_text(feature, &reader->id, text, sizeof text);
    bool is_number = text[0] == '\0' || rcity_measure_read(text, false, 1.0, &number);
    RCITY_CHECK(reader->import->context,
                is_number && (isnan(number) || (fabs(number) < 9e15 && number == floor(number))), RCITY_ERR_FORMAT,
                "'%s' feature %lld: '%s' in the field '%s' is not a whole number; leave `id-field` out, then the "
                "number of the feature counts",
                vector->path, (long long)*id, text, reader->id.name);
    *id = isnan(number) ? *id : (int64_t)number;
    return RCITY_OK;
}

/* A material by its word in the data: one of the scene's own, or a built-in one. @return false if it is unknown; `name`
   is then "". */
static bool find_material(const rcity_import *import, const char *word, char name[RCITY_MATERIAL_NAME_BYTES])
{
    name[0] = '\0';
    const rcity_draft *draft = &import->scene->draft;
    for (size_t i = 0; i < draft->material_count; i++) {
        if (rcity_material_is_named(draft->materials[i].name, word)) {
            memcpy(name, draft->materials[i].name, RCITY_MATERIAL_NAME_BYTES);
            return true;
        }
    }
    rcity_material material;
    if (!rcity_material_find(word, &material)) {
        return false;
    }
    memcpy(name, material.name, RCITY_MATERIAL_NAME_BYTES);
    return true;
}

static void read_material(building_reader *reader, OGRFeatureH feature, char name[RCITY_MATERIAL_NAME_BYTES])
{
    rcity_import_report *report = &reader->import->report;
    char word[RCITY_FIELD_BYTES];
    rcity_vector_get_text(feature, &reader->material, word, sizeof word);
    name[0] = '\0';
    if (word[0] == '\0' || find_material(reader->import, word, name)) {
        return;
    }
    if (report->unknown_material_count++ == 0) {
        memcpy(report->unknown_material, word, sizeof report->unknown_material);
    }
}

/* Add the polygons of a feature to the scene, each as a building with the same id. Those of OpenStreetMap wait until all
   are read. */
static rcity_status add_parts(building_reader *reader, const rcity_vector *vector, rcity_building *building,
                              double base_m, bool is_part)
{
    rcity_polygon_part part = {0};
    while (rcity_polygons_next(&reader->polygons, &part)) {
        building->ring_count = part.ring_count;
        building->ring_point_count = part.ring_point_count;
        building->xy_m = part.xy_m;
        if (vector->is_osm) {
            RCITY_TRY(rcity_osm_parts_add(&reader->osm, building, base_m, is_part));
            continue;
        }
        rcity_status status = rcity_scene_add_building(reader->import->scene, building);
        if (status != RCITY_OK) {
            return rcity_fail_prefix(reader->import->context, status, "'%s': ", vector->path);
        }
        reader->kept_count++;
    }
    return RCITY_OK;
}

/* Read the fields of a building. */
static rcity_status read_fields(building_reader *reader, const rcity_vector *vector, OGRFeatureH feature,
                                rcity_building *building)
{
    height_source source;
    RCITY_TRY(find_height(reader, vector, feature, &building->height_m, &source));
    RCITY_TRY(rcity_vector_get_number(vector, feature, &reader->ground, true, &building->ground_m));
    RCITY_TRY(find_id(reader, vector, feature, &building->id));
    count_height(reader, vector, feature, source);
    return RCITY_OK;
}

/* Without terrain the ground lies at 0: a building on ground at 200 m would become a tower down to there. */
static rcity_status check_ground(const building_reader *reader, const rcity_vector *vector, OGRFeatureH feature,
                                 const rcity_building *building)
{
    const rcity_import *import = reader->import;
    bool is_flat = isnan(building->ground_m) || fabs(building->ground_m) <= FLAT_GROUND_M;
    RCITY_CHECK(import->context, is_flat || import->options->terrain_path_count > 0, RCITY_ERR_ARGUMENT,
                "'%s' feature %lld: its ground in '%s' is at %g m, but without terrain all ground lies at 0; give "
                "`terrain`, or leave `ground-field` out",
                vector->path, (long long)OGR_F_GetFID(feature), reader->ground.name, building->ground_m);
    return RCITY_OK;
}

/* Where a building of OpenStreetMap begins above the ground; 0 where it does not say. */
static double find_base(building_reader *reader, OGRFeatureH feature)
{
    double base_m = read_osm_number(reader, feature, &reader->base_tag, true);
    if (isnan(base_m)) {
        base_m =
            reader->import->options->floor_height_m * read_osm_number(reader, feature, &reader->base_levels_tag, false);
    }
    return base_m > 0.0 ? base_m : 0.0;
}

/* Add what is left of a source of OpenStreetMap once the parts of buildings are known. */
static rcity_status add_osm(building_reader *reader, const rcity_vector *vector)
{
    rcity_import_report *report = &reader->import->report;
    RCITY_TRY(rcity_osm_parts_settle(&reader->osm));
    for (size_t i = 0; i < reader->osm.count; i++) {
        rcity_osm_fate fate = reader->osm.shapes[i].fate;
        report->floating_count += fate == RCITY_OSM_FLOATING;
        report->replaced_count += fate == RCITY_OSM_REPLACED;
        if (fate == RCITY_OSM_KEPT) {
            rcity_building building = rcity_osm_parts_building(&reader->osm, i);
            rcity_status status = rcity_scene_add_building(reader->import->scene, &building);
            if (status != RCITY_OK) {
                return rcity_fail_prefix(reader->import->context, status, "'%s': ", vector->path);
            }
            reader->kept_count++;
        }
    }
    rcity_osm_parts_deinit(&reader->osm);
    return RCITY_OK;
}

static rcity_status read_building(void *user, const rcity_vector *vector, OGRFeatureH feature)
{
    building_reader *reader = user;
    rcity_import *import = reader->import;
    char kind[64] = "";
    if (vector->is_osm) {
        read_osm_kind(reader, feature, kind);
        if (kind[0] == '\0') {
            return RCITY_OK;
        }
    }
    import->report.feature_count++;
    if (vector->is_osm && is_no_prism(reader, feature, kind)) {
        return RCITY_OK;
    }
    rcity_building building = rcity_building_default();
    rcity_status status = rcity_polygons_read(vector, feature, &reader->polygons);
    if (status == RCITY_OK && !reader->polygons.has_polygon) {
        import->report.other_geometry_count++;
        return RCITY_OK;
    }
    if (status == RCITY_OK) {
        status = read_fields(reader, vector, feature, &building);
    }
    bool is_droppable = status == RCITY_ERR_FORMAT || status == RCITY_ERR_ARGUMENT || status == RCITY_ERR_GEOMETRY;
    if (is_droppable && rcity_scene_drops_invalid(import->scene)) {
        rcity_scene_note_dropped(import->scene);
        reader->invalid_count++;
        return RCITY_OK;
    }
    RCITY_TRY(status);
    if (isnan(building.height_m)) {
        return RCITY_OK; /* counted */
    }
    RCITY_TRY(check_ground(reader, vector, feature, &building));
    char material[RCITY_MATERIAL_NAME_BYTES];
    read_material(reader, feature, material);
    building.material = material[0] != '\0' ? material : NULL;
    import->report.part_count += (int64_t)reader->polygons.polygon_count;
    import->report.sliver_count += reader->polygons.sliver_count;
    rcity_import_widen_bounds(import, reader->polygons.box);
    char part[64] = "";
    rcity_vector_get_text(feature, &reader->part_tag, part, sizeof part);
    return add_parts(reader, vector, &building, vector->is_osm ? find_base(reader, feature) : 0.0, part[0] != '\0');
}

/* Degrees read as metres turn all buildings into slivers. */
static bool may_be_degrees(const rcity_vector *vector)
{
    OGREnvelope box;
    if ((vector->crs != NULL && !OSRIsProjected(vector->crs)) ||
        OGR_L_GetExtent(vector->layer, &box, TRUE) != OGRERR_NONE) {
        return false;
    }
    return fmax(fabs(box.MinX), fabs(box.MaxX)) <= 360.0 && fmax(fabs(box.MinY), fabs(box.MaxY)) <= 360.0;
}

static rcity_status read_source(building_reader *reader, const char *path)
{
    rcity_import *import = reader->import;
    double before[4];
    int64_t feature_count = import->report.feature_count;
    int64_t other_count = import->report.other_geometry_count;
    rcity_vector vector;
    rcity_status status;
    RCITY_TRY(rcity_vector_open(import, path, import->options->building_layer, "layer", &vector));
    RCITY_TRY_DONE(rcity_vector_aim(&vector));
    RCITY_TRY_DONE(find_fields(reader, &vector));
    rcity_import_begin_bounds(import, before);
    RCITY_TRY_DONE(rcity_vector_read(&vector, "read buildings", read_building, reader));
    RCITY_TRY_DONE(vector.is_osm ? add_osm(reader, &vector) : RCITY_OK);
    feature_count = import->report.feature_count - feature_count;
    other_count = import->report.other_geometry_count - other_count;
    if (feature_count == other_count) {
        status = rcity_fail(
            import->context, RCITY_ERR_FORMAT, "the layer %s of '%s' holds no %s (%lld features of other kinds)",
            OGR_L_GetName(vector.layer), path, vector.is_osm ? "building" : "polygon", (long long)other_count);
        goto done;
    }
    reader->may_be_degrees = reader->may_be_degrees || (reader->kept_count == 0 && may_be_degrees(&vector));
    status = rcity_import_join_bounds(import, path, REACH_M, before);
done:
    rcity_vector_close(&vector);
    return status;
}

/* After reading: are there buildings, and do all have a height? */
static rcity_status check_result(const building_reader *reader)
{
    const rcity_import_report *report = &reader->import->report;
    RCITY_CHECK(reader->import->context, reader->heightless_path == NULL, RCITY_ERR_FORMAT,
                "%lld of %lld buildings have no height; the first is feature %lld of '%s', where %s; give "
                "`default-height-m=METRES`, or leave them out with `no-height=drop`",
                (long long)report->without_height_count, (long long)report->feature_count, reader->heightless_id,
                reader->heightless_path, reader->heightless_why);
    RCITY_CHECK(
        reader->import->context, reader->kept_count > 0, RCITY_ERR_FORMAT,
        "none of %lld buildings can be used: %lld were left out for want of a height, %lld for values or shapes "
        "that are wrong (`bad-buildings=drop`), %lld are no polygons, %lld rings are slivers%s",
        (long long)report->feature_count, (long long)report->dropped_count, (long long)reader->invalid_count,
        (long long)report->other_geometry_count, (long long)report->sliver_count,
        report->sliver_count > 0 && reader->may_be_degrees
            ? "; are these longitudes and latitudes? Then say `crs=EPSG:4326`"
            : "");
    return RCITY_OK;
}

rcity_status rcity_import_buildings(rcity_import *import)
{
    const rcity_import_options *options = import->options;
    building_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.import = import;
    reader.osm.context = import->context;
    rcity_polygons_init(import->context, &reader.polygons);
    rcity_status status = RCITY_OK;
    for (int i = 0; i < options->building_path_count; i++) {
        RCITY_TRY_DONE(read_source(&reader, options->building_paths[i]));
    }
    status = options->building_path_count > 0 ? check_result(&reader) : RCITY_OK;
done:
    rcity_osm_parts_deinit(&reader.osm);
    rcity_polygons_deinit(&reader.polygons);
    return status;
}
