/* Scanning the rows of the visibility matrix. */
#include "method/tiles/tile_scan.h"

/* What a scan looks through: the row of a tile, or the rows of both parents of an edge. */
typedef struct scan_run {
    rcity_tile_scan *scan;
    const rcity_tube *tube;
    const rcity_tile_takers *takers;
    rcity_tile_aim aim;
    int32_t other;            /* the parent whose row was looked through already; -1: none */
    rcity_tile_row other_row; /* count -1: none */
    rcity_tile_row own_row;   /* of the second parent of an edge; count -1: none */
} scan_run;

/* Entries of a row: part of a chunk. */
typedef struct scan_part {
    const uint16_t *column;
    int32_t count, base;
} scan_part;

static scan_part row_part(const rcity_tile_matrix *matrix, int32_t row, int32_t chunk)
{
    const uint32_t *end = matrix->chunk_end + (size_t)row * (size_t)matrix->chunk_count;
    uint32_t begin = chunk > 0 ? end[chunk - 1] : 0;
    return (scan_part){matrix->column + matrix->row_first[row] + begin, (int32_t)(end[chunk] - begin),
                       chunk * RCITY_TILE_CHUNK};
}

static rcity_tile_row row_of(const rcity_tile_matrix *matrix, int32_t row)
{
    return rcity_tile_row_of(
        (rcity_tile_rows_view){matrix->chunk_count, matrix->row_first, matrix->chunk_end, matrix->column}, row);
}

/* rcity_tile_aim_reaches() for many places. */
RCITY_WIDE static void pass_window(const rcity_tile_window *at, const uint16_t *column, int32_t count, const float *x,
                                   const float *y, const float *z, uint8_t *flags)
{
    const rcity_tile_window window = *at;
    for (int32_t i = 0; i < count; i++) {
        int32_t k = column[i];
        flags[i] = (uint8_t)rcity_tile_window_passes(&window, x[k], y[k], z[k]);
    }
}

RCITY_WIDE static void pass_edge(const rcity_tile_cone *at, const uint16_t *column, int32_t count, const float *x,
                                 const float *y, const float *z, uint8_t *flags)
{
    const rcity_tile_cone cone = *at;
    for (int32_t i = 0; i < count; i++) {
        int32_t k = column[i];
        flags[i] = (uint8_t)rcity_tile_cone_reaches(&cone, x[k], y[k], z[k]);
    }
}

RCITY_WIDE static void pass_edge_and_tile(const rcity_tile_cone *at, const uint16_t *column, int32_t count,
                                          const float *x, const float *y, const float *z, uint8_t *flags)
{
    const rcity_tile_cone cone = *at;
    for (int32_t i = 0; i < count; i++) {
        int32_t k = column[i];
        flags[i] = (uint8_t)rcity_tile_cone_passes(&cone, x[k], y[k], z[k]);
    }
}

static void pass_columns(const rcity_tile_aim *aim, const uint16_t *column, int32_t count, const float *x,
                         const float *y, const float *z, uint8_t *flags)
{
    if (aim->is_window) {
        pass_window(&aim->window, column, count, x, y, z, flags);
    } else if (aim->cone.has_tile) {
        pass_edge_and_tile(&aim->cone, column, count, x, y, z, flags);
    } else {
        pass_edge(&aim->cone, column, count, x, y, z, flags);
    }
}

static void scan_tiles(scan_run *run, scan_part part)
{
    const rcity_tiles_prepared *prepared = run->scan->prepared;
    uint8_t *flags = run->scan->flags;
    const float *x = prepared->centre_x + part.base;
    const float *y = prepared->centre_y + part.base;
    const float *z = prepared->centre_z + part.base;
    pass_columns(&run->aim, part.column, part.count, x, y, z, flags);
    run->scan->test_count += part.count;
    for (int32_t i = 0; i < part.count; i++) {
        if (flags[i]) {
            int32_t tile = part.base + part.column[i];
            if (run->other < 0 || !rcity_tile_row_has(run->other_row, tile)) {
                run->takers->tile(run->takers->user, run->tube, tile);
            }
        }
    }
}

static void scan_edges(scan_run *run, int32_t row, scan_part part)
{
    const rcity_tiling *tiling = &run->scan->prepared->tiling;
    rcity_tile_row looked = row_of(run->scan->prepared->matrix, row);
    for (int32_t i = 0; i < part.count; i++) {
        int32_t tile = part.base + part.column[i];
        for (int32_t k = tiling->edge_first[tile]; k < tiling->edge_first[tile + 1]; k++) {
            int32_t number = tiling->edge_of[k];
            const rcity_tile_edge *edge = &tiling->edges[number];
            rcity_real3 middle = rcity_tile_edge_middle(*edge);
            run->scan->test_count++;
            bool is_last = ~number == run->tube->event[run->tube->event_count - 1];
            if (!is_last && rcity_tile_aim_reaches(&run->aim, middle.x, middle.y, middle.z) &&
                rcity_tile_edge_is_due(*edge, tile, looked, run->other_row)) {
                run->takers->edge(run->takers->user, run->tube, number);
            }
        }
    }
}

static void scan_receivers(scan_run *run, int32_t row)
{
    const rcity_tiles_prepared *prepared = run->scan->prepared;
    const rcity_tile_views *views = &prepared->views;
    const int32_t *receiver = views->receiver + views->row_first[row];
    int64_t count = (int64_t)(views->row_first[row + 1] - views->row_first[row]);
    const float *xyz_m = prepared->receivers.xyz_m;
    uint8_t *flags = run->scan->flags;
    for (int64_t i = 0; i < count; i++) {
        const float *place = xyz_m + 3 * (int64_t)rcity_tile_view_receiver(receiver[i]);
        flags[i] = (uint8_t)rcity_tile_aim_reaches(&run->aim, place[0], place[1], place[2]);
    }
    run->scan->test_count += count;
    for (int64_t i = 0; i < count; i++) {
        int32_t number = rcity_tile_view_receiver(receiver[i]);
        if (flags[i] && (run->other < 0 || !rcity_tile_views_have(views->receiver, views->row_first[run->other],
                                                                  views->row_first[run->other + 1], number))) {
            run->takers->receiver(run->takers->user, run->tube, number);
        }
    }
}

/* An edge on a face of the last one: it may have been found on the border of a tile in one of both rows. */
static bool is_found_already(const scan_run *run, const rcity_tile_edge *edge)
{
    return rcity_tile_edge_is_in_row(*edge, run->other_row) || rcity_tile_edge_is_in_row(*edge, run->own_row);
}

/* What lies on a face of the last edge: its tiles do not see each other, but the edge sees them along it. */
static void scan_face(scan_run *run, int32_t parent)
{
    const rcity_tiling *tiling = &run->scan->prepared->tiling;
    int32_t surface = parent >= 0 ? tiling->tiles[parent].surface : RCITY_TILE_TERRAIN;
    if (surface == RCITY_TILE_TERRAIN) {
        return;
    }
    for (int32_t i = tiling->surface_rows[surface]; i < tiling->surface_rows[surface + 1]; i++) {
        int32_t tile = tiling->surface_rows[i];
        const rcity_tile *at = &tiling->tiles[tile];
        run->scan->test_count++;
        if (run->takers->tile != NULL && rcity_tile_aim_reaches(&run->aim, at->x, at->y, at->z)) {
            run->takers->tile(run->takers->user, run->tube, tile);
        }
        for (int32_t k = tiling->edge_first[tile]; run->takers->edge != NULL && k < tiling->edge_first[tile + 1]; k++) {
            int32_t number = tiling->edge_of[k];
            rcity_real3 middle = rcity_tile_edge_middle(tiling->edges[number]);
            run->scan->test_count++;
            if (~number != run->tube->event[run->tube->event_count - 1] &&
                rcity_tile_aim_reaches(&run->aim, middle.x, middle.y, middle.z) &&
                !is_found_already(run, &tiling->edges[number])) {
                run->takers->edge(run->takers->user, run->tube, number);
            }
        }
    }
}

static void scan_row(scan_run *run, int32_t row)
{
    const rcity_tile_matrix *matrix = run->scan->prepared->matrix;
    for (int32_t chunk = 0; chunk < matrix->chunk_count; chunk++) {
        scan_part part = row_part(matrix, row, chunk);
        if (run->takers->tile != NULL) {
            scan_tiles(run, part);
        }
        if (run->takers->edge != NULL) {
            scan_edges(run, row, part);
        }
    }
    if (run->takers->receiver != NULL) {
        scan_receivers(run, row);
    }
}

int64_t rcity_tile_scan_room(const rcity_tiles_prepared *prepared)
{
    int64_t room = 1;
    for (int32_t i = 0; i < prepared->matrix->tile_count; i++) {
        int64_t tiles = rcity_tile_matrix_row_count(prepared->matrix, i);
        int64_t receivers = (int64_t)(prepared->views.row_first[i + 1] - prepared->views.row_first[i]);
        room = tiles > room ? tiles : room;
        room = receivers > room ? receivers : room;
    }
    return room;
}

void rcity_tile_scan_run(rcity_tile_scan *scan, const rcity_tube *tube, const rcity_tile_takers *takers)
{
    const rcity_tiling *tiling = &scan->prepared->tiling;
    int32_t last = tube->event[tube->event_count - 1];
    scan_run run = {.scan = scan,
                    .tube = tube,
                    .takers = takers,
                    .other = -1,
                    .other_row = {.count = -1},
                    .own_row = {.count = -1}};
    if (!rcity_event_is_edge(last)) {
        run.aim = rcity_tile_aim_make(tube, tiling->tiles[last]);
        scan_row(&run, last);
        return;
    }
    rcity_tile_rows_pair pair = rcity_tile_rows_of_edge(tiling->edges[~last]);
    run.aim = rcity_tile_aim_make(tube, tiling->tiles[pair.tile[0]]);
    scan_row(&run, pair.tile[0]);
    if (pair.tile[1] >= 0) {
        run.other = pair.tile[0];
        run.other_row = row_of(scan->prepared->matrix, run.other);
        scan_row(&run, pair.tile[1]);
        run.own_row = row_of(scan->prepared->matrix, pair.tile[1]);
    } else {
        run.own_row = row_of(scan->prepared->matrix, pair.tile[0]);
    }
    scan_face(&run, pair.tile[0]);
    scan_face(&run, pair.tile[1]);
}
