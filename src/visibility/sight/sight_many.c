/* Many segments at once on a processor. First come the probes of all, which the processor can overlap freely. Then come
   the walks of the rest, each to its first cell with walls; the lists and walls of all are prefetched before any is
   tested. The answers are those of rcity_sight_test(). */
#include "visibility/sight/sight_data.h"

#define CHUNK_COUNT 64

/* A walk that has reached a cell with walls. */
typedef struct walk_lane {
    rcity_sight_steps walk;
    const rcity_sight_line *line;
    uint8_t *answer;
    int32_t cell;
    uint32_t place; /* of its list */
} walk_lane;

/* Prefetch what the lanes need next: first all lists, then the first and last walls that they name. */
static void fetch_walls(const rcity_sight_view *view, walk_lane *lanes, int count)
{
    for (int i = 0; i < count; i++) {
        lanes[i].place = rcity_sight_list(view, (uint32_t)lanes[i].cell);
        rcity_prefetch(&view->lists[lanes[i].place]);
    }
    for (int i = 0; i < count; i++) {
        const uint32_t *list = &view->lists[lanes[i].place];
        rcity_prefetch(&view->walls[RCITY_SIGHT_ENTRY_WALL(list[1])]);
        rcity_prefetch(&view->walls[RCITY_SIGHT_ENTRY_WALL(list[list[0] / RCITY_SIGHT_REFERENCE_COUNT])]);
    }
}

/* Take each segment that no probe decides to its first cell with walls. @return how many there are. */
static int begin_walks(const rcity_sight_view *view, const rcity_sight_line *lines, const int *left, int left_count,
                       uint8_t *answers, walk_lane *lanes)
{
    int lane_count = 0;
    for (int k = 0; k < left_count; k++) {
        walk_lane *lane = &lanes[lane_count];
        lane->line = &lines[left[k]];
        lane->answer = &answers[left[k]];
        lane->walk = rcity_sight_walk_begin(view, lane->line);
        if (rcity_sight_walk_is_far(view, lane->line, &lane->walk)) {
            *lane->answer = (uint8_t)rcity_sight_walk(view, lane->line, &lane->cell);
            continue;
        }
        lane->cell = rcity_sight_walk_on(view, &lane->walk);
        if (lane->cell >= 0) {
            lane_count++;
        } else {
            *lane->answer = (uint8_t)rcity_sight_walk_end(view, lane->line);
        }
    }
    return lane_count;
}

static void test_chunk(const rcity_sight_view *view, const rcity_sight_segment *segments, int count, uint8_t *answers)
{
    rcity_sight_line lines[CHUNK_COUNT];
    int left[CHUNK_COUNT];
    int left_count = 0;
    for (int i = 0; i < count; i++) {
        lines[i] = rcity_sight_line_make(segments[i]);
        int is_blocked = rcity_sight_probes_block(view, &lines[i]);
        answers[i] = is_blocked ? RCITY_SIGHT_BLOCKED : RCITY_SIGHT_FREE;
        left[left_count] = i;
        left_count += !is_blocked;
    }
    walk_lane lanes[CHUNK_COUNT];
    int lane_count = begin_walks(view, lines, left, left_count, answers, lanes);
    fetch_walls(view, lanes, lane_count);
    for (int i = 0; i < lane_count; i++) {
        walk_lane *lane = &lanes[i];
        *lane->answer = (uint8_t)rcity_sight_walk_from(view, lane->line, &lane->walk, lane->cell, &lane->cell);
    }
}

void rcity_sight_test_many(const rcity_sight_view *view, const rcity_sight_segment *segments, int64_t count,
                           uint8_t *answers)
{
    for (int64_t i = 0; i < count; i += CHUNK_COUNT) {
        test_chunk(view, segments + i, (int)(count - i < CHUNK_COUNT ? count - i : CHUNK_COUNT), answers + i);
    }
}
