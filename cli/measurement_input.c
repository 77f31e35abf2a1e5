/* Measurements on a command line. */
#include "measurement_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session.h"
#include "unusual_values.h"

#define LIGHT_M_S   299792458.0
#define SAMPLES_MIN 3.0 /* fewer samples make no average */

measurement_input measurement_input_default(void)
{
    measurement_input input;
    memset(&input, 0, sizeof input);
    input.rx_height_m = rcity_measurements_options_default().height_m;
    input.weakest = input.strongest = (double)NAN;
    input.sites_height_m = (double)NAN;
    input.average_wavelengths = input.average_m = (double)NAN;
    return input;
}

static bool has_place(const transmitter_input *tx)
{
    return tx->place.count > 0 || tx->lonlat.count > 0;
}

int measurement_input_check(const char *command, const measurement_input *input, const transmitter_input *tx)
{
    if (input->paths.count == 0) {
        return usage_error(command, "the measurements are missing; give --measurements FILE");
    }
    if (input->kind != NULL && strcmp(input->kind, "loss") != 0 && strcmp(input->kind, "power") != 0) {
        return usage_error(command, "--kind is '%s', must be loss or power", input->kind);
    }
    if (input->offset.count != 0 && input->offset.count != 2) {
        return usage_error(command, "--measurements-offset-m takes X,Y in metres");
    }
    if (!isnan(input->average_wavelengths) && !isnan(input->average_m)) {
        return usage_error(command, "give one of --average-wavelengths and --average-m");
    }
    if (input->average_wavelengths < 0.0 || input->average_m < 0.0) {
        return usage_error(command, "measurements are averaged over a length of at least 0");
    }
    if ((tx->place.count > 0) + (tx->lonlat.count > 0) + (input->sites_path != NULL) > 1) {
        return usage_error(command, "give one of --tx, --tx-lonlat and --sites, or none where the file's columns state "
                                    "the transmitter");
    }
    int result = has_place(tx) ? transmitter_input_check_place(command, tx, " or --sites FILE") : 0;
    return result != 0 ? result : transmitter_input_check(command, tx);
}

/* Append " 12 at the floor," for a count above 0. */
static void add_count(char *text, size_t room, int64_t count, const char *what)
{
    size_t used = strlen(text);
    if (count > 0) {
        snprintf(text + used, room - used, "%s %lld %s", used > 0 ? "," : "", (long long)count, what);
    }
}

static void report_file(const char *path, const rcity_measurements *measurements, bool keeps_outside)
{
    char text[400] = "";
    rcity_measurement_tally tally = rcity_measurements_tally(measurements);
    add_count(text, sizeof text, tally.left_out_count, "left out by --where");
    add_count(text, sizeof text, tally.gap_count, "without a value or a place");
    add_count(text, sizeof text, tally.duplicate_count, "repeated");
    add_count(text, sizeof text, tally.floor_count, "at the weak end");
    add_count(text, sizeof text, tally.saturated_count, "at the strong end");
    add_count(text, sizeof text, tally.outside_count,
              keeps_outside ? "outside the scene, which are kept" : "outside the scene");
    fprintf(stderr, "radiocity: '%s': %lld of %lld %s%s%s\n", path, (long long)tally.kept_count,
            (long long)tally.row_count, tally.row_count == 1 ? "row is used" : "rows are used",
            text[0] != '\0' ? ";" : "", text);
}

static rcity_status load_files(rcity_context *context, const rcity_scene *scene, const measurement_input *input,
                               const rcity_transmitter *defaults, measurement_world *world)
{
    rcity_measurements_options options = rcity_measurements_options_default();
    options.kind = input->kind == NULL                ? RCITY_MEASURED_AUTO
                   : strcmp(input->kind, "loss") == 0 ? RCITY_MEASURED_LOSS
                                                      : RCITY_MEASURED_POWER;
    options.value_column = input->value_column;
    options.height_column = input->height_column;
    options.time_column = input->time_column;
    options.route_column = input->route_column;
    options.where = input->where;
    options.input_crs = input->crs;
    options.x_offset_m = input->offset.count == 2 ? input->offset.value[0] : 0.0;
    options.y_offset_m = input->offset.count == 2 ? input->offset.value[1] : 0.0;
    options.value_offset_db = input->value_offset_db;
    options.height_m = input->rx_height_m;
    options.weakest = input->weakest;
    options.strongest = input->strongest;
    options.keeps_outside = input->keeps_outside;
    options.defaults = *defaults;
    rcity_status status = RCITY_OK;
    for (int i = 0; i < input->paths.count && status == RCITY_OK; i++) {
        rcity_measurements *file = NULL;
        status = rcity_measurements_load(context, scene, input->paths.value[i], &options, &file);
        if (status == RCITY_OK && !session_is_quiet()) {
            report_file(input->paths.value[i], file, input->keeps_outside);
        }
        status = status == RCITY_OK ? rcity_measurements_append(context, &world->measurements, file) : status;
        rcity_measurements_destroy(&file);
    }
    return status;
}

/* Use the transmitter of the command line for all measurements. */
static rcity_status take_given(rcity_context *context, const rcity_scene *scene, const transmitter_input *tx,
                               rcity_transmitter *given, measurement_world *world)
{
    int stated_count = rcity_measurements_transmitter_count(world->measurements);
    rcity_status status = transmitter_input_locate(context, scene, tx, given);
    if (status == RCITY_OK && stated_count > 1 && !session_is_quiet()) {
        fprintf(stderr,
                "radiocity: warning: the measurements are of %d transmitters; all are taken as of the one given here, "
                "choose one with --where\n",
                stated_count);
    }
    return status == RCITY_OK ? rcity_measurements_set_transmitter(world->measurements, given) : status;
}

static rcity_status take_sites(rcity_context *context, const rcity_scene *scene, const measurement_input *input,
                               const transmitter_input *tx, const rcity_transmitter *defaults, measurement_world *world)
{
    rcity_sites_options options = rcity_sites_options_default();
    options.input_crs = input->sites_crs;
    options.defaults = *defaults;
    options.ignores_unknown_columns = session_accepts_unusual();
    options.synthesis = transmitter_input_synthesis(tx);
    rcity_status status = rcity_sites_load(context, scene, input->sites_path, &options, &world->sites);
    if (status != RCITY_OK) {
        return status;
    }
    int count = rcity_sites_count(world->sites);
    const rcity_transmitter *transmitters = rcity_sites_transmitters(world->sites);
    bool is_the_only = count == 1 && rcity_measurements_transmitter_count(world->measurements) == 0;
    return is_the_only ? rcity_measurements_set_transmitter(world->measurements, transmitters)
                       : rcity_measurements_name_transmitters(context, world->measurements, count, transmitters);
}

/* Has every measurement a transmitter, with place and frequency? @return 0, or EXIT_USAGE after a message. */
static int check_transmitters(const char *command, const rcity_measurements *measurements)
{
    const rcity_transmitter *transmitters = rcity_measurements_transmitters(measurements);
    for (int64_t i = 0; i < rcity_measurements_count(measurements); i++) {
        const rcity_measurement *one = &rcity_measurements_all(measurements)[i];
        if (one->transmitter < 0) {
            return usage_error(command,
                               "the measurements of '%s' do not say whose they are (row %lld); give --tx X,Y,H, "
                               "--tx-lonlat LON,LAT,H, or columns with the transmitter",
                               rcity_measurements_route_name(measurements, one->route), (long long)one->row);
        }
    }
    for (int i = 0; i < rcity_measurements_transmitter_count(measurements); i++) {
        const char *name = transmitters[i].name != NULL ? transmitters[i].name : "Tx";
        if (isnan(transmitters[i].x_m)) {
            return usage_error(command,
                               "the measurements name the transmitter '%s', but not where it stands; give "
                               "--sites FILE, or --tx X,Y,H",
                               name);
        }
        if (isnan(transmitters[i].frequency_hz)) {
            return usage_error(command, "the frequency of the transmitter '%s' is missing; give --frequency-mhz", name);
        }
    }
    return 0;
}

/* The length of averages: for several frequencies the longest wavelength is used. */
static double find_length_m(const measurement_input *input, const rcity_measurements *measurements)
{
    if (!isnan(input->average_m)) {
        return input->average_m;
    }
    double wavelength_m = 0.0;
    for (int i = 0; i < rcity_measurements_transmitter_count(measurements); i++) {
        wavelength_m = fmax(wavelength_m, LIGHT_M_S / rcity_measurements_transmitters(measurements)[i].frequency_hz);
    }
    double count = isnan(input->average_wavelengths) ? RCITY_AVERAGE_WAVELENGTHS : input->average_wavelengths;
    return count * wavelength_m;
}

/* Points that are already averages lie far apart. */
static void warn_of_few(const measurement_world *world)
{
    double share = (double)world->sample_count / (double)rcity_measurements_count(world->measurements);
    if (share < SAMPLES_MIN) {
        fprintf(
            stderr,
            "radiocity: warning: that is %.1f samples a point; if they are averages already, leave them as they are "
            "with --average-wavelengths 0\n",
            share);
    }
}

static rcity_status average(rcity_context *context, const measurement_input *input, measurement_world *world)
{
    world->sample_count = rcity_measurements_count(world->measurements);
    world->average_m = find_length_m(input, world->measurements);
    if (world->average_m == 0.0) {
        return RCITY_OK;
    }
    rcity_measurements *averaged = NULL;
    rcity_status status = rcity_measurements_average(context, world->measurements, world->average_m, &averaged);
    if (status == RCITY_OK) {
        rcity_measurements_destroy(&world->measurements);
        world->measurements = averaged;
        if (!session_is_quiet()) {
            fprintf(stderr, "radiocity: %lld samples averaged over %.2f m of route are %lld points\n",
                    (long long)world->sample_count, world->average_m, (long long)rcity_measurements_count(averaged));
            warn_of_few(world);
        }
    }
    return status;
}

int measurement_world_init(rcity_context *context, const rcity_scene *scene, const char *command,
                           const measurement_input *input, const transmitter_input *tx, measurement_world *world)
{
    rcity_transmitter defaults = rcity_transmitter_default(); /* what columns and sites do not state */
    defaults.height_m = input->sites_height_m;
    rcity_status status = transmitter_input_fill(context, tx, &world->antenna, &defaults);
    status = status == RCITY_OK ? load_files(context, scene, input, &defaults, world) : status;
    if (status == RCITY_OK && has_place(tx)) {
        status = take_given(context, scene, tx, &defaults, world);
    } else if (status == RCITY_OK && input->sites_path != NULL) {
        status = take_sites(context, scene, input, tx, &defaults, world);
    }
    if (status != RCITY_OK) {
        return session_fail(context, status);
    }
    int result = check_transmitters(command, world->measurements);
    if (result != 0) {
        return result;
    }
    result = unusual_values_check(command, rcity_measurements_transmitter_count(world->measurements),
                                  rcity_measurements_transmitters(world->measurements));
    if (result != 0) {
        return result;
    }
    for (int i = 0; i < rcity_measurements_transmitter_count(world->measurements); i++) {
        transmitter_warn_outside(scene, &rcity_measurements_transmitters(world->measurements)[i]);
    }
    status = average(context, input, world);
    return status == RCITY_OK ? 0 : session_fail(context, status);
}

void measurement_world_deinit(measurement_world *world)
{
    rcity_measurements_destroy(&world->measurements);
    rcity_sites_destroy(&world->sites);
    rcity_antenna_destroy(&world->antenna);
}
