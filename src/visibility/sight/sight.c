/* Sight: built once for committed shapes, then shared by threads. */
#include "visibility/sight/sight.h"

#include <string.h>

#include "scene/place/terrain.h"
#include "visibility/sight/sight_data.h"

/* What is known about each wall by itself. */
static rcity_status note_walls(rcity_sight_work *work)
{
    const rcity_shapes *shapes = work->shapes;
    RCITY_TRY(rcity_alloc(work->context, (size_t)shapes->point_count, sizeof *work->notes, "the sight structure",
                          &work->notes));
    RCITY_TRY(rcity_alloc(work->context, (size_t)shapes->prism_count, sizeof *work->is_tangled, "the sight structure",
                          &work->is_tangled));
    for (int32_t prism = 0; prism < shapes->prism_count; prism++) {
        int32_t first_ring = shapes->prisms[prism].first_ring;
        for (int32_t ring = first_ring; ring < first_ring + shapes->prisms[prism].ring_count; ring++) {
            int32_t before = shapes->ring_first[ring + 1] - 1;
            for (int32_t wall = shapes->ring_first[ring]; wall < shapes->ring_first[ring + 1]; wall++) {
                rcity_sight_note *note = &work->notes[wall];
                note->prism = prism;
                note->before = before;
                note->next = rcity_ring_next(shapes->ring_first, ring, wall);
                rcity_grid_point p = shapes->points[wall];
                rcity_grid_point q = shapes->points[note->next];
                int64_t turn = rcity_orient(shapes->points[before], p, q);
                note->turn = (turn > 0) - (turn < 0);
                work->is_tangled[prism] = work->is_tangled[prism] || rcity_grid_point_equal(p, q);
                before = wall;
            }
        }
    }
    return RCITY_OK;
}

static rcity_status build_buildings(rcity_sight_work *work)
{
    if (work->shapes->prism_count == 0) {
        return RCITY_OK;
    }
    rcity_sight_lay_out(work);
    RCITY_TRY(note_walls(work));
    RCITY_TRY(rcity_sight_enter_walls(work));
    RCITY_TRY(rcity_sight_enter_covers(work));
    RCITY_TRY(rcity_sight_find_seams(work));
    RCITY_TRY(rcity_sight_build_lists(work));
    return rcity_sight_build_details(work);
}

rcity_status rcity_sight_create(rcity_context *context, const rcity_shapes *shapes, rcity_sight **sight)
{
    return rcity_sight_create_cells(context, shapes, RCITY_SIGHT_CELL_M, sight);
}

/* Build into a structure that has its shapes; on failure the caller destroys what it holds. */
static rcity_status build(rcity_context *context, double cell_m, rcity_sight *sight)
{
    rcity_sight_work work;
    memset(&work, 0, sizeof work);
    work.context = context;
    work.shapes = sight->shapes;
    work.sight = sight;
    work.cell_m = cell_m;
    sight->view.map.top = INT32_MIN;
    sight->view.map.ground_top = INT32_MIN;
    rcity_status status = build_buildings(&work);
    if (status == RCITY_OK) {
        status = rcity_sight_build_ground(&work);
    }
    sight->view.raster = sight->raster;
    sight->view.lists = sight->lists;
    sight->view.walls = sight->walls;
    sight->view.details = sight->details;
    sight->view.ground = sight->ground;
    rcity_release(context, work.seams);
    rcity_release(context, work.cover_prism);
    rcity_release(context, work.cover_first);
    rcity_release(context, work.entry_wall);
    rcity_release(context, work.entry_first);
    sight->is_tangled = work.is_tangled;
    rcity_release(context, work.notes);
    return status;
}

rcity_status rcity_sight_create_cells(rcity_context *context, const rcity_shapes *shapes, double cell_m,
                                      rcity_sight **sight)
{
    rcity_sight *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the sight structure", &made));
    made->shapes = shapes;
    rcity_status status = build(context, cell_m, made);
    if (status != RCITY_OK) {
        rcity_sight_destroy(context, &made);
        return status;
    }
    *sight = made;
    return RCITY_OK;
}

rcity_status rcity_sight_create_trees(rcity_context *context, const rcity_shapes *shapes, rcity_sight **trees)
{
    rcity_sight *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the sight structure", &made));
    rcity_shapes *own = &made->own;
    made->shapes = own;
    own->units_per_m = shapes->units_per_m;
    own->ring_count = shapes->vegetation_ring_count;
    own->ring_first = shapes->vegetation_ring_first;
    own->point_count = shapes->vegetation_point_count;
    own->points = shapes->vegetation_points;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)shapes->vegetation_count, sizeof *own->prisms, "the sight structure",
                               &own->prisms));
    own->prism_count = shapes->vegetation_count;
    for (int64_t i = 0; i < shapes->vegetation_count; i++) {
        const rcity_vegetation_record *record = &shapes->vegetation[i];
        rcity_prism prism = {.first_ring = record->first_ring,
                             .ring_count = record->ring_count,
                             .roof = record->height,
                             .x_min = record->x_min,
                             .y_min = record->y_min,
                             .x_max = record->x_max,
                             .y_max = record->y_max};
        own->prisms[i] = prism;
    }
    RCITY_TRY_DONE(build(context, RCITY_SIGHT_CELL_M, made));
    *trees = made;
    made = NULL;
done:
    rcity_sight_destroy(context, &made);
    return status;
}

void rcity_sight_destroy(rcity_context *context, rcity_sight **sight)
{
    if (sight == NULL || *sight == NULL) {
        return;
    }
    rcity_release(context, (*sight)->own.prisms);
    rcity_release(context, (*sight)->raster);
    rcity_release(context, (*sight)->lists);
    rcity_release(context, (*sight)->walls);
    rcity_release(context, (*sight)->details);
    rcity_release(context, (*sight)->ground);
    rcity_release(context, (*sight)->wall_prism);
    rcity_release(context, (*sight)->is_tangled);
    rcity_release(context, *sight);
    *sight = NULL;
}

bool rcity_sight_is_free(const rcity_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to)
{
    rcity_sight_segment segment = {from.x, from.y, from.z, to.x, to.y, to.z};
    rcity_sight_answer answer = rcity_sight_test(&sight->view, segment);
    if (answer == RCITY_SIGHT_LOOK_CLOSELY) {
        return !rcity_sight_buildings_block(sight, from, to) &&
               !rcity_terrain_blocks(&sight->shapes->terrain, from, to);
    }
    return answer == RCITY_SIGHT_FREE;
}
