/* OpenCL drivers of the bounce loop: one work-group looks for what a tube reaches, one work item follows a ray. */
#include "kernel/tiles/tile_hit.h"
#include "kernel/tiles/tile_over.h"

__kernel void rcity_tiles_clear(int job, long item_begin, long item_count, __global uint *words)
{
    long i = get_global_id(0);
    if (i < item_count) {
        for (int k = 0; k < job; k++) { /* words of an element, side by side for neighbours */
            words[item_begin * job + k * item_count + i] = 0;
        }
    }
}

static void write_hit(uint place, uint capacity, int tube, int target, __global rcity_tile_hit *hits)
{
    if (place < capacity) {
        hits[place].tube = tube;
        hits[place].target = target;
    }
}

/* What a group looks through. */
typedef struct tube_look {
    rcity_tube tube;
    rcity_tile_aim aim;
    rcity_tile_row row, other; /* what is in the other row was found already; its count is -1 where there is none */
    ulong view_begin, view_end, other_begin, other_end;
} tube_look;

/* Tiles of the row, lane by lane, up to 32 for each before what was found is written. @return tests. */
static uint scan_tiles(const tube_look *look, int number, uint capacity, __global const float4 *centres,
                       __global rcity_tile_hit *hits, __global uint *counts)
{
    int lane_count = (int)get_local_size(0);
    int chunk = 0;
    uint tests = 0;
    for (int first = (int)get_local_id(0); first < look->row.count; first += 32 * lane_count) {
        uint found = 0;
        int begin_chunk = chunk;
        for (int k = 0; k < 32; k++) {
            int i = first + k * lane_count;
            if (i < look->row.count) {
                int tile = rcity_tile_row_get(look->row, i, &chunk);
                float4 at = centres[tile];
                if (rcity_tile_aim_reaches(&look->aim, at.x, at.y, at.z) &&
                    (look->other.count < 0 || !rcity_tile_row_has(look->other, tile))) {
                    found |= 1u << k;
                }
                tests++;
            }
        }
        uint place = found != 0 ? atomic_add(&counts[RCITY_TILE_COUNT_HITS], popcount(found)) : 0;
        for (; found != 0; found &= found - 1) {
            int i = first + (int)(31 - clz(found & (0u - found))) * lane_count;
            write_hit(place++, capacity, number, rcity_tile_row_get(look->row, i, &begin_chunk), hits);
        }
    }
    return tests;
}

/* The edges on the borders of the row's tiles. */
static uint scan_edges(const tube_look *look, int number, rcity_tile_piece piece, __global const rcity_tile_edge *edges,
                       __global const int *edge_first, __global const int *edge_of, __global rcity_tile_hit *hits,
                       __global uint *counts)
{
    int last = look->tube.event[look->tube.event_count - 1];
    int chunk = 0;
    uint tests = 0;
    for (int i = (int)get_local_id(0); i < look->row.count; i += (int)get_local_size(0)) {
        int tile = rcity_tile_row_get(look->row, i, &chunk);
        int end = edge_first[tile + 1];
        for (int k = edge_first[tile]; k < end; k++) {
            int edge_number = edge_of[k];
            rcity_tile_edge edge = edges[edge_number];
            rcity_real3 middle = rcity_tile_edge_middle(edge);
            if (~edge_number != last && rcity_tile_aim_reaches(&look->aim, middle.x, middle.y, middle.z) &&
                rcity_tile_edge_is_due(edge, tile, look->row, look->other)) {
                write_hit(atomic_inc(&counts[RCITY_TILE_COUNT_HITS]), piece.capacity, number,
                          piece.tile_count + edge_number, hits);
            }
            tests++;
        }
    }
    return tests;
}

static uint scan_receivers(const tube_look *look, int number, rcity_tile_piece piece, __global const int *view_receiver,
                           __global const float *receivers_m, __global rcity_tile_hit *hits, __global uint *counts)
{
    uint tests = 0;
    for (ulong i = look->view_begin + get_local_id(0); i < look->view_end; i += get_local_size(0)) {
        int receiver = rcity_tile_view_receiver(view_receiver[i]);
        __global const float *at = receivers_m + 3 * (long)receiver;
        if (rcity_tile_aim_reaches(&look->aim, at[0], at[1], at[2]) &&
            !rcity_tile_views_have(view_receiver, look->other_begin, look->other_end, receiver)) {
            write_hit(atomic_inc(&counts[RCITY_TILE_COUNT_HITS]), piece.capacity, number,
                      piece.tile_count + piece.edge_count + receiver, hits);
        }
        tests++;
    }
    return tests;
}

/* What lies on a face of the last edge, beside `parent`: its tiles do not see each other, but the edge sees them along
   it. Edges may have been found on the border of a tile in one of both rows. */
static uint scan_face(const tube_look *look, int number, int parent, rcity_tile_bounce bounce, rcity_tile_piece piece,
                      __global const rcity_tile *tiles, __global const rcity_tile_edge *edges,
                      __global const int *edge_first, __global const int *edge_of, __global const int *surface_rows,
                      __global rcity_tile_hit *hits, __global uint *counts)
{
    int surface = parent >= 0 ? tiles[parent].surface : RCITY_TILE_TERRAIN;
    int needs_tiles = rcity_tube_needs_tiles(bounce, &look->tube);
    int needs_edges = rcity_tube_may_diffract(bounce.limits, &look->tube);
    int last = look->tube.event[look->tube.event_count - 1];
    int end = surface == RCITY_TILE_TERRAIN ? 0 : surface_rows[surface + 1];
    int begin = surface == RCITY_TILE_TERRAIN ? 0 : surface_rows[surface];
    uint tests = 0;
    for (int i = begin + (int)get_local_id(0); i < end; i += (int)get_local_size(0)) {
        int tile = surface_rows[i];
        rcity_tile at = tiles[tile];
        if (needs_tiles && rcity_tile_aim_reaches(&look->aim, at.x, at.y, at.z)) {
            write_hit(atomic_inc(&counts[RCITY_TILE_COUNT_HITS]), piece.capacity, number, tile, hits);
        }
        tests++;
        int edge_end = needs_edges ? edge_first[tile + 1] : 0;
        for (int k = needs_edges ? edge_first[tile] : 0; k < edge_end; k++) {
            int edge_number = edge_of[k];
            rcity_tile_edge edge = edges[edge_number];
            rcity_real3 middle = rcity_tile_edge_middle(edge);
            if (~edge_number != last && rcity_tile_aim_reaches(&look->aim, middle.x, middle.y, middle.z) &&
                !rcity_tile_edge_is_in_row(edge, look->row) && !rcity_tile_edge_is_in_row(edge, look->other)) {
                write_hit(atomic_inc(&counts[RCITY_TILE_COUNT_HITS]), piece.capacity, number,
                          piece.tile_count + edge_number, hits);
            }
            tests++;
        }
    }
    return tests;
}

__kernel void rcity_tiles_scan(rcity_tile_bounce_job job, long item_begin, long item_count,
                               __global const rcity_tube *tubes, __global rcity_tile_hit *hits, __global uint *counts,
                               __global long *effort, __global const rcity_tile *tiles,
                               __global const rcity_tile_edge *edges, __global const int *edge_first,
                               __global const int *edge_of, __global const float4 *centres,
                               __global const ulong *row_first, __global const uint *chunk_end,
                               __global const ushort *column, __global const ulong *view_first,
                               __global const int *view_receiver, __global const float *receivers_m,
                               __global const int *surface_rows, __local uint *words)
{
    int number = job.piece.first + (int)(item_begin + get_group_id(0));
    tube_look look;
    look.tube = tubes[number];
    int last = look.tube.event[look.tube.event_count - 1];
    int needs_edges = rcity_tube_may_diffract(job.bounce.limits, &look.tube);
    rcity_tile_rows_view rows = {job.piece.chunk_count, row_first, chunk_end, column};
    rcity_tile_rows_pair pair = {{last, -1}};
    if (rcity_event_is_edge(last)) {
        pair = rcity_tile_rows_of_edge(edges[~last]);
    }
    look.aim = rcity_tile_aim_make(&look.tube, tiles[pair.tile[0]]);
    look.row.count = -1;
    look.view_begin = look.view_end = 0;
    uint tests = 0;
    for (int parent = 0; parent < 2; parent++) {
        int row_tile = pair.tile[parent];
        if (row_tile >= 0) {
            look.other = look.row;
            look.other_begin = look.view_begin;
            look.other_end = look.view_end;
            look.row = rcity_tile_row_of(rows, row_tile);
            look.view_begin = view_first[row_tile];
            look.view_end = view_first[row_tile + 1];
            if (rcity_tube_needs_tiles(job.bounce, &look.tube)) {
                tests += scan_tiles(&look, number, job.piece.capacity, centres, hits, counts);
            }
            if (needs_edges) {
                tests += scan_edges(&look, number, job.piece, edges, edge_first, edge_of, hits, counts);
            }
            tests += scan_receivers(&look, number, job.piece, view_receiver, receivers_m, hits, counts);
        }
    }
    for (int parent = 0; parent < 2 && rcity_event_is_edge(last); parent++) {
        tests += scan_face(&look, number, pair.tile[parent], job.bounce, job.piece, tiles, edges, edge_first, edge_of,
                           surface_rows, hits, counts);
    }
    if (get_local_id(0) == 0) {
        words[0] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_local_add(&words[0], tests);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        rcity_global_add64(&effort[RCITY_TILE_EFFORT_TESTS], (long)words[0]);
    }
}

/* A ray at a tile: sums, what the tile will scatter; both only of a free ray. @return 1 where it is reflected on, into
   `tube`: where its path to the tile's centre is blocked, those to places beside it may be free. */
static int take_tile(rcity_tile_bounce bounce, rcity_tile_world world, rcity_tile_faces_table table, int number,
                     int is_free, const rcity_tile_arrival *ray, __global rcity_tile_sums *tile_sums,
                     __global rcity_tile_lit *lit, rcity_tube *tube)
{
    rcity_tile tile = world.tiles[number];
    int face = table.tile_face[number];
    int collects = face < bounce.rough_material_count && tube->event_count < bounce.limits.max_bounces;
    if (is_free && (bounce.keeps_tiles || collects)) {
        rcity_tile_place_scale scale = rcity_tile_scale_of(bounce.link, bounce.gain, rcity_tile_centre(tile));
        if (bounce.keeps_tiles) {
            rcity_tile_sums_add_ray(&tile_sums[number], scale, rcity_tube_class(tube), ray);
        }
        if (collects) {
            long cells = ((long)number * bounce.rough.depth_count + tube->event_count) * bounce.rough.cell_count;
            rcity_tile_light(bounce, table.faces[face], tile, scale, ray, lit + cells);
        }
    }
    if (!rcity_tube_may_reflect(bounce.limits, tube) || !rcity_tile_ray_goes_on(bounce.limits, ray) ||
        rcity_tube_comes_along(world, tube, tile)) {
        return 0;
    }
    *tube = rcity_tube_reflect(*tube, tile, number);
    return 1;
}

__kernel void rcity_tiles_arrive(rcity_tile_bounce_job job, long item_begin, long item_count,
                                 __global const rcity_tube *tubes, __global const rcity_tile_hit *hits,
                                 __global uint *counts, __global const uchar *free_legs, __global rcity_tube *next,
                                 __global const rcity_tile *tiles, __global const rcity_tile_edge *edges,
                                 __global const rcity_face *faces,
                                 __global const int *tile_face, __global const int *edge_face,
                                 __global const float *antenna, __global const float *receivers_m,
                                 __global rcity_tile_sums *tile_sums, __global rcity_tile_sums *receiver_sums,
                                 __global rcity_tile_lit *lit)
{
    __local uint shared[2];
    long i = get_global_id(0);
    int goes_on = 0;
    rcity_tube tube;
    if (i < item_count) {
        rcity_tile_hit hit = hits[job.piece.first + item_begin + i];
        rcity_tile_world world = {tiles, edges};
        rcity_tile_faces_table table = {faces, tile_face, edge_face, job.bounce.link.wavenumber_per_m};
        rcity_tile_arrival ray;
        int edge = hit.target - job.piece.tile_count;
        int receiver = edge - job.piece.edge_count;
        int is_free = !job.has_legs || free_legs[item_begin + i];
        tube = tubes[hit.tube];
        rcity_real3 to;
        if (edge < 0) {
            to = rcity_tile_centre(tiles[hit.target]);
        } else if (receiver < 0) {
            to = rcity_tile_edge_middle(edges[edge]);
        } else {
            to = rcity_real3_make(receivers_m[3 * (long)receiver], receivers_m[3 * (long)receiver + 1],
                                  receivers_m[3 * (long)receiver + 2]);
        }
        if ((is_free || receiver < 0) &&
            rcity_tile_arrive(world, table, job.bounce.link, antenna, &tube, to, receiver < 0, &ray)) {
            if (edge < 0) {
                goes_on =
                    take_tile(job.bounce, world, table, hit.target, is_free, &ray, tile_sums, lit, &tube);
            } else if (receiver < 0) {
                goes_on = rcity_tile_ray_goes_on(job.bounce.limits, &ray);
                if (goes_on) {
                    tube = rcity_tube_diffract(tube, edges[edge], edge);
                }
            } else {
                rcity_tile_sums_add_ray(&receiver_sums[receiver],
                                        rcity_tile_scale_of(job.bounce.link, job.bounce.gain, to),
                                        rcity_tube_class(&tube), &ray);
            }
        }
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
        next[shared[1] + place] = tube;
    }
}

/* What a path over roofs brings: one work item for a target. */
__kernel void rcity_tiles_over(rcity_tile_glow_job job, long item_begin, long item_count, __global const int *list,
                               __global const rcity_tile_roof_path *paths, __global const rcity_tile *tiles,
                               __global const int *tile_face, __global const rcity_face *faces,
                               __global const float *antenna, __global const float *receivers_m,
                               __global rcity_tile_sums *tile_sums, __global rcity_tile_sums *receiver_sums,
                               __global rcity_tile_lit *lit)
{
    long i = get_global_id(0);
    rcity_tile_over over;
    if (i >= item_count || !rcity_tile_over_make(job.bounce, antenna, paths[item_begin + i], &over)) {
        return;
    }
    int target = list[item_begin + i];
    if (target >= job.tile_count) {
        int receiver = target - job.tile_count;
        __global const float *at = receivers_m + 3 * (long)receiver;
        rcity_tile_over_add(
            &receiver_sums[receiver],
            rcity_tile_scale_of(job.bounce.link, job.bounce.gain, rcity_real3_make(at[0], at[1], at[2])), &over,
            job.rx_share[0], job.rx_share[1]);
        return;
    }
    rcity_tile tile = tiles[target];
    rcity_tile_place_scale scale = rcity_tile_scale_of(job.bounce.link, job.bounce.gain, rcity_tile_centre(tile));
    if (job.bounce.keeps_tiles) {
        rcity_tile_over_add(&tile_sums[target], scale, &over, job.rx_share[0], job.rx_share[1]);
    }
    int face = tile_face[target];
    if (face < job.bounce.rough_material_count) {
        long cells = (long)target * job.bounce.rough.depth_count * job.bounce.rough.cell_count;
        rcity_tile_over_light(job.bounce, faces[face], tile, scale, &over, lit + cells);
    }
}
