/* Which leaves hold which cells of a strip. */
#include <math.h>
#include <string.h>

#include "method/beams/fast/fast_plane.h"
#include "method/beams/tree/beam_loss.h"
#include "method/receiver_plane.h"

rcity_status rcity_fast_cells_fill(const rcity_fast_plane *plane, int64_t first, int64_t count, rcity_fast_cells *cells)
{
    rcity_context *context = plane->job->context;
    RCITY_TRY(rcity_reserve(context, (size_t)count + 1, sizeof *cells->is_wanted, &cells->wanted_capacity, "receivers",
                            &cells->is_wanted));
    RCITY_TRY(rcity_reserve(context, (size_t)count + 1, sizeof *cells->positions, &cells->position_capacity,
                            "receivers", &cells->positions));
    const rcity_shapes *shapes = plane->job->shapes;
    const rcity_place3 *tx = &plane->traced->tx;
    cells->first = first;
    cells->count = count;
    cells->near_count = 0;
    for (int64_t cell = 0; cell < count; cell++) {
        rcity_receiver_state state;
        rcity_receiver_cell_locate(plane->job, plane->height_m, first + cell, &cells->positions[cell], &state);
        rcity_point position = cells->positions[cell];
        double plan_m =
            rcity_beam_length_m(position.x_m - shapes->origin_x_m - tx->x, position.y_m - shapes->origin_y_m - tx->y);
        bool is_near = state == RCITY_RECEIVER_NO_PATH &&
                       rcity_beam_length_m(plan_m, position.z_m - tx->z) < plane->facets->wavelength_m;
        cells->is_wanted[cell] = state == RCITY_RECEIVER_NO_PATH && !is_near;
        cells->near_count += is_near;
    }
    return RCITY_OK;
}

void rcity_fast_cells_deinit(rcity_context *context, rcity_fast_cells *cells)
{
    rcity_release(context, cells->positions);
    rcity_release(context, cells->is_wanted);
    memset(cells, 0, sizeof *cells);
}

/* Leaves as found; pairs of cell and end become pairs of cell and leaf. */
static rcity_status list_leaves(const rcity_fast_plane *plane, rcity_fast_strip *strip)
{
    rcity_beams_strip *found = &strip->found;
    int64_t last_end = -1;
    size_t kept = 0;
    strip->ends.leaf_count = strip->ends.wall_count = 0;
    for (size_t i = 0; i < found->found_count; i += 2) {
        int64_t cell = found->found[i];
        int64_t end = found->found[i + 1];
        if (!strip->cells.is_wanted[cell]) {
            continue;
        }
        if (end != last_end) {
            RCITY_TRY(rcity_fast_leaves_add(plane, &plane->bins.ends[end], &strip->ends));
            last_end = end;
        }
        found->found[kept++] = cell;
        found->found[kept++] = (int64_t)strip->ends.leaf_count - 1;
    }
    found->found_count = kept;
    return RCITY_OK;
}

rcity_status rcity_fast_strip_fill(const rcity_fast_plane *plane, int64_t strip_index, rcity_fast_strip *strip)
{
    rcity_beams_strip *found = &strip->found;
    RCITY_TRY(rcity_beams_bins_find(plane->job->context, &plane->bins, strip_index, found));
    RCITY_TRY(rcity_fast_cells_fill(plane, found->cell_first, found->cell_count, &strip->cells));
    return list_leaves(plane, strip);
}

void rcity_fast_strip_deinit(rcity_context *context, rcity_fast_strip *strip)
{
    rcity_beams_strip_deinit(context, &strip->found);
    rcity_fast_cells_deinit(context, &strip->cells);
    rcity_fast_leaves_deinit(context, &strip->ends);
}
