/* Published ranges: checked before the work, counted during it, reported after it. */
#include "method/range.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/receiver_plane.h"
#include "scene/place/terrain.h"

/* Sums such as ground + 25 m - ground come back with a rounding error. */
#define TOLERANCE 1e-6

static bool is_inside(double value, double minimum, double maximum)
{
    return value >= minimum * (1.0 - TOLERANCE) && value <= maximum * (1.0 + TOLERANCE);
}

/* "150 to 1500 MHz", or "25 m" for a single value. */
static const char *format_range(double minimum, double maximum, const char *unit, char text[64])
{
    if (minimum == maximum) {
        snprintf(text, 64, "%g %s", minimum, unit);
    } else {
        snprintf(text, 64, "%g to %g %s", minimum, maximum, unit);
    }
    return text;
}

/* Metres below a kilometre, kilometres from there on. */
static const char *format_distance(double distance_m, char text[32])
{
    bool is_far = distance_m >= 1000.0;
    snprintf(text, 32, "%.4g %s", is_far ? distance_m * 1e-3 : distance_m, is_far ? "km" : "m");
    return text;
}

double rcity_range_tx_height_m(const rcity_job *job, const rcity_tx *tx)
{
    const rcity_transmitter *transmitter = &tx->stated;
    if (!transmitter->is_absolute) {
        return transmitter->height_m;
    }
    const rcity_terrain_grid *terrain = &job->shapes->terrain;
    if (terrain->column_count == 0) {
        return transmitter->height_m;
    }
    double units_per_m = job->shapes->units_per_m;
    double east = (double)terrain->west + (double)terrain->cell * (terrain->column_count - 1);
    double north = (double)terrain->south + (double)terrain->cell * (terrain->row_count - 1);
    double x = round((transmitter->x_m - job->shapes->origin_x_m) * units_per_m);
    double y = round((transmitter->y_m - job->shapes->origin_y_m) * units_per_m);
    int32_t at_x = (int32_t)fmin(fmax(x, terrain->west), east);
    int32_t at_y = (int32_t)fmin(fmax(y, terrain->south), north);
    return transmitter->height_m - rcity_terrain_height(terrain, at_x, at_y) / RCITY_HEIGHT_UNITS_PER_M;
}

static rcity_status fail_value(const rcity_job *job, const char *what, double value, double minimum, double maximum,
                               const char *unit)
{
    char range[64];
    return rcity_fail(job->context, RCITY_ERR_ARGUMENT,
                      "method %s: %s is %.6g %s, published for %s; `extrapolate` uses it all the same",
                      job->method->info.name, what, value, unit, format_range(minimum, maximum, unit, range));
}

static rcity_status check_rx_heights(const rcity_job *job, const rcity_model_range *range)
{
    const rcity_receivers *receivers = job->receivers;
    if (receivers->point_count == 0) {
        for (int i = 0; i < receivers->height_count; i++) {
            double height_m = receivers->height_m[i];
            if (!is_inside(height_m, range->rx_height_min_m, range->rx_height_max_m)) {
                return fail_value(job, "the receiver height", height_m, range->rx_height_min_m, range->rx_height_max_m,
                                  "m");
            }
        }
        return RCITY_OK;
    }
    for (int64_t i = 0; i < receivers->point_count && job->range_policy == RCITY_RANGE_FAIL; i++) {
        double height_m = receivers->xyh_m[3 * i + 2];
        char text[64];
        RCITY_CHECK(job->context, is_inside(height_m, range->rx_height_min_m, range->rx_height_max_m),
                    RCITY_ERR_ARGUMENT,
                    "method %s: receiver %lld is %.6g m above ground, published for %s; `extrapolate` predicts it all "
                    "the same, `skip-out-of-range` leaves it out",
                    job->method->info.name, (long long)i, height_m,
                    format_range(range->rx_height_min_m, range->rx_height_max_m, "m", text));
    }
    return RCITY_OK;
}

rcity_status rcity_range_check(const rcity_job *job, const rcity_tx *tx, const rcity_model_range *range)
{
    if (job->range_policy == RCITY_RANGE_EXTRAPOLATE) {
        return RCITY_OK;
    }
    double frequency_hz = tx->stated.frequency_hz;
    if (!is_inside(frequency_hz, range->frequency_min_hz, range->frequency_max_hz)) {
        return fail_value(job, "the frequency", frequency_hz * 1e-6, range->frequency_min_hz * 1e-6,
                          range->frequency_max_hz * 1e-6, "MHz");
    }
    double height_m = rcity_range_tx_height_m(job, tx);
    if (!is_inside(height_m, range->tx_height_min_m, range->tx_height_max_m)) {
        return fail_value(job, "the transmitter's height above ground", height_m, range->tx_height_min_m,
                          range->tx_height_max_m, "m");
    }
    return check_rx_heights(job, range);
}

rcity_range_count rcity_range_count_none(void)
{
    rcity_range_count count = {0, 0, HUGE_VAL, 0.0};
    return count;
}

/* Count one receiver. @return whether it loses its value. */
static bool count_receiver(const rcity_job *job, const rcity_model_range *range, double plan_m, double height_m,
                           rcity_range_count *count)
{
    bool is_outside = !is_inside(plan_m, range->distance_min_m, range->distance_max_m) ||
                      !is_inside(height_m, range->rx_height_min_m, range->rx_height_max_m);
    count->receiver_count++;
    count->outside_count += is_outside;
    count->nearest_m = fmin(count->nearest_m, plan_m);
    count->farthest_m = fmax(count->farthest_m, plan_m);
    return is_outside && job->range_policy == RCITY_RANGE_SKIP;
}

void rcity_range_count_plane(const rcity_job *job, const rcity_model_range *range, const rcity_tx *tx, double height_m,
                             const float *z_m, float *loss_db, rcity_range_count *count)
{
    const rcity_raster *raster = &job->raster;
    const rcity_point *from = &tx->position;
    for (int64_t row = 0; row < raster->row_count; row++) {
        double y_m = raster->north_m - ((double)row + 0.5) * raster->cell_m - from->y_m;
        for (int64_t column = 0; column < raster->column_count; column++) {
            int64_t cell = row * raster->column_count + column;
            if (isnan(z_m[cell])) {
                continue;
            }
            double x_m = raster->west_m + ((double)column + 0.5) * raster->cell_m - from->x_m;
            bool loses = count_receiver(job, range, sqrt(x_m * x_m + y_m * y_m), height_m, count);
            if (loses && loss_db != NULL) {
                loss_db[cell] = NAN;
            }
        }
    }
}

void rcity_range_count_points(const rcity_job *job, const rcity_model_range *range, const rcity_point *positions,
                              float *loss_db, rcity_range_count *count)
{
    for (int64_t i = 0; i < job->receivers->point_count; i++) {
        if (isnan(positions[i].z_m)) {
            continue;
        }
        double plan_m = sqrt(positions[i].x_m * positions[i].x_m + positions[i].y_m * positions[i].y_m);
        bool loses = count_receiver(job, range, plan_m, job->receivers->xyh_m[3 * i + 2], count);
        if (loses && loss_db != NULL) {
            loss_db[i] = NAN;
        }
    }
}

rcity_status rcity_range_check_count(const rcity_job *job, const rcity_model_range *range,
                                     const rcity_range_count *count)
{
    if (job->range_policy != RCITY_RANGE_FAIL || count->outside_count == 0) {
        return RCITY_OK;
    }
    char minimum[32];
    char maximum[32];
    char nearest[32];
    char farthest[32];
    char share[96];
    return rcity_fail(job->context, RCITY_ERR_ARGUMENT,
                      "method %s: %s outside the published distances, %s to %s: the nearest is "
                      "at %s, the farthest at %s; `extrapolate` predicts them too, `skip-out-of-range` leaves them out",
                      job->method->info.name,
                      rcity_format_share(count->outside_count, count->receiver_count, "receiver", "lies", "lie", share),
                      format_distance(range->distance_min_m, minimum), format_distance(range->distance_max_m, maximum),
                      format_distance(count->nearest_m, nearest), format_distance(count->farthest_m, farthest));
}

/* Append a part to a sentence. */
static void append(char *text, size_t room, const char *part)
{
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s", used > 0 ? "; " : "", part);
}

static void append_value(char *text, size_t room, const char *what, double value, double minimum, double maximum,
                         const char *unit)
{
    char part[160];
    char range[64];
    if (!is_inside(value, minimum, maximum)) {
        snprintf(part, sizeof part, "%s %.6g %s, published for %s", what, value, unit,
                 format_range(minimum, maximum, unit, range));
        append(text, room, part);
    }
}

static void append_receivers(char *text, size_t room, const rcity_model_range *range, const rcity_range_count *count)
{
    char part[240];
    char minimum[32];
    char maximum[32];
    char heights[64];
    if (count->outside_count > 0) {
        bool has_heights = isfinite(range->rx_height_max_m);
        snprintf(part, sizeof part, "%lld of %lld receivers, published for %s to %s%s%s%s",
                 (long long)count->outside_count, (long long)count->receiver_count,
                 format_distance(range->distance_min_m, minimum), format_distance(range->distance_max_m, maximum),
                 has_heights ? " and " : "",
                 has_heights ? format_range(range->rx_height_min_m, range->rx_height_max_m, "m", heights) : "",
                 has_heights ? " above ground" : "");
        append(text, room, part);
    }
}

rcity_status rcity_range_check_planes(const rcity_job *job, const rcity_model_range *range, const rcity_tx *tx)
{
    float *z_m = NULL;
    if (job->range_policy != RCITY_RANGE_FAIL || !rcity_job_is_raster(job)) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(job->context, (size_t)(job->raster.column_count * job->raster.row_count), sizeof *z_m,
                          "receiver heights", &z_m));
    rcity_range_count count = rcity_range_count_none();
    for (int i = 0; i < job->receivers->height_count; i++) {
        double height_m = job->receivers->height_m[i];
        rcity_receiver_plane_fill(job->context, job->shapes, &job->raster, height_m, job->roof_m, z_m);
        rcity_range_count_plane(job, range, tx, height_m, z_m, NULL, &count);
    }
    rcity_status status = rcity_range_check_count(job, range, &count);
    rcity_release(job->context, z_m);
    return status;
}

rcity_status rcity_range_report(const rcity_job *job, const rcity_model_range *range, const rcity_tx *tx,
                                const rcity_range_count *count, rcity_notes *notes)
{
    char text[640] = "";
    bool is_extrapolated = job->range_policy == RCITY_RANGE_EXTRAPOLATE;
    const char *word = is_extrapolated ? RCITY_NOTE_EXTRAPOLATED : "skipped";
    if (is_extrapolated) {
        append_value(text, sizeof text, "frequency", tx->stated.frequency_hz * 1e-6, range->frequency_min_hz * 1e-6,
                     range->frequency_max_hz * 1e-6, "MHz");
        append_value(text, sizeof text, "transmitter height", rcity_range_tx_height_m(job, tx), range->tx_height_min_m,
                     range->tx_height_max_m, "m");
    }
    append_receivers(text, sizeof text, range, count);
    if (text[0] == '\0') {
        return RCITY_OK;
    }
    const char *name = tx->stated.name;
    if (!job->is_quiet) {
        rcity_log(job->context, RCITY_LOG_WARNING, "method %s %s%s%s: %s", job->method->info.name, word,
                  name != NULL ? " for " : "", name != NULL ? name : "", text);
    }
    return notes != NULL ? rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, word, "%s", text) : RCITY_OK;
}
