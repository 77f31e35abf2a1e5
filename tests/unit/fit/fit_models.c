/* Models to fit. */
#include "fit_models.h"

static void *get(size_t count)
{
    void *memory = calloc(count + 1, sizeof(double));
    assert_non_null(memory);
    return memory;
}

fit_model fit_model_make(int n, int path_count, int64_t point_count)
{
    fit_model model = {n, path_count, point_count, NULL, NULL, 0};
    size_t paths = (size_t)point_count * (size_t)path_count;
    model.offset = get(paths);
    model.slope = get(paths * (size_t)n);
    return model;
}

void fit_model_free(fit_model *model)
{
    free(model->offset);
    free(model->slope);
}

void fit_model_evaluate(void *user, const double *parameters, double *values_db, double *slopes)
{
    fit_model *model = user;
    model->call_count++;
    for (int64_t point = 0; point < model->point_count; point++) {
        int64_t best = -1;
        double least = (double)NAN;
        for (int64_t path = point * model->path_count; path < (point + 1) * model->path_count; path++) {
            double value = model->offset[path];
            for (int i = 0; i < model->n; i++) {
                value += model->slope[path * model->n + i] * parameters[i];
            }
            if (value < least || (best < 0 && !isnan(value))) {
                least = value;
                best = path;
            }
        }
        values_db[point] = least;
        for (int i = 0; slopes != NULL && i < model->n; i++) {
            slopes[point * model->n + i] = best < 0 ? 0.0 : model->slope[best * model->n + i];
        }
    }
}

double test_normal(uint64_t seed, uint64_t i)
{
    double radius = sqrt(-2.0 * log(1.0 - test_uniform(seed, 2 * i, 0.0, 1.0)));
    return radius * cos(test_uniform(seed, 2 * i + 1, 0.0, 6.283185307179586));
}

fit_model fit_city_make(uint64_t seed, int64_t point_count)
{
    fit_model model = fit_model_make(CITY_PARAMETERS, MODEL_PATHS, point_count);
    for (int64_t point = 0; point < point_count; point++) {
        uint64_t draw = (uint64_t)point * 64;
        double distance_m = test_uniform(seed, draw, 30.0, 1000.0);
        bool is_in_sight = test_uniform(seed, draw + 1, 0.0, 1.0) < 0.2;
        for (int path = 0; path < MODEL_PATHS; path++) {
            int64_t index = point * MODEL_PATHS + path;
            double *slope = model.slope + index * CITY_PARAMETERS;
            uint64_t own = draw + 2 + 8 * (uint64_t)path;
            double length_m = distance_m * (path == 0 ? 1.0 : test_uniform(seed, own, 1.0, 1.4));
            model.offset[index] = 32.0 + 20.0 * log10(length_m) + (path == 0 && !is_in_sight ? 60.0 : 0.0);
            slope[0] = 1.0;
            int turns = path == 0 ? 0 : 1 + (int)test_uniform(seed, own + 1, 0.0, 3.0);
            for (int turn = 0; turn < turns; turn++) {
                double angle = test_uniform(seed, own + 2 + (uint64_t)turn, 0.05, path == 3 ? 0.6 : 1.6);
                slope[path == 3 ? 4 : 1] += 1.0;
                slope[path == 3 ? 5 : 2] += angle;
                slope[3] += path == 3 ? 0.0 : angle * angle;
            }
        }
    }
    return model;
}

rcity_fit_parameter parameter_of(double start, double low, double high, double spread)
{
    rcity_fit_parameter parameter = {"number", start, low, high, spread, false};
    return parameter;
}

const double city_truth[CITY_PARAMETERS] = {4.0, 9.0, 12.0, 3.0, 11.0, 20.0};

void city_make(uint64_t seed, int64_t count, double noise_db, double outlier_share, city *made)
{
    static const double spreads[CITY_PARAMETERS] = {20.0, 4.0, 8.0, 4.0, 6.0, 15.0};
    static const double starts[CITY_PARAMETERS] = {0.0, 7.0, 8.0, 5.0, 14.0, 10.0};
    made->model = fit_city_make(seed, count);
    made->measured_db = calloc((size_t)count + 1, sizeof(double));
    made->block = calloc((size_t)count + 1, sizeof(int32_t));
    fit_model_evaluate(&made->model, city_truth, made->measured_db, NULL);
    made->model.call_count = 0;
    for (int64_t point = 0; point < count; point++) {
        uint64_t i = (uint64_t)point;
        made->block[point] = (int32_t)(point / 20);
        made->measured_db[point] += noise_db * test_normal(seed + 77, i);
        if (test_uniform(seed + 78, i, 0.0, 1.0) < outlier_share) {
            made->measured_db[point] += 30.0;
        }
    }
    for (int i = 0; i < CITY_PARAMETERS; i++) {
        made->parameters[i] = parameter_of(starts[i], i == 0 ? -60.0 : 0.0, 60.0, spreads[i]);
    }
    rcity_fit_constraint constraint = {2, {2, 3}, {1.0, 2.0}, 0.0};
    made->constraint = constraint;
    rcity_fit_problem problem = {.parameter_count = CITY_PARAMETERS,
                                 .parameters = made->parameters,
                                 .constraint_count = 1,
                                 .constraints = &made->constraint,
                                 .point_count = count,
                                 .measured_db = made->measured_db,
                                 .block = made->block,
                                 .block_count = (int32_t)(count / 20 + 1),
                                 .is_robust = true,
                                 .evaluate = fit_model_evaluate};
    made->problem = problem;
    made->problem.user = &made->model;
}

void city_free(city *made)
{
    fit_model_free(&made->model);
    free(made->measured_db);
    free(made->block);
}
