/* Paths weighed: equation 3 of the paper with laws of physics as defaults. */
#define RCITY_REAL_IS_DOUBLE
#include "method/cubes/cubes_levels.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/decibels.h"
#include "kernel/wave/face.h"
#include "method/cubes/cubes.h"
#include "method/surroundings/mean_options.h"
#include "result/rays_data.h"
#include "scene/scene_data.h"

#define FOUR_PI 12.56637061435917295385
#define FAR_DB  1e30
#define FREE_DB 6.02 /* more than an edge takes of a line that it touches: then the line is not free */

static bool is_on(const rcity_job *job, rcity_cubes_option option)
{
    return strcmp(job->option[option], "on") == 0;
}

/* The loss of a wave that the scene's plain wall reflects straight back. */
static rcity_status find_wall_loss(const rcity_job *job, double frequency_hz, double *loss_db)
{
    rcity_material material;
    RCITY_TRY(rcity_scene_get_material(job->context, job->scene, "", RCITY_SURFACE_WALL, &material));
    rcity_permittivity at = rcity_material_evaluate(&material, frequency_hz);
    rcity_complex root = rcity_complex_sqrt(rcity_complex_make(at.real, -at.imaginary));
    rcity_complex below = rcity_complex_make(root.re - 1.0, root.im);
    rcity_complex above = rcity_complex_make(root.re + 1.0, root.im);
    *loss_db = 10.0 * log10((above.re * above.re + above.im * above.im) / (below.re * below.re + below.im * below.im));
    return RCITY_OK;
}

rcity_status rcity_cubes_read_coefficients(const rcity_job *job, const rcity_tx *tx,
                                           double coefficients[RCITY_CUBES_LAW_COUNT])
{
    for (int i = 0; i < RCITY_CUBES_LAW_COUNT; i++) {
        coefficients[i] = job->number[RCITY_CUBES_DIRECT_DB + i];
    }
    if (isnan(coefficients[RCITY_CUBES_OF_REFLECTION_NORMAL])) {
        RCITY_TRY(find_wall_loss(job, tx->stated.frequency_hz, &coefficients[RCITY_CUBES_OF_REFLECTION_NORMAL]));
    }
    return RCITY_OK;
}

bool rcity_cubes_levels_is_near(const rcity_cubes_levels *levels, int64_t open)
{
    const float *at = &levels->traced->prepared->receivers.xyz_m[3 * open];
    const rcity_place3 *from = &levels->traced->from;
    double plan_m = hypot((double)at[0] - from->x, (double)at[1] - from->y);
    return hypot(plan_m, (double)at[2] - from->z) < levels->wavelength_m;
}

/* Does a ray find the straight line free? Its path comes first. */
static bool is_direct(const rcity_cubes_traced *traced, int64_t open)
{
    int64_t first = traced->path_first[open];
    return first < traced->path_first[open + 1] && traced->path_class[first] == RCITY_CUBE_CLASS_DIRECT;
}

/* What lies over and beside the straight lines. */
static rcity_status find_over(rcity_cubes_levels *levels)
{
    const rcity_cubes_traced *traced = levels->traced;
    const rcity_cubes_prepared *prepared = traced->prepared;
    rcity_context *context = levels->job->context;
    int64_t count = prepared->receivers.open_count;
    size_t room = (size_t)count + 1;
    int32_t *list = NULL; /* receivers in sight from the front, all others from the back */
    rcity_tile_roof_path *paths = NULL;
    float *left = NULL; /* and then what the ground takes */
    int64_t seen = 0;
    int64_t hidden = 0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *levels->over, "paths over roofs", &levels->over));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *levels->left, "paths over roofs", &levels->left));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *list, "paths over roofs", &list));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *paths, "paths over roofs", &paths));
    RCITY_TRY_DONE(rcity_alloc(context, room, 2 * sizeof *left, "paths over roofs", &left));
    for (int64_t i = 0; i < count; i++) {
        levels->over[i].excess_db = NAN;
        if (is_direct(traced, i)) {
            list[seen++] = (int32_t)i;
        } else {
            list[count - ++hidden] = (int32_t)i;
        }
    }
    rcity_tile_roofs_leave(context, prepared->roofs, traced->place, (float)levels->wavelength_m, seen, list, left,
                           left + seen);
    for (int64_t i = 0; i < seen; i++) {
        rcity_tile_place at = prepared->receivers.places[list[i]];
        const rcity_point *to = &prepared->receivers.positions[prepared->receivers.number[list[i]]];
        levels->left[list[i]] = !levels->has_mean
                                    ? left[i]
                                    : rcity_mean_source_left(&levels->source, (rcity_grid_point3){at.x, at.y, at.z}, to,
                                                             left[i], left[seen + i]);
    }
    if (levels->goes_over && hidden > 0) {
        RCITY_TRY_DONE(rcity_tile_roofs_find(context, prepared->roofs, traced->place, levels->wavelength_m, 0.0, hidden,
                                             list + count - hidden, paths));
        for (int64_t i = 0; i < hidden; i++) {
            levels->over[list[count - hidden + i]] = paths[i];
        }
    }
done:
    rcity_release(context, left);
    rcity_release(context, paths);
    rcity_release(context, list);
    return status;
}

static rcity_status init_source(rcity_cubes_levels *levels, const rcity_tx *tx)
{
    const rcity_job *job = levels->job;
    const rcity_cubes_traced *traced = levels->traced;
    rcity_surroundings_law law =
        rcity_mean_law_read(job, (rcity_mean_options){.diffuse = RCITY_CUBES_DIFFUSE,
                                                      .diffuse_roof = RCITY_CUBES_DIFFUSE_ROOF,
                                                      .diffuse_elevation = RCITY_CUBES_DIFFUSE_ELEVATION,
                                                      .doubt = RCITY_CUBES_DOUBT,
                                                      .doubt_distance = RCITY_CUBES_DOUBT_DISTANCE});
    const rcity_tile_place *from = &traced->place;
    return rcity_mean_source_init(job->context, traced->prepared->built_up, &law, tx,
                                  (rcity_grid_point3){from->x, from->y, from->z}, levels->spread_db,
                                  levels->wavelength_m, &levels->source);
}

rcity_status rcity_cubes_levels_init(const rcity_job *job, const rcity_cubes_traced *traced, const rcity_tx *tx,
                                     rcity_cubes_levels *levels)
{
    memset(levels, 0, sizeof *levels);
    levels->job = job;
    levels->traced = traced;
    levels->ends = rcity_path_ends_make(job, tx, RCITY_RX_POLARIZATION_VERTICAL);
    levels->wavelength_m = RCITY_LIGHT_EXACT_M_PER_S / tx->stated.frequency_hz;
    levels->spread_db = 20.0 * log10(FOUR_PI / levels->wavelength_m);
    levels->has_mean = is_on(job, RCITY_CUBES_SURROUNDINGS);
    levels->goes_over = is_on(job, RCITY_CUBES_OVER_ROOFS);
    levels->adds_powers = strcmp(job->option[RCITY_CUBES_SUM], "power") == 0;
    RCITY_TRY(rcity_cubes_read_coefficients(job, tx, levels->coefficients));
    if (levels->has_mean) { /* it knows the ground law that lines in sight have */
        RCITY_TRY(init_source(levels, tx));
    }
    return find_over(levels);
}

void rcity_cubes_levels_deinit(rcity_cubes_levels *levels)
{
    if (levels->job != NULL) {
        rcity_context *context = levels->job->context;
        rcity_mean_source_deinit(context, &levels->source);
        rcity_release(context, levels->left);
        rcity_release(context, levels->over);
    }
}

static double gain_of(const rcity_cubes_levels *levels, double x, double y, double z)
{
    rcity_vec3 direction = {(float)x, (float)y, (float)z};
    return (double)rcity_antenna_gain(levels->ends.tx_antenna, levels->ends.tx_table, direction);
}

static double edge_of(const rcity_cubes_levels *levels, float root_m)
{
    return (double)rcity_cube_edge_ratio((float)((double)root_m / sqrt(levels->wavelength_m)));
}

/* The roofs of a path as a ratio of powers: each as a knife edge, and what a chain takes beyond, which begins where each
   edge takes something; but no less than all of them as one edge, which edges near each other are. */
static double roofs_of(const rcity_cubes_levels *levels, const rcity_cube_path *path)
{
    const double least = 4.0; /* at grazing */
    const double full = 32.0; /* 15 dB */
    double ratio = 1.0;
    double weakest = HUGE_VAL;
    for (int i = 0; i < path->roofs; i++) {
        double edge = edge_of(levels, path->roof_root_m[i]);
        weakest = fmin(weakest, edge);
        ratio *= edge;
    }
    if (path->roofs < 2) {
        return ratio;
    }
    double share = fmin(fmax(log(weakest / least) / log(full / least), 0.0), 1.0);
    return fmax(ratio * pow(fmax((double)path->roof_spread, 1.0), share), edge_of(levels, path->roof_whole_root_m));
}

/* All edges of a path. */
static double edges_of(const rcity_cubes_levels *levels, const rcity_cube_path *path)
{
    double ratio = (double)path->corner_ratio * roofs_of(levels, path);
    for (int i = 0; i < path->corners; i++) {
        ratio *= edge_of(levels, path->corner_root_m[i]);
    }
    return ratio;
}

/* A path of the trace. `ground_db` is what the ground takes in the open: all of it of a path without edges, less of one
   in their shadow, which comes down from them. */
static rcity_cubes_item item_of(const rcity_cubes_levels *levels, const rcity_cube_path *path, int kind, double left,
                                double ground_db)
{
    static const int mechanisms[RCITY_CUBE_CLASS_COUNT] = {RCITY_MECHANISM_DIRECT, RCITY_MECHANISM_REFLECTION,
                                                           RCITY_MECHANISM_CORNER, RCITY_MECHANISM_ROOF};
    double edges = edges_of(levels, path);
    rcity_cubes_item item;
    memset(&item, 0, sizeof item);
    item.base_db = levels->spread_db + 20.0 * log10(fmax((double)path->length_m, levels->wavelength_m)) +
                   10.0 * log10(edges) + ground_db * fmin(1.0, 4.0 / edges);
    if (kind == RCITY_CUBE_CLASS_DIRECT) {
        item.base_db -= 10.0 * log10(fmax(left, 0.25));
        item.part[RCITY_CUBES_OF_DIRECT] = 1.0;
    }
    item.part[RCITY_CUBES_OF_REFLECTION] = path->reflections;
    item.part[RCITY_CUBES_OF_REFLECTION_NORMAL] = (double)path->reflect_sum;
    item.part[RCITY_CUBES_OF_VERTICAL] = path->corners;
    item.part[RCITY_CUBES_OF_VERTICAL_RAD] = (double)path->corner_angle;
    item.part[RCITY_CUBES_OF_HORIZONTAL] = path->roofs;
    item.part[RCITY_CUBES_OF_HORIZONTAL_RAD] = (double)path->roof_angle;
    item.gain_db = gain_of(levels, (double)path->departure_x, (double)path->departure_y, (double)path->departure_slope);
    item.mechanism = mechanisms[kind];
    item.reflections = path->reflections;
    item.verticals = path->corners;
    item.horizontals = path->roofs;
    return item;
}

/* The path over all roofs between, as one field. */
static rcity_cubes_item over_item(const rcity_cubes_levels *levels, const rcity_tile_roof_path *over)
{
    rcity_cubes_item item;
    memset(&item, 0, sizeof item);
    item.base_db =
        levels->spread_db + 20.0 * log10(fmax((double)over->length_m, levels->wavelength_m)) + (double)over->excess_db;
    item.part[RCITY_CUBES_OF_OVER_ROOFS] = 1.0;
    item.gain_db = gain_of(levels, (double)over->departure_x, (double)over->departure_y, (double)over->departure_z);
    item.mechanism = RCITY_MECHANISM_ROOF;
    item.horizontals = 1;
    return item;
}

void rcity_cubes_levels_link(const rcity_cubes_levels *levels, int64_t open, rcity_cubes_link *link)
{
    const rcity_cubes_traced *traced = levels->traced;
    const rcity_open_receivers *receivers = &traced->prepared->receivers;
    double ground_db = 0.0;
    memset(link, 0, sizeof *link);
    if (rcity_cubes_levels_is_near(levels, open)) {
        return;
    }
    if (levels->has_mean) {
        rcity_tile_place at = receivers->places[open];
        link->mean = rcity_mean_source_link(&levels->source, (rcity_grid_point3){at.x, at.y, at.z},
                                            &receivers->positions[receivers->number[open]]);
        ground_db = -10.0 * log10(rcity_mean_source_ground(&levels->source, &link->mean));
    }
    link->is_seen = is_direct(traced, open);
    for (int64_t i = traced->path_first[open]; i < traced->path_first[open + 1]; i++) {
        int kind = traced->path_class[i];
        /* in sight, what edges diffract is part of the direct wave */
        if (!link->is_seen || kind == RCITY_CUBE_CLASS_DIRECT || kind == RCITY_CUBE_CLASS_REFLECTED) {
            link->items[link->item_count++] =
                item_of(levels, &traced->paths[i], kind, (double)levels->left[open], ground_db);
        }
    }
    if (!isnan(levels->over[open].excess_db)) {
        link->items[link->item_count++] = over_item(levels, &levels->over[open]);
    }
}

double rcity_cubes_item_db(const rcity_cubes_item *item, const double coefficients[RCITY_CUBES_LAW_COUNT],
                           bool with_antenna)
{
    double loss_db = item->base_db - (with_antenna ? item->gain_db : 0.0);
    for (int i = 0; i < RCITY_CUBES_LAW_COUNT; i++) {
        loss_db += coefficients[i] * item->part[i];
    }
    return loss_db;
}

int rcity_cubes_link_weigh(const rcity_cubes_link *link, const double coefficients[RCITY_CUBES_LAW_COUNT],
                           bool with_antenna, bool adds_powers, double *loss_db)
{
    int strongest = -1;
    double least_db = FAR_DB;
    double item_db[RCITY_CUBES_ITEM_MAX];
    for (int i = 0; i < link->item_count; i++) {
        item_db[i] = rcity_cubes_item_db(&link->items[i], coefficients, with_antenna);
        if (item_db[i] < least_db) {
            least_db = item_db[i];
            strongest = i;
        }
    }
    double power = 1.0;
    for (int i = 0; adds_powers && i < link->item_count; i++) {
        power += i != strongest ? pow(10.0, -0.1 * (item_db[i] - least_db)) : 0.0;
    }
    *loss_db = least_db - 10.0 * log10(power);
    return strongest;
}

rcity_cubes_level rcity_cubes_levels_weigh(const rcity_cubes_levels *levels, const rcity_cubes_link *link)
{
    rcity_cubes_level level = {NAN, NAN, -1, 0, 0, 0, link->is_seen};
    double loss_db, gained_db;
    rcity_cubes_link_weigh(link, levels->coefficients, false, levels->adds_powers, &loss_db);
    int strongest = rcity_cubes_link_weigh(link, levels->coefficients, true, levels->adds_powers, &gained_db);
    if (strongest >= 0) {
        const rcity_cubes_item *item = &link->items[strongest];
        level = (rcity_cubes_level){loss_db,         gained_db,         item->mechanism, item->reflections,
                                    item->verticals, item->horizontals, link->is_seen};
    }
    if (link->mean.weight > 0.0f) {
        const rcity_surroundings_law *law = &levels->source.law;
        rcity_mean_values values = {(double)law->least_db, (double)law->roof_m, (double)law->doubt};
        rcity_mean_level drawn = rcity_mean_level_of(law, &link->mean, values, false, loss_db);
        rcity_mean_level gained = rcity_mean_level_of(law, &link->mean, values, true, gained_db);
        level.loss_db = drawn.loss_db;
        level.gained_db = gained.loss_db;
        if (gained.is_diffuse) {
            level.mechanism = RCITY_MECHANISM_DIFFUSE;
            level.reflections = level.verticals = level.horizontals = 0;
        }
    }
    return level;
}
