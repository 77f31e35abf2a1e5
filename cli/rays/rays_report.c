/* The table of paths, and the estimate of a run. */
#include "rays_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "rays_json.h"
#include "shown_text.h"

#define KIND_WIDTH  11
#define WHERE_WIDTH 27

/* The text for a level that is not finite: nothing arrives, or there is no value. */
static const char *word_without(double value)
{
    return isinf(value) ? "none" : "-";
}

/* A number with its unit, or a word if there is none. */
static const char *format_value(double value, int decimal_count, const char *unit, char text[40])
{
    if (isfinite(value)) {
        snprintf(text, 40, "%.*f %s", decimal_count, value, unit);
    } else {
        snprintf(text, 40, "%s", word_without(value));
    }
    return text;
}

/* The same in a column of the table. */
static void print_column(double value, int width, int decimal_count)
{
    if (isfinite(value)) {
        printf(" %*.*f", width, decimal_count, value);
    } else {
        printf(" %*s", width, word_without(value));
    }
}

/* "wall, roof edge"; repeated kinds are counted, and the text is cut if it does not fit. */
static void format_places(const rcity_path *path, char text[WHERE_WIDTH + 1])
{
    char whole[1200] = "";
    size_t used = 0;
    for (int i = 0; i < path->event_count;) {
        int same = 1;
        while (i + same < path->event_count && path->events[i + same].place == path->events[i].place) {
            same++;
        }
        const char *name = rcity_event_place_name(path->events[i].place);
        int length = same > 1 ? snprintf(whole + used, sizeof whole - used, "%s%d x %s", i > 0 ? ", " : "", same, name)
                              : snprintf(whole + used, sizeof whole - used, "%s%s", i > 0 ? ", " : "", name);
        used += (size_t)length;
        i += same;
    }
    bool is_cut = used > WHERE_WIDTH;
    snprintf(text, WHERE_WIDTH + 1, is_cut ? "%.*s..." : "%.*s", is_cut ? WHERE_WIDTH - 3 : WHERE_WIDTH, whole);
}

static void print_path(const rcity_path *path, int64_t rank, bool has_power)
{
    char word[RCITY_PATH_WORD_BYTES];
    char places[WHERE_WIDTH + 1];
    format_places(path, places);
    rcity_path_describe(path, word);
    if (strlen(word) > KIND_WIDTH) {
        memcpy(word + KIND_WIDTH - 3, "...", 4);
    }
    printf("  %5" PRId64 "  %-*s %-*s", rank, KIND_WIDTH, word, WHERE_WIDTH, places);
    print_column(path->length_m, 9, 2);
    print_column(path->delay_s * 1e9, 9, 1);
    print_column(path->departure_azimuth_deg, 7, 1);
    print_column(path->departure_elevation_deg, 6, 1);
    print_column(path->arrival_azimuth_deg, 7, 1);
    print_column(path->arrival_elevation_deg, 6, 1);
    print_column(path->gain_db, 8, 1);
    if (has_power) {
        print_column(path->received_dbm, 8, 1);
    }
    printf("\n");
}

static void print_paths(const rcity_rays *rays, const rcity_receiver_summary *receiver, int shown_count, bool has_power)
{
    int64_t count = receiver->path_count < shown_count ? receiver->path_count : shown_count;
    if (count > 0) {
        printf("      #  %-*s %-*s %9s %9s %14s %14s %8s%s\n", KIND_WIDTH, "kind", WHERE_WIDTH, "where", "length m",
               "delay ns", "departs az el", "arrives az el", "gain dB", has_power ? "      dBm" : "");
    }
    for (int64_t i = 0; i < count; i++) {
        rcity_path path;
        if (rcity_rays_get_path(rays, receiver->path_first + i, &path) == RCITY_OK) {
            print_path(&path, i + 1, has_power);
        }
    }
    if (count < receiver->path_count) {
        printf("  %" PRId64 " weaker %s left out; --show %" PRId64 " prints %s\n", receiver->path_count - count,
               receiver->path_count - count == 1 ? "path is" : "paths are", receiver->path_count,
               receiver->path_count - count == 1 ? "it" : "them");
    }
}

static void print_sums(const rcity_receiver_summary *receiver, bool has_power)
{
    char a[40];
    char b[40];
    char c[40];
    if (isinf(receiver->gain_db)) {
        printf("  no power is received: the receiver's polarization is orthogonal to that of every path; "
               "see --rx-polarization\n");
        return;
    }
    printf("  powers added %s, fields added %s, loss %s", format_value(receiver->gain_db, 1, "dB", a),
           format_value(receiver->coherent_gain_db, 1, "dB", b), format_value(receiver->loss_db, 1, "dB", c));
    if (has_power) {
        printf(", received %s", format_value(receiver->received_dbm, 1, "dBm", a));
    }
    if (!isnan(receiver->scattered_gain_db)) {
        printf(", scattered %s of it", format_value(receiver->scattered_gain_db, 1, "dB", a));
    }
    printf("\n  delay %s, spread %s, K %s\n", format_value(receiver->mean_delay_s * 1e9, 1, "ns", a),
           format_value(receiver->delay_spread_s * 1e9, 1, "ns", b), format_value(receiver->k_factor_db, 1, "dB", c));
    printf("  spread of departures %s in azimuth, %s in elevation",
           format_value(receiver->departure_azimuth_spread_deg, 1, "deg", a),
           format_value(receiver->departure_elevation_spread_deg, 1, "deg", b));
    printf("; of arrivals %s, %s\n", format_value(receiver->arrival_azimuth_spread_deg, 1, "deg", a),
           format_value(receiver->arrival_elevation_spread_deg, 1, "deg", b));
}

static void print_receiver(const rcity_rays *rays, int64_t index, const rays_input *input, bool has_power)
{
    rcity_receiver_summary receiver;
    if (rcity_rays_get_receiver(rays, index, &receiver) != RCITY_OK) {
        return;
    }
    const char *name = rcity_rays_name(rays, index);
    char number[24];
    char z[40];
    snprintf(number, sizeof number, "%" PRId64, index + 1);
    name = name != NULL && strcmp(name, number) != 0 ? name : NULL; /* a point without a name has its number */
    printf("\nreceiver %" PRId64 "%s%s at x %.2f, y %.2f, z %s: ", index + 1, name != NULL ? " " : "", shown(name),
           receiver.position.x_m, receiver.position.y_m, format_value(receiver.position.z_m, 2, "m", z));
    if (receiver.state != RCITY_RECEIVER_REACHED) {
        printf("%s\n", receiver.state == RCITY_RECEIVER_NO_PATH ? "no path of these orders reaches it"
                                                                : rcity_receiver_state_name(receiver.state));
        return;
    }
    printf("%" PRId64 " %s\n", receiver.path_count, receiver.path_count == 1 ? "path" : "paths");
    print_sums(&receiver, has_power);
    print_paths(rays, &receiver, input->shown_count, has_power);
}

static void print_table(const rcity_rays *rays, const rays_input *input)
{
    int64_t receiver_count = rcity_rays_receiver_count(rays);
    int64_t path_count = rcity_rays_path_count(rays);
    rcity_point tx = rcity_rays_transmitter(rays);
    bool has_power = transmitter_input_power_count(&input->tx) > 0;
    printf("%s at %.10g MHz: %" PRId64 " %s to %" PRId64 " %s\n", input->request.method, input->tx.frequency_mhz,
           path_count, path_count == 1 ? "path" : "paths", receiver_count,
           receiver_count == 1 ? "receiver" : "receivers");
    printf("transmitter %s at x %.2f, y %.2f, z %.2f m\n", shown(input->tx.name != NULL ? input->tx.name : "Tx"),
           tx.x_m, tx.y_m, tx.z_m);
    for (int64_t i = 0; i < receiver_count; i++) {
        print_receiver(rays, i, input, has_power);
    }
    if (input->outputs.count > 0 || input->picture_path != NULL) {
        printf("\n");
    }
    for (int i = 0; i < input->outputs.count; i++) {
        printf("%s\n", input->outputs.value[i]);
    }
    if (input->picture_path != NULL) {
        printf("%s\n", input->picture_path);
    }
}

void rays_report(const rcity_rays *rays, const rays_input *input)
{
    if (input->wants_json) {
        rays_json_print(rays);
    } else {
        print_table(rays, input);
    }
}

void rays_report_plan(const rays_input *input, const rcity_estimate *estimate, bool fits_memory)
{
    if (input->wants_json) {
        json_writer json = json_writer_make(stdout);
        json_begin_object(&json, NULL);
        json_text(&json, "method", input->request.method);
        json_integer(&json, "receivers", estimate->receiver_count);
        json_integer(&json, "memory_bytes", (int64_t)estimate->memory_bytes);
        json_number(&json, "seconds", estimate->seconds);
        json_boolean(&json, "fits_memory", fits_memory);
        json_end_object(&json);
        json_end_line(&json);
        return;
    }
    printf("would look for paths to %" PRId64 " %s by %s: at least %.1f MB beside the scene, about %.2g s on the host; "
           "paths come on top\n",
           estimate->receiver_count, estimate->receiver_count == 1 ? "receiver" : "receivers", input->request.method,
           (double)estimate->memory_bytes * 1e-6, estimate->seconds);
}
