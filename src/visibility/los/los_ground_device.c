#include "visibility/los/los_ground_device.h"

#include <string.h>

#include "base/parallel.h"
#include "visibility/terrain/ground_fan.h"

static int64_t pixel_count(const rcity_los_ground *ground)
{
    return (int64_t)ground->batch->plane->column_count * ground->batch->plane->row_count;
}

rcity_status rcity_los_ground_open(const rcity_los_batch *batch, rcity_los_ground *ground)
{
    rcity_device_info info;
    rcity_device_describe(batch->device, &info);
    memset(ground, 0, sizeof *ground);
    ground->batch = batch;
    ground->is_used = batch->plane->ground_y != NULL && strcmp(info.kind, "gpu") != 0;
    int64_t room = ground->is_used ? RCITY_LOS_GROUND_MAX_BYTES / pixel_count(ground) : INT64_MAX;
    ground->room = room > 1 ? room : 1;
    return rcity_resident_create_empty(batch->context, batch->device, 1, sizeof(uint8_t), "what the ground hides",
                                       &ground->seen_dev);
}

void rcity_los_ground_close(rcity_los_ground *ground)
{
    rcity_resident_destroy(&ground->seen_dev);
    if (ground->batch != NULL) {
        rcity_release(ground->batch->context, ground->seen);
    }
    memset(ground, 0, sizeof *ground);
}

static rcity_ground_targets targets_of(const rcity_los_plane *plane)
{
    return (rcity_ground_targets){plane->column_count, plane->row_count, plane->x, plane->ground_y, plane->z, 0, true};
}

void rcity_los_ground_choose(const rcity_los_ground *ground, rcity_los_item *views, int64_t count)
{
    for (int64_t i = 0; ground->is_used && i < count; i++) {
        const rcity_los_plane *plane = ground->batch->plane;
        const rcity_ground_targets targets = targets_of(plane);
        rcity_ground_job job;
        bool is_served = rcity_ground_job_make(&plane->ground, (rcity_grid_point3){views[i].x, views[i].y, views[i].z},
                                               &targets, &job);
        views[i].mode = is_served ? RCITY_LOS_GROUND : RCITY_LOS_PLAIN;
    }
}

typedef struct look_work {
    const rcity_los_ground *ground;
    const rcity_los_item *views;
} look_work;

/* An rcity_parallel_function. */
static void look_from_views(void *user, int64_t begin, int64_t end, int thread_index)
{
    const look_work *work = user;
    const rcity_los_plane *plane = work->ground->batch->plane;
    const rcity_ground_targets targets = targets_of(plane);
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_los_item *view = &work->views[i];
        if (view->mode == RCITY_LOS_GROUND) {
            (void)rcity_ground_sight_bound(&plane->ground, (rcity_grid_point3){view->x, view->y, view->z}, &targets,
                                           work->ground->seen + i * pixel_count(work->ground));
        }
    }
}

rcity_status rcity_los_ground_look(rcity_los_ground *ground, const rcity_los_item *views, int64_t count)
{
    rcity_context *context = ground->batch->context;
    rcity_device *device = ground->batch->device;
    int64_t bytes = count * pixel_count(ground);
    if (!ground->is_used || count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_device_finish_copies(context, device)); /* the last answers are on their way until then */
    RCITY_TRY(rcity_reserve(context, (size_t)bytes, sizeof *ground->seen, &ground->capacity, "what the ground hides",
                            &ground->seen));
    look_work work = {ground, views};
    rcity_parallel(context, count, 1, look_from_views, &work);
    RCITY_TRY(
        rcity_resident_reserve(context, device, bytes, sizeof(uint8_t), "what the ground hides", &ground->seen_dev));
    return rcity_resident_write(context, ground->seen_dev, 0, bytes, ground->seen);
}
