#include "api/calibrate_place.h"

#include <math.h>
#include <string.h>

#include "fit/fit_place.h"

#define POINTS_ENOUGH  1500 /* for a search */
#define TRIES_A_NUMBER 30
#define BIWEIGHT       4.685 /* of the scale: errors beyond count no more */
#define FINEST_M       0.5   /* paths come and go in steps: costs are jagged, and no bound is finer than this */
#define RISE_95        1.92  /* of a log likelihood: half of the square of 1.96 */

typedef struct place_search {
    rcity_calibrate_world *world; /* thinned */
    rcity_transmitter from;       /* where it was said to stand */
    int part_index;
    int axis[3]; /* of the numbers that are searched */
    int axis_count;
    bool is_robust;
    double scale_db; /* of errors, from the place that was stated */
    double *values_db;
    double widening;     /* of the fit at that place; 0: not found yet */
    bool has_parameters; /* found by the last try; the next begins there */
    double parameters[RCITY_FIT_PARAMETER_MAX];
    long try_count;
} place_search;

/* Errors in units of the scale as a log likelihood; outliers count the same, however far. */
static double cost_of(const place_search *search)
{
    rcity_calibrate_world *world = search->world;
    double cost = 0.0;
    rcity_calibrate_world_evaluate(world, search->parameters, search->values_db, NULL);
    for (int64_t i = 0; i < world->count; i++) {
        if (isnan(search->values_db[i])) { /* a place that reaches fewer points is not the better for it */
            cost += BIWEIGHT * BIWEIGHT / 6.0;
            continue;
        }
        double u = (world->measured_db[i] - search->values_db[i]) / search->scale_db;
        double inside = fmax(1.0 - u * u / (BIWEIGHT * BIWEIGHT), 0.0);
        cost += search->is_robust ? BIWEIGHT * BIWEIGHT / 6.0 * (1.0 - inside * inside * inside) : 0.5 * u * u;
    }
    return cost;
}

/* Fit the coefficients from where they are; the next try starts from there. */
static rcity_status fit_here(place_search *search, rcity_fit_solution *solution)
{
    rcity_fit_problem problem = rcity_calibrate_world_problem(search->world, search->is_robust);
    problem.near = search->has_parameters ? search->parameters : NULL;
    problem.widening = search->widening;
    problem.group = NULL; /* only where the fit goes counts here */
    RCITY_TRY(rcity_fit_solve(search->world->context, &problem, solution));
    for (int k = 0; k < search->world->parameter_count; k++) {
        search->parameters[k] = solution->numbers[k].value;
    }
    search->widening = solution->widening;
    search->has_parameters = true;
    return RCITY_OK;
}

/* An rcity_fit_place_cost. */
static rcity_status try_shift(void *user, const double *numbers, double *cost)
{
    place_search *search = user;
    rcity_fit_solution solution;
    double shift[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < search->axis_count; i++) {
        shift[search->axis[i]] = numbers[i];
    }
    rcity_status status = rcity_calibrate_world_move(search->world, search->part_index, &search->from, shift);
    if (status == RCITY_ERR_ARGUMENT) {
        *cost = HUGE_VAL; /* in a building, say */
        return RCITY_OK;
    }
    RCITY_TRY(status);
    search->try_count++;
    RCITY_TRY(rcity_progress(search->world->context, "finding the transmitter",
                             (double)(search->try_count < 100 ? search->try_count : 100), 100.0));
    RCITY_TRY(fit_here(search, &solution));
    *cost = cost_of(search);
    return RCITY_OK;
}

static rcity_status find_one(place_search *search, const rcity_calibrate_options *options, rcity_calibrate_shift *shift)
{
    rcity_context *context = search->world->context;
    rcity_fit_place_search asked = {.cost = try_shift, .user = search};
    for (int i = 0; i < 3; i++) {
        shift->reach[i] = i < 2 ? options->position_max_m : options->height_max_m;
        if (shift->reach[i] > 0.0) {
            search->axis[search->axis_count++] = i;
            asked.reach[asked.count++] = shift->reach[i];
        }
    }
    asked.try_count = TRIES_A_NUMBER * asked.count;
    double numbers[RCITY_FIT_PLACE_MAX] = {0.0};
    double cost;
    double again;
    RCITY_TRY(rcity_fit_find_place(context, &asked, numbers, &cost));
    RCITY_TRY(try_shift(search, numbers, &again)); /* its errors are those of the best now */
    double rise =
        RISE_95 * rcity_calibrate_world_widening(search->world, search->values_db, BIWEIGHT * search->scale_db);
    for (int i = 0; i < search->axis_count; i++) {
        int axis = search->axis[i];
        shift->value[axis] = numbers[i];
        RCITY_TRY(rcity_fit_place_bounds(&asked, numbers, cost, rise, i, &shift->low[axis], &shift->high[axis]));
        shift->low[axis] = fmin(shift->low[axis], numbers[i] - FINEST_M);
        shift->high[axis] = fmax(shift->high[axis], numbers[i] + FINEST_M);
    }
    return try_shift(search, numbers, &again);
}

rcity_status rcity_calibrate_place(rcity_calibrate_world *world, const rcity_calibrate_options *options,
                                   rcity_calibrate_shift *shifts)
{
    rcity_context *context = world->context;
    rcity_calibrate_world thin;
    memset(&thin, 0, sizeof thin);
    thin.context = context;
    double *values_db = NULL;
    rcity_status status;
    int64_t stride = (world->count + POINTS_ENOUGH - 1) / POINTS_ENOUGH;
    RCITY_TRY_DONE(rcity_calibrate_world_thin(world, stride, &thin));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thin.count, sizeof *values_db, "predicted losses", &values_db));
    for (int p = 0; p < world->part_count; p++) {
        place_search search = {.world = &thin,
                               .from = world->parts[p].request.transmitter,
                               .part_index = p,
                               .is_robust = options->is_robust,
                               .values_db = values_db};
        rcity_fit_solution solution;
        RCITY_TRY_DONE(fit_here(&search, &solution));
        search.scale_db = fmax(solution.scale_db, 0.1);
        RCITY_TRY_DONE(find_one(&search, options, &shifts[p]));
        RCITY_TRY_DONE(rcity_calibrate_world_move(world, p, &search.from, shifts[p].value));
    }
done:
    rcity_release(context, values_db);
    rcity_calibrate_world_deinit(&thin);
    return status;
}
