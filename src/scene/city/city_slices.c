/* Blocks without a courtyard: parallel cuts from street to street, and between the cuts one house, or two back
   to back. */
#include "scene/city/city_block.h"
#include "scene/city/city_random.h"

#define CUT_MAX 128

/* Distance of cuts from the corners of the block, and the least distance between cuts. */
#define CORNER_DISTANCE_M  1.25
#define CUT_DISTANCE_MIN_M 4.0
#define CUT_LENGTH_MIN_M   5.0

/* Slices deeper than this hold two houses back to back. */
#define DOUBLE_DEPTH_M 17.0

typedef struct slices {
    const rcity_city_polygon *block;
    rcity_city_point axis; /* the cuts are perpendicular to it */
    int cut_count;
    double cut_m[CUT_MAX]; /* along the axis, rising */
} slices;

/* Move a cut forward until it is clear of the block's corners. */
static double clear_corners(const slices *s, double cut_m)
{
    for (int pass = 0; pass < s->block->count; pass++) {
        bool has_moved = false;
        for (int i = 0; i < s->block->count; i++) {
            double at = rcity_city_point_dot(s->block->corner[i], s->axis);
            if (cut_m > at - CORNER_DISTANCE_M && cut_m < at + CORNER_DISTANCE_M) {
                cut_m = at + CORNER_DISTANCE_M;
                has_moved = true;
            }
        }
        if (!has_moved) {
            break;
        }
    }
    return cut_m;
}

static rcity_city_point crossing(const slices *s, int edge, double cut_m)
{
    rcity_city_point a = s->block->corner[edge];
    rcity_city_point b = rcity_city_polygon_corner(s->block, edge + 1);
    double at_a = rcity_city_point_dot(a, s->axis);
    double at_b = rcity_city_point_dot(b, s->axis);
    return rcity_city_point_move(a, rcity_city_point_subtract(b, a), (cut_m - at_a) / (at_b - at_a));
}

/* Length of a cut, and its middle, where four houses meet. */
static double cut_length(const slices *s, double cut_m, rcity_city_point *middle)
{
    rcity_city_point end[2] = {{0.0, 0.0}, {0.0, 0.0}};
    for (int i = 0; i < s->block->count; i++) {
        double at_a = rcity_city_point_dot(s->block->corner[i], s->axis);
        double at_b = rcity_city_point_dot(rcity_city_polygon_corner(s->block, i + 1), s->axis);
        if ((at_a < cut_m) != (at_b < cut_m)) {
            end[at_a < cut_m] = rcity_city_point_snap(crossing(s, i, cut_m));
        }
    }
    *middle = rcity_city_point_snap(rcity_city_point_at(0.5 * (end[0].x + end[1].x), 0.5 * (end[0].y + end[1].y)));
    return rcity_city_point_distance(end[0], end[1]);
}

static void place_cuts(slices *s, const rcity_city_style *style, uint64_t key)
{
    double low, high;
    rcity_city_polygon_extent(s->block, s->axis, &low, &high);
    double mean = rcity_city_between(key, 0, style->lot_min_m, style->lot_max_m);
    int count = (int)((high - low) / mean + 0.5);
    count = count < 1 ? 1 : count > CUT_MAX ? CUT_MAX : count;
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += rcity_city_between(key, 1 + i, 0.6, 1.4);
    }
    double at = low;
    double last = low;
    s->cut_count = 0;
    for (int i = 0; i + 1 < count; i++) {
        at += (high - low) * rcity_city_between(key, 1 + i, 0.6, 1.4) / sum;
        double cut = clear_corners(s, at);
        rcity_city_point unused;
        if (cut - last >= CUT_DISTANCE_MIN_M && high - cut >= CUT_DISTANCE_MIN_M &&
            cut_length(s, cut, &unused) >= CUT_LENGTH_MIN_M) {
            s->cut_m[s->cut_count++] = cut;
            last = cut;
        }
    }
}

/* The outline of one slice, and where in it the middles of its two cuts are; -1 for none. */
typedef struct slice {
    rcity_city_outline outline;
    int low_middle, high_middle;
} slice;

static void push_crossing(const slices *s, slice *made, int edge, double cut_m, bool is_low, bool is_rising)
{
    rcity_city_point point;
    rcity_city_outline_push(&made->outline, crossing(s, edge, cut_m));
    /* The outline leaves the block's edge here, and runs along the cut past its middle. */
    if (is_low != is_rising && cut_length(s, cut_m, &point) >= DOUBLE_DEPTH_M) {
        *(is_low ? &made->low_middle : &made->high_middle) = made->outline.count;
        rcity_city_outline_push(&made->outline, point);
    }
}

static void make_slice(const slices *s, double low_m, double high_m, slice *made)
{
    made->outline.count = 0;
    made->low_middle = -1;
    made->high_middle = -1;
    for (int i = 0; i < s->block->count; i++) {
        double at_a = rcity_city_point_dot(s->block->corner[i], s->axis);
        double at_b = rcity_city_point_dot(rcity_city_polygon_corner(s->block, i + 1), s->axis);
        if (at_a > low_m && at_a < high_m) {
            rcity_city_outline_push(&made->outline, s->block->corner[i]);
        }
        bool is_rising = at_b > at_a;
        for (int end = 0; end < 2; end++) {
            bool is_low = (end == 0) == is_rising;
            double cut = is_low ? low_m : high_m;
            if ((at_a < cut) != (at_b < cut)) {
                push_crossing(s, made, i, cut, is_low, is_rising);
            }
        }
    }
}

static rcity_status build_outline(const rcity_city_style *style, const rcity_city_outline *outline, uint64_t key,
                                  rcity_city_place place)
{
    rcity_city_house house = {.key = key, .place = place, .outline = outline};
    return style->build(style->maker, &house);
}

/* The part of a slice from behind one middle to the other. */
static rcity_city_outline half_slice(const slice *whole, int from, int to)
{
    rcity_city_outline half;
    half.count = 0;
    for (int i = from; i != to; i = (i + 1) % whole->outline.count) {
        rcity_city_outline_push(&half, whole->outline.point[i]);
    }
    rcity_city_outline_push(&half, whole->outline.point[to]);
    return half;
}

rcity_status rcity_city_slices_build(const rcity_city_polygon *block, const rcity_city_style *style, uint64_t key)
{
    slices s = {.block = block};
    s.axis = rcity_city_polygon_direction(block, rcity_city_polygon_longest_edge(block));
    place_cuts(&s, style, key);
    for (int k = 0; k <= s.cut_count; k++) {
        slice made;
        uint64_t slice_key = rcity_city_key(key, 1000 + k);
        make_slice(&s, k > 0 ? s.cut_m[k - 1] : -HUGE_VAL, k < s.cut_count ? s.cut_m[k] : HUGE_VAL, &made);
        bool is_end = k == 0 || k == s.cut_count;
        if (!is_end && made.low_middle >= 0 && made.high_middle >= 0) {
            rcity_city_outline lower = half_slice(&made, made.low_middle, made.high_middle);
            rcity_city_outline upper = half_slice(&made, made.high_middle, made.low_middle);
            RCITY_TRY(build_outline(style, &lower, rcity_city_key(slice_key, 0), RCITY_CITY_PLACE_STREET));
            RCITY_TRY(build_outline(style, &upper, rcity_city_key(slice_key, 1), RCITY_CITY_PLACE_STREET));
        } else if (is_end || !rcity_city_chance(slice_key, 0, style->vacant_chance)) {
            RCITY_TRY(build_outline(style, &made.outline, slice_key,
                                    is_end ? RCITY_CITY_PLACE_CORNER : RCITY_CITY_PLACE_STREET));
        }
    }
    return RCITY_OK;
}
