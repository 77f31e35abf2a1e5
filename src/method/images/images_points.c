/* Levels at points: loss, power and mechanism of the paths that were found. */
#include "method/images/images_points.h"

#include <math.h>
#include <string.h>

#include "method/images/images_receivers.h"
#include "method/path_receivers.h"
#include "radiocity/mechanism.h"

rcity_images_sum rcity_images_read_sum(const char *word)
{
    return strcmp(word, "grouped") == 0 ? RCITY_IMAGES_GROUPED
           : strcmp(word, "power") == 0 ? RCITY_IMAGES_POWER
                                        : RCITY_IMAGES_COHERENT;
}

float rcity_images_value(double value)
{
    return isfinite(value) ? (float)value : NAN;
}

double rcity_images_loss_db(rcity_images_sum sum, const rcity_receiver_summary *summary)
{
    return sum == RCITY_IMAGES_GROUPED    ? summary->grouped_loss_db
           : sum == RCITY_IMAGES_COHERENT ? summary->coherent_loss_db
                                          : summary->loss_db;
}

double rcity_images_received_dbm(rcity_images_sum sum, const rcity_receiver_summary *summary)
{
    double gain_db = sum == RCITY_IMAGES_GROUPED    ? summary->grouped_gain_db
                     : sum == RCITY_IMAGES_COHERENT ? summary->coherent_gain_db
                                                    : summary->gain_db;
    return summary->received_dbm + (gain_db - summary->gain_db);
}

/* The mechanism of a path is the event that changes it most: later ones in this list outrank earlier ones. */
enum { DIRECT, REFLECTED, DIFFRACTED, OVER_ROOFS, TRANSMITTED, RANK_COUNT };

static const rcity_mechanism mechanisms[RANK_COUNT] = {
    [DIRECT] = RCITY_MECHANISM_DIRECT,          [REFLECTED] = RCITY_MECHANISM_REFLECTION,
    [DIFFRACTED] = RCITY_MECHANISM_DIFFRACTION, [OVER_ROOFS] = RCITY_MECHANISM_ROOF,
    [TRANSMITTED] = RCITY_MECHANISM_WALLS,
};

static rcity_status find_mechanism(const rcity_rays *rays, const rcity_receiver_summary *summary, float *mechanism)
{
    static const int by_kind[] = {
        [RCITY_EVENT_REFLECTION] = REFLECTED,
        [RCITY_EVENT_DIFFRACTION] = DIFFRACTED,
        [RCITY_EVENT_TRANSMISSION] = TRANSMITTED,
        [RCITY_EVENT_OVER_ROOFS] = OVER_ROOFS,
    };
    rcity_path path;
    int found = DIRECT;
    *mechanism = NAN;
    if (summary->path_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_rays_get_path(rays, summary->path_first, &path));
    for (int i = 0; i < path.event_count; i++) {
        int kind = by_kind[path.events[i].kind];
        found = kind > found ? kind : found;
    }
    *mechanism = (float)mechanisms[found];
    return RCITY_OK;
}

rcity_status rcity_images_fill_points(const rcity_job *job, const rcity_images_asked *asked,
                                      const rcity_images_traced *traced, const rcity_tx *tx, rcity_images_sum sum,
                                      const rcity_point_levels *levels)
{
    rcity_rays *rays = NULL;
    rcity_status status;
    RCITY_TRY(rcity_path_receivers_open_points(job, tx, &rays));
    RCITY_TRY_DONE(rcity_images_report_materials(job, tx, rcity_rays_notes(rays)));
    RCITY_TRY_DONE(rcity_images_report_near(job, tx, rcity_rays_count_state(rays, RCITY_RECEIVER_NEAR_FIELD),
                                            rcity_rays_receiver_count(rays), NULL));
    RCITY_TRY_DONE(rcity_images_find(job, asked, traced, tx, 0, rays));
    RCITY_TRY_DONE(rcity_rays_finish(rays));
    for (int64_t i = 0; i < rcity_rays_receiver_count(rays); i++) {
        rcity_receiver_summary summary;
        RCITY_TRY_DONE(rcity_rays_get_receiver(rays, i, &summary));
        levels->loss_db[i] = rcity_images_value(rcity_images_loss_db(sum, &summary));
        if (levels->received_dbm != NULL) {
            levels->received_dbm[i] = rcity_images_value(rcity_images_received_dbm(sum, &summary));
        }
        if (levels->mechanism != NULL) {
            RCITY_TRY_DONE(find_mechanism(rays, &summary, &levels->mechanism[i]));
        }
    }
done:
    rcity_rays_destroy(&rays);
    return status;
}
