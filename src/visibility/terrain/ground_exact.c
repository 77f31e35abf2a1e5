/* The height of the ground over the line is, on one triangle, a polynomial a + b t - c t^2 in the fraction t of the line,
   where c >= 0 comes from the curved earth. Its coefficients are integers below 2^100, fractions have terms below 2^27, so
   that signs follow from numbers of 256 bits. */
#include "visibility/terrain/ground_exact.h"

#include "scene/place/terrain.h"
#include "scene/shape/prism.h"

/* A signed number of 256 bits: high * 2^128 + low. */
typedef struct wide {
    rcity_i128 high;
    __extension__ unsigned __int128 low;
} wide;

__extension__ typedef unsigned __int128 unsigned128;

static wide wide_add(wide a, wide b)
{
    wide sum;
    sum.low = a.low + b.low;
    sum.high = (rcity_i128)((unsigned128)a.high + (unsigned128)b.high + (sum.low < a.low));
    return sum;
}

static wide wide_negative(wide a)
{
    wide negative;
    negative.low = ~a.low + 1;
    negative.high = (rcity_i128)(~(unsigned128)a.high + (negative.low == 0));
    return negative;
}

static wide wide_product(rcity_i128 a, rcity_i128 b)
{
    unsigned128 x = a < 0 ? -(unsigned128)a : (unsigned128)a;
    unsigned128 y = b < 0 ? -(unsigned128)b : (unsigned128)b;
    unsigned128 x0 = (uint64_t)x;
    unsigned128 x1 = x >> 64;
    unsigned128 y0 = (uint64_t)y;
    unsigned128 y1 = y >> 64;
    unsigned128 middle = x1 * y0 + (x0 * y0 >> 64);
    unsigned128 upper = x1 * y1 + (middle >> 64);
    middle = (uint64_t)middle + x0 * y1;
    wide product;
    product.low = middle << 64 | (uint64_t)(x0 * y0);
    product.high = (rcity_i128)(upper + (middle >> 64));
    return (a < 0) != (b < 0) ? wide_negative(product) : product;
}

static bool wide_is_positive(wide a)
{
    return a.high > 0 || (a.high == 0 && a.low > 0);
}

/* The ground over the line: a + b t - c t^2, times a positive number. */
typedef struct parabola {
    rcity_i128 a, b, c;
} parabola;

typedef struct fraction {
    int64_t num, den; /* den > 0 */
} fraction;

static bool is_less(fraction a, fraction b)
{
    return (rcity_i128)a.num * b.den < (rcity_i128)b.num * a.den;
}

/* Is the ground above the line at t? */
static bool is_above_at(const parabola *ground, fraction t)
{
    wide sum = wide_product(ground->a, (rcity_i128)t.den * t.den);
    sum = wide_add(sum, wide_product(ground->b, (rcity_i128)t.num * t.den));
    sum = wide_add(sum, wide_negative(wide_product(ground->c, (rcity_i128)t.num * t.num)));
    return wide_is_positive(sum);
}

/* Is it anywhere from `begin` to `end`? Its top counts if it lies in between: there it is a + b^2 / (4 c). */
static bool is_above(const parabola *ground, fraction begin, fraction end)
{
    if (is_above_at(ground, begin) || is_above_at(ground, end)) {
        return true;
    }
    if (ground->c == 0) {
        return false;
    }
    wide begin_gap = wide_add(wide_product(ground->b, begin.den), wide_product(-2 * ground->c, begin.num));
    wide end_gap = wide_add(wide_product(2 * ground->c, end.num), wide_product(-ground->b, end.den));
    return wide_is_positive(begin_gap) && wide_is_positive(end_gap) &&
           wide_is_positive(wide_add(wide_product(ground->b, ground->b), wide_product(4 * ground->a, ground->c)));
}

/* Keep the part of the line where start + t * step >= 0. @return false if nothing is left. */
static bool clip(int64_t start, int64_t step, fraction *begin, fraction *end)
{
    if (step == 0) {
        return start >= 0;
    }
    fraction at = {step > 0 ? -start : start, step > 0 ? step : -step};
    if (step > 0) {
        *begin = is_less(*begin, at) ? at : *begin;
    } else {
        *end = is_less(at, *end) ? at : *end;
    }
    return !is_less(*end, *begin);
}

/* A line in the frame of a cell's south-west node. */
typedef struct cell_patch {
    int64_t cell, x, y, dx, dy;
    rcity_i128 line, line_step; /* its height times cell and scale, and its growth */
    rcity_i128 scale, curve;
} cell_patch;

/* One triangle, whose plane is level * cell + east * x + north * y over the cell. */
static bool triangle_blocks(const cell_patch *patch, int64_t level, int64_t east, int64_t north, bool is_southern)
{
    fraction begin = {0, 1};
    fraction end = {1, 1};
    int64_t gap = patch->x - patch->y;
    int64_t gap_step = patch->dx - patch->dy;
    bool is_met = is_southern ? clip(gap, gap_step, &begin, &end) && clip(patch->y, patch->dy, &begin, &end) &&
                                    clip(patch->cell - patch->x, -patch->dx, &begin, &end)
                              : clip(-gap, -gap_step, &begin, &end) && clip(patch->x, patch->dx, &begin, &end) &&
                                    clip(patch->cell - patch->y, -patch->dy, &begin, &end);
    if (!is_met) {
        return false;
    }
    parabola ground;
    ground.a = patch->scale * (level * patch->cell + east * patch->x + north * patch->y) - patch->line;
    ground.b = patch->scale * (east * patch->dx + north * patch->dy) - patch->line_step + patch->curve;
    ground.c = patch->curve;
    return is_above(&ground, begin, end);
}

bool rcity_ground_cell_blocks(const rcity_ground_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to,
                              int64_t column, int64_t row)
{
    const rcity_terrain_grid *terrain = sight->terrain;
    if (column < 0 || row < 0 || column >= terrain->column_count - 1 || row >= terrain->row_count - 1) {
        return false;
    }
    const int32_t *south = terrain->height + row * terrain->column_count + column;
    const int32_t *north = south + terrain->column_count;
    cell_patch patch;
    patch.cell = terrain->cell;
    patch.x = from.x - terrain->west - column * patch.cell;
    patch.y = from.y - terrain->south - row * patch.cell;
    patch.dx = (int64_t)to.x - from.x;
    patch.dy = (int64_t)to.y - from.y;
    /* the bulge in height units is t (1 - t) * length^2 * 32 / (radius * units^2), lengths in plan units */
    int64_t square = patch.dx * patch.dx + patch.dy * patch.dy;
    patch.scale = sight->radius_m > 0 ? (rcity_i128)sight->radius_m * sight->units_per_m * sight->units_per_m : 1;
    patch.curve = sight->radius_m > 0 ? (rcity_i128)square * (RCITY_HEIGHT_UNITS_PER_M / 2) * patch.cell : 0;
    patch.line = patch.scale * ((rcity_i128)from.z * patch.cell);
    patch.line_step = patch.scale * (((rcity_i128)to.z - from.z) * patch.cell);
    int64_t level = south[0];
    return triangle_blocks(&patch, level, (int64_t)south[1] - level, (int64_t)north[1] - south[1], true) ||
           triangle_blocks(&patch, level, (int64_t)north[1] - north[0], (int64_t)north[0] - level, false);
}

/* The cell along one axis, rounded down; the grid may begin beyond the place. */
static int64_t cell_of(int64_t offset, int64_t cell)
{
    return offset >= 0 ? offset / cell : -((-offset + cell - 1) / cell);
}

bool rcity_ground_sight_blocks(const rcity_ground_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to)
{
    const rcity_terrain_grid *terrain = sight->terrain;
    if (sight->radius_m == 0) {
        return rcity_terrain_blocks(terrain, from, to);
    }
    int64_t first = cell_of((from.x < to.x ? from.x : to.x) - (int64_t)terrain->west, terrain->cell) - 1;
    int64_t last = cell_of((from.x < to.x ? to.x : from.x) - (int64_t)terrain->west, terrain->cell);
    first = first > 0 ? first : 0;
    last = last < terrain->column_count - 2 ? last : terrain->column_count - 2;
    double slope = to.x != from.x ? ((double)to.y - from.y) / ((double)to.x - from.x) : 0.0;
    for (int64_t column = first; column <= last; column++) {
        double west = (double)terrain->west + (double)column * terrain->cell;
        double a = from.y + slope * (west - from.x) - terrain->south;
        double b = a + slope * terrain->cell;
        int64_t low = (int64_t)((a < b ? a : b) / terrain->cell) - 2;
        int64_t high = (int64_t)((a < b ? b : a) / terrain->cell) + 2;
        if (to.x == from.x) {
            low = 0;
            high = terrain->row_count;
        }
        low = low > 0 ? low : 0;
        high = high < terrain->row_count - 2 ? high : terrain->row_count - 2;
        for (int64_t row = low; row <= high; row++) {
            if (rcity_ground_cell_blocks(sight, from, to, column, row)) {
                return true;
            }
        }
    }
    return false;
}
