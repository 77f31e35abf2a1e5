/* How long a prediction will take. Constants of a machine would be wrong on the next one, and what a method takes depends
   on the city more than on any count; a few coarse rasters of the same city tell both. */
#include "predict_measure.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "session.h"

#define FIRST_COUNT  200.0 /* receivers of the first raster */
#define GROWTH       4.0   /* of each next one */
#define ENOUGH_S     0.5   /* a raster that took so long tells enough */
#define PATIENCE_S   8.0   /* then the measurement is given up */
#define SAMPLES_MOST 8

typedef struct time_sample {
    double receiver_count, seconds;
    double counted_s; /* what the library counts for it, on a machine of its own */
} time_sample;

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One prediction of one transmitter, thrown away. */
static rcity_status take_sample(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                const rcity_request *request, time_sample *sample)
{
    rcity_map *map = NULL;
    rcity_estimate counted;
    memset(&counted, 0, sizeof counted);
    rcity_status status = rcity_predict_estimate(context, scene, request, &counted);
    double start_s = clock_s();
    status = status == RCITY_OK ? rcity_predict(context, scene, device, request, &map) : status;
    sample->counted_s = counted.seconds;
    sample->seconds = clock_s() - start_s;
    if (status == RCITY_OK) {
        rcity_raster raster = rcity_map_raster(map);
        sample->receiver_count =
            (double)raster.column_count * (double)raster.row_count * (double)request->receivers.height_count;
    }
    rcity_map_destroy(&map);
    return status;
}

/* The time of the raster that is asked for: the line through the last two samples, or from one sample in the ratio that
   the library counts. */
static double extend(const time_sample *samples, int count, double receiver_count, double counted_s)
{
    const time_sample *last = &samples[count - 1];
    if (last->receiver_count >= 0.99 * receiver_count) {
        return last->seconds;
    }
    if (count == 1) {
        double ratio = last->counted_s > 0.0 ? counted_s / last->counted_s : receiver_count / last->receiver_count;
        return last->seconds * fmax(ratio, 1.0);
    }
    const time_sample *before = &samples[count - 2];
    double each_s = (last->seconds - before->seconds) / (last->receiver_count - before->receiver_count);
    return last->seconds + fmax(each_s, 0.0) * (receiver_count - last->receiver_count);
}

rcity_status predict_measure_seconds(rcity_context *context, const rcity_scene *scene, const predict_input *input,
                                     const predict_world *world, double *seconds, bool *is_least)
{
    rcity_request request = input->request;
    rcity_device *device = NULL;
    rcity_estimate estimate;
    time_sample samples[SAMPLES_MOST];
    int count = 0;
    request.transmitter = world->transmitters[world->transmitter_count / 2];
    *is_least = false;
    memset(&estimate, 0, sizeof estimate);
    rcity_status status = rcity_predict_estimate(context, scene, &request, &estimate);
    status = status == RCITY_OK ? rcity_device_open(context, input->device, &device) : status;
    double wanted = (double)estimate.receiver_count;
    double cell_m = request.receivers.cell_m;
    double target = FIRST_COUNT;
    session_set_patience(PATIENCE_S);
    for (bool goes_on = true; status == RCITY_OK && goes_on && count < SAMPLES_MOST;) {
        request.receivers.cell_m = cell_m * fmax(sqrt(wanted / target), 1.0);
        status = take_sample(context, scene, device, &request, &samples[count]);
        count += status == RCITY_OK;
        goes_on = status == RCITY_OK && samples[count - 1].seconds < ENOUGH_S && target < wanted;
        target *= GROWTH;
    }
    bool is_given_up = session_lost_patience();
    session_set_patience(0.0);
    rcity_device_close(&device);
    if (count > 0 && (status == RCITY_OK || is_given_up)) {
        *seconds = extend(samples, count, wanted, estimate.seconds) * (double)world->transmitter_count;
        return RCITY_OK;
    }
    if (is_given_up) {
        *seconds = fmax(*seconds, PATIENCE_S);
        *is_least = true;
        return RCITY_OK;
    }
    return status;
}
