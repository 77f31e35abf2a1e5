/* The link as text and as JSON. */
#include "profile_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

const char *profile_write_state(const profile_link *link, char text[PROFILE_STATE_BYTES])
{
    const rcity_link_profile_info *info = &link->info;
    double at_km = 1e-3 * info->clearance_at_m;
    if (!info->is_in_sight) {
        snprintf(text, PROFILE_STATE_BYTES, "hidden: the worst obstacle, at %.3f km, reaches %.2f F1 above the line",
                 at_km, -info->clearance_share);
    } else if (!info->is_clear) {
        snprintf(text, PROFILE_STATE_BYTES, "in sight, but only %.2f F1 are free at %.3f km, %.2f are wanted",
                 info->clearance_share, at_km, info->fresnel_share);
    } else {
        snprintf(text, PROFILE_STATE_BYTES, "clear: at least %.2f F1 are free, at %.3f km", info->clearance_share,
                 at_km);
    }
    return text;
}

const char *profile_write_budget(const profile_link *link, char text[PROFILE_BUDGET_BYTES])
{
    const profile_losses *losses = &link->losses;
    const profile_loss *chosen = &losses->loss[losses->chosen];
    text[0] = '\0';
    if (losses->count == 0 || isnan(chosen->received_dbm) || isnan(chosen->loss_db)) {
        return text;
    }
    double toward_dbm = chosen->received_dbm + chosen->loss_db - link->input->rx_gain_dbi;
    int used = snprintf(text, PROFILE_BUDGET_BYTES,
                        "EIRP %.1f dBm, %.1f dBm toward the receiver; loss %.1f dB (%s); receiver gain %.1f dBi; "
                        "received %.1f dBm",
                        rcity_transmitter_eirp_dbm(&link->transmitter), toward_dbm, chosen->loss_db, chosen->word,
                        link->input->rx_gain_dbi, chosen->received_dbm);
    if (!isnan(link->input->rx_sensitivity_dbm) && used > 0 && used < PROFILE_BUDGET_BYTES) {
        snprintf(text + used, PROFILE_BUDGET_BYTES - (size_t)used, "; sensitivity %.1f dBm, margin %.1f dB",
                 link->input->rx_sensitivity_dbm, chosen->received_dbm - link->input->rx_sensitivity_dbm);
    }
    return text;
}

static void print_end(const char *name, rcity_point at, double ground_m, double azimuth_deg, double elevation_deg)
{
    printf("%-12s x %.2f, y %.2f, antenna at %.2f m, %.2f m above the ground; looks %.2f deg, %+.3f deg up\n", name,
           at.x_m, at.y_m, at.z_m, at.z_m - ground_m, azimuth_deg, elevation_deg);
}

static void print_obstacles(const profile_link *link)
{
    const rcity_link_profile_info *info = &link->info;
    if (info->obstacle_count == 0) {
        return;
    }
    printf("\n%10s %9s %-12s %14s %8s %8s %8s  %s\n", "at km", "top m", "what", "above line m", "F1 m", "free F1",
           "edge dB", "string");
    for (int64_t i = 0; i < info->obstacle_count; i++) {
        rcity_link_profile_obstacle obstacle;
        if (rcity_link_profile_get_obstacle(link->profile, i, &obstacle) != RCITY_OK) {
            continue;
        }
        char what[40];
        snprintf(what, sizeof what, obstacle.building_id >= 0 ? "%s %" PRId64 : "%s",
                 rcity_profile_top_name(obstacle.top), obstacle.building_id);
        printf("%10.3f %9.2f %-12s %14.2f %8.2f %8.2f %8.1f  %s\n", 1e-3 * obstacle.distance_m, obstacle.top_m, what,
               obstacle.above_line_m, obstacle.fresnel_m, obstacle.clearance_share, obstacle.knife_edge_db,
               obstacle.touches_string ? "touches" : "-");
    }
}

static void print_losses(const profile_link *link)
{
    const profile_losses *losses = &link->losses;
    printf("\n");
    for (int i = 0; i < losses->count; i++) {
        const profile_loss *loss = &losses->loss[i];
        if (loss->reason[0] != '\0') {
            printf("loss  %-16s        -     %s\n", loss->word, loss->reason);
        } else if (isnan(loss->loss_db)) {
            printf("loss  %-16s        -     no value here\n", loss->word);
        } else {
            printf("loss  %-16s %8.2f dB%s\n", loss->word, loss->loss_db, i == losses->chosen ? "  (budget)" : "");
        }
    }
}

static void print_text(const profile_link *link)
{
    const rcity_link_profile_info *info = &link->info;
    char text[PROFILE_BUDGET_BYTES];
    char state[PROFILE_STATE_BYTES];
    print_end(link->transmitter.name != NULL ? link->transmitter.name : "transmitter", info->transmitter,
              info->tx_ground_m, info->tx_azimuth_deg, info->tx_elevation_deg);
    print_end("receiver", info->receiver, info->rx_ground_m, info->rx_azimuth_deg, info->rx_elevation_deg);
    double bulge_m = info->plan_m * info->plan_m / (8.0 * info->k_factor * RCITY_EARTH_RADIUS_M);
    printf("%.3f km on the map, %.3f km in space; %.10g MHz, first Fresnel zone %.2f m halfway; ", 1e-3 * info->plan_m,
           1e-3 * info->distance_m, 1e-6 * info->frequency_hz, info->fresnel_max_m);
    if (isinf(info->k_factor)) {
        printf("flat earth\n");
    } else {
        printf("k %.4g, the earth bulges by %.2f m\n", info->k_factor, bulge_m);
    }
    printf("%s\n", profile_write_state(link, state));
    print_obstacles(link);
    print_losses(link);
    if (profile_write_budget(link, text)[0] != '\0') {
        printf("\n%s\n", text);
    }
    const char *const paths[] = {link->input->picture_path, link->input->table_path};
    for (int i = 0; i < 2; i++) {
        if (paths[i] != NULL) {
            printf("%s\n", paths[i]);
        }
    }
}

static void write_end(json_writer *json, const char *key, rcity_point at, double ground_m, double azimuth_deg,
                      double elevation_deg)
{
    json_begin_object(json, key);
    json_number(json, "x_m", at.x_m);
    json_number(json, "y_m", at.y_m);
    json_number(json, "z_m", at.z_m);
    json_number(json, "ground_m", ground_m);
    json_number(json, "azimuth_deg", azimuth_deg);
    json_number(json, "elevation_deg", elevation_deg);
    json_end_object(json);
}

static void write_obstacles(json_writer *json, const profile_link *link)
{
    json_begin_array(json, "obstacles");
    for (int64_t i = 0; i < link->info.obstacle_count; i++) {
        rcity_link_profile_obstacle obstacle;
        if (rcity_link_profile_get_obstacle(link->profile, i, &obstacle) != RCITY_OK) {
            continue;
        }
        json_begin_object(json, NULL);
        json_number(json, "distance_m", obstacle.distance_m);
        json_number(json, "top_m", obstacle.top_m);
        json_text(json, "what", rcity_profile_top_name(obstacle.top));
        if (obstacle.building_id >= 0) {
            json_integer(json, "building_id", obstacle.building_id);
        }
        json_number(json, "above_line_m", obstacle.above_line_m);
        json_number(json, "fresnel_m", obstacle.fresnel_m);
        json_number(json, "clearance_share", obstacle.clearance_share);
        json_number(json, "knife_edge_v", obstacle.knife_edge_v);
        json_number(json, "knife_edge_db", obstacle.knife_edge_db);
        json_boolean(json, "touches_string", obstacle.touches_string);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_losses(json_writer *json, const profile_link *link)
{
    json_begin_array(json, "losses");
    for (int i = 0; i < link->losses.count; i++) {
        const profile_loss *loss = &link->losses.loss[i];
        json_begin_object(json, NULL);
        json_text(json, "loss", loss->word);
        json_number(json, "loss_db", loss->loss_db);
        json_number(json, "received_dbm", loss->received_dbm);
        json_boolean(json, "is_budget", i == link->losses.chosen);
        if (loss->reason[0] != '\0') {
            json_text(json, "reason", loss->reason);
        }
        json_end_object(json);
    }
    json_end_array(json);
}

static void print_json(const profile_link *link)
{
    const rcity_link_profile_info *info = &link->info;
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    write_end(&json, "from", info->transmitter, info->tx_ground_m, info->tx_azimuth_deg, info->tx_elevation_deg);
    write_end(&json, "to", info->receiver, info->rx_ground_m, info->rx_azimuth_deg, info->rx_elevation_deg);
    json_number(&json, "plan_m", info->plan_m);
    json_number(&json, "distance_m", info->distance_m);
    json_number(&json, "frequency_mhz", 1e-6 * info->frequency_hz);
    json_number(&json, "k_factor", info->k_factor);
    json_number(&json, "fresnel_max_m", info->fresnel_max_m);
    json_number(&json, "fresnel_share", info->fresnel_share);
    json_boolean(&json, "is_in_sight", info->is_in_sight);
    json_boolean(&json, "is_clear", info->is_clear);
    json_number(&json, "clearance_m", info->clearance_m);
    json_number(&json, "clearance_share", info->clearance_share);
    json_number(&json, "clearance_at_m", info->clearance_at_m);
    write_obstacles(&json, link);
    write_losses(&json, link);
    json_number(&json, "eirp_dbm", rcity_transmitter_eirp_dbm(&link->transmitter));
    json_number(&json, "rx_gain_dbi", link->input->rx_gain_dbi);
    json_number(&json, "rx_sensitivity_dbm", link->input->rx_sensitivity_dbm);
    json_end_object(&json);
    json_end_line(&json);
}

void profile_report(const profile_link *link)
{
    if (link->input->wants_json) {
        print_json(link);
    } else {
        print_text(link);
    }
}
