/* Fields of paths by the physics of `images`, and their sums in a fixed order. */
#include "method/beams/field/beams_sums.h"

#include <math.h>
#include <string.h>

#include "radiocity/mechanism.h"
#include "result/rays_data.h"

void rcity_beams_sums_deinit(rcity_beams_sums *sums)
{
    rcity_release(sums->context, sums->weighted);
    rcity_release(sums->context, sums->groups);
    rcity_release(sums->context, sums->items);
    memset(sums, 0, sizeof *sums);
}

/* The mechanism of a path is the event that changes it most. */
static int mechanism_of(const rcity_trace_path *path)
{
    int mechanism = RCITY_MECHANISM_DIRECT;
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind == RCITY_EVENT_DIFFRACTION) {
            return RCITY_MECHANISM_DIFFRACTION;
        }
        mechanism = RCITY_MECHANISM_REFLECTION;
    }
    return mechanism;
}

static rcity_status add_shares(rcity_beams_sums *sums, const rcity_trace_path *path, const rcity_path_course *course,
                               const rcity_beams_item *item)
{
    rcity_group_shares shares = rcity_path_group(sums->world, path);
    double factor = sqrt(item->isotropic / item->power);
    for (int k = 0; k < shares.count; k++) {
        double share = shares.share[k].factor;
        rcity_group_item group = {
            shares.share[k].group,
            sums->item_count,
            {share * item->amplitude.re, share * item->amplitude.im},
            {share * item->cross_amplitude.re, share * item->cross_amplitude.im},
            factor,
            course->departure,
            course->arrival,
        };
        RCITY_TRY(rcity_beams_sums_add_group(sums, &group));
    }
    return RCITY_OK;
}

rcity_status rcity_beams_sums_add_item(rcity_beams_sums *sums, const rcity_beams_item *item, bool is_apart)
{
    RCITY_TRY(rcity_reserve(sums->context, sums->item_count + 1, sizeof *sums->items, &sums->item_capacity,
                            "paths to a place", &sums->items));
    sums->items[sums->item_count++] = *item;
    sums->apart += is_apart ? item->power : 0.0;
    sums->apart_isotropic += is_apart ? item->isotropic : 0.0;
    return RCITY_OK;
}

rcity_status rcity_beams_sums_add_group(rcity_beams_sums *sums, const rcity_group_item *group)
{
    RCITY_TRY(rcity_reserve(sums->context, sums->group_count + 1, sizeof *sums->groups, &sums->group_capacity,
                            "groups of paths", &sums->groups));
    sums->groups[sums->group_count++] = *group;
    return RCITY_OK;
}

rcity_status rcity_beams_sums_add(void *user, const rcity_trace_path *path)
{
    rcity_beams_sums *sums = user;
    rcity_channel channel = rcity_path_channel(sums->world, path);
    rcity_path_course course = rcity_path_measure(path);
    rcity_path_weight weight = rcity_path_weigh(sums->ends, &course, &channel);
    if (!(weight.gain > 0.0)) {
        return RCITY_OK;
    }
    rcity_beams_item item = {weight.amplitude,
                             weight.cross_amplitude,
                             weight.gain,
                             weight.isotropic_gain,
                             course.length_m / RCITY_LIGHT_EXACT_M_PER_S,
                             mechanism_of(path)};
    RCITY_TRY(add_shares(sums, path, &course, &item));
    return rcity_beams_sums_add_item(sums, &item, false);
}

/* The fields of all paths added; with and without the gains of antennas. */
static void add_fields(const rcity_beams_sums *sums, rcity_beams_level *level)
{
    rcity_phasor sum[2] = {{0.0, 0.0}, {0.0, 0.0}};
    rcity_phasor isotropic[2] = {{0.0, 0.0}, {0.0, 0.0}};
    for (size_t i = 0; i < sums->item_count; i++) {
        const rcity_beams_item *item = &sums->items[i];
        double factor = sqrt(item->isotropic / item->power);
        const rcity_phasor port[2] = {item->amplitude, item->cross_amplitude};
        for (int k = 0; k < 2; k++) {
            sum[k].re += port[k].re;
            sum[k].im += port[k].im;
            isotropic[k].re += factor * port[k].re;
            isotropic[k].im += factor * port[k].im;
        }
    }
    for (int k = 0; k < 2; k++) {
        level->gain += sum[k].re * sum[k].re + sum[k].im * sum[k].im;
        level->isotropic_gain += isotropic[k].re * isotropic[k].re + isotropic[k].im * isotropic[k].im;
    }
}

static void add_powers(const rcity_beams_sums *sums, rcity_beams_level *level)
{
    for (size_t i = 0; i < sums->item_count; i++) {
        level->gain += sums->items[i].power;
        level->isotropic_gain += sums->items[i].isotropic;
    }
}

/* Delays and the share of the strongest path, by the powers of all paths. */
static void measure(const rcity_beams_sums *sums, double threshold_db, rcity_beams_level *level)
{
    double total = 0.0;
    double strongest = 0.0;
    double by_mechanism[RCITY_MECHANISM_COUNT] = {0.0};
    for (size_t i = 0; i < sums->item_count; i++) {
        const rcity_beams_item *item = &sums->items[i];
        sums->weighted[i] = (rcity_weighted){item->delay_s, item->power};
        total += item->power;
        strongest = fmax(strongest, item->power);
        by_mechanism[item->mechanism] += item->power;
    }
    double least = strongest * pow(10.0, -0.1 * threshold_db);
    double first_s = HUGE_VAL;
    double last_s = -HUGE_VAL;
    for (size_t i = 0; i < sums->item_count; i++) {
        const rcity_beams_item *item = &sums->items[i];
        first_s = item->power >= least ? fmin(first_s, item->delay_s) : first_s;
        last_s = item->power >= least ? fmax(last_s, item->delay_s) : last_s;
    }
    level->delay_spread_s = rcity_spread_plain(sums->weighted, sums->item_count, &level->mean_delay_s);
    level->excess_delay_s = last_s - first_s;
    level->k_factor_db = sums->item_count > 1 ? 10.0 * log10(strongest / (total - strongest)) : (double)NAN;
    level->mechanism = 0;
    for (int i = 1; i < RCITY_MECHANISM_COUNT; i++) {
        level->mechanism = by_mechanism[i] > by_mechanism[level->mechanism] ? i : level->mechanism;
    }
}

rcity_status rcity_beams_sums_close(rcity_beams_sums *sums, rcity_images_sum sum, double threshold_db,
                                    rcity_beams_level *level)
{
    *level = (rcity_beams_level){0.0,         0.0,         (double)NAN, (double)NAN,
                                 (double)NAN, (double)NAN, -1,          (int64_t)sums->item_count};
    if (sums->item_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(sums->context, sums->item_count, sizeof *sums->weighted, &sums->weighted_capacity,
                            "paths to a place", &sums->weighted));
    measure(sums, threshold_db, level);
    if (sum == RCITY_IMAGES_GROUPED) {
        rcity_group_sum grouped = rcity_groups_add(sums->groups, sums->group_count);
        level->gain = grouped.gain + sums->apart;
        level->isotropic_gain = grouped.isotropic_gain + sums->apart_isotropic;
    } else if (sum == RCITY_IMAGES_POWER) {
        add_powers(sums, level);
    } else {
        add_fields(sums, level);
    }
    sums->item_count = 0;
    sums->group_count = 0;
    sums->apart = sums->apart_isotropic = 0.0;
    return RCITY_OK;
}
