/* From a block to its houses: a ring of houses around a courtyard where there is room for one, rows of houses
   elsewhere. Houses that touch share exact corners; all others keep at least a metre from each other. */
#ifndef RCITY_CITY_BLOCK_H
#define RCITY_CITY_BLOCK_H

#include "scene/city/city_draft.h"

typedef enum rcity_city_place {
    RCITY_CITY_PLACE_STREET, /* between two neighbours */
    RCITY_CITY_PLACE_CORNER, /* around a corner of the block */
    RCITY_CITY_PLACE_YARD,   /* in the courtyard */
    RCITY_CITY_PLACE_WHOLE,  /* one building all around the block */
} rcity_city_place;

/* A house before it has a height. */
typedef struct rcity_city_house {
    uint64_t key;
    rcity_city_place place;
    const rcity_city_outline *outline;
    const rcity_city_outline *hole; /* or NULL */
    rcity_city_polygon core;        /* convex part of the footprint that a tower may stand in; may be empty */
} rcity_city_house;

/* Gives a house its height and adds it to the city. */
typedef rcity_status (*rcity_city_build_function)(void *maker, const rcity_city_house *house);

/* How a block is built up. Chances are per house. */
typedef struct rcity_city_style {
    double lot_min_m, lot_max_m;    /* width of houses along the street */
    int depth_m;                    /* of the houses; those between two corners vary */
    int depth_less_m, depth_more_m; /* by this much */
    bool has_square_corners;        /* corner houses are rectangles where streets cross at right angles */
    double bend_m;                  /* long facades bend inward, by at most this */
    double vacant_chance;           /* nothing built */
    double passage_chance;          /* a passage into the courtyard beside the house */
    double setback_chance;          /* front garden */
    double wing_chance;             /* a wing into the courtyard */
    double recess_chance;           /* facade with a bend in its middle */
    double yard_chance;             /* that a place in the courtyard is built up */
    rcity_city_build_function build;
    void *maker; /* passed to `build` */
} rcity_city_style;

/* Prepare a block for building: no sharp corners, no short edges. Empty if it is too small or too narrow for a
   house. */
void rcity_city_block_tidy(rcity_city_polygon *block);

/* Build up a prepared block. */
rcity_status rcity_city_block_build(const rcity_city_polygon *block, const rcity_city_style *style, uint64_t key);

/* The two methods: houses around the courtyard that is left after `style->depth_m`, and slices of the block. The first
   reports through `is_built` whether it found room. */
rcity_status rcity_city_perimeter_build(const rcity_city_polygon *block, const rcity_city_style *style, uint64_t key,
                                        bool *is_built);
rcity_status rcity_city_slices_build(const rcity_city_polygon *block, const rcity_city_style *style, uint64_t key);

/* Free-standing buildings in a courtyard; `room` is where they may stand. */
rcity_status rcity_city_yard_build(const rcity_city_polygon *room, const rcity_city_style *style, uint64_t key);

#endif
