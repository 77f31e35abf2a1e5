/* Many segments at once on a processor. First the probes of all, which nothing keeps it from overlapping; then the walks
   of those that are left, several taking turns, so that while one waits for memory the others compute. The answers are
   those of rcity_sight_test(). */
#include "scene/sight/sight_data.h"

#define CHUNK_COUNT 64

#if defined(__GNUC__)
#define PREFETCH(place) __builtin_prefetch(place)
#else
#define PREFETCH(place) ((void)(place))
#endif

/* A walk that waits for its turn. */
typedef struct walk_lane {
    rcity_sight_steps walk;
    const rcity_sight_line *line;
    uint8_t *answer;
    int32_t cell;   /* whose walls are to be looked at next */
    uint32_t place; /* of its list */
} walk_lane;

/* Fetch what the lanes need next, all of it before any is used. */
static void fetch_walls(const rcity_sight_view *view, walk_lane *lanes, int count)
{
    for (int i = 0; i < count; i++) {
        lanes[i].place = rcity_sight_list(view, (uint32_t)lanes[i].cell);
        PREFETCH(&view->lists[lanes[i].place]);
    }
    for (int i = 0; i < count; i++) {
        const uint32_t *list = &view->lists[lanes[i].place];
        PREFETCH(&view->walls[RCITY_SIGHT_ENTRY_WALL(list[1])]);
        PREFETCH(&view->walls[RCITY_SIGHT_ENTRY_WALL(list[list[0] / RCITY_SIGHT_REFERENCE_COUNT])]);
    }
}

static void walk_lanes(const rcity_sight_view *view, walk_lane *lanes, int count)
{
    while (count > 0) {
        fetch_walls(view, lanes, count);
        int kept_count = 0;
        for (int i = 0; i < count; i++) {
            walk_lane *lane = &lanes[i];
            rcity_sight_answer answer = rcity_sight_walk_cell(view, lane->line, &lane->walk, lane->cell);
            if (answer == RCITY_SIGHT_FREE) {
                lane->cell = rcity_sight_walk_on(view, &lane->walk);
                if (lane->cell >= 0) {
                    lanes[kept_count++] = *lane;
                    continue;
                }
                answer = rcity_sight_walk_end(view, lane->line);
            }
            *lane->answer = (uint8_t)answer;
        }
        count = kept_count;
    }
}

static void test_chunk(const rcity_sight_view *view, const rcity_sight_segment *segments, int count, uint8_t *answers)
{
    rcity_sight_line lines[CHUNK_COUNT];
    int left[CHUNK_COUNT];
    int left_count = 0;
    for (int i = 0; i < count; i++) {
        lines[i] = rcity_sight_line_make(segments[i]);
        int is_blocked = rcity_sight_probes_block(view, &lines[i]);
        answers[i] = (uint8_t)is_blocked;
        left[left_count] = i;
        left_count += !is_blocked;
    }
    walk_lane lanes[CHUNK_COUNT];
    int lane_count = 0;
    for (int k = 0; k < left_count; k++) {
        walk_lane *lane = &lanes[lane_count];
        lane->line = &lines[left[k]];
        lane->answer = &answers[left[k]];
        lane->walk = rcity_sight_walk_begin(view, lane->line);
        rcity_sight_answer answer = RCITY_SIGHT_FREE;
        if (rcity_sight_walk_is_far(view, lane->line, &lane->walk)) {
            answer = rcity_sight_walk_far(view, lane->line);
            lane->walk.left = -1;
        }
        lane->cell = rcity_sight_walk_on(view, &lane->walk);
        if (lane->cell >= 0) {
            lane_count++;
        } else {
            *lane->answer = (uint8_t)(answer == RCITY_SIGHT_FREE ? rcity_sight_walk_end(view, lane->line) : answer);
        }
    }
    walk_lanes(view, lanes, lane_count);
}

void rcity_sight_test_many(const rcity_sight_view *view, const rcity_sight_segment *segments, int64_t count,
                           uint8_t *answers)
{
    for (int64_t i = 0; i < count; i += CHUNK_COUNT) {
        test_chunk(view, segments + i, (int)(count - i < CHUNK_COUNT ? count - i : CHUNK_COUNT), answers + i);
    }
}
