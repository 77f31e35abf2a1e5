/* Strips of rows on all threads. A strip's paths are written down part by part of the beams, as records; sorted by cells;
   and summed up cell by cell, in the order of the parts: the same bits for any number of threads. */
#include "method/beams/fast/fast_raster.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/beams.h"
#include "method/beams/fast/fast_chain.h"
#include "method/beams/fast/fast_field.h"
#include "method/beams/raster/beam_bins.h"
#include "method/beams/tree/beam_loss.h"
#include "method/path_ends.h"
#include "method/receiver_plane.h"
#include "result/rays_data.h"

#define TWO_PI      6.28318530717958647692
#define STRIP_ROWS  16
#define GROUPED_MIN 1e-6  /* of the strongest path's power: weaker ones add their power, whatever their group */
#define SHARE_MIN   0.003 /* of a field in one of its groups: less changes nothing by more than 0.03 dB */
#define FORWARD_MIN 1e-9

/* One path to a cell. */
typedef struct fast_record {
    int32_t cell;    /* of the strip */
    int32_t arrival; /* -1: no diffraction */
    int64_t end;     /* of the bins */
    rcity_fast_complex port[2];
    float inverse_gain; /* of both antennas */
    float tangent;      /* of the elevation, unfolded */
    float departure_x, departure_y, arrival_x, arrival_y;
    float off[3]; /* of a diffracted ray: sines of half the angles to where the rays of its edge end */
    bool has_bounce;
    double plan_m;
} fast_record;

/* Working memory of a thread. */
typedef struct fast_worker {
    rcity_beams_strip strip;
    rcity_beams_sums sums;
    rcity_fast_chain chain;
    fast_record *records;
    size_t record_count, record_capacity;
    bool *is_wanted; /* of each cell of the strip */
    size_t wanted_capacity;
    rcity_point *positions; /* of each cell's receiver */
    size_t position_capacity;
    int64_t *first; /* of each cell in `order` */
    size_t first_capacity;
    int64_t *order; /* numbers of records by cells */
    size_t order_capacity;
} fast_worker;

typedef struct fast_run {
    const rcity_job *job;
    const rcity_beams_levels *own;     /* what levels need beside beams */
    rcity_tile_roof_path *over;        /* of each cell */
    rcity_beams_histogram *histograms; /* of each strip; NULL: none are wanted */
    const rcity_beams_traced *traced;
    const rcity_beams_forest *forest;
    const rcity_facet_table *facets;
    rcity_beams_bins bins;
    rcity_fast_tables tables;
    rcity_fast_ends ends;
    rcity_rx_polarization rx_polarization;
    float rx_gain;
    double wavenumber_per_m;
    double most_loss; /* of beams, power over power */
    double height_m;
    double dx, dy;
    bool ground_reflects;
    rcity_images_sum sum;
    fast_worker *workers;
    rcity_beams_level *levels;
    atomic_llong near_count, done;
    atomic_int status; /* the first failure of any thread */
} fast_run;

bool rcity_fast_raster_serves(const rcity_job *job)
{
    return job->shapes->terrain.column_count == 0 && job->number[RCITY_BEAMS_MAX_DIFFRACTIONS] <= 1.0 &&
           rcity_images_read_sum(job->option[RCITY_BEAMS_SUM]) != RCITY_IMAGES_COHERENT;
}

/* One beam's part while its cells are done. */
typedef struct fast_part {
    int64_t end;
    const rcity_beams_tree *tree;
    const rcity_beams_node *node;
    const rcity_facet_edge *edge; /* NULL: the transmitter's own tree */
    double least_loss;            /* that its reflections take, power over power */
    double phi_x, phi_y, off_x,
        off_y; /* a direction of the last leg times these: along face o and off it, at the edge */
} fast_part;

static rcity_status start_part(const fast_run *run, fast_worker *own, int64_t end, fast_part *part)
{
    const rcity_beams_way_end *at = &run->bins.ends[end];
    part->end = end;
    part->tree = &run->forest->trees[at->tree];
    part->node = &part->tree->nodes[at->node];
    const rcity_beam_part *last = &part->tree->parts[at->part];
    RCITY_TRY(rcity_fast_chain_fill(run->job->context, run->forest, part->tree, at->node, last->passed_first,
                                    last->passed_count, &own->chain));
    part->least_loss = pow(10.0, 0.1 * (double)part->node->loss_db);
    part->edge = NULL;
    if (part->tree->facet_edge >= 0) {
        part->edge = &run->facets->edges[part->tree->facet_edge];
        const rcity_facet_edge *edge = part->edge;
        part->phi_x = own->chain.back[0][0] * edge->in_face_o.x + own->chain.back[1][0] * edge->in_face_o.y;
        part->phi_y = own->chain.back[0][1] * edge->in_face_o.x + own->chain.back[1][1] * edge->in_face_o.y;
        part->off_x = own->chain.back[0][0] * edge->normal_o.x + own->chain.back[1][0] * edge->normal_o.y;
        part->off_y = own->chain.back[0][1] * edge->normal_o.x + own->chain.back[1][1] * edge->normal_o.y;
    }
    return RCITY_OK;
}

/* One path while it is followed. */
typedef struct fast_path {
    double x, y;           /* unit vector of the last leg */
    double last_m;         /* of the beam's own rays to the cell, in plan, unfolded */
    double before_m;       /* to the edge */
    double start_m, end_m; /* heights, unfolded */
} fast_path;

static double height_at(const fast_path *path, double at_m)
{
    return fabs(path->start_m + (path->end_m - path->start_m) * at_m / (path->before_m + path->last_m));
}

/* Does a path meet and pass the walls of its beam at the right heights? */
static bool clears_chain(const rcity_fast_chain *chain, const fast_path *path)
{
    for (size_t k = 0; k < chain->wall_count; k++) {
        const rcity_fast_wall *wall = &chain->walls[k];
        double at_m = wall->ahead_m / fmax(wall->x * path->x + wall->y * path->y, FORWARD_MIN);
        if (wall->is_passed && at_m > path->last_m) {
            continue; /* beyond the cell */
        }
        double z = height_at(path, path->before_m + at_m);
        if (wall->is_passed ? z < wall->top_m : z < wall->bottom_m || z >= wall->top_m) {
            return false;
        }
    }
    return true;
}

static bool clears_arrival(const fast_run *run, const rcity_fast_arrival *arrival, const fast_path *path)
{
    for (int32_t k = arrival->height_first; k < arrival->height_first + arrival->height_count; k++) {
        const rcity_fast_height *height = &run->tables.heights[k];
        double z = height_at(path, (double)height->at_m);
        if (height->is_passed ? z < (double)height->top_m
                              : z < (double)height->bottom_m || z >= (double)height->top_m) {
            return false;
        }
    }
    double z = height_at(path, arrival->plan_m);
    return z >= (double)arrival->edge_bottom_m && z < (double)arrival->edge_top_m;
}

static const rcity_fast_face *face_of(const fast_run *run, int32_t material)
{
    return &run->tables.faces[(int64_t)material * (RCITY_FAST_FACE_STEPS + 1)];
}

/* Through the walls of a beam, and off the ground at a distance from the beam's source, where that is not negative. */
static rcity_fast_field follow_chain(const fast_run *run, const rcity_fast_chain *chain, const fast_path *path,
                                     float slope_sine, double bounce_m, rcity_fast_field field)
{
    const rcity_fast_face *ground = face_of(run, run->facets->ground_material);
    bool has_bounce = bounce_m >= 0.0;
    if (chain->depth % 2 != 0) {
        field.phi = rcity_fast_scale(field.phi, -1.0f);
    }
    for (size_t k = 0; k < chain->wall_count; k++) {
        const rcity_fast_wall *wall = &chain->walls[k];
        if (!wall->is_passed) {
            double ahead = wall->x * path->x + wall->y * path->y;
            if (has_bounce && wall->ahead_m > bounce_m * ahead) {
                field = rcity_fast_bounce(ground, slope_sine, field);
                has_bounce = false;
            }
            field = rcity_fast_reflect(face_of(run, run->facets->mirrors[wall->wall].material_index), (float)ahead,
                                       (float)(path->x * wall->y - path->y * wall->x), slope_sine, field);
        }
    }
    return has_bounce ? rcity_fast_bounce(ground, slope_sine, field) : field;
}

/* What the receiver takes of a field. */
static void receive(rcity_rx_polarization polarization, rcity_fast_field field, float scale, rcity_fast_complex port[2])
{
    const float root_half = 0.70710678f;
    port[0] = field.theta;
    port[1] = (rcity_fast_complex){0.0f, 0.0f};
    if (polarization == RCITY_RX_POLARIZATION_HORIZONTAL) {
        port[0] = field.phi;
    } else if (polarization == RCITY_RX_POLARIZATION_SLANT) {
        port[0] = rcity_fast_scale(rcity_fast_add(field.theta, rcity_fast_scale(field.phi, -1.0f)), root_half);
    } else if (polarization == RCITY_RX_POLARIZATION_SLANT_MINUS) {
        port[0] = rcity_fast_scale(rcity_fast_add(field.theta, field.phi), root_half);
    } else if (polarization == RCITY_RX_POLARIZATION_BOTH) {
        port[1] = field.phi;
    }
    port[0] = rcity_fast_scale(port[0], scale);
    port[1] = rcity_fast_scale(port[1], scale);
}

/* Write a path down; `field` is that over free space. */
static rcity_status add_record(const fast_run *run, fast_worker *own, const fast_part *part, int32_t cell,
                               int32_t arrival, const fast_path *path, bool has_bounce, rcity_fast_field field,
                               float tx_gain, fast_record **record)
{
    RCITY_TRY(rcity_reserve(run->job->context, own->record_count + 1, sizeof *own->records, &own->record_capacity,
                            "paths of a strip", &own->records));
    fast_record *made = &own->records[own->record_count];
    made->cell = cell;
    made->arrival = arrival;
    made->end = part->end;
    made->plan_m = path->before_m + path->last_m;
    made->tangent = (float)((path->end_m - path->start_m) / made->plan_m);
    double length_m = made->plan_m * sqrt(1.0 + (double)made->tangent * (double)made->tangent);
    receive(run->rx_polarization, field,
            (float)(run->facets->wavelength_m / (2.0 * TWO_PI * length_m)) * sqrtf(run->rx_gain), made->port);
    made->inverse_gain = 1.0f / (tx_gain * run->rx_gain);
    made->arrival_x = (float)path->x;
    made->arrival_y = (float)path->y;
    made->has_bounce = has_bounce;
    *record = made;
    own->record_count++;
    return RCITY_OK;
}

/* How far from the transmitter a path bounces off the ground, in plan; -1: it does not. */
static double bounce_at(const fast_path *path, int bounce)
{
    double plan_m = path->before_m + path->last_m;
    return bounce != 0 ? plan_m * path->start_m / (path->start_m - path->end_m) : -1.0;
}

/* The path of the transmitter's own beam, or its bounce off the ground. */
static rcity_status add_geometric(const fast_run *run, fast_worker *own, const fast_part *part, int32_t cell,
                                  fast_path *path, int bounce)
{
    path->before_m = 0.0;
    path->start_m = bounce != 0 ? -run->ends.tx_height_m : run->ends.tx_height_m;
    if (!clears_chain(&own->chain, path)) {
        return RCITY_OK;
    }
    double tangent = (path->end_m - path->start_m) / path->last_m;
    double level = 1.0 / sqrt(1.0 + tangent * tangent);
    double sine = tangent * level;
    double x = own->chain.back[0][0] * path->x + own->chain.back[0][1] * path->y;
    double y = own->chain.back[1][0] * path->x + own->chain.back[1][1] * path->y;
    rcity_fast_slope sent = rcity_fast_departure(&run->ends, x * level, y * level, bounce != 0 ? -sine : sine);
    if (bounce != 0) { /* unfolded at the ground */
        sent.field.theta = rcity_fast_scale(sent.field.theta, -1.0f);
    }
    fast_record *record;
    RCITY_TRY(add_record(run, own, part, cell, -1, path, bounce != 0,
                         follow_chain(run, &own->chain, path, (float)sine, bounce_at(path, bounce), sent.field),
                         sent.tx_gain, &record));
    record->departure_x = (float)x;
    record->departure_y = (float)y;
    return RCITY_OK;
}

/* A path by an arrival at the edge. `phi_rad`: the direction in which it leaves. */
static rcity_status add_diffracted(const fast_run *run, fast_worker *own, const fast_part *part, int32_t cell,
                                   int32_t arrival_index, double phi_rad, fast_path *path, int bounce)
{
    const rcity_fast_tables *tables = &run->tables;
    const rcity_fast_arrival *arrival = &tables->arrivals[arrival_index];
    path->before_m = arrival->plan_m;
    path->start_m = bounce != 0 ? -run->ends.tx_height_m : run->ends.tx_height_m;
    if (!clears_arrival(run, arrival, path) || !clears_chain(&own->chain, path)) {
        return RCITY_OK;
    }
    double plan_m = path->before_m + path->last_m;
    double tangent = (path->end_m - path->start_m) / plan_m;
    double level = 1.0 / sqrt(1.0 + tangent * tangent);
    float sine = (float)(tangent * level);
    float at = (float)fabs(tangent) / arrival->slope_max[bounce] * (float)RCITY_FAST_SLOPE_STEPS;
    int step = (int)at;
    step = step < RCITY_FAST_SLOPE_STEPS ? step : RCITY_FAST_SLOPE_STEPS - 1;
    const rcity_fast_slope *slope = &tables->slopes[arrival->slope_first[bounce] + step];
    float part_of = at - (float)step;
    rcity_fast_field field = {rcity_fast_between(slope[0].field.theta, slope[1].field.theta, part_of),
                              rcity_fast_between(slope[0].field.phi, slope[1].field.phi, part_of)};
    float tx_gain = slope[0].tx_gain + part_of * (slope[1].tx_gain - slope[0].tx_gain);

    float direction = (float)phi_rad / arrival->exterior_rad * (float)arrival->edge_steps;
    int turn = (int)direction;
    turn = turn < arrival->edge_steps ? turn : arrival->edge_steps - 1;
    const rcity_fast_edge *edge = &tables->edges[arrival->edge_first + turn];
    float between = direction - (float)turn;
    /* L = s s' / S sin^2(beta), with lengths in space */
    double distance_m = path->before_m * path->last_m / plan_m * level;
    float sloped = sine / arrival->slope_sine;
    double bounce_m = bounce_at(path, bounce);
    if (bounce != 0 && bounce_m < path->before_m) {
        field = rcity_fast_bounce(face_of(run, run->facets->ground_material), sine, field);
        bounce_m = -1.0;
    }
    field = rcity_fast_diffract(edge, between, tables->edge_field,
                                (float)sqrt(2.0 * run->wavenumber_per_m * distance_m), sloped, field);
    fast_record *record;
    RCITY_TRY(
        add_record(run, own, part, cell, arrival_index, path, bounce != 0,
                   follow_chain(run, &own->chain, path, sine, bounce_m < 0.0 ? -1.0 : bounce_m - path->before_m, field),
                   tx_gain, &record));
    record->departure_x = arrival->departure_x;
    record->departure_y = arrival->departure_y;
    float off[RCITY_FAST_EDGE_TERMS];
    for (int term = 0; term < RCITY_FAST_EDGE_TERMS; term++) {
        off[term] = fmaxf(fabsf(edge[0].sine[term] + between * (edge[1].sine[term] - edge[0].sine[term])), 1e-6f);
    }
    record->off[0] = fminf(off[0], off[1]);
    record->off[1] = off[2];
    record->off[2] = off[3];
    return RCITY_OK;
}

/* Must a path lose more than beams may? As rcity_beams_way_is_cut(). */
static bool is_cut(const fast_run *run, double least_loss, double plan_m)
{
    double spread = 2.0 * TWO_PI * plan_m / run->facets->wavelength_m;
    return spread * spread * least_loss > run->most_loss;
}

/* All paths that a part brings to one of its cells. */
static rcity_status add_paths(const fast_run *run, fast_worker *own, const fast_part *part, int32_t cell,
                              rcity_place3 rx)
{
    const rcity_beams_node *node = part->node;
    int max_reflections = run->forest->orders.max_reflections;
    fast_path path;
    path.x = rx.x - node->x;
    path.y = rx.y - node->y;
    path.last_m = sqrt(path.x * path.x + path.y * path.y);
    path.x /= path.last_m;
    path.y /= path.last_m;
    path.end_m = run->ends.rx_height_m;
    if (part->edge == NULL) {
        if (is_cut(run, part->least_loss, path.last_m)) {
            return RCITY_OK;
        }
        for (int bounce = 0; bounce <= (run->ground_reflects && node->depth < max_reflections); bounce++) {
            RCITY_TRY(add_geometric(run, own, part, cell, &path, bounce));
        }
        return RCITY_OK;
    }
    double phi_rad = atan2(path.x * part->off_x + path.y * part->off_y, path.x * part->phi_x + path.y * part->phi_y);
    phi_rad = phi_rad < -1e-6 ? phi_rad + TWO_PI : fmax(phi_rad, 0.0);
    int32_t tree = run->bins.ends[part->end].tree;
    for (int32_t k = run->forest->arrival_first[tree]; k < run->forest->arrival_first[tree + 1]; k++) {
        int32_t index = run->forest->arrival_order[k];
        const rcity_beams_arrival *arrival = &run->forest->arrivals[index];
        int left = max_reflections - arrival->reflections - node->depth;
        if (left < 0) {
            break; /* those with few reflections come first */
        }
        bool is_lit = fabs(phi_rad - (double)run->tables.arrivals[index].phi_in_rad) <= RCITY_TRACE_PI;
        if ((run->forest->growth.turns_into_shadow_only && is_lit) ||
            is_cut(run, part->least_loss * run->tables.arrivals[index].least_loss, arrival->plan_m + path.last_m)) {
            continue;
        }
        for (int bounce = 0; bounce <= (run->ground_reflects && left > 0); bounce++) {
            RCITY_TRY(add_diffracted(run, own, part, cell, index, phi_rad, &path, bounce));
        }
    }
    return RCITY_OK;
}

/* Which cells of the strip have a receiver that paths are looked for. */
static rcity_status mark_wanted(fast_run *run, fast_worker *own)
{
    const rcity_beams_strip *strip = &own->strip;
    RCITY_TRY(rcity_reserve(run->job->context, (size_t)strip->cell_count + 1, sizeof *own->is_wanted,
                            &own->wanted_capacity, "receivers", &own->is_wanted));
    RCITY_TRY(rcity_reserve(run->job->context, (size_t)strip->cell_count + 1, sizeof *own->positions,
                            &own->position_capacity, "receivers", &own->positions));
    const rcity_shapes *shapes = run->job->shapes;
    const rcity_place3 *tx = &run->traced->tx;
    for (int64_t cell = 0; cell < strip->cell_count; cell++) {
        rcity_receiver_state state;
        rcity_receiver_cell_locate(run->job, run->height_m, strip->cell_first + cell, &own->positions[cell], &state);
        rcity_point position = own->positions[cell];
        double plan_m =
            rcity_beam_length_m(position.x_m - shapes->origin_x_m - tx->x, position.y_m - shapes->origin_y_m - tx->y);
        bool is_near = state == RCITY_RECEIVER_NO_PATH &&
                       rcity_beam_length_m(plan_m, position.z_m - tx->z) < run->facets->wavelength_m;
        own->is_wanted[cell] = state == RCITY_RECEIVER_NO_PATH && !is_near;
        atomic_fetch_add(&run->near_count, is_near);
    }
    return RCITY_OK;
}

static rcity_status record_strip(const fast_run *run, fast_worker *own)
{
    const rcity_beams_grid *grid = &run->bins.grid;
    const rcity_beams_strip *strip = &own->strip;
    fast_part part;
    part.end = -1;
    own->record_count = 0;
    for (size_t i = 0; i < strip->found_count; i += 2) {
        int64_t cell = strip->found[i];
        int64_t end = strip->found[i + 1];
        if (!own->is_wanted[cell]) {
            continue;
        }
        if (end != part.end) {
            RCITY_TRY(start_part(run, own, end, &part));
        }
        int64_t at = strip->cell_first + cell;
        rcity_place3 rx = {grid->west_m + ((double)(at % grid->column_count) + 0.5) * grid->cell_m + run->dx,
                           grid->north_m - ((double)(at / grid->column_count) + 0.5) * grid->cell_m + run->dy,
                           run->height_m};
        RCITY_TRY(add_paths(run, own, &part, (int32_t)cell, rx));
    }
    return RCITY_OK;
}

/* Sort the records by cells, each cell's in the order in which they were made. */
static rcity_status sort_records(const fast_run *run, fast_worker *own)
{
    int64_t cells = own->strip.cell_count;
    RCITY_TRY(rcity_reserve(run->job->context, (size_t)cells + 2, sizeof *own->first, &own->first_capacity,
                            "paths of a strip", &own->first));
    RCITY_TRY(rcity_reserve(run->job->context, own->record_count + 1, sizeof *own->order, &own->order_capacity,
                            "paths of a strip", &own->order));
    memset(own->first, 0, ((size_t)cells + 2) * sizeof *own->first);
    for (size_t i = 0; i < own->record_count; i++) {
        own->first[own->records[i].cell + 2]++;
    }
    for (int64_t cell = 0; cell < cells; cell++) {
        own->first[cell + 2] += own->first[cell + 1];
    }
    for (size_t i = 0; i < own->record_count; i++) {
        own->order[own->first[own->records[i].cell + 1]++] = (int64_t)i;
    }
    return RCITY_OK;
}

static double record_power(const fast_record *record)
{
    double power = 0.0;
    for (int k = 0; k < 2; k++) {
        power += (double)record->port[k].re * (double)record->port[k].re +
                 (double)record->port[k].im * (double)record->port[k].im;
    }
    return power;
}

static rcity_phasor turned(rcity_fast_complex port, double cosine, double sine)
{
    return (rcity_phasor){(double)port.re * cosine - (double)port.im * sine,
                          (double)port.re * sine + (double)port.im * cosine};
}

/* The groups that a path's field belongs to. */
static rcity_status add_groups(const fast_run *run, fast_worker *own, const fast_record *record,
                               const rcity_beams_item *item, double length_m)
{
    const rcity_beams_way_end *end = &run->bins.ends[record->end];
    const rcity_facet_table *facets = run->facets;
    int32_t walls[RCITY_BEAMS_REFLECTION_MAX];
    uint64_t code[3] = {RCITY_GROUP_DIRECT, 0, 0};
    double factor[3] = {1.0, 0.0, 0.0};
    int count = 1;
    if (record->has_bounce) {
        code[0] = rcity_group_code_next(facets, code[0], (int32_t)(facets->wall_count + facets->roof_count));
    }
    if (record->arrival >= 0) {
        const rcity_beams_arrival *arrival = &run->forest->arrivals[record->arrival];
        const rcity_beams_tree *tree = &run->forest->trees[arrival->tree];
        const rcity_beams_meeting *meeting = &tree->meetings[arrival->meeting];
        int wall_count = rcity_beams_node_walls(tree, meeting->node, walls);
        for (int i = 0; i < wall_count; i++) {
            code[0] = rcity_group_code_next(facets, code[0], walls[i]);
        }
        code[1] = rcity_group_code_next(facets, code[0], facets->edges[meeting->facet_edge].mirror_o);
        code[2] = rcity_group_code_next(facets, code[0], facets->edges[meeting->facet_edge].mirror_n);
        const double off[3] = {(double)record->off[0], (double)record->off[1], (double)record->off[2]};
        rcity_group_divide(off, factor);
        count = 3;
    }
    int wall_count = rcity_beams_node_walls(&run->forest->trees[end->tree], end->node, walls);
    double level = record->plan_m / length_m;
    double sine = (double)record->tangent * level;
    rcity_group_item group;
    group.order = own->sums.item_count;
    group.isotropic_factor = sqrt((double)record->inverse_gain);
    group.departure = (rcity_place3){(double)record->departure_x * level, (double)record->departure_y * level,
                                     record->has_bounce ? -sine : sine};
    group.arrival = (rcity_place3){-(double)record->arrival_x * level, -(double)record->arrival_y * level, -sine};
    for (int k = 0; k < count; k++) {
        if (factor[k] < SHARE_MIN) {
            continue;
        }
        group.group = code[k];
        for (int i = 0; i < wall_count; i++) {
            group.group = rcity_group_code_next(facets, group.group, walls[i]);
        }
        group.amplitude = (rcity_phasor){factor[k] * item->amplitude.re, factor[k] * item->amplitude.im};
        group.cross_amplitude =
            (rcity_phasor){factor[k] * item->cross_amplitude.re, factor[k] * item->cross_amplitude.im};
        RCITY_TRY(rcity_beams_sums_add_group(&own->sums, &group));
    }
    return RCITY_OK;
}

static int count_reflections(const fast_run *run, const fast_record *record)
{
    const rcity_beams_way_end *end = &run->bins.ends[record->end];
    int before = record->arrival >= 0 ? run->forest->arrivals[record->arrival].reflections : 0;
    return before + run->forest->trees[end->tree].nodes[end->node].depth + record->has_bounce;
}

/* A record as an item of the cell's sums; its phase is needed unless its power counts apart from all groups. */
static rcity_beams_item make_item(const fast_run *run, const fast_record *record, double power, double length_m,
                                  bool is_apart)
{
    double turns = is_apart ? 0.0 : length_m / run->facets->wavelength_m;
    double phase_rad = -TWO_PI * (turns - floor(turns));
    double cosine = is_apart ? 1.0 : cos(phase_rad);
    double sine = is_apart ? 0.0 : sin(phase_rad);
    rcity_beams_item item;
    item.amplitude = turned(record->port[0], cosine, sine);
    item.cross_amplitude = turned(record->port[1], cosine, sine);
    item.power = power;
    item.isotropic = power * (double)record->inverse_gain;
    item.directivity = 1.0 / (double)record->inverse_gain;
    item.delay_s = length_m / RCITY_LIGHT_EXACT_M_PER_S;
    item.reflection_count = count_reflections(run, record);
    item.diffraction_count = record->arrival >= 0;
    item.kind = record->arrival >= 0        ? RCITY_BEAMS_DIFFRACTED
                : item.reflection_count > 0 ? RCITY_BEAMS_REFLECTED
                                            : RCITY_BEAMS_DIRECT;
    if (run->own->rules.is_paper) {
        item.isotropic = pow(10.0, -0.1 * rcity_beams_paper_loss_db(&run->own->rules.paper, &item));
        item.power = item.isotropic * item.directivity;
    }
    return item;
}

static rcity_status sum_cell(const fast_run *run, fast_worker *own, int64_t cell, rcity_beams_level *level)
{
    double strongest = 0.0;
    for (int64_t i = own->first[cell]; i < own->first[cell + 1]; i++) {
        strongest = fmax(strongest, record_power(&own->records[own->order[i]]));
    }
    for (int64_t i = own->first[cell]; i < own->first[cell + 1]; i++) {
        const fast_record *record = &own->records[own->order[i]];
        double power = record_power(record);
        if (!(power > 0.0)) {
            continue;
        }
        double length_m = record->plan_m * sqrt(1.0 + (double)record->tangent * (double)record->tangent);
        bool is_apart = run->sum == RCITY_IMAGES_POWER || power < GROUPED_MIN * strongest;
        rcity_beams_item item = make_item(run, record, power, length_m, is_apart);
        if (!is_apart) {
            RCITY_TRY(add_groups(run, own, record, &item, length_m));
        }
        RCITY_TRY(rcity_beams_sums_add_item(&own->sums, &item, is_apart));
    }
    rcity_beams_link link = {.beside = rcity_beams_beside_none()};
    if (own->is_wanted[cell]) {
        link = rcity_beams_levels_link(run->own, &own->positions[cell], &run->over[own->strip.cell_first + cell]);
    }
    return rcity_beams_levels_close(run->own, &link, &own->sums, level, NULL);
}

static rcity_status do_strip(fast_run *run, fast_worker *own, int64_t strip_index)
{
    own->sums.histogram = run->histograms != NULL ? &run->histograms[strip_index] : NULL;
    RCITY_TRY(rcity_beams_bins_find(run->job->context, &run->bins, strip_index, run->dx, run->dy, &own->strip));
    RCITY_TRY(mark_wanted(run, own));
    RCITY_TRY(record_strip(run, own));
    RCITY_TRY(sort_records(run, own));
    for (int64_t cell = 0; cell < own->strip.cell_count; cell++) {
        RCITY_TRY(sum_cell(run, own, cell, &run->levels[own->strip.cell_first + cell]));
    }
    return RCITY_OK;
}

static void do_strips(void *user, int64_t begin, int64_t end, int thread_index)
{
    fast_run *run = user;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        rcity_status status = do_strip(run, &run->workers[thread_index], i);
        long long done = atomic_fetch_add(&run->done, 1) + 1;
        if (status == RCITY_OK && thread_index == 0) { /* the caller's thread */
            status = rcity_progress(run->job->context, "receivers", (double)done, (double)run->bins.strip_count);
        }
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

static void release_worker(rcity_context *context, fast_worker *own)
{
    rcity_beams_sums_deinit(&own->sums);
    rcity_beams_strip_deinit(context, &own->strip);
    rcity_release(context, own->chain.walls);
    rcity_release(context, own->records);
    rcity_release(context, own->is_wanted);
    rcity_release(context, own->positions);
    rcity_release(context, own->first);
    rcity_release(context, own->order);
}

static void run_init(const rcity_beams_levels *own, int height_index, const rcity_beams_output *output, fast_run *run)
{
    const rcity_job *job = own->job;
    memset(run, 0, sizeof *run);
    run->job = job;
    run->own = own;
    run->traced = own->traced;
    run->forest = &run->traced->forest;
    run->facets = &run->traced->images.world;
    run->rx_polarization = own->ends.rx_polarization;
    run->rx_gain = (float)pow(10.0, 0.1 * job->receivers->gain_dbi);
    run->wavenumber_per_m = TWO_PI / run->facets->wavelength_m;
    run->most_loss = pow(10.0, 0.1 * fmin(run->forest->growth.loss_limit_db, 3000.0));
    run->height_m = job->receivers->height_m[height_index];
    run->ground_reflects = run->traced->images.search.orders.ground_reflects && !own->rules.has_law;
    run->sum = own->rules.sum;
    run->levels = output->levels;
    rcity_place3 aside = rcity_path_end_rx_aside((rcity_place3){0.0, 0.0, run->height_m}, 0);
    run->dx = aside.x;
    run->dy = aside.y;
    run->ends = (rcity_fast_ends){run->facets, &own->ends, run->traced->tx.z, aside.z};
    atomic_init(&run->near_count, 0);
    atomic_init(&run->done, 0);
    atomic_init(&run->status, RCITY_OK);
}

static rcity_status run_all(fast_run *run, int height_index, rcity_beams_output *output)
{
    const rcity_job *job = run->job;
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    rcity_beams_grid grid = {job->raster.west_m - job->shapes->origin_x_m,
                             job->raster.north_m - job->shapes->origin_y_m, job->raster.cell_m,
                             job->raster.column_count, job->raster.row_count};
    RCITY_TRY(rcity_alloc(job->context, (size_t)cell_count + 1, sizeof *run->over, "paths over roofs", &run->over));
    RCITY_TRY(rcity_beams_levels_go_over(run->own, height_index * cell_count, cell_count, run->over));
    RCITY_TRY(rcity_fast_tables_init(job->context, run->forest, &run->ends, &run->tables));
    RCITY_TRY(rcity_beams_bins_init(job->context, run->forest, &grid, STRIP_ROWS, &run->bins));
    if (output->delays != NULL) {
        RCITY_TRY(rcity_alloc(job->context, (size_t)run->bins.strip_count, sizeof *run->histograms,
                              "histograms of delays", &run->histograms));
    }
    rcity_parallel(job->context, run->bins.strip_count, 1, do_strips, run);
    RCITY_TRY((rcity_status)atomic_load(&run->status));
    output->near_count += (int64_t)atomic_load(&run->near_count);
    return output->delays == NULL
               ? RCITY_OK
               : rcity_beams_histograms_hand_on(run->histograms, run->bins.strip_count,
                                                STRIP_ROWS * job->raster.column_count, output->delays);
}

rcity_status rcity_fast_raster_run(const rcity_beams_levels *own, int height_index, rcity_beams_output *output)
{
    rcity_context *context = own->job->context;
    int thread_count = rcity_context_thread_count(context);
    fast_run run;
    rcity_status status;
    run_init(own, height_index, output, &run);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *run.workers, "beams", &run.workers));
    for (int i = 0; i < thread_count; i++) {
        run.workers[i].sums.context = context;
        run.workers[i].sums.world = run.facets;
        run.workers[i].sums.ends = &own->ends;
        run.workers[i].sums.rules = &own->rules;
        run.workers[i].sums.bin_s = output->bin_s;
    }
    status = run_all(&run, height_index, output);
done:
    for (int i = 0; run.workers != NULL && i < thread_count; i++) {
        release_worker(context, &run.workers[i]);
    }
    for (int64_t i = 0; run.histograms != NULL && i < run.bins.strip_count; i++) {
        rcity_beams_histogram_deinit(context, &run.histograms[i]);
    }
    rcity_release(context, run.histograms);
    rcity_beams_bins_deinit(context, &run.bins);
    run.tables.context = context;
    rcity_fast_tables_deinit(&run.tables);
    rcity_release(context, run.over);
    rcity_release(context, run.workers);
    return status;
}
