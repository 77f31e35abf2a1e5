/* Which chains of corners reach each word of a raster's bits: lists, made once per source, so that weighing reads
   nothing else. A work-group does 32 words of a source, in slices of its chains. */
#ifndef RCITY_KERNEL_SHADOW_CORNERS_CORNER_LISTS_H
#define RCITY_KERNEL_SHADOW_CORNERS_CORNER_LISTS_H

#include "kernel/shadow/corners/corner_path.h"
#include "kernel/shadow/shadow_turns.h"

#define RCITY_CORNER_LIST_WORDS  32 /* of a group: neighbours in memory */
#define RCITY_CORNER_LIST_SLICES 8  /* of the chains */
#define RCITY_CORNER_LIST_SLOTS  (RCITY_CORNER_LIST_WORDS * RCITY_CORNER_LIST_SLICES)

/* Local memory, in words: the number of chains of each slot, then that of paths, then the index of each word's first
   entry. */
#define RCITY_PATH_PATHS              RCITY_CORNER_LIST_SLOTS
#define RCITY_PATH_PLACES             (2 * RCITY_CORNER_LIST_SLOTS)
#define RCITY_CORNER_LIST_LOCAL_WORDS (RCITY_PATH_PLACES + RCITY_CORNER_LIST_WORDS)

/* A chain as devices read it, given by its last corner. */
typedef struct RCITY_ALIGNED(16) rcity_corner_chain {
    rcity_i32 x, y;              /* of the corner */
    rcity_i32 view, parent_view; /* the view of its corner, and that of the point before */
    rcity_corner_leg leg;
    rcity_shadow_turns turns; /* at the corners before */
    float azimuth_dx, azimuth_dy;
    float grazing_root_m; /* geometric mean of those of the corners before */
} rcity_corner_chain;

/* A chain that reaches pixels of a word. */
typedef struct rcity_corner_list_entry {
    rcity_i32 chain;
    rcity_u32 bits;
} rcity_corner_list_entry;

/* The entries of a word, in the order of their chains. */
typedef struct rcity_corner_list {
    rcity_u32 first, count;
} rcity_corner_list;

/* The totals, also of what did not fit: the entries of all sources together, then the paths of each. */
#define RCITY_CORNER_LIST_TOTAL_ENTRIES 0
#define RCITY_PATH_TOTAL_PATHS_FIRST    1

/* A source of a launch. */
typedef struct RCITY_ALIGNED(16) rcity_path_source {
    rcity_i32 view; /* the view of the source itself */
    rcity_i32 chain_first, chain_count;
    rcity_i32 padding;
} rcity_path_source;

typedef struct rcity_corner_list_job {
    rcity_i32 word_count;  /* of a raster */
    rcity_i32 group_count; /* groups that share a source's words */
    rcity_u32 entry_max;
    rcity_i32 padding;
} rcity_corner_list_job;

/* One group's part: a source and its words. Made where it is used, never a kernel argument. */
typedef struct rcity_path_part {
    rcity_path_source source;
    rcity_i32 index; /* of the source */
    rcity_i32 first_word;
} rcity_path_part;

RCITY_KERNEL rcity_path_part rcity_path_part_make(const rcity_corner_list_job *job,
                                                  RCITY_GLOBAL const rcity_path_source *sources, rcity_i64 item)
{
    rcity_path_part part;
    part.index = (rcity_i32)(item / job->group_count);
    part.first_word = (rcity_i32)(item % job->group_count) * RCITY_CORNER_LIST_WORDS;
    part.source = sources[part.index];
    return part;
}

/* Words of the pixels that the source itself sees. */
RCITY_KERNEL RCITY_GLOBAL const rcity_u32 *rcity_path_visible(const rcity_corner_list_job *job,
                                                              const rcity_path_part *part,
                                                              RCITY_GLOBAL const rcity_u32 *masks)
{
    return masks + (rcity_i64)part->source.view * job->word_count;
}

/* The pixels seen by the last corner of a chain, but neither by the source nor by the point before. */
RCITY_KERNEL rcity_u32 rcity_corner_list_bits(const rcity_corner_list_job *job, RCITY_GLOBAL const rcity_u32 *masks,
                                              RCITY_GLOBAL const rcity_corner_chain *chain, rcity_u32 visible,
                                              rcity_i32 word)
{
    rcity_u32 seen = masks[(rcity_i64)chain->parent_view * job->word_count + word] | visible;
    return masks[(rcity_i64)chain->view * job->word_count + word] & ~seen;
}

RCITY_KERNEL rcity_u32 rcity_corner_list_popcount(rcity_u32 bits)
{
    bits = bits - ((bits >> 1) & 0x55555555u);
    bits = (bits & 0x33333333u) + ((bits >> 2) & 0x33333333u);
    return (((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

RCITY_KERNEL rcity_i32 rcity_corner_list_slice_begin(const rcity_path_part *part, rcity_i32 slice)
{
    return part->source.chain_first +
           (rcity_i32)((rcity_i64)part->source.chain_count * slice / RCITY_CORNER_LIST_SLICES);
}

/* Counts the entries and the paths of each slot. */
RCITY_KERNEL void rcity_corner_list_count(const rcity_corner_list_job *job, const rcity_path_part *part,
                                          RCITY_GLOBAL const rcity_u32 *masks,
                                          RCITY_GLOBAL const rcity_corner_chain *chains, rcity_i32 lane,
                                          rcity_i32 lane_count, RCITY_LOCAL rcity_u32 *words)
{
    for (rcity_i32 slot = lane; slot < RCITY_CORNER_LIST_SLOTS; slot += lane_count) {
        rcity_i32 word = part->first_word + slot % RCITY_CORNER_LIST_WORDS;
        rcity_i32 slice = slot / RCITY_CORNER_LIST_WORDS;
        rcity_i32 end = word < job->word_count ? rcity_corner_list_slice_begin(part, slice + 1) : 0;
        rcity_u32 visible = word < job->word_count ? rcity_path_visible(job, part, masks)[word] : 0;
        rcity_u32 count = 0;
        rcity_u32 path_count = 0;
        for (rcity_i32 i = rcity_corner_list_slice_begin(part, slice); i < end; i++) {
            rcity_u32 bits = rcity_corner_list_bits(job, masks, chains + i, visible, word);
            count += bits != 0;
            path_count += rcity_corner_list_popcount(bits);
        }
        words[slot] = count;
        words[RCITY_PATH_PATHS + slot] = path_count;
    }
}

/* Reserves entries for each word's list; none where there is no room. The source's bits are stored with the lists. */
RCITY_KERNEL void rcity_corner_list_place(const rcity_corner_list_job *job, const rcity_path_part *part,
                                          RCITY_GLOBAL const rcity_u32 *masks, rcity_i32 lane, rcity_i32 lane_count,
                                          RCITY_LOCAL rcity_u32 *words, RCITY_GLOBAL rcity_corner_list *lists,
                                          RCITY_GLOBAL rcity_u32 *visible, RCITY_GLOBAL rcity_u32 *totals)
{
    for (rcity_i32 i = lane; i < RCITY_CORNER_LIST_WORDS; i += lane_count) {
        rcity_i32 word = part->first_word + i;
        if (word >= job->word_count) {
            continue;
        }
        rcity_u32 count = 0;
        rcity_u32 path_count = 0;
        for (rcity_i32 slice = 0; slice < RCITY_CORNER_LIST_SLICES; slice++) {
            count += words[slice * RCITY_CORNER_LIST_WORDS + i];
            path_count += words[RCITY_PATH_PATHS + slice * RCITY_CORNER_LIST_WORDS + i];
        }
        rcity_u32 first = 0;
        if (count > 0) {
            first = rcity_global_add(&totals[RCITY_CORNER_LIST_TOTAL_ENTRIES], count);
            (void)rcity_global_add(&totals[RCITY_PATH_TOTAL_PATHS_FIRST + part->index], path_count);
        }
        int fits = first <= job->entry_max && count <= job->entry_max - first;
        rcity_i64 at = (rcity_i64)part->index * job->word_count + word;
        words[RCITY_PATH_PLACES + i] = fits ? first : job->entry_max;
        lists[at].first = first;
        lists[at].count = fits ? count : 0;
        visible[at] = rcity_path_visible(job, part, masks)[word];
    }
}

/* Writes the entries, chain by chain: their order does not depend on that of the groups. */
RCITY_KERNEL void rcity_corner_list_fill(const rcity_corner_list_job *job, const rcity_path_part *part,
                                         RCITY_GLOBAL const rcity_u32 *masks,
                                         RCITY_GLOBAL const rcity_corner_chain *chains, rcity_i32 lane,
                                         rcity_i32 lane_count, RCITY_LOCAL const rcity_u32 *words,
                                         RCITY_GLOBAL rcity_corner_list_entry *entries)
{
    for (rcity_i32 slot = lane; slot < RCITY_CORNER_LIST_SLOTS; slot += lane_count) {
        rcity_i32 word = part->first_word + slot % RCITY_CORNER_LIST_WORDS;
        rcity_i32 slice = slot / RCITY_CORNER_LIST_WORDS;
        if (word >= job->word_count || words[slot] == 0 ||
            words[RCITY_PATH_PLACES + slot % RCITY_CORNER_LIST_WORDS] >= job->entry_max) {
            continue;
        }
        rcity_u32 at = words[RCITY_PATH_PLACES + slot % RCITY_CORNER_LIST_WORDS];
        for (rcity_i32 k = 0; k < slice; k++) {
            at += words[k * RCITY_CORNER_LIST_WORDS + slot % RCITY_CORNER_LIST_WORDS];
        }
        rcity_u32 visible = rcity_path_visible(job, part, masks)[word];
        for (rcity_i32 i = rcity_corner_list_slice_begin(part, slice);
             i < rcity_corner_list_slice_begin(part, slice + 1); i++) {
            rcity_u32 bits = rcity_corner_list_bits(job, masks, chains + i, visible, word);
            if (bits != 0) {
                entries[at].chain = i;
                entries[at].bits = bits;
                at++;
            }
        }
    }
}

/* A word of the pixels that a source sees, before there are lists; words are numbered consecutively over the
   sources. */
RCITY_KERNEL void rcity_path_copy_visible(const rcity_corner_list_job *job,
                                          RCITY_GLOBAL const rcity_path_source *sources,
                                          RCITY_GLOBAL const rcity_u32 *masks, rcity_i64 at,
                                          RCITY_GLOBAL rcity_u32 *visible)
{
    rcity_i64 view = sources[at / job->word_count].view;
    visible[at] = masks[view * job->word_count + at % job->word_count];
}

#endif
