/* A scene in Embree's form. Needs Embree's headers. */
#ifndef RCITY_BENCH_EMBREE_DATA_H
#define RCITY_BENCH_EMBREE_DATA_H

#include <embree3/rtcore.h>

#include "bench/embree.h"

struct rcity_embree {
    RTCDevice device;
    RTCScene robust, plain; /* the same triangles, with RTC_SCENE_FLAG_ROBUST and without */
    float plan_unit_m;
    int64_t triangle_count;
};

#endif
