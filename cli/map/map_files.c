/* Bands by number or name. */
#include "map_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "shown_text.h"

static rcity_band get_band(const rcity_map *map, int index)
{
    rcity_band band = {.name = "", .unit = "", .text = "", .value = NULL};
    (void)!rcity_map_get_band(map, index, &band); /* the index is in range */
    return band;
}

char *map_band_text(const rcity_band *band, char *text, size_t room)
{
    if (isfinite(band->rx_height_m)) {
        snprintf(text, room, "%s at %g m", shown(band->name), band->rx_height_m);
    } else {
        snprintf(text, room, "%s", shown(band->name));
    }
    return text;
}

const char *map_cell_unit(const rcity_map *map)
{
    const char *key = NULL;
    const char *value = NULL;
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        if (strcmp(key, "cell_unit") == 0) {
            return value;
        }
    }
    return "m";
}

/* The first band of a name, at a height unless that is NAN; -1: none. */
static int find_name(const rcity_map *map, const char *name, size_t length, double height_m)
{
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band = get_band(map, i);
        if (strlen(band.name) == length && strncmp(band.name, name, length) == 0 &&
            (isnan(height_m) || band.rx_height_m == height_m)) {
            return i;
        }
    }
    return -1;
}

static int find_default(const rcity_map *map)
{
    static const rcity_band_kind preferred[] = {RCITY_BAND_POWER, RCITY_BAND_LOSS};
    for (size_t k = 0; k < sizeof preferred / sizeof preferred[0]; k++) {
        for (int i = 0; i < rcity_map_band_count(map); i++) {
            if (get_band(map, i).kind == preferred[k]) {
                return i;
            }
        }
    }
    return 0;
}

static int find_wish(const rcity_map *map, const char *wish)
{
    char *end;
    long number = strtol(wish, &end, 10);
    if (end != wish && *end == '\0') {
        return number >= 1 && number <= rcity_map_band_count(map) ? (int)number - 1 : -1;
    }
    int found = find_name(map, wish, strlen(wish), (double)NAN);
    const char *at = strrchr(wish, '@');
    if (found < 0 && at != NULL) {
        double height_m = strtod(at + 1, &end);
        bool is_height = end != at + 1 && (*end == '\0' || strcmp(end, " m") == 0 || strcmp(end, "m") == 0);
        size_t length = (size_t)(at - wish);
        while (length > 0 && wish[length - 1] == ' ') { /* "received_power @ 10 m", as GeoTIFFs name it */
            length--;
        }
        found = is_height ? find_name(map, wish, length, height_m) : -1;
    }
    return found;
}

int map_band_find(const char *command, const rcity_map *map, const char *path, const char *wish, int *band_index)
{
    int found = wish != NULL ? find_wish(map, wish) : find_default(map);
    if (found >= 0) {
        *band_index = found;
        return 0;
    }
    char list[500] = "";
    size_t used = 0;
    for (int i = 0; i < rcity_map_band_count(map) && used < sizeof list - 120; i++) {
        rcity_band band = get_band(map, i);
        char text[100];
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%d %s", i > 0 ? ", " : "", i + 1,
                                 map_band_text(&band, text, sizeof text));
    }
    return usage_error(command, "'%s' has no band '%s'; it has %s", path, wish, list);
}
