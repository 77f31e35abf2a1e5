#include "visibility/los/los_shade.h"

#include "scene/shape/exact.h"
#include "visibility/los/los_raster.h"

int32_t rcity_los_first_beyond(const rcity_los_half *half, int64_t num, int64_t den)
{
    const rcity_los_plane *plane = half->plane;
    int64_t zero = half->source.x;
    double guess = ((double)num / (double)den + (double)(zero - plane->x[0])) / half->pitch + 1.0;
    int32_t column = guess <= 0.0 ? 0 : guess >= plane->column_count ? plane->column_count : (int32_t)guess;
    while (column > 0 && (plane->x[column - 1] - zero) * den > num) {
        column--;
    }
    while (column < plane->column_count && (plane->x[column] - zero) * den <= num) {
        column++;
    }
    return column;
}

bool rcity_los_is_at(const rcity_los_half *half, int32_t column, int64_t num, int64_t den)
{
    return column >= 0 && column < half->plane->column_count &&
           ((int64_t)half->plane->x[column] - half->source.x) * den == num;
}

void rcity_los_note_undecided(rcity_los_half *half, int32_t column, int32_t row)
{
    rcity_los_worker *worker = half->worker;
    if (half->status == RCITY_OK) {
        half->status = rcity_reserve(half->context, worker->tie_count + 1, sizeof *worker->ties, &worker->tie_capacity,
                                     "shadows", &worker->ties);
    }
    if (half->status == RCITY_OK) {
        worker->ties[worker->tie_count++] = row * half->plane->column_count + column;
    }
}

/* A border of the shadow, u = offset + slope v: the shadow lies to the east or to the west of it. */
static void add_border(const rcity_los_half *half, rcity_los_shade *shade, bool is_west, double offset, double slope)
{
    double *at = is_west ? &shade->west[shade->west_count] : &shade->east[shade->east_count];
    double *turn = is_west ? &shade->west_slope[shade->west_count++] : &shade->east_slope[shade->east_count++];
    *at = half->zero + offset / half->pitch;
    *turn = slope / half->pitch;
}

static void outline(const rcity_los_half *half, rcity_los_shade *shade)
{
    double eu = (double)(shade->bu - shade->au);
    double ev = (double)(shade->bv - shade->av);
    double area = (double)shade->area;
    shade->west_count = 0;
    shade->east_count = 0;
    if (shade->bv > 0) {
        add_border(half, shade, true, 0.0, (double)shade->bu / (double)shade->bv);
    }
    if (shade->av > 0) {
        add_border(half, shade, false, 0.0, (double)shade->au / (double)shade->av);
    }
    if (ev != 0.0) {
        add_border(half, shade, ev > 0.0, area / ev, eu / ev);
        if (shade->far_den > 0) {
            add_border(half, shade, ev < 0.0, area * (double)shade->far_num / (double)shade->far_den / ev, eu / ev);
        }
    }
}

bool rcity_los_shade_make(const rcity_los_half *half, const rcity_los_wall *wall, rcity_los_shade *shade)
{
    int32_t zs = half->source.z;
    int32_t zr = half->plane->level;
    bool falls = zs > zr;
    int64_t au = (int64_t)wall->ax - half->source.x;
    int64_t av = (int64_t)half->side * ((int64_t)wall->ay - half->source.y);
    int64_t bu = (int64_t)wall->bx - half->source.x;
    int64_t bv = (int64_t)half->side * ((int64_t)wall->by - half->source.y);
    int64_t area = au * bv - av * bu;
    bool faces_receiver = half->side > 0 ? area > 0 : area < 0;
    if (area == 0 || faces_receiver != falls || (av <= 0 && bv <= 0)) {
        return false;
    }
    bool is_turned = area < 0;
    shade->au = is_turned ? bu : au;
    shade->av = is_turned ? bv : av;
    shade->bu = is_turned ? au : bu;
    shade->bv = is_turned ? av : bv;
    shade->a = is_turned ? wall->b : wall->a;
    shade->b = is_turned ? wall->a : wall->b;
    shade->area = is_turned ? -area : area;
    shade->is_doubtful = wall->is_doubtful;
    bool ends = falls && wall->roof < zs;
    shade->far_num = ends ? zs - zr : 1;
    shade->far_den = ends ? zs - wall->roof : 0;
    outline(half, shade);
    return true;
}

/* Is a pixel beyond the wall's line, and before the shadow's end? Products may be wider than 64 bits. */
static bool is_beyond(const rcity_los_half *half, const rcity_los_shade *shade, int64_t v, int32_t column)
{
    int64_t eu = shade->bu - shade->au;
    int64_t ev = shade->bv - shade->av;
    int64_t d = ((int64_t)half->plane->x[column] - half->source.x) * ev - v * eu;
    return d > shade->area &&
           (shade->far_den == 0 || (rcity_i128)d * shade->far_den < (rcity_i128)shade->area * shade->far_num);
}

/* The columns of a row in a wall's shadow, by exact arithmetic, and the ties beside them. */
static void find_closely(rcity_los_half *half, const rcity_los_shade *shade, int64_t v, int32_t row, int32_t *begin,
                         int32_t *end)
{
    int32_t low = 0;
    int32_t high = half->plane->column_count;
    if (shade->bv > 0) {
        low = rcity_los_first_beyond(half, shade->bu * v, shade->bv);
    }
    if (shade->av > 0) { /* not beyond means at or beyond; for integers: beyond one less */
        high = rcity_los_first_beyond(half, shade->au * v - 1, shade->av);
    }
    /* A pixel on the line through an end. Whether it lies beyond the wall does not matter much, since it is tested
       anyway. */
    if (shade->bv > 0 && v >= shade->bv && rcity_los_is_at(half, low - 1, shade->bu * v, shade->bv)) {
        rcity_los_note_undecided(half, low - 1, row);
    }
    if (shade->av > 0 && v >= shade->av && rcity_los_is_at(half, high, shade->au * v, shade->av)) {
        rcity_los_note_undecided(half, high, row);
    }
    /* pixels beyond the wall and pixels before the shadow's end are one half-line each: those outside are skipped from
       both sides */
    while (low < high && !is_beyond(half, shade, v, low)) {
        low++;
    }
    while (low < high && !is_beyond(half, shade, v, high - 1)) {
        high--;
    }
    *begin = low;
    *end = high;
}

void rcity_los_shade_find(rcity_los_half *half, const rcity_los_shade *shade, int64_t v, int32_t row, int32_t *begin,
                          int32_t *end)
{
    *begin = *end = 0;
    if (shade->av == shade->bv &&
        (v <= shade->av || (shade->far_den > 0 && v * shade->far_den >= shade->av * shade->far_num))) {
        return; /* a wall along the rows has its borders along them */
    }
    double west = -1.0;
    double east = (double)half->plane->column_count;
    for (int i = 0; i < shade->west_count; i++) {
        double at = shade->west[i] + (double)v * shade->west_slope[i];
        west = at > west ? at : west;
    }
    for (int i = 0; i < shade->east_count; i++) {
        double at = shade->east[i] + (double)v * shade->east_slope[i];
        east = at < east ? at : east;
    }
    double blur = half->blur;
    int32_t count = half->plane->column_count;
    if (west > east + 2.0 * blur || west >= count + blur || east < -blur) {
        return;
    }
    /* where no column is near a border, the borders decide */
    *begin = (int32_t)(west + blur + 2.0) - 1;
    *end = count + 2 - (int32_t)(count + 2 - (east - blur)); /* rounded up */
    if (*begin != (int32_t)(west - blur + 2.0) - 1 || *end != count + 2 - (int32_t)(count + 2 - (east + blur))) {
        find_closely(half, shade, v, row, begin, end);
    }
}
