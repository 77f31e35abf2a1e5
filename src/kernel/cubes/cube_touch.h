/* All cubes that the straight line between the centres of two cubes passes through, in order (after J. Amanatides and
   A. Woo, A fast voxel traversal algorithm for ray tracing, Eurographics 1987), in whole numbers.

   A cube counts when the line meets its inside. Where the line goes exactly through an edge or a corner, the cubes that it
   only touches there do not count, and two or three coordinates change at once; so both ends give the same cubes. */
#ifndef RCITY_KERNEL_CUBES_CUBE_TOUCH_H
#define RCITY_KERNEL_CUBES_CUBE_TOUCH_H

#include "kernel/cubes/cube_line.h"

/* The next face between cubes along an axis, and how far faces are apart: in a measure common to the three axes, the
   length of the line divided by twice the product of its differences. */
typedef struct rcity_cube_faces {
    rcity_i64 next, spacing;
    rcity_i32 direction;
} rcity_cube_faces;

typedef struct rcity_cube_touch {
    rcity_cube cube;
    rcity_cube_faces x, y, z;
    rcity_i32 left; /* faces still to be crossed: 0 in the last cube */
} rcity_cube_touch;

#define RCITY_CUBE_NO_FACE ((rcity_i64)1 << 62)

/* Along an axis with this difference; `others` is the product of the other two, 1 for each that is 0. */
RCITY_KERNEL rcity_cube_faces rcity_cube_faces_start(rcity_i32 difference, rcity_i64 others)
{
    rcity_cube_faces faces;
    faces.direction = difference < 0 ? -1 : difference > 0;
    faces.next = difference != 0 ? others : RCITY_CUBE_NO_FACE;
    faces.spacing = 2 * others;
    return faces;
}

RCITY_KERNEL rcity_cube_touch rcity_cube_touch_start(rcity_cube from, rcity_cube to)
{
    rcity_cube_touch touch;
    rcity_i32 x = to.column - from.column, y = to.row - from.row, z = to.layer - from.layer;
    rcity_i64 x_size = x != 0 ? rcity_cube_magnitude(x) : 1;
    rcity_i64 y_size = y != 0 ? rcity_cube_magnitude(y) : 1;
    rcity_i64 z_size = z != 0 ? rcity_cube_magnitude(z) : 1;
    touch.cube = from;
    touch.x = rcity_cube_faces_start(x, y_size * z_size);
    touch.y = rcity_cube_faces_start(y, x_size * z_size);
    touch.z = rcity_cube_faces_start(z, x_size * y_size);
    touch.left = rcity_cube_magnitude(x) + rcity_cube_magnitude(y) + rcity_cube_magnitude(z);
    return touch;
}

/* Cross the face of an axis if it lies at this place. @return the change of the coordinate. */
RCITY_KERNEL rcity_i32 rcity_cube_faces_cross(rcity_cube_faces *faces, rcity_i64 place, rcity_i32 *left)
{
    if (faces->next != place) {
        return 0;
    }
    faces->next += faces->spacing;
    *left -= 1;
    return faces->direction;
}

/* Go to the next cube; only while `left` is not 0. */
RCITY_KERNEL void rcity_cube_touch_next(rcity_cube_touch *touch)
{
    rcity_i64 place = touch->x.next < touch->y.next ? touch->x.next : touch->y.next;
    place = touch->z.next < place ? touch->z.next : place;
    touch->cube.column += rcity_cube_faces_cross(&touch->x, place, &touch->left);
    touch->cube.row += rcity_cube_faces_cross(&touch->y, place, &touch->left);
    touch->cube.layer += rcity_cube_faces_cross(&touch->z, place, &touch->left);
}

/* Do two cubes see each other along the straight line? The cubes that hold the two ends do not count. */
RCITY_KERNEL int rcity_cube_touch_is_free(rcity_cube_map map, RCITY_GLOBAL const rcity_u32 *words, rcity_cube from,
                                          rcity_cube to)
{
    rcity_cube_touch touch = rcity_cube_touch_start(from, to);
    while (touch.left > 0) {
        rcity_cube_touch_next(&touch);
        if (touch.left > 0 && rcity_cube_is_filled(map, words, touch.cube)) {
            return 0;
        }
    }
    return 1;
}

#endif
