/* Committing vegetation: the same cleaning as for buildings, but nothing is cut from it and nothing moves. */
#include "scene/clutter_commit.h"

#include <string.h>

#include "scene/scene_data.h"
#include "scene/shape/snap.h"

rcity_status rcity_clutter_check_materials(rcity_context *context, const rcity_draft *draft)
{
    const char *known = ""; /* neighbours mostly share their name */
    for (size_t i = 0; i < draft->building_count; i++) {
        const rcity_draft_building *building = &draft->buildings[i];
        if (strcmp(building->material, known) == 0) {
            continue;
        }
        RCITY_CHECK(
            context, rcity_shapes_know_material(draft->materials, (int64_t)draft->material_count, building->material),
            RCITY_ERR_ARGUMENT,
            "building %lld is made of '%s', which is no material known; give it with `materials` or correct the name",
            (long long)building->id, building->material);
        known = building->material;
    }
    return RCITY_OK;
}

/* State passed from step to step. */
typedef struct vegetation_work {
    rcity_ring_cleaner *cleaner;
    const rcity_draft *draft;
    rcity_shapes *shapes;
    rcity_outline snapped;
    rcity_outline cleaned;
    size_t capacity; /* of shapes->vegetation */
} vegetation_work;

/* Lowest terrain in a box, the nodes around it included. */
static int32_t lowest_ground(const rcity_terrain_grid *terrain, const rcity_vegetation_record *record)
{
    if (terrain->column_count == 0) {
        return 0;
    }
    const int64_t cell = terrain->cell;
    const int64_t low[2] = {(int64_t)record->x_min - terrain->west, (int64_t)record->y_min - terrain->south};
    const int64_t high[2] = {(int64_t)record->x_max - terrain->west, (int64_t)record->y_max - terrain->south};
    const int64_t last[2] = {terrain->column_count - 1, terrain->row_count - 1};
    int64_t begin[2];
    int64_t end[2];
    for (int axis = 0; axis < 2; axis++) {
        begin[axis] = low[axis] > 0 ? low[axis] / cell : 0;
        end[axis] = high[axis] > 0 ? (high[axis] + cell - 1) / cell : 0;
        begin[axis] = begin[axis] < last[axis] ? begin[axis] : last[axis];
        end[axis] = end[axis] < last[axis] ? end[axis] : last[axis];
    }
    int32_t lowest = INT32_MAX;
    for (int64_t row = begin[1]; row <= end[1]; row++) {
        for (int64_t column = begin[0]; column <= end[0]; column++) {
            int32_t height = terrain->height[row * terrain->column_count + column];
            lowest = height < lowest ? height : lowest;
        }
    }
    return lowest;
}

/* The rings that cleaning appended from `ring` on: every counter-clockwise one starts a record. */
static rcity_status note_records(vegetation_work *work, size_t ring, const rcity_draft_vegetation *vegetation)
{
    rcity_shapes *shapes = work->shapes;
    const rcity_outline *outline = &work->cleaned;
    for (; ring < outline->ring_count; ring++) {
        const int32_t *first = outline->ring_first + ring;
        if (rcity_ring_area2(outline->points + first[0], (size_t)(first[1] - first[0])) < 0) {
            shapes->vegetation[shapes->vegetation_count - 1].ring_count++;
            continue;
        }
        RCITY_TRY(rcity_reserve(work->cleaner->context, (size_t)shapes->vegetation_count + 1,
                                sizeof *shapes->vegetation, &work->capacity, "vegetation", &shapes->vegetation));
        rcity_vegetation_record *record = &shapes->vegetation[shapes->vegetation_count++];
        rcity_grid_point start = outline->points[first[0]].at;
        memset(record, 0, sizeof *record);
        record->id = vegetation->id;
        record->first_ring = (int32_t)ring;
        record->ring_count = 1;
        record->height = rcity_snap_height(vegetation->height_m);
        record->x_min = record->x_max = start.x;
        record->y_min = record->y_max = start.y;
        for (int32_t point = first[0]; point < first[1]; point++) {
            rcity_grid_point at = outline->points[point].at;
            record->x_min = at.x < record->x_min ? at.x : record->x_min;
            record->y_min = at.y < record->y_min ? at.y : record->y_min;
            record->x_max = at.x > record->x_max ? at.x : record->x_max;
            record->y_max = at.y > record->y_max ? at.y : record->y_max;
        }
        record->ground = lowest_ground(&shapes->terrain, record);
    }
    return RCITY_OK;
}

static rcity_status fail_vegetation(const vegetation_work *work, const rcity_draft_vegetation *vegetation,
                                    const rcity_ring_defect *defect)
{
    const rcity_shapes *shapes = work->shapes;
    const char *what = defect->fault == RCITY_RING_CROSSES ? "crosses itself" : "has no area";
    return rcity_fail(work->cleaner->context, RCITY_ERR_GEOMETRY,
                      "the outline of vegetation %lld %s near (%.2f, %.2f); correct the data or leave it out with "
                      "`bad-buildings=drop`",
                      (long long)vegetation->id, what, shapes->origin_x_m + (double)defect->at.x / shapes->units_per_m,
                      shapes->origin_y_m + (double)defect->at.y / shapes->units_per_m);
}

/* One polygon; `*is_sound` says whether it was kept. */
static rcity_status clean_one(vegetation_work *work, const rcity_draft_vegetation *vegetation, bool drop_invalid,
                              bool *is_sound)
{
    const rcity_shapes *shapes = work->shapes;
    rcity_context *context = work->cleaner->context;
    double box[4];
    rcity_snap_bounds(&work->draft->vegetation_rings, vegetation->first_ring, vegetation->ring_count, shapes, box);
    *is_sound = fmax(-fmin(box[0], box[1]), fmax(box[2], box[3])) < RCITY_PLAN_LIMIT;
    RCITY_CHECK(context, *is_sound || drop_invalid, RCITY_ERR_GEOMETRY,
                "vegetation %lld reaches from (%.0f, %.0f) to (%.0f, %.0f), far outside the scene; correct the data or "
                "leave it out with `bad-buildings=drop`",
                (long long)vegetation->id, shapes->origin_x_m + box[0] / shapes->units_per_m,
                shapes->origin_y_m + box[1] / shapes->units_per_m, shapes->origin_x_m + box[2] / shapes->units_per_m,
                shapes->origin_y_m + box[3] / shapes->units_per_m);
    if (!*is_sound) {
        return RCITY_OK;
    }
    int32_t unused_wall = 0;
    size_t ring = work->cleaned.ring_count;
    rcity_ring_defect defect;
    RCITY_TRY(rcity_snap_rings(work->cleaner, &work->draft->vegetation_rings, vegetation->first_ring,
                               vegetation->ring_count, shapes, &unused_wall, &work->snapped));
    RCITY_TRY(rcity_ring_clean(work->cleaner, &work->snapped, &work->cleaned, &defect));
    *is_sound = defect.fault == RCITY_RING_SOUND;
    if (!*is_sound) {
        return drop_invalid ? RCITY_OK : fail_vegetation(work, vegetation, &defect);
    }
    return note_records(work, ring, vegetation);
}

/* The cleaned rings become points and rings. */
static rcity_status lay_out_rings(vegetation_work *work)
{
    rcity_context *context = work->cleaner->context;
    rcity_shapes *shapes = work->shapes;
    const rcity_outline *outline = &work->cleaned;
    if (outline->ring_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(context, outline->point_count, sizeof *shapes->vegetation_points, "vegetation",
                          &shapes->vegetation_points));
    RCITY_TRY(rcity_alloc(context, outline->ring_count + 1, sizeof *shapes->vegetation_ring_first, "vegetation",
                          &shapes->vegetation_ring_first));
    for (size_t point = 0; point < outline->point_count; point++) {
        shapes->vegetation_points[point] = outline->points[point].at;
    }
    memcpy(shapes->vegetation_ring_first, outline->ring_first,
           (outline->ring_count + 1) * sizeof *shapes->vegetation_ring_first);
    shapes->vegetation_point_count = (int64_t)outline->point_count;
    shapes->vegetation_ring_count = (int64_t)outline->ring_count;
    return RCITY_OK;
}

rcity_status rcity_clutter_clean_vegetation(rcity_ring_cleaner *cleaner, const rcity_draft *draft, bool drop_invalid,
                                            rcity_shapes *shapes)
{
    vegetation_work work;
    memset(&work, 0, sizeof work);
    work.cleaner = cleaner;
    work.draft = draft;
    work.shapes = shapes;
    rcity_status status = RCITY_OK;
    for (size_t i = 0; i < draft->vegetation_count; i++) {
        bool is_sound;
        RCITY_TRY_DONE(clean_one(&work, &draft->vegetation[i], drop_invalid, &is_sound));
        cleaner->repair_count[RCITY_REPAIR_DROPPED_VEGETATION] += is_sound ? 0 : 1;
        if (i % 1024 == 0) {
            RCITY_TRY_DONE(
                rcity_progress(cleaner->context, "clean vegetation", (double)i, (double)draft->vegetation_count));
        }
    }
    status = lay_out_rings(&work);
done:
    rcity_outline_deinit(cleaner->context, &work.cleaned);
    rcity_outline_deinit(cleaner->context, &work.snapped);
    return status;
}
