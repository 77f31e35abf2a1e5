/* The bins of a cell's histogram from what each path brings: entries in any order, of which every work item of a group does
   some. A bin's gain is added up in parts of the greatest weight in it, so that its bits do not depend on the order. */
#ifndef RCITY_KERNEL_BEAMS_BEAM_ENTRIES_H
#define RCITY_KERNEL_BEAMS_BEAM_ENTRIES_H

#include "kernel/beams/beam_sum.h"

#define RCITY_BEAM_NO_BIN (-1) /* of what does not count */

/* A launch over cells from this one of a band on, with the first record and the first bin of theirs. */
typedef struct rcity_beam_pack_job {
    rcity_i64 cell_base, record_base, bin_base;
} rcity_beam_pack_job;

RCITY_KERNEL rcity_beam_entry rcity_beam_entry_make(float length_m, float bin_m, float weight)
{
    rcity_beam_entry entry;
    entry.bin = weight > 0.0f ? (rcity_i32)(length_m / bin_m) : RCITY_BEAM_NO_BIN;
    entry.weight = weight;
    return entry;
}

/* The gain of a bin, by the first of its entries; 0 for all others. */
RCITY_KERNEL float rcity_beam_entry_gain(RCITY_GLOBAL const rcity_beam_entry *entries, rcity_i32 count, rcity_i32 index)
{
    rcity_i32 bin = entries[index].bin;
    float greatest = entries[index].weight;
    rcity_i64 parts = 0;
    if (bin == RCITY_BEAM_NO_BIN) {
        return 0.0f;
    }
    for (rcity_i32 k = 0; k < index; k++) {
        if (entries[k].bin == bin) {
            return 0.0f;
        }
    }
    for (rcity_i32 k = index + 1; k < count; k++) {
        greatest = entries[k].bin == bin && entries[k].weight > greatest ? entries[k].weight : greatest;
    }
    for (rcity_i32 k = index; k < count; k++) {
        parts += entries[k].bin == bin ? rcity_beam_parts(entries[k].weight / greatest) : 0;
    }
    return rcity_beam_of_parts(parts) * greatest;
}

/* How many of the cell's bins lie before that of an entry with a gain. */
RCITY_KERNEL rcity_i32 rcity_beam_entry_rank(RCITY_GLOBAL const rcity_beam_entry *entries,
                                             RCITY_GLOBAL const float *gains, rcity_i32 count, rcity_i32 index)
{
    rcity_i32 bin = entries[index].bin;
    rcity_i32 rank = 0;
    for (rcity_i32 k = 0; k < count; k++) {
        rank += gains[k] > 0.0f && entries[k].bin < bin;
    }
    return rank;
}

#endif
