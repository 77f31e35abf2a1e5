/* Tables by the formulas of kernel/wave, in double precision. */
#define RCITY_REAL_IS_DOUBLE

#include "method/beams/fast/fast_tables.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/wave/polarization.h"
#include "kernel/wave/wedge.h"
#include "method/beams/fast/fast_chain.h"
#include "method/beams/fast/fast_field.h"

#define TWO_PI         6.28318530717958647692
#define EDGE_STEP_RAD  0.025 /* between two tabled directions, at most */
#define FRONT_MIN_M    1e-3
#define SLOPE_SINE_MIN 0.05
#define SLOPE_SINE_MAX 0.6

static rcity_fast_complex to_float(rcity_complex z)
{
    return (rcity_fast_complex){(float)z.re, (float)z.im};
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

rcity_fast_slope rcity_fast_departure(const rcity_fast_ends *ends, double x, double y, double z)
{
    const rcity_path_ends *antennas = ends->antennas;
    rcity_mount mount = rcity_mount_make(antennas->tx_azimuth_rad, antennas->tx_tilt_rad, antennas->tx_slant_rad);
    rcity_jones sent = rcity_mount_field(mount, antennas->tx_antenna, antennas->tx_table, rcity_real3_make(x, y, z));
    return (rcity_fast_slope){{{(float)sent.theta, 0.0f}, {(float)sent.phi, 0.0f}},
                              (float)(sent.theta * sent.theta + sent.phi * sent.phi)};
}

static void fill_faces(const rcity_facet_table *facets, rcity_fast_tables *tables)
{
    for (int64_t m = 0; m < facets->material_count; m++) {
        rcity_face face = face_of(facets, (int32_t)m);
        for (int i = 0; i <= RCITY_FAST_FACE_STEPS; i++) {
            rcity_face_response response =
                rcity_face_reflect(face, wavenumber(facets), (double)i / RCITY_FAST_FACE_STEPS);
            tables->faces[m * (RCITY_FAST_FACE_STEPS + 1) + i] =
                (rcity_fast_face){to_float(response.te), to_float(response.tm)};
        }
    }
    for (int i = 0; i <= RCITY_FAST_FIELD_STEPS; i++) {
        tables->edge_field[i] = to_float(rcity_edge_field(i / (double)RCITY_FAST_FIELD_PER_UNIT));
    }
}

/* The weights of the terms in one direction, for an elevation with this sine; the factor -sqrt(L) / sin(beta) is left to
   the caller but for its sign, and so is the sign of the field that an edge's own frame has. */
static void fill_terms(const rcity_wedge *wedge, double wavenumber_per_m, double phi_in_rad, double phi_out_rad,
                       double slope_sine, float sine[RCITY_FAST_EDGE_TERMS],
                       rcity_fast_complex weights[RCITY_FAST_EDGE_TERMS][2],
                       rcity_fast_complex turning[RCITY_FAST_EDGE_TERMS][2])
{
    rcity_wedge_ray ray;
    ray.wavenumber_per_m = wavenumber_per_m;
    ray.beta_rad = acos(slope_sine);
    ray.phi_in_rad = phi_in_rad;
    ray.phi_out_rad = phi_out_rad;
    ray.distance_m = 1.0;
    rcity_wedge_weights of = rcity_wedge_weigh(*wedge, ray);
    for (int term = 0; term < RCITY_FAST_EDGE_TERMS; term++) {
        double shadow_rad = rcity_wedge_shadow_rad(*wedge, ray, term);
        double shape = fabs(rcity_wedge_shape(*wedge, shadow_rad));
        sine[term] = (float)sin(0.5 * shadow_rad);
        for (int k = 0; k < 2; k++) {
            weights[term][k] = to_float(rcity_complex_scale(of.of[term].m[k][k], shape));
            turning[term][k] = to_float(rcity_complex_scale(of.of[term].m[k][1 - k], shape));
        }
    }
}

static void fill_edge(const rcity_facet_table *facets, const rcity_facet_edge *edge, const rcity_fast_arrival *arrival,
                      rcity_fast_edge *directions)
{
    rcity_wedge wedge;
    wedge.exterior_rad = edge->exterior_rad;
    wedge.face_o = face_of(facets, edge->material_o);
    wedge.face_n = face_of(facets, edge->material_n);
    for (int i = 0; i <= arrival->edge_steps; i++) {
        double phi_out_rad = edge->exterior_rad * i / arrival->edge_steps;
        rcity_fast_complex none[RCITY_FAST_EDGE_TERMS][2]; /* level rays keep their polarization */
        rcity_fast_edge *made = &directions[arrival->edge_first + i];
        fill_terms(&wedge, wavenumber(facets), (double)arrival->phi_in_rad, phi_out_rad, (double)arrival->slope_sine,
                   made->sine, made->sloping, made->turning);
        fill_terms(&wedge, wavenumber(facets), (double)arrival->phi_in_rad, phi_out_rad, 0.0, made->sine, made->level,
                   none);
    }
}

/* What comes to an edge with the slopes of one variant: antenna and walls. `x`, `y`: the direction of the last leg. */
static void fill_slopes(const rcity_fast_ends *ends, const rcity_fast_chain *chain, const rcity_fast_tables *tables,
                        double x, double y, int variant, const rcity_fast_arrival *arrival, rcity_fast_slope *slopes)
{
    double start_m = variant == 0 ? ends->tx_height_m : -ends->tx_height_m;
    double rise = ends->rx_height_m > start_m ? 1.0 : -1.0;
    double departure_x = (double)arrival->departure_x;
    double departure_y = (double)arrival->departure_y;
    for (int i = 0; i <= RCITY_FAST_SLOPE_STEPS; i++) {
        double tangent = rise * (double)arrival->slope_max[variant] * i / RCITY_FAST_SLOPE_STEPS;
        double level = 1.0 / sqrt(1.0 + tangent * tangent);
        double sine = tangent * level;
        rcity_fast_slope made =
            rcity_fast_departure(ends, departure_x * level, departure_y * level, variant == 0 ? sine : -sine);
        if (variant != 0) { /* unfolded at the ground */
            made.field.theta = rcity_fast_scale(made.field.theta, -1.0f);
        }
        if (chain->depth % 2 != 0) {
            made.field.phi = rcity_fast_scale(made.field.phi, -1.0f);
        }
        for (size_t k = 0; k < chain->wall_count; k++) {
            const rcity_fast_wall *wall = &chain->walls[k];
            if (!wall->is_passed) {
                int32_t material = ends->facets->mirrors[wall->wall].material_index;
                made.field = rcity_fast_reflect(&tables->faces[(int64_t)material * (RCITY_FAST_FACE_STEPS + 1)],
                                                (float)(wall->x * x + wall->y * y), (float)(x * wall->y - y * wall->x),
                                                (float)sine, made.field);
            }
        }
        slopes[arrival->slope_first[variant] + i] = made;
    }
}

/* Walls on the way to an edge whose heights decide. */
static rcity_status add_heights(const rcity_fast_ends *ends, const rcity_fast_chain *chain, double x, double y,
                                rcity_fast_tables *tables, rcity_fast_arrival *arrival)
{
    double highest_m = fmax(ends->tx_height_m, ends->rx_height_m);
    arrival->height_first = (int32_t)tables->height_count;
    for (size_t k = 0; k < chain->wall_count; k++) {
        const rcity_fast_wall *wall = &chain->walls[k];
        if (!wall->is_passed && wall->top_m > highest_m && wall->bottom_m <= 0.0) {
            continue;
        }
        RCITY_TRY(rcity_reserve(tables->context, tables->height_count + 1, sizeof *tables->heights,
                                &tables->height_capacity, "heights of walls", &tables->heights));
        tables->heights[tables->height_count++] =
            (rcity_fast_height){(float)(wall->ahead_m / (wall->x * x + wall->y * y)), (float)wall->bottom_m,
                                (float)wall->top_m, wall->is_passed};
    }
    arrival->height_count = (int32_t)tables->height_count - arrival->height_first;
    return RCITY_OK;
}

/* One arrival but for its directions. */
static rcity_status fill_arrival(const rcity_beams_forest *forest, const rcity_fast_ends *ends, int64_t index,
                                 rcity_fast_chain *chain, rcity_fast_tables *tables)
{
    const rcity_beams_arrival *from = &forest->arrivals[index];
    const rcity_beams_tree *tree = &forest->trees[from->tree];
    const rcity_beams_meeting *meeting = &tree->meetings[from->meeting];
    const rcity_beams_node *node = &tree->nodes[meeting->node];
    const rcity_facet_edge *edge = &ends->facets->edges[meeting->facet_edge];
    const rcity_beam_hit *hit = &tree->hits[meeting->hit];
    rcity_fast_arrival *made = &tables->arrivals[index];
    RCITY_TRY(rcity_fast_chain_fill(tables->context, forest, tree, meeting->node, hit->passed_first, hit->passed_count,
                                    chain));
    double x = edge->a.x - node->x;
    double y = edge->a.y - node->y;
    double length_m = hypot(x, y);
    x /= length_m;
    y /= length_m;
    double phi = atan2(-x * edge->normal_o.x - y * edge->normal_o.y, -x * edge->in_face_o.x - y * edge->in_face_o.y);
    phi = phi < -1e-9 ? phi + TWO_PI : fmax(phi, 0.0);
    made->plan_m = from->plan_m;
    made->least_loss = pow(10.0, 0.1 * from->loss_db);
    made->phi_in_rad = (float)fmin(phi, edge->exterior_rad);
    made->exterior_rad = (float)edge->exterior_rad;
    made->departure_x = (float)(chain->back[0][0] * x + chain->back[0][1] * y);
    made->departure_y = (float)(chain->back[1][0] * x + chain->back[1][1] * y);
    made->edge_bottom_m = (float)edge->a.z;
    made->edge_top_m = (float)edge->b.z;
    for (int variant = 0; variant < RCITY_FAST_VARIANTS; variant++) {
        double drop_m =
            fabs(variant == 0 ? ends->tx_height_m - ends->rx_height_m : ends->tx_height_m + ends->rx_height_m);
        made->slope_first[variant] = (int32_t)((2 * index + variant) * (RCITY_FAST_SLOPE_STEPS + 1));
        made->slope_max[variant] = (float)fmax(drop_m / fmax(from->plan_m, FRONT_MIN_M), 1e-6);
        fill_slopes(ends, chain, tables, x, y, variant, made, tables->slopes);
    }
    double steepest = fmax((double)made->slope_max[0], (double)made->slope_max[1]);
    made->slope_sine = (float)fmin(fmax(steepest / sqrt(1.0 + steepest * steepest), SLOPE_SINE_MIN), SLOPE_SINE_MAX);
    return add_heights(ends, chain, x, y, tables, made);
}

typedef struct table_run {
    const rcity_beams_forest *forest;
    const rcity_fast_ends *ends;
    rcity_fast_tables *tables;
} table_run;

static void fill_edges(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    table_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        const rcity_beams_arrival *from = &run->forest->arrivals[i];
        int32_t facet_edge = run->forest->trees[from->tree].meetings[from->meeting].facet_edge;
        fill_edge(run->ends->facets, &run->ends->facets->edges[facet_edge], &run->tables->arrivals[i],
                  run->tables->edges);
    }
}

rcity_status rcity_fast_tables_init(rcity_context *context, const rcity_beams_forest *forest,
                                    const rcity_fast_ends *ends, rcity_fast_tables *tables)
{
    memset(tables, 0, sizeof *tables);
    tables->context = context;
    size_t count = forest->arrival_count;
    rcity_fast_chain chain = {NULL, 0, 0, 0, {{0.0, 0.0}, {0.0, 0.0}}};
    int64_t edge_count = 0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)ends->facets->material_count * (RCITY_FAST_FACE_STEPS + 1),
                               sizeof *tables->faces, "tables of faces", &tables->faces));
    RCITY_TRY_DONE(rcity_alloc(context, RCITY_FAST_FIELD_STEPS + 1, sizeof *tables->edge_field, "tables of edges",
                               &tables->edge_field));
    RCITY_TRY_DONE(
        rcity_alloc(context, count + 1, sizeof *tables->arrivals, "tables of ways to edges", &tables->arrivals));
    RCITY_TRY_DONE(rcity_alloc(context, (count + 1) * RCITY_FAST_VARIANTS * (RCITY_FAST_SLOPE_STEPS + 1),
                               sizeof *tables->slopes, "tables of ways to edges", &tables->slopes));
    fill_faces(ends->facets, tables);
    for (size_t i = 0; i < count; i++) {
        RCITY_TRY_DONE(fill_arrival(forest, ends, (int64_t)i, &chain, tables));
        rcity_fast_arrival *arrival = &tables->arrivals[i];
        arrival->edge_first = (int32_t)edge_count;
        arrival->edge_steps = (int32_t)ceil((double)arrival->exterior_rad / EDGE_STEP_RAD);
        edge_count += arrival->edge_steps + 1;
    }
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)edge_count + 1, sizeof *tables->edges, "tables of edges", &tables->edges));
    table_run run = {forest, ends, tables};
    rcity_parallel(context, (int64_t)count, 16, fill_edges, &run);
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
    rcity_release(context, tables->heights);
    rcity_release(context, tables->edges);
    rcity_release(context, tables->slopes);
    rcity_release(context, tables->arrivals);
    rcity_release(context, tables->edge_field);
    rcity_release(context, tables->faces);
    memset(tables, 0, sizeof *tables);
}
