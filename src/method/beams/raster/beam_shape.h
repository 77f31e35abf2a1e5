/* A part of a beam as a polygon of three or four corners. Rows of a raster are cut to what may lie in it; each place there is
   tested by the beam's own edges, so that it lies in exactly one of two neighbouring parts. */
#ifndef RCITY_METHOD_BEAMS_RASTER_BEAM_SHAPE_H
#define RCITY_METHOD_BEAMS_RASTER_BEAM_SHAPE_H

#include <math.h>

#include "kernel/portable.h"
#include "method/beams/raster/beam_bins.h"

#define RCITY_BEAM_SHAPE_CORNERS 4
#define RCITY_BEAM_SHAPE_ROWS    64 /* looked at together */

/* A part, and what decides about a place in it. */
typedef struct rcity_beam_shape {
    const rcity_beam_frame *frame; /* of its beam */
    double right, left;
    rcity_beam_line base, end;                                       /* where the part begins and ends */
    double x[RCITY_BEAM_SHAPE_CORNERS], y[RCITY_BEAM_SHAPE_CORNERS]; /* counter-clockwise */
    double x_min, x_max, y_min, y_max;
} rcity_beam_shape;

/* Between which columns each row lies in a shape: the greatest of some lines and the least of others. */
typedef struct rcity_beam_sides {
    double low_at_0[RCITY_BEAM_SHAPE_CORNERS], low_slope[RCITY_BEAM_SHAPE_CORNERS]; /* column by y */
    double high_at_0[RCITY_BEAM_SHAPE_CORNERS], high_slope[RCITY_BEAM_SHAPE_CORNERS];
} rcity_beam_sides;

/* The first and the last column of some rows; none: the first is after the last. */
typedef struct rcity_beam_rows {
    double from[RCITY_BEAM_SHAPE_ROWS], to[RCITY_BEAM_SHAPE_ROWS];
} rcity_beam_rows;

/* How far a beam may matter to a raster. */
static inline double rcity_beams_grid_reach_m(const rcity_beams_grid *grid, const rcity_beams_node *node)
{
    double east_m = grid->west_m + (double)grid->column_count * grid->cell_m;
    double south_m = grid->north_m - (double)grid->row_count * grid->cell_m;
    double x = rcity_beam_greater(fabs(node->x - grid->west_m), fabs(node->x - east_m));
    double y = rcity_beam_greater(fabs(node->y - grid->north_m), fabs(node->y - south_m));
    return rcity_beam_lesser(rcity_beam_length_m(x, y), node->reach_m) + 1.0;
}

/* Where a part begins: at the beam's window, or where it is nearer to the source than any receiver may be, at a distance
   forward that is the least of any direction. Not where the line of its end would cross that. */
static inline rcity_beam_line rcity_beam_shape_begin(const rcity_beam_frame *frame, const rcity_beam_part *part,
                                                     double least_m, rcity_beam_line end)
{
    if (!(least_m > 2.0 * RCITY_BEAM_HEIGHTS_SLACK_M)) {
        return frame->base;
    }
    double from = fabs(frame->right + part->right / frame->scale);
    double to = fabs(frame->right + part->left / frame->scale);
    double aside = rcity_beam_greater(from, to);
    double nearness = sqrt(1.0 + aside * aside) / (least_m - RCITY_BEAM_HEIGHTS_SLACK_M);
    double end_nearness = rcity_beam_greater(rcity_beam_line_at(end, part->right), rcity_beam_line_at(end, part->left));
    bool is_later = nearness < rcity_beam_line_at(frame->base, part->right) &&
                    nearness < rcity_beam_line_at(frame->base, part->left) && nearness > end_nearness;
    return is_later ? (rcity_beam_line){nearness, 0.0} : frame->base;
}

/* Where a part ends: at a wall, or where nothing beyond matters, but not nearer than where its beam begins: its sides would
   cross. */
static inline rcity_beam_line rcity_beam_shape_end(const rcity_facet_table *facets, const rcity_beam_frame *frame,
                                                   const rcity_beam_part *part, double end_m)
{
    if (part->wall >= 0) {
        const rcity_mirror *wall = &facets->mirrors[part->wall];
        return rcity_beam_frame_plane(frame, wall->normal.x, wall->normal.y, wall->offset);
    }
    double begin =
        rcity_beam_lesser(rcity_beam_line_at(frame->base, part->right), rcity_beam_line_at(frame->base, part->left));
    return (rcity_beam_line){rcity_beam_lesser(1.0 / end_m, begin), 0.0};
}

/* Of a part of a node's beam. `end_m`: how far it reaches where nothing stops it. */
static inline void rcity_beam_shape_init(const rcity_facet_table *facets, const rcity_beams_node *node,
                                         const rcity_beam_frame *frame, const rcity_beam_part *part, double end_m,
                                         rcity_beam_shape *shape)
{
    shape->frame = frame;
    shape->right = part->right;
    shape->left = part->left;
    shape->end = rcity_beam_shape_end(facets, frame, part, end_m);
    shape->base = rcity_beam_shape_begin(frame, part, node->least_m, shape->end);
    const double across[RCITY_BEAM_SHAPE_CORNERS] = {part->right, part->right, part->left, part->left};
    shape->x_min = shape->y_min = HUGE_VAL;
    shape->x_max = shape->y_max = -HUGE_VAL;
    for (int i = 0; i < RCITY_BEAM_SHAPE_CORNERS; i++) {
        bool is_near = i == 0 || i == 3;
        double nearness = rcity_beam_line_at(is_near ? shape->base : shape->end, across[i]);
        rcity_beam_frame_place(frame, across[i], nearness, &shape->x[i], &shape->y[i]);
        shape->x_min = rcity_beam_lesser(shape->x_min, shape->x[i]);
        shape->x_max = rcity_beam_greater(shape->x_max, shape->x[i]);
        shape->y_min = rcity_beam_lesser(shape->y_min, shape->y[i]);
        shape->y_max = rcity_beam_greater(shape->y_max, shape->y[i]);
    }
}

/* The rows of a raster whose places, `dx` and `dy` beside the centres of cells, may lie in a shape or within a rim around it.
   @return false for none. */
static inline bool rcity_beam_shape_rows(const rcity_beam_shape *shape, const rcity_beams_grid *grid, double dx,
                                         double dy, double rim_m, int64_t *first, int64_t *last)
{
    double west_m = grid->west_m + 0.5 * grid->cell_m + dx; /* of the first column's places, and so on */
    double north_m = grid->north_m - 0.5 * grid->cell_m + dy;
    double per_m = 1.0 / grid->cell_m;
    double from = ceil((north_m - shape->y_max - rim_m) * per_m);
    double to = floor((north_m - shape->y_min + rim_m) * per_m);
    *first = from < 0.0 ? 0 : (int64_t)rcity_beam_lesser(from, (double)grid->row_count);
    *last = to >= (double)grid->row_count ? grid->row_count - 1 : (int64_t)rcity_beam_greater(to, -1.0);
    return *first <= *last && shape->x_max >= west_m - rim_m &&
           shape->x_min <= west_m + (double)(grid->column_count - 1) * grid->cell_m + rim_m;
}

/* The lines that cut rows to the shape, as columns whose first has its places at `west_m`. */
static inline void rcity_beam_sides_init(const rcity_beam_shape *shape, double west_m, double cell_m,
                                         rcity_beam_sides *sides)
{
    const double rim_m = 1e-6;   /* more than rounding moves a border */
    const double level_m = 4e-6; /* a side that rises less cuts no row */
    const double no_limit = 1e300;
    double per_m = 1.0 / cell_m;
    for (int i = 0; i < RCITY_BEAM_SHAPE_CORNERS; i++) {
        int next = (i + 1) % RCITY_BEAM_SHAPE_CORNERS;
        double rise = shape->y[next] - shape->y[i];
        bool is_level = fabs(rise) <= level_m;
        double slope = is_level ? 0.0 : (shape->x[next] - shape->x[i]) / rise;
        double at_0 = (shape->x[i] - slope * shape->y[i] - west_m) * per_m;
        double reach = (fabs(slope) + 2.0) * rim_m * per_m;
        bool is_low = !is_level && rise < 0.0; /* the shape is to the left of a side that is gone along */
        bool is_high = !is_level && rise > 0.0;
        sides->low_at_0[i] = is_low ? at_0 - reach : -no_limit;
        sides->low_slope[i] = is_low ? slope * per_m : 0.0;
        sides->high_at_0[i] = is_high ? at_0 + reach : no_limit;
        sides->high_slope[i] = is_high ? slope * per_m : 0.0;
    }
}

/* The columns of `count` rows, the first with its places at `y`, the next ones `step_m` farther south. */
RCITY_KERNEL_WITHIN void rcity_beam_sides_cut(const rcity_beam_sides *sides, double y, double step_m,
                                              double last_column, int count, rcity_beam_rows *rows)
{
    for (int i = 0; i < count; i++) {
        double at = y - step_m * i;
        double low = 0.0;
        double high = last_column;
        for (int k = 0; k < RCITY_BEAM_SHAPE_CORNERS; k++) {
            double low_side = sides->low_at_0[k] + sides->low_slope[k] * at;
            double high_side = sides->high_at_0[k] + sides->high_slope[k] * at;
            low = low_side > low ? low_side : low;
            high = high_side < high ? high_side : high;
        }
        rows->from[i] = ceil(low);
        rows->to[i] = floor(high);
    }
}

/* Does the shape hold a place? */
static inline bool rcity_beam_shape_holds(const rcity_beam_shape *shape, double x, double y)
{
    rcity_beam_offset at = rcity_beam_frame_offset(shape->frame, x, y);
    if (at.forward <= 0.0) {
        return false;
    }
    rcity_beam_view view = rcity_beam_frame_view(shape->frame, at);
    return view.across >= shape->right && view.across < shape->left &&
           view.nearness < rcity_beam_line_at(shape->base, view.across) &&
           view.nearness > rcity_beam_line_at(shape->end, view.across);
}

#endif
