/* The page of the report: one HTML file with its drawings inside, which can be sent as it is; maps lie beside it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"
#include "plan_files.h"

#define DRAWING_PX 760.0
#define CURVE_PX   220.0

static const char *const colours[] = {"#1b6ca8", "#e07b39", "#3a8f5c", "#8e5ea2", "#b08900", "#c8577b",
                                      "#3f9fa8", "#7a5c3e", "#5b6bbf", "#6f8f2f", "#a8506a", "#44708a"};

static const char *colour_of(int site)
{
    return site < 0 ? "#888" : colours[site % (int)(sizeof colours / sizeof colours[0])];
}

/* Text for HTML. */
static void add_text(csv_text *page, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        const char *entity = *at == '<'   ? "&lt;"
                             : *at == '>' ? "&gt;"
                             : *at == '&' ? "&amp;"
                             : *at == '"' ? "&quot;"
                                          : NULL;
        if (entity != NULL) {
            csv_add(page, "%s", entity);
        } else {
            csv_add(page, "%c", *at);
        }
    }
}

/* The window of the drawing: demand and sites, with a margin. */
typedef struct drawing {
    double west_m, north_m, px_per_m, height_px, heaviest;
} drawing;

void plan_widen_box(double box[4], double x_m, double y_m)
{
    box[0] = fmin(box[0], x_m);
    box[1] = fmin(box[1], y_m);
    box[2] = fmax(box[2], x_m);
    box[3] = fmax(box[3], y_m);
}

static drawing find_window(const plan_result *result)
{
    double box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    drawing made = {.heaviest = 0.0};
    for (int64_t i = 0; i < rcity_demand_count(result->world->demand); i++) {
        rcity_demand_point point;
        if (rcity_demand_get_point(result->world->demand, i, &point) == RCITY_OK) {
            plan_widen_box(box, point.x_m, point.y_m);
            made.heaviest = fmax(made.heaviest, point.weight);
        }
    }
    for (int i = 0; i < rcity_siting_count(result->siting); i++) {
        const rcity_transmitter *tx = &rcity_siting_transmitters(result->siting)[i];
        plan_widen_box(box, tx->x_m, tx->y_m);
    }
    double width_m = fmax(box[2] - box[0], 1.0);
    double height_m = fmax(box[3] - box[1], 1.0);
    double margin_m = 0.04 * fmax(width_m, height_m);
    made.px_per_m = DRAWING_PX / (fmax(width_m, height_m) + 2.0 * margin_m);
    made.west_m = box[0] - margin_m;
    made.north_m = box[3] + margin_m;
    made.height_px = (height_m + 2.0 * margin_m) * made.px_per_m;
    return made;
}

static void add_points(csv_text *page, const plan_result *result, const drawing *window)
{
    for (int64_t i = 0; i < rcity_demand_count(result->world->demand); i++) {
        rcity_demand_point point;
        rcity_siting_point got;
        if (rcity_demand_get_point(result->world->demand, i, &point) != RCITY_OK ||
            rcity_siting_get_point(result->siting, i, &got) != RCITY_OK) {
            continue;
        }
        double x_px = (point.x_m - window->west_m) * window->px_per_m;
        double y_px = (window->north_m - point.y_m) * window->px_per_m;
        double radius_px = 1.5 + 5.0 * sqrt(point.weight / window->heaviest);
        if (got.is_covered) {
            csv_add(page, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" fill-opacity=\".7\"/>\n", x_px, y_px,
                    radius_px, colour_of(got.server));
        } else {
            csv_add(page, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" stroke=\"#b00\"/>\n", x_px, y_px,
                    radius_px);
        }
    }
}

static void add_plan(csv_text *page, const plan_result *result)
{
    drawing window = find_window(result);
    csv_add(page, "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\"><title>Demand and sites</title>\n",
            DRAWING_PX, window.height_px, DRAWING_PX);
    csv_add(page, "<rect width=\"100%%\" height=\"100%%\" fill=\"#f6f4ef\"/>\n");
    add_points(page, result, &window);
    for (int i = 0; i < rcity_siting_count(result->siting); i++) {
        const rcity_transmitter *tx = &rcity_siting_transmitters(result->siting)[i];
        double x_px = (tx->x_m - window.west_m) * window.px_per_m;
        double y_px = (window.north_m - tx->y_m) * window.px_per_m;
        bool exists = i < result->input->options.existing_count;
        csv_add(page, "<path d=\"M%.1f %.1fl9 16h-18z\" fill=\"%s\" stroke=\"#000\"/>", x_px, y_px - 10.0,
                exists ? "#fff" : colour_of(i));
        csv_add(page, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"13\">", x_px + 11.0, y_px + 5.0);
        add_text(page, tx->name);
        csv_add(page, "</text>\n");
    }
    csv_add(page, "</svg>\n<p>Filled circles are covered, in the colour of their best server; red rings are not. Their "
                  "area grows with the weight. White triangles stand already.</p>\n");
}

static void add_line(csv_text *page, const plan_result *result, bool is_best, double least, double span)
{
    const rcity_siting_step *steps = rcity_siting_steps(result->siting);
    int count = rcity_siting_step_count(result->siting);
    double last = fmax((double)steps[count - 1].move, 1.0);
    csv_add(page, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" points=\"", is_best ? "#000" : "#e07b39",
            is_best ? "2" : "1");
    for (int i = 0; i < count; i++) {
        double cost = is_best ? steps[i].best : steps[i].cost;
        csv_add(page, "%.1f,%.1f ", DRAWING_PX * (double)steps[i].move / last,
                CURVE_PX - 8.0 - (CURVE_PX - 16.0) * (cost - least) / span);
    }
    csv_add(page, "\"/>\n");
}

static void add_curve(csv_text *page, const plan_result *result)
{
    const rcity_siting_step *steps = rcity_siting_steps(result->siting);
    int count = rcity_siting_step_count(result->siting);
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        least = fmin(least, steps[i].best);
        most = fmax(most, steps[i].cost);
    }
    if (count < 2) {
        return;
    }
    csv_add(page,
            "<h2>Course of the search</h2>\n<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\">"
            "<title>Cost over moves</title><rect width=\"100%%\" height=\"100%%\" fill=\"#f6f4ef\"/>\n",
            DRAWING_PX, CURVE_PX, DRAWING_PX);
    add_line(page, result, false, least, fmax(most - least, 1e-12));
    add_line(page, result, true, least, fmax(most - least, 1e-12));
    csv_add(page,
            "</svg>\n<p>Cost of the configuration (orange) and the least so far (black), from %.6g to %.6g over %lld "
            "moves.</p>\n",
            most, least, (long long)result->info.move_count);
}

static void add_row(csv_text *page, const char *name, const rcity_siting_coverage *coverage)
{
    csv_add(page, "<tr><td>%s</td><td>%lld</td><td>%.2f %%</td><td>%.6g</td><td>%lld</td><td>%.6g</td></tr>\n", name,
            (long long)coverage->site_count, 100.0 * coverage->covered_share, coverage->covered_weight,
            (long long)coverage->covered_count, coverage->overlap_weight);
}

static void add_figures(csv_text *page, const plan_result *result)
{
    const rcity_siting_info *info = &result->info;
    csv_add(page, "<table><tr><th></th><th>sites</th><th>covered</th><th>weight</th><th>points</th>"
                  "<th>weight of overlap</th></tr>\n");
    add_row(page, "before", &info->before);
    add_row(page, "start of the search", &info->start);
    if (!isnan(info->baseline.cost)) {
        add_row(page, "greedy and exchanges", &info->baseline);
    }
    add_row(page, "found", &info->found);
    csv_add(page, "</table>\n");
    if (info->is_baseline) {
        csv_add(page, "<p>The greedy baseline was better than the search, and is the result.</p>\n");
    }
    if (info->has_bound) {
        csv_add(page, "<p>No choice of %d among the %lld candidates of the baseline covers more than %.2f %%.</p>\n",
                result->input->options.station_count, (long long)info->candidate_count,
                100.0 * info->baseline_bound / info->weight);
    }
    if (!info->is_complete) {
        csv_add(page, "<p><b>The search was stopped before its end.</b></p>\n");
    }
}

static void add_sites(csv_text *page, const plan_result *result)
{
    csv_add(page, "<h2>Sites</h2>\n<table><tr><th>site</th><th>x</th><th>y</th><th>height m</th><th>azimuth</th>"
                  "<th>EIRP dBm</th></tr>\n");
    for (int i = 0; i < rcity_siting_count(result->siting); i++) {
        const rcity_transmitter *tx = &rcity_siting_transmitters(result->siting)[i];
        csv_add(page, "<tr><td>");
        add_text(page, tx->name);
        csv_add(page, "</td><td>%.1f</td><td>%.1f</td><td>%.1f%s</td><td>%.0f</td><td>%.1f</td></tr>\n", tx->x_m,
                tx->y_m, tx->height_m, tx->is_absolute ? " above 0" : "", tx->azimuth_deg,
                rcity_transmitter_eirp_dbm(tx));
    }
    csv_add(page, "</table>\n<p>Coordinates in %s.</p>\n",
            strcmp(result->scene_info.crs, "none") == 0 ? "metres of the scene" : "the scene's CRS");
}

rcity_status plan_page_write(const plan_result *result, bool has_maps, bool has_before, output_set *set)
{
    const plan_input *input = result->input;
    csv_text page = {NULL, 0, 0, false};
    char path[OUTPUT_PATH_BYTES];
    csv_add(&page, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Plan of base stations</title>\n"
                   "<style>body{font:16px/1.5 sans-serif;max-width:800px;margin:2em auto;padding:0 1em}"
                   "table{border-collapse:collapse}td,th{padding:.2em .8em;border-bottom:1px solid #ccc;"
                   "text-align:right}td:first-child{text-align:left}img,svg{max-width:100%%}</style>\n");
    csv_add(&page,
            "<h1>Plan of %d base stations</h1>\n<p>Method %s, %.6g MHz; demand of %lld points, weight %.6g; a "
            "point needs %.6g dBm%s.</p>\n",
            input->options.station_count, input->request.method, input->options.station.frequency_hz * 1e-6,
            (long long)rcity_demand_count(result->world->demand), result->info.weight, input->options.least_dbm,
            isnan(input->options.least_sinr_db) ? "" : " and an SINR");
    add_figures(&page, result);
    csv_add(&page, "<h2>Demand and sites</h2>\n");
    add_plan(&page, result);
    csv_add(&page, "%s", has_maps ? "<h2>Map</h2>\n<img src=\"map.png\" alt=\"Received power, as planned\">\n" : "");
    csv_add(&page, "%s", has_before ? "<img src=\"map-before.png\" alt=\"Received power before\">\n" : "");
    add_sites(&page, result);
    add_curve(&page, result);
    csv_add(&page, "</html>\n");
    snprintf(path, sizeof path, "%s/index.html", input->report_folder);
    rcity_status status = page.is_broken || !output_set_add(set, path) ? RCITY_ERR_MEMORY : RCITY_OK;
    if (status == RCITY_OK) {
        status = rcity_text_save(result->context, path, page.text);
    }
    free(page.text);
    return status;
}
