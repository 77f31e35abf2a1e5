/* The field over many roofs: up to RCITY_ROOF_CHAIN_MAX knife edges in a vertical plane, by the Fresnel-Kirchhoff
   integral over all openings above the edges (Vogler, Radio Science 17, 1982).

   Vogler's series of repeated integrals of the error function is slow and loses digits. Here the same integral is
   evaluated as a chain: the heights above the edges are rotated by 45 degrees in the complex plane. Then the integrand
   does not oscillate, each leg from edge to edge is a Gaussian, and the N-fold integral is N - 1 products of a small
   matrix with a vector. It costs tens to hundreds of microseconds and is accurate to 1e-6. Known values: N edges in
   line with N + 1 equal legs give 1 / (N + 1); two edges in line give 1/4 + asin(sqrt(ac / ((a+b)(b+c)))) / (2 pi).

   Which edges count. Pass all edges near the line, not only those that the over-roof path touches: an edge just below
   the path still costs nearly 6 dB, and the field must not jump when it drops out. The clearance of an edge is p, as in
   edge_transition.h, negative below the line between two others; the smallest p over all pairs decides. An edge counts
   fully down to p = -0.75, not at all from p = -1.25 on (0.6 to 1 in the v of ITU-R P.526, where its effect passes
   through 0 dB), and partly in between. So the field is continuous in every height, and edges far below cost nothing.

   Conventions. A place has a range along the plane, which grows from the source, and a height. The field is relative to
   that of a wave that has travelled the length of the over-roof path:
       E = E_0 field exp(-j k length_m) / length_m.
   It is a scalar: knife edges have no polarization and no material. Angles may be large: the turn theta at an edge
   enters as 2 sin(theta / 2) where the field is weak, the mean of a conductor's two polarizations.

   Roofs. Two edges of one roof may be joined: the roof then reflects with `roof` (-1: lossy, or a conductor with E
   along the edges; +1: a conductor with E vertical; 0: open air, two knife edges). Both edges should then have the same
   height. A flat bare roof has -1, which weakens the field a good deal more than two knife edges do. Rows of houses are
   mostly modelled as knife edges (Walfisch and Bertoni 1988), so 0 is the default choice. */
#ifndef RCITY_KERNEL_WAVE_ROOF_CHAIN_H
#define RCITY_KERNEL_WAVE_ROOF_CHAIN_H

#include "kernel/wave/edge_transition.h"

#define RCITY_ROOF_CHAIN_MAX   24  /* diffracting edges */
#define RCITY_ROOF_CHAIN_PANEL 12  /* pieces of RCITY_EDGE_NODES nodes that one edge may have */
#define RCITY_ROOF_CHAIN_NODES 192 /* their nodes */

/* Edges nearer to each other than this part of their Fresnel zone's length are moved apart to it: an error of 0.08 dB
   at most. */
#define RCITY_ROOF_CHAIN_NEAR RCITY_REAL(1.2e-3)

/* Source, edges, receiver: edge_count + 2 places with growing ranges. */
typedef struct rcity_roof_chain {
    rcity_i32 edge_count;
    rcity_real wavenumber_per_m;
    rcity_real range_m[RCITY_ROOF_CHAIN_MAX + 2];
    rcity_real height_m[RCITY_ROOF_CHAIN_MAX + 2];
    rcity_real roof[RCITY_ROOF_CHAIN_MAX + 2]; /* from this place to the next: 0, or the reflection of a joining roof */
} rcity_roof_chain;

typedef struct rcity_roof_field {
    rcity_complex field;
    rcity_real length_m; /* of the over-roof path from source to receiver */
} rcity_roof_field;

/* The profile unrolled along the over-roof path. Lengths and turns of the path are kept, heights are relative to it,
   and angles become slopes. So the paraxial integral has the true lengths and angles, and the same geometry whichever
   edges are left out. */
typedef struct rcity_roof_line {
    rcity_real x_m[RCITY_ROOF_CHAIN_MAX + 2];
    rcity_real z_m[RCITY_ROOF_CHAIN_MAX + 2];
    rcity_real slope[RCITY_ROOF_CHAIN_MAX + 2];   /* of the path before a place */
    rcity_real below_m[RCITY_ROOF_CHAIN_MAX + 2]; /* how far the path passes above a place */
    rcity_real length_m;
    rcity_real widening; /* product of theta / (2 sin(theta / 2)) over the path's turns */
} rcity_roof_line;

/* The next place that the over-roof path touches: the one seen from `at` at the highest elevation, the farthest of
   equals. */
RCITY_KERNEL rcity_i32 rcity_roof_next(rcity_roof_chain chain, rcity_i32 at)
{
    rcity_i32 next = at + 1;
    for (rcity_i32 i = at + 2; i < chain.edge_count + 2; i++) {
        rcity_real rise = (chain.height_m[i] - chain.height_m[at]) * (chain.range_m[next] - chain.range_m[at]);
        rcity_real best = (chain.height_m[next] - chain.height_m[at]) * (chain.range_m[i] - chain.range_m[at]);
        next = rise >= best ? i : next;
    }
    return next;
}

/* Lengths, slopes and clearances along the over-roof path as it is; rcity_roof_line_make() sets z_m. */
RCITY_KERNEL rcity_roof_line rcity_roof_line_follow(rcity_roof_chain chain)
{
    rcity_roof_line line;
    rcity_real slope = RCITY_REAL(0.0);
    rcity_real last_dx = RCITY_REAL(1.0);
    rcity_real last_dz = RCITY_REAL(0.0);
    rcity_i32 at = 0;
    for (rcity_i32 i = 0; i < RCITY_ROOF_CHAIN_MAX + 2; i++) { /* places beyond the last are never read */
        line.x_m[i] = RCITY_REAL(0.0);
        line.z_m[i] = RCITY_REAL(0.0);
        line.slope[i] = RCITY_REAL(0.0);
        line.below_m[i] = RCITY_REAL(0.0);
    }
    line.length_m = RCITY_REAL(0.0);
    line.widening = RCITY_REAL(1.0);
    while (at < chain.edge_count + 1) {
        rcity_i32 next = rcity_roof_next(chain, at);
        rcity_real dx = chain.range_m[next] - chain.range_m[at];
        rcity_real dz = chain.height_m[next] - chain.height_m[at];
        rcity_real leg_m = rcity_real_sqrt(dx * dx + dz * dz);
        if (at > 0) {
            rcity_real turn_rad = rcity_real_atan2(last_dz * dx - last_dx * dz, last_dx * dx + last_dz * dz);
            slope -= turn_rad;
            if (turn_rad > RCITY_REAL(0.01)) {
                line.widening *= RCITY_REAL(0.5) * turn_rad / rcity_real_sin(RCITY_REAL(0.5) * turn_rad);
            }
        }
        for (rcity_i32 i = at + 1; i <= next; i++) {
            rcity_real part = (chain.range_m[i] - chain.range_m[at]) / dx;
            rcity_real gap_m = chain.height_m[at] + part * dz - chain.height_m[i];
            line.x_m[i] = line.x_m[at] + part * leg_m;
            line.below_m[i] = i < next ? gap_m * dx / leg_m : RCITY_REAL(0.0);
            line.slope[i] = slope;
        }
        last_dx = dx;
        last_dz = dz;
        at = next;
    }
    line.length_m = line.x_m[at];
    return line;
}

RCITY_KERNEL rcity_roof_line rcity_roof_line_make(rcity_roof_chain chain)
{
    rcity_roof_line line = rcity_roof_line_follow(chain);
    rcity_real before_m = RCITY_REAL(0.0); /* where the last place was before edges were moved apart */
    rcity_real path_m = RCITY_REAL(0.0);   /* height of the over-roof path there */
    line.z_m[0] = RCITY_REAL(0.0);
    for (rcity_i32 i = 1; i < chain.edge_count + 2; i++) {
        rcity_real here_m = line.x_m[i];
        rcity_real gap_m = here_m - before_m;
        if (i > 1 && i <= chain.edge_count) {
            rcity_real zone_m = here_m * (line.length_m - here_m) / line.length_m;
            gap_m = rcity_real_fmax(gap_m, zone_m * RCITY_ROOF_CHAIN_NEAR);
        }
        path_m += line.slope[i] * gap_m;
        line.x_m[i] = line.x_m[i - 1] + gap_m;
        line.z_m[i] = path_m - line.below_m[i];
        before_m = here_m;
    }
    return line;
}

/* The edges that count, in order, with the two ends. */
typedef struct rcity_over_roof_path {
    rcity_i32 count; /* of edges */
    rcity_i32 place[RCITY_ROOF_CHAIN_MAX + 2];
    rcity_real share[RCITY_ROOF_CHAIN_MAX + 2]; /* the weight with which it counts, 0 to 1 */
    rcity_real leg_m[RCITY_ROOF_CHAIN_MAX + 2]; /* from the place before */
    rcity_real sum_m;                           /* of all legs */
} rcity_over_roof_path;

/* 1 from `full` on, 0 up to `none`, smooth between them. */
RCITY_KERNEL rcity_real rcity_roof_fade(rcity_real value, rcity_real none, rcity_real full)
{
    rcity_real part = (value - none) / (full - none);
    part = rcity_real_fmin(rcity_real_fmax(part, RCITY_REAL(0.0)), RCITY_REAL(1.0));
    return part * part * (RCITY_REAL(3.0) - RCITY_REAL(2.0) * part);
}

/* The weight with which an edge counts, from its smallest height over the lines between all pairs of places around it.
   An edge right beside a higher one has no effect of its own: within the Fresnel zone from end to end the two are one
   edge, although p is small because the leg between them is short. So the clearance relative to that wider zone counts
   as well. */
RCITY_KERNEL rcity_real rcity_roof_share(rcity_roof_chain chain, rcity_roof_line line, rcity_i32 edge)
{
    rcity_real length_m = line.x_m[chain.edge_count + 1];
    rcity_real zone_m = line.x_m[edge] * (length_m - line.x_m[edge]) / length_m;
    rcity_real least = RCITY_REAL(0.0);
    rcity_real least_wide = RCITY_REAL(0.0);
    for (rcity_i32 i = 0; i < edge; i++) {
        rcity_real before = line.x_m[edge] - line.x_m[i];
        for (rcity_i32 j = edge + 1; j < chain.edge_count + 2; j++) {
            rcity_real after = line.x_m[j] - line.x_m[edge];
            rcity_real height = line.z_m[edge] - (line.z_m[i] * after + line.z_m[j] * before) / (before + after);
            rcity_real local_m = before * after / (before + after);
            rcity_real p = height * rcity_real_sqrt(RCITY_REAL(0.5) * chain.wavenumber_per_m / local_m);
            least = rcity_real_fmin(least, p);
            least_wide = rcity_real_fmin(least_wide, p * rcity_real_sqrt(zone_m / local_m));
        }
    }
    return rcity_roof_fade(least, RCITY_REAL(-1.25), RCITY_REAL(-0.75)) *
           rcity_roof_fade(least_wide, RCITY_REAL(-5.0), RCITY_REAL(-3.0));
}

RCITY_KERNEL rcity_over_roof_path rcity_over_roof_path_make(rcity_roof_chain chain, rcity_roof_line line)
{
    rcity_over_roof_path path;
    rcity_i32 last = (chain.edge_count < RCITY_ROOF_CHAIN_MAX ? chain.edge_count : RCITY_ROOF_CHAIN_MAX) + 1;
    path.count = 0;
    path.place[0] = 0;
    path.share[0] = RCITY_REAL(1.0);
    path.leg_m[0] = RCITY_REAL(0.0);
    path.sum_m = line.x_m[last];
    for (rcity_i32 i = 1; i <= last; i++) {
        rcity_real share = i < last ? rcity_roof_share(chain, line, i) : RCITY_REAL(1.0);
        if (share > RCITY_REAL(0.0)) {
            path.count++;
            path.place[path.count] = i;
            path.share[path.count] = share;
            path.leg_m[path.count] = line.x_m[i] - line.x_m[path.place[path.count - 1]];
        }
    }
    path.count--; /* the last is the receiver */
    return path;
}

/* What the integral needs of an edge. With a the height above the edge in the edge's own unit, the integrand is
   exp(-a^2 - 2 sqrt(j) p a), and exp(2 a a' sqrt(after before')) couples it to the next edge. */
typedef struct rcity_roof_edge {
    rcity_real p;
    rcity_real before, after; /* shares of a^2 for the leg before and the leg after; their sum is 1 */
    rcity_real variance;      /* of a, without all other edges */
    rcity_real share;
} rcity_roof_edge;

/* Nodes of an edge's integral and their weights. */
typedef struct rcity_roof_nodes {
    rcity_i32 count;
    rcity_real a[RCITY_ROOF_CHAIN_NODES];
    rcity_real weight[RCITY_ROOF_CHAIN_NODES];
} rcity_roof_nodes;

/* The height a beyond which the integrand is below exp(-22) of its peak: v t^2 + sqrt(2) p t = 22. */
RCITY_KERNEL rcity_real rcity_roof_reach(rcity_real variance, rcity_real p)
{
    const rcity_real deep = RCITY_REAL(22.0);
    const rcity_real root = RCITY_REAL(1.41421356237309504880);
    rcity_real slope = root * p;
    rcity_real size = rcity_real_sqrt(slope * slope + RCITY_REAL(4.0) * deep / variance);
    /* two forms of the root of a quadratic, so that no nearly equal numbers are subtracted */
    return slope > RCITY_REAL(0.0) ? RCITY_REAL(2.0) * deep / (slope + size)
                                   : RCITY_REAL(0.5) * variance * (size - slope);
}

/* Panels of nodes from 0 to `reach`, which is negative below the edge. A panel is about 5 wide, and there are at most
   panel_max. */
RCITY_KERNEL void rcity_roof_panels(rcity_roof_nodes *nodes, rcity_real reach, rcity_real factor, rcity_i32 panel_max)
{
    rcity_i32 panels = (rcity_i32)(rcity_real_fabs(reach) / RCITY_REAL(5.0)) + 1;
    panels = panels > panel_max ? panel_max : panels;
    rcity_real width = reach / (rcity_real)panels;
    for (rcity_i32 i = 0; i < panels * RCITY_EDGE_NODES; i++) {
        rcity_i32 panel = i / RCITY_EDGE_NODES;
        rcity_i32 node = i % RCITY_EDGE_NODES;
        nodes->a[nodes->count] = width * ((rcity_real)panel + rcity_edge_legendre[node][0]);
        nodes->weight[nodes->count] = factor * rcity_real_fabs(width) * rcity_edge_legendre[node][1];
        nodes->count++;
    }
}

RCITY_KERNEL void rcity_roof_nodes_fill(rcity_roof_nodes *nodes, rcity_roof_edge edge)
{
    nodes->count = 0;
    rcity_i32 half_max = RCITY_ROOF_CHAIN_PANEL / 2;
    rcity_i32 is_partial = edge.share < RCITY_REAL(1.0);
    rcity_roof_panels(nodes, rcity_roof_reach(edge.variance, edge.p), RCITY_REAL(1.0),
                      is_partial ? half_max : RCITY_ROOF_CHAIN_PANEL);
    if (is_partial) { /* also below the edge, by the share with which it does not count */
        rcity_roof_panels(nodes, -rcity_roof_reach(edge.variance, -edge.p), RCITY_REAL(1.0) - edge.share, half_max);
    }
}

/* The fields on the nodes of one edge, weights included. */
typedef struct rcity_roof_values {
    rcity_complex value[RCITY_ROOF_CHAIN_NODES];
} rcity_roof_values;

RCITY_KERNEL rcity_roof_edge rcity_roof_edge_make(rcity_roof_chain chain, rcity_roof_line line,
                                                  rcity_over_roof_path path, rcity_i32 index)
{
    rcity_roof_edge edge;
    rcity_i32 place = path.place[index];
    rcity_real from_source_m = line.x_m[place];
    rcity_real zone_m = from_source_m * (path.sum_m - from_source_m) / path.sum_m;
    rcity_real before_m = path.leg_m[index];
    rcity_real after_m = path.leg_m[index + 1];
    rcity_real turn = (line.z_m[place] - line.z_m[path.place[index - 1]]) / before_m -
                      (line.z_m[path.place[index + 1]] - line.z_m[place]) / after_m;
    rcity_real local_m = before_m * after_m / (before_m + after_m);
    edge.p = rcity_real_sqrt(RCITY_REAL(0.5) * chain.wavenumber_per_m * local_m) * turn;
    edge.before = after_m / (before_m + after_m);
    edge.after = before_m / (before_m + after_m);
    edge.variance = zone_m / local_m;
    edge.share = path.share[index];
    return edge;
}

/* exp(-2 sqrt(j) p a) times the node's weight. */
RCITY_KERNEL rcity_complex rcity_roof_drift(rcity_roof_nodes *nodes, rcity_i32 node, rcity_real p)
{
    rcity_real slope = RCITY_REAL(-1.41421356237309504880) * p * nodes->a[node];
    return rcity_complex_polar(nodes->weight[node] * rcity_real_exp(slope), slope);
}

/* The field on one node of an edge from those on all nodes of the edge before: a Gaussian of the difference in height,
   and one of the sum for the image in a joining roof. */
RCITY_KERNEL rcity_complex rcity_roof_gather(rcity_roof_nodes *from, rcity_roof_values *values, rcity_real stretch,
                                             rcity_real height, rcity_real roof)
{
    const rcity_real none = RCITY_REAL(40.0);
    rcity_complex sum = rcity_complex_make(RCITY_REAL(0.0), RCITY_REAL(0.0));
    for (rcity_i32 i = 0; i < from->count; i++) {
        rcity_real below = stretch * from->a[i];
        rcity_real apart = (height - below) * (height - below);
        rcity_real weight = apart < none ? rcity_real_exp(-apart) : RCITY_REAL(0.0);
        if (roof != RCITY_REAL(0.0) && below > RCITY_REAL(0.0) && height > RCITY_REAL(0.0)) {
            weight += roof * rcity_real_exp(-(height + below) * (height + below));
        }
        sum = rcity_complex_add(sum, rcity_complex_scale(values->value[i], weight));
    }
    return sum;
}

/* The reflection of the roof that joins two neighbours of the path, times their weights. */
RCITY_KERNEL rcity_real rcity_roof_between(rcity_roof_chain chain, rcity_over_roof_path path, rcity_i32 index)
{
    rcity_i32 place = path.place[index];
    rcity_i32 is_next = path.place[index + 1] == place + 1;
    return is_next ? chain.roof[place] * path.share[index] * path.share[index + 1] : RCITY_REAL(0.0);
}

/* The N-fold integral, relative to the field of the ray along the over-roof path; at least one edge. */
RCITY_KERNEL rcity_complex rcity_roof_integral(rcity_roof_chain chain, rcity_roof_line line, rcity_over_roof_path path)
{
    rcity_roof_nodes nodes[2];
    rcity_roof_values values[2];
    rcity_real norm = path.sum_m / path.leg_m[1]; /* squared; each edge adds its factor */
    rcity_real stretch = RCITY_REAL(0.0);
    for (rcity_i32 index = 1; index <= path.count; index++) {
        rcity_roof_edge edge = rcity_roof_edge_make(chain, line, path, index);
        rcity_roof_nodes *to = &nodes[index % 2];
        rcity_roof_nodes *from = &nodes[1 - index % 2];
        rcity_roof_nodes_fill(to, edge);
        rcity_real scale = rcity_real_sqrt(edge.before);
        rcity_real roof = index > 1 ? rcity_roof_between(chain, path, index - 1) : RCITY_REAL(0.0);
        for (rcity_i32 i = 0; i < to->count; i++) {
            rcity_complex drift = rcity_roof_drift(to, i, edge.p);
            rcity_real height = scale * to->a[i];
            rcity_complex field = rcity_complex_make(rcity_real_exp(-height * height), RCITY_REAL(0.0));
            if (index > 1) {
                field = rcity_roof_gather(from, &values[1 - index % 2], stretch, height, roof);
            }
            values[index % 2].value[i] = rcity_complex_multiply(drift, field);
        }
        norm *= path.leg_m[index] / ((path.leg_m[index] + path.leg_m[index + 1]) * RCITY_REAL_PI);
        stretch = rcity_real_sqrt(edge.after);
    }
    rcity_complex sum =
        rcity_roof_gather(&nodes[path.count % 2], &values[path.count % 2], stretch, RCITY_REAL(0.0), RCITY_REAL(0.0));
    return rcity_complex_scale(sum, rcity_real_sqrt(norm));
}

/* The phase by which the path over all edges that count is longer than the over-roof path, which passes above some of
   them. */
RCITY_KERNEL rcity_real rcity_roof_dip_rad(rcity_roof_chain chain, rcity_roof_line line, rcity_over_roof_path path)
{
    rcity_real dip = RCITY_REAL(0.0);
    for (rcity_i32 i = 1; i <= path.count + 1; i++) {
        rcity_i32 from = path.place[i - 1];
        rcity_i32 to = path.place[i];
        rcity_real rise_m = line.z_m[to] - line.z_m[from];
        rcity_real along = RCITY_REAL(0.0);
        for (rcity_i32 j = from + 1; j <= to; j++) {
            along += line.slope[j] * line.slope[j] * (line.x_m[j] - line.x_m[j - 1]);
        }
        dip += rise_m * rise_m / path.leg_m[i] - along;
    }
    return RCITY_REAL(0.5) * chain.wavenumber_per_m * dip;
}

/* The field over the edges. edge_count 0 to RCITY_ROOF_CHAIN_MAX, ranges strictly growing. */
RCITY_KERNEL rcity_roof_field rcity_roof_chain_field(rcity_roof_chain chain)
{
    rcity_roof_field result;
    rcity_roof_line line = rcity_roof_line_make(chain);
    rcity_over_roof_path path = rcity_over_roof_path_make(chain, line);
    result.length_m = line.length_m;
    result.field = rcity_complex_make(RCITY_REAL(1.0), RCITY_REAL(0.0));
    if (path.count > 0) {
        rcity_complex turn = rcity_complex_polar(line.widening, -rcity_roof_dip_rad(chain, line, path));
        result.field = rcity_complex_multiply(turn, rcity_roof_integral(chain, line, path));
    }
    return result;
}

#endif
