/* Averages along routes. Fast fading varies over wavelengths, and a mean over some tens of them is what a model of
   streets and roofs can predict (W. C. Y. Lee, IEEE Transactions on Vehicular Technology 34(1), 1985). */
#include <math.h>

#include "result/measurements.h"

/* Sums over a piece; an average counts as often as it has samples. */
typedef struct piece_sum {
    rcity_measurement first;
    double x_m, y_m, height_m, time_s, travelled_m;
    double power; /* received power in mW, or the received part of 1 mW */
    int64_t sample_count;
} piece_sum;

static void add_sample(const rcity_measurement *sample, double decibel_sign, piece_sum *sum)
{
    double weight = (double)sample->sample_count;
    sum->x_m += weight * (sample->x_m - sum->first.x_m); /* keeps the large UTM coordinates out of the sums */
    sum->y_m += weight * (sample->y_m - sum->first.y_m);
    sum->height_m += weight * sample->height_m;
    sum->time_s += weight * (sample->time_s - sum->first.time_s);
    sum->travelled_m += weight * (sample->travelled_m - sum->first.travelled_m);
    sum->power += weight * pow(10.0, decibel_sign * sample->value / 10.0);
    sum->sample_count += sample->sample_count;
}

static rcity_status end_piece(rcity_measurements *averaged, double decibel_sign, const piece_sum *sum)
{
    double weight = (double)sum->sample_count;
    rcity_measurement mean = sum->first;
    mean.x_m += sum->x_m / weight;
    mean.y_m += sum->y_m / weight;
    mean.height_m = sum->height_m / weight;
    mean.time_s += sum->time_s / weight;
    mean.travelled_m += sum->travelled_m / weight;
    mean.value = decibel_sign * 10.0 * log10(sum->power / weight);
    mean.sample_count = sum->sample_count;
    return rcity_measurements_add(averaged, &mean);
}

/* Is there a gap before this measurement, or another transmitter? */
static bool starts_stretch(const rcity_measurement *to)
{
    return to[0].is_after_gap || to[0].route != to[-1].route || to[0].transmitter != to[-1].transmitter;
}

/* A piece starts with a sample and contains all samples within its length after it, so that samples far apart give
   pieces with equal numbers of samples. */
static rcity_status average_all(const rcity_measurements *measurements, double length_m, rcity_measurements *averaged)
{
    const rcity_measurement *list = measurements->list;
    double decibel_sign = measurements->kind == RCITY_MEASURED_LOSS ? -1.0 : 1.0;
    piece_sum sum = {.sample_count = 0};
    for (size_t i = 0; i < measurements->count; i++) {
        bool is_first = i == 0 || starts_stretch(&list[i]) || list[i].travelled_m - sum.first.travelled_m >= length_m;
        if (is_first) {
            RCITY_TRY(i > 0 ? end_piece(averaged, decibel_sign, &sum) : RCITY_OK);
            sum = (piece_sum){.first = list[i]};
        }
        add_sample(&list[i], decibel_sign, &sum);
    }
    return measurements->count > 0 ? end_piece(averaged, decibel_sign, &sum) : RCITY_OK;
}

rcity_status rcity_measurements_average(rcity_context *context, const rcity_measurements *measurements, double length_m,
                                        rcity_measurements **averaged)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, measurements);
    RCITY_NEED(context, averaged);
    RCITY_CHECK(context, length_m > 0.0 && isfinite(length_m), RCITY_ERR_ARGUMENT,
                "measurements are averaged over %g m of route, must be above 0", length_m);
    rcity_measurements *made = NULL;
    int index;
    rcity_status status;
    RCITY_TRY_DONE(rcity_measurements_create(context, measurements->kind, &made));
    for (size_t i = 0; i < measurements->route_count; i++) {
        RCITY_TRY_DONE(rcity_measurements_add_route(made, measurements->route_names[i], &index));
    }
    for (size_t i = 0; i < measurements->transmitter_count; i++) {
        RCITY_TRY_DONE(rcity_measurements_add_transmitter(made, &measurements->transmitters[i], &index));
    }
    made->tally = measurements->tally;
    RCITY_TRY_DONE(average_all(measurements, length_m, made));
    *averaged = made;
    made = NULL;
done:
    rcity_measurements_destroy(&made);
    return status;
}
