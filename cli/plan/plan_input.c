/* The options of `plan`. */
#include "plan_input.h"

#include <math.h>
#include <string.h>

#include "method_help.h"
#include "outputs.h"

static const char purpose[] =
    "Search where base stations should stand: they compete for demand, points with weights, and move until they cover\n"
    "as much of it as they can. Demand comes from a list (--demand: columns x, y or lon, lat; weight, height_m,\n"
    "least_dbm, least_sinr_db, servers), from a raster, or from the floor area of buildings. Stations may stand\n"
    "anywhere, on roofs, in streets, on walls or at candidates. The same --seed gives the same sites. Ctrl-C ends "
    "with\n"
    "the best so far; with --checkpoint the search can go on later (--resume).\n\n"
    "Methods, their options and what these are unless given:\n";

static const char examples[] =
    "\nExamples:\n"
    "  radiocity plan --scene hills.rcity --demand villages.csv --stations 6 --frequency-mhz 900 --eirp-dbm 50 \\\n"
    "      --station-height-m 30 -o sites.geojson --report plan/\n"
    "  radiocity plan --scene munich.rcity --demand-buildings --cluster-m 100 --stations 8 --place walls \\\n"
    "      --station-height-m 6 --frequency-mhz 2100 --eirp-dbm 37 -o sites.csv\n"
    "  radiocity plan --scene city.rcity --demand users.csv --stations 3 --frequency-mhz 3500 --eirp-dbm 60 \\\n"
    "      --antenna 3gpp --azimuth-step-deg 30 --existing sites.csv --bandwidth-mhz 20 --least-sinr-db 0 -o more.csv";

static int find_place(const char *word)
{
    for (int i = 0; rcity_siting_place_name((rcity_siting_place)i) != NULL; i++) {
        if (strcmp(word, rcity_siting_place_name((rcity_siting_place)i)) == 0) {
            return i;
        }
    }
    return -1;
}

static int check_output(const plan_input *input)
{
    if (input->output_path == NULL && input->report_folder == NULL && input->points_path == NULL &&
        !input->wants_json) {
        return usage_error("plan", "no output requested; give -o FILE.geojson, -o FILE.csv, --report FOLDER or --json");
    }
    if (input->output_path != NULL && !path_ends_with(input->output_path, ".csv") &&
        !path_ends_with(input->output_path, ".geojson")) {
        return usage_error("plan", "-o names a list of sites, .geojson or .csv, '%s' is neither", input->output_path);
    }
    const output_name outputs[] = {
        {"--points", input->points_path, ".csv", "--points names a file that", false, false},
    };
    return output_check_names("plan", sizeof outputs / sizeof outputs[0], outputs);
}

static int check_input(plan_input *input)
{
    int sources = (input->demand_path != NULL) + (input->raster_path != NULL) + input->uses_buildings;
    if (input->scene_path == NULL) {
        return usage_error("plan", "the scene is missing; give --scene FILE");
    }
    if (sources != 1) {
        return usage_error("plan", "give one source of demand: --demand FILE, --demand-raster FILE or "
                                   "--demand-buildings");
    }
    if (isnan(input->station.frequency_mhz)) {
        return usage_error("plan", "the frequency is missing; give --frequency-mhz");
    }
    if (transmitter_input_power_count(&input->station) == 0) {
        return usage_error("plan", "the power of the stations is missing; give --eirp-dbm, --erp-dbm, --power-dbm or "
                                   "--power-w");
    }
    if (input->area.count != 0 && input->area.count != 4) {
        return usage_error("plan", "--area takes XMIN,YMIN,XMAX,YMAX");
    }
    if (input->extrapolates && input->skips_out_of_range) {
        return usage_error("plan", "give one of --extrapolate and --skip-out-of-range");
    }
    int place = input->place != NULL ? find_place(input->place) : 0;
    if (place < 0) {
        return usage_error("plan", "--place is '%s', must be anywhere, roofs, streets, walls or candidates",
                           input->place);
    }
    if (input->candidates_path != NULL && input->place == NULL) {
        place = RCITY_SITING_CANDIDATES;
    }
    if ((place == RCITY_SITING_CANDIDATES) != (input->candidates_path != NULL)) {
        return usage_error("plan", "--place candidates and --candidates FILE go together");
    }
    input->options.place = (rcity_siting_place)place;
    int result = transmitter_input_check("plan", &input->station);
    return result != 0 ? result : check_output(input);
}

static void set_defaults(plan_input *input)
{
    memset(input, 0, sizeof *input);
    input->station = transmitter_input_default();
    input->options = rcity_siting_options_default();
    input->options.station_count = 0;
    input->request = rcity_request_default();
    input->height_m = input->options.station.height_m;
    input->rx_height_m = 1.5;
    input->cluster_m = 100.0;
    input->bandwidth_mhz = input->report_cell_m = (double)NAN;
    input->noise_figure_db = input->options.noise_figure_db;
    input->load = input->options.load;
    input->extra.accepts = method_option_exists;
    input->extra.name_at = method_option_at;
}

/* What needs no scene. */
static void fill_options(plan_input *input)
{
    rcity_siting_options *options = &input->options;
    const double *area = input->area.value;
    if (input->area.count == 4) {
        options->x_min_m = area[0];
        options->y_min_m = area[1];
        options->x_max_m = area[2];
        options->y_max_m = area[3];
    }
    options->height_count = input->heights.count;
    options->height_m = input->heights.value;
    options->power_count = input->powers_db.count;
    options->power_db = input->powers_db.value;
    options->tilt_count = input->tilts_deg.count;
    options->tilt_deg = input->tilts_deg.value;
    options->bandwidth_hz = isnan(input->bandwidth_mhz) ? 0.0 : input->bandwidth_mhz * 1e6;
    options->noise_figure_db = input->noise_figure_db;
    options->load = input->load;
    rcity_request *request = &input->request;
    request->method = input->method != NULL ? input->method : request->method;
    request->range_policy = input->extrapolates         ? RCITY_RANGE_EXTRAPOLATE
                            : input->skips_out_of_range ? RCITY_RANGE_SKIP
                                                        : RCITY_RANGE_FAIL;
    request->option_count = input->extra.count;
    request->option_name = input->extra.name;
    request->option_value = input->extra.value;
}

/* Whole numbers of the library that a command line gives as counts. */
typedef struct plan_counts {
    int moves, batch;
} plan_counts;

int plan_input_read(plan_input *input, int count, char **words)
{
    static char about[32768];
    strcpy(about, purpose);
    help_append_methods(about, sizeof about);
    help_append(about, sizeof about, examples);
    set_defaults(input);
    rcity_siting_options *o = &input->options;
    plan_counts counts = {0, o->batch_count};
    char method_text[METHOD_TEXT_BYTES];
    const cli_option table[] = {
        {"--scene", OPTION_TEXT, &input->scene_path, "FILE", "compiled scene (.rcity), or a wall list (.res)"},
        {"--demand", OPTION_TEXT, &input->demand_path, "FILE", "points of demand: CSV or any vector file"},
        {"--demand-raster", OPTION_TEXT, &input->raster_path, "FILE", "a raster of population or traffic instead"},
        {"--demand-band", OPTION_TEXT, &input->raster_band, "N|NAME", "its band; the first"},
        {"--demand-buildings", OPTION_FLAG, &input->uses_buildings, NULL, "the floor area of the buildings instead"},
        {"--cluster-m", OPTION_NUMBER, &input->cluster_m, "METRES",
         "squares of raster and buildings that become a point; 100"},
        {"--rx-height", OPTION_NUMBER, &input->rx_height_m, "METRES", "of points that state none; 1.5"},
        {"--stations", OPTION_COUNT, &o->station_count, "N", "how many, 1 to 256"},
        {"--stations-least", OPTION_COUNT, &o->station_count_least, "N", "fewer may do; as --stations"},
        {"--site-cost", OPTION_NUMBER, &o->station_cost, "WEIGHT", "what a site costs, in weight of demand; 0"},
        {"--existing", OPTION_TEXT, &input->existing_path, "FILE", "sites that stand already (guide: sites)"},
        {"--station-height-m", OPTION_NUMBER, &input->height_m, "METRES", "above ground, or above roofs there; 10"},
        TRANSMITTER_RADIO_OPTIONS(&input->station),
        {"--heights", OPTION_NUMBERS, &input->heights, "H[,H...]", "heights to choose from"},
        {"--powers-db", OPTION_NUMBERS, &input->powers_db, "DB[,DB...]", "changes of the power to choose from, rising"},
        {"--power-cost-per-db", OPTION_NUMBER, &o->power_cost_per_db, "WEIGHT", "beyond the least of them; 0"},
        {"--azimuth-step-deg", OPTION_NUMBER, &o->azimuth_step_deg, "DEG", "azimuths to choose from; none"},
        {"--tilts-deg", OPTION_NUMBERS, &input->tilts_deg, "DEG[,DEG...]", "electrical tilts to choose from"},
        {"--place", OPTION_TEXT, &input->place, "WORD", "anywhere, roofs, streets, walls or candidates; anywhere"},
        {"--candidates", OPTION_TEXT, &input->candidates_path, "FILE", "points where stations may stand"},
        {"--forbidden", OPTION_TEXT, &input->forbidden_path, "FILE",
         "corners of areas where none may stand: x, y and the area's name"},
        {"--area", OPTION_NUMBERS, &input->area, "X0,Y0,X1,Y1", "where they may stand; the scene"},
        {"--step-m", OPTION_NUMBER, &o->step_m, "METRES", "places are multiples of this; 1"},
        {"--spacing-m", OPTION_NUMBER, &o->spacing_m, "METRES", "least distance between sites; 0"},
        {"--least-dbm", OPTION_NUMBER, &o->least_dbm, "DBM", "received power that a point needs; -95"},
        {"--least-sinr-db", OPTION_NUMBER, &o->least_sinr_db, "DB", "SINR that it needs, with --bandwidth-mhz; none"},
        {"--servers", OPTION_COUNT, &o->server_count, "N", "sites that must reach the power, 1 to 8; 1"},
        {"--soft-db", OPTION_NUMBER, &o->soft_db, "DB", "points that miss their needs by less count in part; 0"},
        {"--handover-db", OPTION_NUMBER, &o->handover_db, "DB", "servers within this margin overlap; 6"},
        {"--bandwidth-mhz", OPTION_NUMBER, &input->bandwidth_mhz, "MHZ", "of a channel, for SINR"},
        {"--noise-figure-db", OPTION_NUMBER, &input->noise_figure_db, "DB", "of the receivers, for SINR; 7"},
        {"--load-fraction", OPTION_NUMBER, &input->load, "SHARE", "of the time that others send, 0 to 1; 1"},
        {"--method", OPTION_TEXT, &input->method, "NAME",
         help_describe_method("see above", true, method_text, sizeof method_text)},
        {"--coefficients", OPTION_TEXT, &input->coefficients.path, "FILE",
         "method and options that calibrate found; those given here win"},
        {"--extrapolate", OPTION_FLAG, &input->extrapolates, NULL, "use a model outside its published range"},
        {"--skip-out-of-range", OPTION_FLAG, &input->skips_out_of_range, NULL, "points outside it have no level"},
        {"--rx-gain-dbi", OPTION_NUMBER, &input->request.receivers.gain_dbi, "DBI", "gain of the receivers; 0"},
        {"--seed", OPTION_SEED, &o->seed, "N", "another seed, another search; 1"},
        {"--moves", OPTION_COUNT, &counts.moves, "N", "length of the search; 2000 for each station"},
        {"--batch", OPTION_COUNT, &counts.batch, "N", "candidates predicted at once, 1 to 1024; 16"},
        {"--baseline-grid-m", OPTION_NUMBER, &o->baseline_m, "METRES",
         "also the greedy choice from a grid of candidates, with its bound"},
        {"--checkpoint", OPTION_TEXT, &o->checkpoint_path, "FILE", "where the search is saved while it runs"},
        {"--resume", OPTION_FLAG, &o->resumes, NULL, "go on with the search in --checkpoint"},
        {"--device", OPTION_TEXT, &input->device, "ID",
         "host or opencl:N (see 'radiocity devices'); the best there is"},
        {"-o", OPTION_TEXT, &input->output_path, "FILE", "the sites (.geojson, .csv), as predict --sites reads them"},
        {"--points", OPTION_TEXT, &input->points_path, "FILE", "what each point of demand gets (.csv)"},
        {"--report", OPTION_TEXT, &input->report_folder, "FOLDER", "a page with figures and pictures"},
        {"--report-cell", OPTION_NUMBER, &input->report_cell_m, "METRES", "of its maps; 0: no maps"},
        {"--json", OPTION_FLAG, &input->wants_json, NULL, "print the figures as one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "plan",
        .usage = "Usage: radiocity plan --scene FILE --demand FILE --stations N --frequency-mhz MHZ --eirp-dbm DBM "
                 "[options] -o sites.geojson",
        .about = about,
        .options = table,
        .extra = &input->extra,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0 && o->station_count == 0) {
        result = usage_error("plan", "the number of stations is missing; give --stations N");
    }
    result = result != 0 ? result : check_input(input);
    if (result == 0) {
        o->move_count = counts.moves;
        o->batch_count = counts.batch;
        fill_options(input);
    }
    return result;
}
