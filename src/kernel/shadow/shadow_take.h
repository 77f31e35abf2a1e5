/* The paths to a receiver, each weighed as it is added: the straight line, over roofs, around corners. */
#ifndef RCITY_KERNEL_SHADOW_SHADOW_TAKE_H
#define RCITY_KERNEL_SHADOW_SHADOW_TAKE_H

#include "kernel/shadow/corners/corner_path.h"
#include "kernel/shadow/shadow_tally.h"
#include "kernel/shadow/shadow_turns.h"
#include "kernel/visibility/walls/wall_path.h"

/* The state of a receiver relative to the source, whatever lies between them. */
typedef enum rcity_shadow_state {
    RCITY_SHADOW_HIDDEN,  /* outdoors, without line of sight */
    RCITY_SHADOW_VISIBLE, /* line of sight */
    RCITY_SHADOW_INDOORS, /* inside a building */
} rcity_shadow_state;

/* The straight line to a receiver as it leaves the source. */
typedef struct rcity_shadow_line {
    float dx, dy; /* in plan, of length 1 */
    float slope;  /* rise over run */
} rcity_shadow_line;

/* From the differences of position in metres. A receiver straight above or below has no direction in plan; the slope is
   then as steep as it can be. */
RCITY_KERNEL rcity_shadow_line rcity_shadow_line_make(float dx_m, float dy_m, float rise_m)
{
    float plan_m = rcity_sqrt(dx_m * dx_m + dy_m * dy_m);
    rcity_shadow_line line;
    if (plan_m < 1e-3f) {
        line.dx = 0.0f;
        line.dy = 0.0f;
        line.slope = rise_m < 0.0f ? -1.0f : 1.0f;
    } else {
        line.dx = dx_m / plan_m;
        line.dy = dy_m / plan_m;
        line.slope = rise_m / plan_m;
    }
    return line;
}

/* No receiver counts as nearer to the source than this, even at the same position. */
#define RCITY_SHADOW_LENGTH_MIN_M 1e-2f

/* log10 of its length. */
RCITY_KERNEL float rcity_shadow_line_log_length(float dx_m, float dy_m, float rise_m)
{
    float square_m2 = dx_m * dx_m + dy_m * dy_m + rise_m * rise_m;
    return 0.5f * rcity_log10(rcity_fmax(square_m2, RCITY_SHADOW_LENGTH_MIN_M * RCITY_SHADOW_LENGTH_MIN_M));
}

/* Metres of the straight line below the top of the clutter, which is rise_m above the receiver. */
RCITY_KERNEL float rcity_shadow_clutter_m(rcity_shadow_line line, float log_length, float rise_m)
{
    if (!(rise_m > 0.0f)) {
        return 0.0f;
    }
    float length_m = rcity_exp(2.30258509f * log_length);
    if (line.slope >= 0.0f) {
        return length_m; /* the source is no higher than the receiver */
    }
    int is_upright = line.dx == 0.0f && line.dy == 0.0f; /* then its slope is not used */
    float cosecant = is_upright ? 1.0f : rcity_sqrt(1.0f + line.slope * line.slope) / -line.slope;
    return rcity_fmin(length_m, rise_m * cosecant);
}

/* Adds the clutter loss to a receiver's level. It is the same for all its paths, so the strongest stays the
   strongest. */
RCITY_KERNEL void rcity_shadow_add_clutter(const rcity_shadow_weights *weights, rcity_shadow_line line,
                                           float log_length, float receiver_height_m, rcity_shadow_level *level)
{
    const rcity_shadow_law *law = &weights->law;
    if (law->clutter_metre_db > 0.0f) {
        float metres = rcity_shadow_clutter_m(line, log_length, law->clutter_height_m - receiver_height_m);
        float clutter_db = rcity_shadow_clutter_db(law, metres);
        level->loss_db += clutter_db;
        level->received_dbm -= clutter_db;
    }
}

/* The straight line: free, or through walls; parts that do not apply are 0. A line that enters a building through its
   roof passes it like a wall. */
RCITY_KERNEL void rcity_shadow_take_line(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                         rcity_shadow_line line, float log_length, rcity_shadow_state state,
                                         rcity_wall_path wall, rcity_shadow_tally *tally)
{
    const rcity_shadow_law *law = &weights->law;
    rcity_vec3 direction = rcity_shadow_direction(line.dx, line.dy, line.slope);
    float loss_db = rcity_shadow_free_db(law, log_length) + rcity_shadow_foliage_db(law, wall.foliage_m);
    rcity_i32 wall_count = state == RCITY_SHADOW_INDOORS && wall.count == 0 ? 1 : wall.count;
    if (state == RCITY_SHADOW_VISIBLE) {
        rcity_shadow_tally_take(weights, pattern, direction, loss_db + law->direct_db, RCITY_SHADOW_PATH_DIRECT, 0,
                                tally);
    } else if (wall_count > 0) {
        loss_db += rcity_shadow_walls_db(law, (float)wall_count, wall.building_m);
        rcity_shadow_tally_take(weights, pattern, direction, loss_db, RCITY_SHADOW_PATH_WALLS, 0, tally);
    }
}

/* The over-roof path, if there is one; `log_length` is log10 of its length. */
RCITY_KERNEL void rcity_shadow_take_roof(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                         rcity_shadow_line line, rcity_shadow_roof roof, float log_length,
                                         rcity_shadow_tally *tally)
{
    const rcity_shadow_law *law = &weights->law;
    if (!(roof.turns.length_m > 0.0f)) {
        return;
    }
    float turns_db =
        rcity_shadow_turns_db(law->roof, law->log_wavenumber, (float)roof.turns.count, roof.turns.log_distance_sum,
                              roof.turns.angle_sum_rad, roof.turns.angle_square_sum_rad2);
    float loss_db = rcity_shadow_free_db(law, log_length) + turns_db;
    if (rcity_shadow_tally_is_beaten(weights, loss_db, tally)) {
        return; /* before any angle is computed */
    }
    rcity_vec3 direction = rcity_shadow_direction_at(weights, line.dx, line.dy, roof.elevation_rad);
    rcity_shadow_tally_take(weights, pattern, direction, loss_db, RCITY_SHADOW_PATH_ROOF, roof.turns.count, tally);
}

/* Around corners: the sums over the turns before the last one, the azimuth of departure, and the last turn. */
RCITY_KERNEL void rcity_shadow_take_corner(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                           rcity_shadow_turns before, float azimuth_dx, float azimuth_dy,
                                           rcity_corner_path last, rcity_shadow_tally *tally)
{
    const rcity_shadow_law *law = &weights->law;
    float turns_db = rcity_shadow_turns_db(
        law->corner, law->log_wavenumber, (float)(before.count + 1), before.log_distance_sum + last.log_distance,
        before.angle_sum_rad + last.angle_rad, before.angle_square_sum_rad2 + last.angle_rad * last.angle_rad);
    rcity_shadow_tally_take(weights, pattern, rcity_shadow_direction(azimuth_dx, azimuth_dy, last.slope),
                            rcity_shadow_free_db(law, last.log_length) + turns_db, RCITY_SHADOW_PATH_CORNER,
                            before.count + 1, tally);
}

#endif
