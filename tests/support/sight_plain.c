/* Plain measures of a line. Buildings: exact stretches by rcity_side_cover(), sorted, looked at one by one in the
   direction given. Nothing is shared with the walk. */
#include "sight_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/place/terrain.h"
#include "scene/shape/prism.h"
#include "scene/shape/side_cover.h"

#define SAMPLE_COUNT 3000

/* A stretch with a prism along one side. */
typedef struct plain_span {
    rcity_span span;
    int32_t roof;
    rcity_side side;
} plain_span;

typedef struct plain_spans {
    plain_span *span;
    size_t count, capacity;
} plain_spans;

static int compare_ratios(const void *left, const void *right)
{
    return rcity_ratio_compare(*(const rcity_ratio *)left, *(const rcity_ratio *)right);
}

static void add_span(plain_spans *spans, rcity_span span, int32_t roof, rcity_side side)
{
    if (spans->count == spans->capacity) {
        spans->capacity = 2 * spans->capacity + 64;
        spans->span = realloc(spans->span, spans->capacity * sizeof *spans->span);
    }
    spans->span[spans->count++] = (plain_span){span, roof, side};
}

static plain_spans find_spans(const rcity_shapes *shapes, rcity_grid_point a, rcity_grid_point b)
{
    plain_spans spans = {NULL, 0, 0};
    rcity_span *found = malloc((size_t)(rcity_shapes_largest_edge_count(shapes) / 2 + 1) * sizeof *found);
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        for (int side = 0; side < 2; side++) {
            bool touches = false;
            int count = rcity_side_cover(shapes, &shapes->prisms[i], a, b, (rcity_side)side, found, &touches);
            for (int k = 0; k < count; k++) {
                add_span(&spans, found[k], shapes->prisms[i].roof, (rcity_side)side);
            }
        }
    }
    free(found);
    return spans;
}

/* The lower of the highest roofs on both sides between two places. */
static int32_t roof_between(const plain_spans *spans, rcity_ratio begin, rcity_ratio end)
{
    int32_t roof[2] = {INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < spans->count; i++) {
        const plain_span *span = &spans->span[i];
        if (rcity_ratio_compare(span->span.begin, begin) <= 0 && rcity_ratio_compare(span->span.end, end) >= 0 &&
            span->roof > roof[span->side]) {
            roof[span->side] = span->roof;
        }
    }
    return roof[0] < roof[1] ? roof[0] : roof[1];
}

/* Negative, zero or positive as the line at a place is below, at or above a height. */
static int compare_height(rcity_grid_point3 from, rcity_grid_point3 to, rcity_ratio at, int32_t height)
{
    rcity_i128 above = (rcity_i128)((int64_t)from.z - height) * at.den + (rcity_i128)((int64_t)to.z - from.z) * at.num;
    return (above > 0) - (above < 0);
}

/* One stretch under one roof. */
static void tally_stretch(rcity_grid_point3 from, rcity_grid_point3 to, rcity_ratio begin, rcity_ratio end,
                          int32_t roof, sight_plain *plain)
{
    int at_begin = compare_height(from, to, begin, roof);
    int at_end = compare_height(from, to, end, roof);
    if (at_begin >= 0 && at_end >= 0) {
        return;
    }
    double low = rcity_ratio_value(begin);
    double high = rcity_ratio_value(end);
    double pierced = to.z != from.z ? ((double)roof - from.z) / ((double)to.z - from.z) : 0.0;
    int kind = at_begin >= 0 ? RCITY_SIGHT_HIT_ROOF : begin.num == 0 ? RCITY_SIGHT_HIT_INSIDE : RCITY_SIGHT_HIT_WALL;
    low = at_begin >= 0 ? fmax(low, pierced) : low;
    high = at_end >= 0 ? fmin(high, pierced) : high;
    plain->in_buildings += high - low;
    if (plain->building_kind == RCITY_SIGHT_HIT_NONE) {
        plain->building_kind = kind;
        plain->building_hit = low;
    }
}

static void tally_buildings(const rcity_shapes *shapes, rcity_grid_point3 from, rcity_grid_point3 to,
                            sight_plain *plain)
{
    rcity_grid_point a = {from.x, from.y};
    rcity_grid_point b = {to.x, to.y};
    plain_spans spans = find_spans(shapes, a, b);
    rcity_ratio *places = malloc((2 * spans.count + 2) * sizeof *places);
    size_t count = 0;
    places[count++] = (rcity_ratio){0, 1};
    places[count++] = (rcity_ratio){1, 1};
    for (size_t i = 0; i < spans.count; i++) {
        places[count++] = spans.span[i].span.begin;
        places[count++] = spans.span[i].span.end;
    }
    qsort(places, count, sizeof *places, compare_ratios);
    int32_t before = INT32_MIN;
    for (size_t i = 0; i + 1 < count; i++) {
        if (rcity_ratio_compare(places[i], places[i + 1]) == 0) {
            continue;
        }
        int32_t roof = roof_between(&spans, places[i], places[i + 1]);
        if (places[i].num > 0) {
            plain->wall_count +=
                (compare_height(from, to, places[i], before) < 0) != (compare_height(from, to, places[i], roof) < 0);
        }
        tally_stretch(from, to, places[i], places[i + 1], roof, plain);
        before = roof;
    }
    free(places);
    free(spans.span);
}

/* A vertical line: only what strictly contains it counts. */
static void tally_vertical(const rcity_shapes *shapes, rcity_grid_point3 from, rcity_grid_point3 to, sight_plain *plain)
{
    rcity_grid_point at = {from.x, from.y};
    int32_t roof = INT32_MIN;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        if (rcity_prism_locate(shapes, prism, at) == RCITY_PLACE_INSIDE && prism->roof > roof) {
            roof = prism->roof;
        }
    }
    tally_stretch(from, to, (rcity_ratio){0, 1}, (rcity_ratio){1, 1}, roof, plain);
}

/* Height of the line over the ground at a fraction; a large one where there is none. */
static double height_at(const rcity_terrain_grid *terrain, rcity_grid_point3 from, rcity_grid_point3 to, double t)
{
    double z = from.z + t * ((double)to.z - from.z);
    if (terrain->column_count == 0) {
        return z;
    }
    double x = (from.x + t * ((double)to.x - from.x) - terrain->west) / terrain->cell;
    double y = (from.y + t * ((double)to.y - from.y) - terrain->south) / terrain->cell;
    if (x < -1e-9 || y < -1e-9 || x > terrain->column_count - 1 + 1e-9 || y > terrain->row_count - 1 + 1e-9) {
        return 1e9;
    }
    int column = (int)fmin(fmax(floor(x), 0.0), terrain->column_count - 2);
    int row = (int)fmin(fmax(floor(y), 0.0), terrain->row_count - 2);
    const int32_t *south = terrain->height + (int64_t)row * terrain->column_count + column;
    const int32_t *north = south + terrain->column_count;
    x -= column;
    y -= row;
    double ground = x >= y ? south[0] + (south[1] - south[0]) * x + (north[1] - south[1]) * y
                           : south[0] + (north[0] - south[0]) * y + (north[1] - north[0]) * x;
    return z - ground;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The first place below the ground: between two crossings with rows, columns or diagonals the height changes evenly. */
static double find_ground(const rcity_terrain_grid *terrain, rcity_grid_point3 from, rcity_grid_point3 to)
{
    const double start[3] = {from.x - terrain->west, from.y - terrain->south,
                             (double)from.x - terrain->west - ((double)from.y - terrain->south)};
    const double step[3] = {(double)to.x - from.x, (double)to.y - from.y,
                            (double)to.x - from.x - ((double)to.y - from.y)};
    size_t room = 3 * (size_t)(terrain->column_count + 2 * terrain->row_count + 1) + 2;
    double *at = malloc(room * sizeof *at);
    size_t count = 0;
    at[count++] = 0.0;
    at[count++] = 1.0;
    for (int family = 0; family < 3; family++) {
        for (int line = -terrain->row_count; line <= terrain->column_count + terrain->row_count && step[family] != 0.0;
             line++) {
            double t = ((double)line * terrain->cell - start[family]) / step[family];
            if (t > 0.0 && t < 1.0) {
                at[count++] = t;
            }
        }
    }
    qsort(at, count, sizeof *at, compare_doubles);
    double hit = 2.0;
    double lowest_at = 0.0;
    double lowest = HUGE_VAL;
    for (size_t i = 0; i < count && hit > 1.0; i++) {
        double height = height_at(terrain, from, to, at[i]);
        double before = i > 0 ? height_at(terrain, from, to, at[i - 1]) : 1e9;
        if (height < lowest) {
            lowest = height;
            lowest_at = at[i];
        }
        if (height < -1e-7) {
            hit = before >= 0.0 && before < 1e8 ? at[i - 1] + (at[i] - at[i - 1]) * before / (before - height) : at[i];
        }
    }
    free(at);
    return hit > 1.0 ? lowest_at : hit;
}

/* Does vegetation own a place between grid points? */
static bool owns(const rcity_shapes *shapes, const rcity_vegetation_record *record, double x, double y)
{
    rcity_grid_point at = {(int32_t)floor(1024.0 * x), (int32_t)floor(1024.0 * y)};
    bool is_inside = false;
    for (int32_t ring = record->first_ring; ring < record->first_ring + record->ring_count; ring++) {
        int32_t end = shapes->vegetation_ring_first[ring + 1];
        rcity_grid_point p = shapes->vegetation_points[end - 1];
        for (int32_t point = shapes->vegetation_ring_first[ring]; point < end; point++) {
            rcity_grid_point q = shapes->vegetation_points[point];
            rcity_grid_point fine_p = {p.x * 1024, p.y * 1024};
            rcity_grid_point fine_q = {q.x * 1024, q.y * 1024};
            is_inside ^= rcity_edge_crosses_level(fine_p, fine_q, at.y) && rcity_edge_is_west(fine_p, fine_q, at);
            p = q;
        }
    }
    return is_inside;
}

static bool is_on_rim(const rcity_shapes *shapes, const rcity_vegetation_record *record, int32_t x, int32_t y)
{
    rcity_grid_point at = {x, y};
    for (int32_t ring = record->first_ring; ring < record->first_ring + record->ring_count; ring++) {
        for (int32_t i = shapes->vegetation_ring_first[ring]; i < shapes->vegetation_ring_first[ring + 1]; i++) {
            rcity_grid_point p = shapes->vegetation_points[i];
            rcity_grid_point q = shapes->vegetation_points[rcity_ring_next(shapes->vegetation_ring_first, ring, i)];
            if (rcity_grid_point_equal(p, at) || (rcity_orient(p, q, at) == 0 && rcity_strictly_between(p, q, at))) {
                return true;
            }
        }
    }
    return false;
}

/* Height of the trees over a place of the line: the lower of both sides; a vertical line on the rim has none. */
static double tree_height(const rcity_shapes *shapes, double x, double y, double left_x, double left_y)
{
    double highest[2] = {0.0, 0.0};
    for (int64_t k = 0; k < shapes->vegetation_count; k++) {
        const rcity_vegetation_record *record = &shapes->vegetation[k];
        bool on_left = owns(shapes, record, x + left_x, y + left_y);
        bool on_right = owns(shapes, record, x - left_x, y - left_y);
        if (left_x == 0.0 && left_y == 0.0 && is_on_rim(shapes, record, (int32_t)x, (int32_t)y)) {
            continue;
        }
        highest[0] = on_left ? fmax(highest[0], record->height) : highest[0];
        highest[1] = on_right ? fmax(highest[1], record->height) : highest[1];
    }
    return fmin(highest[0], highest[1]);
}

/* Points in the middle of many small pieces; each change from air to trees or back may cost half a piece. */
static void tally_foliage(const rcity_shapes *shapes, rcity_grid_point3 from, rcity_grid_point3 to, sight_plain *plain)
{
    double dx = (double)to.x - from.x;
    double dy = (double)to.y - from.y;
    double length = hypot(dx, dy);
    double left_x = length > 0.0 ? -dy / length * 0.01 : 0.0;
    double left_y = length > 0.0 ? dx / length * 0.01 : 0.0;
    int inside_count = 0;
    int change_count = 0;
    bool was_inside = false;
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        double t = (i + 0.5) / SAMPLE_COUNT;
        double height = height_at(&shapes->terrain, from, to, t);
        bool is_inside =
            height >= 0.0 && height < tree_height(shapes, from.x + t * dx, from.y + t * dy, left_x, left_y);
        inside_count += is_inside;
        change_count += is_inside != was_inside;
        was_inside = is_inside;
    }
    plain->in_foliage = (double)inside_count / SAMPLE_COUNT;
    plain->in_foliage_tolerance = (change_count + 2.0) / SAMPLE_COUNT;
}

sight_plain sight_plain_measure(const rcity_shapes *shapes, rcity_grid_point3 from, rcity_grid_point3 to)
{
    sight_plain plain = {.building_hit = 2.0, .ground_hit = 2.0};
    if (from.x == to.x && from.y == to.y) {
        tally_vertical(shapes, from, to, &plain);
    } else {
        tally_buildings(shapes, from, to, &plain);
    }
    if (rcity_terrain_blocks(&shapes->terrain, from, to)) {
        plain.ground_hit = find_ground(&shapes->terrain, from, to);
    }
    if (shapes->vegetation_count > 0) {
        tally_foliage(shapes, from, to, &plain);
    }
    return plain;
}
