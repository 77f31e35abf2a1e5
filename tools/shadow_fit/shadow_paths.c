/* Writes what fit.py and law.py read: street receivers around a transmitter, the paths of the method `shadow` to them,
   and what lies around them.

       shadow_paths points SCENE X,Y NEAR FAR COUNT SEED > receivers.csv
       shadow_paths paths SCENE X,Y,H MHZ ORDER receivers.csv > case.paths
       shadow_paths around SCENE X,Y,H receivers.csv > case.around */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "method/shadow/trace/shadow_points.h"
#include "method/surroundings/built_up.h"
#include "radiocity/io.h"
#include "radiocity/scene.h"

#define RECEIVER_M 1.5

static int give_up(rcity_context *context, const char *what)
{
    fprintf(stderr, "shadow_paths: %s: %s\n", what, rcity_context_message(context));
    return 1;
}

/* A number in [0, 1) that depends on seed and place in the row alone (SplitMix64). */
static double uniform(uint64_t seed, uint64_t index)
{
    uint64_t z = seed * 0x9E3779B97F4A7C15u + index * 0xD1B54A32D192ED03u + 0x632BE59BD9B4E019u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Places outside buildings, uniform in area between two distances, within the scene; on whole centimetres. */
static int write_points(rcity_context *context, const rcity_scene *scene, char **words)
{
    double x = 0.0;
    double y = 0.0;
    rcity_scene_info info;
    if (sscanf(words[0], "%lf,%lf", &x, &y) != 2 || rcity_scene_describe(scene, &info) != RCITY_OK) {
        return give_up(context, "points");
    }
    double near = atof(words[1]);
    double far = atof(words[2]);
    long count = atol(words[3]);
    uint64_t seed = strtoull(words[4], NULL, 10);
    printf("x,y,height\n");
    for (uint64_t next = 0; count > 0 && next < 100000000; next += 2) {
        double px = floor(100.0 * (info.x_min_m + (info.x_max_m - info.x_min_m) * uniform(seed, next))) / 100.0;
        double py = floor(100.0 * (info.y_min_m + (info.y_max_m - info.y_min_m) * uniform(seed, next + 1))) / 100.0;
        double distance = hypot(px - x, py - y);
        rcity_cover cover;
        if (distance < near || distance > far) {
            continue;
        }
        if (rcity_scene_get_cover(context, scene, px, py, &cover) != RCITY_OK) {
            return give_up(context, "points");
        }
        if (!cover.is_covered) {
            printf("%.2f,%.2f,%.1f\n", px, py, RECEIVER_M);
            count--;
        }
    }
    return 0;
}

/* A place above ground on the scene's grid. */
static rcity_status place(rcity_context *context, const rcity_scene *scene, rcity_point at, rcity_grid_point3 *placed)
{
    double ground_m;
    rcity_status status = rcity_scene_get_ground(context, scene, at.x_m, at.y_m, &ground_m);
    at.z_m += ground_m;
    return status != RCITY_OK ? status : rcity_shapes_snap(context, rcity_scene_shapes(scene), &at, placed);
}

static long read_places(const char *path, rcity_context *context, const rcity_scene *scene, rcity_grid_point3 **places)
{
    FILE *file = fopen(path, "r");
    char line[256];
    long count = 0;
    *places = NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        rcity_point at;
        if (sscanf(line, "%lf,%lf,%lf", &at.x_m, &at.y_m, &at.z_m) != 3) {
            continue; /* the heading */
        }
        rcity_grid_point3 *more = realloc(*places, (size_t)(count + 1) * sizeof **places);
        if (more == NULL || place(context, scene, at, &more[count]) != RCITY_OK) {
            free(more);
            count = -1;
            break;
        }
        *places = more;
        count++;
    }
    if (file != NULL) {
        fclose(file);
    }
    return file == NULL ? -1 : count;
}

static void print_path(long receiver, const char *mechanism, double free_db, double turns, double logs, double angles,
                       double squares)
{
    printf("%ld,%s,%.5f,%g,%.6f,%.6f,%.6f\n", receiver, mechanism, free_db, turns, logs, angles, squares);
}

static void print_receiver(const rcity_shadow_paths *paths, long i, double log_k, double free_1m_db)
{
    const rcity_corner_paths *corner_paths = paths->corner_paths;
    bool is_visible = paths->states[i] == RCITY_SHADOW_VISIBLE;
    bool has_roof = paths->states[i] == RCITY_SHADOW_HIDDEN && paths->roofs[i].turns.length_m > 0.0f;
    if (is_visible) {
        print_path(i, "direct", free_1m_db + 20.0 * (double)paths->log_lengths[i], 0.0, 0.0, 0.0, 0.0);
    } else if (has_roof) {
        const rcity_shadow_turns *turns = &paths->roofs[i].turns;
        print_path(i, "roof", free_1m_db + 20.0 * (double)paths->roof_log_lengths[i], turns->count,
                   turns->count * log_k + (double)turns->log_distance_sum, (double)turns->angle_sum_rad,
                   (double)turns->angle_square_sum_rad2);
    }
    for (size_t k = corner_paths->first[i]; k < corner_paths->first[i + 1]; k++) {
        const rcity_chain_path *path = &corner_paths->paths[k];
        const rcity_shadow_turns *turns = &corner_paths->nodes[path->node].turns;
        double angle = (double)path->angle_rad;
        print_path(i, "corner", free_1m_db + 20.0 * (double)path->log_length, turns->count + 1,
                   (turns->count + 1) * log_k + (double)turns->log_distance_sum + (double)path->log_distance,
                   (double)turns->angle_sum_rad + angle, (double)turns->angle_square_sum_rad2 + angle * angle);
    }
    if (!is_visible && !has_roof && corner_paths->first[i] == corner_paths->first[i + 1]) {
        print_path(i, "none", 0.0, 0.0, 0.0, 0.0, 0.0);
    }
}

static int write_paths(rcity_context *context, const rcity_scene *scene, char **words)
{
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    rcity_point tx = {0.0, 0.0, 0.0};
    rcity_grid_point3 source;
    rcity_sight *sight = NULL;
    rcity_grid_point3 *places = NULL;
    rcity_shadow_points *points = NULL;
    if (sscanf(words[0], "%lf,%lf,%lf", &tx.x_m, &tx.y_m, &tx.z_m) != 3 ||
        place(context, scene, tx, &source) != RCITY_OK || rcity_sight_create(context, shapes, &sight) != RCITY_OK) {
        return give_up(context, "paths");
    }
    double k_per_m = 2.0 * 3.14159265358979323846 * atof(words[1]) * 1e6 / 299792458.0;
    rcity_shadow_choice choice = {atoi(words[2]), RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_OFF, false, NULL};
    long count = read_places(words[3], context, scene, &places);
    int result = 1;
    if (count < 0 || rcity_shadow_points_trace(context, shapes, sight, &choice, source, count, places, &points)) {
        give_up(context, "paths");
    } else {
        printf("receiver,mechanism,free_space_db,turns,log_kl_sum,angle_sum_rad,angle_square_sum_rad2\n");
        for (long i = 0; i < count; i++) {
            print_receiver(rcity_shadow_points_paths(points), i, log10(k_per_m), 20.0 * log10(2.0 * k_per_m));
        }
        result = 0;
    }
    rcity_shadow_points_destroy(&points);
    free(places);
    rcity_sight_destroy(context, &sight);
    return result;
}

/* What the law of the diffuse path reads of each receiver: the straight line, and the surroundings of both its ends. */
static void print_around(const rcity_surroundings_end *source, const rcity_built_up *built_up, rcity_grid_point3 from,
                         rcity_grid_point3 to, const float *node_built_m, float street_root_m)
{
    const rcity_shapes *shapes = built_up->shapes;
    rcity_surroundings_node here = rcity_built_up_at(built_up, to.x, to.y);
    rcity_surroundings_place place = rcity_surroundings_locate(&built_up->lattice, to.x, to.y);
    double plan_m = hypot((double)to.x - from.x, (double)to.y - from.y) / shapes->units_per_m;
    double rise_m = ((double)to.z - from.z) / RCITY_HEIGHT_UNITS_PER_M;
    printf("%.4f,%.4f,%.3f,%.3f,%.6f,%.6f,%.4f,%.4f,%.4f,%.5f\n", hypot(plan_m, rise_m), rise_m,
           (double)source->height_m, (double)rcity_built_up_height(shapes, to.x, to.y, to.z),
           (double)source->here.built_share, (double)here.built_share, (double)source->here.roof_m, (double)here.roof_m,
           (double)rcity_surroundings_built_at(&built_up->lattice, node_built_m, place), (double)street_root_m);
}

static int write_around(rcity_context *context, const rcity_scene *scene, char **words)
{
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    rcity_point tx = {0.0, 0.0, 0.0};
    rcity_grid_point3 from;
    rcity_grid_point3 *places = NULL;
    rcity_built_up *built_up = NULL;
    rcity_sight *sight = NULL;
    rcity_shadow_points *points = NULL;
    if (sscanf(words[0], "%lf,%lf,%lf", &tx.x_m, &tx.y_m, &tx.z_m) != 3 ||
        place(context, scene, tx, &from) != RCITY_OK || rcity_sight_create(context, shapes, &sight) != RCITY_OK ||
        rcity_built_up_create(context, shapes, &built_up) != RCITY_OK) {
        return give_up(context, "around");
    }
    long count = read_places(words[1], context, scene, &places);
    float *node_built_m = malloc(rcity_built_up_node_count(built_up) * sizeof *node_built_m);
    rcity_surroundings_end source = {rcity_built_up_height(shapes, from.x, from.y, from.z),
                                     rcity_built_up_at(built_up, from.x, from.y)};
    rcity_shadow_choice choice = {0, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_OFF, false, NULL};
    if (count >= 0 && rcity_shadow_points_trace(context, shapes, sight, &choice, from, count, places, &points)) {
        count = -1;
    }
    if (count >= 0 && node_built_m != NULL) {
        rcity_built_up_measure(context, built_up, (rcity_grid_point){from.x, from.y}, node_built_m);
        printf("length_m,rise_m,tx_height_m,rx_height_m,tx_share,rx_share,tx_roof_m,rx_roof_m,built_m,street_root_m\n");
    }
    for (long i = 0; i < count && node_built_m != NULL; i++) {
        print_around(&source, built_up, from, places[i], node_built_m,
                     rcity_shadow_paths_nearest(rcity_shadow_points_paths(points), (size_t)i).street_root_m);
    }
    rcity_shadow_points_destroy(&points);
    rcity_sight_destroy(context, &sight);
    free(node_built_m);
    free(places);
    rcity_built_up_destroy(context, &built_up);
    return count < 0;
}

int main(int count, char **words)
{
    bool is_points = count == 8 && strcmp(words[1], "points") == 0;
    bool is_paths = count == 7 && strcmp(words[1], "paths") == 0;
    bool is_around = count == 5 && strcmp(words[1], "around") == 0;
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    rcity_scene *scene = NULL;
    if ((!is_points && !is_paths && !is_around) || rcity_context_create(&options, &context) != RCITY_OK) {
        fprintf(stderr, "usage: shadow_paths points SCENE X,Y NEAR FAR COUNT SEED\n"
                        "       shadow_paths paths SCENE X,Y,H MHZ ORDER receivers.csv\n"
                        "       shadow_paths around SCENE X,Y,H receivers.csv\n");
        return 2;
    }
    int result = 1;
    if (rcity_scene_load(context, words[2], &scene) != RCITY_OK) {
        give_up(context, "scene");
    } else {
        result = is_points  ? write_points(context, scene, words + 3)
                 : is_paths ? write_paths(context, scene, words + 3)
                            : write_around(context, scene, words + 3);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    return result;
}
