/* Tables by the formulas of kernel/wave, in double precision. */
#define RCITY_REAL_IS_DOUBLE

#include "method/beams/fast/fast_tables.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/beams/beam_edge.h"
#include "kernel/wave/polarization.h"
#include "method/beams/fast/fast_chain.h"
#include "method/images/field/path_groups.h"

#define TWO_PI         6.28318530717958647692
#define PIECE_WAYS     4 /* that a thread takes at a time */
#define PIECE_FACES    64
#define VARIANTS       2 /* without and with a bounce off the ground */
#define LOSS_MAX_DB    300.0
#define FRONT_MIN_M    1e-3
#define SLOPE_SINE_MIN 0.05
#define FIELD_MAX      1.26 /* of a diffracted field: 1 where two boundaries meet, and the other terms */
#define SLOPE_SINE_MAX 0.6

static rcity_beam_complex to_float(rcity_complex z)
{
    return (rcity_beam_complex){(float)z.re, (float)z.im};
}

static rcity_face face_of(const rcity_facet_table *facets, int32_t material_index)
{
    const rcity_facet_material *material = &facets->materials[material_index];
    rcity_face face;
    face.permittivity = rcity_complex_make(material->permittivity_re, material->permittivity_im);
    face.thickness_m = material->thickness_m;
    face.is_conductor = material->is_conductor;
    face.rough_loss = facets->reflected_loss;
    return face;
}

static double wavenumber(const rcity_facet_table *facets)
{
    return TWO_PI / facets->wavelength_m;
}

/* The field and gain with which a ray leaves the transmitter. */
static rcity_beam_slope departure(const rcity_fast_ends *ends, double x, double y, double z)
{
    const rcity_path_ends *antennas = ends->antennas;
    rcity_mount mount = rcity_mount_make(antennas->tx_azimuth_rad, antennas->tx_tilt_rad, antennas->tx_slant_rad);
    rcity_jones sent = rcity_mount_field(mount, antennas->tx_antenna, antennas->tx_table, rcity_real3_make(x, y, z));
    return (rcity_beam_slope){{{(float)sent.theta, 0.0f}, {(float)sent.phi, 0.0f}},
                              (float)(sent.theta * sent.theta + sent.phi * sent.phi)};
}

/* Faces of all materials. */
typedef struct faces_run {
    const rcity_facet_table *facets;
    rcity_fast_tables *tables;
} faces_run;

/* An rcity_parallel_function over the angles of all materials. */
static void fill_faces(void *user, int64_t begin, int64_t end, int thread_index)
{
    const faces_run *run = user;
    (void)thread_index;
    for (int64_t at = begin; at < end; at++) {
        int64_t step = at % (RCITY_BEAM_FACE_STEPS + 1);
        rcity_face face = face_of(run->facets, (int32_t)(at / (RCITY_BEAM_FACE_STEPS + 1)));
        rcity_face_response response =
            rcity_face_reflect(face, wavenumber(run->facets), (double)step / RCITY_BEAM_FACE_STEPS);
        run->tables->faces[at] = (rcity_beam_face){to_float(response.te), to_float(response.tm)};
    }
}

/* An rcity_parallel_function over the field behind an edge. */
static void fill_edge_field(void *user, int64_t begin, int64_t end, int thread_index)
{
    const faces_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        run->tables->edge_field[i] = to_float(rcity_edge_field((double)i / (double)RCITY_BEAM_FIELD_PER_UNIT));
    }
}

static double turn_of(double angle_rad)
{
    double along = cos(angle_rad);
    double off = sin(angle_rad);
    double size = fabs(along) + fabs(off);
    return angle_rad <= RCITY_TRACE_PI ? 1.0 - along / size : 3.0 + along / size;
}

/* The limits of trees, over all ways to their edges, but for their shares. */
static void join_limits(const rcity_beams_forest *forest, rcity_fast_tables *tables)
{
    int32_t at = (int32_t)tables->direction_count;
    for (int32_t tree = 1; tree < forest->tree_count; tree++) {
        int32_t first = forest->arrival_first[tree];
        rcity_beam_limit *limit = &tables->limits[tree];
        *limit = tables->ways[first].limit;
        limit->first = at;
        for (int32_t k = first; k < forest->arrival_first[tree + 1]; k++) {
            limit->before_m = fminf(limit->before_m, tables->ways[k].limit.before_m);
            limit->near = fmaxf(limit->near, tables->ways[k].limit.near);
        }
        at += tables->ways[first].direction_steps + 1;
    }
}

/* What comes to an edge with the slopes of one variant: antenna and walls. `x`, `y`: the direction of the last leg. */
static void fill_slopes(const rcity_fast_ends *ends, const rcity_fast_chain *chain, const rcity_fast_tables *tables,
                        double x, double y, int variant, const rcity_beam_way *way, rcity_beam_slope *slopes)
{
    double start_m = variant == 0 ? ends->tx_height_m : -ends->tx_height_m;
    double rise = ends->rx_height_m > start_m ? 1.0 : -1.0;
    double departure_x = (double)way->departure_x;
    double departure_y = (double)way->departure_y;
    for (int i = 0; i <= RCITY_BEAM_SLOPE_STEPS; i++) {
        double tangent = rise * (double)way->slope_max[variant] * i / RCITY_BEAM_SLOPE_STEPS;
        double level = 1.0 / sqrt(1.0 + tangent * tangent);
        double sine = tangent * level;
        rcity_beam_slope made = departure(ends, departure_x * level, departure_y * level, variant == 0 ? sine : -sine);
        if (variant != 0) { /* unfolded at the ground */
            made.field.theta = rcity_beam_scale(made.field.theta, -1.0f);
        }
        if (chain->depth % 2 != 0) {
            made.field.phi = rcity_beam_scale(made.field.phi, -1.0f);
        }
        for (size_t k = 0; k < chain->wall_count; k++) {
            const rcity_fast_wall *wall = &chain->walls[k];
            if (!wall->is_passed) {
                int32_t material = ends->facets->mirrors[wall->wall].material_index;
                made.field = rcity_beam_field_reflect(
                    &tables->faces[(int64_t)material * (RCITY_BEAM_FACE_STEPS + 1)], (float)(wall->x * x + wall->y * y),
                    (float)(x * wall->y - y * wall->x), (float)sine, (float)level, made.field);
            }
        }
        slopes[way->slope_first[variant] + i] = made;
    }
}

/* Walls on the way to an edge whose heights decide; without `heights` they are only counted. */
static int32_t list_heights(const rcity_fast_ends *ends, const rcity_fast_chain *chain, double x, double y,
                            rcity_beam_height *heights)
{
    double highest_m = fmax(ends->tx_height_m, ends->rx_height_m);
    int32_t count = 0;
    for (size_t k = 0; k < chain->wall_count; k++) {
        const rcity_fast_wall *wall = &chain->walls[k];
        if (!wall->is_passed && wall->top_m > highest_m && wall->bottom_m <= 0.0) {
            continue;
        }
        if (heights != NULL) {
            heights[count] = (rcity_beam_height){(float)(wall->ahead_m / (wall->x * x + wall->y * y)),
                                                 (float)wall->bottom_m, (float)wall->top_m, wall->is_passed};
        }
        count++;
    }
    return count;
}

/* The codes of a way's groups: past its edge, off face o, off face n. */
static void fill_codes(const rcity_facet_table *facets, const rcity_facet_edge *edge, const rcity_fast_chain *chain,
                       const rcity_u32 *plane_code, rcity_beam_way *way)
{
    for (int variant = 0; variant < VARIANTS; variant++) {
        rcity_u32 code = RCITY_BEAM_CODE_DIRECT;
        if (variant != 0) {
            code = rcity_fast_code_next(code, plane_code[facets->mirror_count]);
        }
        for (size_t k = 0; k < chain->wall_count; k++) {
            if (!chain->walls[k].is_passed) {
                code = rcity_fast_code_next(code, plane_code[chain->walls[k].wall]);
            }
        }
        way->code[variant][0] = code;
        way->code[variant][1] = rcity_fast_code_next(code, plane_code[edge->mirror_o]);
        way->code[variant][2] = rcity_fast_code_next(code, plane_code[edge->mirror_n]);
    }
}

/* How a way comes to its edge: the direction of its last leg, and its walls unfolded. */
typedef struct way_end {
    const rcity_beams_arrival *from;
    const rcity_facet_edge *edge;
    double x, y;
} way_end;

static rcity_status find_end(const rcity_beams_forest *forest, const rcity_fast_ends *ends, int64_t index,
                             rcity_context *context, rcity_fast_chain *chain, way_end *end)
{
    const rcity_beams_arrival *from = &forest->arrivals[forest->arrival_order[index]];
    const rcity_beams_tree *tree = &forest->trees[from->tree];
    const rcity_beams_meeting *meeting = &tree->meetings[from->meeting];
    const rcity_beams_node *node = &tree->nodes[meeting->node];
    const rcity_beam_hit *hit = &tree->hits[meeting->hit];
    end->from = from;
    end->edge = &ends->facets->edges[meeting->facet_edge];
    end->x = end->edge->a.x - node->x;
    end->y = end->edge->a.y - node->y;
    double length_m = hypot(end->x, end->y);
    end->x /= length_m;
    end->y /= length_m;
    return rcity_fast_chain_fill(context, forest, tree, meeting->node, hit->passed_first, hit->passed_count, chain);
}

/* One way but for its directions and heights, which are counted. */
static void fill_way(const rcity_fast_ends *ends, int64_t index, const way_end *end, const rcity_fast_chain *chain,
                     rcity_fast_tables *tables)
{
    const rcity_beams_arrival *from = end->from;
    const rcity_facet_edge *edge = end->edge;
    rcity_beam_way *made = &tables->ways[index];
    double x = end->x;
    double y = end->y;
    double phi = atan2(-x * edge->normal_o.x - y * edge->normal_o.y, -x * edge->in_face_o.x - y * edge->in_face_o.y);
    phi = phi < -1e-9 ? phi + TWO_PI : fmax(phi, 0.0);
    made->units = llround(from->plan_m * RCITY_BEAM_UNITS_PER_M);
    made->plan_m = (float)from->plan_m;
    made->least_loss = (float)pow(10.0, 0.1 * fmin(from->loss_db, LOSS_MAX_DB));
    made->turn_in = (float)turn_of(fmin(phi, edge->exterior_rad));
    double turn_end = turn_of(fmin(edge->exterior_rad, TWO_PI));
    made->direction_steps = (int32_t)ceil(turn_end * RCITY_BEAM_QUADRANT_STEPS - 1e-6);
    made->last_stretch = (float)(1.0 / (turn_end * RCITY_BEAM_QUADRANT_STEPS - (made->direction_steps - 1)));
    made->departure_x = (float)(chain->back[0][0] * x + chain->back[0][1] * y);
    made->departure_y = (float)(chain->back[1][0] * x + chain->back[1][1] * y);
    made->edge_bottom_m = (float)edge->a.z;
    made->edge_top_m = (float)edge->b.z;
    made->reflections = from->reflections;
    for (int variant = 0; variant < VARIANTS; variant++) {
        double drop_m =
            fabs(variant == 0 ? ends->tx_height_m - ends->rx_height_m : ends->tx_height_m + ends->rx_height_m);
        made->slope_first[variant] = (int32_t)((2 * index + variant) * (RCITY_BEAM_SLOPE_STEPS + 1));
        made->slope_max[variant] = (float)fmax(drop_m / fmax(from->plan_m, FRONT_MIN_M), 1e-6);
        fill_slopes(ends, chain, tables, x, y, variant, made, tables->slopes);
    }
    double steepest = fmax((double)made->slope_max[0], (double)made->slope_max[1]);
    made->slope_sine = (float)fmin(fmax(steepest / sqrt(1.0 + steepest * steepest), SLOPE_SINE_MIN), SLOPE_SINE_MAX);
    fill_codes(ends->facets, edge, chain, tables->plane_code, made);
    made->height_count = list_heights(ends, chain, x, y, NULL);
    made->limit.before_m = made->plan_m;
    made->limit.near = (float)(rcity_beam_way_brings(made, tables->slopes) * FIELD_MAX * FIELD_MAX);
}

static void fill_plane_codes(const rcity_facet_table *facets, rcity_fast_tables *tables)
{
    const int half = 32;
    for (int32_t i = 0; i <= facets->mirror_count; i++) { /* beyond the last mirror is the ground */
        tables->plane_code[i] = (rcity_u32)(rcity_group_code_next(facets, RCITY_GROUP_DIRECT, i) >> half);
    }
}

typedef struct table_run {
    const rcity_beams_forest *forest;
    const rcity_fast_ends *ends;
    rcity_fast_tables *tables;
    rcity_fast_chain *chains; /* of each thread */
    atomic_int status;        /* the first failure of any thread */
} table_run;

/* The end of a way on a thread. @return false when the work has failed. */
static bool find_thread_end(table_run *run, int64_t index, int thread_index, way_end *end)
{
    int none = RCITY_OK;
    rcity_status status =
        find_end(run->forest, run->ends, index, run->tables->context, &run->chains[thread_index], end);
    if (status != RCITY_OK) {
        atomic_compare_exchange_strong(&run->status, &none, (int)status);
    }
    return atomic_load(&run->status) == RCITY_OK;
}

/* An rcity_parallel_function over ways. */
static void fill_ways(void *user, int64_t begin, int64_t end, int thread_index)
{
    table_run *run = user;
    way_end at;
    for (int64_t i = begin; i < end && find_thread_end(run, i, thread_index, &at); i++) {
        fill_way(run->ends, i, &at, &run->chains[thread_index], run->tables);
    }
}

/* An rcity_parallel_function over ways: heights, which have room now; few ways have any. */
static void fill_heights(void *user, int64_t begin, int64_t end, int thread_index)
{
    table_run *run = user;
    way_end at;
    for (int64_t i = begin; i < end; i++) {
        const rcity_beam_way *way = &run->tables->ways[i];
        if (way->height_count > 0) {
            if (!find_thread_end(run, i, thread_index, &at)) {
                return;
            }
            list_heights(run->ends, &run->chains[thread_index], at.x, at.y, run->tables->heights + way->height_first);
        }
    }
}

/* Where the directions and heights of each way begin. */
static rcity_status place_ways(const rcity_beams_forest *forest, rcity_fast_tables *tables)
{
    rcity_context *context = tables->context;
    for (int64_t i = 0; i < tables->way_count; i++) {
        rcity_beam_way *way = &tables->ways[i];
        way->direction_first = way->limit.first = (int32_t)tables->direction_count;
        way->height_first = (int32_t)tables->height_count;
        tables->direction_count += way->direction_steps + 1;
        tables->height_count += (size_t)way->height_count;
    }
    tables->share_count = tables->direction_count;
    for (int32_t tree = 1; tree < forest->tree_count; tree++) {
        tables->share_count += tables->ways[forest->arrival_first[tree]].direction_steps + 1;
    }
    return rcity_alloc(context, tables->height_count + 1, sizeof *tables->heights, "heights of walls",
                       &tables->heights); /* devices want some memory where there are none */
}

static rcity_status make_room(const rcity_beams_forest *forest, const rcity_fast_ends *ends, rcity_fast_tables *tables)
{
    rcity_context *context = tables->context;
    tables->way_count = (int64_t)forest->arrival_count;
    tables->face_count = (int64_t)ends->facets->material_count * (RCITY_BEAM_FACE_STEPS + 1);
    tables->slope_count = tables->way_count * VARIANTS * (RCITY_BEAM_SLOPE_STEPS + 1);
    RCITY_TRY(
        rcity_alloc(context, (size_t)tables->face_count + 1, sizeof *tables->faces, "tables of faces", &tables->faces));
    RCITY_TRY(rcity_alloc(context, RCITY_BEAM_FIELD_STEPS + 1, sizeof *tables->edge_field, "tables of edges",
                          &tables->edge_field));
    RCITY_TRY(rcity_alloc(context, (size_t)ends->facets->mirror_count + 1, sizeof *tables->plane_code,
                          "planes of walls", &tables->plane_code));
    RCITY_TRY(rcity_alloc(context, (size_t)tables->way_count + 1, sizeof *tables->ways, "tables of ways to edges",
                          &tables->ways));
    RCITY_TRY(rcity_alloc(context, (size_t)forest->tree_count + 1, sizeof *tables->limits, "tables of edges",
                          &tables->limits));
    return rcity_alloc(context, (size_t)tables->slope_count + 1, sizeof *tables->slopes, "tables of ways to edges",
                       &tables->slopes);
}

rcity_status rcity_fast_tables_init(rcity_context *context, const rcity_beams_forest *forest,
                                    const rcity_fast_ends *ends, rcity_fast_tables *tables)
{
    memset(tables, 0, sizeof *tables);
    tables->context = context;
    int thread_count = rcity_context_thread_count(context);
    table_run run = {forest, ends, tables, NULL, RCITY_OK};
    faces_run faces = {ends->facets, tables};
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *run.chains, "tables of edges", &run.chains));
    RCITY_TRY_DONE(make_room(forest, ends, tables));
    rcity_parallel(context, tables->face_count, PIECE_FACES, fill_faces, &faces);
    rcity_parallel(context, RCITY_BEAM_FIELD_STEPS + 1, PIECE_FACES, fill_edge_field, &faces);
    fill_plane_codes(ends->facets, tables);
    rcity_parallel(context, tables->way_count, PIECE_WAYS, fill_ways, &run);
    RCITY_TRY_DONE((rcity_status)atomic_load(&run.status));
    RCITY_TRY_DONE(place_ways(forest, tables));
    rcity_parallel(context, tables->way_count, PIECE_WAYS, fill_heights, &run);
    RCITY_TRY_DONE((rcity_status)atomic_load(&run.status));
    join_limits(forest, tables);
done:
    for (int i = 0; run.chains != NULL && i < thread_count; i++) {
        rcity_release(context, run.chains[i].walls);
    }
    rcity_release(context, run.chains);
    if (status != RCITY_OK) {
        rcity_fast_tables_deinit(tables);
    }
    return status;
}

void rcity_fast_tables_deinit(rcity_fast_tables *tables)
{
    rcity_context *context = tables->context;
    rcity_release(context, tables->shares);
    rcity_release(context, tables->limits);
    rcity_release(context, tables->heights);
    rcity_release(context, tables->directions);
    rcity_release(context, tables->slopes);
    rcity_release(context, tables->ways);
    rcity_release(context, tables->plane_code);
    rcity_release(context, tables->edge_field);
    rcity_release(context, tables->faces);
    memset(tables, 0, sizeof *tables);
}
