/* Cleaning one building's rings. The result is simple rings, outlines counter-clockwise, each followed by its holes. */
#ifndef RCITY_SCENE_RING_CLEAN_H
#define RCITY_SCENE_RING_CLEAN_H

#include "scene/shape/outline.h"
#include "scene/shape/ring_pairs.h"

/* Working memory and counts, kept over many buildings. */
typedef struct rcity_ring_cleaner {
    rcity_context *context;
    int64_t repair_count[RCITY_REPAIR_COUNT];
    rcity_ring_pairs pairs;
    rcity_outline tidy;   /* rings without repeated points and spikes */
    rcity_outline simple; /* rings that do not touch themselves either */
    rcity_outline_point *ring;
    size_t ring_capacity;
    rcity_grid_point *sorted;
    size_t sorted_capacity;
    int32_t *depth; /* how many rings contain each ring */
    size_t depth_capacity;
} rcity_ring_cleaner;

void rcity_ring_cleaner_init(rcity_context *context, rcity_ring_cleaner *cleaner);
void rcity_ring_cleaner_deinit(rcity_ring_cleaner *cleaner);

typedef enum rcity_ring_fault { RCITY_RING_SOUND, RCITY_RING_CROSSES, RCITY_RING_NO_AREA } rcity_ring_fault;

/* Why a building cannot be repaired, and the place. */
typedef struct rcity_ring_defect {
    rcity_ring_fault fault;
    rcity_grid_point at;
} rcity_ring_defect;

/* Clean `rings` (the first is the outline, the others are holes) and append the result to `cleaned`: every
   counter-clockwise ring is an outline, the clockwise ones after it are its holes. On a defect nothing is appended. */
rcity_status rcity_ring_clean(rcity_ring_cleaner *cleaner, const rcity_outline *rings, rcity_outline *cleaned,
                              rcity_ring_defect *defect);

/* Leave in cleaner->ring one ring of `rings` with its corners at `moved` (NULL: unmoved) and, on request, with the
   corners that its edges receive. Inserts are sorted by edge; *next_insert moves past those of this ring. */
rcity_status rcity_ring_weave(rcity_ring_cleaner *cleaner, const rcity_outline *rings, size_t ring,
                              const rcity_grid_point *moved, const rcity_ring_pairs *inserts, bool takes_inserts,
                              size_t *next_insert, size_t *count);

/* Remove points that repeat their neighbour and spikes, in place; returns how many points are left. */
size_t rcity_ring_tidy(rcity_outline_point *points, size_t count, int64_t *duplicate_count, int64_t *spike_count);

/* Is a set of rings free of crossings and touches, within and between rings? */
rcity_status rcity_rings_are_simple(rcity_ring_cleaner *cleaner, const rcity_outline *rings, bool *is_simple);

#endif
