/* A bounce off a level lies below both its neighbours, and in plan on the way between them: in the box of the points,
   walls and edges that the way connects. */
#include "method/images/level_table.h"

#include <math.h>
#include <string.h>

/* The box of a way in plan, and its lower end. */
typedef struct way_box {
    double x_min, y_min, x_max, y_max;
    double z;
} way_box;

static void widen(way_box *box, double x, double y)
{
    box->x_min = fmin(box->x_min, x);
    box->y_min = fmin(box->y_min, y);
    box->x_max = fmax(box->x_max, x);
    box->y_max = fmax(box->y_max, y);
}

static way_box box_of_walls(const rcity_search *search, const int32_t *walls, int wall_count)
{
    way_box box = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < wall_count; i++) {
        const rcity_mirror *wall = &search->world->mirrors[walls[i]];
        widen(&box, wall->x1, wall->y1);
        widen(&box, wall->x2, wall->y2);
    }
    return box;
}

static void widen_by_place(way_box *box, rcity_place3 p)
{
    widen(box, p.x, p.y);
    box->z = fmin(box->z, p.z);
}

static void widen_by_bend(way_box *box, const rcity_bend *bend)
{
    widen(box, bend->a.x, bend->a.y);
    widen(box, bend->b.x, bend->b.y);
    box->z = fmin(box->z, fmax(bend->a.z, bend->b.z));
}

/* Straight on to an edge, the bounce divides the way as the heights do: its places are a smaller image of the edge. */
static void shrink_to_bounce(const way_box *box, rcity_place3 from, const rcity_bend *to, double level,
                             way_box *smaller)
{
    *smaller = (way_box){HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, box->z};
    const rcity_place3 ends[2] = {to->a, to->b};
    for (int i = 0; i < 2; i++) {
        if (ends[i].z <= level) { /* the lower end of a vertical edge: the bounce may be as far as its foot */
            widen(smaller, ends[i].x, ends[i].y);
            continue;
        }
        double share = (from.z - level) / (from.z - level + ends[i].z - level);
        widen(smaller, from.x + share * (ends[i].x - from.x), from.y + share * (ends[i].y - from.y));
    }
}

static bool box_meets_prism(const rcity_shapes *shapes, const way_box *box, const rcity_prism *prism)
{
    double unit = 1.0 / shapes->units_per_m;
    return box->x_min <= (prism->x_max + 1) * unit && box->x_max >= (prism->x_min - 1) * unit &&
           box->y_min <= (prism->y_max + 1) * unit && box->y_max >= (prism->y_min - 1) * unit;
}

/* A whole number of grid units within the range of the plan. */
static int32_t to_units(const rcity_shapes *shapes, double metres)
{
    return (int32_t)fmin(fmax(metres * shapes->units_per_m, -2e9), 2e9);
}

/* Levels in a box. Straight ways, from a place to an edge, are looked at closely. */
static int32_t find_levels(const rcity_search *search, const way_box *box, const rcity_place3 *from,
                           const rcity_bend *to, int32_t *levels)
{
    const rcity_trace_world *world = search->world;
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
        way_box closer = *box;
        if (from != NULL) {
            shrink_to_bounce(box, *from, to, level, &closer);
        }
        if (box_meets_prism(shapes, &closer, prism)) {
            levels[count++] = (int32_t)world->wall_count + i;
        }
    }
    return count;
}

int32_t rcity_levels_to_place(const rcity_search *search, rcity_place3 from, const rcity_stretch *stretch,
                              rcity_place3 to, int32_t *levels)
{
    way_box box = box_of_walls(search, stretch->wall, stretch->wall_count);
    widen_by_place(&box, from);
    widen_by_place(&box, to);
    return find_levels(search, &box, NULL, NULL, levels);
}

int32_t rcity_levels_between(const rcity_search *search, const rcity_bend *from, const rcity_stretch *stretch,
                             const rcity_bend *to, int32_t *levels)
{
    way_box box = box_of_walls(search, stretch->wall, stretch->wall_count);
    widen_by_bend(&box, from);
    widen_by_bend(&box, to);
    return find_levels(search, &box, NULL, NULL, levels);
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
            const rcity_bend *bend = &search->world->bends[meeting->bend];
            way_box box = box_of_walls(search, walls, wall_count);
            widen_by_place(&box, from);
            widen_by_bend(&box, bend);
            RCITY_TRY(rcity_reserve(context, table->level_count + (size_t)search->world->roof_count + 1,
                                    sizeof *table->level, &table->level_capacity, "the levels between", &table->level));
            table->level_count += (size_t)find_levels(search, &box, wall_count == 0 ? &from : NULL, bend,
                                                      table->level + table->level_count);
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
