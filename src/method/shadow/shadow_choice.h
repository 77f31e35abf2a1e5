/* Which paths are looked for. */
#ifndef RCITY_METHOD_SHADOW_CHOICE_H
#define RCITY_METHOD_SHADOW_CHOICE_H

#include <stdbool.h>

typedef enum rcity_shadow_roof_choice {
    RCITY_SHADOW_ROOFS_OFF,
    RCITY_SHADOW_ROOFS_EDGES, /* the string pulled tight: a turn at each top */
    RCITY_SHADOW_ROOFS_COUNT, /* only how many roofs stand above the straight line */
} rcity_shadow_roof_choice;

typedef enum rcity_shadow_wall_choice {
    RCITY_SHADOW_WALLS_OFF,
    RCITY_SHADOW_WALLS_COUNT,  /* how many walls the straight line passes */
    RCITY_SHADOW_WALLS_METRES, /* and how far it is in buildings and foliage */
} rcity_shadow_wall_choice;

typedef struct rcity_shadow_choice {
    int order; /* corners of a path, at most; 0: none */
    rcity_shadow_roof_choice roofs;
    rcity_shadow_wall_choice walls;
    bool reaches_indoor; /* receivers inside buildings get the path through walls */
} rcity_shadow_choice;

#endif
