/* What a picture says: title, subtitle, footer and the heading of its legend, made from the map's notes or the
   scene. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/picture/picture_data.h"
#include "io/picture/surfaces/picture_surfaces.h"
#include "result/map_data.h"

#define DOT   " \u00b7 "
#define TIMES " \u00d7 "

/* Add a piece to a line of RCITY_PICTURE_LINE_BYTES. */
void rcity_picture_add_piece(char *line, const char *format, ...)
{
    size_t used = strlen(line);
    if (used > 0) {
        snprintf(line + used, RCITY_PICTURE_LINE_BYTES - used, "%s", DOT);
        used = strlen(line);
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, RCITY_PICTURE_LINE_BYTES - used, format, arguments);
    va_end(arguments);
}

/* 12345 as "12,345". */
char *rcity_picture_format_count(int64_t count, char *text)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)count);
    int filled = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            text[filled++] = ',';
        }
        text[filled++] = digits[i];
    }
    text[filled] = '\0';
    return text;
}

/* Metres unless both sides are long: of a narrow strip kilometres would leave nothing. */
void rcity_picture_add_size(char *line, double width_m, double height_m)
{
    if (width_m >= 1000.0 && height_m >= 1000.0) {
        rcity_picture_add_piece(line, "%.2f" TIMES "%.2f km", width_m / 1000.0, height_m / 1000.0);
    } else {
        rcity_picture_add_piece(line, width_m < 1000.0 ? "%.4g" : "%.0f", width_m);
        size_t used = strlen(line);
        snprintf(line + used, RCITY_PICTURE_LINE_BYTES - used, height_m < 1000.0 ? TIMES "%.4g m" : TIMES "%.0f m",
                 height_m);
    }
}

char *rcity_picture_format_distance(double distance_m, char *text)
{
    bool is_km = distance_m >= 999.5;
    double shown = is_km ? distance_m / 1000.0 : distance_m;
    int decimals = is_km ? (shown < 9.995 ? 2 : shown < 99.95 ? 1 : 0) : shown < 9.95 ? 1 : 0;
    snprintf(text, RCITY_PICTURE_DISTANCE_BYTES, "%.*f %s", decimals, shown, is_km ? "km" : "m");
    return text;
}

/* A CRS in a few words: its code, or the name inside a WKT. */
void rcity_picture_make_crs_name(const char *crs, char *name, size_t room)
{
    const char *quote = strchr(crs, '"');
    const char *end = quote != NULL ? strchr(quote + 1, '"') : NULL;
    if (end != NULL) {
        snprintf(name, room, "%.*s", (int)(end - quote - 1), quote + 1);
    } else {
        snprintf(name, room, "%s", crs);
    }
}

/* The band that says which cells are in line of sight at the height that is shown. */
static bool find_sight(const rcity_picture *picture, rcity_band *sight)
{
    for (int i = 0; i < rcity_map_band_count(picture->map); i++) {
        if (rcity_map_get_band(picture->map, i, sight) == RCITY_OK && sight->kind == RCITY_BAND_SIGHT &&
            sight->rx_height_m == picture->band.rx_height_m) {
            return true;
        }
    }
    return false;
}

/* Are hidden cells left out? There are some, and none has a value; where a method has a loss for them too, some have.
   */
static bool is_sight_only(const rcity_picture *picture)
{
    const char *line_of_sight = rcity_map_find_note(picture->map, "line_of_sight");
    rcity_band sight;
    if (line_of_sight == NULL || strcmp(line_of_sight, "exact") != 0 || picture->band.kind == RCITY_BAND_SIGHT ||
        !find_sight(picture, &sight)) {
        return false;
    }
    int64_t hidden_count = 0;
    for (int64_t i = 0; i < picture->raster.column_count * picture->raster.row_count; i++) {
        bool is_hidden = sight.value[i] == 0.0f;
        hidden_count += is_hidden;
        if (is_hidden && !isnan(picture->band.value[i])) {
            return false;
        }
    }
    return hidden_count > 0;
}

/* What stands behind the name of the method: what a level counts, where that is not plain. Methods that add up paths
   note how; spreads are always of powers. */
static const char *method_remark(const rcity_picture *picture)
{
    const char *sum = rcity_map_find_note(picture->map, "sum");
    bool is_level = picture->band.kind == RCITY_BAND_LOSS || picture->band.kind == RCITY_BAND_POWER;
    if (sum != NULL && is_level) {
        return strcmp(sum, "coherent") == 0  ? ", fields added"
               : strcmp(sum, "power") == 0   ? ", powers added"
               : strcmp(sum, "grouped") == 0 ? ", fields added in groups"
                                             : "";
    }
    return picture->is_sight_only ? ", line of sight only" : "";
}

static void make_map_facts(const rcity_picture *picture, char *line)
{
    char spelled[96];
    rcity_band_spell_name(&picture->band, spelled, sizeof spelled);
    rcity_picture_add_piece(line, "%s", spelled);
    const char *method = rcity_map_find_note(picture->map, "method");
    const char *frequency_mhz = rcity_map_find_note(picture->map, "frequency_mhz");
    const char *tx_height_m = rcity_map_find_note(picture->map, "tx_height_m");
    const char *height_from = rcity_map_find_note(picture->map, "tx_height_from");
    if (method != NULL) {
        rcity_picture_add_piece(line, "%s%s", method, method_remark(picture));
    } else if (picture->is_sight_only) {
        rcity_picture_add_piece(line, "line of sight only");
    }
    if (frequency_mhz != NULL) {
        rcity_picture_add_piece(line, "%s MHz", frequency_mhz);
    }
    if (tx_height_m == NULL) {
        rcity_picture_add_piece(line, "receivers %g m above ground", picture->band.rx_height_m);
    } else if (height_from != NULL && strcmp(height_from, "datum") == 0) {
        rcity_picture_add_piece(line, "transmitter %s m above datum, receivers %g m above ground", tx_height_m,
                                picture->band.rx_height_m);
    } else {
        rcity_picture_add_piece(line, "transmitter %s m, receivers %g m above ground", tx_height_m,
                                picture->band.rx_height_m);
    }
}

static void make_scene_facts(const rcity_picture *picture, char *line)
{
    char buildings[40], walls[40];
    const rcity_shapes *shapes = picture->shapes;
    if (shapes->building_count > 0) {
        rcity_picture_add_piece(line, "%s %s, %s walls", rcity_picture_format_count(shapes->building_count, buildings),
                                shapes->building_count == 1 ? "building" : "buildings",
                                rcity_picture_format_count(shapes->wall_count, walls));
    } else {
        rcity_picture_add_piece(line, "no buildings");
    }
}

static void make_subtitle(const rcity_picture *picture, char *line)
{
    const rcity_picture_bounds *bounds = &picture->bounds;
    const rcity_terrain_grid *terrain = &picture->shapes->terrain;
    if (picture->map == NULL) {
        make_scene_facts(picture, line);
    } else {
        const char *source = rcity_map_find_note(picture->map, "scene_source");
        source = source != NULL ? source : rcity_scene_source(picture->scene);
        if (source[0] != '\0') {
            rcity_picture_add_piece(line, "%s", source);
        }
    }
    rcity_picture_add_size(line, bounds->east_m - bounds->west_m, bounds->north_m - bounds->south_m);
    if (picture->map != NULL) {
        char columns[40], rows[40];
        rcity_picture_add_piece(line, "%s" TIMES "%s cells of %g m",
                                rcity_picture_format_count(picture->raster.column_count, columns),
                                rcity_picture_format_count(picture->raster.row_count, rows), picture->raster.cell_m);
    } else if (terrain->column_count > 0) {
        rcity_picture_add_piece(line, "ground %.0f to %.0f m, grid of %g m", picture->ground_values.minimum,
                                picture->ground_values.maximum,
                                (double)terrain->cell / (double)picture->shapes->units_per_m);
    } else {
        rcity_picture_add_piece(line, "flat ground");
    }
}

/* The version, the scene, the position, and the options of the method, which have no place elsewhere. */
static void make_footer(const rcity_picture *picture, char *line)
{
    static const char *const shown_elsewhere[] = {"version", "method",       "frequency_mhz",  "tx_x_m",
                                                  "tx_y_m",  "tx_height_m",  "tx_height_from", "rx_height_m",
                                                  "cell_m",  "scene_source", "scene_hash"};
    const rcity_map *map = picture->map;
    const char *version = map != NULL ? rcity_map_find_note(map, "version") : NULL;
    rcity_picture_add_piece(line, "radiocity %s", version != NULL ? version : rcity_version());
    if (picture->shapes->hash[0] != '\0') {
        rcity_picture_add_piece(line, "scene %.12s", picture->shapes->hash);
    }
    if (map == NULL) {
        return;
    }
    const char *x = rcity_map_find_note(map, "tx_x_m");
    const char *y = rcity_map_find_note(map, "tx_y_m");
    if (x != NULL && y != NULL) {
        rcity_picture_add_piece(line, "transmitter at x %s, y %s", x, y);
    }
    const char *key = NULL;
    const char *value = NULL;
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        bool is_shown = picture->is_sight_only && strcmp(key, "line_of_sight") == 0;
        for (size_t k = 0; k < sizeof shown_elsewhere / sizeof shown_elsewhere[0]; k++) {
            is_shown = is_shown || strcmp(key, shown_elsewhere[k]) == 0;
        }
        if (!is_shown) {
            rcity_picture_add_piece(line, "%s: %s", key, value);
        }
    }
}

static void make_heading(const rcity_picture *picture, char *heading, size_t room)
{
    char spelled[96];
    if (picture->map != NULL) {
        rcity_band_spell_name(&picture->band, spelled, sizeof spelled);
        snprintf(heading, room, picture->band.unit[0] != '\0' ? "%s, %s" : "%s", spelled, picture->band.unit);
    } else if (picture->shapes->building_count > 0) {
        snprintf(heading, room, "Building height, m");
    } else {
        snprintf(heading, room, "Ground height, m");
    }
}

void rcity_picture_make_words(rcity_picture *picture)
{
    rcity_picture_words *words = &picture->words;
    memset(words, 0, sizeof *words);
    if (picture->surfaces != NULL) {
        rcity_picture_make_surface_words(picture);
        return;
    }
    rcity_picture_make_crs_name(picture->map != NULL ? rcity_map_crs(picture->map) : rcity_scene_crs(picture->scene),
                                words->crs, sizeof words->crs);
    if (picture->rays != NULL) {
        rcity_picture_make_ray_words(picture);
        return;
    }
    char made_title[RCITY_PICTURE_LINE_BYTES] = "";
    picture->is_sight_only = picture->map != NULL && is_sight_only(picture);
    if (picture->map != NULL) {
        make_map_facts(picture, made_title);
    } else {
        const char *source = rcity_scene_source(picture->scene);
        rcity_picture_add_piece(made_title, "%s", source[0] != '\0' ? source : "Scene");
    }
    if (picture->options->title != NULL) {
        snprintf(words->title, sizeof words->title, "%s", picture->options->title);
        memcpy(words->facts, made_title, sizeof words->facts);
    } else {
        memcpy(words->title, made_title, sizeof words->title);
    }
    make_subtitle(picture, words->subtitle);
    make_footer(picture, words->footer);
    make_heading(picture, words->heading, sizeof words->heading);
}
