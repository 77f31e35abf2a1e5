#include "method/shadow/shadow_fit.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/antenna.h"
#include "method/shadow/shadow_job.h"
#include "method/shadow/trace/shadow_points.h"
#include "method/surroundings/mean_level.h"
#include "method/surroundings/mean_options.h"

/* Points that a thread takes at a time: small fits evaluate a thousand times, and waking threads takes longer. */
#define PIECE_POINTS 2048

#define TERM_COUNT 5 /* coefficients that a path has at most, in a row, apart from foliage */

/* Coefficients are the options from LINE_OF_SIGHT on. */
#define COEFFICIENT(option) ((option)-RCITY_SHADOW_OPTION_LINE_OF_SIGHT)
#define DIRECT              COEFFICIENT(RCITY_SHADOW_OPTION_LINE_OF_SIGHT)
#define CORNER              COEFFICIENT(RCITY_SHADOW_OPTION_CORNER_PATH)
#define ROOF                COEFFICIENT(RCITY_SHADOW_OPTION_ROOF_PATH)
#define WALLS               COEFFICIENT(RCITY_SHADOW_OPTION_WALL_PATH)
#define FOLIAGE             COEFFICIENT(RCITY_SHADOW_OPTION_FOLIAGE)
#define DIFFUSE             COEFFICIENT(RCITY_SHADOW_OPTION_DIFFUSE)
#define DIFFUSE_ROOF        COEFFICIENT(RCITY_SHADOW_OPTION_DIFFUSE_ROOF)
#define DOUBT               COEFFICIENT(RCITY_SHADOW_OPTION_DOUBT)
#define CLUTTER             COEFFICIENT(RCITY_SHADOW_OPTION_CLUTTER)
#define COEFFICIENT_COUNT   (CLUTTER + 1)

/* A path in terms of the coefficients. */
typedef struct fit_path {
    float free_db;  /* free space, and what the ground takes */
    float edges_db; /* of its knife edges */
    float gain_db;  /* of the transmitting antenna in the path's direction */
    float term[TERM_COUNT];
    float foliage_db; /* for a factor of 1 */
    int8_t first;     /* coefficient of term[0] */
    int8_t mechanism;
} fit_path;

typedef struct fit_points {
    rcity_context *context; /* Borrowed. */
    int64_t count;
    size_t *first; /* paths of point i: first[i] .. first[i + 1] - 1; none where it is not served */
    size_t path_capacity;
    fit_path *paths;
    rcity_mean_link *links; /* of points */
    rcity_shadow_law law;   /* for what no coefficient changes */
    float *clutter_m;
    double clutter_limit_db;
    bool adds_powers;
} fit_points;

#define NEPER 0.23025850929940457 /* ln(10) / 10 */

/* Bounds: an obstacle never lowers the loss. A larger turn costs more, and so does a larger k L. Single terms of a law
   may still be negative. */
#define TURN_COEFFICIENTS(first)                                                                                       \
    {first, -60.0, 60.0, 10.0}, {(first) + 1, -60.0, 60.0, 15.0}, {(first) + 2, 0.0, 20.0, 5.0},                       \
        {(first) + 3, 0.0, 100.0, 15.0},                                                                               \
    {                                                                                                                  \
        (first) + 4, -50.0, 50.0, 8.0                                                                                  \
    }
static const rcity_method_coefficient coefficients[COEFFICIENT_COUNT] = {
    {RCITY_SHADOW_OPTION_LINE_OF_SIGHT, -10.0, 40.0, 8.0},
    TURN_COEFFICIENTS(RCITY_SHADOW_OPTION_CORNER_PATH),
    TURN_COEFFICIENTS(RCITY_SHADOW_OPTION_ROOF_PATH),
    {RCITY_SHADOW_OPTION_WALL_PATH, 0.0, 60.0, 8.0},
    {RCITY_SHADOW_OPTION_WALL, 0.0, 60.0, 6.0},
    {RCITY_SHADOW_OPTION_BUILDING, 0.0, 5.0, 0.5},
    {RCITY_SHADOW_OPTION_FOLIAGE, 0.0, 5.0, 0.5},
    RCITY_MEAN_FIT_DIFFUSE(RCITY_SHADOW_OPTION_DIFFUSE),
    RCITY_MEAN_FIT_DIFFUSE_ROOF(RCITY_SHADOW_OPTION_DIFFUSE_ROOF),
    RCITY_MEAN_FIT_DOUBT(RCITY_SHADOW_OPTION_DOUBT),
    {RCITY_SHADOW_OPTION_CLUTTER, 0.0, 2.0, 0.2},
};

/* Up to these angles a law must not fall: a corner turns a path by half a circle at most, a roof edge by a quarter. */
#define CORNER_WIDEST_RAD 3.14159265358979
#define ROOF_WIDEST_RAD   1.57079632679490
static const rcity_method_constraint constraints[] = {
    {2, {CORNER + 3, CORNER + 4}, {1.0, 2.0 * CORNER_WIDEST_RAD}},
    {2, {ROOF + 3, ROOF + 4}, {1.0, 2.0 * ROOF_WIDEST_RAD}},
};

/* The terms of a law of turns after the first. */
#define TURN_TERMS(first) (UINT64_C(0xf) << ((first) + 1))

static rcity_status start(const rcity_job *job, const rcity_tx *tx, rcity_method_start *made)
{
    double *values = made->coefficients;
    rcity_shadow_weights weights;
    const float *pattern;
    int64_t pattern_count;
    RCITY_TRY(rcity_shadow_make_weights(job, tx, &weights, &pattern, &pattern_count));
    for (int i = 0; i < COEFFICIENT_COUNT; i++) {
        values[i] = rcity_shadow_coefficient(job, (rcity_shadow_option)(RCITY_SHADOW_OPTION_LINE_OF_SIGHT + i));
    }
    if (isnan(values[COEFFICIENT(RCITY_SHADOW_OPTION_WALL)])) {
        values[COEFFICIENT(RCITY_SHADOW_OPTION_WALL)] = (double)weights.law.wall_db; /* from the material */
    }
    made->on_request = UINT64_C(1) << CLUTTER | UINT64_C(1) << DIFFUSE_ROOF;
    if (weights.law.has_knife_edges) { /* knife edges know angles and distances; a class of paths has one weight */
        made->on_request |= TURN_TERMS(CORNER) | TURN_TERMS(ROOF);
    } else {
        made->on_request |= UINT64_C(1) << DIFFUSE | UINT64_C(1) << DOUBT;
    }
    return RCITY_OK;
}

/* The work of listing paths. */
typedef struct listing {
    const rcity_shadow_paths *paths;
    const rcity_shadow_weights *weights;
    const float *pattern;
    rcity_shadow_law unit; /* with a foliage factor of 1 */
    bool may_prune;        /* paths that can never be the strongest need not be kept */
    fit_points *points;
} listing;

/* `ground_db` and `edges_db` are what the ground and knife edges take, which no coefficient changes. */
static fit_path *add_path(const listing *list, size_t *count, rcity_shadow_mechanism mechanism, int first,
                          float log_length, rcity_vec3 direction, float ground_db, float edges_db)
{
    fit_path *path = &list->points->paths[(*count)++];
    memset(path, 0, sizeof *path);
    path->free_db = rcity_shadow_free_db(&list->weights->law, log_length) + ground_db;
    path->edges_db = edges_db;
    path->gain_db = rcity_antenna_gain(list->weights->antenna, list->pattern, direction);
    path->first = (int8_t)first;
    path->mechanism = (int8_t)mechanism;
    return path;
}

static void set_turns(fit_path *path, float log_wavenumber, float count, float log_distance_sum, float angle_sum,
                      float square_sum)
{
    path->term[0] = 1.0f;
    path->term[1] = count;
    path->term[2] = count * log_wavenumber + log_distance_sum;
    path->term[3] = angle_sum;
    path->term[4] = square_sum;
}

static void list_line(const listing *list, size_t i, const rcity_shadow_receiver *receiver, size_t *count)
{
    const rcity_shadow_paths *paths = list->paths;
    const rcity_shadow_law *law = &list->weights->law;
    const rcity_shadow_walls *walls = &paths->walls;
    rcity_shadow_line line = receiver->line;
    rcity_vec3 direction = rcity_shadow_direction(line.dx, line.dy, line.slope);
    int32_t wall_count = walls->count != NULL ? walls->count[i] : 0;
    wall_count = receiver->state == RCITY_SHADOW_INDOORS && wall_count == 0 ? 1 : wall_count; /* through the roof */
    fit_path *path = NULL;
    rcity_shadow_nearest nearest = rcity_shadow_paths_nearest(paths, i);
    if (receiver->state == RCITY_SHADOW_VISIBLE) {
        float edges_db =
            law->has_knife_edges ? rcity_decibels(rcity_shadow_nearest_ratio(law, receiver->street, nearest)) : 0.0f;
        path = add_path(list, count, RCITY_SHADOW_DIRECT, DIRECT, receiver->log_length, direction,
                        rcity_shadow_free_ground(law, receiver, edges_db, nearest.ground_root_m), edges_db);
        path->term[0] = 1.0f;
    } else if (wall_count > 0) {
        path = add_path(list, count, RCITY_SHADOW_WALLS, WALLS, receiver->log_length, direction,
                        rcity_shadow_hidden_ground(law, receiver, nearest.ground_root_m), 0.0f);
        path->term[0] = 1.0f;
        path->term[1] = (float)wall_count;
        path->term[2] = walls->building_m != NULL ? walls->building_m[i] : 0.0f;
    }
    if (path != NULL && walls->foliage_m != NULL) {
        path->foliage_db = rcity_shadow_foliage_db(&list->unit, walls->foliage_m[i]);
    }
}

static void list_roof(const listing *list, size_t i, const rcity_shadow_receiver *receiver, size_t *count)
{
    const rcity_shadow_roof *roof = &list->paths->roofs[i];
    if (roof->turns.length_m > 0.0f) {
        rcity_shadow_line line = receiver->line;
        rcity_vec3 direction = rcity_shadow_direction_at(list->weights, line.dx, line.dy, roof->elevation_rad);
        float edges = rcity_shadow_roof_edges(&list->weights->law, roof);
        fit_path *path =
            add_path(list, count, RCITY_SHADOW_ROOF, ROOF, list->paths->roof_log_lengths[i], direction,
                     rcity_shadow_roof_ground(&list->weights->law, receiver, roof, edges), rcity_decibels(edges));
        set_turns(path, list->weights->law.log_wavenumber, (float)roof->turns.count, roof->turns.log_distance_sum,
                  roof->turns.angle_sum_rad, roof->turns.angle_square_sum_rad2);
    }
}

static void list_corners(const listing *list, size_t i, const rcity_shadow_receiver *receiver, size_t *count)
{
    const rcity_corner_paths *corner_paths = list->paths->corner_paths;
    for (size_t k = corner_paths->first[i]; k < corner_paths->first[i + 1]; k++) {
        const rcity_chain_path *path_to = &corner_paths->paths[k];
        const rcity_corner_node *node = &corner_paths->nodes[path_to->node];
        rcity_shadow_chain chain = rcity_corner_node_chain(node);
        rcity_corner_path last = rcity_chain_path_last(path_to);
        rcity_vec3 direction = rcity_shadow_direction(node->azimuth_dx, node->azimuth_dy, last.slope);
        rcity_shadow_chain_loss before = rcity_shadow_chain_weigh(&list->weights->law, &chain);
        float edges = rcity_shadow_corner_edges(&list->weights->law, before, &last, receiver->street);
        fit_path *path = add_path(list, count, RCITY_SHADOW_CORNER, CORNER, last.log_length, direction,
                                  rcity_shadow_ground_behind(receiver->ground_db, edges), rcity_decibels(edges));
        set_turns(path, list->weights->law.log_wavenumber, (float)(node->turns.count + 1),
                  node->turns.log_distance_sum + last.log_distance, node->turns.angle_sum_rad + last.angle_rad,
                  node->turns.angle_square_sum_rad2 + last.angle_rad * last.angle_rad);
    }
}

/* Is the loss of `path` at least that of `by`, whatever the coefficients within bounds and constraints? Both have the
   same number of turns, so what is left is length, k L and angles: a law that grows up to an angle w is a sum of
   alpha^2 and alpha - alpha^2 / (2 w) with factors that are not negative. */
static bool is_beaten(const fit_path *path, const fit_path *by)
{
    double squares = (double)path->term[4] - (double)by->term[4];
    double angles = (double)path->term[3] - (double)by->term[3];
    return path->term[1] == by->term[1] && path->free_db >= by->free_db && path->edges_db >= by->edges_db &&
           path->free_db - path->gain_db >= by->free_db - by->gain_db && path->term[2] >= by->term[2] &&
           squares >= 0.0 && angles >= squares / (2.0 * CORNER_WIDEST_RAD);
}

/* Keeps the paths around corners that some coefficients make the strongest. Of equal ones the first stays. */
static size_t prune(fit_path *paths, size_t first, size_t count)
{
    size_t kept = first;
    for (size_t i = first; i < count; i++) {
        bool is_needed = true;
        for (size_t k = first; k < kept && is_needed; k++) {
            is_needed = !is_beaten(&paths[i], &paths[k]);
        }
        if (!is_needed) {
            continue;
        }
        size_t left = first;
        for (size_t k = first; k < kept; k++) {
            if (!is_beaten(&paths[k], &paths[i])) {
                paths[left++] = paths[k];
            }
        }
        paths[left++] = paths[i];
        kept = left;
    }
    return kept;
}

static void look_around(const listing *list, size_t i, const rcity_shadow_receiver *receiver)
{
    rcity_shadow_line line = receiver->line;
    bool counts = list->weights->law.has_knife_edges && receiver->state != RCITY_SHADOW_INDOORS;
    float weight = counts ? receiver->city : 0.0f;
    list->points->links[i] = (rcity_mean_link){
        .source = list->weights->source,
        .receiver = receiver->end,
        .free_db = rcity_shadow_free_db(&list->weights->law, receiver->log_length) + receiver->hill_db,
        .length_m = receiver->length_m,
        .rise_m = receiver->rise_m,
        .built_m = receiver->behind_m,
        .gain_db = rcity_antenna_gain(list->weights->antenna, list->pattern,
                                      rcity_shadow_direction(line.dx, line.dy, line.slope)),
        .weight = weight > RCITY_SURROUNDINGS_WEIGHT_MIN ? weight : 0.0f,
        .doubt_left =
            rcity_shadow_street_doubt(receiver->street, rcity_shadow_paths_nearest(list->paths, i).street_root_m),
    };
}

/* All paths of all points that are served, in the order of rcity_shadow_weigh(). */
static rcity_status list_paths(const listing *list, const rcity_shadow_receivers *receivers)
{
    fit_points *points = list->points;
    const rcity_shadow_paths *paths = list->paths;
    size_t count = 0;
    for (size_t i = 0; i < (size_t)points->count; i++) {
        size_t more = 2 + paths->corner_paths->first[i + 1] - paths->corner_paths->first[i];
        RCITY_TRY(rcity_reserve(points->context, count + more, sizeof *points->paths, &points->path_capacity,
                                "paths to measured points", &points->paths));
        points->first[i] = count;
        points->clutter_m[i] = rcity_shadow_clutter_m(paths->lines[i], paths->log_lengths[i],
                                                      list->weights->law.clutter_height_m - receivers->heights_m[i]);
        if (!receivers->is_served[i]) {
            continue;
        }
        rcity_shadow_receiver receiver = rcity_shadow_paths_receiver(paths, list->weights, i);
        look_around(list, i, &receiver);
        list_line(list, i, &receiver, &count);
        if (receiver.state == RCITY_SHADOW_HIDDEN) {
            if (paths->roofs != NULL) {
                list_roof(list, i, &receiver, &count);
            }
            size_t corners = count;
            list_corners(list, i, &receiver, &count);
            count = list->may_prune ? prune(points->paths, corners, count) : count;
        }
    }
    points->first[points->count] = count;
    return RCITY_OK;
}

static void release(rcity_context *context, void *listed)
{
    fit_points *points = listed;
    if (points != NULL) {
        rcity_release(context, points->clutter_m);
        rcity_release(context, points->links);
        rcity_release(context, points->paths);
        rcity_release(context, points->first);
        rcity_release(context, points);
    }
}

static rcity_status list(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                         void **listed)
{
    (void)prepared;
    rcity_context *context = job->context;
    const rcity_shadow_receivers *receivers = &((const rcity_shadow_traced *)trace)->receivers;
    rcity_shadow_weights weights;
    listing work = {.weights = &weights};
    int64_t pattern_count;
    fit_points *points = NULL;
    rcity_status status;
    RCITY_TRY(rcity_shadow_make_weights(job, tx, &weights, &work.pattern, &pattern_count));
    weights.source = rcity_shadow_points_paths(receivers->points)->source;
    work.unit = weights.law;
    work.unit.foliage_scale = (float)pow(tx->stated.frequency_hz * 1e-9, RCITY_SHADOW_FOLIAGE_EXPONENT);
    /* coefficients that are not fitted may lie outside of the bounds */
    rcity_shadow_turn_law corner = weights.law.corner;
    work.may_prune = !weights.adds_powers && corner.per_decade_db >= 0.0f && corner.linear_db >= 0.0f &&
                     (double)corner.linear_db + 2.0 * CORNER_WIDEST_RAD * (double)corner.square_db >= 0.0;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *points, "paths to measured points", &points));
    points->context = context;
    points->count = job->receivers->point_count;
    points->adds_powers = weights.adds_powers != 0;
    points->clutter_limit_db = (double)weights.law.clutter_limit_db;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)points->count + 1, sizeof *points->first, "paths to measured points",
                               &points->first));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)points->count + 1, sizeof *points->clutter_m,
                               "paths to measured points", &points->clutter_m));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)points->count + 1, sizeof *points->links, "paths to measured points",
                               &points->links));
    points->law = weights.law;
    work.points = points;
    work.paths = rcity_shadow_points_paths(receivers->points);
    RCITY_TRY_DONE(list_paths(&work, receivers));
    *listed = points;
    points = NULL;
done:
    release(context, points);
    return status;
}

typedef struct weigh_work {
    const fit_points *points;
    const double *values;
    bool with_antenna;
    double *loss_db, *slopes;
    int8_t *mechanisms;
} weigh_work;

/* The loss of a path beyond free space; `is_flat` where a law is cut off at 0, so that its coefficients
   do not matter. */
static double excess_db(const fit_path *path, const double *values, bool *is_flat)
{
    double sum = (double)path->edges_db;
    for (int k = 0; k < TERM_COUNT; k++) {
        sum += (double)path->term[k] * values[path->first + k];
    }
    *is_flat = path->mechanism >= RCITY_SHADOW_CORNER && sum <= 0.0;
    return (*is_flat ? 0.0 : sum) + values[FOLIAGE] * (double)path->foliage_db;
}

static double path_db(const weigh_work *work, const fit_path *path, bool *is_flat)
{
    double gain_db = work->with_antenna ? (double)path->gain_db : 0.0;
    return (double)path->free_db + excess_db(path, work->values, is_flat) - gain_db;
}

static void add_slopes(const fit_path *path, bool is_flat, double share, double *slopes)
{
    for (int k = 0; k < TERM_COUNT && !is_flat; k++) {
        slopes[path->first + k] += share * (double)path->term[k];
    }
    slopes[FOLIAGE] += share * (double)path->foliage_db;
}

/* The strongest path of a point and the power of all that count, relative to it. */
typedef struct path_sum {
    size_t first, end; /* the paths that count */
    size_t best;
    double best_db, power;
} path_sum;

static path_sum add_paths(const weigh_work *work, int64_t i)
{
    const fit_points *points = work->points;
    path_sum sum = {points->first[i], points->first[i + 1], points->first[i], HUGE_VAL, 1.0};
    bool is_flat;
    for (size_t k = sum.first; k < sum.end; k++) {
        double db = path_db(work, &points->paths[k], &is_flat);
        sum.best = db < sum.best_db ? k : sum.best;
        sum.best_db = db < sum.best_db ? db : sum.best_db;
    }
    if (!points->adds_powers && sum.first < sum.end) {
        sum.first = sum.best;
        sum.end = sum.best + 1;
    } else if (sum.first < sum.end) {
        sum.power = 0.0;
        for (size_t k = sum.first; k < sum.end; k++) {
            sum.power += exp(-NEPER * (path_db(work, &points->paths[k], &is_flat) - sum.best_db));
        }
    }
    return sum;
}

static rcity_mean_values mean_values(const weigh_work *work)
{
    return (rcity_mean_values){work->values[DIFFUSE], work->values[DIFFUSE_ROOF], work->values[DOUBT]};
}

static void weigh_point(const weigh_work *work, int64_t i)
{
    const fit_points *points = work->points;
    double *slopes = work->slopes != NULL ? work->slopes + i * COEFFICIENT_COUNT : NULL;
    path_sum sum = add_paths(work, i);
    bool is_on_map = sum.first < sum.end;
    bool has_path = is_on_map || points->links[i].weight > 0.0f;
    double map_db = is_on_map ? sum.best_db - 10.0 * log10(sum.power) : (double)RCITY_SHADOW_FAR;
    rcity_mean_level level =
        rcity_mean_level_of(&points->law.mean, &points->links[i], mean_values(work), work->with_antenna, map_db);
    double clutter_m = (double)points->clutter_m[i];
    double kept = exp(-work->values[CLUTTER] * clutter_m / points->clutter_limit_db);
    work->loss_db[i] = has_path ? level.loss_db + points->clutter_limit_db * (1.0 - kept) : (double)NAN;
    if (work->mechanisms != NULL) {
        work->mechanisms[i] = !has_path          ? (int8_t)-1
                              : level.is_diffuse ? (int8_t)RCITY_MECHANISM_DIFFUSE
                                                 : points->paths[sum.best].mechanism;
    }
    if (slopes != NULL && has_path) {
        memset(slopes, 0, COEFFICIENT_COUNT * sizeof *slopes);
        for (size_t k = sum.first; k < sum.end; k++) {
            bool is_flat;
            double db = path_db(work, &points->paths[k], &is_flat);
            add_slopes(&points->paths[k], is_flat, level.map_share * exp(-NEPER * (db - sum.best_db)) / sum.power,
                       slopes);
        }
        slopes[DIFFUSE] += level.mean_share;
        slopes[DIFFUSE_ROOF] += level.mean_share * level.roof_slope;
        slopes[DOUBT] += level.doubt_slope;
        slopes[CLUTTER] += clutter_m * kept;
    }
}

/* An rcity_parallel_function. */
static void weigh_points(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        weigh_point(user, i);
    }
}

static void weigh(const void *listed, const double *values, bool with_antenna, double *loss_db, double *slopes,
                  int8_t *mechanisms)
{
    const fit_points *points = listed;
    weigh_work work = {points, values, with_antenna, loss_db, slopes, mechanisms};
    rcity_parallel(points->context, points->count, PIECE_POINTS, weigh_points, &work);
}

const rcity_method_fit rcity_shadow_fit = {
    .coefficient_count = COEFFICIENT_COUNT,
    .coefficients = coefficients,
    .constraint_count = sizeof constraints / sizeof constraints[0],
    .constraints = constraints,
    .start = start,
    .list = list,
    .release = release,
    .weigh = weigh,
};
