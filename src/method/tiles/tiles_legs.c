/* Legs of rays on the host. */
#include "method/tiles/tiles_legs.h"

#include "visibility/sight/sight_data.h"

rcity_tile_snap rcity_tiles_snap_of(const rcity_tiles_prepared *prepared)
{
    return (rcity_tile_snap){(float)prepared->sight->shapes->units_per_m, (float)RCITY_HEIGHT_UNITS_PER_M};
}

static rcity_grid_point3 to_point(rcity_tile_place place)
{
    return (rcity_grid_point3){place.x, place.y, place.z};
}

/* The same where the walk defers a leg. */
static bool are_free_closely(const rcity_tiles_run *run, const rcity_tube *tube, const rcity_tile_path *path,
                             rcity_tile_place to)
{
    const rcity_sight *sight = run->prepared->sight;
    rcity_tile_snap snap = rcity_tiles_snap_of(run->prepared);
    rcity_tile_place end = to;
    for (int i = path->event_count - 1; i >= -1; i--) {
        rcity_tile_place begin =
            i >= 0 ? rcity_tile_leg_place(run->tiles, &sight->view, snap, tube, path, i) : run->traced->place;
        if (!rcity_sight_is_free(sight, to_point(begin), to_point(end))) {
            return false;
        }
        end = begin;
    }
    return true;
}

bool rcity_tiles_legs_are_free(const rcity_tiles_run *run, const rcity_tube *tube, const rcity_tile_path *path,
                               rcity_tile_place to)
{
    rcity_sight_answer answer =
        rcity_tile_legs_test(run->tiles, &run->prepared->sight->view, rcity_tiles_snap_of(run->prepared), tube, path,
                             run->traced->place, to);
    return answer == RCITY_SIGHT_LOOK_CLOSELY ? are_free_closely(run, tube, path, to) : answer == RCITY_SIGHT_FREE;
}
