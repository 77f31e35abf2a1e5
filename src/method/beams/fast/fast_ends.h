/* Ends of beams on their way to a device: made on the host's threads in pieces, sent piece by piece. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_ENDS_H
#define RCITY_METHOD_BEAMS_FAST_FAST_ENDS_H

#include "method/beams/fast/fast_areas.h"
#include "method/beams/fast/fast_launch.h"

/* Working memory, kept between uses. Zeroed before the first. */
typedef struct rcity_fast_ends_room {
    struct rcity_fast_ends_piece *pieces;
    size_t piece_count, piece_capacity; /* those in use, and those that there ever were */
    size_t made_count;
} rcity_fast_ends_room;

/* Make the leaves of so many areas, by their numbers in `listed`, and send them with their walls. What is sent is borrowed
   until rcity_device_finish(). */
rcity_status rcity_fast_ends_send(const rcity_fast_plane *plane, rcity_fast_queue *queue, const rcity_fast_areas *areas,
                                  const rcity_i32 *listed, int64_t listed_count, rcity_fast_ends_room *room);
void rcity_fast_ends_deinit(rcity_context *context, rcity_fast_ends_room *room);

#endif
