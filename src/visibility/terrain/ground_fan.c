#include "visibility/terrain/ground_fan.h"

#include "kernel/visibility/ground/ground_ray.h"
#include "kernel/visibility/ground/ground_target.h"

#define BINS RCITY_GROUND_FAN_BINS

/* A fan: rays between bins, and for each bin the horizon of what is nearer than the present ring. */
typedef struct ground_fan {
    const rcity_ground_field *field;
    rcity_ground_octant octant;
    float left_away, left_aside; /* cells */
    int32_t bin_begin, bin_count;
    int is_steep;
    rcity_ground_ray ray[BINS + 1];
    float slope[BINS + 1], slope_part[BINS + 1], diagonal_part[BINS + 1];
    float blur[BINS + 1], error[BINS + 1], fall[BINS + 1];
    float crossed[BINS + 1];                          /* highest slope on each ray: an upper bound */
    float ring_above[BINS + 1], ring_below[BINS + 1]; /* bounds of the present ring's slope on each ray */
    float nodes[BINS];                                /* highest slope of nodes within each bin: an upper bound */
    float surely[BINS];                               /* no direction of the bin has a lower horizon */
    float present[BINS];                              /* the same of the present ring */
} ground_fan;

static void fan_init(const rcity_ground_field *field, int octant, int32_t number, ground_fan *fan)
{
    const rcity_ground_job *job = field->job;
    fan->field = field;
    fan->octant = rcity_ground_octant_make(job, octant);
    fan->left_away = (float)fan->octant.left_away / (float)job->cell;
    fan->left_aside = (float)fan->octant.left_aside / (float)job->cell;
    fan->bin_begin = number * BINS;
    fan->bin_count = job->bin_count - fan->bin_begin < BINS ? job->bin_count - fan->bin_begin : BINS;
    fan->is_steep = fan->octant.is_along && 2 * fan->bin_begin >= job->bin_count;
    float width = 1.0f / (float)job->bin_count;
    for (int32_t i = 0; i <= BINS; i++) {
        int32_t border = fan->bin_begin + (i < fan->bin_count ? i : fan->bin_count);
        rcity_ground_ray ray =
            rcity_ground_ray_make(job, &fan->octant, (float)border * width, (float)(job->bin_count - border) * width);
        fan->slope[i] = ray.slope;
        fan->slope_part[i] = ray.slope_part;
        fan->diagonal_part[i] = ray.diagonal_part;
        fan->blur[i] = ray.blur;
        fan->error[i] = ray.error;
        fan->fall[i] = ray.fall;
        fan->crossed[i] = RCITY_GROUND_NOTHING;
    }
    for (int32_t i = 0; i < BINS; i++) {
        fan->nodes[i] = fan->surely[i] = RCITY_GROUND_NOTHING;
    }
}

/* All rays to one ring. The flags are constants. */
RCITY_KERNEL_WITHIN void step_rays(ground_fan *fan, const int32_t *near, int32_t ring, float away, int is_along,
                                   int is_steep)
{
    const rcity_ground_octant octant = fan->octant;
    int32_t z = fan->field->job->z;
    float part = 1.0f / away;
    for (int32_t i = 0; i <= BINS; i++) {
        rcity_ground_ray ray = {fan->slope[i], fan->slope_part[i], fan->diagonal_part[i],
                                fan->blur[i],  fan->error[i],      fan->fall[i]};
        rcity_ground_place at =
            rcity_ground_ray_place(ray.slope, fan->left_away, fan->left_aside, ring, away, is_steep);
        rcity_ground_step step = rcity_ground_ray_step(near, z, &octant, ray, at, is_along, is_steep);
        float between = rcity_ground_slope_between(step, ray, away, is_along);
        fan->crossed[i] = between > fan->crossed[i] ? between : fan->crossed[i];
        float drop = ray.fall * away;
        fan->ring_above[i] = (step.ring + ray.error) * part - drop;
        fan->ring_below[i] = (step.ring - ray.error) * part - drop;
    }
}

RCITY_WIDE static void step_along(ground_fan *fan, const int32_t *near, int32_t ring, float away)
{
    step_rays(fan, near, ring, away, 1, 0);
}

RCITY_WIDE static void step_steep(ground_fan *fan, const int32_t *near, int32_t ring, float away)
{
    step_rays(fan, near, ring, away, 1, 1);
}

RCITY_WIDE static void step_across(ground_fan *fan, const int32_t *near, int32_t ring, float away)
{
    step_rays(fan, near, ring, away, 0, 0);
}

static void fan_step(ground_fan *fan, int32_t ring, float away)
{
    const int32_t *near = rcity_ground_ring(fan->field->nodes, &fan->octant, ring - 1);
    if (!fan->octant.is_along) {
        step_across(fan, near, ring, away);
    } else if (fan->is_steep) {
        step_steep(fan, near, ring, away);
    } else {
        step_along(fan, near, ring, away);
    }
}

/* The bins that a direction may lie in, by single precision: one, or two neighbours. */
static inline void bins_of(const ground_fan *fan, float direction, int32_t *low, int32_t *high)
{
    float at = direction - (float)fan->bin_begin;
    float reach = 1.0f / 256.0f;
    int32_t begin = (int32_t)(at - reach > 0.0f ? at - reach : 0.0f);
    int32_t end = (int32_t)(at + reach);
    *low = begin < fan->bin_count ? begin : fan->bin_count - 1;
    *high = end < fan->bin_count ? end : fan->bin_count - 1;
}

/* The ring's nodes within the fan, and one more on either side, enter the bounds of their bins. */
static void fan_take_nodes(ground_fan *fan, int32_t ring, float away)
{
    const rcity_ground_job *job = fan->field->job;
    const int32_t *nodes = rcity_ground_ring(fan->field->nodes, &fan->octant, ring);
    float scale = (float)job->bin_count / away;
    float part = 1.0f / away;
    int32_t begin = (int32_t)(fan->left_aside + fan->slope[0] * away) - 1;
    int32_t end = (int32_t)(fan->left_aside + fan->slope[fan->bin_count] * away) + 2;
    begin = begin > 0 ? begin : 0;
    end = end < fan->octant.side_count + 1 ? end : fan->octant.side_count + 1;
    for (int32_t aside = begin; aside < end; aside++) {
        float from = (float)aside - fan->left_aside;
        float direction = from * scale;
        float at = direction - (float)fan->bin_begin;
        if (at < -1.0f / 256.0f || at > (float)fan->bin_count + 1.0f / 256.0f) {
            continue;
        }
        float height = (float)(nodes[aside * fan->octant.step_aside] - job->z);
        float tilt = from * part;
        float drop = job->fall * (1.0f + tilt * tilt) * away;
        float error = job->reach * (1.0f / 262144.0f) + 4.0f * job->fall;
        float above = (height + error) * part - drop;
        float below = (height - error) * part - drop;
        int32_t low, high;
        bins_of(fan, direction, &low, &high);
        for (int32_t bin = low; bin <= high; bin++) {
            fan->nodes[bin] = above > fan->nodes[bin] ? above : fan->nodes[bin];
            fan->present[bin] = below < fan->present[bin] ? below : fan->present[bin];
        }
    }
}

/* The ring enters the bounds. */
RCITY_WIDE static void fan_take_rays(ground_fan *fan)
{
    for (int32_t i = 0; i <= BINS; i++) {
        fan->crossed[i] = fan->ring_above[i] > fan->crossed[i] ? fan->ring_above[i] : fan->crossed[i];
    }
}

RCITY_WIDE static void fan_open_ring(ground_fan *fan)
{
    for (int32_t i = 0; i < BINS; i++) {
        float a = fan->ring_below[i];
        float b = fan->ring_below[i + 1];
        fan->present[i] = a < b ? a : b;
    }
}

RCITY_WIDE static void fan_close_ring(ground_fan *fan)
{
    for (int32_t i = 0; i < BINS; i++) {
        fan->surely[i] = fan->present[i] > fan->surely[i] ? fan->present[i] : fan->surely[i];
    }
}

/* Bounds of the horizon in a direction. */
typedef struct horizon_bounds {
    float below, above;
} horizon_bounds;

static inline horizon_bounds bounds_of(const ground_fan *fan, float direction)
{
    int32_t low, high;
    bins_of(fan, direction, &low, &high);
    horizon_bounds bounds;
    bounds.below = fan->surely[low] < fan->surely[high] ? fan->surely[low] : fan->surely[high];
    bounds.above = fan->nodes[low] > fan->nodes[high] ? fan->nodes[low] : fan->nodes[high];
    for (int32_t i = low; i <= high + 1; i++) {
        bounds.above = fan->crossed[i] > bounds.above ? fan->crossed[i] : bounds.above;
    }
    return bounds;
}

static inline uint8_t judge(horizon_bounds bounds, float slope, float error)
{
    if (slope + error < bounds.below) {
        return RCITY_GROUND_HIDDEN;
    }
    return slope - error >= bounds.above ? RCITY_GROUND_VISIBLE : RCITY_GROUND_UNDECIDED;
}

/* How high over the ground something must be to be seen, where a slope of 1 is `scale` height units and the ground has
   the slope `ground`, and the earth itself may rise by `bulge` height units where nothing is crossed. */
static void note_needed(const rcity_ground_field *field, int32_t target, horizon_bounds bounds, float ground,
                        float scale, float bulge)
{
    float low = (bounds.below - ground) * scale;
    float high = (bounds.above - ground) * scale;
    low = low > 0.0f ? low : 0.0f;
    high = (high > 0.0f ? high : 0.0f) + bulge;
    field->needed_m[target] = 0.5f * (low + high) / (float)RCITY_HEIGHT_UNITS_PER_M;
    field->error_m[target] = 0.5f * (high - low) / (float)RCITY_HEIGHT_UNITS_PER_M;
}

/* The targets on one line along the ring, `away` plan units from the source. */
static void judge_line(const ground_fan *fan, int32_t ring, int32_t line, int32_t away)
{
    const rcity_ground_field *field = fan->field;
    const rcity_ground_job *job = field->job;
    int is_swapped = fan->octant.is_swapped;
    int32_t last = fan->bin_begin + fan->bin_count;
    int64_t begin = ((int64_t)fan->bin_begin * away + job->bin_count - 1) / job->bin_count;
    int64_t end = last == job->bin_count ? (int64_t)away + !is_swapped
                                         : ((int64_t)last * away + job->bin_count - 1) / job->bin_count;
    const int32_t *coordinates = is_swapped ? field->x : field->y;
    int32_t count = is_swapped ? job->target_columns : job->target_rows;
    int32_t origin = is_swapped ? job->x : job->y;
    rcity_ground_range range = rcity_ground_range_of(coordinates, count, origin, fan->octant.sign_aside, begin, end);
    float part = (float)job->cell / (float)away;
    float scale = (float)job->bin_count / (float)away;
    for (int32_t i = range.first; i < range.last; i++) {
        int32_t column = is_swapped ? i : line;
        int32_t row = is_swapped ? line : i;
        int32_t target = rcity_ground_target_index(job, column, row);
        int32_t x = field->x[column];
        int32_t y = field->y[row];
        if (!rcity_ground_contains(job, x, y)) {
            continue;
        }
        int32_t aside = fan->octant.sign_aside * (coordinates[i] - origin);
        int32_t ground = rcity_ground_height_at(job, &fan->octant, field->nodes, ring, away, aside, x, y);
        float tilt = (float)aside / (float)away;
        float drop = job->fall * (1.0f + tilt * tilt) / part;
        horizon_bounds bounds = bounds_of(fan, (float)aside * scale);
        if (field->needed_m != NULL) {
            /* two cells away and aside at most */
            float bulge = rcity_ground_is_too_near(job, away) ? 8.0f * job->fall : 0.0f;
            note_needed(field, target, bounds, (float)(ground - job->z) * part - drop, 1.0f / part, bulge);
            continue;
        }
        int32_t rise = rcity_ground_target_rise(job, field->z, ground, target);
        float slope = (float)rise * part - drop;
        float error = (job->reach + rcity_fabs((float)rise)) * (1.0f / 262144.0f) * part;
        uint8_t answer = judge(bounds, slope, error);
        answer = rcity_ground_is_too_near(job, away) ? RCITY_GROUND_UNDECIDED : answer;
        field->seen[target] = rise == RCITY_GROUND_LEAST ? RCITY_GROUND_HIDDEN : answer;
    }
}

/* Targets whose distance away is in [begin, end), plan units. */
static void judge_lines(const ground_fan *fan, int32_t ring, int64_t begin, int64_t end)
{
    const rcity_ground_field *field = fan->field;
    const rcity_ground_job *job = field->job;
    int is_swapped = fan->octant.is_swapped;
    const int32_t *coordinates = is_swapped ? field->y : field->x;
    int32_t count = is_swapped ? job->target_rows : job->target_columns;
    int32_t origin = is_swapped ? job->y : job->x;
    rcity_ground_range range = rcity_ground_range_of(coordinates, count, origin, fan->octant.sign_away, begin, end);
    for (int32_t i = range.first; i < range.last; i++) {
        judge_line(fan, ring, i, fan->octant.sign_away * (coordinates[i] - origin));
    }
}

void rcity_ground_fan_sweep(const rcity_ground_field *field, int octant, int32_t number)
{
    ground_fan fan;
    fan_init(field, octant, number, &fan);
    int64_t cell = field->job->cell;
    for (int32_t ring = 1; ring <= fan.octant.ring_count; ring++) {
        int64_t units = ring * cell - fan.octant.left_away;
        if (units == 0) {
            continue;
        }
        float away = (float)units / (float)cell;
        float nearer = away - 1.0f > 0.0f ? away - 1.0f : 0.0f;
        if (fan.left_aside + fan.slope[0] * nearer > (float)fan.octant.side_count + 0.5f) {
            break;
        }
        fan_step(&fan, ring, away);
        judge_lines(&fan, ring, units, units + 1);
        fan_open_ring(&fan);
        fan_take_nodes(&fan, ring, away);
        judge_lines(&fan, ring, units - cell + 1 > 1 ? units - cell + 1 : 1, units);
        fan_take_rays(&fan);
        fan_close_ring(&fan);
    }
}
