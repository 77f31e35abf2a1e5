/* A few houses, and what the search over roofs needs of them. */
#ifndef RCITY_TEST_ROOF_WORLD_H
#define RCITY_TEST_ROOF_WORLD_H

#include "rcity_test.h"

#include "scene/shape/facades.h"
#include "visibility/profile.h"

typedef struct roof_world {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_facet_table world;
    rcity_plan_index prism_index;
    rcity_profile profile;
} roof_world;

static void open_scene(roof_world *m)
{
    memset(m, 0, sizeof *m);
    m->context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 0.0;
    assert_ok(m->context, rcity_scene_create(m->context, &options, &m->scene));
}

static void add_box(roof_world *m, double x1, double y1, double x2, double y2, double height)
{
    int count = 4;
    double xy[] = {x1, y1, x2, y1, x2, y2, x1, y2};
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy;
    building.height_m = height;
    assert_ok(m->context, rcity_scene_add_building(m->scene, &building));
}

static void finish_scene(roof_world *m)
{
    assert_ok(m->context, rcity_scene_commit(m->scene));
    m->shapes = rcity_scene_shapes(m->scene);
    assert_ok(m->context, rcity_facet_table_init(m->context, m->scene, 1e9, &m->world));
    assert_ok(m->context, rcity_shapes_index_prisms(m->context, m->shapes, &m->prism_index));
}

static void close_scene(roof_world *m)
{
    rcity_profile_deinit(m->context, &m->profile);
    rcity_plan_index_deinit(m->context, &m->prism_index);
    rcity_facet_table_deinit(m->context, &m->world);
    rcity_scene_destroy(&m->scene);
    rcity_context_destroy(&m->context);
}

/* A place of the map in the frame of the shapes. */
static rcity_place3 place(const roof_world *m, double x, double y, double z)
{
    return (rcity_place3){x - m->shapes->origin_x_m, y - m->shapes->origin_y_m, z};
}

#endif
