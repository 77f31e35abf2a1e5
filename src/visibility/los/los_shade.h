/* The shadow that one wall casts in one half of the plan, north or south of the source: which columns of a row are in
   it. */
#ifndef RCITY_VISIBILITY_LOS_LOS_SHADE_H
#define RCITY_VISIBILITY_LOS_LOS_SHADE_H

#include "visibility/los/los_plane.h"

/* A wall relative to one source in one half of the plan. Coordinates count from the source, with v growing away from
   it; a is the end on the right. The shadow covers what lies strictly between its ends and strictly beyond its line, up
   to far_num / far_den times the distance of the wall (far_den 0: without limit). */
typedef struct rcity_los_shade {
    int64_t au, av, bu, bv;
    int64_t area; /* a x b: positive */
    int32_t a, b; /* corners */
    bool is_doubtful;
    int64_t far_num, far_den;

    /* The same in floating point: in row v the shadow lies between columns west[i] + v west_slope[i] and east[i] + v
       east_slope[i], counted from the first. */
    double west[3], west_slope[3], east[3], east_slope[3];
    int west_count, east_count;
} rcity_los_shade;

struct rcity_los_worker;

/* One half of the plan during the sweep of a source. */
typedef struct rcity_los_half {
    rcity_context *context;
    const rcity_los_plane *plane;
    struct rcity_los_worker *worker;
    rcity_grid_point3 source;
    int32_t side; /* 1: north, -1: south */
    uint64_t *mask;
    double pitch; /* of the columns */
    double zero;  /* the source's position, in columns from the first */
    double blur;  /* the largest deviation of a column from the pitch, as a fraction of it */
    rcity_status status;
} rcity_los_half;

/* Make the shadow of a wall for the half's source. @return false when it casts none here. */
bool rcity_los_shade_make(const rcity_los_half *half, const rcity_los_wall *wall, rcity_los_shade *shade);

/* The columns of a row, at v from the source, that are in the shadow; ties beside them are noted. */
void rcity_los_shade_find(rcity_los_half *half, const rcity_los_shade *shade, int64_t v, int32_t row, int32_t *begin,
                          int32_t *end);

/* How far a row is from the source. */
static inline int64_t rcity_los_row_v(const rcity_los_half *half, int32_t row)
{
    return (int64_t)half->side * ((int64_t)half->plane->y[row] - half->source.y);
}

/* The first column with u * den > num, den > 0; column_count if there is none. And: is a column exactly there? */
int32_t rcity_los_first_beyond(const rcity_los_half *half, int64_t num, int64_t den);
bool rcity_los_is_at(const rcity_los_half *half, int32_t column, int64_t num, int64_t den);

/* Note a pixel for the segment test. */
void rcity_los_note_undecided(rcity_los_half *half, int32_t column, int32_t row);

#endif
