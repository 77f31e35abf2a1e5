/* Reflections of what tiles scatter, level by level: the first ones by the tile that reflects, with all that it sees as
   sources and as targets; the others by their last tile, echoes of one tile together. Lists are worked off in pieces. */
#include <string.h>

#include "base/parallel.h"
#include "method/tiles/tiles_glow.h"

#define PIECE       16                /* tiles of one thread at a time */
#define FIRST_PIECE 256               /* tiles whose echoes are listed together, at first */
#define LIST_COUNT  ((size_t)1 << 20) /* echoes that a list shall have at most */

/* Echoes in the order of their last tiles. */
typedef struct echo_level {
    rcity_tiles_glow_work *glow;
    rcity_tiles_echoes list;
    int64_t group_count;
    int64_t *group_first; /* of each group of one last tile; one more at the end */
    int64_t begin;        /* groups or tiles that are done before */
} echo_level;

static void keep(rcity_tiles_glow_work *glow, rcity_tiles_glower *glower, const rcity_tile_echo *echo)
{
    rcity_tiles_echoes *found = &glower->found;
    if (glower->status == RCITY_OK) {
        glower->status = rcity_reserve(glow->run->context, found->count + 1, sizeof *found->echoes, &found->capacity,
                                       "scattering", &found->echoes);
    }
    if (glower->status == RCITY_OK) {
        found->echoes[found->count++] = *echo;
    }
}

/* An echo reaches a tile or a receiver. */
static void take(rcity_tiles_glow_work *glow, rcity_tiles_glower *glower, rcity_tile_echo echo, int32_t target)
{
    const rcity_tiles_run *run = glow->run;
    int32_t receiver = target - glow->job.tile_count;
    if (receiver >= 0) {
        const float *at = &run->prepared->receivers.xyz_m[3 * (int64_t)receiver];
        glower->ray_count += rcity_tile_echo_take(glow->job, run->tiles, run->table, glow->glows, &echo,
                                                  rcity_real3_make(at[0], at[1], at[2]), run->receiver_scale[receiver],
                                                  &run->receiver_sums[receiver]);
        return;
    }
    if (run->tile_sums != NULL) {
        glower->ray_count += rcity_tile_echo_take(glow->job, run->tiles, run->table, glow->glows, &echo,
                                                  rcity_tile_centre(run->tiles.tiles[target]), run->tile_scale[target],
                                                  &run->tile_sums[target]);
    }
    if (rcity_tile_echo_go_on(glow->job, run->tiles, glow->glows, &echo, target)) {
        keep(glow, glower, &echo);
    }
}

/* May a source have reflections at other tiles that anyone asks for, after `again` of them? */
static bool needs_tiles(const rcity_tiles_glow_work *glow, int32_t again, int32_t source)
{
    return glow->run->tile_sums != NULL || (again < rcity_tile_glow_again_max(glow->run->bounce) &&
                                            glow->whole[(int64_t)(again + 1) * glow->job.tile_count + source] > 0.0f);
}

/* All that a tile sees, mirrored in it. */
static void reflect_first(rcity_tiles_glow_work *glow, rcity_tiles_glower *glower, int32_t number)
{
    const rcity_tiles_run *run = glow->run;
    rcity_tile_outlook *outlook = &glower->outlook;
    rcity_tile at = run->tiles.tiles[number];
    const float *whole = glow->whole + glow->job.tile_count;
    bool is_filled = false;
    const rcity_tile_matrix *matrix = run->prepared->matrix;
    rcity_tile_row row = rcity_tile_row_of(
        (rcity_tile_rows_view){matrix->chunk_count, matrix->row_first, matrix->chunk_end, matrix->column}, number);
    int32_t chunk = 0;
    for (int32_t s = 0; s < row.count; s++) {
        int32_t source = rcity_tile_row_get(row, s, &chunk);
        rcity_tile from = run->tiles.tiles[source];
        if (!rcity_tile_glow_goes_on(run->bounce.limits, whole[source], from.x, from.y, from.z, at.x, at.y, at.z)) {
            continue;
        }
        if (!is_filled) {
            rcity_tile_outlook_fill(outlook, run->prepared, number);
            is_filled = true;
        }
        int32_t begin = needs_tiles(glow, 1, source) ? 0 : outlook->tile_count;
        rcity_tile_outlook_meet(outlook, rcity_tile_outlook_view(outlook, s), begin, outlook->count);
        glower->test_count += outlook->count - begin;
        int32_t i = rcity_tile_outlook_next(outlook, begin, outlook->count);
        if (i < outlook->count) {
            rcity_tile_echo echo = rcity_tile_echo_first(glow->job, run->tiles, glow->glows, source, number);
            for (; i < outlook->count; i = rcity_tile_outlook_next(outlook, i + 1, outlook->count)) {
                take(glow, glower, echo, outlook->target[i]);
            }
        }
    }
}

/* An rcity_parallel_function over tiles. */
static void reflect_tiles(void *user, int64_t begin, int64_t end, int thread_index)
{
    const echo_level *level = user;
    for (int64_t i = begin; i < end; i++) {
        reflect_first(level->glow, &level->glow->glowers[thread_index], (int32_t)(level->begin + i));
    }
}

/* Echoes of one last tile. */
static void reflect_group(rcity_tiles_glow_work *glow, rcity_tiles_glower *glower, const rcity_tile_echo *echoes,
                          int64_t count)
{
    rcity_tile_outlook *outlook = &glower->outlook;
    rcity_tile_outlook_fill(outlook, glow->run->prepared, echoes->event[echoes->event_count - 1]);
    for (int64_t k = 0; k < count; k++) {
        const rcity_tile_echo *echo = &echoes[k];
        rcity_tile_view source = rcity_tile_view_make(&outlook->frame, -1.0f, echo->sx, echo->sy, echo->sz);
        int32_t begin = needs_tiles(glow, echo->event_count, echo->source) ? 0 : outlook->tile_count;
        rcity_tile_outlook_meet(outlook, source, begin, outlook->count);
        glower->test_count += outlook->count - begin;
        for (int32_t i = rcity_tile_outlook_next(outlook, begin, outlook->count); i < outlook->count;
             i = rcity_tile_outlook_next(outlook, i + 1, outlook->count)) {
            take(glow, glower, *echo, outlook->target[i]);
        }
    }
}

/* An rcity_parallel_function over groups. */
static void reflect_groups(void *user, int64_t begin, int64_t end, int thread_index)
{
    const echo_level *level = user;
    for (int64_t i = level->begin + begin; i < level->begin + end; i++) {
        reflect_group(level->glow, &level->glow->glowers[thread_index], level->list.echoes + level->group_first[i],
                      level->group_first[i + 1] - level->group_first[i]);
    }
}

static int32_t last_tile(const rcity_tile_echo *echo)
{
    return echo->event[echo->event_count - 1];
}

/* The echoes that the threads have found, sorted by their last tiles. */
static rcity_status sort_echoes(echo_level *level)
{
    rcity_tiles_glow_work *glow = level->glow;
    rcity_context *context = glow->run->context;
    int64_t tiles = glow->job.tile_count;
    int64_t *place = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)tiles + 1, sizeof *place, "scattering", &place));
    for (int t = 0; t < glow->thread_count; t++) {
        const rcity_tiles_echoes *found = &glow->glowers[t].found;
        level->list.count += found->count;
        for (size_t i = 0; i < found->count; i++) {
            place[last_tile(&found->echoes[i])]++;
        }
    }
    for (int64_t i = 0; i < tiles; i++) {
        level->group_count += place[i] > 0;
    }
    RCITY_TRY_DONE(
        rcity_alloc(context, level->list.count + 1, sizeof *level->list.echoes, "scattering", &level->list.echoes));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)level->group_count + 1, sizeof *level->group_first, "scattering",
                               &level->group_first));
    int64_t sum = 0;
    int64_t group = 0;
    for (int64_t i = 0; i < tiles; i++) {
        int64_t count = place[i];
        place[i] = sum;
        if (count > 0) {
            level->group_first[group++] = sum;
        }
        sum += count;
    }
    level->group_first[group] = sum;
    for (int t = 0; t < glow->thread_count; t++) {
        rcity_tiles_echoes *found = &glow->glowers[t].found;
        for (size_t i = 0; i < found->count; i++) {
            level->list.echoes[place[last_tile(&found->echoes[i])]++] = found->echoes[i];
        }
        found->count = 0;
    }
done:
    rcity_release(context, place);
    return status;
}

static rcity_status work_off(rcity_tiles_glow_work *glow, int level);

/* Do tiles or groups in pieces, each with all that follows from it, so that lists stay short. */
static rcity_status do_pieces(echo_level *level, int64_t count, rcity_parallel_function function, int number)
{
    rcity_tiles_glow_work *glow = level->glow;
    int64_t piece = FIRST_PIECE;
    for (int64_t done = 0; done < count;) {
        size_t found = 0;
        piece = count - done < piece ? count - done : piece;
        level->begin = done;
        if (number == 0) {
            RCITY_TRY(rcity_progress(glow->run->context, "scattering", (double)done, (double)count));
        }
        rcity_parallel(glow->run->context, piece, PIECE, function, level);
        for (int t = 0; t < glow->thread_count; t++) {
            RCITY_TRY(glow->glowers[t].status);
            found += glow->glowers[t].found.count;
        }
        if (found > 0) {
            RCITY_TRY(work_off(glow, number + 1));
        }
        done += piece;
        if (found > LIST_COUNT && piece > 1) {
            piece /= 2;
        } else if (found < LIST_COUNT / 4) {
            piece *= 2;
        }
    }
    return RCITY_OK;
}

/* The echoes that were found, to their end. */
static rcity_status work_off(rcity_tiles_glow_work *glow, int level_number)
{
    echo_level level = {.glow = glow};
    rcity_status status;
    RCITY_TRY_DONE(sort_echoes(&level));
    RCITY_TRY_DONE(do_pieces(&level, level.group_count, reflect_groups, level_number));
done:
    rcity_release(glow->run->context, level.group_first);
    rcity_release(glow->run->context, level.list.echoes);
    return status;
}

rcity_status rcity_tiles_follow_echoes(rcity_tiles_glow_work *glow)
{
    echo_level level = {.glow = glow};
    if (rcity_tile_glow_again_max(glow->run->bounce) < 1) {
        return RCITY_OK;
    }
    return do_pieces(&level, glow->job.tile_count, reflect_tiles, 0);
}
