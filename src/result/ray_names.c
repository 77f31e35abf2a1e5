/* Names of interactions, paths and receivers, and the angles of a direction. */
#include <math.h>
#include <stdio.h>

#include "base/angle.h"
#include "result/rays_data.h"

const char *rcity_event_kind_name(rcity_event_kind kind)
{
    switch (kind) {
    case RCITY_EVENT_REFLECTION:
        return "reflection";
    case RCITY_EVENT_DIFFRACTION:
        return "diffraction";
    case RCITY_EVENT_TRANSMISSION:
        return "transmission";
    case RCITY_EVENT_OVER_ROOFS:
        return "over roofs";
    }
    return "unknown";
}

const char *rcity_event_place_name(rcity_event_place place)
{
    switch (place) {
    case RCITY_PLACE_WALL:
        return "wall";
    case RCITY_PLACE_ROOF:
        return "roof";
    case RCITY_PLACE_GROUND:
        return "ground";
    case RCITY_PLACE_VERTICAL_EDGE:
        return "vertical edge";
    case RCITY_PLACE_ROOF_EDGE:
        return "roof edge";
    case RCITY_PLACE_TERRAIN_EDGE:
        return "terrain edge";
    }
    return "unknown";
}

const char *rcity_receiver_state_name(rcity_receiver_state state)
{
    switch (state) {
    case RCITY_RECEIVER_REACHED:
        return "reached";
    case RCITY_RECEIVER_NO_PATH:
        return "no path";
    case RCITY_RECEIVER_IN_BUILDING:
        return "in building";
    case RCITY_RECEIVER_OUTSIDE:
        return "off the terrain";
    case RCITY_RECEIVER_NEAR_FIELD:
        return "near field";
    case RCITY_RECEIVER_OUT_OF_RANGE:
        return "out of range";
    case RCITY_RECEIVER_STATE_COUNT:
        break;
    }
    return "unknown";
}

static char letter_of(rcity_event_kind kind)
{
    switch (kind) {
    case RCITY_EVENT_REFLECTION:
        return 'R';
    case RCITY_EVENT_DIFFRACTION:
        return 'D';
    case RCITY_EVENT_TRANSMISSION:
        return 'T';
    case RCITY_EVENT_OVER_ROOFS:
        return 'O';
    }
    return '?';
}

char *rcity_path_describe(const rcity_path *path, char *word)
{
    if (path == NULL || word == NULL) {
        return NULL;
    }
    if (path->event_count == 0) {
        snprintf(word, RCITY_PATH_WORD_BYTES, "direct");
        return word;
    }
    char *end = word;
    for (int i = 0; i < path->event_count && i < RCITY_RAY_EVENT_MAX; i++) {
        *end++ = letter_of(path->events[i].kind);
        *end++ = '-';
    }
    end[-1] = '\0'; /* in place of the last dash */
    return word;
}

void rcity_direction_angles(double x, double y, double z, double *azimuth_deg, double *elevation_deg)
{
    double plan = hypot(x, y);
    double azimuth = plan > 0.0 ? rcity_angle_deg(atan2(x, y)) : 0.0;
    azimuth = azimuth < 0.0 ? azimuth + 360.0 : azimuth;
    *azimuth_deg = azimuth < 360.0 ? azimuth : 0.0; /* slightly below north rounds up to a full turn */
    *elevation_deg = rcity_angle_deg(atan2(z, plan));
}
