/* Receivers that paths are searched for: where they stand, and which of them cannot have paths. */
#include "method/path_receivers.h"

#include <math.h>

#include "method/link_ends.h"
#include "method/receiver_plane.h"

/* Nearer than a wavelength there is no far field, and 1 / r does not hold. */
static bool is_in_near_field(const rcity_tx *tx, const rcity_point *position)
{
    const rcity_point *from = &tx->position;
    double wavelength_m = RCITY_LIGHT_EXACT_M_PER_S / tx->stated.frequency_hz;
    double plan_m = hypot(position->x_m - from->x_m, position->y_m - from->y_m);
    return hypot(plan_m, position->z_m - from->z_m) < wavelength_m;
}

rcity_status rcity_path_receivers_create(const rcity_job *job, const rcity_tx *tx, int64_t count,
                                         const rcity_point *positions, rcity_receiver_state *states,
                                         double progress_first, double progress_total, rcity_rays **rays)
{
    for (int64_t i = 0; i < count; i++) {
        if (states[i] == RCITY_RECEIVER_NO_PATH && is_in_near_field(tx, &positions[i])) {
            states[i] = RCITY_RECEIVER_NEAR_FIELD;
        }
    }
    rcity_rays_setup setup = {.transmitter = tx->position,
                              .frequency_hz = tx->stated.frequency_hz,
                              .input_dbm = rcity_link_input_dbm(tx),
                              .crs = rcity_scene_crs(job->scene),
                              .receiver_count = count,
                              .positions = positions,
                              .states = states,
                              .progress_first = progress_first,
                              .progress_total = progress_total};
    return rcity_rays_create(job->context, &setup, rays);
}

rcity_status rcity_path_receivers_open_points(const rcity_job *job, const rcity_tx *tx, rcity_rays **rays)
{
    size_t count = (size_t)job->receivers->point_count;
    rcity_point *positions = NULL;
    rcity_receiver_state *states = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *positions, "receivers", &positions));
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *states, "receivers", &states));
    RCITY_TRY_DONE(rcity_receiver_points_locate(job, positions, states));
    status = rcity_path_receivers_create(job, tx, job->receivers->point_count, positions, states, 0.0, 0.0, rays);
done:
    rcity_release(job->context, states);
    rcity_release(job->context, positions);
    return status;
}

/* One line for all receivers in a state; the first of them is named. */
static void warn_of_state(const rcity_rays *rays, rcity_receiver_state state, int64_t count, const char *words,
                          const char *advice)
{
    int64_t first = 0;
    rcity_receiver_summary summary = {.state = RCITY_RECEIVER_NO_PATH};
    while (rcity_rays_get_receiver(rays, first, &summary) == RCITY_OK && summary.state != state) {
        first++;
    }
    char share[96];
    rcity_log(rcity_rays_context(rays), RCITY_LOG_WARNING,
              "%s %s (%snumber %lld at (%.2f, %.2f)): no paths are looked for; %s",
              rcity_format_share(count, rcity_rays_receiver_count(rays), "receiver", "is", "are", share), words,
              count == 1 ? "" : "the first is ", (long long)first + 1, summary.position.x_m, summary.position.y_m,
              advice);
}

rcity_status rcity_path_receivers_report(rcity_rays *rays)
{
    static const struct {
        rcity_receiver_state state;
        const char *key, *words, *advice;
    } reasons[] = {
        {RCITY_RECEIVER_IN_BUILDING, "receivers_in_building", "inside a building, below its roof",
         "move receivers outdoors or onto the roof"},
        {RCITY_RECEIVER_OUTSIDE, "receivers_off_terrain", "off the terrain", "leave such receivers out"},
        {RCITY_RECEIVER_NEAR_FIELD, "receivers_at_transmitter",
         "in the near field, nearer to the transmitter than a wavelength", "move such receivers away"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        int64_t count = rcity_rays_count_state(rays, reasons[i].state);
        if (count > 0) {
            warn_of_state(rays, reasons[i].state, count, reasons[i].words, reasons[i].advice);
            RCITY_TRY(rcity_notes_add(rcity_rays_notes(rays), reasons[i].key, "%lld", (long long)count));
        }
    }
    return RCITY_OK;
}
