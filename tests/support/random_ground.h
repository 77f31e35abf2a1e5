/* Random ground under a link for tests: hills of every height on paths of every length, evenly spaced points or not, with
   something standing on some of them. The same for a seed and a trial in every precision. */
#ifndef RCITY_TEST_RANDOM_GROUND_H
#define RCITY_TEST_RANDOM_GROUND_H

#include "rcity_test.h"

#include "kernel/terrain/ground_profile.h"

#define GROUND_POINT_MAX 400

typedef struct random_ground {
    float distance_m[GROUND_POINT_MAX], height_m[GROUND_POINT_MAX], cover_m[GROUND_POINT_MAX];
    rcity_ground_profile profile;
} random_ground;

static inline double ground_draw(uint64_t trial, int which, double low, double high)
{
    return test_uniform(1812, trial * 4096 + (uint64_t)which, low, high);
}

static inline double ground_draw_log(uint64_t trial, int which, double low, double high)
{
    return exp(ground_draw(trial, which, log(low), log(high)));
}

/* Which points an uneven profile has: they stray from the even ones by less than half a step. */
static inline void random_ground_spread(random_ground *ground, uint64_t trial, double length_m)
{
    int last = ground->profile.count - 1;
    for (int i = 0; i <= last; i++) {
        double stray = i > 0 && i < last ? ground_draw(trial, 100 + i, -0.45, 0.45) : 0.0;
        ground->distance_m[i] = (float)(length_m * (i + stray) / last);
    }
}

static inline void random_ground_make(random_ground *ground, uint64_t trial)
{
    int count = 2 + (int)ground_draw_log(trial, 0, 1.0, GROUND_POINT_MAX - 2.0);
    double length_m = ground_draw_log(trial, 1, 100.0, 5e5);
    double amplitude_m = ground_draw_log(trial, 2, 0.1, 300.0);
    bool is_even = trial % 2 == 0;
    ground->profile.count = count;
    ground->profile.stride = 1;
    ground->profile.step_m = (float)(length_m / (count - 1));
    ground->profile.height_m = ground->height_m;
    ground->profile.cover_m = trial % 3 == 0 ? NULL : ground->cover_m;
    ground->profile.distance_m = is_even ? NULL : ground->distance_m;
    random_ground_spread(ground, trial, length_m);
    for (int i = 0; i < count; i++) {
        double t = (double)i / (count - 1);
        double height_m = 300.0 + amplitude_m * ground_draw(trial, 700 + i, -0.1, 0.1);
        for (int wave = 0; wave < 4; wave++) {
            double phase = ground_draw(trial, 10 + wave, 0.0, 6.283);
            height_m += amplitude_m / (1 + wave) * sin(ground_draw_log(trial, 20 + wave, 1.0, 40.0) * t + phase);
        }
        ground->height_m[i] = (float)height_m;
        ground->cover_m[i] = (float)fmax(0.0, ground_draw(trial, 1400 + i, -40.0, 20.0));
    }
}

/* The same ground seen from the other end, for profiles with distances. */
static inline void random_ground_turn(const random_ground *from, random_ground *turned)
{
    int last = from->profile.count - 1;
    *turned = *from;
    for (int i = 0; i <= last; i++) {
        turned->height_m[i] = from->height_m[last - i];
        turned->cover_m[i] = from->cover_m[last - i];
        turned->distance_m[i] = from->distance_m[last] - from->distance_m[last - i];
    }
    turned->profile.height_m = turned->height_m;
    turned->profile.cover_m = from->profile.cover_m != NULL ? turned->cover_m : NULL;
    turned->profile.distance_m = from->profile.distance_m != NULL ? turned->distance_m : NULL;
}

#endif
