/* The texts of a picture of paths, made from their notes. */
#include <stdio.h>
#include <string.h>

#include "io/picture/picture_data.h"
#include "result/rays_data.h"

static const char *note_of(const rcity_picture *picture, const char *key)
{
    return rcity_rays_find_note(picture->rays->rays, key);
}

/* "2 reflections", "1 diffraction"; nothing for an order of 0. */
static void add_order(char *text, size_t room, const char *count, const char *what)
{
    size_t used = strlen(text);
    if (count != NULL && strcmp(count, "0") != 0) {
        snprintf(text + used, room - used, "%s%s %s%s", used > 0 ? ", " : "up to ", count, what,
                 strcmp(count, "1") == 0 ? "" : "s");
    }
}

static void make_title(const rcity_picture *picture, char *line)
{
    char orders[160] = "";
    const char *tx_height_m = note_of(picture, "tx_height_m");
    rcity_picture_add_piece(line, "Paths");
    rcity_picture_add_piece(line, "%g MHz", rcity_rays_frequency_hz(picture->rays->rays) * 1e-6);
    add_order(orders, sizeof orders, note_of(picture, "max_reflections"), "reflection");
    add_order(orders, sizeof orders, note_of(picture, "max_diffractions"), "diffraction");
    add_order(orders, sizeof orders, note_of(picture, "max_transmissions"), "transmission");
    if (orders[0] != '\0') {
        rcity_picture_add_piece(line, "%s", orders);
    }
    if (tx_height_m != NULL) {
        const char *from = note_of(picture, "tx_height_from");
        rcity_picture_add_piece(line, "transmitter %s m above %s", tx_height_m, from != NULL ? from : "ground");
    }
}

static void make_subtitle(const rcity_picture *picture, char *line)
{
    const rcity_picture_rays *view = picture->rays;
    const rcity_picture_bounds *bounds = &picture->bounds;
    const char *source = rcity_scene_source(picture->scene);
    char number[24];
    if (source[0] != '\0') {
        rcity_picture_add_piece(line, "%s", source);
    }
    rcity_picture_add_size(line, bounds->east_m - bounds->west_m, bounds->north_m - bounds->south_m);
    if (view->receiver_count == 1) {
        int64_t index = view->options->receiver_index >= 0 ? view->options->receiver_index : 0;
        rcity_picture_add_piece(line, "%lld %s to receiver %s", (long long)view->shown_count,
                                view->shown_count == 1 ? "path" : "paths", rcity_rays_label(view->rays, index, number));
    } else {
        rcity_picture_add_piece(line, "%lld %s to %lld receivers", (long long)view->shown_count,
                                view->shown_count == 1 ? "path" : "paths", (long long)view->receiver_count);
    }
    if (view->left_count > 0) {
        rcity_picture_add_piece(line, "%lld more than %g dB below the strongest%s left out",
                                (long long)view->left_count, view->options->floor_db,
                                view->receiver_count > 1 ? " of their receiver" : "");
    }
}

static void make_footer(const rcity_picture *picture, char *line)
{
    static const char *const shown_elsewhere[] = {
        "version",           "method",       "frequency_mhz",  "tx_x_m",          "tx_y_m",
        "tx_height_m",       "tx_name",      "tx_height_from", "max_reflections", "max_diffractions",
        "max_transmissions", "scene_source", "scene_hash"};
    const rcity_rays *rays = picture->rays->rays;
    rcity_point tx = rcity_rays_transmitter(rays);
    const char *key = NULL;
    const char *value = NULL;
    rcity_picture_add_piece(line, "radiocity %s", rcity_version());
    rcity_picture_add_piece(line, "scene %.12s", picture->shapes->hash);
    rcity_picture_add_piece(line, "transmitter at x %.2f, y %.2f", tx.x_m, tx.y_m);
    for (int i = 0; rcity_rays_get_note(rays, i, &key, &value) == RCITY_OK; i++) {
        bool is_shown = false;
        for (size_t k = 0; k < sizeof shown_elsewhere / sizeof shown_elsewhere[0]; k++) {
            is_shown = is_shown || strcmp(key, shown_elsewhere[k]) == 0;
        }
        if (!is_shown) {
            rcity_picture_add_piece(line, "%s: %s", key, value);
        }
    }
}

void rcity_picture_make_ray_words(rcity_picture *picture)
{
    rcity_picture_words *words = &picture->words;
    make_title(picture, words->title);
    make_subtitle(picture, words->subtitle);
    make_footer(picture, words->footer);
    bool has_any = picture->rays->shown_count > 0;
    snprintf(words->heading, sizeof words->heading, "%s",
             !has_any                   ? "No paths"
             : picture->rays->has_power ? "Received power of a path, dBm"
                                        : "Gain of a path, dB");
}
