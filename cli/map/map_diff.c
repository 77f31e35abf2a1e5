/* radiocity map diff */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "json.h"
#include "map_files.h"
#include "outputs.h"
#include "session.h"
#include "shown_text.h"

/* The user's options, and the results. */
typedef struct diff_run {
    const char *first_path, *second_path, *output_path;
    const char *first_wish, *second_wish;
    double tolerance; /* NAN: none */
    bool wants_json;
    rcity_map *first, *second, *made;
    int first_band, second_band;
    rcity_map_difference difference;
} diff_run;

static double largest_of(const rcity_map_difference *difference)
{
    return difference->both_count > 0 ? fmax(fabs(difference->minimum), fabs(difference->maximum)) : 0.0;
}

static bool is_within(const diff_run *run)
{
    const rcity_map_difference *difference = &run->difference;
    return isnan(run->tolerance) || (largest_of(difference) <= run->tolerance && difference->only_first_count == 0 &&
                                     difference->only_second_count == 0);
}

static void print_json(const diff_run *run, const rcity_band *first, const rcity_band *second)
{
    const rcity_map_difference *difference = &run->difference;
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "first_band", first->name);
    json_text(&json, "second_band", second->name);
    json_text(&json, "unit", rcity_band_difference_unit(first));
    json_integer(&json, "both", difference->both_count);
    json_integer(&json, "only_first", difference->only_first_count);
    json_integer(&json, "only_second", difference->only_second_count);
    json_number(&json, "mean", difference->mean);
    json_number(&json, "standard_deviation", difference->standard_deviation);
    json_number(&json, "root_mean_square", difference->root_mean_square);
    json_number(&json, "minimum", difference->minimum);
    json_number(&json, "maximum", difference->maximum);
    json_number(&json, "largest_x", difference->largest_x_m);
    json_number(&json, "largest_y", difference->largest_y_m);
    if (!isnan(run->tolerance)) {
        json_number(&json, "tolerance", run->tolerance);
        json_boolean(&json, "is_within", is_within(run));
    }
    json_end_object(&json);
    json_end_line(&json);
}

static void print_text(const diff_run *run, const rcity_band *first, const rcity_band *second)
{
    const rcity_map_difference *difference = &run->difference;
    const char *unit = shown(rcity_band_difference_unit(first));
    char first_text[200], second_text[200];
    printf("%s of the second map less %s of the first\n", map_band_text(second, second_text, sizeof second_text),
           map_band_text(first, first_text, sizeof first_text));
    printf("cells           %" PRId64 " with a value in both, %" PRId64 " in the first only, %" PRId64
           " in the second only\n",
           difference->both_count, difference->only_first_count, difference->only_second_count);
    if (difference->both_count > 0) {
        printf("mean            %.6g %s, standard deviation %.6g %s, root mean square %.6g %s\n", difference->mean,
               unit, difference->standard_deviation, unit, difference->root_mean_square, unit);
        printf("range           %.6g to %.6g %s, largest at (%.10g, %.10g)\n", difference->minimum, difference->maximum,
               unit, difference->largest_x_m, difference->largest_y_m);
    }
    if (run->output_path != NULL) {
        printf("%s\n", run->output_path);
    }
}

static int print_result(const diff_run *run)
{
    rcity_band first = {.name = ""};
    rcity_band second = {.name = ""};
    (void)!rcity_map_get_band(run->first, run->first_band, &first); /* both were compared: they exist */
    (void)!rcity_map_get_band(run->second, run->second_band, &second);
    if (run->wants_json) {
        print_json(run, &first, &second);
    } else {
        print_text(run, &first, &second);
    }
    if (is_within(run)) {
        return EXIT_FINE;
    }
    fflush(stdout);
    fprintf(stderr,
            "radiocity: the maps differ by up to %.6g %s, and %" PRId64
            " cells have a value in one only; --tolerance is %g\n",
            largest_of(&run->difference), rcity_band_difference_unit(&first),
            run->difference.only_first_count + run->difference.only_second_count, run->tolerance);
    return EXIT_DIFFERENT;
}

/* The bands to compare: the second map's has the name and height of the first's unless the user says otherwise. */
static int find_bands(diff_run *run)
{
    int result = map_band_find("map diff", run->first, run->first_path, run->first_wish, &run->first_band);
    if (result != 0) {
        return result;
    }
    const char *wish = run->second_wish != NULL ? run->second_wish : run->first_wish;
    char made[300];
    if (wish == NULL) {
        rcity_band band = {.name = ""};
        (void)!rcity_map_get_band(run->first, run->first_band, &band);
        snprintf(made, sizeof made, isfinite(band.rx_height_m) ? "%s@%.10g" : "%s", band.name, band.rx_height_m);
        wish = made;
    }
    return map_band_find("map diff", run->second, run->second_path, wish, &run->second_band);
}

static int compare(rcity_context *context, diff_run *run)
{
    rcity_status status = rcity_map_load_geotiff(context, run->first_path, &run->first);
    if (status == RCITY_OK) {
        status = rcity_map_load_geotiff(context, run->second_path, &run->second);
    }
    if (status != RCITY_OK) {
        return session_fail(context, status);
    }
    int result = find_bands(run);
    if (result != 0) {
        return result;
    }
    status = rcity_map_compare(context, run->first, run->first_band, run->second, run->second_band, &run->difference,
                               run->output_path != NULL ? &run->made : NULL);
    if (status == RCITY_OK && run->output_path != NULL) {
        status = rcity_map_save_geotiff(context, run->made, NULL, run->output_path);
    }
    return status == RCITY_OK ? print_result(run) : session_fail(context, status);
}

static int check(rcity_context *context, const diff_run *run)
{
    if (run->output_path == NULL) {
        return 0;
    }
    if (!path_ends_with(run->output_path, ".tif") && !path_ends_with(run->output_path, ".tiff")) {
        return usage_error("map diff", "'%s' is a GeoTIFF and must end in .tif", run->output_path);
    }
    const char *const inputs[] = {run->first_path, run->second_path};
    return output_check_all(context, "map diff", run->output_path, 2, inputs);
}

int map_diff(int count, char **words)
{
    diff_run run = {.tolerance = (double)NAN};
    const cli_option table[] = {
        {"--band", OPTION_TEXT, &run.first_wish, "N|NAME",
         "band of both: number from 1, name, or name@height; received_power, else path_loss, else 1"},
        {"--second-band", OPTION_TEXT, &run.second_wish, "N|NAME", "band of B, where it is another"},
        {"--tolerance", OPTION_NUMBER, &run.tolerance, "DB", "status 10 when any cell differs by more"},
        {"-o", OPTION_TEXT, &run.output_path, "FILE", "the difference as a map (.tif)"},
        {"--json", OPTION_FLAG, &run.wants_json, NULL, "one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "map diff",
        .usage = "Usage: radiocity map diff A.tif B.tif [--band N|NAME] [-o diff.tif] [--tolerance DB] [--json]",
        .about = "Compare two maps on the same raster, cell by cell: B less A.\n\n"
                 "Example: radiocity map diff before.tif after.tif --band received_power -o change.tif",
        .options = table,
        .positional_count = 2,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0 && line.positional_count < 2) {
        result = usage_error("map diff", "two maps are needed, %d given", line.positional_count);
    }
    if (result == 0 && run.tolerance < 0.0) {
        result = usage_error("map diff", "--tolerance is %g, must be 0 or more", run.tolerance);
    }
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    run.first_path = line.positional[0];
    run.second_path = line.positional[1];
    rcity_context *context = NULL;
    result = session_open(&context);
    if (result != 0) {
        return result;
    }
    result = check(context, &run);
    if (result == 0) {
        result = compare(context, &run);
    }
    rcity_map_destroy(&run.made);
    rcity_map_destroy(&run.second);
    rcity_map_destroy(&run.first);
    session_close(&context);
    return result;
}
