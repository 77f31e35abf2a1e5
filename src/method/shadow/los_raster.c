/* Lines of sight to a whole raster, by shadows.

   The two halves of the plan, north and south of the source, are swept row by row away from it. A wall as high as the source
   darkens all directions between its ends for good, once the sweep has passed it: dark directions are kept as intervals,
   and the sweep looks only at walls in directions that are still open. A lower wall throws a shadow of some length; those
   the sweep has met are drawn afterwards, and so are walls of buildings that touch themselves: they only raise doubts.

   Of the two walls that a line passes through a building, one decides: lines fall towards the lower end, so a line that is
   below the roof anywhere in the building is so at the wall that faces the lower end. Walls that face the other way are
   left out.

   Everything is decided in integers. Pixels exactly on a line through a corner, where touching and passing differ, are
   noted and asked one by one. */
#include "method/shadow/los_raster.h"

#include <math.h>
#include <string.h>

#include "scene/shape/prism.h"

rcity_status rcity_los_worker_init(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker)
{
    size_t room = (size_t)plane->wall_count + 1;
    memset(worker, 0, sizeof *worker);
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *worker->seen, "shadows", &worker->seen));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *worker->endless, "shadows", &worker->endless));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *worker->finite, "shadows", &worker->finite));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *worker->dark, "shadows", &worker->dark));
done:
    if (status != RCITY_OK) {
        rcity_los_worker_deinit(context, worker);
    }
    return status;
}

void rcity_los_worker_deinit(rcity_context *context, rcity_los_worker *worker)
{
    rcity_release(context, worker->ties);
    rcity_release(context, worker->dark);
    rcity_release(context, worker->finite);
    rcity_release(context, worker->endless);
    rcity_release(context, worker->seen);
    memset(worker, 0, sizeof *worker);
}

/* One half of the plan while it is swept. */
typedef struct half_sweep {
    rcity_context *context;
    const rcity_los_plane *plane;
    rcity_los_worker *worker;
    rcity_grid_point3 source;
    int32_t side; /* 1: north, -1: south */
    uint64_t *mask;
    double pitch; /* of the columns */
    double zero;  /* the source, in columns from the first */
    double blur;  /* columns are where they should be but for this part of one */
    rcity_status status;
} half_sweep;

static void set_bits(uint64_t *words, int32_t begin, int32_t end)
{
    if (begin >= end) {
        return;
    }
    int32_t first = begin / 64;
    int32_t last = (end - 1) / 64;
    uint64_t head = ~(uint64_t)0 << (begin % 64);
    uint64_t tail = ~(uint64_t)0 >> (63 - (end - 1) % 64);
    if (first == last) {
        words[first] |= head & tail;
        return;
    }
    words[first] |= head;
    for (int32_t i = first + 1; i < last; i++) {
        words[i] = ~(uint64_t)0;
    }
    words[last] |= tail;
}

static void clear_bits(uint64_t *words, int32_t begin, int32_t end)
{
    if (begin >= end) {
        return;
    }
    int32_t first = begin / 64;
    int32_t last = (end - 1) / 64;
    uint64_t head = ~(uint64_t)0 << (begin % 64);
    uint64_t tail = ~(uint64_t)0 >> (63 - (end - 1) % 64);
    if (first == last) {
        words[first] &= ~(head & tail);
        return;
    }
    words[first] &= ~head;
    for (int32_t i = first + 1; i < last; i++) {
        words[i] = 0;
    }
    words[last] &= ~tail;
}

static bool is_lit(const rcity_los_plane *plane, int32_t pixel, const uint64_t *mask)
{
    int32_t column = pixel % plane->column_count;
    return (mask[(size_t)(pixel / plane->column_count) * plane->row_words + (size_t)column / 64] >> (column % 64)) & 1;
}

/* The first column with u * den > num, den > 0; column_count: none. */
static int32_t first_beyond(const half_sweep *sweep, int64_t num, int64_t den)
{
    const rcity_los_plane *plane = sweep->plane;
    int64_t zero = sweep->source.x;
    double guess = ((double)num / (double)den + (double)(zero - plane->x[0])) / sweep->pitch + 1.0;
    int32_t column = guess <= 0.0 ? 0 : guess >= plane->column_count ? plane->column_count : (int32_t)guess;
    while (column > 0 && (plane->x[column - 1] - zero) * den > num) {
        column--;
    }
    while (column < plane->column_count && (plane->x[column] - zero) * den <= num) {
        column++;
    }
    return column;
}

/* Is the column exactly there? */
static bool is_at(const half_sweep *sweep, int32_t column, int64_t num, int64_t den)
{
    return column >= 0 && column < sweep->plane->column_count &&
           ((int64_t)sweep->plane->x[column] - sweep->source.x) * den == num;
}

static void note_tie(half_sweep *sweep, int32_t column, int32_t row)
{
    rcity_los_worker *worker = sweep->worker;
    if (sweep->status == RCITY_OK) {
        sweep->status = rcity_reserve(sweep->context, worker->tie_count + 1, sizeof *worker->ties,
                                      &worker->tie_capacity, "shadows", &worker->ties);
    }
    if (sweep->status == RCITY_OK) {
        worker->ties[worker->tie_count++] = row * sweep->plane->column_count + column;
    }
}

/* Is a x b positive, of a product that may be wider than 64 bits? */
static bool is_more(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return (rcity_i128)a * b > (rcity_i128)c * d;
}

/* A border of the shadow, u = offset + slope v: what lies beyond it is in, to the east or to the west of it. */
static void add_border(const half_sweep *sweep, rcity_los_shade *shade, bool is_west, double offset, double slope)
{
    double *at = is_west ? &shade->west[shade->west_count] : &shade->east[shade->east_count];
    double *turn = is_west ? &shade->west_slope[shade->west_count++] : &shade->east_slope[shade->east_count++];
    *at = sweep->zero + offset / sweep->pitch;
    *turn = slope / sweep->pitch;
}

static void outline(const half_sweep *sweep, rcity_los_shade *shade)
{
    double eu = (double)(shade->bu - shade->au);
    double ev = (double)(shade->bv - shade->av);
    double area = (double)shade->area;
    if (shade->bv > 0) {
        add_border(sweep, shade, true, 0.0, (double)shade->bu / (double)shade->bv);
    }
    if (shade->av > 0) {
        add_border(sweep, shade, false, 0.0, (double)shade->au / (double)shade->av);
    }
    if (ev != 0.0) {
        add_border(sweep, shade, ev > 0.0, area * (double)shade->near_num / (double)shade->near_den / ev, eu / ev);
        if (shade->far_den > 0) {
            add_border(sweep, shade, ev < 0.0, area * (double)shade->far_num / (double)shade->far_den / ev, eu / ev);
        }
    }
}

/* The wall as this source throws its shadow in this half. @return false when it throws none here. */
static bool make_shade(const half_sweep *sweep, const rcity_los_wall *wall, rcity_los_shade *shade)
{
    int32_t zs = sweep->source.z;
    int32_t zr = sweep->plane->level;
    bool falls = zs > zr;
    int64_t au = (int64_t)wall->ax - sweep->source.x;
    int64_t av = (int64_t)sweep->side * ((int64_t)wall->ay - sweep->source.y);
    int64_t bu = (int64_t)wall->bx - sweep->source.x;
    int64_t bv = (int64_t)sweep->side * ((int64_t)wall->by - sweep->source.y);
    int64_t area = au * bv - av * bu;
    bool faces_receiver = sweep->side > 0 ? area > 0 : area < 0;
    if (area == 0 || faces_receiver != falls || (av <= 0 && bv <= 0) || wall->roof <= (falls ? zr : zs)) {
        return false;
    }
    if (area > 0) {
        *shade = (rcity_los_shade){.au = au, .av = av, .bu = bu, .bv = bv, .a = wall->a, .b = wall->b};
    } else {
        *shade = (rcity_los_shade){.au = bu, .av = bv, .bu = au, .bv = av, .a = wall->b, .b = wall->a};
    }
    shade->area = area > 0 ? area : -area;
    shade->is_doubtful = wall->is_doubtful;
    shade->near_num = shade->near_den = shade->far_num = 1;
    if (falls && wall->roof < zs) {
        shade->far_num = zs - zr;
        shade->far_den = zs - wall->roof;
    } else if (!falls && wall->roof < zr) {
        shade->near_num = zr - zs;
        shade->near_den = wall->roof - zs;
    }
    outline(sweep, shade);
    return true;
}

/* The columns of a row in a wall's shadow, in exact numbers, and the ties beside them. */
static void find_shadow_closely(half_sweep *sweep, const rcity_los_shade *shade, int64_t v, int32_t row, int32_t *begin,
                                int32_t *end)
{
    const rcity_los_plane *plane = sweep->plane;
    int64_t eu = shade->bu - shade->au;
    int64_t ev = shade->bv - shade->av;
    int32_t low = 0;
    int32_t high = plane->column_count;
    if (shade->bv > 0) {
        low = first_beyond(sweep, shade->bu * v, shade->bv);
    }
    if (shade->av > 0) { /* u * av < au * v: the first that is not, from the other side */
        high = first_beyond(sweep, shade->au * v, shade->av);
        while (high > 0 && ((int64_t)plane->x[high - 1] - sweep->source.x) * shade->av == shade->au * v) {
            high--;
        }
    }
    /* a pixel on the line through an end; whether it lies beyond the wall does not matter much: it is looked at */
    if (shade->bv > 0 && v >= shade->bv && is_at(sweep, low - 1, shade->bu * v, shade->bv)) {
        note_tie(sweep, low - 1, row);
    }
    if (shade->av > 0 && v >= shade->av && is_at(sweep, high, shade->au * v, shade->av)) {
        note_tie(sweep, high, row);
    }
    /* beyond the wall: u ev - v eu more than near times the area, less than far times it; in u a half-line each */
    int64_t near_area = shade->area;
    bool has_far = shade->far_den != 0;
    while (low < high) { /* from the left: skip what is not in */
        int64_t d = ((int64_t)plane->x[low] - sweep->source.x) * ev - v * eu;
        if (is_more(d, shade->near_den, near_area, shade->near_num) &&
            (!has_far || is_more(near_area, shade->far_num, d, shade->far_den))) {
            break;
        }
        low++;
    }
    while (low < high) {
        int64_t d = ((int64_t)plane->x[high - 1] - sweep->source.x) * ev - v * eu;
        if (is_more(d, shade->near_den, near_area, shade->near_num) &&
            (!has_far || is_more(near_area, shade->far_num, d, shade->far_den))) {
            break;
        }
        high--;
    }
    *begin = low;
    *end = high;
}

/* The same, from the borders; where one comes near a column, more closely. */
static void find_shadow(half_sweep *sweep, const rcity_los_shade *shade, int64_t v, int32_t row, int32_t *begin,
                        int32_t *end)
{
    if (shade->av == shade->bv && (v * shade->near_den <= shade->av * shade->near_num ||
                                   (shade->far_den > 0 && v * shade->far_den >= shade->av * shade->far_num))) {
        *begin = *end = 0; /* a wall along the rows has its borders along them */
        return;
    }
    double west = -1.0;
    double east = (double)sweep->plane->column_count;
    for (int i = 0; i < shade->west_count; i++) {
        double at = shade->west[i] + (double)v * shade->west_slope[i];
        west = at > west ? at : west;
    }
    for (int i = 0; i < shade->east_count; i++) {
        double at = shade->east[i] + (double)v * shade->east_slope[i];
        east = at < east ? at : east;
    }
    if (west > east + sweep->blur || west >= sweep->plane->column_count || east < 0.0) {
        *begin = *end = 0;
        return;
    }
    int32_t count = sweep->plane->column_count;
    double blur = sweep->blur;
    *begin = (int32_t)(west + blur + 2.0) - 1;
    *end = count + 2 - (int32_t)(count + 2 - (east - blur)); /* rounded up */
    if (*begin == (int32_t)(west - blur + 2.0) - 1 && *end == count + 2 - (int32_t)(count + 2 - (east + blur))) {
        return;
    }
    find_shadow_closely(sweep, shade, v, row, begin, end);
}

/* Does a direction come before another, counter-clockwise from the axis u? Both have v >= 0. */
static bool is_before(const rcity_los_ray *a, const rcity_los_ray *b)
{
    if (a->v == 0 && b->v == 0) {
        return a->u > 0 && b->u < 0;
    }
    return a->u * b->v - a->v * b->u > 0;
}

/* Do two intervals overlap, or meet at one corner of one building, which is as dark as its walls? */
static bool is_joined(const rcity_los_dark *a, const rcity_los_dark *b)
{
    if (is_before(&a->low, &b->high) && is_before(&b->low, &a->high)) {
        return true;
    }
    return (a->high.corner == b->low.corner && a->high.corner >= 0) ||
           (b->high.corner == a->low.corner && b->high.corner >= 0);
}

static void add_dark(rcity_los_worker *worker, rcity_los_dark made)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < worker->dark_count; i++) {
        const rcity_los_dark *other = &worker->dark[i];
        if (is_joined(other, &made)) {
            made.low = is_before(&other->low, &made.low) ? other->low : made.low;
            made.high = is_before(&made.high, &other->high) ? other->high : made.high;
        } else {
            worker->dark[kept++] = *other;
        }
    }
    int32_t at = kept;
    while (at > 0 && is_before(&made.low, &worker->dark[at - 1].low)) {
        worker->dark[at] = worker->dark[at - 1];
        at--;
    }
    worker->dark[at] = made;
    worker->dark_count = kept + 1;
}

static rcity_los_dark dark_of(const rcity_los_shade *shade)
{
    rcity_los_dark dark = {{1, 0, -1}, {-1, 0, -1}};
    if (shade->av > 0) {
        dark.low = (rcity_los_ray){shade->au, shade->av, shade->a};
    }
    if (shade->bv > 0) {
        dark.high = (rcity_los_ray){shade->bu, shade->bv, shade->b};
    }
    return dark;
}

/* The open directions between two dark intervals: from the high end of one to the low end of the next. */
static void get_gap(const rcity_los_worker *worker, int32_t index, rcity_los_ray *low, rcity_los_ray *high)
{
    *low = index > 0 ? worker->dark[index - 1].high : (rcity_los_ray){1, 0, -1};
    *high = index < worker->dark_count ? worker->dark[index].low : (rcity_los_ray){-1, 0, -1};
}

/* Is there nothing in a gap: no direction at all? */
static bool is_shut(const rcity_los_ray *low, const rcity_los_ray *high)
{
    return low->v == 0 && high->v == 0 && (low->u < 0 || high->u > 0);
}

/* Where a ray is in a row, in columns' units; far outside on the axis itself. */
static double along(const rcity_los_ray *ray, double v)
{
    return ray->v > 0 ? (double)ray->u * v / (double)ray->v : ray->u > 0 ? 1e18 : -1e18;
}

/* Set the lit pixels of a row, as far as passed walls go. @return false when no gap can reach the raster from here on. */
static bool light_row(half_sweep *sweep, int64_t v, int32_t row)
{
    const rcity_los_plane *plane = sweep->plane;
    const rcity_los_worker *worker = sweep->worker;
    uint64_t *words = sweep->mask + (size_t)row * plane->row_words;
    double west = (double)plane->x[0] - sweep->source.x;
    double east = (double)plane->x[plane->column_count - 1] - sweep->source.x;
    bool is_open = false;
    for (int32_t i = 0; i <= worker->dark_count; i++) {
        rcity_los_ray low, high;
        get_gap(worker, i, &low, &high);
        if (is_shut(&low, &high)) {
            continue;
        }
        bool is_past = (along(&high, (double)v) > east + 1.0 && high.u >= 0) ||
                       (along(&low, (double)v) < west - 1.0 && low.u <= 0);
        if (is_past) {
            continue;
        }
        is_open = true;
        int32_t begin = 0;
        int32_t end = plane->column_count;
        if (high.v > 0) {
            begin = first_beyond(sweep, high.u * v, high.v);
            if (is_at(sweep, begin - 1, high.u * v, high.v)) {
                note_tie(sweep, --begin, row);
            }
        }
        if (low.v > 0) {
            end = first_beyond(sweep, low.u * v, low.v);
            if (is_at(sweep, end - 1, low.u * v, low.v)) {
                note_tie(sweep, end - 1, row);
            }
        }
        set_bits(words, begin, end);
    }
    return is_open;
}

static void meet_wall(half_sweep *sweep, int32_t index)
{
    rcity_los_worker *worker = sweep->worker;
    if (worker->seen[index] == worker->half) {
        return;
    }
    worker->seen[index] = worker->half;
    rcity_los_shade shade;
    if (make_shade(sweep, &sweep->plane->walls[index], &shade)) {
        bool is_endless = shade.far_den == 0 && shade.near_num == shade.near_den;
        if (is_endless && !shade.is_doubtful) {
            worker->endless[worker->endless_count++] = shade;
        } else {
            worker->finite[worker->finite_count++] = shade;
        }
    }
}

/* Meet the walls of one row of cells that lie in open directions; it reaches from v to v_end. */
static void meet_cells(half_sweep *sweep, int32_t cell_row, double v, double v_end)
{
    const rcity_los_cells *cells = &sweep->plane->cells;
    int32_t next = 0; /* columns before it are done */
    double offset = (double)sweep->source.x - cells->west;
    for (int32_t i = sweep->worker->dark_count; i >= 0; i--) { /* from west to east */
        rcity_los_ray low, high;
        get_gap(sweep->worker, i, &low, &high);
        if (is_shut(&low, &high)) {
            continue;
        }
        double west = fmin(along(&high, v), along(&high, v_end));
        double east = fmax(along(&low, v), along(&low, v_end));
        double first = floor((west - 2.0 + offset) / cells->cell);
        double last = floor((east + 2.0 + offset) / cells->cell);
        int32_t column = first <= next ? next : first >= cells->column_count ? cells->column_count : (int32_t)first;
        for (; column < cells->column_count && column <= last; column++) {
            const int32_t *range = &cells->first[(size_t)cell_row * (size_t)cells->column_count + (size_t)column];
            for (int32_t k = range[0]; k < range[1]; k++) {
                meet_wall(sweep, cells->walls[k]);
            }
            next = column + 1;
        }
    }
}

/* Walls that the row has passed are dark for good; the others throw their shadow on it. */
static void pass_walls(half_sweep *sweep, int64_t v, int32_t row, bool draws)
{
    rcity_los_worker *worker = sweep->worker;
    uint64_t *words = sweep->mask + (size_t)row * sweep->plane->row_words;
    int32_t kept = 0;
    for (int32_t i = 0; i < worker->endless_count; i++) {
        const rcity_los_shade *shade = &worker->endless[i];
        int64_t far = shade->av > shade->bv ? shade->av : shade->bv;
        int64_t near = shade->av < shade->bv ? shade->av : shade->bv;
        if (!draws && v > far) {
            add_dark(worker, dark_of(shade));
            continue;
        }
        if (draws && v > near) {
            int32_t begin, end;
            find_shadow(sweep, shade, v, row, &begin, &end);
            clear_bits(words, begin, end);
        }
        worker->endless[kept++] = *shade;
    }
    worker->endless_count = kept;
}

/* The shadow of a low wall, row by row until it ends. Rows first_row to last_row, the latter left out, lie in this half. */
static void draw_finite(half_sweep *sweep, const rcity_los_shade *shade, int32_t first_row, int32_t row_step,
                        int32_t last_row)
{
    const rcity_los_plane *plane = sweep->plane;
    double near = shade->av < shade->bv ? (double)shade->av : (double)shade->bv;
    double far = shade->av > shade->bv ? (double)shade->av : (double)shade->bv;
    far = shade->far_den > 0 ? far * (double)shade->far_num / (double)shade->far_den + 1.0 : 1e18;
    int32_t row = first_row;
    double skipped = (near - (double)sweep->side * ((double)plane->y[row] - sweep->source.y)) / sweep->pitch - 1.0;
    if (skipped > 0.0) {
        int32_t left = (last_row - first_row) * row_step;
        row = skipped < left ? first_row + row_step * (int32_t)skipped : last_row;
    }
    for (; row != last_row; row += row_step) {
        int64_t v = (int64_t)sweep->side * ((int64_t)plane->y[row] - sweep->source.y);
        if ((double)v <= near) {
            continue;
        }
        if ((double)v > far) {
            break;
        }
        int32_t begin, end;
        find_shadow(sweep, shade, v, row, &begin, &end);
        if (!shade->is_doubtful) {
            clear_bits(sweep->mask + (size_t)row * plane->row_words, begin, end);
        }
        for (int32_t column = begin; column < end && shade->is_doubtful; column++) {
            if (is_lit(plane, row * plane->column_count + column, sweep->mask)) {
                note_tie(sweep, column, row);
            }
        }
    }
}

static rcity_status sweep_half(half_sweep *sweep)
{
    const rcity_los_plane *plane = sweep->plane;
    const rcity_los_cells *cells = &plane->cells;
    rcity_los_worker *worker = sweep->worker;
    int32_t side = sweep->side;
    int32_t step = -side; /* the first row is the northernmost */
    int32_t row = side > 0 ? plane->row_count - 1 : 0;
    int32_t end = side > 0 ? -1 : plane->row_count;
    while (row != end && (int64_t)side * ((int64_t)plane->y[row] - sweep->source.y) <= 0) {
        row += step;
    }
    worker->half++;
    worker->endless_count = 0;
    worker->finite_count = 0;
    worker->dark_count = 0;
    int32_t first = row;
    /* rows of cells come as the sweep reaches them; the source's own is the first */
    double at = ((double)sweep->source.y - cells->south) / cells->cell;
    int32_t cell_row = at < 0.0 ? -1 : at >= cells->row_count ? cells->row_count : (int32_t)at;
    cell_row = side > 0 && cell_row < 0                   ? 0
               : side < 0 && cell_row >= cells->row_count ? cells->row_count - 1
                                                          : cell_row;
    for (; row != end; row += step) {
        int64_t v = (int64_t)side * ((int64_t)plane->y[row] - sweep->source.y);
        while (cell_row >= 0 && cell_row < cells->row_count) {
            double border = cells->south + (double)(side > 0 ? cell_row : cell_row + 1) * cells->cell;
            double begins = side * (border - sweep->source.y);
            if (begins > (double)v) {
                break;
            }
            pass_walls(sweep, (int64_t)fmax(begins, 0.0), row, false);
            meet_cells(sweep, cell_row, fmax(begins, 0.0), begins + cells->cell);
            cell_row += side;
        }
        pass_walls(sweep, v, row, false);
        if (!light_row(sweep, v, row)) {
            break;
        }
        pass_walls(sweep, v, row, true);
    }
    for (int32_t i = 0; i < worker->finite_count && first != row; i++) {
        draw_finite(sweep, &worker->finite[i], first, step, row);
    }
    return sweep->status;
}

void rcity_los_decide(const rcity_los_plane *plane, rcity_grid_point3 source, int32_t pixel, uint64_t *mask)
{
    int32_t row = pixel / plane->column_count;
    int32_t column = pixel % plane->column_count;
    uint64_t *word = &mask[(size_t)row * plane->row_words + (size_t)column / 64];
    uint64_t bit = (uint64_t)1 << (column % 64);
    bool is_free = rcity_sight_is_free(plane->sight, source, rcity_los_plane_pixel(plane, column, row));
    *word = is_free ? *word | bit : *word & ~bit;
}

/* The row that the source stands in: neither north nor south of it. */
static void decide_own_row(const rcity_los_plane *plane, rcity_grid_point3 source, uint64_t *mask)
{
    for (int32_t row = 0; row < plane->row_count; row++) {
        if (plane->y[row] == source.y) {
            for (int32_t column = 0; column < plane->column_count; column++) {
                rcity_los_decide(plane, source, row * plane->column_count + column, mask);
            }
        }
    }
}

/* Does the source stand on a wall of a building that is higher there? */
static bool is_on_wall(const rcity_shapes *shapes, rcity_grid_point3 source)
{
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        if (source.x >= prism->x_min && source.x <= prism->x_max && source.y >= prism->y_min &&
            source.y <= prism->y_max && source.z < prism->roof &&
            rcity_prism_locate(shapes, prism, (rcity_grid_point){source.x, source.y}) == RCITY_PLACE_ON_WALL) {
            return true;
        }
    }
    return false;
}

int32_t rcity_los_choose_mode(const rcity_los_plane *plane, rcity_grid_point3 source)
{
    if (plane->z != NULL) { /* terrain has shadows of its own */
        return RCITY_LOS_PLAIN;
    }
    /* a vertical line is blocked by a building around it, as far as that is higher */
    if (!rcity_sight_is_free(plane->sight, source, (rcity_grid_point3){source.x, source.y, source.z + 1})) {
        return RCITY_LOS_DARK;
    }
    /* a line may rise over a low building that is not among the walls, or from a wall through a building whose walls all
       face away */
    bool is_low = source.z < plane->low_top || (source.z <= plane->level && is_on_wall(plane->shapes, source));
    return is_low ? RCITY_LOS_PLAIN : RCITY_LOS_SHADOWS;
}

rcity_status rcity_los_trace(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker,
                             rcity_grid_point3 source, uint64_t *mask)
{
    size_t word_count = plane->row_words * (size_t)plane->row_count;
    int32_t mode = rcity_los_choose_mode(plane, source);
    memset(mask, 0, word_count * sizeof *mask);
    if (mode == RCITY_LOS_PLAIN) {
        rcity_los_trace_plainly(plane, source, mask);
    }
    if (mode != RCITY_LOS_SHADOWS) {
        return RCITY_OK;
    }
    worker->tie_count = 0;
    double pitch = plane->column_count > 1
                       ? (double)(plane->x[plane->column_count - 1] - plane->x[0]) / (plane->column_count - 1)
                       : 1.0;
    for (int32_t side = -1; side <= 1; side += 2) {
        half_sweep sweep = {context, plane, worker, source, side, mask, pitch, 0.0, 0.0, RCITY_OK};
        sweep.zero = ((double)source.x - plane->x[0]) / pitch;
        sweep.blur = 1.0 / pitch + 1e-9;
        RCITY_TRY(sweep_half(&sweep));
    }
    for (size_t i = 0; i < word_count; i++) {
        mask[i] &= ~plane->sealed[i];
    }
    for (size_t i = 0; i < worker->tie_count; i++) {
        if (is_lit(plane, worker->ties[i], mask)) {
            rcity_los_decide(plane, source, worker->ties[i], mask);
        }
    }
    for (size_t i = 0; i < plane->on_wall_count; i++) {
        rcity_los_decide(plane, source, plane->on_walls[i], mask);
    }
    decide_own_row(plane, source, mask);
    return RCITY_OK;
}

void rcity_los_trace_plainly(const rcity_los_plane *plane, rcity_grid_point3 source, uint64_t *mask)
{
    memset(mask, 0, plane->row_words * (size_t)plane->row_count * sizeof *mask);
    for (int32_t i = 0; i < plane->row_count * plane->column_count; i++) {
        rcity_los_decide(plane, source, i, mask);
    }
}
