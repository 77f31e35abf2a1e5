/* What a calibration reads of `cubes`: paths are traced once, and weighed again and again. */
#include "method/cubes/cubes_fit.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/cubes/cubes.h"
#include "method/cubes/cubes_levels.h"
#include "method/surroundings/mean_options.h"

#define PIECE_POINTS 512 /* that a thread takes at a time */

/* Coefficients: those of the laws first. */
#define DIFFUSE           RCITY_CUBES_LAW_COUNT
#define DIFFUSE_ROOF      (DIFFUSE + 1)
#define DOUBT             (DIFFUSE + 2)
#define COEFFICIENT_COUNT (DIFFUSE + 3)

#define NEPER 0.23025850929940457 /* ln(10) / 10 */

typedef struct fit_points {
    rcity_context *context; /* Borrowed. */
    int64_t count;
    rcity_cubes_link *links; /* of each point; empty where it is closed to paths */
    rcity_surroundings_law law;
    bool adds_powers;
} fit_points;

/* Bounds of a deflection: what wrong materials, heights and trees may do to it. */
static const rcity_method_coefficient coefficients[COEFFICIENT_COUNT] = {
    {RCITY_CUBES_DIRECT_DB, -10.0, 40.0, 8.0},
    {RCITY_CUBES_REFLECTION_DB, -5.0, 20.0, 4.0},
    {RCITY_CUBES_REFLECTION_NORMAL_DB, 0.0, 30.0, 4.0},
    {RCITY_CUBES_VERTICAL_DB, -15.0, 30.0, 6.0},
    {RCITY_CUBES_VERTICAL_RAD_DB, -15.0, 20.0, 4.0},
    {RCITY_CUBES_HORIZONTAL_DB, -15.0, 30.0, 6.0},
    {RCITY_CUBES_HORIZONTAL_RAD_DB, -15.0, 20.0, 4.0},
    {RCITY_CUBES_OVER_ROOFS_DB, -20.0, 40.0, 8.0},
    RCITY_MEAN_FIT_DIFFUSE(RCITY_CUBES_DIFFUSE),
    RCITY_MEAN_FIT_DIFFUSE_ROOF(RCITY_CUBES_DIFFUSE_ROOF),
    RCITY_MEAN_FIT_DOUBT(RCITY_CUBES_DOUBT),
};

static rcity_status start(const rcity_job *job, const rcity_tx *tx, rcity_method_start *made)
{
    const uint64_t one = 1;
    for (int i = 0; i < COEFFICIENT_COUNT; i++) {
        made->coefficients[i] = job->number[coefficients[i].option];
    }
    RCITY_TRY(rcity_cubes_read_coefficients(job, tx, made->coefficients));
    made->on_request = one << DIFFUSE_ROOF | one << RCITY_CUBES_OF_REFLECTION_NORMAL |
                       one << RCITY_CUBES_OF_VERTICAL_RAD | one << RCITY_CUBES_OF_HORIZONTAL_RAD;
    if (strcmp(job->option[RCITY_CUBES_SURROUNDINGS], "on") != 0) {
        made->on_request |= one << DIFFUSE | one << DOUBT;
    }
    if (strcmp(job->option[RCITY_CUBES_OVER_ROOFS], "on") != 0) {
        made->on_request |= one << RCITY_CUBES_OF_OVER_ROOFS;
    }
    if (!(job->number[RCITY_CUBES_MAX_REFLECTIONS] > 0.0)) {
        made->on_request |= one << RCITY_CUBES_OF_REFLECTION;
    }
    if (!(job->number[RCITY_CUBES_MAX_VERTICAL] > 0.0)) {
        made->on_request |= one << RCITY_CUBES_OF_VERTICAL;
    }
    if (!(job->number[RCITY_CUBES_MAX_HORIZONTAL] > 0.0)) {
        made->on_request |= one << RCITY_CUBES_OF_HORIZONTAL;
    }
    return RCITY_OK;
}

static void release(rcity_context *context, void *listed)
{
    fit_points *made = listed;
    if (made != NULL) {
        rcity_release(context, made->links);
        rcity_release(context, made);
    }
}

static rcity_status list(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                         void **listed)
{
    const rcity_cubes_traced *traced = trace;
    const rcity_open_receivers *receivers = &traced->prepared->receivers;
    rcity_cubes_levels levels;
    fit_points *made = NULL;
    rcity_status status;
    (void)prepared;
    RCITY_TRY_DONE(rcity_cubes_levels_init(job, traced, tx, &levels));
    RCITY_TRY_DONE(rcity_alloc(job->context, 1, sizeof *made, "measured points", &made));
    made->context = job->context;
    made->count = job->receivers->point_count;
    made->law = levels.source.law;
    made->adds_powers = levels.adds_powers;
    RCITY_TRY_DONE(
        rcity_alloc(job->context, (size_t)made->count + 1, sizeof *made->links, "measured points", &made->links));
    for (int64_t i = 0; i < receivers->open_count; i++) {
        rcity_cubes_levels_link(&levels, i, &made->links[receivers->number[i]]);
    }
    *listed = made;
    made = NULL;
done:
    release(job->context, made);
    rcity_cubes_levels_deinit(&levels);
    return status;
}

typedef struct weigh_work {
    const fit_points *points;
    const double *values;
    bool with_antenna;
    double *loss_db, *slopes;
    int8_t *mechanisms;
} weigh_work;

/* The slopes of the loss of the paths alone: those of the strongest, or of each by its share of the power. */
static void slope_paths(const weigh_work *work, const rcity_cubes_link *link, int strongest, double loss_db,
                        double map_share, double *slopes)
{
    for (int k = 0; k < link->item_count; k++) {
        double item_db = rcity_cubes_item_db(&link->items[k], work->values, work->with_antenna);
        double share = work->points->adds_powers ? exp(-NEPER * (item_db - loss_db)) : k == strongest ? 1.0 : 0.0;
        for (int c = 0; c < RCITY_CUBES_LAW_COUNT; c++) {
            slopes[c] += map_share * share * link->items[k].part[c];
        }
    }
}

static void weigh_point(const weigh_work *work, int64_t i)
{
    const fit_points *points = work->points;
    const rcity_cubes_link *link = &points->links[i];
    double map_db;
    int strongest = rcity_cubes_link_weigh(link, work->values, work->with_antenna, points->adds_powers, &map_db);
    if (strongest < 0 && !(link->mean.weight > 0.0f)) {
        return;
    }
    rcity_mean_values values = {work->values[DIFFUSE], work->values[DIFFUSE_ROOF], work->values[DOUBT]};
    rcity_mean_level level = rcity_mean_level_of(&points->law, &link->mean, values, work->with_antenna, map_db);
    work->loss_db[i] = level.loss_db;
    if (work->mechanisms != NULL) {
        work->mechanisms[i] =
            (int8_t)(level.is_diffuse || strongest < 0 ? RCITY_MECHANISM_DIFFUSE : link->items[strongest].mechanism);
    }
    if (work->slopes != NULL) {
        double *slopes = work->slopes + i * COEFFICIENT_COUNT;
        slope_paths(work, link, strongest, map_db, level.map_share, slopes);
        slopes[DIFFUSE] = level.mean_share;
        slopes[DIFFUSE_ROOF] = level.mean_share * level.roof_slope;
        slopes[DOUBT] = level.doubt_slope;
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
    for (int64_t i = 0; i < points->count; i++) {
        loss_db[i] = (double)NAN;
        if (mechanisms != NULL) {
            mechanisms[i] = -1;
        }
    }
    if (slopes != NULL) {
        memset(slopes, 0, (size_t)points->count * COEFFICIENT_COUNT * sizeof *slopes);
    }
    rcity_parallel(points->context, points->count, PIECE_POINTS, weigh_points, &work);
}

const rcity_method_fit rcity_cubes_fit = {
    .coefficient_count = COEFFICIENT_COUNT,
    .coefficients = coefficients,
    .start = start,
    .list = list,
    .release = release,
    .weigh = weigh,
};
