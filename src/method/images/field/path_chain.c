#define RCITY_REAL_IS_DOUBLE

#include "method/images/field/path_chain.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "kernel/wave/roof_chain.h"
#include "method/images/field/flat_roofs.h"

#define TWO_PI    6.28318530717958647692
#define GAP_MIN_M 1e-6 /* diffracting edges follow each other at least this far apart */

_Static_assert(RCITY_TRACE_EDGE_MAX <= RCITY_ROOF_CHAIN_MAX, "the kernel has room for all edges");

bool rcity_path_is_chain(const rcity_trace_path *path)
{
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind == RCITY_EVENT_OVER_ROOFS) {
            return true;
        }
    }
    return false;
}

/* The height of an end, unfolded at the level mirrors between it and the diffracting edges. */
static double unfolded_z(const rcity_facet_table *world, const rcity_trace_path *path, bool is_start)
{
    double z = is_start ? path->tx.z : path->rx.z;
    int step = is_start ? 1 : -1;
    for (int i = is_start ? 0 : path->event_count - 1;
         i >= 0 && i < path->event_count && path->event[i].kind != RCITY_EVENT_OVER_ROOFS; i += step) {
        rcity_mirror mirror;
        rcity_trace_mirror(world, path->event[i].object, &mirror);
        z = mirror.kind == RCITY_MIRROR_WALL ? z : 2.0 * mirror.offset - z;
    }
    return z;
}

/* Ranges along the plan from the transmitter, unfolded at walls, and heights: both ends and all diffracting edges
   between them. */
static rcity_roof_chain make_chain(const rcity_facet_table *world, const rcity_trace_path *path)
{
    rcity_roof_chain chain;
    memset(&chain, 0, sizeof chain); /* no roof joins two edges: they are knife edges in open air */
    chain.wavenumber_per_m = TWO_PI / world->wavelength_m;
    chain.height_m[0] = unfolded_z(world, path, true);
    double range_m = 0.0;
    int place = 0;
    for (int i = 0; i <= path->event_count; i++) {
        rcity_place3 from = rcity_trace_path_point(path, i - 1);
        rcity_place3 to = rcity_trace_path_point(path, i);
        range_m += hypot(to.x - from.x, to.y - from.y);
        if (i == path->event_count || path->event[i].kind == RCITY_EVENT_OVER_ROOFS) {
            place++;
            range_m = fmax(range_m, chain.range_m[place - 1] + GAP_MIN_M);
            chain.range_m[place] = range_m;
            chain.height_m[place] = to.z;
        }
    }
    chain.edge_count = place - 1;
    assert(chain.edge_count <= RCITY_TRACE_EDGE_MAX);
    chain.height_m[place] = unfolded_z(world, path, false);
    return chain;
}

rcity_trace_path rcity_path_over_roofs(const rcity_facet_table *world, const rcity_trace_path *path)
{
    rcity_trace_path over_path = *path;
    if (!rcity_path_is_chain(path)) {
        return over_path;
    }
    rcity_roof_chain chain = make_chain(world, path);
    int touched = rcity_roof_next(chain, 0);
    int edge_index = 0;
    over_path.event_count = 0;
    for (int i = 0; i < path->event_count; i++) {
        bool is_edge = path->event[i].kind == RCITY_EVENT_OVER_ROOFS;
        edge_index += is_edge;
        if (!is_edge || edge_index == touched) {
            over_path.event[over_path.event_count++] = path->event[i];
        }
        if (is_edge && edge_index == touched) {
            touched = rcity_roof_next(chain, touched);
        }
    }
    return over_path;
}

rcity_chain_field rcity_path_chain_field(const rcity_facet_table *world, const rcity_trace_path *path, int component)
{
    rcity_roof_chain chain = make_chain(world, path);
    bool has_flat_roofs = rcity_flat_roofs_are_in(path);
    if (has_flat_roofs) {
        rcity_flat_roofs_join(world, path, component, &chain);
    }
    rcity_roof_field made = rcity_roof_chain_field(chain);
    if (has_flat_roofs) {
        made.field = rcity_complex_multiply(made.field, rcity_flat_roofs_mirror(world, path, component, &chain));
    }
    return (rcity_chain_field){{made.field.re, made.field.im}, made.length_m};
}
