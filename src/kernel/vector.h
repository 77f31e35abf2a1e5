/* Vectors of three floats. */
#ifndef RCITY_KERNEL_VECTOR_H
#define RCITY_KERNEL_VECTOR_H

#include "kernel/portable.h"

typedef struct rcity_vec3 {
    float x, y, z;
} rcity_vec3;

RCITY_KERNEL float rcity_distance(rcity_vec3 a, rcity_vec3 b)
{
    float dx = b.x - a.x;
    float dy = b.y - a.y;
    float dz = b.z - a.z;
    return rcity_sqrt(dx * dx + dy * dy + dz * dz);
}

#endif
