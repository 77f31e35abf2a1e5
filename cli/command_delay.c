/* radiocity delay: when power arrives at a place, from the file of delays that a prediction left. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "command.h"
#include "csv_text.h"
#include "exit_status.h"
#include "json.h"
#include "output_set.h"
#include "outputs.h"
#include "session.h"

#define BAR_DB 50 /* length of the strongest bin's bar, a letter a decibel */

typedef struct delay_input {
    const char *path; /* of the delays */
    number_list at;
    double threshold_db;
    const char *picture_path, *table_path;
    int picture_width_px;
    bool wants_json;
} delay_input;

/* What is known of the place. */
typedef struct delay_place {
    rcity_delays_info info;
    int64_t cell_index;
    rcity_delay_cell cell;
    rcity_delay_summary summary;
} delay_place;

static int check_input(const delay_input *input)
{
    const output_name outputs[] = {
        {"--png", input->picture_path, ".png", "a picture", false, true},
        {"--csv", input->table_path, ".csv", "a table of bins", false, false},
    };
    if (input->at.count != 2) {
        return usage_error("delay", input->at.count == 0 ? "the place is missing; give --at X,Y"
                                                         : "--at takes X,Y, in the CRS of the scene");
    }
    if (!(input->threshold_db >= 0.0 && input->threshold_db <= RCITY_DELAY_THRESHOLD_MAX_DB)) {
        return usage_error("delay", "--threshold-db is %g, must be 0 to %g", input->threshold_db,
                           RCITY_DELAY_THRESHOLD_MAX_DB);
    }
    if (input->picture_width_px < RCITY_PICTURE_WIDTH_MIN_PX || input->picture_width_px > RCITY_PICTURE_WIDTH_MAX_PX) {
        return usage_error("delay", "--png-width is %d, must be %d to %d", input->picture_width_px,
                           RCITY_PICTURE_WIDTH_MIN_PX, RCITY_PICTURE_WIDTH_MAX_PX);
    }
    return output_check_names("delay", sizeof outputs / sizeof outputs[0], outputs);
}

static int read_input(delay_input *input, int count, char **words)
{
    memset(input, 0, sizeof *input);
    input->threshold_db = RCITY_DELAY_THRESHOLD_DB;
    input->picture_width_px = rcity_delays_draw_options_default().width_px;
    const cli_option table[] = {
        {"--at", OPTION_NUMBERS, &input->at, "X,Y", "the place, in the CRS of the scene"},
        {"--threshold-db", OPTION_NUMBER, &input->threshold_db, "DB",
         "bins so far below the strongest still count for the excess delay; 20"},
        {"--png", OPTION_TEXT, &input->picture_path, "FILE", "the histogram as a picture"},
        {"--png-width", OPTION_COUNT, &input->picture_width_px, "PIXELS", "its width, 400 to 8000; 1200"},
        {"--csv", OPTION_TEXT, &input->table_path, "FILE", "the histogram as a table: bin, delay, gain"},
        {"--json", OPTION_FLAG, &input->wants_json, NULL, "one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "delay",
        .usage = "Usage: radiocity delay FILE.h5 --at X,Y [options]",
        .about =
            "Show when power arrives at a place: delay spread, excess delay, Rician K, coherence bandwidth and the\n"
            "histogram, at once from the file that 'radiocity predict --delays FILE.h5' wrote. A # is 1 dB of a\n"
            "bin that reaches the threshold, a - of a weaker one.\n\n"
            "Example:\n"
            "  radiocity delay delays.h5 --at 512,498 --png delays.png",
        .options = table,
        .positional_count = 1,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0) {
        result = arguments_require(&line, "file of delays", true);
    }
    if (result == 0) {
        result = check_input(input);
    }
    input->path = line.positional[0];
    return result;
}

static rcity_status look_at(rcity_context *context, const rcity_delays *delays, const delay_input *input,
                            delay_place *place)
{
    memset(place, 0, sizeof *place);
    rcity_status status = rcity_delays_describe(delays, &place->info);
    if (status == RCITY_OK) {
        status = rcity_delays_find_cell(context, delays, input->at.value[0], input->at.value[1], &place->cell_index);
    }
    if (status == RCITY_OK) {
        status = rcity_delays_get_cell(delays, place->cell_index, &place->cell);
    }
    return status == RCITY_OK
               ? rcity_delays_summarize(context, delays, place->cell_index, input->threshold_db, &place->summary)
               : status;
}

/* The middle of a bin. */
static double bin_ns(const delay_place *place, int64_t entry)
{
    return 1e9 * (place->info.first_s + ((double)place->cell.bin[entry] + 0.5) * place->info.bin_s);
}

static double gain_db(const delay_place *place, int64_t entry)
{
    return 10.0 * log10((double)place->cell.gain[entry]);
}

static rcity_status write_table(rcity_context *context, const delay_place *place, const char *path)
{
    csv_text made = {0};
    csv_add(&made, "bin,delay_ns,gain_db\n");
    for (int64_t i = 0; i < place->cell.entry_count; i++) {
        csv_add(&made, "%" PRId32, place->cell.bin[i]);
        csv_add_value(&made, bin_ns(place, i));
        csv_add_value(&made, gain_db(place, i));
        csv_add(&made, "\n");
    }
    rcity_status status = made.is_broken ? RCITY_ERR_MEMORY : rcity_text_save(context, path, made.text);
    free(made.text);
    return status;
}

static rcity_status draw(rcity_context *context, const rcity_delays *delays, const delay_place *place,
                         const delay_input *input)
{
    rcity_delays_draw_options options = rcity_delays_draw_options_default();
    options.width_px = input->picture_width_px;
    options.threshold_db = input->threshold_db;
    return rcity_delays_draw(context, delays, place->cell_index, &options, input->picture_path);
}

/* Both files, or none. */
static rcity_status write_files(rcity_context *context, const rcity_delays *delays, const delay_place *place,
                                const delay_input *input)
{
    output_set set;
    rcity_status status = RCITY_OK;
    memset(&set, 0, sizeof set);
    if (input->picture_path != NULL) {
        status = output_set_add(&set, input->picture_path) ? draw(context, delays, place, input) : RCITY_ERR_MEMORY;
    }
    if (status == RCITY_OK && input->table_path != NULL) {
        status =
            output_set_add(&set, input->table_path) ? write_table(context, place, input->table_path) : RCITY_ERR_MEMORY;
    }
    status = output_set_finish(context, &set, status);
    return status;
}

static void print_json(const rcity_delays *delays, const delay_place *place)
{
    const rcity_delay_summary *summary = &place->summary;
    json_writer json = json_writer_make(stdout);
    const char *key = NULL;
    const char *value = NULL;
    json_begin_object(&json, NULL);
    json_text(&json, "crs", place->info.crs);
    json_number(&json, "x_m", place->cell.x_m);
    json_number(&json, "y_m", place->cell.y_m);
    json_integer(&json, "row", place->cell.row);
    json_integer(&json, "column", place->cell.column);
    json_number(&json, "cell_m", place->info.raster.cell_m);
    json_number(&json, "rx_height_m", place->info.rx_height_m);
    json_number(&json, "bin_s", place->info.bin_s);
    json_integer(&json, "entry_count", summary->entry_count);
    json_number(&json, "gain_db", summary->gain_db);
    json_number(&json, "strongest_db", summary->strongest_db);
    json_number(&json, "strongest_s", summary->strongest_s);
    json_number(&json, "mean_delay_s", summary->mean_delay_s);
    json_number(&json, "delay_spread_s", summary->delay_spread_s);
    json_number(&json, "threshold_db", summary->threshold_db);
    json_number(&json, "excess_delay_s", summary->excess_delay_s);
    json_number(&json, "k_factor_db", summary->k_factor_db);
    json_number(&json, "coherence_hz", summary->coherence_hz);
    json_begin_array(&json, "bins");
    for (int64_t i = 0; i < place->cell.entry_count; i++) {
        json_begin_object(&json, NULL);
        json_integer(&json, "bin", place->cell.bin[i]);
        json_number(&json, "delay_s", 1e-9 * bin_ns(place, i));
        json_number(&json, "gain_db", gain_db(place, i));
        json_end_object(&json);
    }
    json_end_array(&json);
    json_begin_object(&json, "notes");
    for (int i = 0; rcity_delays_get_note(delays, i, &key, &value) == RCITY_OK; i++) {
        json_note(&json, key, value);
    }
    json_end_object(&json);
    json_end_object(&json);
    json_end_line(&json);
}

static void print_figures(const rcity_delay_summary *summary)
{
    printf("gain                  %.1f dB, strongest bin %.1f dB at %.4g ns\n", summary->gain_db, summary->strongest_db,
           1e9 * summary->strongest_s);
    printf("mean delay            %.4g ns\n", 1e9 * summary->mean_delay_s);
    printf("RMS delay spread      %.4g ns\n", 1e9 * summary->delay_spread_s);
    printf("maximum excess delay  %.4g ns (down to %g dB below the strongest bin)\n", 1e9 * summary->excess_delay_s,
           summary->threshold_db);
    if (isnan(summary->k_factor_db)) {
        printf("Rician K              none: all power is in one bin\n");
    } else {
        printf("Rician K              %.1f dB\n", summary->k_factor_db);
    }
    if (isinf(summary->coherence_hz)) {
        printf("coherence bandwidth   no limit: there is no spread\n");
    } else {
        printf("coherence bandwidth   %.4g MHz (correlation 0.5)\n", 1e-6 * summary->coherence_hz);
    }
    printf("bins                  %" PRId64 "\n", summary->entry_count);
}

static void print_histogram(const delay_place *place)
{
    double least_db = place->summary.strongest_db - place->summary.threshold_db - 1e-9;
    printf("\n%12s %9s\n", "delay_ns", "gain_db");
    for (int64_t i = 0; i < place->cell.entry_count; i++) {
        char bar[BAR_DB + 1];
        double value_db = gain_db(place, i);
        double length = round(value_db - place->summary.strongest_db) + BAR_DB;
        size_t letters = length > 0.0 ? (size_t)length : 0;
        memset(bar, value_db >= least_db ? '#' : '-', letters);
        bar[letters] = '\0';
        printf("%12.*f %9.1f%s%s\n", place->info.bin_s < 1e-10 ? 4 : 1, bin_ns(place, i), value_db,
               letters > 0 ? " " : "", bar);
    }
}

static void print_text(const delay_place *place, const delay_input *input)
{
    const rcity_delays_info *info = &place->info;
    printf("%.10g, %.10g: cell of %.10g m around %.10g, %.10g, %.10g m above ground, bins of %.10g ns\n",
           input->at.value[0], input->at.value[1], info->raster.cell_m, place->cell.x_m, place->cell.y_m,
           info->rx_height_m, 1e9 * info->bin_s);
    if (isnan(place->summary.gain_db)) {
        printf("nothing arrives here: inside of a building, or no path that counts\n");
    } else {
        print_figures(&place->summary);
        print_histogram(place);
    }
    const char *const paths[] = {input->picture_path, input->table_path};
    for (int i = 0; i < 2; i++) {
        if (paths[i] != NULL) {
            printf("%s\n", paths[i]);
        }
    }
}

static int show(rcity_context *context, const delay_input *input)
{
    rcity_delays *delays = NULL;
    delay_place place;
    rcity_status status = rcity_delays_load_hdf5(context, input->path, &delays);
    if (status == RCITY_OK) {
        status = look_at(context, delays, input, &place);
    }
    if (status == RCITY_OK) {
        status = write_files(context, delays, &place, input);
    }
    if (status == RCITY_OK && input->wants_json) {
        print_json(delays, &place);
    } else if (status == RCITY_OK) {
        print_text(&place, input);
    }
    int result = status == RCITY_OK ? EXIT_FINE : session_fail(context, status);
    rcity_delays_destroy(&delays);
    return result;
}

int command_delay(int count, char **words)
{
    delay_input input;
    int result = read_input(&input, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    rcity_context *context = NULL;
    result = session_open(&context);
    if (result == 0) {
        result = output_check(context, "delay", input.picture_path, input.path);
    }
    if (result == 0) {
        result = output_check(context, "delay", input.table_path, input.path);
    }
    if (result == 0) {
        result = show(context, &input);
    }
    session_close(&context);
    return result;
}
