/* Committing: the draft becomes shapes. Snap, clean, close gaps, stand on the terrain, cut facades, hash, index. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/clutter_commit.h"
#include "scene/frame.h"
#include "scene/place/terrain.h"
#include "scene/scene_data.h"
#include "scene/shape/facades.h"
#include "scene/shape/gaps.h"
#include "scene/shape/snap.h"

/* State passed from step to step. */
typedef struct commit_work {
    rcity_context *context;
    const rcity_draft *draft;
    rcity_shapes shapes;
    rcity_ring_cleaner cleaner;
    rcity_prism_rings rings;
    int32_t *prism_building;
    size_t prism_count, prism_capacity;
    int32_t *point_wall;
    size_t *record_draft; /* number in the draft of each building that was kept */
} commit_work;

static rcity_status fail_building(commit_work *work, const rcity_draft_building *building,
                                  const rcity_ring_defect *defect)
{
    const char *what = defect->fault == RCITY_RING_CROSSES ? "crosses itself" : "has no area";
    return rcity_fail(
        work->context, RCITY_ERR_GEOMETRY,
        "the outline of building %lld %s near (%.2f, %.2f); correct the data or leave it out with `bad-buildings=drop`",
        (long long)building->id, what, work->shapes.origin_x_m + (double)defect->at.x / work->shapes.units_per_m,
        work->shapes.origin_y_m + (double)defect->at.y / work->shapes.units_per_m);
}

/* Does the terrain, if there is any, reach under the whole building? The test takes the snapped corners: gaps are
   closed within their box, so the answer stays true. */
static bool is_on_terrain(const commit_work *work, const rcity_draft_building *building, double box[4])
{
    const rcity_terrain_grid *terrain = &work->shapes.terrain;
    rcity_snap_bounds(&work->draft->building_rings, building->first_ring, building->ring_count, &work->shapes, box);
    double east = terrain->west + (double)(terrain->column_count - 1) * terrain->cell;
    double north = terrain->south + (double)(terrain->row_count - 1) * terrain->cell;
    return terrain->column_count == 0 ||
           (box[0] >= terrain->west && box[1] >= terrain->south && box[2] <= east && box[3] <= north);
}

/* The rings that cleaning appended from `ring` on: every counter-clockwise one starts a prism. */
static rcity_status note_prisms(commit_work *work, size_t ring, int32_t building)
{
    rcity_outline *outline = &work->rings.outline;
    RCITY_TRY(rcity_reserve(work->context, outline->ring_count, sizeof *work->rings.ring_prism,
                            &work->rings.ring_prism_capacity, "outlines", &work->rings.ring_prism));
    for (; ring < outline->ring_count; ring++) {
        const int32_t *first = outline->ring_first + ring;
        if (rcity_ring_area2(outline->points + first[0], (size_t)(first[1] - first[0])) > 0) {
            RCITY_TRY(rcity_reserve(work->context, work->prism_count + 1, sizeof *work->prism_building,
                                    &work->prism_capacity, "outlines", &work->prism_building));
            work->prism_building[work->prism_count++] = building;
        }
        work->rings.ring_prism[ring] = (int32_t)work->prism_count - 1;
    }
    return RCITY_OK;
}

/* One building's rings, cleaned and appended; `*is_sound` says whether it was kept. */
static rcity_status clean_building(commit_work *work, const rcity_draft_building *building, bool drop_invalid,
                                   int32_t *next_wall, rcity_outline *snapped, bool *is_sound)
{
    const rcity_shapes *shapes = &work->shapes;
    double box[4];
    *is_sound = is_on_terrain(work, building, box);
    RCITY_CHECK(work->context, *is_sound || drop_invalid, RCITY_ERR_GEOMETRY,
                "building %lld near (%.1f, %.1f) lies outside the terrain; give terrain that covers all buildings, or "
                "leave it out with `bad-buildings=drop`",
                (long long)building->id, shapes->origin_x_m + box[0] / shapes->units_per_m,
                shapes->origin_y_m + box[1] / shapes->units_per_m);
    if (!*is_sound) {
        return RCITY_OK;
    }
    rcity_ring_defect defect;
    RCITY_TRY(rcity_snap_rings(&work->cleaner, &work->draft->building_rings, building->first_ring, building->ring_count,
                               shapes, next_wall, snapped));
    RCITY_TRY(rcity_ring_clean(&work->cleaner, snapped, &work->rings.outline, &defect));
    *is_sound = defect.fault == RCITY_RING_SOUND;
    return *is_sound || drop_invalid ? RCITY_OK : fail_building(work, building, &defect);
}

/* Step 3: clean every building. */
static rcity_status clean_buildings(commit_work *work, bool drop_invalid)
{
    const rcity_draft *draft = work->draft;
    rcity_outline snapped = {0};
    rcity_status status = RCITY_OK;
    int32_t next_wall = 0;
    for (size_t i = 0; i < draft->building_count; i++) {
        const rcity_draft_building *building = &draft->buildings[i];
        int32_t first_wall = next_wall;
        size_t ring = work->rings.outline.ring_count;
        bool is_sound;
        RCITY_TRY_DONE(clean_building(work, building, drop_invalid, &next_wall, &snapped, &is_sound));
        if (!is_sound) {
            work->cleaner.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS]++;
            next_wall = first_wall;
            continue;
        }
        rcity_building_record *record = &work->shapes.buildings[work->shapes.building_count];
        record->id = building->id;
        record->height = rcity_snap_height(building->height_m);
        record->wall_count = next_wall - first_wall;
        memcpy(record->material, building->material, sizeof record->material);
        RCITY_TRY_DONE(note_prisms(work, ring, (int32_t)work->shapes.building_count));
        work->record_draft[work->shapes.building_count++] = i;
        if (i % 1024 == 0) {
            RCITY_TRY_DONE(rcity_progress(work->context, "clean", (double)i, (double)draft->building_count));
        }
    }
    work->shapes.wall_count = next_wall;
    status = rcity_progress(work->context, "clean", (double)draft->building_count, (double)draft->building_count);
done:
    rcity_outline_deinit(work->context, &snapped);
    return status;
}

static void bound_prism(const rcity_shapes *shapes, rcity_prism *prism)
{
    prism->x_min = prism->y_min = INT32_MAX;
    prism->x_max = prism->y_max = INT32_MIN;
    for (int32_t point = shapes->ring_first[prism->first_ring]; point < shapes->ring_first[prism->first_ring + 1];
         point++) {
        rcity_grid_point at = shapes->points[point];
        prism->x_min = at.x < prism->x_min ? at.x : prism->x_min;
        prism->y_min = at.y < prism->y_min ? at.y : prism->y_min;
        prism->x_max = at.x > prism->x_max ? at.x : prism->x_max;
        prism->y_max = at.y > prism->y_max ? at.y : prism->y_max;
    }
}

/* Step 4: the cleaned rings become points, rings and prisms. */
static rcity_status lay_out_prisms(commit_work *work)
{
    rcity_shapes *shapes = &work->shapes;
    const rcity_outline *outline = &work->rings.outline;
    RCITY_TRY(rcity_alloc(work->context, outline->point_count, sizeof *shapes->points, "walls", &shapes->points));
    RCITY_TRY(rcity_alloc(work->context, outline->point_count, sizeof *work->point_wall, "walls", &work->point_wall));
    RCITY_TRY(
        rcity_alloc(work->context, outline->ring_count + 1, sizeof *shapes->ring_first, "walls", &shapes->ring_first));
    RCITY_TRY(rcity_alloc(work->context, work->prism_count, sizeof *shapes->prisms, "walls", &shapes->prisms));
    for (size_t point = 0; point < outline->point_count; point++) {
        shapes->points[point] = outline->points[point].at;
        work->point_wall[point] = outline->points[point].wall;
    }
    if (outline->ring_count > 0) {
        memcpy(shapes->ring_first, outline->ring_first, (outline->ring_count + 1) * sizeof *shapes->ring_first);
    }
    shapes->point_count = (int64_t)outline->point_count;
    shapes->ring_count = (int64_t)outline->ring_count;
    shapes->prism_count = (int64_t)work->prism_count;
    for (size_t ring = 0; ring < outline->ring_count; ring++) {
        rcity_prism *prism = &shapes->prisms[work->rings.ring_prism[ring]];
        if (prism->ring_count++ == 0) {
            prism->first_ring = (int32_t)ring;
            prism->building = work->prism_building[work->rings.ring_prism[ring]];
        }
    }
    for (size_t i = 0; i < work->prism_count; i++) {
        bound_prism(shapes, &shapes->prisms[i]);
    }
    return RCITY_OK;
}

/* Step 2: the terrain on the grid. */
static rcity_status snap_terrain(commit_work *work)
{
    const rcity_terrain *draft = &work->draft->terrain;
    rcity_terrain_grid *terrain = &work->shapes.terrain;
    if (draft->column_count == 0) {
        return RCITY_OK;
    }
    double cell = draft->cell_m * work->shapes.units_per_m;
    RCITY_CHECK(work->context, fabs(cell - round(cell)) < 1e-6 && cell >= 1.0, RCITY_ERR_ARGUMENT,
                "the terrain's cell is %.9g m, must be a multiple of 1/%d m in this scene; resample it", draft->cell_m,
                work->shapes.units_per_m);
    size_t node_count = (size_t)draft->column_count * (size_t)draft->row_count;
    RCITY_TRY(rcity_alloc(work->context, node_count, sizeof *terrain->height, "the terrain", &terrain->height));
    terrain->column_count = draft->column_count;
    terrain->row_count = draft->row_count;
    terrain->cell = (int32_t)lround(cell);
    terrain->west = rcity_snap_plan(draft->west_m, work->shapes.origin_x_m, work->shapes.units_per_m);
    terrain->south = rcity_snap_plan(draft->south_m, work->shapes.origin_y_m, work->shapes.units_per_m);
    for (size_t node = 0; node < node_count; node++) {
        terrain->height[node] = rcity_snap_height((double)draft->height_m[node]);
    }
    return RCITY_OK;
}

/* Step 5: put every prism on its ground. */
static void stand_on_ground(commit_work *work)
{
    rcity_shapes *shapes = &work->shapes;
    const rcity_terrain_grid *terrain = &shapes->terrain;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        rcity_prism *prism = &shapes->prisms[i];
        const rcity_building_record *record = &shapes->buildings[prism->building];
        const rcity_draft_building *building = &work->draft->buildings[work->record_draft[prism->building]];
        prism->ground = isnan(building->ground_m) ? rcity_terrain_lowest_under(terrain, shapes, prism)
                                                  : rcity_snap_height(building->ground_m);
        prism->roof = prism->ground + record->height;
    }
}

static void include_box(rcity_plan_box box, rcity_shapes *shapes)
{
    shapes->x_min = box.x_min < shapes->x_min ? box.x_min : shapes->x_min;
    shapes->y_min = box.y_min < shapes->y_min ? box.y_min : shapes->y_min;
    shapes->x_max = box.x_max > shapes->x_max ? box.x_max : shapes->x_max;
    shapes->y_max = box.y_max > shapes->y_max ? box.y_max : shapes->y_max;
}

/* Buildings and terrain, or vegetation where there is neither. */
static void bound_scene(rcity_shapes *shapes)
{
    const rcity_terrain_grid *terrain = &shapes->terrain;
    shapes->x_min = shapes->y_min = INT32_MAX;
    shapes->x_max = shapes->y_max = INT32_MIN;
    if (terrain->column_count > 0) {
        rcity_plan_box box = {terrain->west, terrain->south,
                              terrain->west + (terrain->column_count - 1) * terrain->cell,
                              terrain->south + (terrain->row_count - 1) * terrain->cell};
        include_box(box, shapes);
    }
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        rcity_plan_box box = {prism->x_min, prism->y_min, prism->x_max, prism->y_max};
        include_box(box, shapes);
    }
    bool has_bounds = terrain->column_count > 0 || shapes->prism_count > 0;
    for (int64_t i = 0; i < shapes->vegetation_count && !has_bounds; i++) {
        const rcity_vegetation_record *record = &shapes->vegetation[i];
        rcity_plan_box box = {record->x_min, record->y_min, record->x_max, record->y_max};
        include_box(box, shapes);
    }
}

/* The indexes of a scene while it is being committed. */
typedef struct commit_indexes {
    rcity_plan_index prisms, walls, vegetation;
} commit_indexes;

/* Steps 3 to 5: everything that stands on the ground. */
static rcity_status build_solids(commit_work *work, const rcity_scene *scene)
{
    const rcity_draft *draft = work->draft;
    rcity_shapes *shapes = &work->shapes;
    RCITY_TRY(
        rcity_alloc(work->context, draft->building_count, sizeof *shapes->buildings, "buildings", &shapes->buildings));
    RCITY_TRY(rcity_alloc(work->context, draft->building_count, sizeof *work->record_draft, "buildings",
                          &work->record_draft));
    RCITY_TRY(clean_buildings(work, scene->drop_invalid));
    RCITY_TRY(rcity_gaps_close(&work->cleaner, &work->rings, (int32_t)floor(scene->gap_m * shapes->units_per_m)));
    RCITY_TRY(lay_out_prisms(work));
    stand_on_ground(work);
    RCITY_TRY(rcity_clutter_clean_vegetation(&work->cleaner, draft, scene->drop_invalid, shapes));
    RCITY_CHECK(
        work->context, shapes->building_count > 0 || draft->terrain.column_count > 0 || shapes->vegetation_count > 0,
        RCITY_ERR_GEOMETRY,
        "all %lld buildings and vegetation were dropped; see what is wrong with them without `bad-buildings=drop`",
        (long long)draft->building_count + (long long)draft->dropped_count + (long long)draft->vegetation_count +
            (long long)draft->dropped_vegetation_count);
    return RCITY_OK;
}

static rcity_status build_shapes(commit_work *work, const rcity_scene *scene, commit_indexes *indexes,
                                 rcity_scene_info *info)
{
    rcity_context *context = work->context;
    const rcity_draft *draft = work->draft;
    rcity_shapes *shapes = &work->shapes;
    RCITY_TRY(rcity_clutter_check_materials(context, draft));
    RCITY_TRY(rcity_frame_choose(context, draft, scene->drop_invalid, shapes));
    RCITY_TRY(snap_terrain(work));
    RCITY_TRY(build_solids(work, scene));
    shapes->land_cover = draft->land_cover; /* moved on success */
    shapes->materials = draft->materials;
    shapes->material_count = (int64_t)draft->material_count;
    bound_scene(shapes);
    RCITY_TRY(rcity_shapes_index_prisms(context, shapes, &indexes->prisms));
    RCITY_TRY(rcity_facades_build(context, &indexes->prisms, work->point_wall, shapes));
    RCITY_TRY(rcity_shapes_index_walls(context, shapes, &indexes->walls));
    RCITY_TRY(rcity_shapes_index_vegetation(context, shapes, &indexes->vegetation));
    memcpy(shapes->repair_count, work->cleaner.repair_count, sizeof shapes->repair_count);
    shapes->repair_count[RCITY_REPAIR_DROPPED_BUILDINGS] += draft->dropped_count;
    shapes->repair_count[RCITY_REPAIR_DROPPED_VEGETATION] += draft->dropped_vegetation_count;
    rcity_shapes_hash(shapes, scene->crs, shapes->hash);
    return rcity_scene_summarize(context, shapes, info);
}

rcity_status rcity_scene_commit(rcity_scene *scene)
{
    RCITY_NEED(NULL, scene);
    rcity_context *context = scene->context;
    RCITY_CHECK(context, !scene->is_committed, RCITY_ERR_STATE, "the scene is committed already");
    commit_work work;
    memset(&work, 0, sizeof work);
    work.context = context;
    work.draft = &scene->draft;
    rcity_ring_cleaner_init(context, &work.cleaner);
    commit_indexes indexes;
    memset(&indexes, 0, sizeof indexes);
    rcity_scene_info info;
    rcity_status status = build_shapes(&work, scene, &indexes, &info);
    if (status == RCITY_OK) {
        scene->info = info;
        scene->shapes = work.shapes;
        scene->prism_index = indexes.prisms;
        scene->wall_index = indexes.walls;
        scene->vegetation_index = indexes.vegetation;
        scene->is_committed = true;
        memset(&scene->draft.land_cover, 0, sizeof scene->draft.land_cover);
        scene->draft.materials = NULL;
        rcity_draft_deinit(context, &scene->draft);
    } else {
        rcity_plan_index_deinit(context, &indexes.vegetation);
        rcity_plan_index_deinit(context, &indexes.walls);
        rcity_plan_index_deinit(context, &indexes.prisms);
        memset(&work.shapes.land_cover, 0, sizeof work.shapes.land_cover); /* they remain in the draft */
        work.shapes.materials = NULL;
        rcity_shapes_deinit(context, &work.shapes);
    }
    rcity_release(context, work.record_draft);
    rcity_release(context, work.point_wall);
    rcity_release(context, work.prism_building);
    rcity_release(context, work.rings.ring_prism);
    rcity_outline_deinit(context, &work.rings.outline);
    rcity_ring_cleaner_deinit(&work.cleaner);
    return status;
}
