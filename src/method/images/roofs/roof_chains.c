/* Chains between all pairs of ends. */
#include "method/images/roofs/roof_chains.h"

#include "method/images/roofs/roof_form.h"

#include <math.h>
#include <string.h>

#define NO_WALL    (-1)
#define WALL_GAP_M 0.02 /* the profile ends this far from the walls at the ends, which are no diffracting edges */
#define LINE_MIN_M 0.1  /* ends closer together have nothing between them */

_Static_assert(RCITY_TRACE_EDGE_MAX + 4 <= RCITY_RAY_EVENT_MAX,
               "a path has room for all edges and two mirrors at each end");

/* The line between two ends, unfolded in plan. */
typedef struct chain_line {
    const rcity_chain_end *start, *end;
    rcity_place3 tx, rx;
    double dx, dy; /* unit direction */
    double length_m;
    double start_wall_m, end_wall_m; /* distances of the walls; 0 and length_m without walls */
} chain_line;

rcity_status rcity_roof_chains_init(rcity_context *context, const rcity_search *search, rcity_roof_chains *chains)
{
    memset(chains, 0, sizeof *chains);
    return rcity_reach_init(context, search->reach_world, &chains->rx_reach);
}

void rcity_roof_chains_restart(rcity_roof_chains *chains)
{
    chains->start_count = 0;
}

void rcity_roof_chains_deinit(rcity_context *context, rcity_roof_chains *chains)
{
    rcity_release(context, chains->ends);
    rcity_release(context, chains->starts);
    rcity_reach_deinit(context, &chains->rx_reach);
    rcity_profile_deinit(context, &chains->ridges);
    rcity_profile_deinit(context, &chains->profile);
    rcity_release(context, chains->edges);
    rcity_release(context, chains->chains);
    memset(chains, 0, sizeof *chains);
}

/* The antenna, then its images in the walls it sees. The beams belong to a place slightly aside (path_ends.h). */
static rcity_status list_ends(rcity_context *context, const rcity_facet_table *world, const rcity_reach *reach,
                              rcity_place3 antenna, size_t *count, size_t *capacity, rcity_chain_end **ends)
{
    RCITY_TRY(rcity_reserve(context, reach->beam_count + 1, sizeof **ends, capacity, "chains over roofs", ends));
    (*ends)[0] = (rcity_chain_end){antenna.x, antenna.y, -1, NO_WALL};
    *count = 1;
    for (size_t i = 0; i < reach->beam_count; i++) {
        if (reach->beams[i].depth == 1) {
            const rcity_mirror *wall = &world->mirrors[reach->beams[i].wall];
            double twice_m = 2.0 * rcity_mirror_distance(wall, antenna);
            (*ends)[(*count)++] =
                (rcity_chain_end){antenna.x - twice_m * wall->normal.x, antenna.y - twice_m * wall->normal.y,
                                  (int32_t)i, reach->beams[i].wall};
        }
    }
    return RCITY_OK;
}

/* Does an end, through its wall, see a place? */
static bool looks_towards(const rcity_search *search, const rcity_reach *reach, const rcity_chain_end *end, double x,
                          double y)
{
    return end->wall == NO_WALL || rcity_beam_contains(search->world, &reach->beams[end->beam], x, y);
}

/* The distance along the line at which a wall crosses it. */
static double wall_at(const rcity_facet_table *world, int32_t wall, const rcity_chain_end *start,
                      const rcity_chain_end *end, double length_m)
{
    double before = rcity_mirror_distance(&world->mirrors[wall], (rcity_place3){start->x, start->y, 0.0});
    double behind = rcity_mirror_distance(&world->mirrors[wall], (rcity_place3){end->x, end->y, 0.0});
    return length_m * before / (before - behind);
}

/* @return false when the walls are in the wrong order on the line, or nothing fits between them. */
static bool draw_line(const rcity_search *search, const rcity_chain_end *start, const rcity_chain_end *end,
                      rcity_place3 rx, chain_line *line)
{
    *line = (chain_line){start, end, search->tx, rx, end->x - start->x, end->y - start->y, 0.0, 0.0, 0.0};
    line->length_m = hypot(line->dx, line->dy);
    if (!(line->length_m > LINE_MIN_M)) {
        return false;
    }
    line->dx /= line->length_m;
    line->dy /= line->length_m;
    line->end_wall_m = line->length_m;
    if (start->wall != NO_WALL) {
        line->start_wall_m = wall_at(search->world, start->wall, start, end, line->length_m);
    }
    if (end->wall != NO_WALL) {
        line->end_wall_m = wall_at(search->world, end->wall, start, end, line->length_m);
    }
    return line->start_wall_m >= 0.0 && line->end_wall_m <= line->length_m &&
           line->end_wall_m - line->start_wall_m > LINE_MIN_M;
}

/* The real place of a point of the line, folded back at the walls; z is 0. */
static rcity_place3 place_on(const chain_line *line, double at_m)
{
    if (at_m < line->start_wall_m) {
        rcity_place3 wall = place_on(line, line->start_wall_m);
        double part = at_m / line->start_wall_m;
        return (rcity_place3){line->tx.x + part * (wall.x - line->tx.x), line->tx.y + part * (wall.y - line->tx.y),
                              0.0};
    }
    if (at_m > line->end_wall_m) {
        rcity_place3 wall = place_on(line, line->end_wall_m);
        double part = (line->length_m - at_m) / (line->length_m - line->end_wall_m);
        return (rcity_place3){line->rx.x + part * (wall.x - line->rx.x), line->rx.y + part * (wall.y - line->rx.y),
                              0.0};
    }
    return (rcity_place3){line->start->x + at_m * line->dx, line->start->y + at_m * line->dy, 0.0};
}

/* The mirrors between one end and the first diffracting edge, in order from that end. */
typedef struct end_mirrors {
    int count;
    int32_t mirror[2];
    double at_m[2]; /* from the end */
    double z[2];
} end_mirrors;

static void add_mirror(end_mirrors *mirrors, int32_t mirror, double at_m, double z)
{
    int i = mirrors->count++;
    if (i > 0 && mirrors->at_m[0] > at_m) {
        mirrors->mirror[1] = mirrors->mirror[0];
        mirrors->at_m[1] = mirrors->at_m[0];
        mirrors->z[1] = mirrors->z[0];
        i = 0;
    }
    mirrors->mirror[i] = mirror;
    mirrors->at_m[i] = at_m;
    mirrors->z[i] = z;
}

/* Find the mirrors between an end of unfolded height `z` and the first edge that the over-roof path touches, which is
   `edge_m` away and `edge_z` high. */
static bool find_mirrors(const rcity_facet_table *world, int32_t wall, double wall_m, bool bounces, double z,
                         double edge_m, double edge_z, end_mirrors *mirrors)
{
    mirrors->count = 0;
    double slope = (edge_z - z) / edge_m;
    double ground_m = 0.0;
    if (bounces) {
        ground_m = -z / slope;
        if (!(z < 0.0 && edge_z > 0.0)) {
            return false;
        }
        add_mirror(mirrors, (int32_t)(world->wall_count + world->roof_count), ground_m, 0.0);
    }
    if (wall != NO_WALL) {
        double at_wall = z + slope * wall_m;
        if (wall_m >= edge_m) {
            return false;
        }
        add_mirror(mirrors, wall, wall_m, bounces && wall_m < ground_m ? -at_wall : at_wall);
    }
    return true;
}

static void add_event(rcity_trace_path *path, rcity_event_kind kind, int32_t object, rcity_place3 point, double z)
{
    point.z = z;
    path->event[path->event_count++] = (rcity_trace_event){kind, object, point};
}

/* The first edge that the over-roof path touches, from the end at `from` in steps of 1 or -1. */
static int first_touched(const rcity_profile_point *edges, int from, int to, int step)
{
    int touched = to;
    double best = -HUGE_VAL;
    for (int i = from + step; i != to; i += step) {
        double slope = (edges[i].z - edges[from].z) / fabs(edges[i].distance_m - edges[from].distance_m);
        touched = slope > best ? i : touched;
        best = fmax(best, slope);
    }
    return touched;
}

/* The object of the event at edge `i`. */
static int32_t describe_edge(const rcity_facet_table *world, const rcity_profile_point *edges, int i)
{
    const rcity_profile_point *edge = &edges[i];
    if (edge->prism < 0 || world->roof_form != RCITY_ROOF_FLAT || rcity_roof_form_joins(&edges[i - 1], edge)) {
        return edge->prism == RCITY_PROFILE_GROUND ? RCITY_TRACE_TERRAIN : RCITY_TRACE_ROOF;
    }
    rcity_flat_side side = rcity_roof_form_joins(edge, &edges[i + 1]) ? RCITY_FLAT_TO_NEXT
                           : edge->starts_roof                        ? RCITY_FLAT_AFTER
                                                                      : RCITY_FLAT_BEFORE;
    return rcity_trace_flat(world->mirrors[world->wall_count + edge->prism].material_index, side);
}

/* The events of a chain, mirrors and diffracting edges in order. @return false when a mirror cannot be where the path
   meets it. */
static bool lay_out(const rcity_search *search, const chain_line *line, const rcity_profile_point *edges, int count,
                    rcity_roof_chain_path *chain, int mirror_count[2])
{
    rcity_trace_path *path = &chain->path;
    path->tx = line->tx;
    path->rx = line->rx;
    path->event_count = 0;
    end_mirrors at_start, at_end;
    const rcity_profile_point *first = &edges[first_touched(edges, 0, count - 1, 1)];
    const rcity_profile_point *last = &edges[first_touched(edges, count - 1, 0, -1)];
    if (!find_mirrors(search->world, chain->start_wall, line->start_wall_m, chain->start_bounces, edges[0].z,
                      first->distance_m, first->z, &at_start) ||
        !find_mirrors(search->world, chain->end_wall, line->length_m - line->end_wall_m, chain->end_bounces,
                      edges[count - 1].z, line->length_m - last->distance_m, last->z, &at_end)) {
        return false;
    }
    for (int i = 0; i < at_start.count; i++) {
        add_event(path, RCITY_EVENT_REFLECTION, at_start.mirror[i], place_on(line, at_start.at_m[i]), at_start.z[i]);
    }
    for (int i = 1; i + 1 < count; i++) {
        int32_t object = describe_edge(search->world, edges, i);
        add_event(path, RCITY_EVENT_OVER_ROOFS, object, place_on(line, edges[i].distance_m), edges[i].z);
    }
    for (int i = at_end.count - 1; i >= 0; i--) {
        add_event(path, RCITY_EVENT_REFLECTION, at_end.mirror[i], place_on(line, line->length_m - at_end.at_m[i]),
                  at_end.z[i]);
    }
    mirror_count[0] = at_start.count;
    mirror_count[1] = at_end.count;
    return true;
}

/* Are the legs between an end and its mirrors free? The legs to the diffracting edges are: the over-roof path runs
   above everything there. */
static bool are_ends_free(const rcity_search *search, const rcity_trace_path *path, const int mirror_count[2])
{
    const rcity_path_checker *checker = &search->checker;
    int last = path->event_count;
    for (int i = -1; i < last; i++) { /* the leg from point i to the next */
        bool is_at_end = i < mirror_count[0] - 1 || i >= last - mirror_count[1];
        if (is_at_end && !rcity_sight_is_free(checker->sight, rcity_path_snap_event(checker, path, i),
                                              rcity_path_snap_event(checker, path, i + 1))) {
            return false;
        }
    }
    return true;
}

/* The edges that count, both ends included: with gables, ridges. */
static int gather(const rcity_search *search, const rcity_roof_span *span, const rcity_roof_chains *chains,
                  rcity_profile_point *edges, bool *is_hidden)
{
    int count = rcity_over_roofs_gather(search->world, &chains->profile, span, edges);
    *is_hidden = false;
    if (search->world->roof_form == RCITY_ROOF_GABLE) {
        *is_hidden = rcity_over_roofs_edges(edges, count);
        count = rcity_over_roofs_gather(search->world, &chains->ridges, span, edges);
    }
    return count;
}

/* Copy the profile, and make it one of ridges. */
static rcity_status make_ridges(rcity_context *context, rcity_roof_chains *chains)
{
    const rcity_profile *from = &chains->profile;
    rcity_profile *to = &chains->ridges;
    RCITY_TRY(rcity_reserve(context, from->count + 1, sizeof *to->points, &to->capacity, "a profile", &to->points));
    if (from->count > 0) {
        memcpy(to->points, from->points, from->count * sizeof *to->points);
    }
    to->count = from->count;
    rcity_roof_form_ridges(to);
    return RCITY_OK;
}

/* Try one chain over the current profile. */
static rcity_status propose(rcity_context *context, const rcity_search *search, const chain_line *line,
                            bool start_bounces, bool end_bounces, rcity_roof_chains *chains)
{
    bool is_hidden; /* by the walls of buildings, if not by their ridges */
    size_t room = chains->profile.count + 2;
    RCITY_TRY(rcity_reserve(context, chains->edge_count + 2 * room, sizeof *chains->edges, &chains->edge_capacity,
                            "chains over roofs", &chains->edges));
    RCITY_TRY(rcity_reserve(context, chains->count + 1, sizeof *chains->chains, &chains->capacity, "chains over roofs",
                            &chains->chains));
    rcity_profile_point *edges = chains->edges + chains->edge_count;
    rcity_roof_span span = {line->start->wall == NO_WALL ? 0.0 : line->start_wall_m + WALL_GAP_M, line->length_m,
                            start_bounces ? -line->tx.z : line->tx.z, end_bounces ? -line->rx.z : line->rx.z};
    int count = gather(search, &span, chains, edges, &is_hidden);
    bool is_reflected = line->start->wall != NO_WALL || line->end->wall != NO_WALL || start_bounces || end_bounces;
    if ((count == 2 && !is_hidden) || (is_reflected && !rcity_over_roofs_edges(edges, count))) {
        return RCITY_OK;
    }
    rcity_profile_point *kept = edges + room;
    memcpy(kept, edges, (size_t)count * sizeof *edges);
    rcity_roof_chain_path *chain = &chains->chains[chains->count];
    *chain = (rcity_roof_chain_path){.first_edge = chains->edge_count,
                                     .edge_count = (size_t)count,
                                     .start_wall = line->start->wall,
                                     .end_wall = line->end->wall,
                                     .start_bounces = start_bounces,
                                     .end_bounces = end_bounces};
    int mirror_count[2];
    if (lay_out(search, line, kept, rcity_over_roofs_limit(search->world, kept, count), chain, mirror_count) &&
        (!is_reflected || (rcity_path_is_sound(&search->checker, &chain->path, -1) &&
                           are_ends_free(search, &chain->path, mirror_count)))) {
        chains->count++;
        chains->edge_count += (size_t)count;
    }
    return RCITY_OK;
}

/* All chains between two ends: with and without ground reflections. */
static rcity_status find_between(rcity_context *context, const rcity_search *search, const rcity_chain_end *start,
                                 const rcity_chain_end *end, rcity_place3 rx, rcity_roof_chains *chains)
{
    chain_line line;
    if (!looks_towards(search, &search->tx_reach, start, end->x, end->y) ||
        !looks_towards(search, &chains->rx_reach, end, start->x, start->y) ||
        !draw_line(search, start, end, rx, &line)) {
        return RCITY_OK;
    }
    rcity_place3 from = place_on(&line, line.start_wall_m + (start->wall == NO_WALL ? 0.0 : WALL_GAP_M));
    rcity_place3 to = place_on(&line, line.end_wall_m - (end->wall == NO_WALL ? 0.0 : WALL_GAP_M));
    RCITY_TRY(rcity_profile_build(context, search->world, search->checker.prism_index, from, to, &chains->profile));
    if (search->world->roof_form == RCITY_ROOF_GABLE) {
        RCITY_TRY(make_ridges(context, chains));
    }
    int left = search->orders.max_reflections - (start->wall != NO_WALL) - (end->wall != NO_WALL);
    bool has_ground = search->orders.ground_reflects &&
                      search->world->mirror_count > search->world->wall_count + search->world->roof_count;
    for (int bounces = 0; bounces < (has_ground ? 4 : 1); bounces++) {
        bool at_start = (bounces & 1) != 0;
        bool at_end = (bounces & 2) != 0;
        if (at_start + at_end <= left) {
            RCITY_TRY(propose(context, search, &line, at_start, at_end, chains));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_roof_chains_find(rcity_context *context, const rcity_search *search, rcity_place3 rx,
                                    rcity_roof_chains *chains)
{
    chains->count = 0;
    chains->edge_count = 0;
    int order = search->orders.max_reflections;
    rcity_plan_segment source = {rx.x, rx.y, rx.x, rx.y};
    chains->rx_reach.beam_count = 0;
    if (order > 0) {
        RCITY_TRY(rcity_reach_build(context, search->reach_world, source, rx.z, 1, false, NULL, &chains->rx_reach));
    }
    if (chains->start_count == 0) {
        RCITY_TRY(list_ends(context, search->world, &search->tx_reach, search->tx, &chains->start_count,
                            &chains->start_capacity, &chains->starts));
    }
    RCITY_TRY(list_ends(context, search->world, &chains->rx_reach, rx, &chains->end_count, &chains->end_capacity,
                        &chains->ends));
    for (size_t i = 0; i < chains->start_count; i++) {
        for (size_t j = 0; j < chains->end_count; j++) {
            if ((i > 0) + (j > 0) <= order) {
                RCITY_TRY(find_between(context, search, &chains->starts[i], &chains->ends[j], rx, chains));
            }
        }
    }
    return RCITY_OK;
}

/* The mirrors of a path before its first edge, or after its last. */
typedef struct path_end {
    int32_t wall;
    bool bounces;
} path_end;

/* @return false when no chain can have these mirrors. */
static bool read_end(const rcity_facet_table *world, const rcity_trace_path *path, int begin, int end, path_end *made)
{
    *made = (path_end){NO_WALL, false};
    int32_t ground = (int32_t)(world->wall_count + world->roof_count);
    for (int i = begin; i < end; i++) {
        const rcity_trace_event *event = &path->event[i];
        bool is_wall = event->object < world->wall_count;
        if (event->kind != RCITY_EVENT_REFLECTION || (is_wall ? made->wall != NO_WALL : event->object != ground)) {
            return false;
        }
        made->wall = is_wall ? event->object : made->wall;
        made->bounces = made->bounces || !is_wall;
    }
    return true;
}

/* The mirrors at both ends of a path over edges. @return false when no chain can have them. */
static bool read_ends(const rcity_facet_table *world, const rcity_trace_path *path, path_end *start, path_end *end)
{
    int first = 0;
    while (first < path->event_count && path->event[first].kind != RCITY_EVENT_DIFFRACTION) {
        first++;
    }
    int last = first;
    while (last < path->event_count && path->event[last].kind == RCITY_EVENT_DIFFRACTION) {
        last++;
    }
    return (last > first || path->event_count == 0) && read_end(world, path, 0, first, start) &&
           read_end(world, path, last, path->event_count, end);
}

double rcity_roof_chains_share(const rcity_search *search, const rcity_roof_chains *chains,
                               const rcity_trace_path *path)
{
    path_end start, end;
    if (!read_ends(search->world, path, &start, &end)) {
        return 1.0;
    }
    for (size_t i = 0; i < chains->count; i++) {
        const rcity_roof_chain_path *chain = &chains->chains[i];
        if (chain->start_wall == start.wall && chain->end_wall == end.wall && chain->start_bounces == start.bounces &&
            chain->end_bounces == end.bounces) {
            return rcity_over_roofs_share(search->world, chains->edges + chain->first_edge, (int)chain->edge_count,
                                          path);
        }
    }
    return 1.0;
}
