/* The paths to one place: those of the search and the chains over roofs, with their fields. */
#include "method/images/images_paths.h"

#include <string.h>

#include "method/images/field/path_antenna.h"
#include "method/images/field/path_chain.h"
#include "method/images/search/shadow_boundary.h"

static rcity_ray_event describe_event(const rcity_facet_table *world, const rcity_trace_event *event)
{
    const rcity_shapes *shapes = world->shapes;
    rcity_ray_event made = {event->kind,
                            RCITY_PLACE_ROOF_EDGE,
                            -1,
                            {event->point.x + shapes->origin_x_m, event->point.y + shapes->origin_y_m, event->point.z}};
    int32_t prism = -1;
    if (event->kind == RCITY_EVENT_DIFFRACTION) {
        const rcity_facet_edge *facet_edge = &world->edges[event->object];
        prism = facet_edge->prism;
        made.place = facet_edge->is_vertical ? RCITY_PLACE_VERTICAL_EDGE : RCITY_PLACE_ROOF_EDGE;
    } else if (event->kind == RCITY_EVENT_OVER_ROOFS) {
        made.place = event->object == RCITY_TRACE_TERRAIN ? RCITY_PLACE_TERRAIN_EDGE : RCITY_PLACE_ROOF_EDGE;
    } else {
        rcity_mirror mirror;
        rcity_trace_mirror(world, event->object, &mirror);
        prism = mirror.prism;
        made.place = mirror.kind == RCITY_MIRROR_WALL   ? RCITY_PLACE_WALL
                     : mirror.kind == RCITY_MIRROR_ROOF ? RCITY_PLACE_ROOF
                                                        : RCITY_PLACE_GROUND;
    }
    made.building_id = prism >= 0 ? shapes->buildings[shapes->prisms[prism].building].id : -1;
    return made;
}

/* A path with its field and its groups, without antennas. */
static rcity_status keep_path(rcity_context *context, const rcity_facet_table *world, const rcity_trace_path *path,
                              const rcity_channel *channel, rcity_found_paths *found)
{
    RCITY_TRY(rcity_reserve(context, found->path_count + 1, sizeof *found->paths, &found->path_capacity, "the paths",
                            &found->paths));
    RCITY_TRY(rcity_reserve(context, found->event_count + (size_t)path->event_count, sizeof *found->events,
                            &found->event_capacity, "the paths", &found->events));
    found->paths[found->path_count++] =
        (rcity_found_path){path->event_count, rcity_path_measure(path), rcity_path_inside_m(world, path), *channel,
                           rcity_path_group(world, path)};
    for (int i = 0; i < path->event_count; i++) {
        found->events[found->event_count++] = describe_event(world, &path->event[i]);
    }
    return RCITY_OK;
}

/* Keep the chains. Each is listed as its over-roof path: diffracting edges below it are in its field, but are no events
   of it. */
static rcity_status keep_chains(rcity_context *context, const rcity_facet_table *world, const rcity_roof_chains *chains,
                                rcity_found_paths *found)
{
    for (size_t i = 0; i < chains->count; i++) {
        const rcity_trace_path *path = &chains->chains[i].path;
        rcity_channel channel = rcity_path_channel(world, path);
        rcity_trace_path over_path = rcity_path_over_roofs(world, path);
        RCITY_TRY(keep_path(context, world, &over_path, &channel, found));
    }
    return RCITY_OK;
}

static void weaken(rcity_channel *channel, double share)
{
    for (int i = 0; i < 4; i++) {
        channel->transfer[i / 2][i % 2].re *= share;
        channel->transfer[i / 2][i % 2].im *= share;
    }
}

rcity_status rcity_path_finder_init(rcity_context *context, const rcity_search *search, rcity_path_finder *finder)
{
    memset(finder, 0, sizeof *finder);
    RCITY_TRY(rcity_searcher_init(context, search, &finder->searcher));
    return rcity_roof_chains_init(context, search, &finder->chains);
}

void rcity_path_finder_deinit(rcity_context *context, rcity_path_finder *finder)
{
    rcity_roof_chains_deinit(context, &finder->chains);
    rcity_path_list_deinit(context, &finder->list);
    rcity_searcher_deinit(context, &finder->searcher);
    memset(finder, 0, sizeof *finder);
}

rcity_status rcity_path_finder_run(rcity_context *context, const rcity_search *search, bool goes_over_roofs,
                                   rcity_place3 rx, rcity_path_finder *finder, rcity_found_paths *found)
{
    const rcity_facet_table *world = search->world;
    found->path_count = 0;
    found->event_count = 0;
    finder->chains.count = 0;
    if (goes_over_roofs) {
        RCITY_TRY(rcity_roof_chains_find(context, search, rx, &finder->chains));
    }
    RCITY_TRY(rcity_boundary_search(context, search, &finder->searcher, &rx, &finder->list));
    for (size_t i = 0; i < finder->list.path_count; i++) {
        rcity_trace_path path;
        rcity_path_list_get(&finder->list, i, search->tx, rx, &path);
        double share = rcity_roof_chains_share(search, &finder->chains, &path);
        if (share > 0.0) {
            rcity_channel channel = rcity_path_channel(world, &path);
            weaken(&channel, share);
            RCITY_TRY(keep_path(context, world, &path, &channel, found));
        }
    }
    return keep_chains(context, world, &finder->chains, found);
}
