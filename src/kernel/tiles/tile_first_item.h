/* First level: which tiles and receivers a transmitter sees. One item is a word of them, 32 tiles or 32 receivers. */
#ifndef RCITY_KERNEL_TILES_TILE_FIRST_ITEM_H
#define RCITY_KERNEL_TILES_TILE_FIRST_ITEM_H

#include "kernel/tiles/tile_pair.h"

/* Words of tiles come first, then those of receivers: `word_count` for each transmitter. */
typedef struct rcity_tile_first_job {
    rcity_sight_map map;
    rcity_i32 tile_count, receiver_count;
    rcity_i32 tile_word_count, word_count;
} rcity_tile_first_job;

/* Bit i: the transmitter sees tile or receiver i of the word; the host decides. */
typedef struct rcity_tile_first_answer {
    rcity_u32 sees, deferred;
} rcity_tile_first_answer;

/* What a transmitter may see. */
typedef struct rcity_tile_first_view {
    RCITY_GLOBAL const rcity_tile_place *places; /* of tiles */
    RCITY_GLOBAL const rcity_tile_front *fronts;
    RCITY_GLOBAL const rcity_tile_place *receivers;
    rcity_sight_view sight;
} rcity_tile_first_view;

/* How many tiles or receivers a word has. */
RCITY_KERNEL rcity_i32 rcity_tile_first_count(const rcity_tile_first_job *job, rcity_i32 word)
{
    rcity_i32 rest = word < job->tile_word_count
                         ? job->tile_count - word * RCITY_TILE_BLOCK
                         : job->receiver_count - (word - job->tile_word_count) * RCITY_TILE_BLOCK;
    return rest < RCITY_TILE_BLOCK ? rest : RCITY_TILE_BLOCK;
}

/* Does the transmitter see tile or receiver i of a word? Tiles only from in front of them. */
RCITY_KERNEL rcity_sight_answer rcity_tile_first_look(const rcity_tile_first_job *job,
                                                      const rcity_tile_first_view *view, rcity_tile_place from,
                                                      rcity_i32 word, rcity_i32 i)
{
    rcity_tile_place to;
    if (word < job->tile_word_count) {
        rcity_i32 tile = word * RCITY_TILE_BLOCK + i;
        to = view->places[tile];
        if (!rcity_tile_faces(view->fronts[tile], to, from)) {
            return RCITY_SIGHT_BLOCKED;
        }
    } else {
        to = view->receivers[(word - job->tile_word_count) * RCITY_TILE_BLOCK + i];
    }
    return rcity_sight_test(&view->sight, rcity_tile_segment(from, to));
}

#endif
