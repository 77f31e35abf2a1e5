/* The buffers that maps of beams have on a device, and launches over them. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_LAUNCH_H
#define RCITY_METHOD_BEAMS_FAST_FAST_LAUNCH_H

#include "device/device.h"
#include "method/beams/fast/fast_areas.h"
#include "method/beams/fast/fast_directions.h"

typedef enum rcity_fast_buffer {
    RCITY_FAST_AREAS,
    RCITY_FAST_WANTED,      /* of each cell of a band */
    RCITY_FAST_CELL_COUNT,  /* how many visits each cell has; later where the next one goes, then how many paths */
    RCITY_FAST_LEAF_OF,     /* each area; -1 */
    RCITY_FAST_LEAF_COUNT,  /* one number */
    RCITY_FAST_LISTED,      /* the area of each leaf */
    RCITY_FAST_VISIT_FIRST, /* of each cell, and one more */
    RCITY_FAST_VISITS,
    RCITY_FAST_FIRST, /* of each cell: where its records start, and one more */
    RCITY_FAST_LEAVES,
    RCITY_FAST_WALLS,
    RCITY_FAST_BESIDES,
    RCITY_FAST_RECORDS,
    RCITY_FAST_RECORD_COUNT, /* of each visit */
    RCITY_FAST_LISTS,
    RCITY_FAST_SUMS,
    RCITY_FAST_ENTRY_COUNT, /* these three of each cell of a band */
    RCITY_FAST_BIN_COUNT,
    RCITY_FAST_BIN_FIRST, /* among those of all histograms */
    RCITY_FAST_ENTRIES,
    RCITY_FAST_GAINS, /* of each entry: of its bin, where it is the first there; else 0 */
    RCITY_FAST_BINS,  /* packed, as the next */
    RCITY_FAST_BIN_GAINS,
    RCITY_FAST_FACES, /* from here on tables: read only */
    RCITY_FAST_EDGE_FIELD,
    RCITY_FAST_WAYS,
    RCITY_FAST_DIRECTIONS,
    RCITY_FAST_SLOPES,
    RCITY_FAST_HEIGHTS,
    RCITY_FAST_SHARES,
    RCITY_FAST_ANTENNA,
    RCITY_FAST_BUFFER_COUNT
} rcity_fast_buffer;

/* A device while it makes a map. Zeroed, then its first two members set; rcity_fast_queue_deinit() in any case. */
typedef struct rcity_fast_queue {
    rcity_context *context; /* borrowed, as the next */
    rcity_device *device;
    rcity_resident *resident[RCITY_FAST_BUFFER_COUNT];
    rcity_fast_directions edges; /* what makes the tables of directions there */
} rcity_fast_queue;

/* Which launch; see beams.cl. */
typedef enum rcity_fast_task {
    RCITY_FAST_TASK_CLEAR_CELLS,  /* a work item a cell, with an rcity_beam_area_job: none has a visit */
    RCITY_FAST_TASK_CLEAR_LEAVES, /* one work item: there is no leaf */
    RCITY_FAST_TASK_COUNT,        /* a work-group an area, with an rcity_beam_area_job */
    RCITY_FAST_TASK_VISIT,        /* the same */
    RCITY_FAST_TASK_PLACE,        /* a work item a cell, with an rcity_beam_area_job */
    RCITY_FAST_TASK_FOLLOW,       /* a work-group a cell, with an rcity_beam_follow_job */
    RCITY_FAST_TASK_SUM,          /* the same with an rcity_beam_cells_job */
    RCITY_FAST_TASK_PACK          /* the same with an rcity_beam_pack_job */
} rcity_fast_task;

void rcity_fast_queue_deinit(rcity_fast_queue *queue);

/* Send all tables; those of directions are made on the device, where it has double precision, else here. */
rcity_status rcity_fast_queue_keep(rcity_fast_queue *queue, rcity_fast_plane *plane);

/* Room for so many elements, whose contents are lost; and such elements sent. `data` is borrowed until
   rcity_device_finish(), which also fills `to`. */
rcity_status rcity_fast_queue_reserve(rcity_fast_queue *queue, rcity_fast_buffer buffer, int64_t count);
rcity_status rcity_fast_queue_write(rcity_fast_queue *queue, rcity_fast_buffer buffer, const void *data, int64_t count);
rcity_status rcity_fast_queue_read(rcity_fast_queue *queue, rcity_fast_buffer buffer, int64_t first, int64_t count,
                                   void *to);
rcity_status rcity_fast_queue_launch(rcity_fast_queue *queue, rcity_fast_task task, const void *job,
                                     int64_t item_count);

/* How many elements of a buffer fit the device at most. */
int64_t rcity_fast_queue_room(const rcity_fast_queue *queue, rcity_fast_buffer buffer);

#endif
