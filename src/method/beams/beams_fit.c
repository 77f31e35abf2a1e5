/* What a calibration reads of `beams`: paths are found once, then classes of them are weighed again and again. */
#include "method/beams/beams_fit.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/beams.h"
#include "method/beams/beams_levels.h"
#include "method/surroundings/mean_options.h"
#include "radiocity/mechanism.h"
#include "result/rays_data.h"

#define PIECE_POINTS 2048 /* that a thread takes at a time */

/* Coefficients: classes first. */
#define DIFFUSE           RCITY_BEAMS_CLASS_COUNT
#define DIFFUSE_ROOF      (DIFFUSE + 1)
#define DOUBT             (DIFFUSE + 2)
#define EXPONENT          (DIFFUSE + 3)
#define CONSTANT          (DIFFUSE + 4)
#define REFLECTION        (DIFFUSE + 5)
#define DIFFRACTION       (DIFFUSE + 6)
#define TRANSMISSION      (DIFFUSE + 7)
#define INSIDE            (DIFFUSE + 8)
#define COEFFICIENT_COUNT (DIFFUSE + 9)

#define NEPER  0.23025850929940457 /* ln(10) / 10 */
#define FAR_DB 1e30

/* A path as the paper's law sees it. */
typedef struct fit_path {
    double log_length; /* 10 log10(metres) */
    double gain;       /* of the transmitting antenna */
    double inside_m;   /* inside buildings */
    int16_t reflection_count, diffraction_count, transmission_count;
    int16_t kind;
} fit_path;

/* A point; all powers and the weight are 0 where it is closed to paths. */
typedef struct fit_point {
    rcity_beams_form form; /* with the transmitting antenna, and without */
    rcity_mean_link link;
    bool goes_straight_through; /* walls: what is direct otherwise */
    size_t path_count;          /* with the paper's law */
    fit_path *paths;
} fit_point;

typedef struct fit_points {
    rcity_context *context; /* Borrowed. */
    int64_t count;
    fit_point *points;
    rcity_surroundings_law law;
    double rx_gain;
    bool is_paper;
} fit_points;

/* Bounds of a class: what wrong materials, heights and trees may do to it. Walls are seldom better than the map has them,
   and often worse. */
static const rcity_method_coefficient coefficients[COEFFICIENT_COUNT] = {
    {RCITY_BEAMS_DIRECT_DB, -40.0, 10.0, 8.0},       {RCITY_BEAMS_REFLECTED_DB, -40.0, 20.0, 8.0},
    {RCITY_BEAMS_DIFFRACTED_DB, -40.0, 20.0, 8.0},   {RCITY_BEAMS_ROOFS_DB, -40.0, 20.0, 8.0},
    RCITY_MEAN_FIT_DIFFUSE(RCITY_BEAMS_DIFFUSE),     RCITY_MEAN_FIT_DIFFUSE_ROOF(RCITY_BEAMS_DIFFUSE_ROOF),
    RCITY_MEAN_FIT_DOUBT(RCITY_BEAMS_DOUBT),         {RCITY_BEAMS_EXPONENT, 1.0, 6.0, 0.5},
    {RCITY_BEAMS_CONSTANT, 0.0, 120.0, 15.0},        {RCITY_BEAMS_REFLECTION_LOSS, 0.0, 40.0, 5.0},
    {RCITY_BEAMS_DIFFRACTION_LOSS, 0.0, 60.0, 10.0}, {RCITY_BEAMS_TRANSMISSION_LOSS, 0.0, 60.0, 10.0},
    {RCITY_BEAMS_INSIDE_DB, 0.0, 10.0, 1.0},
};

static rcity_status start(const rcity_job *job, const rcity_tx *tx, rcity_method_start *made)
{
    const uint64_t of_walls = UINT64_C(1) << TRANSMISSION | UINT64_C(1) << INSIDE;
    const uint64_t of_paper = UINT64_C(1) << EXPONENT | UINT64_C(1) << CONSTANT | UINT64_C(1) << REFLECTION |
                              UINT64_C(1) << DIFFRACTION | of_walls;
    for (int i = 0; i < COEFFICIENT_COUNT; i++) {
        made->coefficients[i] = job->number[coefficients[i].option];
    }
    made->coefficients[CONSTANT] = rcity_beams_levels_paper(job, tx).constant_db;
    if (rcity_beams_levels_are_paper(job)) {
        made->on_request = ((UINT64_C(1) << COEFFICIENT_COUNT) - 1) & ~of_paper;
        made->on_request |= job->number[RCITY_BEAMS_MAX_TRANSMISSIONS] > 0.0 ? 0 : of_walls;
        return RCITY_OK;
    }
    made->on_request = UINT64_C(1) << DIFFUSE_ROOF | of_paper;
    if (!rcity_beams_levels_have_law(job)) {
        made->on_request |= UINT64_C(1) << DIFFUSE | UINT64_C(1) << DOUBT;
    }
    if (strcmp(job->option[RCITY_BEAMS_OVER_ROOFS], "on") != 0) {
        made->on_request |= UINT64_C(1) << RCITY_BEAMS_ROOFS;
    }
    return RCITY_OK;
}

static void release(rcity_context *context, void *listed)
{
    fit_points *made = listed;
    if (made != NULL) {
        for (int64_t i = 0; made->points != NULL && i < made->count; i++) {
            rcity_release(context, made->points[i].paths);
        }
        rcity_release(context, made->points);
        rcity_release(context, made);
    }
}

/* An rcity_beams_point_listener. */
static rcity_status take_point(void *user, const rcity_beams_point *point)
{
    fit_points *made = user;
    fit_point *to = &made->points[point->number];
    to->form = point->form;
    to->link = point->link.mean;
    for (size_t i = 0; i < point->path_count; i++) {
        const rcity_beams_item *item = &point->paths[i];
        to->goes_straight_through =
            to->goes_straight_through || (item->kind == RCITY_BEAMS_DIRECT && item->transmission_count > 0);
    }
    if (!made->is_paper) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(made->context, point->path_count + 1, sizeof *to->paths, "measured points", &to->paths));
    to->path_count = point->path_count;
    for (size_t i = 0; i < point->path_count; i++) {
        const rcity_beams_item *item = &point->paths[i];
        to->paths[i].log_length = 10.0 * log10(item->length_m);
        to->paths[i].gain = item->directivity / made->rx_gain;
        to->paths[i].reflection_count = (int16_t)item->reflection_count;
        to->paths[i].diffraction_count = (int16_t)item->diffraction_count;
        to->paths[i].transmission_count = (int16_t)item->transmission_count;
        to->paths[i].inside_m = item->inside_m;
        to->paths[i].kind = (int16_t)item->kind;
    }
    return RCITY_OK;
}

static rcity_status list(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                         void **listed)
{
    rcity_beams_levels levels;
    fit_points *made = NULL;
    rcity_status status;
    (void)prepared;
    RCITY_TRY_DONE(rcity_beams_levels_init(job, trace, tx, &levels));
    RCITY_TRY_DONE(rcity_alloc(job->context, 1, sizeof *made, "measured points", &made));
    made->context = job->context;
    made->count = job->receivers->point_count;
    made->law = levels.source.law;
    made->is_paper = levels.rules.is_paper;
    made->rx_gain = pow(10.0, 0.1 * levels.ends.rx_gain_dbi);
    RCITY_TRY_DONE(
        rcity_alloc(job->context, (size_t)made->count + 1, sizeof *made->points, "measured points", &made->points));
    RCITY_TRY_DONE(rcity_beams_points_list(&levels, take_point, made));
    *listed = made;
    made = NULL;
done:
    release(job->context, made);
    rcity_beams_levels_deinit(&levels);
    return status;
}

typedef struct weigh_work {
    const fit_points *points;
    const double *values;
    bool with_antenna;
    double *loss_db, *slopes;
    int8_t *mechanisms;
} weigh_work;

/* The power of a form, and how much of it each class has: fields of two classes are shared in halves. */
static double weigh_form(double form[RCITY_BEAMS_CLASS_COUNT][RCITY_BEAMS_CLASS_COUNT], const double *values,
                         double share[RCITY_BEAMS_CLASS_COUNT])
{
    double sum = 0.0;
    memset(share, 0, RCITY_BEAMS_CLASS_COUNT * sizeof *share);
    for (int i = 0; i < RCITY_BEAMS_CLASS_COUNT; i++) {
        for (int k = 0; k <= i; k++) {
            double part = form[i][k] * exp(0.5 * NEPER * (values[i] + values[k]));
            sum += part;
            share[i] += 0.5 * part;
            share[k] += 0.5 * part;
        }
    }
    return sum;
}

static int8_t mechanism_of(const fit_point *point, int kind)
{
    return (int8_t)(kind == RCITY_BEAMS_DIRECT && point->goes_straight_through ? RCITY_MECHANISM_WALLS
                                                                               : rcity_beams_mechanism(kind));
}

static void weigh_paper(const weigh_work *work, int64_t i)
{
    const fit_point *point = &work->points->points[i];
    const double *values = work->values;
    double sums[6] = {0.0}; /* of powers, times length, reflections, diffractions, walls, metres inside */
    double by_kind[RCITY_BEAMS_CLASS_COUNT] = {0.0};
    for (size_t k = 0; k < point->path_count; k++) {
        const fit_path *path = &point->paths[k];
        double loss_db = values[EXPONENT] * path->log_length + values[CONSTANT] +
                         path->reflection_count * values[REFLECTION] + path->diffraction_count * values[DIFFRACTION] +
                         path->transmission_count * values[TRANSMISSION] + path->inside_m * values[INSIDE];
        double power = exp(NEPER * (values[path->kind] - loss_db)) * (work->with_antenna ? path->gain : 1.0);
        sums[0] += power;
        sums[1] += power * path->log_length;
        sums[2] += power * path->reflection_count;
        sums[3] += power * path->diffraction_count;
        sums[4] += power * path->transmission_count;
        sums[5] += power * path->inside_m;
        by_kind[path->kind] += power;
    }
    if (!(sums[0] > 0.0)) {
        return;
    }
    work->loss_db[i] = -10.0 * log10(sums[0]);
    if (work->mechanisms != NULL) {
        int kind = 0;
        for (int k = 1; k < RCITY_BEAMS_CLASS_COUNT; k++) {
            kind = by_kind[k] > by_kind[kind] ? k : kind;
        }
        work->mechanisms[i] = mechanism_of(point, kind);
    }
    if (work->slopes != NULL) {
        double *slopes = work->slopes + i * COEFFICIENT_COUNT;
        for (int k = 0; k < RCITY_BEAMS_CLASS_COUNT; k++) {
            slopes[k] = -by_kind[k] / sums[0];
        }
        slopes[EXPONENT] = sums[1] / sums[0];
        slopes[CONSTANT] = 1.0;
        slopes[REFLECTION] = sums[2] / sums[0];
        slopes[DIFFRACTION] = sums[3] / sums[0];
        slopes[TRANSMISSION] = sums[4] / sums[0];
        slopes[INSIDE] = sums[5] / sums[0];
    }
}

static void weigh_point(const weigh_work *work, int64_t i)
{
    const fit_points *points = work->points;
    const fit_point *point = &points->points[i];
    rcity_beams_form form = point->form;
    double share[RCITY_BEAMS_CLASS_COUNT];
    double sum = weigh_form(work->with_antenna ? form.power : form.isotropic, work->values, share);
    double map_db = sum > 0.0 ? -10.0 * log10(work->with_antenna ? sum / points->rx_gain : sum) : FAR_DB;
    rcity_mean_values values = {work->values[DIFFUSE], work->values[DIFFUSE_ROOF], work->values[DOUBT]};
    rcity_mean_level level = rcity_mean_level_of(&points->law, &point->link, values, work->with_antenna, map_db);
    if (!(sum > 0.0) && !(point->link.weight > 0.0f)) {
        return;
    }
    work->loss_db[i] = level.loss_db;
    if (work->mechanisms != NULL) {
        int kind = 0;
        for (int k = 1; k < RCITY_BEAMS_CLASS_COUNT; k++) {
            kind = share[k] > share[kind] ? k : kind;
        }
        work->mechanisms[i] = level.is_diffuse ? (int8_t)RCITY_MECHANISM_DIFFUSE : mechanism_of(point, kind);
    }
    if (work->slopes != NULL) {
        double *slopes = work->slopes + i * COEFFICIENT_COUNT;
        for (int k = 0; k < RCITY_BEAMS_CLASS_COUNT && sum > 0.0; k++) {
            slopes[k] = -level.map_share * share[k] / sum;
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
        const weigh_work *work = user;
        if (work->points->is_paper) {
            weigh_paper(work, i);
        } else {
            weigh_point(work, i);
        }
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

const rcity_method_fit rcity_beams_fit = {
    .coefficient_count = COEFFICIENT_COUNT,
    .coefficients = coefficients,
    .start = start,
    .list = list,
    .release = release,
    .weigh = weigh,
};
