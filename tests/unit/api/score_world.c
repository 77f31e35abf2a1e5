#include "score_world.h"
#include "fit_items.h"

const test_box score_boxes[SCORE_BOX_COUNT] = {
    {0.0, 0.0, 60.0, 60.0, 18.0},    {80.0, 0.0, 140.0, 60.0, 25.0},    {160.0, 0.0, 220.0, 60.0, 15.0},
    {0.0, 80.0, 60.0, 140.0, 22.0},  {80.0, 80.0, 140.0, 140.0, 19.0},  {160.0, 80.0, 220.0, 140.0, 30.0},
    {0.0, 160.0, 60.0, 220.0, 12.0}, {80.0, 160.0, 140.0, 220.0, 21.0}, {160.0, 160.0, 220.0, 220.0, 17.0},
};

void score_world_open(score_world *w, rcity_context *context, const char *method, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->context = context;
    w->scene = test_scene(context, score_boxes, SCORE_BOX_COUNT);
    assert_ok(context, rcity_device_open(context, "host", &w->device));
    w->request = rcity_request_default();
    w->request.method = method;
    w->request.transmitter.name = "mast";
    w->request.transmitter.x_m = 70.0;
    w->request.transmitter.y_m = 71.0;
    w->request.transmitter.height_m = 28.0;
    w->request.transmitter.frequency_hz = 947e6;
    for (uint64_t i = 0; i < SCORE_POINT_COUNT; i++) {
        w->xyh_m[3 * i] = test_uniform(seed, 2 * i, -20.0, 240.0);
        w->xyh_m[3 * i + 1] = test_uniform(seed, 2 * i + 1, -20.0, 240.0);
        w->xyh_m[3 * i + 2] = 1.5;
    }
}

void score_world_close(score_world *w)
{
    rcity_device_close(&w->device);
    rcity_scene_destroy(&w->scene);
}

void score_world_predict(score_world *w, const char *method, float *loss_db, float *received_dbm)
{
    rcity_request request = w->request;
    request.method = method;
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    request.receivers.point_count = SCORE_POINT_COUNT;
    request.receivers.xyh_m = w->xyh_m;
    assert_ok(w->context, rcity_predict_points(w->context, w->scene, w->device, &request, loss_db, received_dbm));
}

double score_world_error(uint64_t i)
{
    return test_uniform(99, i, -8.0, 12.0);
}

rcity_measurements *score_world_measure(score_world *w, rcity_measured_kind kind, const float *values, double sign)
{
    return score_world_measure_first(w, kind, values, sign, SCORE_POINT_COUNT);
}

rcity_measurements *score_world_measure_first(score_world *w, rcity_measured_kind kind, const float *values,
                                              double sign, uint64_t count)
{
    rcity_measurements *made = NULL;
    int route = 0;
    int transmitter = 0;
    assert_ok(w->context, rcity_measurements_create(w->context, kind, &made));
    assert_ok(w->context, rcity_measurements_add_route(made, "loop", &route));
    assert_ok(w->context, rcity_measurements_add_transmitter(made, &w->request.transmitter, &transmitter));
    for (uint64_t i = 0; i < count; i++) {
        double value = isnan(values[i]) ? 100.0 : (double)values[i] + sign * score_world_error(i);
        rcity_measurement one = {.x_m = w->xyh_m[3 * i],
                                 .y_m = w->xyh_m[3 * i + 1],
                                 .height_m = 1.5,
                                 .value = value,
                                 .time_s = (double)NAN,
                                 .route = route,
                                 .transmitter = transmitter,
                                 .sample_count = 1,
                                 .row = (int64_t)i + 1};
        assert_ok(w->context, rcity_measurements_add(made, &one));
    }
    assert_ok(w->context, rcity_measurements_arrange(made));
    return made;
}

rcity_score *score_world_score(score_world *w, const rcity_measurements *measurements,
                               const rcity_coefficients *coefficients)
{
    rcity_score *score = NULL;
    assert_ok(w->context,
              rcity_score_create(w->context, w->scene, w->device, &w->request, coefficients, measurements, &score));
    return score;
}

int score_find_group(const rcity_score *score, const char *name)
{
    for (int i = 0; i < rcity_score_group_count(score); i++) {
        if (strcmp(score_group_at(score, i).name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int score_find_model(const rcity_score *score, const char *name, const char *fitted_on)
{
    for (int i = 0; i < rcity_score_model_count(score); i++) {
        rcity_score_model model = score_model_at(score, i);
        if (strcmp(model.name, name) == 0 && strcmp(model.fitted_on, fitted_on) == 0) {
            return i;
        }
    }
    return -1;
}

bool score_says(const char *(*sentence)(const rcity_score *, int), const rcity_score *score, const char *words)
{
    for (int i = 0; sentence(score, i) != NULL; i++) {
        if (strstr(sentence(score, i), words) != NULL) {
            return true;
        }
    }
    return false;
}
