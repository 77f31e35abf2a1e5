/* Committing: the draft becomes shapes. Snap, clean, close gaps, stand on the terrain, cut facades, hash, index. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "scene/facades.h"
#include "scene/gaps.h"
#include "scene/scene_data.h"
#include "scene/terrain.h"

/* The finest plan grid, and the widest scene it serves: 16 km. Larger scenes take a coarser grid. */
#define UNITS_PER_M_MAX  128
#define EXTENT_MAX_UNITS (1 << 21)

/* What is handed from step to step. */
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

static void include_point(double x_m, double y_m, double bounds[4])
{
    bounds[0] = fmin(bounds[0], x_m);
    bounds[1] = fmin(bounds[1], y_m);
    bounds[2] = fmax(bounds[2], x_m);
    bounds[3] = fmax(bounds[3], y_m);
}

/* Step 1: the local origin on whole metres, and the grid that fits the extent. */
static rcity_status choose_frame(commit_work *work)
{
    const rcity_draft *draft = work->draft;
    double bounds[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t point = 0; point < draft->point_count; point++) {
        include_point(draft->xy_m[2 * point], draft->xy_m[2 * point + 1], bounds);
    }
    const rcity_terrain *terrain = &draft->terrain;
    if (terrain->column_count > 0) {
        include_point(terrain->west_m, terrain->south_m, bounds);
        include_point(terrain->west_m + (terrain->column_count - 1) * terrain->cell_m,
                      terrain->south_m + (terrain->row_count - 1) * terrain->cell_m, bounds);
    }
    RCITY_CHECK(work->context, bounds[0] <= bounds[2] || draft->dropped_count == 0, RCITY_ERR_GEOMETRY,
                "all %lld buildings were dropped; see what is wrong with them without --bad drop",
                (long long)draft->dropped_count);
    RCITY_CHECK(work->context, bounds[0] <= bounds[2], RCITY_ERR_ARGUMENT,
                "the scene has neither a building nor terrain; add some before commit");
    rcity_shapes *shapes = &work->shapes;
    shapes->origin_x_m = floor(bounds[0]);
    shapes->origin_y_m = floor(bounds[1]);
    double extent_m = fmax(bounds[2] - shapes->origin_x_m, bounds[3] - shapes->origin_y_m);
    int32_t units_per_m = UNITS_PER_M_MAX;
    while (units_per_m > 1 && extent_m * units_per_m > EXTENT_MAX_UNITS) {
        units_per_m /= 2;
    }
    RCITY_CHECK(work->context, extent_m * units_per_m <= EXTENT_MAX_UNITS, RCITY_ERR_ARGUMENT,
                "the scene is %.0f km wide, must be at most %.0f km; cut it, and check that its CRS is in metres",
                extent_m / 1000.0, EXTENT_MAX_UNITS / 1000.0);
    shapes->units_per_m = units_per_m;
    if (units_per_m < UNITS_PER_M_MAX) {
        rcity_log(work->context, RCITY_LOG_WARNING,
                  "the scene spans %.1f km from (%.0f, %.0f): corners are snapped to 1/%d m; a stray building far "
                  "away costs precision everywhere",
                  extent_m / 1000.0, bounds[0], bounds[1], units_per_m);
    }
    return RCITY_OK;
}

static int32_t snap_plan(double value_m, double origin_m, int32_t units_per_m)
{
    return (int32_t)lround((value_m - origin_m) * units_per_m);
}

static int32_t snap_height(double height_m)
{
    return (int32_t)lround(height_m * RCITY_HEIGHT_UNITS_PER_M);
}

/* One building's rings on the grid; each point starts the wall of its number. */
static rcity_status snap_building(commit_work *work, const rcity_draft_building *building, int32_t *next_wall,
                                  rcity_outline *snapped)
{
    const rcity_draft *draft = work->draft;
    rcity_ring_cleaner *cleaner = &work->cleaner;
    rcity_outline_clear(snapped);
    for (size_t ring = building->first_ring; ring < building->first_ring + building->ring_count; ring++) {
        size_t count = draft->ring_first[ring + 1] - draft->ring_first[ring];
        RCITY_TRY(rcity_reserve(work->context, count, sizeof *cleaner->ring, &cleaner->ring_capacity, "outlines",
                                &cleaner->ring));
        for (size_t i = 0; i < count; i++) {
            const double *xy_m = draft->xy_m + 2 * (draft->ring_first[ring] + i);
            cleaner->ring[i].at.x = snap_plan(xy_m[0], work->shapes.origin_x_m, work->shapes.units_per_m);
            cleaner->ring[i].at.y = snap_plan(xy_m[1], work->shapes.origin_y_m, work->shapes.units_per_m);
            cleaner->ring[i].wall = (*next_wall)++;
        }
        RCITY_TRY(rcity_outline_add_ring(work->context, snapped, cleaner->ring, count));
    }
    return RCITY_OK;
}

static rcity_status fail_building(commit_work *work, const rcity_draft_building *building,
                                  const rcity_ring_defect *defect)
{
    const char *what = defect->fault == RCITY_RING_CROSSES ? "crosses itself" : "has no area";
    return rcity_fail(
        work->context, RCITY_ERR_GEOMETRY,
        "the outline of building %lld %s near (%.2f, %.2f); correct the data or leave it out with --bad drop",
        (long long)building->id, what, work->shapes.origin_x_m + (double)defect->at.x / work->shapes.units_per_m,
        work->shapes.origin_y_m + (double)defect->at.y / work->shapes.units_per_m);
}

/* The rings that cleaning appended since `ring`: every counter-clockwise one starts a prism. */
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

/* Step 2: clean every building. */
static rcity_status clean_buildings(commit_work *work, bool drop_invalid)
{
    const rcity_draft *draft = work->draft;
    rcity_outline snapped = {0};
    rcity_status status = RCITY_OK;
    int32_t next_wall = 0;
    for (size_t i = 0; i < draft->building_count; i++) {
        const rcity_draft_building *building = &draft->buildings[i];
        int32_t first_wall = next_wall;
        RCITY_TRY_DONE(snap_building(work, building, &next_wall, &snapped));
        size_t ring = work->rings.outline.ring_count;
        rcity_ring_defect defect;
        RCITY_TRY_DONE(rcity_ring_clean(&work->cleaner, &snapped, &work->rings.outline, &defect));
        if (defect.fault != RCITY_RING_SOUND) {
            if (!drop_invalid) {
                status = fail_building(work, building, &defect);
                goto done;
            }
            work->cleaner.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS]++;
            next_wall = first_wall;
            continue;
        }
        rcity_building_record *record = &work->shapes.buildings[work->shapes.building_count];
        record->id = building->id;
        record->height = snap_height(building->height_m);
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

/* Step 3: the cleaned rings become points, rings and prisms. */
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

/* Step 4: the terrain on the grid. */
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
    terrain->west = snap_plan(draft->west_m, work->shapes.origin_x_m, work->shapes.units_per_m);
    terrain->south = snap_plan(draft->south_m, work->shapes.origin_y_m, work->shapes.units_per_m);
    for (size_t node = 0; node < node_count; node++) {
        terrain->height[node] = snap_height((double)draft->height_m[node]);
    }
    return RCITY_OK;
}

/* Step 5: every prism on its ground. */
static rcity_status stand_on_ground(commit_work *work)
{
    rcity_shapes *shapes = &work->shapes;
    const rcity_terrain_grid *terrain = &shapes->terrain;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        rcity_prism *prism = &shapes->prisms[i];
        const rcity_building_record *record = &shapes->buildings[prism->building];
        const rcity_draft_building *building = &work->draft->buildings[work->record_draft[prism->building]];
        if (terrain->column_count > 0) {
            RCITY_CHECK(
                work->context,
                rcity_terrain_contains(terrain, prism->x_min, prism->y_min) &&
                    rcity_terrain_contains(terrain, prism->x_max, prism->y_max),
                RCITY_ERR_GEOMETRY,
                "building %lld near (%.1f, %.1f) lies outside the terrain; give terrain that covers all buildings",
                (long long)record->id, shapes->origin_x_m + (double)prism->x_min / shapes->units_per_m,
                shapes->origin_y_m + (double)prism->y_min / shapes->units_per_m);
        }
        prism->ground = isnan(building->ground_m) ? rcity_terrain_lowest_under(terrain, shapes, prism)
                                                  : snap_height(building->ground_m);
        prism->roof = prism->ground + record->height;
    }
    return RCITY_OK;
}

static void bound_scene(rcity_shapes *shapes)
{
    shapes->x_min = shapes->y_min = INT32_MAX;
    shapes->x_max = shapes->y_max = INT32_MIN;
    for (int64_t i = -1; i < shapes->prism_count; i++) {
        rcity_prism box = {0};
        if (i >= 0) {
            box = shapes->prisms[i];
        } else if (shapes->terrain.column_count > 0) {
            const rcity_terrain_grid *terrain = &shapes->terrain;
            box.x_min = terrain->west;
            box.y_min = terrain->south;
            box.x_max = terrain->west + (terrain->column_count - 1) * terrain->cell;
            box.y_max = terrain->south + (terrain->row_count - 1) * terrain->cell;
        } else {
            continue;
        }
        shapes->x_min = box.x_min < shapes->x_min ? box.x_min : shapes->x_min;
        shapes->y_min = box.y_min < shapes->y_min ? box.y_min : shapes->y_min;
        shapes->x_max = box.x_max > shapes->x_max ? box.x_max : shapes->x_max;
        shapes->y_max = box.y_max > shapes->y_max ? box.y_max : shapes->y_max;
    }
}

static rcity_status build_shapes(commit_work *work, const rcity_scene *scene, rcity_plan_index *prism_index,
                                 rcity_plan_index *wall_index, rcity_scene_info *info)
{
    const rcity_draft *draft = work->draft;
    rcity_shapes *shapes = &work->shapes;
    RCITY_TRY(choose_frame(work));
    RCITY_TRY(
        rcity_alloc(work->context, draft->building_count, sizeof *shapes->buildings, "buildings", &shapes->buildings));
    RCITY_TRY(rcity_alloc(work->context, draft->building_count, sizeof *work->record_draft, "buildings",
                          &work->record_draft));
    RCITY_TRY(clean_buildings(work, scene->drop_invalid));
    RCITY_CHECK(work->context, shapes->building_count > 0 || draft->terrain.column_count > 0, RCITY_ERR_GEOMETRY,
                "all %lld buildings were dropped; see what is wrong with them without --bad drop",
                (long long)draft->building_count + (long long)draft->dropped_count);
    RCITY_TRY(rcity_gaps_close(&work->cleaner, &work->rings, (int32_t)floor(scene->gap_m * shapes->units_per_m)));
    RCITY_TRY(lay_out_prisms(work));
    RCITY_TRY(snap_terrain(work));
    RCITY_TRY(stand_on_ground(work));
    bound_scene(shapes);
    RCITY_TRY(rcity_shapes_index_prisms(work->context, shapes, prism_index));
    RCITY_TRY(rcity_facades_build(work->context, prism_index, work->point_wall, shapes));
    RCITY_TRY(rcity_shapes_index_walls(work->context, shapes, wall_index));
    memcpy(shapes->repair_count, work->cleaner.repair_count, sizeof shapes->repair_count);
    shapes->repair_count[RCITY_REPAIR_DROPPED_BUILDINGS] += draft->dropped_count;
    rcity_shapes_hash(shapes, scene->crs, shapes->hash);
    return rcity_scene_summarize(work->context, shapes, info);
}

rcity_status rcity_scene_commit(rcity_scene *scene)
{
    assert(scene != NULL);
    rcity_context *context = scene->context;
    RCITY_CHECK(context, !scene->is_committed, RCITY_ERR_STATE, "the scene is committed already");
    commit_work work;
    memset(&work, 0, sizeof work);
    work.context = context;
    work.draft = &scene->draft;
    rcity_ring_cleaner_init(context, &work.cleaner);
    rcity_plan_index prism_index = {0};
    rcity_plan_index wall_index = {0};
    rcity_scene_info info;
    rcity_status status = build_shapes(&work, scene, &prism_index, &wall_index, &info);
    if (status == RCITY_OK) {
        scene->info = info;
        scene->shapes = work.shapes;
        scene->prism_index = prism_index;
        scene->wall_index = wall_index;
        scene->is_committed = true;
        rcity_draft_deinit(context, &scene->draft);
    } else {
        rcity_plan_index_deinit(context, &wall_index);
        rcity_plan_index_deinit(context, &prism_index);
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
