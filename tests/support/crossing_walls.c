#include "crossing_walls.h"

#include "rcity_test.h"

typedef struct vector {
    int64_t x, y;
} vector;

static int64_t cross(vector a, vector b)
{
    return a.x * b.y - a.y * b.x;
}

/* The place `at` for which cross(along, at) is 1, by Euclid's algorithm; false where the two have a common divisor. */
static bool find_beside(vector along, vector *at)
{
    int64_t rest[2] = {along.x, along.y};
    int64_t x_part[2] = {1, 0};
    int64_t y_part[2] = {0, 1};
    while (rest[1] != 0) {
        int64_t times = rest[0] / rest[1];
        int64_t next[3] = {rest[0] - times * rest[1], x_part[0] - times * x_part[1], y_part[0] - times * y_part[1]};
        rest[0] = rest[1];
        rest[1] = next[0];
        x_part[0] = x_part[1];
        x_part[1] = next[1];
        y_part[0] = y_part[1];
        y_part[1] = next[2];
    }
    *at = (vector){-y_part[0], x_part[0]}; /* along.x * x_part + along.y * y_part is the divisor */
    return rest[0] == 1;
}

/* A wall from `start` on, which passes the origin by `miss` over its length in its middle part. */
static bool make_wall(uint64_t seed, uint64_t *drawn, int32_t size, int32_t miss, vector *start, vector *along)
{
    vector beside;
    bool is_flat = test_random(seed, (*drawn)++) % 3 == 0; /* nearly along an axis */
    *along = (vector){(int64_t)test_uniform(seed, (*drawn)++, 0.5 * size, size),
                      (int64_t)test_uniform(seed, (*drawn)++, is_flat ? 1.0 : 0.4 * size, is_flat ? 40.0 : size)};
    if (!find_beside(*along, &beside)) {
        return false;
    }
    vector at = {miss * beside.x, miss * beside.y};
    double part = (double)(at.x * along->x + at.y * along->y) / (double)(along->x * along->x + along->y * along->y);
    int64_t times = (int64_t)floor(part) + 1; /* then the origin is between start and end */
    *start = (vector){at.x - times * along->x, at.y - times * along->y};
    for (uint64_t turn = test_random(seed, (*drawn)++) % 4; turn > 0; turn--) {
        *start = (vector){-start->y, start->x};
        *along = (vector){-along->y, along->x};
    }
    return part - floor(part) > 0.2 && part - floor(part) < 0.8;
}

crossing_walls crossing_walls_make(uint64_t seed, uint64_t i, int32_t size, int32_t miss, rcity_grid_point at)
{
    crossing_walls made;
    vector start[2], along[2];
    uint64_t drawn = 1000000 * i;
    double sine;
    do {
        while (!make_wall(seed, &drawn, size, miss, &start[0], &along[0]) ||
               !make_wall(seed, &drawn, size, miss, &start[1], &along[1])) {
        }
        sine = (double)cross(along[0], along[1]) / hypot((double)along[0].x, (double)along[0].y) /
               hypot((double)along[1].x, (double)along[1].y);
    } while (fabs(sine) < 0.5);
    for (int k = 0; k < 2; k++) {
        double depth = test_uniform(seed, drawn++, 0.3, 0.9);
        vector third = {start[k].x + along[k].x / 2 - (int64_t)(depth * (double)along[k].y),
                        start[k].y + along[k].y / 2 + (int64_t)(depth * (double)along[k].x)};
        const vector corners[3] = {start[k], {start[k].x + along[k].x, start[k].y + along[k].y}, third};
        for (int j = 0; j < 3; j++) {
            made.corners[k][j] = (rcity_grid_point){at.x + (int32_t)corners[j].x, at.y + (int32_t)corners[j].y};
        }
    }
    return made;
}
