/* Measurements from files. */
#include "io/measurements/measurements.h"

#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "io/measurements/measurement_rows.h"
#include "io/measurements/plain_list.h"

void rcity_measurements_options_init(rcity_measurements_options *options, size_t struct_bytes)
{
    rcity_measurements_options made;
    memset(&made, 0, sizeof made);
    made.height_m = 1.5;
    made.weakest = made.strongest = (double)NAN;
    made.defaults = rcity_transmitter_default();
    made.defaults.height_m = (double)NAN;
    made.defaults.frequency_hz = (double)NAN;
    made.defaults.power_dbm = (double)NAN;
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

static rcity_status check_options(rcity_context *context, const rcity_measurements_options *options)
{
    RCITY_CHECK(context, options->height_m >= 0.0 && options->height_m <= RCITY_RX_HEIGHT_MAX_M, RCITY_ERR_ARGUMENT,
                "the receiver height is %g m, must be 0 to %g m above ground", options->height_m,
                RCITY_RX_HEIGHT_MAX_M);
    RCITY_CHECK(context, fabs(options->value_offset_db) <= RCITY_MEASURED_LIMIT_DB, RCITY_ERR_ARGUMENT,
                "the offset of the values is %g dB, must be within %g", options->value_offset_db,
                RCITY_MEASURED_LIMIT_DB);
    RCITY_CHECK(context,
                fabs(options->x_offset_m) <= RCITY_COORDINATE_MAX_M &&
                    fabs(options->y_offset_m) <= RCITY_COORDINATE_MAX_M,
                RCITY_ERR_ARGUMENT, "the offset of the places is (%g, %g) m, must be within %g", options->x_offset_m,
                options->y_offset_m, RCITY_COORDINATE_MAX_M);
    return RCITY_OK;
}

rcity_status rcity_measurements_read(rcity_records *records, bool is_plain, const rcity_scene *scene,
                                     const rcity_measurements_options *options, rcity_measurements **measurements)
{
    rcity_measurement_columns columns;
    rcity_measurements *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(check_options(records->context, options));
    RCITY_TRY_DONE(rcity_measurement_find_columns(records, options, is_plain, &columns));
    RCITY_TRY_DONE(rcity_measurements_create(records->context, columns.kind, &made));
    RCITY_TRY_DONE(rcity_measurement_read_rows(records, scene, options, &columns, made));
    RCITY_TRY_DONE(rcity_measurement_check_values(made, rcity_csv_name(records->table), options));
    rcity_records_report_unused(records);
    *measurements = made;
    made = NULL;
done:
    rcity_measurements_destroy(&made);
    return status;
}

rcity_status rcity_measurements_load(rcity_context *context, const rcity_scene *scene, const char *path,
                                     const rcity_measurements_options *options, rcity_measurements **measurements)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, path);
    rcity_measurements_options known;
    RCITY_TAKE(context, rcity_measurements_options, defaults, options, &known);
    options = &known;
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_transmitter, &known.defaults));
    RCITY_NEED(context, measurements);
    rcity_records records;
    memset(&records, 0, sizeof records);
    bool is_plain = rcity_plain_list_is_file(path);
    rcity_status status;
    RCITY_TRY_DONE(is_plain ? rcity_plain_list_load(context, path, &records)
                            : rcity_records_load(context, path, &records));
    RCITY_TRY_DONE(rcity_measurements_read(&records, is_plain, scene, options, measurements));
done:
    rcity_records_deinit(&records);
    return status;
}
