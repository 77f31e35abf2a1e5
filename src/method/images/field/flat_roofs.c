/* The reflection of flat roofs between and beside their edges. */
#define RCITY_REAL_IS_DOUBLE

#include "method/images/field/flat_roofs.h"

#include <math.h>
#include <string.h>

#include "kernel/wave/face.h"

#define GRAZING_MAX_RAD 1.0 /* a roof shorter than a wavelength */

/* The clearance p of the mirrored ray from which on it counts: fully in the shadow, not at all where it becomes a
   reflected path of its own. */
#define MIRROR_NONE 0.0
#define MIRROR_FULL 1.0

#define DONE_MIN 1e-12 /* a roof that leaves less of the power, joined, leaves nothing */

static bool is_flat(const rcity_trace_event *event)
{
    return event->kind == RCITY_EVENT_OVER_ROOFS && event->object <= RCITY_TRACE_FLAT;
}

bool rcity_flat_roofs_are_in(const rcity_trace_path *path)
{
    for (int i = 0; i < path->event_count; i++) {
        if (is_flat(&path->event[i])) {
            return true;
        }
    }
    return false;
}

static rcity_complex reflection(const rcity_facet_table *world, int32_t material_index, double grazing_rad,
                                int component)
{
    const rcity_facet_material *material = &world->materials[material_index];
    rcity_face face;
    memset(&face, 0, sizeof face);
    face.permittivity = rcity_complex_make(material->permittivity_re, material->permittivity_im);
    face.thickness_m = material->thickness_m;
    face.is_conductor = material->is_conductor;
    face.rough_loss = world->reflected_loss;
    rcity_face_response response =
        rcity_face_reflect(face, 2.0 * RCITY_TRACE_PI / world->wavelength_m, sin(grazing_rad));
    return component == 0 ? response.tm : response.te;
}

void rcity_flat_roofs_join(const rcity_facet_table *world, const rcity_trace_path *path, int component,
                           rcity_roof_chain *chain)
{
    int place = 0;
    for (int i = 0; i < path->event_count; i++) {
        place += path->event[i].kind == RCITY_EVENT_OVER_ROOFS;
        if (is_flat(&path->event[i]) && rcity_trace_flat_side(path->event[i].object) == RCITY_FLAT_TO_NEXT) {
            double length_m = chain->range_m[place + 1] - chain->range_m[place];
            double grazing_rad = fmin(1.0 / sqrt(chain->wavenumber_per_m * length_m), GRAZING_MAX_RAD);
            rcity_complex made =
                reflection(world, rcity_trace_flat_material(path->event[i].object), grazing_rad, component);
            chain->roof[place] = fmax(-1.0, fmin(1.0, made.re));
        }
    }
}

/* A chain over one edge, as a receiver at `to` has it from a source at the range of `from` and this height. */
static rcity_complex field_over_one(const rcity_roof_chain *chain, int from, double from_z, int edge, int to)
{
    rcity_roof_chain one;
    memset(&one, 0, sizeof one);
    one.edge_count = 1;
    one.wavenumber_per_m = chain->wavenumber_per_m;
    one.range_m[1] = fabs(chain->range_m[edge] - chain->range_m[from]);
    one.range_m[2] = one.range_m[1] + fabs(chain->range_m[to] - chain->range_m[edge]);
    one.height_m[0] = from_z;
    one.height_m[1] = chain->height_m[edge];
    one.height_m[2] = chain->height_m[to];
    return rcity_roof_chain_field(one).field;
}

/* The field of the ray that a roof mirrors on its way from `from` to its edge, over that of the ray itself, both
   diffracted on to `to`. Mirrored, `from` lies as far below the roof as it is above, and as far from the edge. */
static rcity_complex mirrored_field(const rcity_facet_table *world, int32_t material_index, int component,
                                    const rcity_roof_chain *chain, int from, int edge, int to)
{
    double roof_z = chain->height_m[edge];
    double above_m = chain->height_m[from] - roof_z;
    double before_m = fabs(chain->range_m[edge] - chain->range_m[from]);
    double after_m = fabs(chain->range_m[to] - chain->range_m[edge]);
    if (above_m <= 0.0) {
        return rcity_complex_make(0.0, 0.0);
    }
    double rise_m = (above_m * after_m + (roof_z - chain->height_m[to]) * before_m) / (before_m + after_m);
    double p = rise_m * sqrt(0.5 * chain->wavenumber_per_m * (before_m + after_m) / (before_m * after_m));
    rcity_complex made = reflection(world, material_index, atan2(above_m, before_m), component);
    rcity_complex below = field_over_one(chain, from, roof_z - above_m, edge, to);
    rcity_complex above = field_over_one(chain, from, chain->height_m[from], edge, to);
    made = rcity_complex_multiply(made, rcity_complex_divide(below, above));
    return rcity_complex_scale(made, rcity_roof_fade(p, MIRROR_NONE, MIRROR_FULL));
}

/* Which places the over-roof path touches, and their neighbours on it; 0 for those that it does not touch. */
typedef struct touched_places {
    int before[RCITY_ROOF_CHAIN_MAX + 2];
    int after[RCITY_ROOF_CHAIN_MAX + 2];
} touched_places;

static touched_places follow(const rcity_roof_chain *chain)
{
    touched_places touched;
    memset(&touched, 0, sizeof touched);
    for (int at = 0; at < chain->edge_count + 1;) {
        int next = rcity_roof_next(*chain, at);
        touched.after[at] = next;
        touched.before[next] = at;
        at = next;
    }
    return touched;
}

/* The factor 1 + m for a mirrored field m, as far as the roof's other edge does not count. With the share s of that edge
   the joined roof has about the factor 1 + s m already, so the rest is (1 + m) / (1 + s m). */
static rcity_complex add_mirrored(rcity_complex factor, rcity_complex mirrored, double other_share)
{
    rcity_complex done = rcity_complex_scale(mirrored, other_share);
    done.re += 1.0;
    mirrored.re += 1.0;
    return rcity_complex_square(done) > DONE_MIN && other_share < 1.0
               ? rcity_complex_multiply(factor, rcity_complex_divide(mirrored, done))
               : factor;
}

rcity_complex rcity_flat_roofs_mirror(const rcity_facet_table *world, const rcity_trace_path *path, int component,
                                      const rcity_roof_chain *chain)
{
    rcity_complex factor = rcity_complex_make(1.0, 0.0);
    rcity_roof_line line = rcity_roof_line_make(*chain);
    touched_places touched = follow(chain);
    int place = 0;
    for (int i = 0; i < path->event_count; i++) {
        place += path->event[i].kind == RCITY_EVENT_OVER_ROOFS;
        if (!is_flat(&path->event[i])) {
            continue;
        }
        int32_t material_index = rcity_trace_flat_material(path->event[i].object);
        rcity_flat_side side = rcity_trace_flat_side(path->event[i].object);
        bool is_whole = side == RCITY_FLAT_TO_NEXT; /* both edges of the roof are places */
        int end = is_whole ? place + 1 : place;
        int from = touched.before[end];
        int to = touched.after[end];
        if (side != RCITY_FLAT_AFTER && to > 0 && !(is_whole && from == place)) {
            rcity_complex field = mirrored_field(world, material_index, component, chain, from, end, to);
            factor = add_mirrored(factor, field, is_whole ? rcity_roof_share(*chain, line, place) : 0.0);
        }
        from = touched.after[place];
        to = touched.before[place];
        if (side != RCITY_FLAT_BEFORE && from > 0 && !(is_whole && from == end)) {
            rcity_complex field = mirrored_field(world, material_index, component, chain, from, place, to);
            factor = add_mirrored(factor, field, is_whole ? rcity_roof_share(*chain, line, end) : 0.0);
        }
    }
    return factor;
}
