/* Which paths are searched, and in which surroundings. */
#ifndef RCITY_METHOD_SHADOW_CHOICE_H
#define RCITY_METHOD_SHADOW_CHOICE_H

#include <stdbool.h>

typedef enum rcity_shadow_roof_choice {
    RCITY_SHADOW_ROOFS_OFF,
    RCITY_SHADOW_ROOFS_EDGES, /* the over-roof path, with a turn at each diffracting edge */
    RCITY_SHADOW_ROOFS_COUNT, /* only the number of roofs above the straight line */
} rcity_shadow_roof_choice;

typedef enum rcity_shadow_wall_choice {
    RCITY_SHADOW_WALLS_OFF,
    RCITY_SHADOW_WALLS_COUNT,  /* number of walls on the straight line */
    RCITY_SHADOW_WALLS_METRES, /* also its metres in buildings and foliage */
} rcity_shadow_wall_choice;

typedef struct rcity_shadow_choice {
    int order; /* largest number of corners of a path; 0: none */
    rcity_shadow_roof_choice roofs;
    rcity_shadow_wall_choice walls;
    bool reaches_indoor;                   /* receivers inside buildings get the path through walls */
    const struct rcity_built_up *built_up; /* Borrowed; NULL: nothing is known of the surroundings */
} rcity_shadow_choice;

#endif
