/* Sight, edges and roofs of all receivers at once; the law of the surroundings on each level. */
#include "method/beams/beams_levels.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/beams.h"
#include "method/path_ends.h"
#include "method/surroundings/mean_options.h"
#include "radiocity/mechanism.h"
#include "result/rays_data.h"

#define FOUR_PI     12.56637061435917295385
#define PIECE_LINES 512

static bool is_on(const rcity_job *job, rcity_beams_option option)
{
    return strcmp(job->option[option], "on") == 0;
}

bool rcity_beams_levels_are_paper(const rcity_job *job)
{
    return strcmp(job->option[RCITY_BEAMS_LAW], "paper") == 0;
}

rcity_beams_paper rcity_beams_levels_paper(const rcity_job *job, const rcity_tx *tx)
{
    rcity_beams_paper paper = {job->number[RCITY_BEAMS_EXPONENT], job->number[RCITY_BEAMS_CONSTANT],
                               job->number[RCITY_BEAMS_REFLECTION_LOSS], job->number[RCITY_BEAMS_DIFFRACTION_LOSS],
                               job->number[RCITY_BEAMS_TRANSMISSION_LOSS]};
    if (isnan(paper.constant_db)) {
        paper.constant_db = 20.0 * log10(FOUR_PI * tx->stated.frequency_hz / RCITY_LIGHT_EXACT_M_PER_S);
    }
    return paper;
}

bool rcity_beams_levels_have_law(const rcity_job *job)
{
    return is_on(job, RCITY_BEAMS_SURROUNDINGS) && !rcity_beams_levels_are_paper(job) &&
           strcmp(job->option[RCITY_BEAMS_SUM], "coherent") != 0;
}

bool rcity_beams_levels_need_roofs(const rcity_job *job)
{
    return rcity_beams_levels_have_law(job) ||
           (is_on(job, RCITY_BEAMS_OVER_ROOFS) && !rcity_beams_levels_are_paper(job));
}

static rcity_beams_rules read_rules(const rcity_job *job, const rcity_tx *tx)
{
    rcity_beams_rules rules;
    memset(&rules, 0, sizeof rules);
    rules.sum = rcity_images_read_sum(job->option[RCITY_BEAMS_SUM]);
    rules.threshold_db = job->number[RCITY_BEAMS_EXCESS_DB];
    rules.range = pow(10.0, -0.1 * job->number[RCITY_BEAMS_PATH_RANGE]);
    rules.has_law = rcity_beams_levels_have_law(job);
    rules.goes_over_roofs = is_on(job, RCITY_BEAMS_OVER_ROOFS);
    for (int i = 0; i < RCITY_BEAMS_CLASS_COUNT; i++) {
        rules.factor[i] = pow(10.0, 0.1 * job->number[RCITY_BEAMS_DIRECT_DB + i]);
    }
    rules.inside_db_per_m = job->number[RCITY_BEAMS_INSIDE_DB];
    rules.inside_slower = job->number[RCITY_BEAMS_INSIDE_INDEX] - 1.0;
    rules.is_paper = rcity_beams_levels_are_paper(job);
    if (rules.is_paper) {
        rules.sum = RCITY_IMAGES_POWER;
        rules.goes_over_roofs = false;
        rules.paper = rcity_beams_levels_paper(job, tx);
    }
    return rules;
}

rcity_status rcity_beams_levels_init(const rcity_job *job, const rcity_beams_traced *traced, const rcity_tx *tx,
                                     rcity_beams_levels *levels)
{
    memset(levels, 0, sizeof *levels);
    levels->job = job;
    levels->traced = traced;
    levels->position = tx->position;
    levels->ends = rcity_path_ends_make(job, tx, rcity_rx_polarization_read(job->option[RCITY_BEAMS_RX_POLARIZATION]));
    levels->rules = read_rules(job, tx);
    levels->around = &traced->prepared->around;
    if (levels->around->roofs == NULL && rcity_beams_levels_need_roofs(job)) {
        RCITY_TRY(rcity_beams_around_init(job, traced->prepared->images, &levels->own_around));
        levels->around = &levels->own_around;
    }
    if (!levels->rules.has_law) {
        return RCITY_OK;
    }
    const rcity_shapes *shapes = job->shapes;
    double wavelength_m = RCITY_LIGHT_EXACT_M_PER_S / tx->stated.frequency_hz;
    rcity_surroundings_law law =
        rcity_mean_law_read(job, (rcity_mean_options){.diffuse = RCITY_BEAMS_DIFFUSE,
                                                      .diffuse_roof = RCITY_BEAMS_DIFFUSE_ROOF,
                                                      .diffuse_elevation = RCITY_BEAMS_DIFFUSE_ELEVATION,
                                                      .doubt = RCITY_BEAMS_DOUBT,
                                                      .doubt_distance = RCITY_BEAMS_DOUBT_DISTANCE});
    rcity_place3 at = {tx->position.x_m - shapes->origin_x_m, tx->position.y_m - shapes->origin_y_m, tx->position.z_m};
    rcity_tile_place from = rcity_place_snap(shapes, at);
    return rcity_mean_source_init(job->context, levels->around->built_up, &law, tx,
                                  (rcity_grid_point3){from.x, from.y, from.z}, 20.0 * log10(FOUR_PI / wavelength_m),
                                  wavelength_m, &levels->source);
}

void rcity_beams_levels_deinit(rcity_beams_levels *levels)
{
    if (levels->job != NULL) {
        rcity_mean_source_deinit(levels->job->context, &levels->source);
        rcity_beams_around_deinit(levels->job->context, &levels->own_around);
    }
}

/* Receivers of one launch. */
typedef struct over_work {
    const rcity_beams_levels *levels;
    int64_t open_first; /* of the open receivers */
    bool *is_seen;
} over_work;

/* An rcity_parallel_function. */
static void test_sight(void *user, int64_t begin, int64_t end, int thread_index)
{
    const over_work *work = user;
    const rcity_beams_traced *traced = work->levels->traced;
    const rcity_tile_place *places = work->levels->around->receivers.places + work->open_first;
    rcity_grid_point3 from = {traced->place.x, traced->place.y, traced->place.z};
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        work->is_seen[i] = rcity_sight_is_free(traced->prepared->images->sight, from,
                                               (rcity_grid_point3){places[i].x, places[i].y, places[i].z});
    }
}

/* The straight ray as such a path. */
static rcity_tile_roof_path straight_path(const rcity_beams_levels *levels, int64_t open, float left)
{
    const float *at = &levels->around->receivers.xyz_m[3 * open];
    const rcity_place3 *from = &levels->traced->from;
    double x = (double)at[0] - from->x;
    double y = (double)at[1] - from->y;
    double z = (double)at[2] - from->z;
    double length_m = sqrt(x * x + y * y + z * z);
    rcity_tile_roof_path path = {.excess_db = -10.0f * log10f(left), .length_m = (float)length_m};
    path.departure_x = path.arrival_x = (float)(x / length_m);
    path.departure_y = path.arrival_y = (float)(y / length_m);
    path.departure_z = path.arrival_z = (float)(z / length_m);
    return path;
}

/* Memory of a launch. */
typedef struct over_lists {
    int32_t *seen, *hidden;
    int64_t seen_count, hidden_count;
    float *left; /* and then what the ground takes */
    rcity_tile_roof_path *paths;
} over_lists;

static void release_lists(rcity_context *context, over_lists *lists)
{
    rcity_release(context, lists->paths);
    rcity_release(context, lists->left);
    rcity_release(context, lists->hidden);
    rcity_release(context, lists->seen);
}

static rcity_status make_lists(const over_work *work, int64_t count, over_lists *lists)
{
    rcity_context *context = work->levels->job->context;
    size_t room = (size_t)count + 1;
    RCITY_TRY(rcity_alloc(context, room, sizeof *lists->seen, "paths over roofs", &lists->seen));
    RCITY_TRY(rcity_alloc(context, room, sizeof *lists->hidden, "paths over roofs", &lists->hidden));
    RCITY_TRY(rcity_alloc(context, room, 2 * sizeof *lists->left, "paths over roofs", &lists->left));
    for (int64_t i = 0; i < count; i++) {
        int32_t target = (int32_t)(work->open_first + i);
        if (work->is_seen[i]) {
            lists->seen[lists->seen_count++] = target;
        } else {
            lists->hidden[lists->hidden_count++] = target;
        }
    }
    return rcity_alloc(context, (size_t)lists->hidden_count + 1, sizeof *lists->paths, "paths over roofs",
                       &lists->paths);
}

/* What edges and hills leave of the straight ray to a receiver in sight. */
static float left_of(const rcity_beams_levels *levels, const over_lists *lists, int64_t i)
{
    const rcity_open_receivers *receivers = &levels->around->receivers;
    int64_t open = lists->seen[i];
    rcity_tile_place at = receivers->places[open];
    return rcity_mean_source_left(&levels->source, (rcity_grid_point3){at.x, at.y, at.z},
                                  &receivers->positions[receivers->number[open]], lists->left[i],
                                  lists->left[lists->seen_count + i]);
}

static rcity_status find_over(const over_work *work, int64_t first, over_lists *lists, rcity_tile_roof_path *over)
{
    const rcity_beams_levels *levels = work->levels;
    const rcity_beams_traced *traced = levels->traced;
    const rcity_beams_around *around = levels->around;
    const int64_t *number = around->receivers.number;
    rcity_context *context = levels->job->context;
    if (levels->rules.has_law) {
        rcity_tile_roofs_leave(context, around->roofs, traced->place, levels->source.wavelength_m, lists->seen_count,
                               lists->seen, lists->left, lists->left + lists->seen_count);
        for (int64_t i = 0; i < lists->seen_count; i++) {
            over[number[lists->seen[i]] - first] = straight_path(levels, lists->seen[i], left_of(levels, lists, i));
        }
    }
    if (levels->rules.goes_over_roofs && lists->hidden_count > 0) {
        RCITY_TRY(rcity_tile_roofs_find(context, around->roofs, traced->place, traced->images.world.wavelength_m, 0.0,
                                        lists->hidden_count, lists->hidden, lists->paths));
        for (int64_t i = 0; i < lists->hidden_count; i++) {
            over[number[lists->hidden[i]] - first] = lists->paths[i];
        }
    }
    return RCITY_OK;
}

rcity_status rcity_beams_levels_go_over(const rcity_beams_levels *levels, int64_t first, int64_t count,
                                        rcity_tile_roof_path *over)
{
    const rcity_open_receivers *receivers = &levels->around->receivers;
    rcity_context *context = levels->job->context;
    over_work work = {.levels = levels};
    over_lists lists;
    memset(&lists, 0, sizeof lists);
    for (int64_t i = 0; i < count; i++) {
        over[i] = (rcity_tile_roof_path){.excess_db = NAN};
    }
    if (!levels->rules.has_law && !levels->rules.goes_over_roofs) {
        return RCITY_OK;
    }
    while (work.open_first < receivers->open_count && receivers->number[work.open_first] < first) {
        work.open_first++;
    }
    int64_t open_last = work.open_first;
    while (open_last < receivers->open_count && receivers->number[open_last] < first + count) {
        open_last++;
    }
    int64_t open_count = open_last - work.open_first;
    rcity_status status;
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)open_count + 1, sizeof *work.is_seen, "receivers in sight", &work.is_seen));
    rcity_parallel(context, open_count, PIECE_LINES, test_sight, &work);
    RCITY_TRY_DONE(make_lists(&work, open_count, &lists));
    status = find_over(&work, first, &lists, over);
done:
    release_lists(context, &lists);
    rcity_release(context, work.is_seen);
    return status;
}

static rcity_path_course course_of(const rcity_tile_roof_path *path)
{
    rcity_path_course course;
    memset(&course, 0, sizeof course);
    course.length_m = (double)path->length_m;
    course.departure = (rcity_place3){(double)path->departure_x, (double)path->departure_y, (double)path->departure_z};
    course.arrival = (rcity_place3){-(double)path->arrival_x, -(double)path->arrival_y, -(double)path->arrival_z};
    rcity_direction_angles(course.departure.x, course.departure.y, course.departure.z, &course.departure_azimuth_deg,
                           &course.departure_elevation_deg);
    rcity_direction_angles(course.arrival.x, course.arrival.y, course.arrival.z, &course.arrival_azimuth_deg,
                           &course.arrival_elevation_deg);
    return course;
}

rcity_beams_link rcity_beams_levels_link(const rcity_beams_levels *levels, const rcity_point *position,
                                         const rcity_tile_roof_path *over)
{
    const rcity_shapes *shapes = levels->job->shapes;
    rcity_beams_link link;
    memset(&link, 0, sizeof link);
    link.beside = rcity_beams_beside_none();
    if (!isnan(over->excess_db)) {
        link.beside.course = course_of(over);
        link.beside.over = pow(10.0, -0.1 * (double)over->excess_db);
    }
    if (levels->rules.has_law) {
        rcity_place3 at = {position->x_m - shapes->origin_x_m, position->y_m - shapes->origin_y_m, position->z_m};
        rcity_tile_place place = rcity_place_snap(shapes, at);
        link.mean = rcity_mean_source_link(&levels->source, (rcity_grid_point3){place.x, place.y, place.z}, position);
        link.beside.ground = rcity_mean_source_ground(&levels->source, &link.mean);
    }
    return link;
}

void rcity_beams_levels_draw(const rcity_beams_levels *levels, const rcity_beams_link *link, rcity_beams_level *level)
{
    const double far_db = 1e30;
    const rcity_surroundings_law *law = &levels->source.law;
    if (!(link->mean.weight > 0.0f)) {
        return;
    }
    double rx_gain = pow(10.0, 0.1 * levels->ends.rx_gain_dbi);
    double loss_db = level->isotropic_gain > 0.0 ? -10.0 * log10(level->isotropic_gain) : far_db;
    double gained_db = level->gain > 0.0 ? -10.0 * log10(level->gain / rx_gain) : far_db;
    rcity_mean_values values = {(double)law->least_db, (double)law->roof_m, (double)law->doubt};
    rcity_mean_level drawn = rcity_mean_level_of(law, &link->mean, values, false, loss_db);
    rcity_mean_level gained = rcity_mean_level_of(law, &link->mean, values, true, gained_db);
    level->isotropic_gain = pow(10.0, -0.1 * drawn.loss_db);
    level->gain = rx_gain * pow(10.0, -0.1 * gained.loss_db);
    level->mechanism = gained.is_diffuse ? RCITY_MECHANISM_DIFFUSE : level->mechanism;
}

rcity_status rcity_beams_levels_close(const rcity_beams_levels *levels, const rcity_beams_link *link,
                                      rcity_beams_sums *sums, rcity_beams_level *level, rcity_beams_form *form)
{
    RCITY_TRY(rcity_beams_sums_close(sums, &link->beside, level, form));
    rcity_beams_levels_draw(levels, link, level);
    return RCITY_OK;
}
