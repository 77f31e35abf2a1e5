/* Paths as JSON. */
#include "rays_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

static void print_point(json_writer *json, const char *key, const rcity_point *point)
{
    json_begin_array(json, key);
    json_number(json, NULL, point->x_m);
    json_number(json, NULL, point->y_m);
    json_number(json, NULL, point->z_m);
    json_end_array(json);
}

static void print_phasor(json_writer *json, const char *key, rcity_phasor phasor)
{
    json_begin_array(json, key);
    json_number(json, NULL, phasor.re);
    json_number(json, NULL, phasor.im);
    json_end_array(json);
}

static void print_events(json_writer *json, const rcity_path *path)
{
    json_begin_array(json, "events");
    for (int i = 0; i < path->event_count; i++) {
        const rcity_ray_event *event = &path->events[i];
        json_begin_object(json, NULL);
        json_text(json, "kind", rcity_event_kind_name(event->kind));
        json_text(json, "place", rcity_event_place_name(event->place));
        if (event->building_id >= 0) {
            json_integer(json, "building_id", event->building_id);
        }
        print_point(json, "position_m", &event->position);
        json_end_object(json);
    }
    json_end_array(json);
}

/* [out][in], each a pair of real and imaginary part. */
static void print_transfer(json_writer *json, const rcity_path *path)
{
    json_begin_array(json, "transfer");
    for (int i = 0; i < 2; i++) {
        json_begin_array(json, NULL);
        print_phasor(json, NULL, path->transfer[i][0]);
        print_phasor(json, NULL, path->transfer[i][1]);
        json_end_array(json);
    }
    json_end_array(json);
}

static void print_path(json_writer *json, const rcity_path *path)
{
    char word[RCITY_PATH_WORD_BYTES];
    json_begin_object(json, NULL);
    json_text(json, "interactions", rcity_path_describe(path, word));
    json_number(json, "length_m", path->length_m);
    json_number(json, "delay_ns", path->delay_s * 1e9);
    json_number(json, "departure_azimuth_deg", path->departure_azimuth_deg);
    json_number(json, "departure_elevation_deg", path->departure_elevation_deg);
    json_number(json, "arrival_azimuth_deg", path->arrival_azimuth_deg);
    json_number(json, "arrival_elevation_deg", path->arrival_elevation_deg);
    json_number(json, "gain_db", path->gain_db);
    json_number(json, "path_loss_db", path->loss_db);
    json_number(json, "received_power_dbm", path->received_dbm);
    print_phasor(json, "amplitude", path->amplitude);
    print_phasor(json, "cross_amplitude", path->cross_amplitude);
    print_transfer(json, path);
    print_events(json, path);
    json_end_object(json);
}

static void print_sums(json_writer *json, const rcity_receiver_summary *receiver)
{
    json_number(json, "gain_db", receiver->gain_db);
    json_number(json, "coherent_gain_db", receiver->coherent_gain_db);
    json_number(json, "path_loss_db", receiver->loss_db);
    json_number(json, "coherent_path_loss_db", receiver->coherent_loss_db);
    json_number(json, "received_power_dbm", receiver->received_dbm);
    json_number(json, "mean_delay_ns", receiver->mean_delay_s * 1e9);
    json_number(json, "delay_spread_ns", receiver->delay_spread_s * 1e9);
    json_number(json, "departure_azimuth_spread_deg", receiver->departure_azimuth_spread_deg);
    json_number(json, "departure_elevation_spread_deg", receiver->departure_elevation_spread_deg);
    json_number(json, "arrival_azimuth_spread_deg", receiver->arrival_azimuth_spread_deg);
    json_number(json, "arrival_elevation_spread_deg", receiver->arrival_elevation_spread_deg);
    json_number(json, "k_factor_db", receiver->k_factor_db);
}

static void print_receiver(json_writer *json, const rcity_rays *rays, int64_t index)
{
    rcity_receiver_summary receiver;
    if (rcity_rays_get_receiver(rays, index, &receiver) != RCITY_OK) {
        return;
    }
    json_begin_object(json, NULL);
    json_integer(json, "number", index + 1);
    json_text(json, "name", rcity_rays_name(rays, index));
    json_text(json, "state", rcity_receiver_state_name(receiver.state));
    print_point(json, "position_m", &receiver.position);
    print_sums(json, &receiver);
    json_begin_array(json, "paths");
    for (int64_t i = 0; i < receiver.path_count; i++) {
        rcity_path path;
        if (rcity_rays_get_path(rays, receiver.path_first + i, &path) == RCITY_OK) {
            print_path(json, &path);
        }
    }
    json_end_array(json);
    json_end_object(json);
}

void rays_json_print(const rcity_rays *rays)
{
    json_writer json = json_writer_make(stdout);
    rcity_point tx = rcity_rays_transmitter(rays);
    const char *key;
    const char *value;
    json_begin_object(&json, NULL);
    for (int i = 0; rcity_rays_get_note(rays, i, &key, &value) == RCITY_OK; i++) {
        json_note(&json, key, value);
    }
    json_text(&json, "crs", rcity_rays_crs(rays));
    print_point(&json, "transmitter_m", &tx);
    json_integer(&json, "path_count", rcity_rays_path_count(rays));
    json_begin_array(&json, "receivers");
    for (int64_t i = 0; i < rcity_rays_receiver_count(rays); i++) {
        print_receiver(&json, rays, i);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_end_line(&json);
}
