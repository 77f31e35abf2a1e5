/* What a calibration reads of `tiles`: rays are bounced once, then classes of them are weighed again and again. */
#include "method/tiles/tiles_fit.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/surroundings/mean_options.h"
#include "method/tiles/tiles.h"
#include "method/tiles/tiles_mean.h"

#define PIECE_POINTS 2048 /* that a thread takes at a time */

/* Coefficients are the options from DIRECT_DB on, all but the one that is a word: classes first. */
#define DIFFUSE           RCITY_TILE_CLASS_COUNT
#define DIFFUSE_ROOF      (DIFFUSE + 1)
#define DOUBT             (DIFFUSE + 2)
#define COEFFICIENT_COUNT (DIFFUSE + 3)

#define NEPER  0.23025850929940457 /* ln(10) / 10 */
#define FAR_DB 1e30

/* A point that is open to paths. */
typedef struct fit_point {
    int64_t number;                           /* of the job's points */
    double isotropic[RCITY_TILE_CLASS_COUNT]; /* power of each class, over (wavelength / 4 pi)^2 */
    double gained[RCITY_TILE_CLASS_COUNT];    /* with the transmitting antenna */
    rcity_mean_link link;
} fit_point;

typedef struct fit_points {
    rcity_context *context; /* Borrowed. */
    int64_t count;          /* of the job's points */
    int64_t open_count;
    fit_point *points;
    rcity_surroundings_law law;
    double spread_db;
} fit_points;

/* Bounds of a class: what wrong materials, heights and trees may do to it. Walls are seldom better than the map has them,
   and often worse. */
static const rcity_method_coefficient coefficients[COEFFICIENT_COUNT] = {
    {RCITY_TILES_DIRECT_DB, -40.0, 10.0, 8.0},
    {RCITY_TILES_REFLECTED_DB, -40.0, 20.0, 8.0},
    {RCITY_TILES_DIFFRACTED_DB, -40.0, 20.0, 8.0},
    {RCITY_TILES_ROOFS_DB, -40.0, 20.0, 8.0},
    {RCITY_TILES_SCATTERED_DB, -20.0, 20.0, 6.0},
    RCITY_MEAN_FIT_DIFFUSE(RCITY_TILES_DIFFUSE),
    RCITY_MEAN_FIT_DIFFUSE_ROOF(RCITY_TILES_DIFFUSE_ROOF),
    RCITY_MEAN_FIT_DOUBT(RCITY_TILES_DOUBT),
};

static rcity_status start(const rcity_job *job, const rcity_tx *tx, rcity_method_start *made)
{
    (void)tx;
    RCITY_CHECK(job->context, strcmp(job->option[RCITY_TILES_SUM], "power") == 0, RCITY_ERR_ARGUMENT,
                "`sum` is %s; a calibration weighs powers of classes of rays, so it must be power",
                job->option[RCITY_TILES_SUM]);
    for (int i = 0; i < COEFFICIENT_COUNT; i++) {
        made->coefficients[i] = job->number[coefficients[i].option];
    }
    made->on_request = UINT64_C(1) << DIFFUSE_ROOF;
    if (!rcity_tiles_mean_is_on(job)) {
        made->on_request |= UINT64_C(1) << DIFFUSE | UINT64_C(1) << DOUBT;
    }
    return RCITY_OK;
}

static void release(rcity_context *context, void *listed)
{
    fit_points *made = listed;
    if (made != NULL) {
        rcity_release(context, made->points);
        rcity_release(context, made);
    }
}

static void take_points(const rcity_tiles_run *run, const rcity_tiles_mean *mean, fit_points *made)
{
    for (int64_t i = 0; i < made->open_count; i++) {
        fit_point *point = &made->points[i];
        double scale = (double)run->receiver_scale[i].power;
        double kept[RCITY_TILE_CLASS_COUNT] = {1.0, 1.0, 1.0, 1.0, 1.0};
        point->number = run->prepared->receivers.number[i];
        if (rcity_tiles_run_is_near(run, i)) {
            continue; /* all powers and the weight are 0 */
        }
        if (mean->is_on) {
            point->link = rcity_tiles_mean_link(mean, i);
            rcity_tiles_mean_keep(mean, &point->link, i, kept);
        }
        for (int k = 0; k < RCITY_TILE_CLASS_COUNT; k++) {
            point->isotropic[k] = kept[k] * (double)run->receiver_sums[i].isotropic_power[k] / scale;
            point->gained[k] = kept[k] * (double)run->receiver_sums[i].power[k] / scale;
        }
    }
}

static rcity_status list(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                         void **listed)
{
    rcity_context *context = job->context;
    const rcity_tiles_prepared *tiles = prepared;
    rcity_tiles_mean mean;
    rcity_tiles_run run;
    fit_points *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_tiles_mean_init(job, trace, tx, &mean));
    RCITY_TRY_DONE(rcity_tiles_run_init(job, trace, tx, false, false, &run));
    RCITY_TRY_DONE(rcity_tiles_run_all(&run));
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "measured points", &made));
    made->context = context;
    made->count = tiles->receivers.count;
    made->open_count = tiles->receivers.open_count;
    made->law = mean.source.law;
    made->spread_db = rcity_tiles_spread_db(tx->stated.frequency_hz);
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)made->open_count + 1, sizeof *made->points, "measured points", &made->points));
    take_points(&run, &mean, made);
    *listed = made;
    made = NULL;
done:
    release(context, made);
    rcity_tiles_run_deinit(&run);
    rcity_tiles_mean_deinit(context, &mean);
    return status;
}

typedef struct weigh_work {
    const fit_points *points;
    const double *values;
    bool with_antenna;
    double *loss_db, *slopes;
    int8_t *mechanisms;
} weigh_work;

static void weigh_point(const weigh_work *work, int64_t i)
{
    const fit_points *points = work->points;
    const fit_point *point = &points->points[i];
    const double *power = work->with_antenna ? point->gained : point->isotropic;
    double weighed[RCITY_TILE_CLASS_COUNT];
    double sum = 0.0;
    for (int k = 0; k < RCITY_TILE_CLASS_COUNT; k++) {
        weighed[k] = power[k] * exp(NEPER * work->values[k]);
        sum += weighed[k];
    }
    double map_db = sum > 0.0 ? points->spread_db - 10.0 * log10(sum) : FAR_DB;
    rcity_mean_values values = {work->values[DIFFUSE], work->values[DIFFUSE_ROOF], work->values[DOUBT]};
    rcity_mean_level level = rcity_mean_level_of(&points->law, &point->link, values, work->with_antenna, map_db);
    bool has_path = sum > 0.0 || point->link.weight > 0.0f;
    if (!has_path) {
        return;
    }
    work->loss_db[point->number] = level.loss_db;
    if (work->mechanisms != NULL) {
        work->mechanisms[point->number] =
            (int8_t)(level.is_diffuse ? RCITY_MECHANISM_DIFFUSE : rcity_tiles_strongest(weighed));
    }
    if (work->slopes != NULL) {
        double *slopes = work->slopes + point->number * COEFFICIENT_COUNT;
        for (int k = 0; k < RCITY_TILE_CLASS_COUNT && sum > 0.0; k++) {
            slopes[k] = -level.map_share * weighed[k] / sum;
        }
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
    rcity_parallel(points->context, points->open_count, PIECE_POINTS, weigh_points, &work);
}

const rcity_method_fit rcity_tiles_fit = {
    .coefficient_count = COEFFICIENT_COUNT,
    .coefficients = coefficients,
    .start = start,
    .list = list,
    .release = release,
    .weigh = weigh,
};
