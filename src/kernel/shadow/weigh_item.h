/* Weighs one pixel on the device where its paths were traced. 32 neighbouring work items do the 32 pixels of a word:
   they read the same list, entry by entry. */
#ifndef RCITY_KERNEL_SHADOW_WEIGH_ITEM_H
#define RCITY_KERNEL_SHADOW_WEIGH_ITEM_H

#include "kernel/shadow/corners/corner_lists.h"
#include "kernel/shadow/shadow_take.h"

/* Bands of the result, one after the other. */
#define RCITY_WEIGH_BAND_LOSS      0
#define RCITY_WEIGH_BAND_RECEIVED  1
#define RCITY_WEIGH_BAND_MECHANISM 2
#define RCITY_WEIGH_BAND_TURNS     3
#define RCITY_WEIGH_BAND_COUNT     4

typedef struct rcity_weigh_job {
    rcity_shadow_weights weights;
    rcity_i32 source_x, source_y, source_z;
    rcity_i32 level; /* of pixels without heights of their own */
    rcity_i32 column_count, row_count;
    rcity_i32 row_words;    /* 32 pixels each */
    rcity_i32 height_first; /* index of the pixels' heights; 0: they have none */
    rcity_i32 has_roofs, has_walls, has_counts, has_metres, reaches_indoor; /* 1 or 0 */
    rcity_i32 source_index;                                                 /* among those traced together */
    float unit_m, height_units_per_m;
    rcity_surroundings_lattice lattice;
} rcity_weigh_job;

/* What was traced. Made where it is used, never a kernel argument. */
typedef struct rcity_weigh_view {
    RCITY_GLOBAL const rcity_i32 *places; /* x of columns, y of rows, then heights */
    RCITY_GLOBAL const rcity_u32 *indoors;
    RCITY_GLOBAL const rcity_u32 *visible;
    RCITY_GLOBAL const rcity_corner_list *lists;
    RCITY_GLOBAL const rcity_corner_list_entry *entries;
    RCITY_GLOBAL const rcity_corner_chain *chains;
    RCITY_GLOBAL const rcity_shadow_roof *roofs;
    RCITY_GLOBAL const rcity_wall_path *walls; /* with metres */
    RCITY_GLOBAL const rcity_i32 *wall_counts; /* or without */
    RCITY_GLOBAL const float *pattern;
    RCITY_GLOBAL const rcity_surroundings_node *nodes; /* of the lattice, if there is one */
    RCITY_GLOBAL const rcity_surroundings_line *lines; /* to them */
} rcity_weigh_view;

/* From the traced data of all sources to those of the job's source. Lists hold the indices of their entries, and
   entries those of their chains. */
RCITY_KERNEL void rcity_weigh_view_choose(const rcity_weigh_job *job, rcity_weigh_view *view)
{
    rcity_i64 first_word = (rcity_i64)job->source_index * job->row_words * job->row_count;
    rcity_i64 first_pixel = (rcity_i64)job->source_index * job->column_count * job->row_count;
    view->visible += first_word;
    view->lists += first_word;
    view->roofs += job->has_roofs ? first_pixel : 0;
    view->walls += job->has_walls ? first_pixel : 0;
    view->wall_counts += job->has_counts ? first_pixel : 0;
    view->lines += (rcity_i64)job->source_index * job->lattice.column_count * job->lattice.row_count;
}

RCITY_KERNEL void rcity_weigh_corners(const rcity_weigh_job *job, const rcity_weigh_view *view, rcity_i32 word,
                                      rcity_u32 bit, rcity_i32 x, rcity_i32 y, const rcity_shadow_receiver *receiver,
                                      rcity_shadow_tally *tally)
{
    rcity_corner_list list = view->lists[word];
    for (rcity_u32 i = 0; i < list.count; i++) {
        rcity_corner_list_entry entry = view->entries[list.first + i];
        if (entry.bits & bit) {
            rcity_corner_chain from = view->chains[entry.chain];
            float dx = (float)(x - from.x) * job->unit_m;
            float dy = (float)(y - from.y) * job->unit_m;
            rcity_corner_path last = rcity_corner_path_make(&from.leg, dx, dy, receiver->rise_m);
            rcity_shadow_chain chain;
            chain.before = from.turns;
            chain.grazing_root_m = from.grazing_root_m;
            chain.azimuth_dx = from.azimuth_dx;
            chain.azimuth_dy = from.azimuth_dy;
            rcity_shadow_take_corner(&job->weights, view->pattern, receiver, &chain, &last, tally);
        }
    }
}

/* A pixel relative to the source, in its surroundings. */
RCITY_KERNEL rcity_shadow_receiver rcity_weigh_receiver(const rcity_weigh_job *job, const rcity_weigh_view *view,
                                                        rcity_i32 x, rcity_i32 y, rcity_i32 z, rcity_shadow_state state)
{
    float dx_m = (float)(x - job->source_x) * job->unit_m;
    float dy_m = (float)(y - job->source_y) * job->unit_m;
    float rise_m = (float)(z - job->source_z) / job->height_units_per_m;
    rcity_surroundings_node here = {0.0f, 0.0f};
    rcity_surroundings_line under = {0.0f, RCITY_SURROUNDINGS_NO_HILL, 0.0f};
    if (job->lattice.column_count > 0) {
        rcity_surroundings_place place = rcity_surroundings_locate(&job->lattice, x, y);
        here = rcity_surroundings_node_at(&job->lattice, view->nodes, place);
        under = rcity_surroundings_line_at(&job->lattice, view->lines, place);
    }
    rcity_shadow_receiver receiver = rcity_shadow_receiver_make(
        &job->weights, rcity_shadow_line_make(dx_m, dy_m, rise_m), rcity_shadow_line_log_length(dx_m, dy_m, rise_m),
        state, job->weights.receiver_height_m, here, under.built_m, under.hill_root_m, under.hill_slope);
    rcity_shadow_receiver_complete(&job->weights, &receiver);
    return receiver;
}

/* What the straight line to a pixel passes through. */
RCITY_KERNEL rcity_wall_path rcity_weigh_wall(const rcity_weigh_job *job, const rcity_weigh_view *view, rcity_i64 pixel)
{
    rcity_wall_path wall;
    wall.count = 0;
    wall.building_m = 0.0f;
    wall.foliage_m = 0.0f;
    if (job->has_counts) {
        wall.count = view->wall_counts[pixel];
    } else if (job->has_walls) {
        wall = view->walls[pixel];
        wall.building_m = job->has_metres ? wall.building_m : 0.0f;
        wall.foliage_m = job->has_metres ? wall.foliage_m : 0.0f;
    }
    return wall;
}

/* `item` numbers the pixels of whole words, also those beyond the last column. */
RCITY_KERNEL void rcity_weigh_item(const rcity_weigh_job *job, const rcity_weigh_view *view, rcity_i64 item,
                                   RCITY_GLOBAL float *bands)
{
    rcity_i32 word = (rcity_i32)(item >> 5);
    rcity_i32 row = word / job->row_words;
    rcity_i32 column = word % job->row_words * 32 + (rcity_i32)(item & 31);
    if (column >= job->column_count) {
        return;
    }
    rcity_i64 pixel = (rcity_i64)row * job->column_count + column;
    rcity_u32 bit = 1u << (item & 31);
    int is_indoors = (view->indoors[word] & bit) != 0;
    int is_visible = !is_indoors && (view->visible[word] & bit) != 0;
    rcity_i32 x = view->places[column];
    rcity_i32 y = view->places[job->column_count + row];
    rcity_i32 z = job->height_first > 0 ? view->places[job->height_first + pixel] : job->level;
    rcity_shadow_receiver receiver = rcity_weigh_receiver(job, view, x, y, z,
                                                          is_indoors   ? RCITY_SHADOW_INDOORS
                                                          : is_visible ? RCITY_SHADOW_VISIBLE
                                                                       : RCITY_SHADOW_HIDDEN);
    rcity_shadow_tally tally;
    rcity_shadow_tally_begin(&tally);
    rcity_shadow_nearest nearest = rcity_shadow_nearest_make(0, 0.0f, 0.0f, RCITY_SHADOW_CLEAR_ROOT_M);
    if (!is_indoors && job->has_roofs) {
        rcity_shadow_roof roof = view->roofs[pixel];
        nearest = rcity_shadow_nearest_make(is_visible, roof.grazing_root_m, roof.pair_m,
                                            rcity_shadow_roof_ground_root(roof.turns.length_m, roof.ground_root_m));
    }
    if (!is_indoors || job->reaches_indoor) {
        rcity_shadow_take_line(&job->weights, view->pattern, &receiver, rcity_weigh_wall(job, view, pixel), nearest,
                               &tally);
    }
    if (!is_visible && !is_indoors) {
        if (job->has_roofs) {
            rcity_shadow_roof roof = view->roofs[pixel];
            rcity_shadow_take_roof(&job->weights, view->pattern, &receiver, roof, rcity_log10(roof.turns.length_m),
                                   &tally);
        }
        rcity_weigh_corners(job, view, word, bit, x, y, &receiver, &tally);
    }
    rcity_shadow_level level =
        rcity_shadow_level_make(&job->weights, view->pattern, &receiver, nearest.street_root_m, &tally);
    int is_none = level.mechanism == RCITY_SHADOW_PATH_NONE;
    rcity_i64 pixel_count = (rcity_i64)job->column_count * job->row_count;
    bands[RCITY_WEIGH_BAND_LOSS * pixel_count + pixel] = level.loss_db;
    bands[RCITY_WEIGH_BAND_RECEIVED * pixel_count + pixel] = level.received_dbm;
    bands[RCITY_WEIGH_BAND_MECHANISM * pixel_count + pixel] = is_none ? RCITY_NAN : (float)level.mechanism;
    bands[RCITY_WEIGH_BAND_TURNS * pixel_count + pixel] = is_none ? RCITY_NAN : (float)level.turn_count;
}

#endif
