/* What a beam sees: the walls that it meets, exactly, from its right edge to its left edge. Walls as high as a limit stop
   it. Lower ones may be passed over by rays that are higher there: the beam goes on behind them, and knows which it
   passed. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAM_SIGHT_H
#define RCITY_METHOD_BEAMS_TREE_BEAM_SIGHT_H

#include "method/beams/beams_world.h"
#include "method/beams/tree/beam_frame.h"
#include "method/beams/tree/beam_heights.h"

/* A part of a beam up to what stops it. Parts of a beam lie side by side and fill it. */
typedef struct rcity_beam_part {
    double right, left;                 /* across the beam */
    int32_t wall;                       /* which stops it; -1: nothing does */
    int32_t passed_first, passed_count; /* lower walls on the way, nearest first */
} rcity_beam_part;

/* A wall, or a part of one, that the beam meets; rays that meet it have passed over the first of a part's lower walls. */
typedef struct rcity_beam_hit {
    double right, left;
    int32_t wall;
    int32_t passed_first, passed_count;
    int8_t right_end, left_end; /* the end of the wall where the hit ends there: 0 or 1; -1: neither */
} rcity_beam_hit;

/* A wall as the beam sees it. */
typedef struct rcity_beam_sighting {
    double right, left; /* across the beam */
    rcity_beam_line line;
    int32_t wall;
    int8_t right_end, left_end; /* which end of the wall that is; -1: the beam's edge */
} rcity_beam_sighting;

/* A stretch of the beam with the nearest wall that stops it. */
typedef struct rcity_beam_span {
    double right, left;
    int32_t sighting; /* -1: none yet */
} rcity_beam_span;

/* What was seen last, and scratch memory. Grows as needed, kept between uses; zeroed before the first. */
typedef struct rcity_beam_sight {
    rcity_beam_part *parts;
    size_t part_count, part_capacity;
    rcity_beam_hit *hits;
    size_t hit_count, hit_capacity;
    int32_t *passed;
    size_t passed_count, passed_capacity;

    rcity_beam_sighting *sightings; /* of walls that stop the beam */
    size_t sighting_count, sighting_capacity;
    rcity_beam_sighting *low; /* of lower walls */
    size_t low_count, low_capacity;
    rcity_beam_span *spans;
    size_t span_count, span_capacity;
    uint32_t *looks; /* of each wall: the number of the last look that has taken it */
    size_t look_capacity;
    uint32_t look;
    double closed_nearness; /* no wall that is less near than this can be seen */
    double *ends;
    size_t end_capacity;
    int32_t *order; /* lower walls of a stretch, nearest first */
    size_t order_capacity;
    int32_t *moved; /* of each place in `passed`: where what begins there has moved to */
    size_t moved_capacity;
    int32_t *open_hits; /* of each lower wall: its hit that may still grow; -1 */
    size_t open_capacity;
} rcity_beam_sight;

void rcity_beam_sight_deinit(rcity_context *context, rcity_beam_sight *sight);

/* What limits a beam in height. */
typedef struct rcity_beam_limits {
    double stop_m;       /* walls with such a top stop it */
    double eye_m;        /* height of its source, or the highest at which its rays leave that */
    double least_m;      /* receivers nearer to its source than this do not matter, */
    double reach_m;      /* nor do walls and receivers farther from it */
    int32_t except_wall; /* the wall that it comes from; -1 */
    rcity_beam_heights heights;
} rcity_beam_limits;

/* Look along a beam. Replaces parts, hits and passed walls. */
rcity_status rcity_beam_sight_run(rcity_context *context, const rcity_beams_world *world, const rcity_beam_frame *frame,
                                  const rcity_beam_limits *limits, rcity_beam_sight *sight);

#endif
