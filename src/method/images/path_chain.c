#define RCITY_REAL_IS_DOUBLE

#include "method/images/path_chain.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "kernel/wave/roof_chain.h"

#define TWO_PI    6.28318530717958647692
#define GAP_MIN_M 1e-6 /* tops follow each other at least this far apart */

_Static_assert(RCITY_PATH_TOP_MAX <= RCITY_ROOF_CHAIN_MAX, "the kernel has room for all tops");

bool rcity_path_is_chain(const rcity_trace_path *path)
{
    return path->event_count > 0 && path->event[0].kind == RCITY_EVENT_OVER_ROOFS;
}

/* Ranges along the plan from the transmitter, and heights: the ends and all tops between. */
static rcity_roof_chain make_chain(const rcity_trace_path *path, double wavenumber_per_m)
{
    rcity_roof_chain chain;
    memset(&chain, 0, sizeof chain); /* no roof joins two tops: they are knife edges in the open */
    assert(path->event_count <= RCITY_PATH_TOP_MAX);
    double east = path->rx.x - path->tx.x;
    double north = path->rx.y - path->tx.y;
    double plan_m = fmax(sqrt(east * east + north * north), GAP_MIN_M);
    chain.top_count = path->event_count;
    chain.wavenumber_per_m = wavenumber_per_m;
    chain.height_m[0] = path->tx.z;
    for (int i = 1; i <= path->event_count + 1; i++) {
        rcity_place3 place = i <= path->event_count ? path->event[i - 1].point : path->rx;
        double range_m = ((place.x - path->tx.x) * east + (place.y - path->tx.y) * north) / plan_m;
        chain.range_m[i] = fmax(range_m, chain.range_m[i - 1] + GAP_MIN_M);
        chain.height_m[i] = place.z;
    }
    return chain;
}

rcity_trace_path rcity_path_tauten(const rcity_trace_path *path)
{
    rcity_trace_path string = *path;
    if (!rcity_path_is_chain(path)) {
        return string;
    }
    rcity_roof_chain chain = make_chain(path, 1.0);
    string.event_count = 0;
    for (int at = rcity_roof_next(chain, 0); at <= path->event_count; at = rcity_roof_next(chain, at)) {
        string.event[string.event_count++] = path->event[at - 1];
    }
    return string;
}

static bool is_line_free(const rcity_roof_chain *chain)
{
    int last = chain->top_count + 1;
    for (int i = 1; i < last; i++) {
        double part = chain->range_m[i] / chain->range_m[last];
        if (chain->height_m[i] > chain->height_m[0] + part * (chain->height_m[last] - chain->height_m[0])) {
            return false;
        }
    }
    return true;
}

rcity_chain_field rcity_path_chain_field(const rcity_trace_world *world, const rcity_trace_path *path)
{
    rcity_roof_chain chain = make_chain(path, TWO_PI / world->wavelength_m);
    rcity_roof_field made = rcity_roof_chain_field(chain);
    rcity_chain_field result = {{made.field.re, made.field.im}, made.length_m};
    if (is_line_free(&chain)) {
        result.field.re -= 1.0;
    }
    return result;
}
