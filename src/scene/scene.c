/* A scene while it is being filled: buildings and terrain as they are added, checked one by one. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "scene/scene_data.h"

void rcity_scene_options_init(rcity_scene_options *options, size_t struct_bytes)
{
    rcity_scene_options made;
    memset(&made, 0, sizeof made);
    made.gap_m = 0.5;
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

void rcity_building_init(rcity_building *building, size_t struct_bytes)
{
    rcity_building made;
    memset(&made, 0, sizeof made);
    made.ground_m = (double)NAN;
    rcity_give_defaults(&made, sizeof made, struct_bytes, building);
}

rcity_status rcity_scene_create(rcity_context *context, const rcity_scene_options *options, rcity_scene **scene)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, options);
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_scene_options, options));
    RCITY_NEED(context, scene);
    RCITY_CHECK(context, options->gap_m >= 0.0 && options->gap_m <= RCITY_GAP_MAX_M, RCITY_ERR_ARGUMENT,
                "the gap to close is %g m, must be 0 to %g m", options->gap_m, RCITY_GAP_MAX_M);
    rcity_scene *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "a scene", &made));
    made->context = context;
    made->gap_m = options->gap_m;
    made->drop_invalid = options->drop_invalid;
    bool has_crs = options->crs != NULL && options->crs[0] != '\0';
    RCITY_TRY_DONE(rcity_copy_text(context, has_crs ? options->crs : "none", &made->crs));
    RCITY_TRY_DONE(rcity_copy_text(context, "", &made->source));
    *scene = made;
    made = NULL;
done:
    rcity_scene_destroy(&made);
    return status;
}

void rcity_scene_destroy(rcity_scene **scene)
{
    if (scene == NULL || *scene == NULL) {
        return;
    }
    rcity_scene *ended = *scene;
    rcity_context *context = ended->context;
    rcity_plan_index_deinit(context, &ended->vegetation_index);
    rcity_plan_index_deinit(context, &ended->wall_index);
    rcity_plan_index_deinit(context, &ended->prism_index);
    rcity_shapes_deinit(context, &ended->shapes);
    rcity_draft_deinit(context, &ended->draft);
    rcity_release(context, ended->source);
    rcity_release(context, ended->crs);
    rcity_release(context, ended);
    *scene = NULL;
}

rcity_status rcity_scene_check_open(const rcity_scene *scene)
{
    RCITY_CHECK(scene->context, !scene->is_committed, RCITY_ERR_STATE,
                "the scene is committed and cannot change; make a new one");
    return RCITY_OK;
}

/* Check every number of a building before anything is stored. */
static rcity_status check_building(rcity_context *context, const rcity_building *building,
                                   const rcity_draft_polygon *polygon)
{
    long long id = (long long)building->id;
    RCITY_CHECK(
        context, building->height_m >= RCITY_HEIGHT_MIN_M && building->height_m <= RCITY_HEIGHT_MAX_M,
        RCITY_ERR_GEOMETRY,
        "building %lld is %g m high, must be %g to %g m; correct the data or leave it out with `bad-buildings=drop`",
        id, building->height_m, RCITY_HEIGHT_MIN_M, RCITY_HEIGHT_MAX_M);
    RCITY_CHECK(context,
                isnan(building->ground_m) ||
                    (building->ground_m >= RCITY_ELEVATION_MIN_M && building->ground_m <= RCITY_ELEVATION_MAX_M),
                RCITY_ERR_GEOMETRY, "building %lld stands at %g m, must be %g to %g m", id, building->ground_m,
                RCITY_ELEVATION_MIN_M, RCITY_ELEVATION_MAX_M);
    RCITY_CHECK(context, building->material == NULL || strlen(building->material) < RCITY_MATERIAL_BYTES,
                RCITY_ERR_ARGUMENT, "the material of building %lld has over %d letters", id, RCITY_MATERIAL_BYTES - 1);
    return rcity_draft_check_polygon(context, polygon);
}

rcity_status rcity_scene_add_building(rcity_scene *scene, const rcity_building *building)
{
    RCITY_NEED(NULL, scene);
    rcity_building known_building;
    RCITY_TAKE(scene->context, rcity_building, material, building, &known_building);
    building = &known_building;
    rcity_context *context = scene->context;
    rcity_draft *draft = &scene->draft;
    const rcity_draft_polygon polygon = {"building", building->id, building->ring_count, building->ring_point_count,
                                         building->xy_m};
    RCITY_TRY(rcity_scene_check_open(scene));
    rcity_status status = check_building(context, building, &polygon);
    if (status != RCITY_OK && scene->drop_invalid) {
        draft->dropped_count++;
        return RCITY_OK;
    }
    RCITY_TRY(status);
    RCITY_TRY(rcity_reserve(context, draft->building_count + 1, sizeof *draft->buildings, &draft->building_capacity,
                            "buildings", &draft->buildings));
    RCITY_TRY(rcity_draft_reserve_rings(context, &polygon, &draft->building_rings));
    rcity_draft_building *added = &draft->buildings[draft->building_count++];
    memset(added, 0, sizeof *added);
    added->id = building->id;
    added->height_m = building->height_m;
    added->ground_m = building->ground_m;
    if (building->material != NULL) {
        memcpy(added->material, building->material, strlen(building->material));
    }
    added->first_ring = draft->building_rings.ring_count;
    added->ring_count = (size_t)building->ring_count;
    rcity_draft_add_rings(&polygon, &draft->building_rings);
    return RCITY_OK;
}

static rcity_status check_terrain(rcity_context *context, const rcity_terrain *terrain)
{
    RCITY_CHECK(context, terrain->column_count >= 2 && terrain->row_count >= 2, RCITY_ERR_ARGUMENT,
                "the terrain has %d x %d nodes, needs at least 2 x 2", terrain->column_count, terrain->row_count);
    RCITY_CHECK(context, terrain->cell_m >= 1.0 / 128.0 && terrain->cell_m <= RCITY_TERRAIN_CELL_MAX_M,
                RCITY_ERR_ARGUMENT, "the terrain's cell is %g m, must be 1/128 to %g m", terrain->cell_m,
                RCITY_TERRAIN_CELL_MAX_M);
    RCITY_CHECK(context,
                fabs(terrain->west_m) <= RCITY_COORDINATE_MAX_M && fabs(terrain->south_m) <= RCITY_COORDINATE_MAX_M,
                RCITY_ERR_ARGUMENT, "the terrain starts at (%g, %g), must be within %g m", terrain->west_m,
                terrain->south_m, RCITY_COORDINATE_MAX_M);
    size_t node_count = (size_t)terrain->column_count * (size_t)terrain->row_count;
    for (size_t node = 0; node < node_count; node++) {
        double height_m = (double)terrain->height_m[node];
        RCITY_CHECK(context, height_m >= RCITY_ELEVATION_MIN_M && height_m <= RCITY_ELEVATION_MAX_M, RCITY_ERR_ARGUMENT,
                    "the terrain's node (%zu, %zu) lies at %g m, must be %g to %g m; fill voids before",
                    node % (size_t)terrain->column_count, node / (size_t)terrain->column_count, height_m,
                    RCITY_ELEVATION_MIN_M, RCITY_ELEVATION_MAX_M);
    }
    return RCITY_OK;
}

/* The draft takes over checked heights. */
static void keep_terrain(rcity_scene *scene, const rcity_terrain *terrain, float *height_m)
{
    rcity_release(scene->context, scene->draft.terrain_height_m);
    scene->draft.terrain = *terrain;
    scene->draft.terrain.height_m = height_m;
    scene->draft.terrain_height_m = height_m;
}

rcity_status rcity_scene_take_terrain(rcity_scene *scene, const rcity_terrain *terrain, float **height_m)
{
    RCITY_TRY(rcity_scene_check_open(scene));
    RCITY_TRY(check_terrain(scene->context, terrain));
    keep_terrain(scene, terrain, *height_m);
    *height_m = NULL;
    return RCITY_OK;
}

static rcity_status scene_set_terrain(rcity_scene *scene, const rcity_terrain *terrain)
{
    RCITY_TRY(rcity_scene_check_open(scene));
    RCITY_TRY(check_terrain(scene->context, terrain));
    size_t node_count = (size_t)terrain->column_count * (size_t)terrain->row_count;
    float *copy = NULL;
    RCITY_TRY(rcity_alloc(scene->context, node_count, sizeof *copy, "the terrain", &copy));
    memcpy(copy, terrain->height_m, node_count * sizeof *copy);
    keep_terrain(scene, terrain, copy);
    return RCITY_OK;
}

rcity_status rcity_scene_set_terrain_sized(rcity_scene *scene, size_t terrain_bytes, const rcity_terrain *terrain)
{
    RCITY_NEED(NULL, scene);
    rcity_terrain known;
    RCITY_TAKE_SIZED(scene->context, rcity_terrain, terrain, terrain_bytes, &known);
    return scene_set_terrain(scene, &known);
}

rcity_status rcity_scene_set_source(rcity_scene *scene, const char *source)
{
    RCITY_NEED(NULL, scene);
    RCITY_NEED(scene->context, source);
    RCITY_TRY(rcity_scene_check_open(scene));
    size_t length = strlen(source);
    RCITY_CHECK(scene->context, length <= 255, RCITY_ERR_ARGUMENT, "the source line has %zu bytes, must be at most 255",
                length);
    for (size_t i = 0; i < length; i++) {
        RCITY_CHECK(scene->context, !iscntrl((unsigned char)source[i]), RCITY_ERR_ARGUMENT,
                    "the source line has a control character at byte %zu", i);
    }
    char *copy = NULL;
    RCITY_TRY(rcity_copy_text(scene->context, source, &copy));
    rcity_release(scene->context, scene->source);
    scene->source = copy;
    return RCITY_OK;
}

const rcity_shapes *rcity_scene_shapes(const rcity_scene *scene)
{
    return scene->is_committed ? &scene->shapes : NULL;
}

const char *rcity_scene_crs(const rcity_scene *scene)
{
    return scene->crs;
}

const char *rcity_scene_source(const rcity_scene *scene)
{
    return scene->source;
}

rcity_context *rcity_scene_context(const rcity_scene *scene)
{
    return scene->context;
}

bool rcity_scene_bound_buildings(const rcity_scene *scene, double box[4])
{
    const rcity_draft_rings *rings = &scene->draft.building_rings;
    box[0] = box[1] = HUGE_VAL;
    box[2] = box[3] = -HUGE_VAL;
    for (size_t point = 0; point < rings->point_count; point++) {
        box[0] = fmin(box[0], rings->xy_m[2 * point]);
        box[1] = fmin(box[1], rings->xy_m[2 * point + 1]);
        box[2] = fmax(box[2], rings->xy_m[2 * point]);
        box[3] = fmax(box[3], rings->xy_m[2 * point + 1]);
    }
    return rings->point_count > 0;
}

const rcity_terrain *rcity_scene_draft_terrain(const rcity_scene *scene)
{
    return scene->draft.terrain.column_count > 0 ? &scene->draft.terrain : NULL;
}

void rcity_scene_note_dropped(rcity_scene *scene)
{
    scene->draft.dropped_count++;
}

void rcity_scene_note_dropped_vegetation(rcity_scene *scene)
{
    scene->draft.dropped_vegetation_count++;
}

bool rcity_scene_drops_invalid(const rcity_scene *scene)
{
    return scene->drop_invalid;
}
