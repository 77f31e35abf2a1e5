/* The texts of a picture of tiles, made from their notes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/picture/surfaces/picture_surfaces.h"
#include "result/map_data.h"
#include "result/surfaces_data.h"

static const char *note_of(const rcity_picture *picture, const char *key)
{
    return rcity_surfaces_find_note(picture->surfaces->surfaces, key);
}

static void make_facts(const rcity_picture *picture, char *line)
{
    const char *method = note_of(picture, "method");
    const char *tx_height_m = note_of(picture, "tx_height_m");
    const char *from = note_of(picture, "tx_height_from");
    char spelled[96] = "Surfaces";
    if (picture->surfaces->paint.has_band) {
        rcity_band_spell_name(&picture->band, spelled, sizeof spelled);
    }
    rcity_picture_add_piece(line, "%s on surfaces", spelled);
    if (method != NULL) {
        rcity_picture_add_piece(line, "%s", method);
    }
    rcity_picture_add_piece(line, "%g MHz", rcity_surfaces_frequency_hz(picture->surfaces->surfaces) * 1e-6);
    if (tx_height_m != NULL) {
        rcity_picture_add_piece(line, "transmitter %s m above %s", tx_height_m, from != NULL ? from : "ground");
    }
}

/* "from the south-west", or the azimuth where it has no name. */
static void add_view(const rcity_picture *picture, char *line)
{
    static const char *const winds[8] = {"north", "north-east", "east", "south-east",
                                         "south", "south-west", "west", "north-west"};
    const rcity_surfaces_draw_options *options = picture->surfaces->options;
    double azimuth_deg = fmod(options->azimuth_deg + 360.0, 360.0);
    if (options->elevation_deg == 90.0) {
        rcity_picture_add_piece(line, "seen from above");
    } else if (fmod(azimuth_deg, 45.0) == 0.0) {
        rcity_picture_add_piece(line, "seen from the %s, %g\u00b0 above the horizon", winds[(int)(azimuth_deg / 45.0)],
                                options->elevation_deg);
    } else {
        rcity_picture_add_piece(line, "seen from azimuth %g\u00b0, %g\u00b0 above the horizon", azimuth_deg,
                                options->elevation_deg);
    }
}

static void make_subtitle(const rcity_picture *picture, char *line)
{
    static const char *const names[RCITY_SURFACE_COUNT] = {"of walls", "of roofs", "of the ground"};
    const rcity_picture_surfaces *content = picture->surfaces;
    const char *source = note_of(picture, "scene_source");
    if (source != NULL && source[0] != '\0') {
        rcity_picture_add_piece(line, "%s", source);
    }
    rcity_picture_add_size(line, content->east_m - content->west_m, content->north_m - content->south_m);
    char number[40];
    char counts[200] = "";
    for (int k = 0; k < RCITY_SURFACE_COUNT; k++) {
        size_t used = strlen(counts);
        if (content->count_of[k] > 0) {
            snprintf(counts + used, sizeof counts - used, "%s%s %s",
                     used > 0 ? ", " : "tiles: ", rcity_picture_format_count(content->count_of[k], number), names[k]);
        }
    }
    rcity_picture_add_piece(line, "%s", counts);
    add_view(picture, line);
}

static void make_footer(const rcity_picture *picture, char *line)
{
    static const char *const shown_elsewhere[] = {"version", "method",      "frequency_mhz",  "tx_x_m",
                                                  "tx_y_m",  "tx_height_m", "tx_height_from", "tx_name",
                                                  "cell_m",  "rx_height_m", "scene_source",   "scene_hash"};
    const rcity_surfaces *surfaces = picture->surfaces->surfaces;
    rcity_point tx = rcity_surfaces_transmitter(surfaces);
    const char *version = note_of(picture, "version");
    const char *hash = note_of(picture, "scene_hash");
    const char *key = NULL;
    const char *value = NULL;
    rcity_picture_add_piece(line, "radiocity %s", version != NULL ? version : rcity_version());
    if (hash != NULL) {
        rcity_picture_add_piece(line, "scene %.12s", hash);
    }
    rcity_picture_add_piece(line, "transmitter at x %.10g, y %.10g", tx.x_m, tx.y_m);
    for (int i = 0; rcity_surfaces_get_note(surfaces, i, &key, &value) == RCITY_OK; i++) {
        bool is_shown = false;
        for (size_t k = 0; k < sizeof shown_elsewhere / sizeof shown_elsewhere[0]; k++) {
            is_shown = is_shown || strcmp(key, shown_elsewhere[k]) == 0;
        }
        if (!is_shown) {
            rcity_picture_add_piece(line, "%s: %s", key, value);
        }
    }
}

void rcity_picture_make_surface_words(rcity_picture *picture)
{
    rcity_picture_words *words = &picture->words;
    char *facts = picture->options->title != NULL ? words->facts : words->title;
    make_facts(picture, facts);
    if (picture->options->title != NULL) {
        snprintf(words->title, sizeof words->title, "%s", picture->options->title);
    }
    make_subtitle(picture, words->subtitle);
    make_footer(picture, words->footer);
    if (picture->surfaces->paint.has_band) {
        char spelled[96];
        rcity_band_spell_name(&picture->band, spelled, sizeof spelled);
        snprintf(words->heading, sizeof words->heading, picture->band.unit[0] != '\0' ? "%s, %s" : "%s", spelled,
                 picture->band.unit);
    } else {
        snprintf(words->heading, sizeof words->heading, "No values");
    }
}
