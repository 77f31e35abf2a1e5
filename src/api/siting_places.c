/* Places of stations. */
#include "api/siting_places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/shapes.h"

#define WALL_FRONT_M 0.25 /* of a wall, and its antenna before it */
#define WALL_STEP_M  10.0 /* between candidates along a wall, unless steps are longer */
#define SNAP_RINGS   8    /* rings around a place that are searched for one that is allowed, each twice as wide */
#define INDEX_MOST   1000000000.0
#define GRID_MOST    4e6

static bool takes_list(const rcity_siting_options *options)
{
    return options->place == RCITY_SITING_WALLS || options->place == RCITY_SITING_CANDIDATES;
}

static bool is_inside(const double *bounds, double x_m, double y_m)
{
    return x_m >= bounds[0] && y_m >= bounds[1] && x_m <= bounds[2] && y_m <= bounds[3];
}

/* Is a place within a polygon? A ray to the east crosses its edges an odd number of times. */
static bool is_within(int count, const double *xy_m, double x_m, double y_m)
{
    bool is_odd = false;
    for (int i = 0, k = count - 1; i < count; k = i++) {
        const double *a = xy_m + 2 * i;
        const double *b = xy_m + 2 * k;
        if ((a[1] > y_m) != (b[1] > y_m) && x_m < a[0] + (y_m - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) {
            is_odd = !is_odd;
        }
    }
    return is_odd;
}

static bool is_forbidden(const rcity_siting_options *options, double x_m, double y_m)
{
    const double *xy_m = options->forbidden_xy_m;
    for (int i = 0; i < options->forbidden_count; i++) {
        if (is_within(options->forbidden_point_count[i], xy_m, x_m, y_m)) {
            return true;
        }
        xy_m += 2 * options->forbidden_point_count[i];
    }
    return false;
}

static void locate(const rcity_siting_places *places, const rcity_siting_setting *setting, double xy_m[2])
{
    if (places->candidate_xyh_m != NULL) {
        memcpy(xy_m, places->candidate_xyh_m + 3 * (int64_t)setting->x, 2 * sizeof *xy_m);
        return;
    }
    xy_m[0] = (double)(places->base[0] + setting->x) * places->options->step_m;
    xy_m[1] = (double)(places->base[1] + setting->y) * places->options->step_m;
}

void rcity_siting_places_locate(void *user, const rcity_siting_setting *setting, double xy_m[2])
{
    locate(user, setting, xy_m);
}

/* Where a candidate states its height, that counts. */
static double find_height(const rcity_siting_places *places, const rcity_siting_setting *setting)
{
    double own_m = places->candidate_xyh_m != NULL ? places->candidate_xyh_m[3 * (int64_t)setting->x + 2] : (double)NAN;
    return isnan(own_m) ? places->height_m[setting->height] : own_m;
}

bool rcity_siting_places_fill(const rcity_siting_places *places, const rcity_siting_setting *setting,
                              rcity_transmitter *transmitter)
{
    const rcity_siting_options *options = places->options;
    rcity_cover cover = {.is_covered = false};
    rcity_point position;
    double at[2];
    locate(places, setting, at);
    *transmitter = options->station;
    transmitter->name = NULL;
    transmitter->x_m = at[0];
    transmitter->y_m = at[1];
    transmitter->height_m = find_height(places, setting);
    transmitter->azimuth_deg += options->azimuth_step_deg * setting->azimuth;
    transmitter->azimuth_deg -= transmitter->azimuth_deg > 360.0 ? 360.0 : 0.0;
    transmitter->electrical_tilt_deg = places->tilt_deg[setting->tilt];
    bool needs_cover = options->place == RCITY_SITING_ROOFS || options->place == RCITY_SITING_STREETS;
    if (needs_cover && rcity_scene_get_cover(places->context, places->scene, at[0], at[1], &cover) != RCITY_OK) {
        return false;
    }
    if (options->place == RCITY_SITING_ROOFS) {
        transmitter->is_absolute = true;
        transmitter->height_m += cover.roof_m;
    }
    return (!needs_cover || cover.is_covered == (options->place == RCITY_SITING_ROOFS)) &&
           rcity_transmitter_locate(places->context, places->scene, transmitter, &position) == RCITY_OK;
}

bool rcity_siting_places_allow(void *user, const rcity_siting_setting *setting)
{
    const rcity_siting_places *places = user;
    rcity_transmitter transmitter;
    double at[2];
    rcity_siting_places_locate(user, setting, at);
    return is_inside(places->bounds, at[0], at[1]) && !is_forbidden(places->options, at[0], at[1]) &&
           rcity_siting_places_fill(places, setting, &transmitter);
}

/* The candidate nearest to a place; the first of equal ones. */
static bool snap_to_list(const rcity_siting_places *places, double x_m, double y_m, rcity_siting_setting *setting)
{
    double least = HUGE_VAL;
    for (int64_t i = 0; i < places->candidate_count; i++) {
        double x = places->candidate_xyh_m[3 * i] - x_m;
        double y = places->candidate_xyh_m[3 * i + 1] - y_m;
        if (x * x + y * y < least) {
            least = x * x + y * y;
            setting->x = (int32_t)i;
        }
    }
    setting->y = 0;
    return places->candidate_count > 0;
}

static int32_t round_index(double at_m, double step_m, int64_t base)
{
    return (int32_t)(llround(at_m / step_m) - base);
}

bool rcity_siting_places_snap(void *user, double x_m, double y_m, rcity_siting_setting *setting)
{
    static const int ways[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const rcity_siting_places *places = user;
    double step_m = places->options->step_m;
    rcity_siting_setting made = *setting;
    if (places->candidate_xyh_m != NULL) {
        return snap_to_list(places, x_m, y_m, setting) && rcity_siting_places_allow(user, setting);
    }
    int32_t x = round_index(x_m, step_m, places->base[0]);
    int32_t y = round_index(y_m, step_m, places->base[1]);
    bool has_gaps = places->options->place != RCITY_SITING_ANYWHERE;
    for (int ring = -1; ring < (has_gaps ? SNAP_RINGS : 1); ring++) {
        for (int i = 0; i < (ring < 0 ? 1 : 8); i++) {
            int32_t reach = ring < 0 ? 0 : (int32_t)1 << ring;
            made.x = x + reach * ways[i][0];
            made.y = y + reach * ways[i][1];
            if (rcity_siting_places_allow(user, &made)) {
                *setting = made;
                return true;
            }
        }
    }
    return false;
}

/* Candidates in front of the walls, in equal parts of each that are no longer than `step_m`. Counts only where `xyh_m` is
   NULL. */
static int64_t list_walls(const rcity_shapes *shapes, double step_m, double *xyh_m)
{
    int64_t count = 0;
    for (int64_t i = 0; i < shapes->facade_count; i++) {
        const rcity_facade *facade = &shapes->facades[i];
        double x_m = (double)facade->x2_m - (double)facade->x1_m;
        double y_m = (double)facade->y2_m - (double)facade->y1_m;
        double length_m = hypot(x_m, y_m);
        int parts = (int)ceil(length_m / step_m);
        for (int k = 0; k < parts; k++) {
            if (xyh_m != NULL) {
                double share = (k + 0.5) / parts;
                xyh_m[3 * count] =
                    shapes->origin_x_m + (double)facade->x1_m + share * x_m + WALL_FRONT_M * y_m / length_m;
                xyh_m[3 * count + 1] =
                    shapes->origin_y_m + (double)facade->y1_m + share * y_m - WALL_FRONT_M * x_m / length_m;
                xyh_m[3 * count + 2] = NAN;
            }
            count++;
        }
    }
    return count;
}

static rcity_status make_candidates(rcity_context *context, rcity_siting_places *places)
{
    const rcity_siting_options *options = places->options;
    const rcity_shapes *shapes = rcity_scene_shapes(places->scene);
    bool on_walls = options->place == RCITY_SITING_WALLS;
    double step_m = fmax(WALL_STEP_M, options->step_m);
    int64_t count = on_walls ? list_walls(shapes, step_m, NULL) : options->candidate_count;
    RCITY_CHECK(context, count > 0, RCITY_ERR_ARGUMENT,
                on_walls ? "the scene has no walls to mount stations on; allow other places"
                         : "there are no candidates; give a list of them");
    RCITY_CHECK(context, count <= RCITY_SITING_CANDIDATE_MAX, RCITY_ERR_ARGUMENT,
                "there are %lld candidates, at most %d are possible", (long long)count, RCITY_SITING_CANDIDATE_MAX);
    RCITY_TRY(rcity_alloc(context, (size_t)count, 3 * sizeof *places->candidate_xyh_m, "candidates",
                          &places->candidate_xyh_m));
    if (on_walls) {
        (void)list_walls(shapes, step_m, places->candidate_xyh_m);
    } else {
        memcpy(places->candidate_xyh_m, options->candidate_xyh_m, (size_t)count * 3 * sizeof *places->candidate_xyh_m);
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) { /* those where some height is allowed */
        bool is_allowed = false;
        memmove(places->candidate_xyh_m + 3 * kept, places->candidate_xyh_m + 3 * i,
                3 * sizeof *places->candidate_xyh_m);
        for (int h = 0; h < places->height_count && !is_allowed; h++) {
            rcity_siting_setting setting = {.x = (int32_t)kept, .height = h};
            is_allowed = rcity_siting_places_allow(places, &setting);
        }
        kept += is_allowed ? 1 : 0;
    }
    places->candidate_count = kept;
    RCITY_CHECK(context, kept >= options->station_count, RCITY_ERR_ARGUMENT,
                "there are %lld candidates that are allowed (of %lld), fewer than the %d stations; lower `stations`, "
                "give more candidates or widen `area`",
                (long long)kept, (long long)count, options->station_count);
    return RCITY_OK;
}

/* The area, within the scene's bounds unless it is stated. */
static rcity_status find_bounds(rcity_context *context, rcity_siting_places *places)
{
    const rcity_siting_options *options = places->options;
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(places->scene, &info));
    const double given[] = {options->x_min_m, options->y_min_m, options->x_max_m, options->y_max_m};
    const double scene[] = {info.x_min_m, info.y_min_m, info.x_max_m, info.y_max_m};
    for (int i = 0; i < 4; i++) {
        places->bounds[i] = isnan(given[i]) ? scene[i] : given[i];
    }
    const double *bounds = places->bounds;
    RCITY_CHECK(context, bounds[0] < bounds[2] && bounds[1] < bounds[3], RCITY_ERR_ARGUMENT,
                "`area` runs from (%.2f, %.2f) to (%.2f, %.2f), must have a width and a height", bounds[0], bounds[1],
                bounds[2], bounds[3]);
    RCITY_CHECK(context,
                bounds[0] <= scene[2] && bounds[2] >= scene[0] && bounds[1] <= scene[3] && bounds[3] >= scene[1],
                RCITY_ERR_ARGUMENT,
                "`area` from (%.2f, %.2f) to (%.2f, %.2f) lies outside the scene, (%.2f, %.2f) to (%.2f, %.2f)",
                bounds[0], bounds[1], bounds[2], bounds[3], scene[0], scene[1], scene[2], scene[3]);
    double extent_m = fmax(bounds[2] - bounds[0], bounds[3] - bounds[1]);
    RCITY_CHECK(context, extent_m / options->step_m < INDEX_MOST, RCITY_ERR_ARGUMENT,
                "`area` is %.0f m wide, too much for steps of %g m; raise `step-m`", extent_m, options->step_m);
    for (int i = 0; i < 2; i++) {
        places->base[i] = llround(floor(bounds[i] / options->step_m));
    }
    return RCITY_OK;
}

rcity_status rcity_siting_places_init(rcity_context *context, const rcity_scene *scene,
                                      const rcity_siting_options *options, rcity_siting_places *places)
{
    memset(places, 0, sizeof *places);
    places->scene = scene;
    places->options = options;
    places->height_count = options->height_count > 0 ? options->height_count : 1;
    places->height_m = options->height_count > 0 ? options->height_m : &options->station.height_m;
    places->tilt_count = options->tilt_count > 0 ? options->tilt_count : 1;
    places->tilt_deg = options->tilt_count > 0 ? options->tilt_deg : &options->station.electrical_tilt_deg;
    places->azimuth_count = options->azimuth_step_deg > 0.0 ? (int)floor(360.0 / options->azimuth_step_deg + 1e-9) : 1;
    RCITY_TRY(rcity_context_create_child(context, &places->context));
    RCITY_TRY(find_bounds(context, places));
    return takes_list(options) ? make_candidates(context, places) : RCITY_OK;
}

void rcity_siting_places_deinit(rcity_siting_places *places)
{
    rcity_release(places->context, places->candidate_xyh_m);
    rcity_context_destroy_child(&places->context);
    memset(places, 0, sizeof *places);
}

/* Nodes of a grid from the middle of its first cell. */
static rcity_status list_grid(rcity_siting_places *places, rcity_context *context, double grid_m, int64_t *count,
                              rcity_siting_setting **settings)
{
    const double *bounds = places->bounds;
    int64_t columns = (int64_t)floor((bounds[2] - bounds[0]) / grid_m) + 1;
    int64_t rows = (int64_t)floor((bounds[3] - bounds[1]) / grid_m) + 1;
    RCITY_CHECK(context, (double)columns * (double)rows <= GRID_MOST, RCITY_ERR_ARGUMENT,
                "a grid of %g m has %.3g candidates in `area`, at most %g are possible; raise `baseline-grid-m`",
                grid_m, (double)columns * (double)rows, GRID_MOST);
    RCITY_TRY(rcity_alloc(context, (size_t)(columns * rows), sizeof **settings, "candidates", settings));
    double first[2] = {0.5 * (bounds[2] - bounds[0] - grid_m * (double)(columns - 1)),
                       0.5 * (bounds[3] - bounds[1] - grid_m * (double)(rows - 1))};
    for (int64_t i = 0; i < columns * rows; i++) {
        double x_m = bounds[0] + first[0] + grid_m * (double)(i % columns);
        double y_m = bounds[1] + first[1] + grid_m * (double)(i / columns);
        rcity_siting_setting setting = {0, 0, 0, 0, 0};
        if (rcity_siting_places_snap(places, x_m, y_m, &setting)) {
            (*settings)[(*count)++] = setting;
        }
    }
    return RCITY_OK;
}

/* One candidate of the list for each cell of the grid, in the order of the list. */
static rcity_status list_thinned(rcity_siting_places *places, rcity_context *context, double grid_m, int64_t *count,
                                 rcity_siting_setting **settings)
{
    const double *bounds = places->bounds;
    double columns = floor((bounds[2] - bounds[0]) / grid_m) + 1.0;
    double rows = floor((bounds[3] - bounds[1]) / grid_m) + 1.0;
    bool *is_taken = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)places->candidate_count, sizeof **settings, "candidates", settings));
    bool is_thin = columns * rows <= 4.0 * GRID_MOST;
    RCITY_TRY_DONE(
        rcity_alloc(context, is_thin ? (size_t)(columns * rows) : 1, sizeof *is_taken, "candidates", &is_taken));
    for (int64_t i = 0; i < places->candidate_count; i++) {
        const double *at = places->candidate_xyh_m + 3 * i;
        double cell = floor((at[1] - bounds[1]) / grid_m) * columns + floor((at[0] - bounds[0]) / grid_m);
        size_t index = is_thin ? (size_t)cell : 0;
        rcity_siting_setting setting = {.x = (int32_t)i};
        if ((!is_thin || !is_taken[index]) && rcity_siting_places_allow(places, &setting)) {
            is_taken[index] = true;
            (*settings)[(*count)++] = setting;
        }
    }
done:
    rcity_release(context, is_taken);
    return status;
}

rcity_status rcity_siting_places_list(rcity_siting_places *places, rcity_context *context, double grid_m,
                                      int64_t *count, rcity_siting_setting **settings)
{
    *count = 0;
    return places->candidate_xyh_m != NULL ? list_thinned(places, context, grid_m, count, settings)
                                           : list_grid(places, context, grid_m, count, settings);
}
