/* A profile of a facade: the wall tiles above each other in the wall nearest to a place. */
#include <math.h>
#include <stdlib.h>

#include "base/abi.h"
#include "result/surfaces_data.h"

#define SAME_PLANE_M 0.05  /* walls of one facade lie this near to one plane */
#define SAME_NORMAL  0.999 /* cosine of the angle between their normals, at least */
#define HEIGHT_NAME  "height_above_lowest"
#define OVERLAP_FRACTION                                                                                               \
    0.5 /* of a tile's half height: tiles whose centres are nearer in height are not above each
                                other */

/* A wall tile in plan: a segment. */
typedef struct wall_plan {
    double x_m, y_m;         /* its middle */
    double along_x, along_y; /* of length 1 */
    double half_width_m, half_height_m;
} wall_plan;

/* A member of the column. */
typedef struct column_tile {
    double z_m, offset_m; /* of its centre from the middle of the chosen tile, along the wall */
    double half_height_m;
    int64_t tile_index;
} column_tile;

typedef struct column {
    size_t count, capacity;
    column_tile *tiles;
} column;

static wall_plan place_in_plan(const rcity_surface_tile *tile)
{
    double first_m[3];
    double second_m[3];
    rcity_surface_tile_halves(tile, first_m, second_m);
    double normal_x = (double)tile->normal[0];
    double normal_y = (double)tile->normal[1];
    double length = hypot(normal_x, normal_y);
    wall_plan plan = {.x_m = tile->centre.x_m, .y_m = tile->centre.y_m, .along_x = 1.0};
    if (length > 0.0) {
        plan.along_x = -normal_y / length;
        plan.along_y = normal_x / length;
    }
    plan.half_width_m = fabs(first_m[0] * plan.along_x + first_m[1] * plan.along_y) +
                        fabs(second_m[0] * plan.along_x + second_m[1] * plan.along_y);
    plan.half_height_m = fabs(first_m[2]) + fabs(second_m[2]);
    return plan;
}

static double find_distance_m(const wall_plan *plan, double x_m, double y_m)
{
    double dx = x_m - plan->x_m;
    double dy = y_m - plan->y_m;
    double along_m = dx * plan->along_x + dy * plan->along_y;
    double beyond_m = fmax(fabs(along_m) - plan->half_width_m, 0.0);
    return hypot(dx * plan->along_y - dy * plan->along_x, beyond_m);
}

/* Is the place in front of the tile? */
static bool is_in_front(const rcity_surface_tile *tile, double x_m, double y_m)
{
    return (x_m - tile->centre.x_m) * (double)tile->normal[0] + (y_m - tile->centre.y_m) * (double)tile->normal[1] >
           0.0;
}

/* The nearest wall tile; of equally near ones the first that faces the place, else the first. -1: there is no wall. */
static int64_t find_nearest(const rcity_surfaces *surfaces, double x_m, double y_m, double *distance_m)
{
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(surfaces);
    int64_t nearest = -1;
    *distance_m = HUGE_VAL;
    for (int64_t i = 0; i < rcity_surfaces_tile_count(surfaces); i++) {
        if (tiles[i].kind != RCITY_SURFACE_WALL) {
            continue;
        }
        wall_plan plan = place_in_plan(&tiles[i]);
        double found_m = find_distance_m(&plan, x_m, y_m);
        bool is_better_side = nearest >= 0 && found_m == *distance_m && is_in_front(&tiles[i], x_m, y_m) &&
                              !is_in_front(&tiles[nearest], x_m, y_m);
        if (found_m < *distance_m || is_better_side) {
            nearest = i;
            *distance_m = found_m;
        }
    }
    return nearest;
}

/* Does a wall tile lie in the column of the chosen one? */
static bool is_in_column(const rcity_surface_tile *chosen, const wall_plan *chosen_plan, const rcity_surface_tile *tile,
                         double *offset_m)
{
    double facing = 0.0;
    for (int i = 0; i < 3; i++) {
        facing += (double)chosen->normal[i] * (double)tile->normal[i];
    }
    double dx = tile->centre.x_m - chosen->centre.x_m;
    double dy = tile->centre.y_m - chosen->centre.y_m;
    double off_plane_m = dx * chosen_plan->along_y - dy * chosen_plan->along_x;
    *offset_m = dx * chosen_plan->along_x + dy * chosen_plan->along_y;
    return tile->building_id == chosen->building_id && facing >= SAME_NORMAL && fabs(off_plane_m) <= SAME_PLANE_M &&
           fabs(*offset_m) <= place_in_plan(tile).half_width_m;
}

/* By height, then by the distance along the wall, then by number. */
static int compare_tiles(const void *a, const void *b)
{
    const column_tile *first = a;
    const column_tile *second = b;
    if (first->z_m != second->z_m) {
        return first->z_m < second->z_m ? -1 : 1;
    }
    if (fabs(first->offset_m) != fabs(second->offset_m)) {
        return fabs(first->offset_m) < fabs(second->offset_m) ? -1 : 1;
    }
    return first->tile_index < second->tile_index ? -1 : first->tile_index > second->tile_index ? 1 : 0;
}

/* Tiles on both sides of the chosen one's middle may stand side by side: the first of them stays. */
static void drop_neighbours(column *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const column_tile *tile = &list->tiles[i];
        double rise_m = kept > 0 ? tile->z_m - list->tiles[kept - 1].z_m : HUGE_VAL;
        if (kept == 0 || rise_m > OVERLAP_FRACTION * list->tiles[kept - 1].half_height_m) {
            list->tiles[kept++] = *tile;
        }
    }
    list->count = kept;
}

static rcity_status gather_column(rcity_context *context, const rcity_surfaces *surfaces, int64_t chosen_index,
                                  column *list)
{
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(surfaces);
    const rcity_surface_tile *chosen = &tiles[chosen_index];
    wall_plan chosen_plan = place_in_plan(chosen);
    for (int64_t i = 0; i < rcity_surfaces_tile_count(surfaces); i++) {
        double offset_m;
        if (tiles[i].kind == RCITY_SURFACE_WALL && is_in_column(chosen, &chosen_plan, &tiles[i], &offset_m)) {
            RCITY_TRY(rcity_reserve(context, list->count + 1, sizeof *list->tiles, &list->capacity,
                                    "the tiles of a facade", &list->tiles));
            list->tiles[list->count++] =
                (column_tile){tiles[i].centre.z_m, offset_m, place_in_plan(&tiles[i]).half_height_m, i};
        }
    }
    qsort(list->tiles, list->count, sizeof *list->tiles, compare_tiles);
    drop_neighbours(list);
    return RCITY_OK;
}

static rcity_status add_bands(const rcity_surfaces *surfaces, const column *list, rcity_surfaces *profile)
{
    float *value = NULL;
    rcity_band band;
    RCITY_TRY(rcity_surfaces_add_band(profile, RCITY_BAND_OTHER, HEIGHT_NAME, "m",
                                      "height of the tile's centre above that of the lowest one", &value));
    for (size_t i = 0; i < list->count; i++) {
        value[i] = (float)(list->tiles[i].z_m - list->tiles[0].z_m);
    }
    for (int k = 0; rcity_surfaces_get_band(surfaces, k, &band) == RCITY_OK; k++) {
        if (rcity_surfaces_find_band(profile, band.name) >= 0) {
            continue; /* the heights of a profile of a profile */
        }
        RCITY_TRY(rcity_surfaces_add_like(profile, &band, &value));
        for (size_t i = 0; i < list->count; i++) {
            value[i] = band.value[list->tiles[i].tile_index];
        }
    }
    return RCITY_OK;
}

static rcity_status make_profile(rcity_context *context, const rcity_surfaces *surfaces, const column *list,
                                 rcity_surfaces **profile)
{
    const rcity_surfaces_setup setup = {.transmitter = rcity_surfaces_transmitter(surfaces),
                                        .frequency_hz = rcity_surfaces_frequency_hz(surfaces),
                                        .crs = rcity_surfaces_crs(surfaces),
                                        .tile_count = (int64_t)list->count};
    RCITY_TRY(rcity_surfaces_create(context, &setup, profile));
    rcity_surface_tile *tiles = rcity_surfaces_edit_tiles(*profile);
    for (size_t i = 0; i < list->count; i++) {
        tiles[i] = rcity_surfaces_tiles(surfaces)[list->tiles[i].tile_index];
    }
    RCITY_TRY(add_bands(surfaces, list, *profile));
    return rcity_surfaces_copy_notes(surfaces, rcity_surfaces_notes(*profile));
}

rcity_status rcity_surfaces_profile(rcity_context *context, const rcity_surfaces *surfaces, double x_m, double y_m,
                                    double distance_max_m, rcity_surfaces **profile)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, surfaces);
    RCITY_NEED(context, profile);
    RCITY_CHECK(
        context, isfinite(x_m) && isfinite(y_m) && isfinite(distance_max_m) && distance_max_m >= 0.0,
        RCITY_ERR_ARGUMENT,
        "a facade is looked for at (%g, %g) within %g m; finite numbers are needed, and a distance of at least 0", x_m,
        y_m, distance_max_m);
    double distance_m;
    int64_t nearest = find_nearest(surfaces, x_m, y_m, &distance_m);
    RCITY_CHECK(context, nearest >= 0, RCITY_ERR_ARGUMENT, "the surfaces have no walls, among %lld tiles",
                (long long)rcity_surfaces_tile_count(surfaces));
    RCITY_CHECK(context, distance_m <= distance_max_m, RCITY_ERR_ARGUMENT,
                "no wall is within %g m of (%.2f, %.2f); the nearest is %.2f m away", distance_max_m, x_m, y_m,
                distance_m);
    column list = {.count = 0};
    rcity_surfaces *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(gather_column(context, surfaces, nearest, &list));
    RCITY_TRY_DONE(make_profile(context, surfaces, &list, &made));
    RCITY_TRY_DONE(rcity_notes_add(rcity_surfaces_notes(made), "facade_x_m", "%.10g", x_m));
    RCITY_TRY_DONE(rcity_notes_add(rcity_surfaces_notes(made), "facade_y_m", "%.10g", y_m));
    RCITY_TRY_DONE(rcity_notes_add(rcity_surfaces_notes(made), "facade_distance_m", "%.10g", distance_m));
    *profile = made;
    made = NULL;
done:
    rcity_release(context, list.tiles);
    rcity_surfaces_destroy(&made);
    return status;
}
