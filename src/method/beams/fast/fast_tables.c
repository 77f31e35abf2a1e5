/* Tables by the formulas of kernel/wave, in double precision. */
#define RCITY_REAL_IS_DOUBLE

#include "method/beams/fast/fast_tables.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/beams/beam_field.h"
#include "kernel/wave/polarization.h"
#include "kernel/wave/wedge.h"
#include "method/beams/fast/fast_chain.h"
#include "method/images/field/path_groups.h"

#define TWO_PI         6.28318530717958647692
#define VARIANTS       2 /* without and with a bounce off the ground */
#define LOSS_MAX_DB    300.0
#define FRONT_MIN_M    1e-3
#define SLOPE_SINE_MIN 0.05
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

static void fill_faces(const rcity_facet_table *facets, rcity_fast_tables *tables)
{
    for (int64_t m = 0; m < facets->material_count; m++) {
        rcity_face face = face_of(facets, (int32_t)m);
        for (int i = 0; i <= RCITY_BEAM_FACE_STEPS; i++) {
            rcity_face_response response =
                rcity_face_reflect(face, wavenumber(facets), (double)i / RCITY_BEAM_FACE_STEPS);
            tables->faces[m * (RCITY_BEAM_FACE_STEPS + 1) + i] =
                (rcity_beam_face){to_float(response.te), to_float(response.tm)};
        }
    }
    for (int i = 0; i <= RCITY_BEAM_FIELD_STEPS; i++) {
        tables->edge_field[i] = to_float(rcity_edge_field(i / (double)RCITY_BEAM_FIELD_PER_UNIT));
    }
}

/* The weights of the terms in one direction, for an elevation with this sine; the factor -sqrt(L) / sin(beta) is left to
   the caller but for its sign, and so is the sign of the field that an edge's own frame has. */
static void fill_terms(const rcity_wedge *wedge, double wavenumber_per_m, double phi_in_rad, double phi_out_rad,
                       double slope_sine, float sine[RCITY_BEAM_TERMS], float re[RCITY_BEAM_WEIGHTS],
                       float im[RCITY_BEAM_WEIGHTS], float turning_re[RCITY_BEAM_WEIGHTS],
                       float turning_im[RCITY_BEAM_WEIGHTS])
{
    rcity_wedge_ray ray;
    ray.wavenumber_per_m = wavenumber_per_m;
    ray.beta_rad = acos(slope_sine);
    ray.phi_in_rad = phi_in_rad;
    ray.phi_out_rad = phi_out_rad;
    ray.distance_m = 1.0;
    rcity_wedge_weights of = rcity_wedge_weigh(*wedge, ray);
    for (int term = 0; term < RCITY_BEAM_TERMS; term++) {
        double shadow_rad = rcity_wedge_shadow_rad(*wedge, ray, term);
        double shape = fabs(rcity_wedge_shape(*wedge, shadow_rad));
        sine[term] = (float)sin(0.5 * shadow_rad);
        for (int k = 0; k < 2; k++) {
            int at = k * RCITY_BEAM_TERMS + term;
            rcity_complex kept = rcity_complex_scale(of.of[term].m[k][k], shape);
            rcity_complex turned = rcity_complex_scale(of.of[term].m[k][1 - k], shape);
            re[at] = (float)kept.re;
            im[at] = (float)kept.im;
            turning_re[at] = (float)turned.re;
            turning_im[at] = (float)turned.im;
        }
    }
}

/* The angle of a direction by its number; see rcity_beam_turn(). */
static double angle_of(double turn)
{
    double along = turn <= 2.0 ? 1.0 - turn : turn - 3.0;
    double off = (turn <= 2.0 ? 1.0 : -1.0) * (1.0 - fabs(along));
    double angle_rad = atan2(off, along);
    return turn > 2.0 ? angle_rad + TWO_PI : angle_rad;
}

static double turn_of(double angle_rad)
{
    double along = cos(angle_rad);
    double off = sin(angle_rad);
    double size = fabs(along) + fabs(off);
    return angle_rad <= RCITY_TRACE_PI ? 1.0 - along / size : 3.0 + along / size;
}

/* `phi_in_rad`: where the rays of the way come from. */
static void fill_directions(const rcity_facet_table *facets, const rcity_facet_edge *edge, const rcity_beam_way *way,
                            rcity_beam_direction *directions)
{
    rcity_wedge wedge;
    wedge.exterior_rad = edge->exterior_rad;
    wedge.face_o = face_of(facets, edge->material_o);
    wedge.face_n = face_of(facets, edge->material_n);
    double phi_in_rad = fmin(angle_of((double)way->turn_in), edge->exterior_rad);
    for (int i = 0; i <= way->direction_steps; i++) {
        double phi_out_rad =
            i == way->direction_steps ? edge->exterior_rad : angle_of((double)i / RCITY_BEAM_QUADRANT_STEPS);
        float none_re[RCITY_BEAM_WEIGHTS]; /* level rays keep their polarization */
        float none_im[RCITY_BEAM_WEIGHTS];
        rcity_beam_direction *made = &directions[way->direction_first + i];
        fill_terms(&wedge, wavenumber(facets), phi_in_rad, phi_out_rad, (double)way->slope_sine, made->sine,
                   made->sloping_re, made->sloping_im, made->turning_re, made->turning_im);
        fill_terms(&wedge, wavenumber(facets), phi_in_rad, phi_out_rad, 0.0, made->sine, made->level_re, made->level_im,
                   none_re, none_im);
    }
}

/* The greatest share of the power in free space, without antennas, that a way brings to its edge with any slope. */
static double share_brought(const rcity_beam_way *way, const rcity_beam_slope *slopes)
{
    double most = 0.0;
    for (int variant = 0; variant < VARIANTS; variant++) {
        for (int i = 0; i <= RCITY_BEAM_SLOPE_STEPS; i++) {
            const rcity_beam_field *field = &slopes[way->slope_first[variant] + i].field;
            most = fmax(most, (double)(field->theta.re * field->theta.re + field->theta.im * field->theta.im +
                                       field->phi.re * field->phi.re + field->phi.im * field->phi.im));
        }
    }
    return most;
}

/* The greatest weight of a term at a direction: of fields along the edge or around it, level or sloping up to the steepest;
   and what turns over from one into the other. */
static double greatest_weight(const rcity_beam_direction *at, int term, double sloped)
{
    double most = 0.0;
    for (int i = term; i < RCITY_BEAM_WEIGHTS; i += RCITY_BEAM_TERMS) {
        double level = hypot((double)at->level_re[i], (double)at->level_im[i]);
        double sloping = hypot((double)at->sloping_re[i], (double)at->sloping_im[i]);
        double square = sloped * sloped;
        double kept = square > 1.0 ? (square - 1.0) * level + square * sloping : fmax(level, sloping);
        most = fmax(most, kept + sloped * hypot((double)at->turning_re[i], (double)at->turning_im[i]));
    }
    return most;
}

/* How strong the rays of a way may be: between two directions a term is at most its greatest weight over the least sine,
   since |W(p)| is at most 1 / (2 sqrt(pi) p). */
static void fill_shares(const rcity_facet_table *facets, const rcity_fast_tables *tables, rcity_beam_way *way)
{
    const double half_root_pi = 0.28209479177387814347;
    const double field_max = 1.26; /* of a diffracted field: 1 where two boundaries meet, and the other terms */
    double brought = share_brought(way, tables->slopes);
    double steepest = fmax((double)way->slope_max[0], (double)way->slope_max[1]);
    double sloped = fmax(steepest / sqrt(1.0 + steepest * steepest) / (double)way->slope_sine, 1.0);
    way->limit = (rcity_beam_limit){way->plan_m, (float)(brought * field_max * field_max), way->direction_first};
    for (int i = 0; i <= way->direction_steps; i++) {
        const rcity_beam_direction *here = &tables->directions[way->direction_first + i];
        const rcity_beam_direction *next = i < way->direction_steps ? here + 1 : here;
        double sum = 0.0;
        for (int term = 0; term < RCITY_BEAM_TERMS; term++) {
            bool crosses = here->sine[term] * next->sine[term] <= 0.0f &&
                           !rcity_beam_turns_over(here->sine[term], next->sine[term]);
            double sine = crosses ? 0.0 : fmin(fabs((double)here->sine[term]), fabs((double)next->sine[term]));
            sum += half_root_pi * fmax(greatest_weight(here, term, sloped), greatest_weight(next, term, sloped)) /
                   fmax(sine, 1e-6);
        }
        tables->shares[way->direction_first + i] =
            (float)(brought * sum * sum / (2.0 * wavenumber(facets) * fmax((double)way->plan_m, FRONT_MIN_M)));
    }
}

/* The limits of trees, over all ways to their edges. */
static void join_limits(const rcity_beams_forest *forest, rcity_fast_tables *tables)
{
    int32_t at = (int32_t)tables->direction_count;
    for (int32_t tree = 1; tree < forest->tree_count; tree++) {
        int32_t first = forest->arrival_first[tree];
        rcity_beam_limit *limit = &tables->limits[tree];
        *limit = tables->ways[first].limit;
        limit->first = at;
        int32_t steps = tables->ways[first].direction_steps;
        for (int32_t k = first; k < forest->arrival_first[tree + 1]; k++) {
            const rcity_beam_limit *own = &tables->ways[k].limit;
            limit->before_m = fminf(limit->before_m, own->before_m);
            limit->near = fmaxf(limit->near, own->near);
            for (int32_t i = 0; i <= steps; i++) {
                tables->shares[at + i] = fmaxf(tables->shares[at + i], tables->shares[own->first + i]);
            }
        }
        at += steps + 1;
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

/* Walls on the way to an edge whose heights decide. */
static rcity_status add_heights(const rcity_fast_ends *ends, const rcity_fast_chain *chain, double x, double y,
                                rcity_fast_tables *tables, rcity_beam_way *way)
{
    double highest_m = fmax(ends->tx_height_m, ends->rx_height_m);
    way->height_first = (int32_t)tables->height_count;
    for (size_t k = 0; k < chain->wall_count; k++) {
        const rcity_fast_wall *wall = &chain->walls[k];
        if (!wall->is_passed && wall->top_m > highest_m && wall->bottom_m <= 0.0) {
            continue;
        }
        RCITY_TRY(rcity_reserve(tables->context, tables->height_count + 1, sizeof *tables->heights,
                                &tables->height_capacity, "heights of walls", &tables->heights));
        tables->heights[tables->height_count++] =
            (rcity_beam_height){(float)(wall->ahead_m / (wall->x * x + wall->y * y)), (float)wall->bottom_m,
                                (float)wall->top_m, wall->is_passed};
    }
    way->height_count = (int32_t)tables->height_count - way->height_first;
    return RCITY_OK;
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

/* One way but for its directions. */
static rcity_status fill_way(const rcity_beams_forest *forest, const rcity_fast_ends *ends, int64_t index,
                             rcity_fast_chain *chain, rcity_fast_tables *tables)
{
    const rcity_beams_arrival *from = &forest->arrivals[forest->arrival_order[index]];
    const rcity_beams_tree *tree = &forest->trees[from->tree];
    const rcity_beams_meeting *meeting = &tree->meetings[from->meeting];
    const rcity_beams_node *node = &tree->nodes[meeting->node];
    const rcity_facet_edge *edge = &ends->facets->edges[meeting->facet_edge];
    const rcity_beam_hit *hit = &tree->hits[meeting->hit];
    rcity_beam_way *made = &tables->ways[index];
    RCITY_TRY(rcity_fast_chain_fill(tables->context, forest, tree, meeting->node, hit->passed_first, hit->passed_count,
                                    chain));
    double x = edge->a.x - node->x;
    double y = edge->a.y - node->y;
    double length_m = hypot(x, y);
    x /= length_m;
    y /= length_m;
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
    return add_heights(ends, chain, x, y, tables, made);
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
} table_run;

/* An rcity_parallel_function. */
static void fill_all_directions(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    table_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        const rcity_beams_arrival *from = &run->forest->arrivals[run->forest->arrival_order[i]];
        int32_t facet_edge = run->forest->trees[from->tree].meetings[from->meeting].facet_edge;
        fill_directions(run->ends->facets, &run->ends->facets->edges[facet_edge], &run->tables->ways[i],
                        run->tables->directions);
        fill_shares(run->ends->facets, run->tables, &run->tables->ways[i]);
    }
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
    RCITY_TRY(rcity_reserve(context, 1, sizeof *tables->heights, &tables->height_capacity, "heights of walls",
                            &tables->heights)); /* devices want some memory where there are none */
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
    rcity_fast_chain chain = {NULL, 0, 0, 0, {{0.0, 0.0}, {0.0, 0.0}}};
    table_run run = {forest, ends, tables};
    rcity_status status;
    RCITY_TRY_DONE(make_room(forest, ends, tables));
    fill_faces(ends->facets, tables);
    fill_plane_codes(ends->facets, tables);
    for (int64_t i = 0; i < tables->way_count; i++) {
        RCITY_TRY_DONE(fill_way(forest, ends, i, &chain, tables));
        tables->ways[i].direction_first = (int32_t)tables->direction_count;
        tables->direction_count += tables->ways[i].direction_steps + 1;
    }
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)tables->direction_count + 1, sizeof *tables->directions,
                               "tables of edges", &tables->directions));
    tables->share_count = tables->direction_count;
    for (int32_t tree = 1; tree < forest->tree_count; tree++) {
        tables->share_count += tables->ways[forest->arrival_first[tree]].direction_steps + 1;
    }
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)tables->share_count + 1, sizeof *tables->shares, "tables of edges",
                               &tables->shares));
    rcity_parallel(context, tables->way_count, 16, fill_all_directions, &run);
    join_limits(forest, tables);
done:
    rcity_release(context, chain.walls);
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
