/* The field over many roofs, quickly: the integral of kernel/wave/roof_chain.h over all openings above the edges, in
   single precision and with no more nodes at an edge than 0.1 dB needs. See there for the integral, and for which edges
   count and how far. The same edges from the other end give the same field. */
#ifndef RCITY_KERNEL_TILES_ROOFS_ROOF_SCREENS_H
#define RCITY_KERNEL_TILES_ROOFS_ROOF_SCREENS_H

#include "kernel/tiles/roofs/roof_nodes.h"

#define RCITY_ROOF_SCREEN_MAX  24 /* edges of an integral */
#define RCITY_ROOF_SCREEN_ROOM 72 /* edges to choose from */

/* The integrand ends where it has fallen to exp(-6) of its peak. */
#define RCITY_ROOF_SCREEN_DEPTH 6.0f

/* Nodes of neighbouring edges that are farther apart in height than this have nothing to do with each other: exp(-a^2)
   is below 4e-5. */
#define RCITY_ROOF_SCREEN_APART 3.2f

#define RCITY_ROOF_ROOT_LOG2_E 1.20112241f /* exp(-a^2) = 2^(-(a this)^2) */

/* Source, edges and target, unrolled along the path: distances grow, heights are such that slopes from one to the next
   are elevations in radians. Between its turns the path is straight. */
typedef struct rcity_roof_screens {
    rcity_i32 count; /* of edges */
    float wavenumber_per_m;
    float widening; /* of the field by sharp turns: product of theta / (2 sin(theta / 2)) */
    float x_m[RCITY_ROOF_SCREEN_ROOM + 2];
    float path_m[RCITY_ROOF_SCREEN_ROOM + 2];  /* height of the path */
    float below_m[RCITY_ROOF_SCREEN_ROOM + 2]; /* how far it passes above an edge; 0 where it turns and at the ends */
    float share[RCITY_ROOF_SCREEN_ROOM + 2];   /* with which an edge counts, above 0 to 1 */
} rcity_roof_screens;

/* The field on the nodes of one edge, weights included. An edge that counts in part has nodes below it as well. */
typedef struct rcity_roof_sheet {
    rcity_i32 count;
    rcity_i32 upper_count;            /* those above the edge, which come first, from the lowest up */
    float a[2 * RCITY_ROOF_NODE_MAX]; /* height above the edge in its own unit */
    float re[2 * RCITY_ROOF_NODE_MAX];
    float im[2 * RCITY_ROOF_NODE_MAX];
} rcity_roof_sheet;

/* What the integral needs of an edge. With a the height above the edge in its own unit, the integrand is exp(-a^2 - 2
   sqrt(j) p a), and exp(2 a a' sqrt(after before')) couples it to the next edge. */
typedef struct rcity_roof_screen {
    float p;             /* of the turn from the place before over the edge to the next one */
    float path_p;        /* of the path's own turn; 0 where it passes above the edge */
    float above;         /* height of the path over the edge, in the edge's unit */
    float before, after; /* shares of a^2 for the leg before and the leg after; their sum is 1 */
    float variance;      /* of a, without all other edges */
    float gain;          /* its factor of the field */
} rcity_roof_screen;

RCITY_KERNEL rcity_roof_screen rcity_roof_screen_make(const rcity_roof_screens *screens, rcity_i32 i)
{
    rcity_roof_screen screen;
    float length_m = screens->x_m[screens->count + 1];
    float before_m = screens->x_m[i] - screens->x_m[i - 1];
    float after_m = screens->x_m[i + 1] - screens->x_m[i];
    float path_turn = (screens->path_m[i] - screens->path_m[i - 1]) / before_m -
                      (screens->path_m[i + 1] - screens->path_m[i]) / after_m;
    float turn = path_turn - (screens->below_m[i] - screens->below_m[i - 1]) / before_m +
                 (screens->below_m[i + 1] - screens->below_m[i]) / after_m;
    float local_m = before_m * after_m / (before_m + after_m);
    float zone_m = screens->x_m[i] * (length_m - screens->x_m[i]) / length_m;
    float unit_per_m = rcity_sqrt(0.5f * screens->wavenumber_per_m / local_m);
    screen.p = unit_per_m * local_m * turn;
    screen.path_p = screens->below_m[i] > 0.0f ? 0.0f : unit_per_m * local_m * rcity_fmax(path_turn, 0.0f);
    screen.above = unit_per_m * screens->below_m[i];
    screen.before = after_m / (before_m + after_m);
    screen.after = before_m / (before_m + after_m);
    screen.variance = zone_m / local_m;
    screen.gain = rcity_sqrt((i == 1 ? length_m / before_m : 1.0f) * screen.after / RCITY_PI);
    return screen;
}

/* Where exp(-a^2 / variance - sqrt(2) p a) has fallen to the depth; p 0 or more. No nearly equal numbers are
   subtracted. */
RCITY_KERNEL float rcity_roof_screen_reach(float variance, float p)
{
    float slope = 1.41421356f * p;
    return 2.0f * RCITY_ROOF_SCREEN_DEPTH /
           (slope + rcity_sqrt(slope * slope + 4.0f * RCITY_ROOF_SCREEN_DEPTH / variance));
}

/* Adds nodes from the edge to `reach`, which is negative below it. */
RCITY_KERNEL_WITHIN void rcity_roof_sheet_add(rcity_roof_sheet *sheet, float reach, float size, float p)
{
    float width = reach < 0.0f ? -reach : reach;
    rcity_i32 rule = rcity_roof_rule_choose(width);
    rcity_i32 first = rcity_roof_rule_first(rule);
    rcity_i32 count = rcity_roof_rule_count(rule);
    rcity_i32 to = sheet->count;
    for (rcity_i32 i = 0; i < count; i++) {
        float a = reach * rcity_roof_rule_place[first + i];
        float slope = -1.41421356f * p * a;
        float weight = size * width * rcity_roof_rule_weight[first + i] * rcity_roof_power_of_2(1.44269504f * slope);
        sheet->a[to + i] = a;
        sheet->re[to + i] = weight * rcity_roof_sin(slope + 0.5f * RCITY_PI);
        sheet->im[to + i] = weight * rcity_roof_sin(slope);
    }
    sheet->count = to + count;
}

/* Nodes as far up as the waves along the path need them, whatever edges stand beside this one; below an edge that
   counts in part, by the share with which it does not count. */
RCITY_KERNEL_WITHIN void rcity_roof_sheet_begin(rcity_roof_sheet *sheet, rcity_roof_screen screen, float share)
{
    float reach = screen.above + rcity_roof_screen_reach(screen.variance, screen.path_p);
    sheet->count = 0;
    rcity_roof_sheet_add(sheet, reach, screen.gain, screen.p);
    sheet->upper_count = sheet->count;
    if (share < 1.0f) {
        float below = rcity_roof_screen_reach(screen.variance, rcity_fmax(-screen.p, 0.0f));
        rcity_roof_sheet_add(sheet, -below, (1.0f - share) * screen.gain, screen.p);
    }
}

/* Multiplies the nodes of an edge by the field of the one node of weight 1 that an end is. */
RCITY_KERNEL_WITHIN void rcity_roof_sheet_meet_end(rcity_roof_sheet *sheet, float scale)
{
    for (rcity_i32 i = 0; i < sheet->count; i++) {
        float height = RCITY_ROOF_ROOT_LOG2_E * scale * sheet->a[i];
        float weight = rcity_roof_power_of_2(-height * height);
        sheet->re[i] *= weight;
        sheet->im[i] *= weight;
    }
}

/* Multiplies the nodes of an edge by the field that comes from those of the edge before: a Gaussian of the difference
   in height. */
RCITY_KERNEL_WITHIN void rcity_roof_sheet_gather(const rcity_roof_sheet *from, float stretch, float scale,
                                                 rcity_roof_sheet *to)
{
    float re[2 * RCITY_ROOF_NODE_MAX];
    float im[2 * RCITY_ROOF_NODE_MAX];
    rcity_i32 count = to->count;
    for (rcity_i32 i = 0; i < count; i++) {
        re[i] = 0.0f;
        im[i] = 0.0f;
    }
    rcity_i32 begin = 0; /* nodes near the one that comes next, in groups of 4 */
    rcity_i32 end = 0;
    float steep = RCITY_ROOF_ROOT_LOG2_E * scale;
    for (rcity_i32 j = 0; j < from->count; j++) {
        float below = stretch * from->a[j];
        float from_re = from->re[j];
        float from_im = from->im[j];
        if (to->count > to->upper_count || j >= from->upper_count) {
            begin = 0;
            end = count;
        } else {
            while (begin < count && scale * to->a[begin + 3] < below - RCITY_ROOF_SCREEN_APART) {
                begin += 4;
            }
            while (end < count && scale * to->a[end] < below + RCITY_ROOF_SCREEN_APART) {
                end += 4;
            }
        }
        below *= RCITY_ROOF_ROOT_LOG2_E;
        for (rcity_i32 i = begin; i < end; i++) {
            float apart = steep * to->a[i] - below;
            float weight = rcity_roof_power_of_2(-apart * apart);
            re[i] += weight * from_re;
            im[i] += weight * from_im;
        }
    }
    for (rcity_i32 i = 0; i < count; i++) {
        float own_re = to->re[i];
        to->re[i] = own_re * re[i] - to->im[i] * im[i];
        to->im[i] = own_re * im[i] + to->im[i] * re[i];
    }
}

/* The square of the field behind all edges, over that of a wave that has travelled the length of the path; 1 without
   edges. */
RCITY_KERNEL_WITHIN float rcity_roof_screens_power(const rcity_roof_screens *screens)
{
    rcity_roof_sheet sheets[2];
    float stretch = 0.0f;
    for (rcity_i32 i = 1; i <= screens->count; i++) {
        rcity_roof_screen screen = rcity_roof_screen_make(screens, i);
        rcity_roof_sheet *to = &sheets[i % 2];
        float scale = rcity_sqrt(screen.before);
        rcity_roof_sheet_begin(to, screen, screens->share[i]);
        if (i == 1) {
            rcity_roof_sheet_meet_end(to, scale);
        } else {
            rcity_roof_sheet_gather(&sheets[1 - i % 2], stretch, scale, to);
        }
        stretch = rcity_sqrt(screen.after);
    }
    if (screens->count == 0) {
        return 1.0f;
    }
    rcity_roof_sheet *last = &sheets[screens->count % 2];
    rcity_roof_sheet_meet_end(last, stretch);
    float re = 0.0f;
    float im = 0.0f;
    for (rcity_i32 i = 0; i < last->count; i++) {
        re += last->re[i];
        im += last->im[i];
    }
    return screens->widening * screens->widening * (re * re + im * im);
}

#endif
