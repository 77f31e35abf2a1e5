/* Passages are sorted along their legs and put between the events of the path. */
#include "method/beams/points/beams_walls.h"

void rcity_beams_walls_add(rcity_beams_walls *walls, const rcity_beams_passage *passage)
{
    if (walls->count < RCITY_RAY_EVENT_MAX) {
        int i = walls->count;
        while (i > 0 && (walls->at[i - 1].leg > passage->leg ||
                         (walls->at[i - 1].leg == passage->leg && walls->at[i - 1].part > passage->part))) {
            walls->at[i] = walls->at[i - 1];
            i--;
        }
        walls->at[i] = *passage;
    }
    walls->count++;
}

/* The path with these passages, for which there is room. */
static void insert_walls(const rcity_beams_walls *walls, const rcity_trace_path *plain, rcity_trace_path *path)
{
    int next = 0;
    path->event_count = 0;
    for (int leg = 0; leg <= plain->event_count; leg++) {
        rcity_place3 a = rcity_trace_path_point(plain, leg - 1);
        rcity_place3 b = rcity_trace_path_point(plain, leg);
        for (; next < walls->count && walls->at[next].leg == leg; next++) {
            double part = walls->at[next].part;
            rcity_place3 at = {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), a.z + part * (b.z - a.z)};
            path->event[path->event_count++] = (rcity_trace_event){RCITY_EVENT_TRANSMISSION, walls->at[next].wall, at};
        }
        if (leg < plain->event_count) {
            path->event[path->event_count++] = plain->event[leg];
        }
    }
}

/* Do the passages lead in and out of buildings in turn, with all other events outside? */
static bool is_whole(const rcity_path_checker *checker, const rcity_trace_path *path)
{
    bool is_inside = rcity_path_is_inside(checker, path->tx);
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind != RCITY_EVENT_TRANSMISSION) {
            if (is_inside) {
                return false;
            }
            continue;
        }
        if (rcity_path_enters(checker->world, path, i) == is_inside) {
            return false;
        }
        is_inside = !is_inside;
    }
    return is_inside == rcity_path_is_inside(checker, path->rx);
}

bool rcity_beams_walls_insert(const rcity_path_checker *checker, int32_t *found, const rcity_beams_walls *walls,
                              rcity_trace_path *path)
{
    rcity_trace_path plain = *path;
    if (walls->count > checker->max_transmissions || walls->count + plain.event_count > RCITY_RAY_EVENT_MAX) {
        return false;
    }
    insert_walls(walls, &plain, path);
    if (is_whole(checker, path)) {
        return true;
    }
    *path = plain;
    return rcity_path_pass(checker, found, path);
}
