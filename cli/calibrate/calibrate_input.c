/* The command line of `calibrate`. */
#include "calibrate_input.h"

#include <stdio.h>
#include <string.h>

#include "help.h"
#include "method_help.h"
#include "outputs.h"
#include "refused_names.h"

static const char about[] =
    "Fit the coefficients of a method to measurements, and write them to a file that predict and score take.\n"
    "Paths are traced once and weighed by every set of coefficients that is tried: bounded least squares that "
    "alternates\n"
    "with the choice of the strongest path; outliers lose their weight; laws grow with the angle, obstacles take and "
    "do\n"
    "not give. The report has a 95 % confidence for each coefficient, and says which the measurements hardly tell; "
    "the\n"
    "error on transmitters that were left out (of one transmitter: on pieces of its route) shows what to expect "
    "elsewhere.\n"
    "Measure three transmitters or more: intervals know only of the spread between those that are measured. What is\n"
    "particular to a transmitter goes into its level, which predictions of others do not use; to predict the measured\n"
    "ones again, give --level-spread-db 0.\n\n"
    "Options of the method (see 'radiocity predict --help') say what is traced and where coefficients start.\n\n"
    "Examples:\n"
    "  radiocity calibrate --scene munich.rcity --tx 1281.36,1381.27,13 --frequency-mhz 947 \\\n"
    "      --measurements metro202.txt -o munich.json\n"
    "  radiocity calibrate --scene city.rcity --sites sites.csv --measurements rsrp.csv --fit-offset -o city.json\n"
    "  radiocity calibrate --scene city.rcity --measurements drive.csv --tx 500,500,30 --frequency-mhz 3500 \\\n"
    "      --fit-position-m 20 --fit-height-m 5 --fix roof-edge-db-per-rad2 --fix wall-db -o city.json\n"
    "  radiocity predict --scene city.rcity --tx 500,500,30 --frequency-mhz 3500 --coefficients city.json -o map.tif";

static int check_names(const text_list *names)
{
    for (int i = 0; i < names->count; i++) {
        const char *renamed = refused_method_option(names->value[i]);
        if (renamed != NULL) {
            return usage_error("calibrate", "the coefficient %s has a new name: %s", names->value[i], renamed);
        }
    }
    return 0;
}

static int check_input(const calibrate_input *input)
{
    if (input->scene_path == NULL) {
        return usage_error("calibrate", "the scene is missing; give --scene FILE");
    }
    if (input->output_path == NULL && !input->wants_json) {
        return usage_error("calibrate", "no output requested; give -o FILE.json or --json");
    }
    if (input->output_path != NULL && !path_ends_with(input->output_path, ".json")) {
        return usage_error("calibrate", "-o names a file that ends in .json; let '%s' do so", input->output_path);
    }
    int result = check_names(&input->fixed);
    result = result != 0 ? result : check_names(&input->requested);
    return result != 0 ? result : measurement_input_check("calibrate", &input->measured, &input->tx);
}

static void set_defaults(calibrate_input *input)
{
    memset(input, 0, sizeof *input);
    input->tx = transmitter_input_default();
    input->measured = measurement_input_default();
    input->request = rcity_request_default();
    input->options = rcity_calibrate_options_default();
    input->extra.accepts = method_option_exists;
    input->extra.name_at = method_option_at;
}

/* All but what files say. */
static void fill_request(calibrate_input *input)
{
    rcity_request *request = &input->request;
    request->method = input->method != NULL ? input->method : request->method;
    request->range_policy = input->extrapolates ? RCITY_RANGE_EXTRAPOLATE : RCITY_RANGE_FAIL;
    request->option_count = input->extra.count;
    request->option_name = input->extra.name;
    request->option_value = input->extra.value;
    input->options.is_robust = !input->is_plain;
    input->options.fixed_count = input->fixed.count;
    input->options.fixed = input->fixed.value;
    input->options.requested_count = input->requested.count;
    input->options.requested = input->requested.value;
}

int calibrate_input_read(calibrate_input *input, int count, char **words)
{
    set_defaults(input);
    rcity_calibrate_options *options = &input->options;
    char method_text[METHOD_TEXT_BYTES];
    const cli_option table[] = {
        {"--scene", OPTION_TEXT, &input->scene_path, "FILE", "compiled scene (.rcity), or a wall list (.res)"},
        MEASUREMENT_FILES_OPTIONS(&input->measured),
        TRANSMITTER_PLACE_OPTIONS(&input->tx),
        TRANSMITTER_FREQUENCY_OPTIONS(&input->tx),
        {"--method", OPTION_TEXT, &input->method, "NAME",
         help_describe_method("as of predict, with its options", false, method_text, sizeof method_text)},
        {"--coefficients", OPTION_TEXT, &input->coefficients.path, "FILE",
         "start from those of an earlier calibration; options given here win"},
        {"--fit", OPTION_TEXTS, &input->requested, "NAME",
         "fit a coefficient that is fitted only on request (clutter-db-per-m); again"},
        {"--fix", OPTION_TEXTS, &input->fixed, "NAME", "leave a coefficient (an option of the method) as it is; again"},
        {"--fit-offset", OPTION_FLAG, &options->fits_offset, NULL,
         "the power of each transmitter is not known: find it"},
        {"-o", OPTION_TEXT, &input->output_path, "FILE", "coefficients, with all that is known of them (.json)"},
        {"--json", OPTION_FLAG, &input->wants_json, NULL, "print what was found as one JSON object"},
        OPTION_GROUP("measurements", "How measurements are read, and their sites"),
        MEASUREMENT_OPTIONS(&input->measured),
        OPTION_GROUP("transmitter", "Power, antenna and direction"),
        TRANSMITTER_ANTENNA_OPTIONS(&input->tx),
        {"--rx-gain-dbi", OPTION_NUMBER, &input->request.receivers.gain_dbi, "DBI",
         "gain of the receivers, where powers were measured; 0"},
        OPTION_GROUP("fit", "How to fit and to check"),
        {"--level-spread-db", OPTION_NUMBER, &options->level_spread_db, "DB",
         "how much levels of transmitters differ; 4, of three or more estimated; 0: only these will be predicted"},
        {"--fit-position-m", OPTION_NUMBER, &options->position_max_m, "METRES", "correct its place within this; 0"},
        {"--fit-height-m", OPTION_NUMBER, &options->height_max_m, "METRES", "and its height; 0"},
        {"--least-squares", OPTION_FLAG, &input->is_plain, NULL, "outliers keep their weight"},
        {"--cross-validation-blocks", OPTION_COUNT, &options->block_count, "N",
         "pieces of route to cross-validate one transmitter with (several: each is left out); 10, 0: none"},
        {"--extrapolate", OPTION_FLAG, &input->extrapolates, NULL, "use the method outside its published range"},
        {"--device", OPTION_TEXT, &input->device, "ID",
         "host or opencl:N (see 'radiocity devices'); the best there is"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "calibrate",
        .usage = "Usage: radiocity calibrate --scene FILE --measurements FILE [--tx X,Y,H --frequency-mhz MHZ] -o FILE "
                 "[options]",
        .about = about,
        .options = table,
        .extra = &input->extra,
    };
    int result = arguments_read(&line, count, words);
    result = result != 0 ? result : check_input(input);
    if (result == 0) {
        fill_request(input);
    }
    return result;
}
