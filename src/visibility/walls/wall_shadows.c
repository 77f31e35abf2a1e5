/* Shadows added up: first the borders of all pieces and corners, then, band by band of rows, their steps, the sums
   along each row, and the pixels that have to be tested. Integers are summed, so the order of the threads does not
   matter. */
#include "visibility/walls/wall_shadows.h"

#include <string.h>

#include "base/parallel.h"
#include "visibility/sight/sight_data.h"

#define BAND_ROWS_MIN 16
#define BAND_ROWS_MAX 64 /* the steps of a band stay in the cache */
#define THREAD_BANDS  4  /* so that threads finish together */

void rcity_wall_shadows_deinit(rcity_context *context, rcity_wall_shadows *shadows)
{
    rcity_release(context, shadows->sums);
    rcity_release(context, shadows->rows);
    rcity_release(context, shadows->west);
    rcity_release(context, shadows->steps);
    rcity_release(context, shadows->asked);
    rcity_release(context, shadows->lists);
    rcity_release(context, shadows->borders);
    rcity_release(context, shadows->sides);
    rcity_wall_pieces_deinit(context, &shadows->pieces);
    memset(shadows, 0, sizeof *shadows);
}

static size_t stride_of(const rcity_los_plane *plane)
{
    return (size_t)plane->column_count + 2 * RCITY_WALL_MARGIN;
}

static rcity_status make_room(rcity_context *context, rcity_wall_shadows *shadows)
{
    const rcity_los_plane *plane = shadows->plane;
    size_t threads = (size_t)rcity_context_thread_count(context);
    size_t pieces = shadows->pieces.piece_count;
    size_t corners = shadows->pieces.corner_count;
    size_t band_rows = (size_t)plane->row_count / (threads * THREAD_BANDS) + 1;
    band_rows = band_rows < BAND_ROWS_MIN ? BAND_ROWS_MIN : band_rows > BAND_ROWS_MAX ? BAND_ROWS_MAX : band_rows;
    shadows->band_rows = (int32_t)band_rows;
    shadows->list_count = rcity_wall_lists_for(pieces) + rcity_wall_lists_for(corners);
    RCITY_TRY(rcity_alloc(context, pieces + 1, sizeof *shadows->sides, "shadows of walls", &shadows->sides));
    RCITY_TRY(rcity_alloc(context, 2 * pieces + corners + 1, sizeof *shadows->borders, "shadows of walls",
                          &shadows->borders));
    RCITY_TRY(rcity_alloc(context, (size_t)shadows->list_count + 1, sizeof *shadows->lists, "shadows of walls",
                          &shadows->lists));
    RCITY_TRY(rcity_alloc(context, plane->row_words * (size_t)plane->row_count, sizeof *shadows->asked,
                          "shadows of walls", &shadows->asked));
    RCITY_TRY(rcity_alloc(context, threads * band_rows * stride_of(plane), sizeof *shadows->steps, "shadows of walls",
                          &shadows->steps));
    RCITY_TRY(
        rcity_alloc(context, threads * (band_rows + 1), sizeof *shadows->west, "shadows of walls", &shadows->west));
    RCITY_TRY(rcity_alloc(context, pieces + 1, sizeof *shadows->rows, "shadows of walls", &shadows->rows));
    return rcity_alloc(context, threads * band_rows * (size_t)plane->column_count, sizeof *shadows->sums,
                       "shadows of walls", &shadows->sums);
}

rcity_status rcity_wall_shadows_init(rcity_context *context, const rcity_los_plane *plane, rcity_wall_shadows *shadows)
{
    memset(shadows, 0, sizeof *shadows);
    shadows->plane = plane;
    shadows->lattice = rcity_wall_lattice_make(plane);
    rcity_status status;
    RCITY_TRY_DONE(rcity_wall_pieces_init(context, plane->shapes, plane->sight, &shadows->pieces));
    RCITY_TRY_DONE(make_room(context, shadows));
done:
    if (status != RCITY_OK) {
        rcity_wall_shadows_deinit(context, shadows);
    }
    return status;
}

/* One source. */
typedef struct shadow_work {
    rcity_wall_shadows *shadows;
    rcity_wall_sheet sheet;
    const uint64_t *visible;
    int32_t *count;
    atomic_int_fast64_t asked_count;
} shadow_work;

/* An rcity_parallel_function: the sides of pieces, and the borders that are copies of them. */
static void find_copies(void *user, int64_t begin, int64_t end, int thread_index)
{
    shadow_work *work = user;
    rcity_wall_shadows *shadows = work->shadows;
    rcity_wall_list *list = &shadows->lists[begin / RCITY_WALL_LIST_ITEMS];
    (void)thread_index;
    *list = (rcity_wall_list){shadows->borders + 2 * begin, 0};
    for (int64_t i = begin; i < end; i++) {
        int side = rcity_wall_side(&work->sheet, (int32_t)i);
        shadows->sides[i] = (int8_t)side;
        if (side != 0) {
            rcity_wall_add_copies(&work->sheet, (int32_t)i, side, list);
        }
    }
}

/* An rcity_parallel_function: the borders behind corners. */
static void find_rays(void *user, int64_t begin, int64_t end, int thread_index)
{
    shadow_work *work = user;
    rcity_wall_shadows *shadows = work->shadows;
    rcity_wall_list *list =
        &shadows->lists[rcity_wall_lists_for(shadows->pieces.piece_count) + begin / RCITY_WALL_LIST_ITEMS];
    (void)thread_index;
    *list = (rcity_wall_list){shadows->borders + 2 * shadows->pieces.piece_count + begin, 0};
    for (int64_t i = begin; i < end; i++) {
        rcity_wall_add_ray(&work->sheet, shadows->sides, (int32_t)i, list);
    }
}

static const rcity_sight no_trees; /* a structure without cells */

rcity_wall_measure rcity_wall_measure_one(const rcity_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to)
{
    rcity_sight_segment segment = {from.x, from.y, from.z, to.x, to.y, to.z};
    rcity_sight_line line = rcity_sight_line_make(segment);
    rcity_sight_sweep sweep;
    rcity_sight_tally tally;
    rcity_sight_tally_begin(&tally);
    if (rcity_sight_tally_buildings(&sight->view, &line, &sweep, &tally)) {
        return (rcity_wall_measure){tally.wall_count, tally.inside};
    }
    rcity_sight_measure measure = rcity_sight_measure_closely(sight, &no_trees, segment);
    return (rcity_wall_measure){measure.wall_count, measure.in_buildings};
}

/* Set visible pixels to 0, and measure undecided ones. */
static void decide_row(shadow_work *work, int32_t row, int32_t *count)
{
    const rcity_los_plane *plane = work->shadows->plane;
    int64_t asked_count = 0;
    uint64_t last = ~(uint64_t)0 >> (64 * plane->row_words - (size_t)plane->column_count); /* bits of the last word */
    for (size_t word = 0; word < plane->row_words; word++) {
        size_t at = (size_t)row * plane->row_words + word;
        uint64_t visible = work->visible != NULL ? work->visible[at] : 0;
        visible &= word + 1 < plane->row_words ? ~(uint64_t)0 : last;
        uint64_t asked = atomic_load_explicit(&work->sheet.asked[at], memory_order_relaxed) & ~visible;
        int32_t first = (int32_t)(64 * word);
        for (int32_t i = 0; visible != 0; i++, visible >>= 1) {
            count[first + i] = (visible & 1) != 0 ? 0 : count[first + i];
        }
        for (int32_t i = 0; asked != 0; i++, asked >>= 1) {
            if (asked & 1) {
                rcity_grid_point3 pixel = rcity_los_plane_pixel(plane, first + i, row);
                count[first + i] = rcity_wall_measure_one(plane->sight, work->sheet.source, pixel).count;
                asked_count++;
            }
        }
    }
    atomic_fetch_add_explicit(&work->asked_count, asked_count, memory_order_relaxed);
}

void rcity_wall_shadows_draw(const rcity_wall_shadows *shadows, int32_t list_count, const rcity_wall_sheet *sheet,
                             int32_t row_begin, int32_t row_end, int32_t *steps, int32_t *west)
{
    size_t row_count = (size_t)(row_end - row_begin);
    memset(steps, 0, row_count * stride_of(shadows->plane) * sizeof *steps);
    memset(west, 0, (row_count + 1) * sizeof *west);
    for (int32_t i = 0; i < list_count; i++) {
        const rcity_wall_list *list = &shadows->lists[i];
        for (int32_t k = 0; k < list->count; k++) {
            rcity_wall_draw(sheet, &list->borders[k], row_begin, row_end, steps, west);
        }
    }
}

/* An rcity_parallel_function: one band. */
static void draw_band(void *user, int64_t band_begin, int64_t band_end, int thread_index)
{
    shadow_work *work = user;
    const rcity_wall_shadows *shadows = work->shadows;
    const rcity_los_plane *plane = shadows->plane;
    size_t stride = stride_of(plane);
    int32_t begin = (int32_t)band_begin;
    int32_t end = (int32_t)band_end;
    int32_t *steps = shadows->steps + (size_t)thread_index * (size_t)shadows->band_rows * stride;
    int32_t *west = shadows->west + (size_t)thread_index * ((size_t)shadows->band_rows + 1);
    rcity_wall_shadows_draw(shadows, shadows->list_count, &work->sheet, begin, end, steps, west);
    int32_t base = 0;
    for (int32_t row = begin; row < end; row++, steps += stride) {
        base += west[row - begin];
        int32_t walls = base;
        for (int32_t i = 0; i < RCITY_WALL_MARGIN; i++) {
            walls += steps[i];
        }
        int32_t *count = work->count + (size_t)row * (size_t)plane->column_count;
        for (int32_t column = 0; column < plane->column_count; column++) {
            walls += steps[RCITY_WALL_MARGIN + column];
            count[column] = walls;
        }
        decide_row(work, row, count);
    }
}

void rcity_wall_shadows_trace(rcity_context *context, rcity_wall_shadows *shadows, rcity_grid_point3 source,
                              const uint64_t *visible, int32_t *count, int64_t *border_count, int64_t *asked_count)
{
    const rcity_los_plane *plane = shadows->plane;
    shadow_work work = {.shadows = shadows,
                        .sheet = {&shadows->lattice, &shadows->pieces, source, shadows->asked},
                        .visible = visible,
                        .count = count};
    atomic_init(&work.asked_count, 0);
    memset(shadows->asked, 0, plane->row_words * (size_t)plane->row_count * sizeof *shadows->asked);
    rcity_parallel(context, (int64_t)shadows->pieces.piece_count, RCITY_WALL_LIST_ITEMS, find_copies, &work);
    rcity_parallel(context, (int64_t)shadows->pieces.corner_count, RCITY_WALL_LIST_ITEMS, find_rays, &work);
    rcity_parallel(context, plane->row_count, shadows->band_rows, draw_band, &work);
    for (int32_t i = 0; i < shadows->list_count; i++) {
        *border_count += shadows->lists[i].count;
    }
    *asked_count += atomic_load(&work.asked_count);
}
