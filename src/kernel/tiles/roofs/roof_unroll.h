/* The screens of a path over roofs: its turns and the edges just below it, unrolled along the path, so that lengths and
   turns are the true ones. */
#ifndef RCITY_KERNEL_TILES_ROOFS_ROOF_UNROLL_H
#define RCITY_KERNEL_TILES_ROOFS_ROOF_UNROLL_H

#include "kernel/tiles/roofs/roof_near.h"
#include "kernel/tiles/roofs/roof_screens.h"

/* Edges nearer to each other than this part of their Fresnel zone's length are moved apart to it: an error of 0.3 dB at
   most. */
#define RCITY_ROOF_UNROLL_APART   0.01f
#define RCITY_ROOF_UNROLL_LEG_M   1e-3f /* the shortest leg */
#define RCITY_ROOF_UNROLL_BELOW_M 1e-6f /* by which an edge that the path does not turn at is below it at least */

RCITY_KERNEL void rcity_roof_near_move(rcity_roof_near *near, rcity_i32 from, rcity_i32 to)
{
    near->place[to] = near->place[from];
    near->height[to] = near->height[from];
    near->sides[to] = near->sides[from];
    near->p[to] = near->p[from];
    near->share[to] = near->share[from];
}

RCITY_KERNEL void rcity_roof_near_remove(rcity_roof_near *near, rcity_i32 index)
{
    near->count--;
    for (rcity_i32 i = index; i < near->count; i++) {
        rcity_roof_near_move(near, i + 1, i);
    }
}

/* Puts the edges in order, without those where two roofs touch, and without the lower of two that are close. */
RCITY_KERNEL void rcity_roof_near_order(rcity_roof_near *near, rcity_roof_measure measure)
{
    rcity_i32 kept = 0;
    for (rcity_i32 i = 0; i < near->count; i++) {
        rcity_i32 place = near->place[i];
        rcity_i32 height = near->height[i];
        float p = near->p[i];
        float share = near->share[i];
        rcity_i32 at = kept;
        if (near->sides[i] == (RCITY_ROOF_NEAR_BEFORE | RCITY_ROOF_NEAR_BEHIND)) {
            continue;
        }
        for (; at > 0 && near->place[at - 1] > place; at--) {
            rcity_roof_near_move(near, at - 1, at);
        }
        near->place[at] = place;
        near->height[at] = height;
        near->p[at] = p;
        near->share[at] = share;
        kept++;
    }
    near->count = kept;
    for (rcity_i32 i = 1; i < near->count;) {
        int is_close = (float)(near->place[i] - near->place[i - 1]) * measure.place_m < RCITY_ROOF_TRAIL_JOIN_M;
        if (is_close) {
            rcity_roof_near_remove(near, near->height[i] > near->height[i - 1] ? i - 1 : i);
        }
        i += !is_close;
    }
}

/* Leaves no more turns than there are screens: those go that rise least above the line between their neighbours. */
RCITY_KERNEL void rcity_roof_trail_limit(rcity_roof_trail *trail)
{
    while (trail->count - 2 > RCITY_ROOF_SCREEN_MAX) {
        rcity_i32 least = 1;
        float least_reach = 0.0f;
        for (rcity_i32 i = 1; i + 1 < trail->count; i++) {
            float before_m = trail->at_m[i] - trail->at_m[i - 1];
            float after_m = trail->at_m[i + 1] - trail->at_m[i];
            float rise_m =
                trail->z_m[i] - (trail->z_m[i - 1] * after_m + trail->z_m[i + 1] * before_m) / (before_m + after_m);
            float reach = rise_m * rise_m * (before_m + after_m) / (before_m * after_m);
            if (i == 1 || reach < least_reach) {
                least = i;
                least_reach = reach;
            }
        }
        trail->count--;
        for (rcity_i32 i = least; i < trail->count; i++) {
            trail->at_m[i] = trail->at_m[i + 1];
            trail->z_m[i] = trail->z_m[i + 1];
            trail->along_m[i] = trail->along_m[i + 1];
        }
    }
}

RCITY_KERNEL void rcity_roof_screens_remove(rcity_roof_screens *screens, rcity_i32 index)
{
    screens->count--;
    for (rcity_i32 i = index; i < screens->count + 2; i++) {
        screens->x_m[i] = screens->x_m[i + 1];
        screens->path_m[i] = screens->path_m[i + 1];
        screens->below_m[i] = screens->below_m[i + 1];
        screens->share[i] = screens->share[i + 1];
    }
}

/* How far an edge rises above the line between its neighbours, as its clearance p, or less where it is right beside a
   higher one, which leaves it no effect of its own. More than any for a turn of the path, which always counts. */
RCITY_KERNEL float rcity_roof_screens_rise(const rcity_roof_screens *screens, rcity_i32 i)
{
    if (!(screens->below_m[i] > 0.0f)) {
        return 1e9f;
    }
    rcity_roof_screen screen = rcity_roof_screen_make(screens, i);
    float wide = screen.p * rcity_sqrt(screen.variance) * (RCITY_ROOF_NEAR_NONE / RCITY_ROOF_NEAR_WIDE_NONE);
    return rcity_fmin(screen.p, wide);
}

/* Removes edges below the path, the lowest beside its neighbours first, until all count and there are no more than the
   integral has room for; the others get their weights. */
RCITY_KERNEL void rcity_roof_screens_thin(rcity_roof_screens *screens)
{
    float rise[RCITY_ROOF_SCREEN_ROOM + 2];
    for (rcity_i32 i = 1; i <= screens->count; i++) {
        rise[i] = rcity_roof_screens_rise(screens, i);
    }
    while (screens->count > 0) {
        rcity_i32 least = 1;
        for (rcity_i32 i = 2; i <= screens->count; i++) {
            least = rise[i] < rise[least] ? i : least;
        }
        if (rise[least] > RCITY_ROOF_NEAR_NONE && screens->count <= RCITY_ROOF_SCREEN_MAX) {
            break;
        }
        rcity_roof_screens_remove(screens, least);
        for (rcity_i32 i = least; i <= screens->count; i++) {
            rise[i] = rise[i + 1];
        }
        for (rcity_i32 i = least - 1; i <= least; i++) {
            if (i > 0 && i <= screens->count) {
                rise[i] = rcity_roof_screens_rise(screens, i);
            }
        }
    }
    for (rcity_i32 i = 1; i <= screens->count; i++) {
        screens->share[i] *= rcity_roof_near_fade(rise[i], RCITY_ROOF_NEAR_NONE, RCITY_ROOF_NEAR_FULL);
    }
}

/* Adds the next place: how far it is along the path and how far below it, and the slope of the path to it. */
RCITY_KERNEL void rcity_roof_unroll_place(rcity_roof_screens *screens, float gap_m, float slope, float below_m,
                                          float share)
{
    rcity_i32 i = screens->count++;
    screens->x_m[i] = i == 0 ? 0.0f : screens->x_m[i - 1] + gap_m;
    screens->path_m[i] = i == 0 ? 0.0f : screens->path_m[i - 1] + slope * gap_m;
    screens->below_m[i] = below_m;
    screens->share[i] = share;
}

/* The next leg that a place can have: not too short for its Fresnel zone, `along_m` from the source. */
RCITY_KERNEL float rcity_roof_unroll_gap_m(const rcity_roof_screens *screens, float along_m, float last_m,
                                           float whole_m)
{
    float least_m = screens->count > 1 ? along_m * (whole_m - along_m) / whole_m * RCITY_ROOF_UNROLL_APART : 0.0f;
    return rcity_fmax(along_m - last_m, rcity_fmax(least_m, RCITY_ROOF_UNROLL_LEG_M));
}

/* The screens of a path: changes the trail and the edges below it where there are too many. */
RCITY_KERNEL void rcity_roof_unroll(rcity_roof_trail *trail, rcity_roof_near *near, rcity_roof_measure measure,
                                    rcity_i32 source_height, rcity_roof_screens *screens)
{
    float whole_m = trail->along_m[trail->count - 1];
    float last_m = 0.0f; /* along the path, of the place before */
    float slope = 0.0f;
    float elevation = 0.0f;
    rcity_i32 next = 0; /* of the edges below the path */
    rcity_roof_near_order(near, measure);
    rcity_roof_trail_limit(trail);
    screens->count = 0;
    screens->wavenumber_per_m = 2.0f * RCITY_PI / measure.wavelength_m;
    screens->widening = 1.0f;
    rcity_roof_unroll_place(screens, 0.0f, 0.0f, 0.0f, 1.0f);
    for (rcity_i32 leg = 1; leg < trail->count; leg++) {
        float run_m = trail->at_m[leg] - trail->at_m[leg - 1];
        float rise_m = trail->z_m[leg] - trail->z_m[leg - 1];
        float length_m = rcity_sqrt(run_m * run_m + rise_m * rise_m);
        float elevation_before = elevation;
        elevation = rcity_atan2(rise_m, run_m);
        if (leg > 1) {
            float turn = elevation_before - elevation;
            slope -= turn;
            screens->widening *= turn > 0.01f ? 0.5f * turn / rcity_roof_sin(0.5f * turn) : 1.0f;
        }
        for (; next < near->count; next++) {
            float part = ((float)near->place[next] * measure.place_m - trail->at_m[leg - 1]) / run_m;
            if (!(part < 1.0f)) {
                break;
            }
            float along_m = trail->along_m[leg - 1] + part * length_m;
            float z_m = (float)(near->height[next] - source_height) * measure.height_m;
            float below_m = (trail->z_m[leg - 1] + part * rise_m - z_m) * run_m / length_m;
            rcity_roof_unroll_place(screens, rcity_roof_unroll_gap_m(screens, along_m, last_m, whole_m), slope,
                                    rcity_fmax(below_m, RCITY_ROOF_UNROLL_BELOW_M), near->share[next]);
            last_m = along_m;
        }
        rcity_roof_unroll_place(screens, rcity_roof_unroll_gap_m(screens, trail->along_m[leg], last_m, whole_m), slope,
                                0.0f, 1.0f);
        last_m = trail->along_m[leg];
    }
    screens->count -= 2; /* without source and target */
    rcity_roof_screens_thin(screens);
}

#endif
