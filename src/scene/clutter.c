/* What lies on the ground besides buildings, while a scene is being filled: vegetation, land cover; and materials. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "scene/material.h"
#include "scene/scene_data.h"

#define LAND_LOSS_MIN_DB (-50.0)
#define LAND_LOSS_MAX_DB 100.0

static rcity_status scene_add_vegetation(rcity_scene *scene, const rcity_vegetation *vegetation)
{
    rcity_context *context = scene->context;
    rcity_draft *draft = &scene->draft;
    const rcity_draft_polygon polygon = {"vegetation", vegetation->id, vegetation->ring_count,
                                         vegetation->ring_point_count, vegetation->xy_m};
    RCITY_TRY(rcity_scene_check_open(scene));
    bool is_height = vegetation->height_m >= RCITY_HEIGHT_MIN_M && vegetation->height_m <= RCITY_VEGETATION_MAX_M;
    rcity_status status = is_height ? rcity_draft_check_polygon(context, &polygon) : RCITY_ERR_GEOMETRY;
    if (status != RCITY_OK && scene->drop_invalid) {
        draft->dropped_vegetation_count++;
        return RCITY_OK;
    }
    RCITY_CHECK(
        context, is_height, RCITY_ERR_GEOMETRY,
        "vegetation %lld is %g m high, must be %g to %g m; correct the data or leave it out with `bad-buildings=drop`",
        (long long)vegetation->id, vegetation->height_m, RCITY_HEIGHT_MIN_M, RCITY_VEGETATION_MAX_M);
    RCITY_TRY(status);
    RCITY_TRY(rcity_reserve(context, draft->vegetation_count + 1, sizeof *draft->vegetation,
                            &draft->vegetation_capacity, "vegetation", &draft->vegetation));
    RCITY_TRY(rcity_draft_reserve_rings(context, &polygon, &draft->vegetation_rings));
    rcity_draft_vegetation *added = &draft->vegetation[draft->vegetation_count++];
    added->id = vegetation->id;
    added->height_m = vegetation->height_m;
    added->first_ring = draft->vegetation_rings.ring_count;
    added->ring_count = (size_t)vegetation->ring_count;
    rcity_draft_add_rings(&polygon, &draft->vegetation_rings);
    return RCITY_OK;
}

rcity_status rcity_scene_add_vegetation_sized(rcity_scene *scene, size_t vegetation_bytes,
                                              const rcity_vegetation *vegetation)
{
    RCITY_NEED(NULL, scene);
    rcity_vegetation known;
    RCITY_TAKE_SIZED(scene->context, rcity_vegetation, vegetation, vegetation_bytes, &known);
    return scene_add_vegetation(scene, &known);
}

/* A name must fit into a record and be printable. */
static rcity_status check_class_name(rcity_context *context, const rcity_land_class *row)
{
    RCITY_CHECK(context, row->name != NULL && strlen(row->name) < RCITY_MATERIAL_BYTES, RCITY_ERR_ARGUMENT,
                "the name of land class %d has over %d letters, or there is none", row->code, RCITY_MATERIAL_BYTES - 1);
    for (const char *letter = row->name; *letter != '\0'; letter++) {
        RCITY_CHECK(context, !iscntrl((unsigned char)*letter), RCITY_ERR_ARGUMENT,
                    "the name of land class %d has a control character", row->code);
    }
    return RCITY_OK;
}

static rcity_status check_classes(rcity_context *context, const rcity_land_cover *land, bool is_known[256])
{
    RCITY_CHECK(context, land->class_count >= 1 && land->class_count <= 256, RCITY_ERR_ARGUMENT,
                "the land cover has %d classes, must be 1 to 256", land->class_count);
    for (int i = 0; i < land->class_count; i++) {
        const rcity_land_class *row = &land->classes[i];
        RCITY_CHECK(context, row->code >= 0 && row->code <= 255, RCITY_ERR_ARGUMENT,
                    "the land class '%.31s' has the code %d, must be 0 to 255", row->name != NULL ? row->name : "",
                    row->code);
        RCITY_CHECK(context, !is_known[row->code], RCITY_ERR_ARGUMENT, "the land class %d stands in the table twice",
                    row->code);
        is_known[row->code] = true;
        RCITY_TRY(check_class_name(context, row));
        RCITY_CHECK(context, row->height_m >= 0.0 && row->height_m <= RCITY_VEGETATION_MAX_M, RCITY_ERR_ARGUMENT,
                    "land class %d is %g m high, must be 0 to %g m", row->code, row->height_m, RCITY_VEGETATION_MAX_M);
        RCITY_CHECK(context, row->loss_db >= LAND_LOSS_MIN_DB && row->loss_db <= LAND_LOSS_MAX_DB, RCITY_ERR_ARGUMENT,
                    "land class %d adds %g dB, must be %g to %g dB", row->code, row->loss_db, LAND_LOSS_MIN_DB,
                    LAND_LOSS_MAX_DB);
    }
    return RCITY_OK;
}

static rcity_status check_land_cover(rcity_context *context, const rcity_land_cover *land)
{
    RCITY_CHECK(context,
                land->column_count >= 1 && land->row_count >= 1 && land->column_count <= INT32_MAX / land->row_count,
                RCITY_ERR_ARGUMENT, "the land cover has %d x %d cells, must be 1 to %d in all", land->column_count,
                land->row_count, INT32_MAX);
    RCITY_CHECK(context, land->cell_m >= RCITY_LAND_CELL_MIN_M && land->cell_m <= RCITY_TERRAIN_CELL_MAX_M,
                RCITY_ERR_ARGUMENT, "the land cover's cell is %g m, must be %g to %g m", land->cell_m,
                RCITY_LAND_CELL_MIN_M, RCITY_TERRAIN_CELL_MAX_M);
    RCITY_CHECK(context, fabs(land->west_m) <= RCITY_COORDINATE_MAX_M && fabs(land->south_m) <= RCITY_COORDINATE_MAX_M,
                RCITY_ERR_ARGUMENT, "the land cover starts at (%g, %g), must be within %g m", land->west_m,
                land->south_m, RCITY_COORDINATE_MAX_M);
    bool is_known[256] = {false};
    RCITY_TRY(check_classes(context, land, is_known));
    size_t cell_count = (size_t)land->column_count * (size_t)land->row_count;
    for (size_t cell = 0; cell < cell_count; cell++) {
        RCITY_CHECK(context, is_known[land->code[cell]], RCITY_ERR_ARGUMENT,
                    "the land cover's cell (%zu, %zu) has the code %d, which is not in the table; add a row for it",
                    cell % (size_t)land->column_count, cell / (size_t)land->column_count, land->code[cell]);
    }
    return RCITY_OK;
}

static rcity_status scene_set_land_cover(rcity_scene *scene, const rcity_land_cover *land_cover)
{
    rcity_context *context = scene->context;
    rcity_land_grid made = {0};
    rcity_status status;
    RCITY_TRY(rcity_scene_check_open(scene));
    RCITY_TRY(check_land_cover(context, land_cover));
    size_t cell_count = (size_t)land_cover->column_count * (size_t)land_cover->row_count;
    RCITY_TRY_DONE(rcity_alloc(context, cell_count, sizeof *made.code, "the land cover", &made.code));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)land_cover->class_count, sizeof *made.classes, "land classes", &made.classes));
    memcpy(made.code, land_cover->code, cell_count);
    for (int i = 0; i < land_cover->class_count; i++) {
        const rcity_land_class *row = &land_cover->classes[i];
        made.classes[i].code = row->code;
        made.classes[i].height_m = row->height_m;
        made.classes[i].loss_db = row->loss_db;
        memcpy(made.classes[i].name, row->name, strlen(row->name));
    }
    made.column_count = land_cover->column_count;
    made.row_count = land_cover->row_count;
    made.west_m = land_cover->west_m;
    made.south_m = land_cover->south_m;
    made.cell_m = land_cover->cell_m;
    made.class_count = land_cover->class_count;
    rcity_land_grid_deinit(context, &scene->draft.land_cover);
    scene->draft.land_cover = made;
    memset(&made, 0, sizeof made);
done:
    rcity_land_grid_deinit(context, &made);
    return status;
}

rcity_status rcity_scene_set_land_cover_sized(rcity_scene *scene, size_t land_cover_bytes,
                                              const rcity_land_cover *land_cover)
{
    RCITY_NEED(NULL, scene);
    rcity_land_cover known;
    RCITY_TAKE_SIZED(scene->context, rcity_land_cover, land_cover, land_cover_bytes, &known);
    return scene_set_land_cover(scene, &known);
}

void rcity_land_grid_deinit(rcity_context *context, rcity_land_grid *land)
{
    rcity_release(context, land->code);
    rcity_release(context, land->classes);
    memset(land, 0, sizeof *land);
}

const rcity_land_class_record *rcity_land_grid_find(const rcity_land_grid *land, int code)
{
    for (int64_t i = 0; i < land->class_count; i++) {
        if (land->classes[i].code == code) {
            return &land->classes[i];
        }
    }
    return NULL;
}

static rcity_status scene_add_material(rcity_scene *scene, const rcity_material *material)
{
    rcity_context *context = scene->context;
    rcity_draft *draft = &scene->draft;
    RCITY_TRY(rcity_scene_check_open(scene));
    RCITY_TRY(rcity_material_check(context, material));
    RCITY_CHECK(context,
                rcity_shapes_find_material(draft->materials, (int64_t)draft->material_count, material->name) == NULL,
                RCITY_ERR_ARGUMENT, "the material '%s' was added already", material->name);
    RCITY_CHECK(context, draft->material_count < RCITY_SCENE_MATERIAL_MAX, RCITY_ERR_ARGUMENT,
                "the scene has more than %d materials of its own", RCITY_SCENE_MATERIAL_MAX);
    RCITY_TRY(rcity_reserve(context, draft->material_count + 1, sizeof *draft->materials, &draft->material_capacity,
                            "materials", &draft->materials));
    rcity_material *added = &draft->materials[draft->material_count++];
    *added = *material;
    size_t length = strlen(material->name);
    memset(added->name + length, 0, sizeof added->name - length); /* the bytes after it are hashed too */
    return RCITY_OK;
}

rcity_status rcity_scene_add_material_sized(rcity_scene *scene, size_t material_bytes, const rcity_material *material)
{
    RCITY_NEED(NULL, scene);
    rcity_material known;
    RCITY_TAKE_SIZED(scene->context, rcity_material, material, material_bytes, &known);
    return scene_add_material(scene, &known);
}

const rcity_material *rcity_shapes_find_material(const rcity_material *materials, int64_t count, const char *name)
{
    for (int64_t i = 0; i < count; i++) {
        if (rcity_material_is_named(materials[i].name, name)) {
            return &materials[i];
        }
    }
    return NULL;
}

bool rcity_shapes_know_material(const rcity_material *materials, int64_t count, const char *name)
{
    rcity_material built_in;
    return name[0] == '\0' || rcity_shapes_find_material(materials, count, name) != NULL ||
           rcity_material_find(name, &built_in);
}
