/* Checkpoints of searches. */
#include "api/siting_checkpoint.h"

#include <string.h>

#include "store/store.h"

#define KIND    "siting"
#define VERSION 1

/* Positions are written as they lie in memory. */
_Static_assert(sizeof(rcity_siting_position) == 152, "the position has no padding, and this size in version 1");
_Static_assert(sizeof(rcity_siting_station) == 28, "a station has no padding");

rcity_status rcity_siting_checkpoint_save(const rcity_siting_search *search, const char *hash, const char *path)
{
    uint64_t stations = (uint64_t)search->task->station_count;
    const rcity_siting_position *position = &search->position;
    const rcity_store_block blocks[] = {
        {"task", hash, RCITY_SITING_HASH_BYTES, 1},
        {"position", position, 1, sizeof *position},
        {"now", search->now->stations, stations, sizeof(rcity_siting_station)},
        {"best", search->best->stations, stations, sizeof(rcity_siting_station)},
        {"baseline", search->baseline->stations, stations, sizeof(rcity_siting_station)},
        {"steps", search->steps, (uint64_t)position->step_count, sizeof *search->steps},
        {"seen", search->seen, (uint64_t)position->seen_count, sizeof *search->seen},
    };
    return rcity_store_save(search->task->context, path, KIND, VERSION, blocks,
                            (int)(sizeof blocks / sizeof blocks[0]));
}

static rcity_status get_block(rcity_context *context, const rcity_store *store, const char *name, uint64_t count,
                              size_t element_bytes, void *to)
{
    const void *data;
    uint64_t found;
    RCITY_TRY(rcity_store_get(store, name, (uint32_t)element_bytes, &data, &found));
    RCITY_CHECK(context, found == count, RCITY_ERR_FORMAT,
                "block '%s' of the checkpoint has %llu elements, expected %llu", name, (unsigned long long)found,
                (unsigned long long)count);
    memcpy(to, data, (size_t)count * element_bytes);
    return RCITY_OK;
}

static bool is_choice(int32_t value, int count)
{
    return value >= 0 && value < count;
}

/* Stations that the task knows: indexes of its lists, and places that are allowed. */
static bool are_possible(const rcity_siting_task *task, const rcity_siting_station *stations)
{
    for (int i = 0; i < task->station_count; i++) {
        const rcity_siting_station *station = &stations[i];
        const rcity_siting_setting *at = &station->at;
        if (!is_choice(at->height, task->height_count) || !is_choice(at->azimuth, task->azimuth_count) ||
            !is_choice(at->tilt, task->tilt_count) || !is_choice(station->power, task->power_count) ||
            (task->candidate_count > 0 && (at->x < 0 || at->x >= task->candidate_count)) ||
            !task->world.is_allowed(task->world.user, at)) {
            return false;
        }
    }
    return true;
}

static bool are_known(const rcity_siting_task *task, const rcity_siting_setting *seen, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (!is_choice(seen[i].height, task->height_count) || !is_choice(seen[i].azimuth, task->azimuth_count) ||
            !is_choice(seen[i].tilt, task->tilt_count) ||
            (task->candidate_count > 0 && (seen[i].x < 0 || seen[i].x >= task->candidate_count)) ||
            !task->world.is_allowed(task->world.user, &seen[i])) {
            return false;
        }
    }
    return true;
}

static rcity_status read_blocks(rcity_siting_search *search, const char *hash, const rcity_store *store)
{
    const rcity_siting_task *task = search->task;
    rcity_context *context = task->context;
    char found[RCITY_SITING_HASH_BYTES];
    uint64_t stations = (uint64_t)task->station_count;
    rcity_siting_position *position = &search->position;
    RCITY_TRY(get_block(context, store, "task", sizeof found, 1, found));
    RCITY_CHECK(context, memcmp(found, hash, sizeof found) == 0, RCITY_ERR_STATE,
                "it is the checkpoint of another task: scene, demand, method and all options must be the same");
    RCITY_TRY(get_block(context, store, "position", 1, sizeof *position, position));
    RCITY_CHECK(context,
                position->step_count >= 0 && position->step_count <= RCITY_SITING_STEP_COUNT + 2 &&
                    position->seen_count >= 0 && position->seen_count <= RCITY_SITING_SEEN_MAX &&
                    position->move_count >= 0 && position->move_count <= task->move_count,
                RCITY_ERR_FORMAT, "the checkpoint has numbers outside their ranges");
    size_t bytes = sizeof(rcity_siting_station);
    RCITY_TRY(get_block(context, store, "now", stations, bytes, search->now->stations));
    RCITY_TRY(get_block(context, store, "best", stations, bytes, search->best->stations));
    RCITY_TRY(get_block(context, store, "baseline", stations, bytes, search->baseline->stations));
    RCITY_TRY(get_block(context, store, "steps", (uint64_t)position->step_count, sizeof *search->steps, search->steps));
    RCITY_TRY(get_block(context, store, "seen", (uint64_t)position->seen_count, sizeof *search->seen, search->seen));
    RCITY_CHECK(context,
                are_possible(task, search->now->stations) && are_possible(task, search->best->stations) &&
                    (!position->has_baseline || are_possible(task, search->baseline->stations)) &&
                    are_known(task, search->seen, position->seen_count),
                RCITY_ERR_FORMAT, "the checkpoint has stations where none may stand");
    return RCITY_OK;
}

rcity_status rcity_siting_checkpoint_load(rcity_siting_search *search, const char *hash, const char *path)
{
    rcity_store *store = NULL;
    RCITY_TRY(rcity_store_open(search->task->context, path, KIND, VERSION, &store));
    rcity_status status = read_blocks(search, hash, store);
    if (status != RCITY_OK) {
        status = rcity_fail_prefix(search->task->context, status, "'%.300s': ", path);
    }
    rcity_store_close(&store);
    return status;
}
