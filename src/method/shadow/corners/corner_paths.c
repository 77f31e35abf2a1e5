/* Threads share the rows. Paths are counted first, so that each row knows where its paths begin; then they are made
   word by word, so that they are in the order of their pixels. */
#include "method/shadow/corners/corner_paths.h"

#include <math.h>

#include "base/lane_math.h"
#include "base/parallel.h"

#define WORD_BITS  64
#define PIECE_ROWS 4 /* that a thread takes at a time */

/* A chain that reaches pixels of a word. */
typedef struct visible_chain {
    uint64_t bits;
    int32_t node;
} visible_chain;

typedef struct path_work {
    const rcity_los_plane *plane;
    rcity_grid_point3 source;
    const uint64_t *visible;
    const rcity_corner_sight *sights;
    rcity_corner_paths *corner_paths;
    size_t *row_first;      /* index of each row's first path, and one more */
    visible_chain *scratch; /* room for all chains, for each thread */
} path_work;

static uint64_t bits_of(const path_work *work, size_t node, size_t word)
{
    const rcity_corner_sight *sight = &work->sights[node];
    uint64_t seen = work->visible[word] | (sight->before != NULL ? sight->before[word] : 0);
    return sight->last[word] & ~seen;
}

/* An rcity_parallel_function. Machines with wide registers also count bits in one instruction. */
RCITY_WIDE static void count_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const path_work *work = user;
    size_t words = work->plane->row_words;
    for (int64_t row = begin; row < end; row++) {
        size_t count = 0;
        for (size_t node = 0; node < work->corner_paths->node_count; node++) {
            for (size_t word = (size_t)row * words; word < ((size_t)row + 1) * words; word++) {
                count += (size_t)__builtin_popcountll(bits_of(work, node, word));
            }
        }
        work->row_first[row + 1] = count;
    }
}

/* The chains that reach pixels of a word, and how many reach each pixel. */
static size_t list_chains(const path_work *work, size_t word, visible_chain *chains, uint32_t *counts)
{
    size_t count = 0;
    for (size_t node = 0; node < work->corner_paths->node_count; node++) {
        uint64_t bits = bits_of(work, node, word);
        if (bits != 0) {
            chains[count++] = (visible_chain){bits, (int32_t)node};
            for (; bits != 0; bits &= bits - 1) {
                counts[__builtin_ctzll(bits)]++;
            }
        }
    }
    return count;
}

/* Pixels of a word that a chain reaches: from their positions to paths. */
typedef struct lanes {
    int32_t count;
    int32_t bit[WORD_BITS];
    float dx_m[WORD_BITS], rise_m[WORD_BITS];
    float angle_rad[WORD_BITS], log_distance[WORD_BITS], log_length[WORD_BITS], slope[WORD_BITS];
    float grazing_root_m[WORD_BITS], pair_m[WORD_BITS], street[WORD_BITS];
} lanes;

static void gather(const path_work *work, visible_chain chain, int32_t row, int32_t first_column, lanes *to)
{
    const rcity_los_plane *plane = work->plane;
    const rcity_corner_node *node = &work->corner_paths->nodes[chain.node];
    const float unit_m = 1.0f / (float)plane->shapes->units_per_m;
    to->count = 0;
    for (uint64_t bits = chain.bits; bits != 0; bits &= bits - 1) {
        int32_t bit = __builtin_ctzll(bits);
        int32_t rise = rcity_los_plane_pixel(plane, first_column + bit, row).z - work->source.z;
        to->bit[to->count] = bit;
        to->dx_m[to->count] = (float)(plane->x[first_column + bit] - node->at.x) * unit_m;
        to->rise_m[to->count++] = (float)rise / (float)RCITY_HEIGHT_UNITS_PER_M;
    }
}

/* rcity_corner_path_make() for all of them; the compiler vectorizes it. */
RCITY_WIDE static void measure(const rcity_corner_leg *leg, float dy_m, lanes *pixels)
{
    for (int32_t i = 0; i < pixels->count; i++) {
        float dx_m = pixels->dx_m[i];
        float next_m = sqrtf(dx_m * dx_m + dy_m * dy_m);
        next_m = next_m > RCITY_CORNER_LEG_MIN_M ? next_m : RCITY_CORNER_LEG_MIN_M;
        float plan_m = leg->length_m + next_m;
        float across = leg->dx * dy_m - leg->dy * dx_m;
        across = across < 0.0f ? -across : across;
        float along = leg->dx * dx_m + leg->dy * dy_m;
        float distance_m = leg->leg_m * next_m / (leg->leg_m + next_m);
        pixels->angle_rad[i] = rcity_lane_angle(across, along);
        pixels->log_distance[i] = rcity_lane_log10(distance_m);
        pixels->street[i] = rcity_corner_street(pixels->log_distance[i], pixels->angle_rad[i]);
        pixels->grazing_root_m[i] = rcity_corner_grazing(along, across, next_m, distance_m);
        pixels->log_length[i] = 0.5f * rcity_lane_log10(plan_m * plan_m + pixels->rise_m[i] * pixels->rise_m[i]);
        pixels->slope[i] = pixels->rise_m[i] / plan_m;
        pixels->pair_m[i] = rcity_corner_leg_pair(leg);
    }
}

/* rcity_corner_pair() for all of them, likewise. */
static void measure_pairs(rcity_corner_leg leg, float dy_m, lanes *pixels)
{
    for (int32_t i = 0; i < pixels->count; i++) {
        float dx_m = pixels->dx_m[i];
        float next_m = sqrtf(dx_m * dx_m + dy_m * dy_m);
        next_m = next_m > RCITY_CORNER_LEG_MIN_M ? next_m : RCITY_CORNER_LEG_MIN_M;
        rcity_corner_pair(&leg, dx_m, dy_m, next_m, &pixels->grazing_root_m[i], &pixels->pair_m[i]);
    }
}

/* The paths of one chain to the pixels of a word; `next` is the index of each pixel's next path. */
static void make_paths(const path_work *work, visible_chain chain, int32_t row, int32_t first_column, size_t *next)
{
    const rcity_los_plane *plane = work->plane;
    const rcity_corner_node *node = &work->corner_paths->nodes[chain.node];
    rcity_corner_leg leg = rcity_corner_node_leg(node);
    lanes pixels;
    gather(work, chain, row, first_column, &pixels);
    float dy_m = (float)(plane->y[row] - node->at.y) / (float)plane->shapes->units_per_m;
    measure(&leg, dy_m, &pixels);
    if (rcity_corner_leg_is_second(&leg)) {
        measure_pairs(leg, dy_m, &pixels);
    }
    for (int32_t i = 0; i < pixels.count; i++) {
        work->corner_paths->paths[next[pixels.bit[i]]++] =
            (rcity_chain_path){chain.node,      pixels.angle_rad[i],      pixels.log_distance[i], pixels.log_length[i],
                               pixels.slope[i], pixels.grazing_root_m[i], pixels.pair_m[i],       pixels.street[i]};
    }
}

/* An rcity_parallel_function. */
static void fill_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    const path_work *work = user;
    const rcity_los_plane *plane = work->plane;
    visible_chain *chains = work->scratch + (size_t)thread_index * work->corner_paths->node_count;
    for (int32_t row = (int32_t)begin; row < end; row++) {
        size_t path = work->row_first[row];
        for (size_t word = 0; word < plane->row_words; word++) {
            int32_t first_column = (int32_t)(word * WORD_BITS);
            uint32_t counts[WORD_BITS] = {0};
            size_t next[WORD_BITS];
            size_t *first =
                work->corner_paths->first + (size_t)row * (size_t)plane->column_count + (size_t)first_column;
            size_t chain_count = list_chains(work, (size_t)row * plane->row_words + word, chains, counts);
            for (int32_t i = 0; i < WORD_BITS && first_column + i < plane->column_count; i++) {
                first[i] = path;
                next[i] = path;
                path += counts[i];
            }
            for (size_t i = 0; i < chain_count; i++) {
                make_paths(work, chains[i], row, first_column, next);
            }
        }
    }
}

rcity_status rcity_corner_paths_make(rcity_context *context, const rcity_los_plane *plane, rcity_grid_point3 source,
                                     const uint64_t *visible, const rcity_corner_sight *sights,
                                     rcity_corner_paths *corner_paths)
{
    size_t rows = (size_t)plane->row_count;
    size_t pixels = rows * (size_t)plane->column_count;
    size_t thread_count = (size_t)rcity_context_thread_count(context);
    const char *what = "paths around corners";
    path_work work = {plane, source, visible, sights, corner_paths, NULL, NULL};
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, rows + 1, sizeof *work.row_first, what, &work.row_first));
    RCITY_TRY_DONE(
        rcity_alloc(context, thread_count * (corner_paths->node_count + 1), sizeof *work.scratch, what, &work.scratch));
    rcity_parallel(context, (int64_t)rows, PIECE_ROWS, count_rows, &work);
    for (size_t row = 0; row < rows; row++) {
        work.row_first[row + 1] += work.row_first[row];
    }
    corner_paths->path_count = work.row_first[rows];
    RCITY_TRY_DONE(rcity_reserve(context, pixels + 1, sizeof *corner_paths->first, &corner_paths->first_capacity, what,
                                 &corner_paths->first));
    RCITY_TRY_DONE(rcity_reserve(context, corner_paths->path_count, sizeof *corner_paths->paths,
                                 &corner_paths->path_capacity, what, &corner_paths->paths));
    rcity_parallel(context, (int64_t)rows, PIECE_ROWS, fill_rows, &work);
    corner_paths->first[pixels] = corner_paths->path_count;
done:
    rcity_release(context, work.scratch);
    rcity_release(context, work.row_first);
    return status;
}
