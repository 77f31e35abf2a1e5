/* Roofs cut into triangles, for the ray tracer that the benchmarks are compared with. */
#ifndef RCITY_BENCH_ROOF_TRIANGLES_H
#define RCITY_BENCH_ROOF_TRIANGLES_H

#include "scene/shape/exact.h"

/* Corners of the triangles in groups of three, as indices of points of the shapes. */
typedef struct rcity_roof_triangles {
    rcity_context *context;
    int32_t *corner;
    size_t corner_count, corner_capacity;
    int32_t *ring; /* working memory: the outline with its holes as one ring */
    size_t ring_capacity;
} rcity_roof_triangles;

/* Cut one prism's roof and append its triangles. The working memory is reused for the next one. */
rcity_status rcity_roof_triangles_add(rcity_roof_triangles *triangles, const rcity_shapes *shapes,
                                      const rcity_prism *prism);

void rcity_roof_triangles_deinit(rcity_roof_triangles *triangles);

#endif
