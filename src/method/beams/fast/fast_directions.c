/* By the formulas of kernel/wave, in double precision on either side: this file shares no type of theirs with others. */
#define RCITY_REAL_IS_DOUBLE

#include "method/beams/fast/fast_directions.h"

#include <string.h>

#include "base/parallel.h"
#include "embedded/beams_edges_cl.h"
#include "kernel/beams/beam_edge.h"

#define TWO_PI      6.28318530717958647692
#define PIECE_WAYS  4 /* that a thread takes at a time */
#define GROUP_ITEMS 64

/* The edges of all ways, and what faces are made of. */
typedef struct edge_lists {
    rcity_beam_edge *edges;
    rcity_face *faces;
} edge_lists;

typedef struct directions_run {
    const rcity_fast_tables *tables;
    rcity_beam_edge_job job;
    edge_lists lists;
} directions_run;

static rcity_beam_edge_job make_job(const rcity_facet_table *facets)
{
    return (rcity_beam_edge_job){TWO_PI / facets->wavelength_m};
}

static rcity_status make_lists(rcity_context *context, const rcity_beams_forest *forest,
                               const rcity_facet_table *facets, edge_lists *lists)
{
    RCITY_TRY(rcity_alloc(context, forest->arrival_count + 1, sizeof *lists->edges, "tables of edges", &lists->edges));
    RCITY_TRY(rcity_alloc(context, (size_t)facets->material_count + 1, sizeof *lists->faces, "tables of faces",
                          &lists->faces));
    for (size_t i = 0; i < forest->arrival_count; i++) {
        const rcity_beams_arrival *from = &forest->arrivals[forest->arrival_order[i]];
        const rcity_beams_meeting *meeting = &forest->trees[from->tree].meetings[from->meeting];
        const rcity_facet_edge *edge = &facets->edges[meeting->facet_edge];
        lists->edges[i] = (rcity_beam_edge){edge->exterior_rad, edge->material_o, edge->material_n};
    }
    for (int64_t i = 0; i < facets->material_count; i++) {
        const rcity_facet_material *material = &facets->materials[i];
        lists->faces[i] = (rcity_face){rcity_complex_make(material->permittivity_re, material->permittivity_im),
                                       material->thickness_m, material->is_conductor, facets->reflected_loss};
    }
    return RCITY_OK;
}

/* An rcity_parallel_function over ways. */
static void fill_ways(void *user, int64_t begin, int64_t end, int thread_index)
{
    const directions_run *run = user;
    const rcity_fast_tables *tables = run->tables;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_beam_way *way = &tables->ways[i];
        rcity_beam_fan fan = rcity_beam_fan_make(&run->job, way, &run->lists.edges[i], run->lists.faces);
        double brought = rcity_beam_way_brings(way, tables->slopes);
        for (int k = 0; k <= way->direction_steps; k++) {
            tables->directions[way->direction_first + k] = rcity_beam_fan_direction(way, k, &fan);
        }
        for (int k = 0; k <= way->direction_steps; k++) {
            tables->shares[way->direction_first + k] =
                rcity_beam_way_share(&run->job, way, tables->directions, k, brought);
        }
    }
}

/* The shares of trees, over all ways to their edges. */
static void join_shares(const rcity_beams_forest *forest, rcity_fast_tables *tables)
{
    for (int32_t tree = 1; tree < forest->tree_count; tree++) {
        int32_t first = forest->arrival_first[tree];
        for (int32_t i = 0; i <= tables->ways[first].direction_steps; i++) {
            tables->shares[tables->limits[tree].first + i] =
                rcity_beam_tree_share(tables->ways, tables->shares, first, forest->arrival_first[tree + 1], i);
        }
    }
}

rcity_status rcity_fast_directions_fill(const rcity_beams_forest *forest, const rcity_facet_table *facets,
                                        rcity_fast_tables *tables)
{
    rcity_context *context = tables->context;
    directions_run run = {tables, make_job(facets), {NULL, NULL}};
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)tables->direction_count + 1, sizeof *tables->directions,
                               "tables of edges", &tables->directions));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)tables->share_count + 1, sizeof *tables->shares, "tables of edges",
                               &tables->shares));
    RCITY_TRY_DONE(make_lists(context, forest, facets, &run.lists));
    rcity_parallel(context, tables->way_count, PIECE_WAYS, fill_ways, &run);
    join_shares(forest, tables);
done:
    rcity_release(context, run.lists.edges);
    rcity_release(context, run.lists.faces);
    return status;
}

bool rcity_fast_directions_serves(const rcity_device *device)
{
    rcity_device_info info;
    rcity_device_describe(device, &info);
    return info.has_fp64;
}

/* A buffer of a kernel. */
typedef struct edge_buffer {
    const rcity_resident *resident;
    size_t element_bytes;
    rcity_buffer_use use;
} edge_buffer;

/* A kernel of beams_edges.cl. */
static rcity_status launch(rcity_context *context, rcity_device *device, const char *name,
                           const rcity_beam_edge_job *job, int64_t item_count, int buffer_count,
                           const edge_buffer *buffers)
{
    rcity_kernel kernel;
    rcity_launch asked;
    memset(&kernel, 0, sizeof kernel);
    memset(&asked, 0, sizeof asked);
    kernel.name = name;
    kernel.source = rcity_beams_edges_cl;
    kernel.job_bytes = sizeof *job;
    kernel.group_items = GROUP_ITEMS;
    kernel.buffer_count = buffer_count;
    asked.local_bytes = sizeof(uint32_t);
    for (int i = 0; i < buffer_count; i++) {
        kernel.buffer[i].use = buffers[i].use;
        kernel.buffer[i].element_bytes = buffers[i].element_bytes;
        asked.resident[i] = buffers[i].resident;
    }
    asked.kernel = &kernel;
    asked.job = job;
    asked.item_count = item_count;
    return rcity_device_run(context, device, &asked);
}

static rcity_status keep(rcity_context *context, rcity_fast_directions *made, int index, const void *data,
                         int64_t count, size_t element_bytes)
{
    return rcity_resident_create(context, made->device, data, count, element_bytes, "tables of edges",
                                 &made->own[index]);
}

rcity_status rcity_fast_directions_send(const rcity_beams_forest *forest, const rcity_facet_table *facets,
                                        const rcity_fast_tables *tables, rcity_fast_directions *made)
{
    rcity_context *context = tables->context;
    rcity_beam_edge_job job = make_job(facets);
    edge_lists lists = {NULL, NULL};
    if (tables->way_count == 0) {
        return RCITY_OK;
    }
    rcity_status status = make_lists(context, forest, facets, &lists);
    made->memory[0] = lists.edges;
    made->memory[1] = lists.faces;
    RCITY_TRY(status);
    RCITY_TRY(keep(context, made, 0, lists.edges, tables->way_count, sizeof *lists.edges));
    RCITY_TRY(keep(context, made, 1, lists.faces, facets->material_count, sizeof *lists.faces));
    RCITY_TRY(
        keep(context, made, 2, forest->arrival_first, (int64_t)forest->tree_count + 1, sizeof *forest->arrival_first));
    RCITY_TRY(keep(context, made, 3, tables->limits, forest->tree_count, sizeof *tables->limits));
    const edge_buffer ways = {made->ways, sizeof *tables->ways, RCITY_BUFFER_SHARED_IN};
    const edge_buffer shares = {made->shares, sizeof *tables->shares, RCITY_BUFFER_ON_DEVICE};
    const edge_buffer of_ways[] = {ways,
                                   {made->slopes, sizeof *tables->slopes, RCITY_BUFFER_SHARED_IN},
                                   {made->own[0], sizeof *lists.edges, RCITY_BUFFER_SHARED_IN},
                                   {made->own[1], sizeof *lists.faces, RCITY_BUFFER_SHARED_IN},
                                   {made->directions, sizeof *tables->directions, RCITY_BUFFER_ON_DEVICE},
                                   shares};
    const edge_buffer of_trees[] = {ways,
                                    {made->own[2], sizeof *forest->arrival_first, RCITY_BUFFER_SHARED_IN},
                                    {made->own[3], sizeof *tables->limits, RCITY_BUFFER_SHARED_IN},
                                    shares};
    RCITY_TRY(launch(context, made->device, "rcity_beams_directions", &job, tables->way_count, 6, of_ways));
    return launch(context, made->device, "rcity_beams_limits", &job, (int64_t)forest->tree_count - 1, 4, of_trees);
}

void rcity_fast_directions_forget(rcity_context *context, rcity_fast_directions *made)
{
    for (size_t i = 0; i < sizeof made->own / sizeof made->own[0]; i++) {
        rcity_resident_destroy(&made->own[i]);
    }
    for (size_t i = 0; i < sizeof made->memory / sizeof made->memory[0]; i++) {
        rcity_release(context, made->memory[i]);
        made->memory[i] = NULL;
    }
}
