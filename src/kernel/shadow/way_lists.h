/* Which chains of corners light each word of a raster's bits: lists, made once a source, so that weighing looks at nothing
   else. A work-group does 32 words of a source, in slices of its chains. */
#ifndef RCITY_KERNEL_SHADOW_WAY_LISTS_H
#define RCITY_KERNEL_SHADOW_WAY_LISTS_H

#include "kernel/shadow/corner_way.h"
#include "kernel/shadow/shadow_turns.h"

#define RCITY_WAY_WORDS  32 /* of a group: neighbours in memory */
#define RCITY_WAY_SLICES 8  /* of the chains */
#define RCITY_WAY_SLOTS  (RCITY_WAY_WORDS * RCITY_WAY_SLICES)

/* Local memory, in words: the number of chains of each slot, then that of ways, then the first place of each word. */
#define RCITY_WAY_WAYS        RCITY_WAY_SLOTS
#define RCITY_WAY_PLACES      (2 * RCITY_WAY_SLOTS)
#define RCITY_WAY_LOCAL_WORDS (RCITY_WAY_PLACES + RCITY_WAY_WORDS)

/* A chain as devices read it, told by its last corner. */
typedef struct RCITY_ALIGNED(16) rcity_corner_chain {
    rcity_i32 x, y;              /* of the corner */
    rcity_i32 view, parent_view; /* whose bits are its corner's, and those of the place before */
    rcity_corner_leg leg;
    rcity_shadow_turns turns; /* at the corners before */
    float azimuth_dx, azimuth_dy;
    rcity_i32 padding;
} rcity_corner_chain;

/* A chain that lights pixels of a word. */
typedef struct rcity_way_entry {
    rcity_i32 chain;
    rcity_u32 bits;
} rcity_way_entry;

/* The entries of a word, by their chains. */
typedef struct rcity_way_list {
    rcity_u32 first, count;
} rcity_way_list;

/* How much there is, whether or not it found room: the entries of all sources together, then the ways of each. */
#define RCITY_WAY_TOTAL_ENTRIES    0
#define RCITY_WAY_TOTAL_WAYS_FIRST 1

/* A source of a launch. */
typedef struct RCITY_ALIGNED(16) rcity_way_source {
    rcity_i32 view; /* whose bits are the source's own */
    rcity_i32 chain_first, chain_count;
    rcity_i32 padding;
} rcity_way_source;

typedef struct rcity_way_job {
    rcity_i32 word_count;  /* of a raster */
    rcity_i32 group_count; /* that do a source's words */
    rcity_u32 entry_max;
    rcity_i32 padding;
} rcity_way_job;

/* One group's part: a source and its words. Made where it is used, never a kernel argument. */
typedef struct rcity_way_part {
    rcity_way_source source;
    rcity_i32 index; /* of the source */
    rcity_i32 first_word;
} rcity_way_part;

RCITY_KERNEL rcity_way_part rcity_way_part_make(const rcity_way_job *job, RCITY_GLOBAL const rcity_way_source *sources,
                                                rcity_i64 item)
{
    rcity_way_part part;
    part.index = (rcity_i32)(item / job->group_count);
    part.first_word = (rcity_i32)(item % job->group_count) * RCITY_WAY_WORDS;
    part.source = sources[part.index];
    return part;
}

/* Words of what the source itself sees. */
RCITY_KERNEL RCITY_GLOBAL const rcity_u32 *rcity_way_lit(const rcity_way_job *job, const rcity_way_part *part,
                                                         RCITY_GLOBAL const rcity_u32 *masks)
{
    return masks + (rcity_i64)part->source.view * job->word_count;
}

/* What the last corner of a chain sees, and neither the source nor the place before. */
RCITY_KERNEL rcity_u32 rcity_way_bits(const rcity_way_job *job, RCITY_GLOBAL const rcity_u32 *masks,
                                      RCITY_GLOBAL const rcity_corner_chain *chain, rcity_u32 lit, rcity_i32 word)
{
    rcity_u32 seen = masks[(rcity_i64)chain->parent_view * job->word_count + word] | lit;
    return masks[(rcity_i64)chain->view * job->word_count + word] & ~seen;
}

RCITY_KERNEL rcity_u32 rcity_way_popcount(rcity_u32 bits)
{
    bits = bits - ((bits >> 1) & 0x55555555u);
    bits = (bits & 0x33333333u) + ((bits >> 2) & 0x33333333u);
    return (((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

RCITY_KERNEL rcity_i32 rcity_way_slice_begin(const rcity_way_part *part, rcity_i32 slice)
{
    return part->source.chain_first + (rcity_i32)((rcity_i64)part->source.chain_count * slice / RCITY_WAY_SLICES);
}

/* Count the entries and the ways of each slot. */
RCITY_KERNEL void rcity_way_count(const rcity_way_job *job, const rcity_way_part *part,
                                  RCITY_GLOBAL const rcity_u32 *masks, RCITY_GLOBAL const rcity_corner_chain *chains,
                                  rcity_i32 lane, rcity_i32 lane_count, RCITY_LOCAL rcity_u32 *words)
{
    for (rcity_i32 slot = lane; slot < RCITY_WAY_SLOTS; slot += lane_count) {
        rcity_i32 word = part->first_word + slot % RCITY_WAY_WORDS;
        rcity_i32 slice = slot / RCITY_WAY_WORDS;
        rcity_i32 end = word < job->word_count ? rcity_way_slice_begin(part, slice + 1) : 0;
        rcity_u32 lit = word < job->word_count ? rcity_way_lit(job, part, masks)[word] : 0;
        rcity_u32 count = 0;
        rcity_u32 way_count = 0;
        for (rcity_i32 i = rcity_way_slice_begin(part, slice); i < end; i++) {
            rcity_u32 bits = rcity_way_bits(job, masks, chains + i, lit, word);
            count += bits != 0;
            way_count += rcity_way_popcount(bits);
        }
        words[slot] = count;
        words[RCITY_WAY_WAYS + slot] = way_count;
    }
}

/* A place for each word's list; none where there is no room. The source's bits are kept with the lists. */
RCITY_KERNEL void rcity_way_place(const rcity_way_job *job, const rcity_way_part *part,
                                  RCITY_GLOBAL const rcity_u32 *masks, rcity_i32 lane, rcity_i32 lane_count,
                                  RCITY_LOCAL rcity_u32 *words, RCITY_GLOBAL rcity_way_list *lists,
                                  RCITY_GLOBAL rcity_u32 *lit, RCITY_GLOBAL rcity_u32 *totals)
{
    for (rcity_i32 i = lane; i < RCITY_WAY_WORDS; i += lane_count) {
        rcity_i32 word = part->first_word + i;
        if (word >= job->word_count) {
            continue;
        }
        rcity_u32 count = 0;
        rcity_u32 way_count = 0;
        for (rcity_i32 slice = 0; slice < RCITY_WAY_SLICES; slice++) {
            count += words[slice * RCITY_WAY_WORDS + i];
            way_count += words[RCITY_WAY_WAYS + slice * RCITY_WAY_WORDS + i];
        }
        rcity_u32 first = 0;
        if (count > 0) {
            first = rcity_global_add(&totals[RCITY_WAY_TOTAL_ENTRIES], count);
            (void)rcity_global_add(&totals[RCITY_WAY_TOTAL_WAYS_FIRST + part->index], way_count);
        }
        int fits = first <= job->entry_max && count <= job->entry_max - first;
        rcity_i64 at = (rcity_i64)part->index * job->word_count + word;
        words[RCITY_WAY_PLACES + i] = fits ? first : job->entry_max;
        lists[at].first = first;
        lists[at].count = fits ? count : 0;
        lit[at] = rcity_way_lit(job, part, masks)[word];
    }
}

/* Put the entries in, chain by chain: their order does not depend on that of the groups. */
RCITY_KERNEL void rcity_way_fill(const rcity_way_job *job, const rcity_way_part *part,
                                 RCITY_GLOBAL const rcity_u32 *masks, RCITY_GLOBAL const rcity_corner_chain *chains,
                                 rcity_i32 lane, rcity_i32 lane_count, RCITY_LOCAL const rcity_u32 *words,
                                 RCITY_GLOBAL rcity_way_entry *entries)
{
    for (rcity_i32 slot = lane; slot < RCITY_WAY_SLOTS; slot += lane_count) {
        rcity_i32 word = part->first_word + slot % RCITY_WAY_WORDS;
        rcity_i32 slice = slot / RCITY_WAY_WORDS;
        if (word >= job->word_count || words[slot] == 0 ||
            words[RCITY_WAY_PLACES + slot % RCITY_WAY_WORDS] >= job->entry_max) {
            continue;
        }
        rcity_u32 at = words[RCITY_WAY_PLACES + slot % RCITY_WAY_WORDS];
        for (rcity_i32 k = 0; k < slice; k++) {
            at += words[k * RCITY_WAY_WORDS + slot % RCITY_WAY_WORDS];
        }
        rcity_u32 lit = rcity_way_lit(job, part, masks)[word];
        for (rcity_i32 i = rcity_way_slice_begin(part, slice); i < rcity_way_slice_begin(part, slice + 1); i++) {
            rcity_u32 bits = rcity_way_bits(job, masks, chains + i, lit, word);
            if (bits != 0) {
                entries[at].chain = i;
                entries[at].bits = bits;
                at++;
            }
        }
    }
}

#endif
