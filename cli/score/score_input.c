/* The command line of `score`. */
#include "score_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "method_help.h"
#include "outputs.h"

/* The help lists the methods and their options from the library's own table. */
static const char purpose[] =
    "Predict at the places of measurements, and say how far predicted and measured losses are apart: the mean error\n"
    "(measured less predicted: above 0 the model is too bright), the root of the mean "
    "square (rmse),\n"
    "the standard deviation, the median of the errors without sign, and the correlation. Plain models stand beside on\n"
    "the same points: a constant, free space, free space and an offset, log-distance (fitted to these points), Hata "
    "and\n"
    "Walfisch-Ikegami. The transmitter comes from --tx, from --sites by the names in the measurements, or from "
    "columns\n"
    "of them.\n";

static const char examples[] =
    "\nExamples:\n"
    "  radiocity score --scene munich.rcity --tx 1281.36,1381.27,13 --frequency-mhz 947 --measurements metro200.txt "
    "\\\n"
    "      --plot route.png\n"
    "  radiocity score --scene slc.rcity --measurements drive.csv --value-column L_btl__db --tx-lonlat \\\n"
    "      -111.8885,40.7911,19.9 --frequency-mhz 3475 -o points.csv --scatter scatter.png --json\n"
    "  radiocity score --scene city.rcity --sites sites.csv --measurements rsrp.csv --coefficients fitted.json\n"
    "  radiocity score --scene city.rcity --measurements drive.csv --method walfisch-ikegami --extrapolate";

/* Output files: the option that names each and its ending. */
static int check_names(const score_input *input)
{
    bool is_vector = input->points_path != NULL &&
                     (path_ends_with(input->points_path, ".gpkg") || path_ends_with(input->points_path, ".geojson"));
    const output_name outputs[] = {
        {"-o", input->points_path, is_vector ? strrchr(input->points_path, '.') : ".csv",
         "-o names a table or a vector (.gpkg, .geojson) that", is_vector, false},
        {"--plot", input->plot_path, ".png", "--plot names a file that", false, true},
        {"--scatter", input->scatter_path, ".png", "--scatter names a file that", false, true},
    };
    return output_check_names("score", sizeof outputs / sizeof outputs[0], outputs);
}

static int check_input(const score_input *input)
{
    if (input->scene_path == NULL) {
        return usage_error("score", "the scene is missing; give --scene FILE");
    }
    if (input->extrapolates && input->skips_out_of_range) {
        return usage_error("score", "give one of --extrapolate and --skip-out-of-range");
    }
    int result = measurement_input_check("score", &input->measured, &input->tx);
    return result != 0 ? result : check_names(input);
}

static void set_defaults(score_input *input)
{
    memset(input, 0, sizeof *input);
    input->tx = transmitter_input_default();
    input->measured = measurement_input_default();
    input->request = rcity_request_default();
    input->extra.accepts = method_option_exists;
    input->extra.name_at = method_option_at;
}

/* All but what files say. */
static void fill_request(score_input *input)
{
    rcity_request *request = &input->request;
    request->method = input->method != NULL ? input->method : request->method;
    request->range_policy = input->extrapolates         ? RCITY_RANGE_EXTRAPOLATE
                            : input->skips_out_of_range ? RCITY_RANGE_SKIP
                                                        : RCITY_RANGE_FAIL;
    request->option_count = input->extra.count;
    request->option_name = input->extra.name;
    request->option_value = input->extra.value;
}

int score_input_read(score_input *input, int count, char **words)
{
    static char methods[32768];
    char about[4096];
    snprintf(methods, sizeof methods, "Methods, their options and what these are unless given:\n");
    help_append_methods(methods, sizeof methods);
    snprintf(about, sizeof about, "%s%s", purpose, examples);
    set_defaults(input);
    char method_text[METHOD_TEXT_BYTES];
    const cli_option table[] = {
        {"--scene", OPTION_TEXT, &input->scene_path, "FILE", "compiled scene (.rcity), or a wall list (.res)"},
        MEASUREMENT_FILES_OPTIONS(&input->measured),
        TRANSMITTER_PLACE_OPTIONS(&input->tx),
        TRANSMITTER_FREQUENCY_OPTIONS(&input->tx),
        {"--method", OPTION_TEXT, &input->method, "NAME",
         help_describe_method("as of predict, with its options", true, method_text, sizeof method_text)},
        {"--coefficients", OPTION_TEXT, &input->coefficients.path, "FILE",
         "method and options that calibrate found; those given here win"},
        {"-o", OPTION_TEXT, &input->points_path, "FILE", "every point with all its losses (.csv, .gpkg, .geojson)"},
        {"--plot", OPTION_TEXT, &input->plot_path, "FILE", "measured and predicted along the routes (.png)"},
        {"--scatter", OPTION_TEXT, &input->scatter_path, "FILE", "measured over predicted (.png)"},
        {"--json", OPTION_FLAG, &input->wants_json, NULL, "print all figures as one JSON object"},
        OPTION_GROUP("measurements", "How measurements are read, and their sites"),
        MEASUREMENT_OPTIONS(&input->measured),
        OPTION_GROUP("transmitter", "Power, antenna and direction"),
        TRANSMITTER_ANTENNA_OPTIONS(&input->tx),
        {"--rx-gain-dbi", OPTION_NUMBER, &input->request.receivers.gain_dbi, "DBI",
         "gain of the receivers, where powers were measured; 0"},
        OPTION_GROUP("method", "How to predict"),
        {"--extrapolate", OPTION_FLAG, &input->extrapolates, NULL, "use the method outside its published range"},
        {"--skip-out-of-range", OPTION_FLAG, &input->skips_out_of_range, NULL, "leave measurements outside it out"},
        {"--device", OPTION_TEXT, &input->device, "ID",
         "host or opencl:N (see 'radiocity devices'); the best there is"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "score",
        .usage = "Usage: radiocity score --scene FILE --measurements FILE [--tx X,Y,H --frequency-mhz MHZ] [options]",
        .about = about,
        .more = methods,
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
