/* Embree: the scene as one mesh of triangles, with the robust flag and without. */
#include <stdio.h>
#include <string.h>

#include "bench/embree_data.h"
#include "bench/roof_triangles.h"

/* Walls extend this far below the ground, since the library's solids extend down without end. */
#define DEPTH_M 100.0

/* A mesh while it is written to Embree's memory. */
typedef struct embree_mesh {
    float *vertex; /* x, y, z */
    uint32_t *index;
    size_t vertex_count, triangle_count; /* so far */
    float plan_unit_m;
} embree_mesh;

const char *rcity_embree_name(void)
{
    return "Embree " RTC_VERSION_STRING;
}

static uint32_t add_vertex(embree_mesh *mesh, int32_t x, int32_t y, double z)
{
    float *at = mesh->vertex + 3 * mesh->vertex_count;
    at[0] = (float)x * mesh->plan_unit_m;
    at[1] = (float)y * mesh->plan_unit_m;
    at[2] = (float)(z / RCITY_HEIGHT_UNITS_PER_M);
    return (uint32_t)mesh->vertex_count++;
}

static void add_triangle(embree_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *at = mesh->index + 3 * mesh->triangle_count++;
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

/* Each point has a vertex at the roof and one far below. */
static void add_walls(embree_mesh *mesh, const rcity_shapes *shapes)
{
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        double low = prism->ground - DEPTH_M * RCITY_HEIGHT_UNITS_PER_M;
        for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
            for (int32_t point = shapes->ring_first[ring]; point < shapes->ring_first[ring + 1]; point++) {
                uint32_t p = 2 * (uint32_t)point;
                uint32_t q = 2 * (uint32_t)rcity_ring_next(shapes->ring_first, ring, point);
                add_vertex(mesh, shapes->points[point].x, shapes->points[point].y, prism->roof);
                add_vertex(mesh, shapes->points[point].x, shapes->points[point].y, low);
                add_triangle(mesh, p, p + 1, q + 1);
                add_triangle(mesh, p, q + 1, q);
            }
        }
    }
}

static void add_ground(embree_mesh *mesh, const rcity_terrain_grid *terrain)
{
    uint32_t first = (uint32_t)mesh->vertex_count;
    for (int32_t row = 0; row < terrain->row_count; row++) {
        for (int32_t column = 0; column < terrain->column_count; column++) {
            add_vertex(mesh, terrain->west + column * terrain->cell, terrain->south + row * terrain->cell,
                       terrain->height[(int64_t)row * terrain->column_count + column]);
        }
    }
    uint32_t stride = (uint32_t)terrain->column_count;
    for (int32_t row = 0; row + 1 < terrain->row_count; row++) {
        for (int32_t column = 0; column + 1 < terrain->column_count; column++) {
            uint32_t south_west = first + (uint32_t)row * stride + (uint32_t)column;
            add_triangle(mesh, south_west, south_west + 1, south_west + stride + 1);
            add_triangle(mesh, south_west, south_west + stride + 1, south_west + stride);
        }
    }
}

static rcity_status fill_scene(rcity_context *context, const rcity_shapes *shapes, const rcity_roof_triangles *roofs,
                               rcity_embree *embree)
{
    const rcity_terrain_grid *terrain = &shapes->terrain;
    size_t node_count = (size_t)terrain->column_count * (size_t)terrain->row_count;
    size_t cell_count = node_count > 0 ? (size_t)(terrain->column_count - 1) * (size_t)(terrain->row_count - 1) : 0;
    size_t vertex_count = 2 * (size_t)shapes->point_count + node_count;
    size_t triangle_count = 2 * (size_t)shapes->point_count + roofs->corner_count / 3 + 2 * cell_count;
    RTCGeometry geometry = rtcNewGeometry(embree->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    embree_mesh mesh = {.plan_unit_m = embree->plan_unit_m};
    mesh.vertex = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                          vertex_count);
    mesh.index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                         triangle_count);
    if (mesh.vertex == NULL || mesh.index == NULL) {
        rtcReleaseGeometry(geometry);
        return rcity_fail(context, RCITY_ERR_MEMORY, "Embree has no room for %zu triangles", triangle_count);
    }
    add_walls(&mesh, shapes);
    for (size_t i = 0; i < roofs->corner_count; i += 3) {
        const int32_t *corner = roofs->corner + i;
        add_triangle(&mesh, 2 * (uint32_t)corner[0], 2 * (uint32_t)corner[1], 2 * (uint32_t)corner[2]);
    }
    if (node_count > 0) {
        add_ground(&mesh, terrain);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(embree->robust, geometry);
    rtcAttachGeometry(embree->plain, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(embree->robust);
    rtcCommitScene(embree->plain);
    embree->triangle_count = (int64_t)mesh.triangle_count;
    return RCITY_OK;
}

rcity_status rcity_embree_create(rcity_context *context, const rcity_shapes *shapes, rcity_embree **embree)
{
    rcity_roof_triangles roofs;
    memset(&roofs, 0, sizeof roofs);
    roofs.context = context;
    rcity_embree *made = NULL;
    rcity_status status = RCITY_OK;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        RCITY_TRY_DONE(rcity_roof_triangles_add(&roofs, shapes, &shapes->prisms[i]));
    }
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "Embree", &made));
    char options[32];
    snprintf(options, sizeof options, "threads=%d", rcity_context_thread_count(context));
    made->plan_unit_m = 1.0f / (float)shapes->units_per_m;
    made->device = rtcNewDevice(options);
    made->robust = made->device != NULL ? rtcNewScene(made->device) : NULL;
    made->plain = made->device != NULL ? rtcNewScene(made->device) : NULL;
    if (made->robust == NULL || made->plain == NULL) {
        status = rcity_fail(context, RCITY_ERR_UNSUPPORTED, "Embree does not start");
        goto done;
    }
    rtcSetSceneFlags(made->robust, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(made->robust, RTC_BUILD_QUALITY_HIGH);
    rtcSetSceneBuildQuality(made->plain, RTC_BUILD_QUALITY_HIGH);
    RCITY_TRY_DONE(fill_scene(context, shapes, &roofs, made));
    *embree = made;
    made = NULL;
done:
    rcity_roof_triangles_deinit(&roofs);
    rcity_embree_destroy(context, &made);
    return status;
}

void rcity_embree_destroy(rcity_context *context, rcity_embree **embree)
{
    if (embree == NULL || *embree == NULL) {
        return;
    }
    if ((*embree)->robust != NULL) {
        rtcReleaseScene((*embree)->robust);
    }
    if ((*embree)->plain != NULL) {
        rtcReleaseScene((*embree)->plain);
    }
    if ((*embree)->device != NULL) {
        rtcReleaseDevice((*embree)->device);
    }
    rcity_release(context, *embree);
    *embree = NULL;
}

int64_t rcity_embree_triangle_count(const rcity_embree *embree)
{
    return embree->triangle_count;
}
