/* Why `tiles` misses a path: on which of its legs the centres of tiles do not see each other. */
#ifndef RCITY_TEST_TILES_MISSED_H
#define RCITY_TEST_TILES_MISSED_H

#include "tiles_trial.h"

#define MISSED_TILES  32   /* at an event, at most */
#define MISSED_OFF_M  0.03 /* centres stand so far off their surfaces */
#define MISSED_NEAR_M 0.3

/* An end of a leg: a point, or the tiles that hold an event. */
typedef struct missed_end {
    rcity_point at;
    const char *name;
    int tile_count; /* 0: a point */
    rcity_surface_tile tiles[MISSED_TILES];
} missed_end;

static inline double missed_along(const float *direction, rcity_point from, rcity_point to)
{
    return (double)direction[0] * (to.x_m - from.x_m) + (double)direction[1] * (to.y_m - from.y_m) +
           (double)direction[2] * (to.z_m - from.z_m);
}

/* Does a tile, or one so far beside it, hold a point? */
static inline bool missed_holds(const rcity_surface_tile *tile, rcity_point at, double beside_m)
{
    const float *n = tile->normal;
    const float *u = tile->side;
    const float v[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]};
    return fabs(missed_along(n, tile->centre, at)) < MISSED_NEAR_M &&
           fabs(missed_along(u, tile->centre, at)) < (double)tile->half_side_m[0] + beside_m &&
           fabs(missed_along(v, tile->centre, at)) < (double)tile->half_side_m[1] + beside_m;
}

static inline missed_end missed_end_at(const rcity_surfaces *surfaces, const rcity_ray_event *event, double beside_m)
{
    missed_end end = {.at = event->position, .name = rcity_event_place_name(event->place)};
    for (int64_t i = 0; i < rcity_surfaces_tile_count(surfaces) && end.tile_count < MISSED_TILES; i++) {
        rcity_surface_tile tile;
        assert_int_equal(rcity_surfaces_get_tile(surfaces, i, &tile), RCITY_OK);
        if (missed_holds(&tile, event->position, beside_m)) {
            end.tiles[end.tile_count++] = tile;
        }
    }
    return end;
}

static inline rcity_point missed_centre(const missed_end *end, int i)
{
    if (end->tile_count == 0) {
        return end->at;
    }
    const rcity_surface_tile *tile = &end->tiles[i];
    return (rcity_point){tile->centre.x_m + MISSED_OFF_M * (double)tile->normal[0],
                         tile->centre.y_m + MISSED_OFF_M * (double)tile->normal[1],
                         tile->centre.z_m + MISSED_OFF_M * (double)tile->normal[2]};
}

/* Does a centre of one end see that of the other? Tiles of one plane count as seen: waves run along a face. */
static inline bool missed_pair_sees(rcity_context *context, const rcity_scene *scene, const missed_end *from, int i,
                                    const missed_end *to, int k)
{
    rcity_point a = missed_centre(from, i);
    rcity_point b = missed_centre(to, k);
    double front_m = from->tile_count > 0 ? missed_along(from->tiles[i].normal, a, b) : 1.0;
    double back_m = to->tile_count > 0 ? missed_along(to->tiles[k].normal, b, a) : 1.0;
    bool is_seen = false;
    if (front_m > 0.0 && back_m > 0.0) {
        assert_ok(context, rcity_scene_test_segment(context, scene, &a, &b, &is_seen));
        return is_seen;
    }
    return from->tile_count > 0 && to->tile_count > 0 && fabs(front_m) < 0.05 && fabs(back_m) < 0.05;
}

/* Is any of the tiles at an end seen? Others are taken out where a wave goes on from the tile that it has reached; from
   an edge it goes to what any of its tiles sees. */
static inline bool missed_sees(rcity_context *context, const rcity_scene *scene, const missed_end *from, missed_end *to,
                               bool keeps_all)
{
    int seen_count = 0;
    int count = to->tile_count > 0 ? to->tile_count : 1;
    for (int k = 0; k < count; k++) {
        bool is_seen = false;
        for (int i = 0; i < (from->tile_count > 0 ? from->tile_count : 1) && !is_seen; i++) {
            is_seen = missed_pair_sees(context, scene, from, i, to, k);
        }
        if (is_seen) {
            to->tiles[keeps_all ? k : seen_count] = to->tiles[k];
            seen_count++;
        }
    }
    to->tile_count = keeps_all || to->tile_count == 0 ? to->tile_count : seen_count;
    return seen_count > 0;
}

/* The first leg of a path that centres do not see, in words. */
static inline void missed_explain(rcity_context *context, const rcity_scene *scene, const rcity_surfaces *surfaces,
                                  rcity_point transmitter, rcity_point receiver, double tile_side_m,
                                  const rcity_path *path, char *text, size_t text_bytes)
{
    missed_end from = {.at = transmitter, .name = "transmitter"};
    snprintf(text, text_bytes, "centres of tiles see each other on all legs");
    for (int leg = 0; leg <= path->event_count; leg++) {
        bool is_last = leg == path->event_count;
        missed_end to = {.at = receiver, .name = "receiver"};
        if (!is_last) {
            to = missed_end_at(surfaces, &path->events[leg], MISSED_NEAR_M);
        } else if (path->event_count > 0) {
            from =
                missed_end_at(surfaces, &path->events[leg - 1], tile_side_m); /* tiles beside look for receivers too */
        }
        if (!is_last && to.tile_count == 0) {
            snprintf(text, text_bytes, "no tile lies at the %s", to.name);
            return;
        }
        bool is_edge = !is_last && path->events[leg].kind == RCITY_EVENT_DIFFRACTION;
        if (!missed_sees(context, scene, &from, &to, is_edge)) {
            snprintf(text, text_bytes, "no centre of a tile at the %s sees %s%s", is_last ? from.name : to.name,
                     is_last    ? "the receiver"
                     : leg == 0 ? "the transmitter"
                                : "one at the ",
                     is_last || leg == 0 ? "" : from.name);
            return;
        }
        from = to;
    }
}

#endif
