/* Sources of cubes, their limits, and the fan of lines that hits every cube around one. */
#include <math.h>

#include "visibility/cubes/cube_sight.h"

rcity_cube_source rcity_cube_source_make(rcity_cube cube)
{
    return (rcity_cube_source){
        .cube = cube, .axis_z = 1.0f, .squares_min = -RCITY_CUBE_ANY_SQUARES, .squares_max = RCITY_CUBE_ANY_SQUARES};
}

/* A cosine times its magnitude; beyond all that rounding may make of it at the two ends of the scale. */
static float squares_of(double angle_rad)
{
    if (angle_rad <= 0.0) {
        return RCITY_CUBE_ANY_SQUARES;
    }
    return angle_rad >= (double)RCITY_PI ? -RCITY_CUBE_ANY_SQUARES : (float)(cos(angle_rad) * fabs(cos(angle_rad)));
}

rcity_status rcity_cube_source_limit(rcity_context *context, const double axis[3], double angle_min_rad,
                                     double angle_max_rad, double range_m, rcity_cube_source *source)
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    RCITY_CHECK(context, length > 0.0 && isfinite(length), RCITY_ERR_ARGUMENT,
                "the axis of a cone is (%g, %g, %g), must be a direction", axis[0], axis[1], axis[2]);
    RCITY_CHECK(context, angle_min_rad >= 0.0 && angle_min_rad <= angle_max_rad && isfinite(angle_max_rad),
                RCITY_ERR_ARGUMENT, "a cone from %g to %g rad has no inside", angle_min_rad, angle_max_rad);
    RCITY_CHECK(context, range_m >= 0.0 && isfinite(range_m), RCITY_ERR_ARGUMENT,
                "the range of a source is %g m, must be 0 (any) or more", range_m);
    source->axis_x = (float)(axis[0] / length);
    source->axis_y = (float)(axis[1] / length);
    source->axis_z = (float)(axis[2] / length);
    source->squares_min = squares_of(angle_max_rad);
    source->squares_max = squares_of(angle_min_rad);
    source->range_m = (float)range_m;
    return RCITY_OK;
}

int64_t rcity_cube_fan_count(int32_t step_count, bool is_plane)
{
    int64_t steps = step_count;
    if (steps <= 0) {
        return 1;
    }
    return is_plane ? 8 * steps : 24 * steps * steps + 2;
}

/* A cube of the border of a square: 8 `steps` of them, around it. */
static rcity_cube square_border(rcity_cube middle, int32_t steps, int32_t index)
{
    int32_t side = index / (2 * steps);
    int32_t across = index % (2 * steps) - steps;
    rcity_cube cube = middle;
    cube.column += side == 0 ? steps : side == 1 ? -across : side == 2 ? -steps : across;
    cube.row += side == 0 ? across : side == 1 ? steps : side == 2 ? -across : -steps;
    return cube;
}

rcity_cube rcity_cube_fan_target(rcity_cube source, int32_t step_count, bool is_plane, int64_t index)
{
    if (step_count <= 0) {
        return source;
    }
    if (is_plane) {
        return square_border(source, step_count, (int32_t)index);
    }
    int64_t edge = 2 * (int64_t)step_count + 1; /* bottom, top, then the sides layer by layer */
    rcity_cube cube = source;
    if (index < 2 * edge * edge) {
        int32_t place = (int32_t)(index % (edge * edge));
        cube.layer += index < edge * edge ? -step_count : step_count;
        cube.column += place % (int32_t)edge - step_count;
        cube.row += place / (int32_t)edge - step_count;
        return cube;
    }
    index -= 2 * edge * edge;
    cube.layer += (int32_t)(index / (8 * step_count)) - step_count + 1;
    return square_border(cube, step_count, (int32_t)(index % (8 * step_count)));
}
