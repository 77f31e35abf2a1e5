/* The kind of a band that states none: in files from other programs, and in those that version 0.1 wrote. This is the
   only place where a name decides. */
#include <stdio.h>
#include <string.h>

#include "radiocity/mechanism.h"
#include "result/map_data.h"

#define OLD_MECHANISM_COUNT 4 /* mechanisms that maps of version 0.1 have: the first of the list */

rcity_band_kind rcity_band_guess_kind(const char *name, const char *unit)
{
    static const struct {
        const char *name;
        rcity_band_kind kind;
    } names[] = {
        {"received_power", RCITY_BAND_POWER},  {"line_of_sight", RCITY_BAND_SIGHT},
        {"mechanism", RCITY_BAND_CLASS},       {"best_server", RCITY_BAND_SERVER},
        {"deflections", RCITY_BAND_COUNT},     {"server_margin", RCITY_BAND_DIFFERENCE},
        {"difference", RCITY_BAND_DIFFERENCE}, {"sinr", RCITY_BAND_SINR},
        {"k_factor", RCITY_BAND_RATIO},        {"second_server", RCITY_BAND_SERVER},
    };
    static const struct {
        const char *unit;
        rcity_band_kind kind;
    } units[] = {
        {"dBm", RCITY_BAND_POWER}, {"s", RCITY_BAND_DELAY},   {"ms", RCITY_BAND_DELAY},  {"us", RCITY_BAND_DELAY},
        {"ns", RCITY_BAND_DELAY},  {"deg", RCITY_BAND_ANGLE}, {"rad", RCITY_BAND_ANGLE},
    };
    static const char probability[] = "coverage_probability"; /* the threshold follows */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i].name) == 0) {
            return names[i].kind;
        }
    }
    if (strncmp(name, probability, strlen(probability)) == 0) {
        return RCITY_BAND_PROBABILITY;
    }
    if (strstr(name, "loss") != NULL) { /* path_loss, and similar names of other programs */
        return RCITY_BAND_LOSS;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].unit) == 0) {
            return units[i].kind;
        }
    }
    return RCITY_BAND_OTHER;
}

/* Sectors are named by the notes server_1, server_2 and so on. */
static rcity_status name_servers(rcity_map *map, int band_index)
{
    rcity_context *context = rcity_map_context(map);
    const char **names = NULL;
    size_t count = 1, capacity = 0;
    const char *name = "";
    char key[32];
    rcity_status status = RCITY_OK;
    for (; name != NULL; count++) {
        RCITY_TRY_DONE(rcity_reserve(context, count, sizeof *names, &capacity, "names of classes", &names));
        names[count - 1] = name;
        snprintf(key, sizeof key, "server_%zu", count);
        name = rcity_map_find_note(map, key);
    }
    status = rcity_map_set_classes(map, band_index, (int)count - 1, names);
done:
    rcity_release(context, names);
    return status;
}

rcity_status rcity_map_guess_classes(rcity_map *map, int band_index)
{
    rcity_band band = {.name = ""};
    RCITY_TRY(rcity_map_get_band(map, band_index, &band));
    if (band.kind == RCITY_BAND_SERVER) {
        return name_servers(map, band_index);
    }
    const char *names[OLD_MECHANISM_COUNT];
    for (int i = 0; i < OLD_MECHANISM_COUNT; i++) {
        names[i] = rcity_mechanism_text((rcity_mechanism)i);
    }
    return band.kind == RCITY_BAND_CLASS ? rcity_map_set_classes(map, band_index, OLD_MECHANISM_COUNT, names)
                                         : RCITY_OK;
}
