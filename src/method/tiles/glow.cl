/* OpenCL drivers of scattering: the tiles as sources, what arrives straight from them, and what is reflected. */
#include "kernel/tiles/tile_hit.h"

/* The tiles as sources: one work item for a tile. */
__kernel void rcity_tiles_glows(rcity_tile_glow_job job, long item_begin, long item_count,
                                __global const rcity_tile *tiles, __global const int *tile_face,
                                __global const rcity_tile_lit *lit, __global rcity_tile_glow *glows,
                                __global float *whole)
{
    long i = get_global_id(0);
    if (i < item_count) {
        int number = (int)(item_begin + i);
        long cells = (long)number * job.bounce.rough.depth_count * job.bounce.rough.cell_count;
        rcity_tile_glows_fill(job, tiles[number], number, tile_face[number] < job.bounce.rough_material_count,
                              lit + cells, glows, whole);
    }
}

#define STRAIGHT_ITEMS 64 /* of a work-group, at most */

/* All that a tile receives straight from others: one work-group for a tile. The matrix is symmetric. */
__kernel void rcity_tiles_straight(rcity_tile_echo_job job, long item_begin, long item_count,
                                   __global const rcity_tile *tiles, __global const ulong *row_first,
                                   __global const uint *chunk_end, __global const ushort *column,
                                   __global const rcity_tile_glow *glows, __global const float *whole,
                                   __global rcity_tile_sums *tile_sums, __local uint *words)
{
    __local long shared[8 * STRAIGHT_ITEMS];
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    int number = (int)(item_begin + get_group_id(0));
    rcity_tile_rows_view rows = {job.piece.chunk_count, row_first, chunk_end, column};
    rcity_tile_row row = rcity_tile_row_of(rows, number);
    rcity_tile target = tiles[number];
    rcity_tile_place_scale scale =
        rcity_tile_scale_of(job.glow.bounce.link, job.glow.bounce.gain, rcity_tile_centre(target));
    rcity_tile_units_of sum = rcity_tile_units_none();
    long count = 0;
    int chunk = 0;
    for (int i = lane; i < row.count; i += lane_count) {
        int from = rcity_tile_row_get(row, i, &chunk);
        if (whole[from] > 0.0f) {
            count += rcity_tile_straight_to_tile(job.glow, glows, tiles[from], from, target, scale, &sum);
        }
    }
    shared[8 * lane] = sum.power;
    shared[8 * lane + 1] = sum.isotropic;
    shared[8 * lane + 2] = sum.detour;
    shared[8 * lane + 3] = sum.detour_square;
    shared[8 * lane + 4] = sum.arrival[0];
    shared[8 * lane + 5] = sum.arrival[1];
    shared[8 * lane + 6] = sum.arrival[2];
    shared[8 * lane + 7] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int rest = lane_count / 2; rest > 0; rest /= 2) { /* a power of 2 */
        for (int k = lane; k < 8 * rest; k += lane_count) {
            shared[k] += shared[8 * rest + k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0 && shared[7] > 0) {
        sum.power = shared[0];
        sum.isotropic = shared[1];
        sum.detour = shared[2];
        sum.detour_square = shared[3];
        sum.arrival[0] = shared[4];
        sum.arrival[1] = shared[5];
        sum.arrival[2] = shared[6];
        rcity_tile_sums_add(&tile_sums[number], RCITY_TILE_SCATTERED, sum, shared[7]);
    }
}

/* All that a tile sends straight to receivers: one work-group for a tile. */
__kernel void rcity_tiles_straight_out(rcity_tile_glow_job job, long item_begin, long item_count,
                                       __global const rcity_tile *tiles, __global const ulong *view_first,
                                       __global const int *view_receiver, __global const float *receivers_m,
                                       __global const rcity_tile_glow *glows, __global const float *whole,
                                       __global rcity_tile_sums *receiver_sums, __local uint *words)
{
    int number = (int)(item_begin + get_group_id(0));
    if (!(whole[number] > 0.0f)) {
        return;
    }
    rcity_tile tile = tiles[number];
    ulong end = view_first[number + 1];
    for (ulong i = view_first[number] + get_local_id(0); i < end; i += get_local_size(0)) {
        int receiver = view_receiver[i];
        if (rcity_tile_view_is_beside(receiver)) {
            continue;
        }
        __global const float *at = receivers_m + 3 * (long)receiver;
        rcity_real3 to = rcity_real3_make(at[0], at[1], at[2]);
        rcity_tile_place_scale scale = rcity_tile_scale_of(job.bounce.link, job.bounce.gain, to);
        rcity_tile_units_of sum = rcity_tile_units_none();
        long count = rcity_tile_straight_to_place(job, glows, tile, number, to, scale, &sum);
        rcity_tile_sums_add(&receiver_sums[receiver], RCITY_TILE_SCATTERED, sum, count);
    }
}

/* Local memory: counts and a place. */
#define HIT_COUNT   0
#define HIT_PLACE   1
#define FRONT_COUNT 2
#define BACK_COUNT  3

/* A place in the device's list for `count` hits of each work item of a group; all of them at once. */
static uint reserve_hits(__local uint *words, uint count, __global uint *counts)
{
    uint at = count > 0 ? atomic_add(&words[HIT_COUNT], count) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint sum = words[HIT_COUNT];
        words[HIT_COUNT] = 0;
        words[HIT_PLACE] = sum > 0 ? atomic_add(&counts[RCITY_TILE_COUNT_HITS], sum) : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return words[HIT_PLACE] + at;
}

static void write_hit(uint place, uint capacity, int echo, int mirror, int target, __global rcity_tile_echo_hit *hits)
{
    if (place < capacity) {
        hits[place].echo = echo;
        hits[place].mirror = mirror;
        hits[place].target = target;
    }
}

/* 32 sources, or fewer, against one target: a bit for each that reaches it. */
static uint meet_word(__local const float4 *sources, uint count, rcity_tile_view view)
{
    uint word = 0;
    for (uint s = 0; s < count; s++) {
        float4 source = sources[s];
        word |= (uint)((view.u_high >= source.x) & (view.u_low < source.y) & (view.v_high >= source.z) &
                       (view.v_low < source.w))
                << s;
    }
    return word;
}

/* Sources of a group, and their numbers. Those whose reflections other tiles receive are first, those that are followed
   to receivers only are last. */
#define SOURCE_ROOM   512
#define WORDS_AT_ONCE 4

/* Sources begin to end - 1 against one target for each work item. */
static void meet_sources(__local uint *words, __local const float4 *sources, __local const int *numbers, uint begin,
                         uint end, rcity_tile_view view, int target, uint capacity, int mirror,
                         __global rcity_tile_echo_hit *hits, __global uint *counts)
{
    for (uint first = begin; first < end; first += 32 * WORDS_AT_ONCE) {
        uint found[WORDS_AT_ONCE];
        uint count = 0;
        for (uint k = 0; k < WORDS_AT_ONCE; k++) {
            uint at = first + 32 * k;
            found[k] = at < end ? meet_word(sources + at, min(end - at, 32u), view) : 0;
            count += popcount(found[k]);
        }
        uint place = reserve_hits(words, count, counts);
        for (uint k = 0; k < WORDS_AT_ONCE; k++) {
            for (uint word = found[k]; word != 0; word &= word - 1) {
                uint s = first + 32 * k + (31 - clz(word & (0u - word)));
                write_hit(place++, capacity, numbers[s], mirror, target, hits);
            }
        }
    }
}

/* One work-group for a tile that reflects: which of the tiles that it sees are mirrored in it, and which of them and of
   the receivers that it sees are reached. */
__kernel void rcity_tiles_mirror(rcity_tile_echo_job job, long item_begin, long item_count,
                                 __global rcity_tile_echo_hit *hits, __global uint *counts, __global long *effort,
                                 __global const rcity_tile *tiles, __global const float4 *centres,
                                 __global const ulong *row_first, __global const uint *chunk_end,
                                 __global const ushort *column, __global const ulong *view_first,
                                 __global const int *view_receiver, __global const float *receivers_m,
                                 __global const float *whole, __local uint *words)
{
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    int mirror = job.piece.first + (int)(item_begin + get_group_id(0));
    uint capacity = job.piece.capacity;
    __local float4 sources[SOURCE_ROOM];
    __local int numbers[SOURCE_ROOM];
    rcity_tile_rows_view rows = {job.piece.chunk_count, row_first, chunk_end, column};
    rcity_tile_row row = rcity_tile_row_of(rows, mirror);
    rcity_tile tile = tiles[mirror];
    rcity_tile_frame frame = rcity_tile_frame_make(tile);
    rcity_tile_limits limits = job.glow.bounce.limits;
    int follows = rcity_tile_glow_again_max(job.glow.bounce) > 1;
    __global const float *again = whole + job.glow.tile_count;
    ulong view_begin = view_first[mirror];
    int view_count = (int)(view_first[mirror + 1] - view_begin);
    rcity_tile_view nothing = {-RCITY_TILE_VIEW_NONE, RCITY_TILE_VIEW_NONE, -RCITY_TILE_VIEW_NONE,
                               RCITY_TILE_VIEW_NONE};
    long tests = 0;
    int source_chunk = 0;
    if (lane == 0) {
        words[HIT_COUNT] = 0;
    }
    for (int next = 0; next < row.count;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 0) {
            words[FRONT_COUNT] = 0;
            words[BACK_COUNT] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint front = 0;
        uint back = 0;
        for (; next < row.count && front + back + (uint)lane_count <= SOURCE_ROOM; next += lane_count) {
            if (next + lane < row.count) {
                int number = rcity_tile_row_get(row, next + lane, &source_chunk);
                float4 at = centres[number];
                if (rcity_tile_glow_goes_on(limits, again[number], at.x, at.y, at.z, tile.x, tile.y, tile.z)) {
                    int is_front = job.glow.bounce.keeps_tiles || (follows && again[job.glow.tile_count + number] > 0);
                    uint slot =
                        is_front ? atomic_inc(&words[FRONT_COUNT]) : SOURCE_ROOM - 1 - atomic_inc(&words[BACK_COUNT]);
                    rcity_tile_view view = rcity_tile_view_make(&frame, 1.0f, at.x, at.y, at.z);
                    sources[slot] = (float4)(-view.u_high, -view.u_low, -view.v_high, -view.v_low);
                    numbers[slot] = number;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            front = words[FRONT_COUNT];
            back = words[BACK_COUNT];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        int target_chunk = 0;
        int tile_count = front > 0 ? row.count : 0;
        for (int begin = 0; begin < tile_count + view_count; begin += lane_count) { /* tiles, then receivers */
            int i = begin + lane;
            int target = 0;
            rcity_tile_view view = nothing;
            if (i < tile_count) {
                target = rcity_tile_row_get(row, i, &target_chunk);
                float4 at = centres[target];
                view = rcity_tile_view_make(&frame, 1.0f, at.x, at.y, at.z);
            } else if (i < tile_count + view_count) {
                int receiver = view_receiver[view_begin + (ulong)(i - tile_count)];
                if (!rcity_tile_view_is_beside(receiver)) {
                    __global const float *at = receivers_m + 3 * (long)receiver;
                    view = rcity_tile_view_make(&frame, 1.0f, at[0], at[1], at[2]);
                    target = job.glow.tile_count + receiver;
                }
            }
            int has_receivers = begin + lane_count > tile_count;
            for (int part = 0; part < 1 + (has_receivers && back > 0); part++) {
                meet_sources(words, sources, numbers, part == 0 ? 0 : SOURCE_ROOM - back,
                             part == 0 ? front : SOURCE_ROOM, part == 1 && i < tile_count ? nothing : view, target,
                             capacity, mirror, hits, counts);
            }
        }
        tests += (long)front * (row.count + view_count) + (long)back * view_count;
    }
    if (lane == 0 && tests > 0) {
        rcity_global_add64(&effort[RCITY_TILE_EFFORT_TESTS], tests);
    }
}

/* One work-group for an echo that goes on: which tiles and receivers it reaches. */
__kernel void rcity_tiles_echo_scan(rcity_tile_echo_job job, long item_begin, long item_count,
                                    __global const rcity_tile_echo *echoes, __global rcity_tile_echo_hit *hits,
                                    __global uint *counts, __global long *effort, __global const rcity_tile *tiles,
                                    __global const float4 *centres, __global const ulong *row_first,
                                    __global const uint *chunk_end, __global const ushort *column,
                                    __global const ulong *view_first, __global const int *view_receiver,
                                    __global const float *receivers_m, __global const float *whole, __local uint *words)
{
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    uint capacity = job.piece.capacity;
    int number = job.piece.first + (int)(item_begin + get_group_id(0));
    rcity_tile_echo echo = echoes[number];
    int last = echo.event[echo.event_count - 1];
    rcity_tile_rows_view rows = {job.piece.chunk_count, row_first, chunk_end, column};
    rcity_tile_row row = rcity_tile_row_of(rows, last);
    rcity_tile_window window = rcity_tile_window_make(tiles[last], echo.sx, echo.sy, echo.sz);
    int again = echo.event_count + 1;
    int needs_tiles = job.glow.bounce.keeps_tiles || (again <= rcity_tile_glow_again_max(job.glow.bounce) &&
                                                      whole[(long)again * job.glow.tile_count + echo.source] > 0.0f);
    int tile_count = needs_tiles ? row.count : 0;
    ulong view_begin = view_first[last];
    int view_count = (int)(view_first[last + 1] - view_begin);
    if (lane == 0) {
        words[HIT_COUNT] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int chunk = 0;
    for (int first = 0; first < tile_count + view_count; first += 32 * lane_count) { /* tiles, then receivers */
        uint found = 0;
        for (int k = 0; k < 32; k++) {
            int i = first + k * lane_count + lane;
            if (i < tile_count) {
                float4 at = centres[rcity_tile_row_get(row, i, &chunk)];
                found |= (uint)rcity_tile_window_passes(&window, at.x, at.y, at.z) << k;
            } else if (i < tile_count + view_count) {
                int receiver = view_receiver[view_begin + (ulong)(i - tile_count)];
                __global const float *at = receivers_m + 3 * (long)rcity_tile_view_receiver(receiver);
                found |= (uint)(!rcity_tile_view_is_beside(receiver) &&
                                rcity_tile_window_passes(&window, at[0], at[1], at[2]))
                         << k;
            }
        }
        uint place = reserve_hits(words, popcount(found), counts);
        int found_chunk = 0;
        for (; found != 0; found &= found - 1) {
            int i = first + (int)(31 - clz(found & (0u - found))) * lane_count + lane;
            int target = i < tile_count ? rcity_tile_row_get(row, i, &found_chunk)
                                        : job.glow.tile_count + view_receiver[view_begin + (ulong)(i - tile_count)];
            write_hit(place++, capacity, number, -1, target, hits);
        }
    }
    if (lane == 0) {
        rcity_global_add64(&effort[RCITY_TILE_EFFORT_TESTS], (long)tile_count + view_count);
    }
}

__kernel void rcity_tiles_echo_arrive(rcity_tile_echo_job job, long item_begin, long item_count,
                                      __global const rcity_tile_echo *echoes, __global const rcity_tile_echo_hit *hits,
                                      __global uint *counts, __global rcity_tile_echo *next,
                                      __global const rcity_tile *tiles, __global const rcity_tile_edge *edges,
                                      __global const rcity_face *faces, __global const int *tile_face,
                                      __global const float *receivers_m, __global const rcity_tile_glow *glows,
                                      __global rcity_tile_sums *tile_sums, __global rcity_tile_sums *receiver_sums)
{
    __local uint shared[2];
    long i = get_global_id(0);
    int goes_on = 0;
    rcity_tile_echo echo;
    if (i < item_count) {
        rcity_tile_echo_hit hit = hits[job.piece.first + item_begin + i];
        rcity_tile_world world = {tiles, edges};
        rcity_tile_faces_table table = {faces, tile_face, tile_face, job.glow.bounce.link.wavenumber_per_m};
        echo = hit.mirror < 0 ? echoes[hit.echo] : rcity_tile_echo_first(job.glow, world, glows, hit.echo, hit.mirror);
        int receiver = hit.target - job.glow.tile_count;
        rcity_real3 to;
        if (receiver < 0) {
            to = rcity_tile_centre(tiles[hit.target]);
        } else {
            __global const float *at = receivers_m + 3 * (long)receiver;
            to = rcity_real3_make(at[0], at[1], at[2]);
        }
        if (receiver >= 0 || job.glow.bounce.keeps_tiles) {
            rcity_tile_place_scale scale = rcity_tile_scale_of(job.glow.bounce.link, job.glow.bounce.gain, to);
            (void)rcity_tile_echo_take(job.glow, world, table, glows, &echo, to, scale,
                                       receiver < 0 ? &tile_sums[hit.target] : &receiver_sums[receiver]);
        }
        goes_on = receiver < 0 && rcity_tile_echo_go_on(job.glow, world, glows, &echo, hit.target);
    }
    if (get_local_id(0) == 0) {
        shared[0] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint place = goes_on ? atomic_inc(&shared[0]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && shared[0] > 0) {
        shared[1] = atomic_add(&counts[RCITY_TILE_COUNT_NEXT], shared[0]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (goes_on) {
        next[shared[1] + place] = echo;
    }
}
