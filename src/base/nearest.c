/* An exact Euclidean distance transform that also records the nearest pixel: A. Meijster, J. B. T. M. Roerdink, W. H.
   Hesselink, "A general algorithm for computing distance transforms in linear time", Mathematical Morphology and its
   Applications to Image and Signal Processing, 2000, pp. 331-340. First the nearest pixel in each column, then, along
   each row, the lower envelope of one parabola per column. Changes made here: (distance, index) pairs are compared, so
   that ties have one answer, and the envelope spans one run of empty pixels at a time. */
#include "base/nearest.h"

#include "base/parallel.h"

#define WORD_BITS 64

/* A column's nearest given pixel, as seen from a row, and the first column for which it is the best so far. */
typedef struct candidate {
    int32_t column, row, start;
} candidate;

typedef struct fill_work {
    int32_t column_count, row_count;
    size_t row_words;
    const uint64_t *empty;
    int32_t *source;   /* between the two passes: the row of the nearest pixel in the same column, -1 for none */
    candidate *stacks; /* column_count per thread */
} fill_work;

static bool is_empty(const fill_work *work, int32_t column, int32_t row)
{
    return (work->empty[(size_t)row * work->row_words + (size_t)column / WORD_BITS] >> (column % WORD_BITS)) & 1;
}

static int32_t *source_row(const fill_work *work, int32_t row)
{
    return work->source + (size_t)row * (size_t)work->column_count;
}

/* The columns of one word: down with the nearest pixel above, then up, from the lowest given pixel, with the nearest
   below. Of two equally near pixels the upper one stays, which has the lower index. */
static void search_columns(const fill_work *work, int32_t first, int32_t count)
{
    int32_t nearest[WORD_BITS];
    for (int32_t i = 0; i < count; i++) {
        nearest[i] = -1;
    }
    for (int32_t row = 0; row < work->row_count; row++) {
        int32_t *line = source_row(work, row) + first;
        uint64_t empty = work->empty[(size_t)row * work->row_words + (size_t)first / WORD_BITS];
        for (int32_t i = 0; i < count; i++) {
            nearest[i] = (empty >> i) & 1 ? nearest[i] : row;
            line[i] = nearest[i];
        }
    }
    for (int32_t row = work->row_count - 1; row >= 0; row--) {
        int32_t *line = source_row(work, row) + first;
        for (int32_t i = 0; i < count; i++) {
            if (line[i] < 0 || nearest[i] - row < row - line[i]) {
                line[i] = nearest[i];
            }
            nearest[i] = line[i] == row ? row : nearest[i];
        }
    }
}

static void search_words(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const fill_work *work = user;
    for (int64_t word = begin; word < end; word++) {
        int32_t first = (int32_t)(word * WORD_BITS);
        int32_t left = work->column_count - first;
        search_columns(work, first, left < WORD_BITS ? left : WORD_BITS);
    }
}

static int64_t square(int64_t value)
{
    return value * value;
}

/* The first column where `right`, which lies right of `left`, is the better one. From there on it always is, since with
   every x the difference of squared distances from (x, row) falls by twice the number of columns between them. In a tie
   the upper pixel is better; in the same row that is `left`. */
static int64_t find_change(candidate left, candidate right, int32_t row)
{
    int64_t width = 2 * ((int64_t)right.column - left.column);
    int64_t excess =
        square((int64_t)right.row - row) - square((int64_t)left.row - row) + square(right.column) - square(left.column);
    int64_t change = excess / width;
    int64_t rest = excess % width;
    if (rest == 0 && right.row < left.row) {
        return change;
    }
    return rest < 0 ? change : change + 1;
}

/* Empty pixels [begin, end) of a row, with a given pixel or the raster's edge at both ends. Pixels beyond a given end
   are farther from every pixel between than that end is. */
static void fill_run(const fill_work *work, candidate *stack, int32_t row, int32_t begin, int32_t end)
{
    int32_t *line = source_row(work, row);
    int32_t first = begin > 0 ? begin - 1 : begin;
    int32_t last = end < work->column_count ? end : end - 1;
    int32_t count = 0;
    for (int32_t column = first; column <= last; column++) {
        candidate next = {column, column < begin || column >= end ? row : line[column], first};
        if (next.row < 0) {
            continue;
        }
        int64_t change = first;
        while (count > 0) {
            change = find_change(stack[count - 1], next, row);
            if (change > stack[count - 1].start) {
                break;
            }
            change = first;
            count--;
        }
        if (change <= last) {
            next.start = (int32_t)change;
            stack[count++] = next;
        }
    }
    for (int32_t column = end - 1; column >= begin; column--) {
        while (count > 1 && stack[count - 1].start > column) {
            count--;
        }
        line[column] = count > 0 ? stack[count - 1].row * work->column_count + stack[count - 1].column : -1;
    }
}

static void fill_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    const fill_work *work = user;
    candidate *stack = work->stacks + (size_t)thread_index * (size_t)work->column_count;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; row++) {
        int32_t *line = source_row(work, row);
        int32_t column = 0;
        while (column < work->column_count) {
            int32_t run = column;
            while (run < work->column_count && is_empty(work, run, row)) {
                run++;
            }
            if (run > column) {
                fill_run(work, stack, row, column, run);
                column = run;
            } else {
                line[column] = row * work->column_count + column;
                column++;
            }
        }
    }
}

rcity_status rcity_nearest_given(rcity_context *context, int32_t column_count, int32_t row_count, size_t row_words,
                                 const uint64_t *empty, int32_t *source)
{
    RCITY_CHECK(context, (int64_t)column_count * row_count <= INT32_MAX, RCITY_ERR_ARGUMENT,
                "the raster has %d x %d pixels, a search for the nearest takes at most %d", (int)column_count,
                (int)row_count, (int)INT32_MAX);
    fill_work work = {column_count, row_count, row_words, empty, source, NULL};
    size_t thread_count = (size_t)rcity_context_thread_count(context);
    RCITY_TRY(rcity_alloc(context, thread_count * (size_t)column_count, sizeof *work.stacks,
                          "the search for the nearest pixels", &work.stacks));
    rcity_parallel(context, ((int64_t)column_count + WORD_BITS - 1) / WORD_BITS, 1, search_words, &work);
    rcity_parallel(context, row_count, 16, fill_rows, &work);
    rcity_release(context, work.stacks);
    return RCITY_OK;
}
