/* A bounce off a level lies below both its neighbours, and in plan between them: in the box of the points, walls and
   edges that the path connects. */
#include "method/images/search/level_table.h"

#include <math.h>
#include <string.h>

/* The box of a path in plan, and the height of its lower end. */
typedef struct path_box {
    double x_min, y_min, x_max, y_max;
    double z;
} path_box;

static void widen(path_box *box, double x, double y)
{
    box->x_min = rcity_smaller(box->x_min, x);
    box->y_min = rcity_smaller(box->y_min, y);
    box->x_max = rcity_larger(box->x_max, x);
    box->y_max = rcity_larger(box->y_max, y);
}

static path_box box_of_walls(const rcity_search *search, const int32_t *walls, int wall_count)
{
    path_box box = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < wall_count; i++) {
        const rcity_mirror *wall = &search->world->mirrors[walls[i]];
        widen(&box, wall->x1, wall->y1);
        widen(&box, wall->x2, wall->y2);
    }
    return box;
}

static void widen_by_place(path_box *box, rcity_place3 p)
{
    widen(box, p.x, p.y);
    box->z = rcity_smaller(box->z, p.z);
}

static void widen_by_edge(path_box *box, const rcity_facet_edge *facet_edge)
{
    widen(box, facet_edge->a.x, facet_edge->a.y);
    widen(box, facet_edge->b.x, facet_edge->b.y);
    box->z = rcity_smaller(box->z, rcity_larger(facet_edge->a.z, facet_edge->b.z));
}

/* A path over walls, unfolded: it starts at the image of its first part. */
typedef struct unfolded_path {
    rcity_edge_part from, to;
    const int32_t *walls;
    int wall_count;
} unfolded_path;

#define BOUNCE_PLACES 8 /* the corners of the region in which a bounce may lie */

/* Unfolded, the bounce divides the path in the ratio of the heights: its places lie between those of the ends. */
static void place_bounce(const unfolded_path *path, double level, double at[BOUNCE_PLACES][2])
{
    /* heights above the level; a vertical edge may begin below it */
    double from_low = rcity_larger(path->from.z_low - level, 0.0);
    double from_high = rcity_larger(path->from.z_high - level, 0.0);
    double to_low = rcity_larger(path->to.z_low - level, 0.0);
    double to_high = rcity_larger(path->to.z_high - level, 0.0);
    double share[2] = {from_low + to_high > 0.0 ? from_low / (from_low + to_high) : 0.0,
                       from_high + to_low > 0.0 ? from_high / (from_high + to_low) : 1.0};
    const rcity_plan_segment *p = &path->from.plan;
    const rcity_plan_segment *q = &path->to.plan;
    for (int i = 0; i < BOUNCE_PLACES; i++) {
        double from_x = (i & 1) != 0 ? p->x2 : p->x1;
        double from_y = (i & 1) != 0 ? p->y2 : p->y1;
        double to_x = (i & 2) != 0 ? q->x2 : q->x1;
        double to_y = (i & 2) != 0 ? q->y2 : q->y1;
        at[i][0] = from_x + share[i >> 2] * (to_x - from_x);
        at[i][1] = from_y + share[i >> 2] * (to_y - from_y);
    }
}

static bool box_meets_prism(const rcity_shapes *shapes, const path_box *box, const rcity_prism *prism)
{
    double unit = 1.0 / shapes->units_per_m;
    return box->x_min <= (prism->x_max + 1) * unit && box->x_max >= (prism->x_min - 1) * unit &&
           box->y_min <= (prism->y_max + 1) * unit && box->y_max >= (prism->y_min - 1) * unit;
}

/* May a bounce off a prism's roof lie on the path? It may follow any of the walls, so the path is folded back at each
   in turn. */
static bool may_bounce(const rcity_search *search, const unfolded_path *path, const rcity_prism *prism, double level)
{
    double at[BOUNCE_PLACES][2];
    place_bounce(path, level, at);
    for (int k = path->wall_count; k >= 0; k--) {
        path_box box = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, level};
        for (int i = 0; i < BOUNCE_PLACES; i++) {
            widen(&box, at[i][0], at[i][1]);
        }
        if (box_meets_prism(search->world->shapes, &box, prism)) {
            return true;
        }
        for (int i = 0; i < BOUNCE_PLACES && k > 0; i++) {
            const rcity_mirror *wall = &search->world->mirrors[path->walls[k - 1]];
            double twice = 2.0 * (wall->normal.x * at[i][0] + wall->normal.y * at[i][1] - wall->offset);
            at[i][0] -= twice * wall->normal.x;
            at[i][1] -= twice * wall->normal.y;
        }
    }
    return false;
}

/* A whole number of grid units within the range of the plan. */
static int32_t to_units(const rcity_shapes *shapes, double metres)
{
    return (int32_t)rcity_smaller(rcity_larger(metres * shapes->units_per_m, -2e9), 2e9);
}

/* Levels in a box; if a path is given, it is tested closely. */
static int32_t find_levels(const rcity_search *search, const path_box *box, const unfolded_path *path, int32_t *levels)
{
    const rcity_facet_table *world = search->world;
    const rcity_shapes *shapes = world->shapes;
    int32_t count = 0;
    int64_t ground = world->wall_count + world->roof_count;
    if (search->orders.ground_reflects && ground < world->mirror_count && box->z > world->mirrors[ground].offset) {
        levels[count++] = (int32_t)ground;
    }
    if (!search->orders.roofs_reflect || box->z <= search->lowest_roof) {
        return count;
    }
    rcity_plan_box units = {to_units(shapes, box->x_min) - 2, to_units(shapes, box->y_min) - 2,
                            to_units(shapes, box->x_max) + 2, to_units(shapes, box->y_max) + 2};
    rcity_plan_walk walk;
    rcity_plan_walk_init(search->checker.prism_index, units, &walk);
    for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
        const rcity_prism *prism = &shapes->prisms[i];
        rcity_plan_box prism_box = {prism->x_min, prism->y_min, prism->x_max, prism->y_max};
        double level = world->mirrors[world->wall_count + i].offset;
        if (level >= box->z || !rcity_plan_walk_is_first(&walk, prism_box)) {
            continue;
        }
        if (box_meets_prism(shapes, box, prism) && (path == NULL || may_bounce(search, path, prism, level))) {
            levels[count++] = (int32_t)world->wall_count + i;
        }
    }
    return count;
}

int32_t rcity_levels_to_place(const rcity_search *search, rcity_place3 from, const rcity_stretch *stretch,
                              rcity_place3 to, int32_t *levels)
{
    path_box box = box_of_walls(search, stretch->wall, stretch->wall_count);
    widen_by_place(&box, from);
    widen_by_place(&box, to);
    return find_levels(search, &box, NULL, levels);
}

static void widen_by_part(path_box *box, const rcity_edge_part *part)
{
    widen(box, part->plan.x1, part->plan.y1);
    widen(box, part->plan.x2, part->plan.y2);
    box->z = rcity_smaller(box->z, part->z_high);
}

/* The image of a part in front of the walls is the part itself behind them: folding it back gives its real place. */
static rcity_edge_part fold_back(const rcity_search *search, rcity_edge_part part, const rcity_stretch *stretch)
{
    for (int i = stretch->wall_count - 1; i >= 0; i--) {
        const rcity_mirror *wall = &search->world->mirrors[stretch->wall[i]];
        double *x[2] = {&part.plan.x1, &part.plan.x2};
        double *y[2] = {&part.plan.y1, &part.plan.y2};
        for (int k = 0; k < 2; k++) {
            double twice = 2.0 * (wall->normal.x * *x[k] + wall->normal.y * *y[k] - wall->offset);
            *x[k] -= twice * wall->normal.x;
            *y[k] -= twice * wall->normal.y;
        }
    }
    return part;
}

int32_t rcity_levels_between(const rcity_search *search, const rcity_edge_part *from_image,
                             const rcity_stretch *stretch, const rcity_edge_part *to, int32_t *levels)
{
    path_box box = box_of_walls(search, stretch->wall, stretch->wall_count);
    rcity_edge_part from = fold_back(search, *from_image, stretch);
    widen_by_part(&box, &from);
    widen_by_part(&box, to);
    unfolded_path path = {*from_image, *to, stretch->wall, stretch->wall_count};
    return find_levels(search, &box, &path, levels);
}

bool rcity_level_may_bounce(const rcity_search *search, int32_t level, const rcity_edge_part *from_image,
                            const rcity_stretch *stretch, const rcity_edge_part *to)
{
    const rcity_mirror *mirror = &search->world->mirrors[level];
    unfolded_path path = {*from_image, *to, stretch->wall, stretch->wall_count};
    return mirror->kind != RCITY_MIRROR_ROOF ||
           may_bounce(search, &path, &search->world->shapes->prisms[mirror->prism], mirror->offset);
}

rcity_status rcity_level_table_build(rcity_context *context, const rcity_search *search, rcity_place3 from,
                                     const rcity_reach *reach, rcity_level_table *table)
{
    table->level_count = 0;
    RCITY_TRY(rcity_reserve(context, reach->meeting_count + 1, sizeof *table->first, &table->first_capacity,
                            "the levels between", &table->first));
    table->first[0] = 0;
    for (size_t i = 0; i < reach->meeting_count; i++) {
        const rcity_meeting *meeting = &reach->meetings[i];
        if (reach->beams[meeting->beam].depth < search->orders.max_reflections) {
            int32_t walls[RCITY_REFLECTION_MAX];
            int wall_count = rcity_beam_walls(reach->beams, meeting->beam, walls);
            const rcity_facet_edge *facet_edge = &search->world->edges[meeting->facet_edge];
            path_box box = box_of_walls(search, walls, wall_count);
            widen_by_place(&box, from);
            widen_by_edge(&box, facet_edge);
            RCITY_TRY(rcity_reserve(context, table->level_count + (size_t)search->world->roof_count + 1,
                                    sizeof *table->level, &table->level_capacity, "the levels between", &table->level));
            const rcity_plan_segment *image = &reach->beams[meeting->beam].source;
            unfolded_path path = {{*image, from.z, from.z},
                                  {{facet_edge->a.x, facet_edge->a.y, facet_edge->b.x, facet_edge->b.y},
                                   facet_edge->a.z,
                                   facet_edge->b.z},
                                  walls,
                                  wall_count};
            table->level_count += (size_t)find_levels(search, &box, &path, table->level + table->level_count);
        }
        table->first[i + 1] = table->level_count;
    }
    return RCITY_OK;
}

void rcity_level_table_deinit(rcity_context *context, rcity_level_table *table)
{
    rcity_release(context, table->level);
    rcity_release(context, table->first);
    memset(table, 0, sizeof *table);
}
