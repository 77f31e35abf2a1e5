#include "method/shadow/wall_raster.h"
#include "base/parallel.h"
#include "scene/sight/sight_data.h"
struct rcity_walls {
    rcity_context *context;
    const rcity_los_plane *plane;
    rcity_grid_point3 source;
    const uint64_t *lit;
    int32_t *count;
    float *m, *f;
};
rcity_status rcity_walls_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                              rcity_walls **walls)
{
    (void)device;
    rcity_walls *w = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *w, "walls", &w));
    w->context = context;
    w->plane = plane;
    *walls = w;
    return RCITY_OK;
}
void rcity_walls_close(rcity_walls **walls)
{
    if (*walls) {
        rcity_release((*walls)->context, *walls);
        *walls = NULL;
    }
}
static void go(void *user, int64_t b, int64_t e, int t)
{
    (void)t;
    rcity_walls *w = user;
    for (int64_t i = b; i < e; i++) {
        int32_t c = (int32_t)(i % w->plane->column_count), r = (int32_t)(i / w->plane->column_count);
        if (w->lit && rcity_los_plane_bit(w->plane, w->lit, c, r)) {
            w->count[i] = 0;
            if (w->m) {
                w->m[i] = w->f[i] = 0;
            }
            continue;
        }
        rcity_grid_point3 p = rcity_los_plane_pixel(w->plane, c, r);
        rcity_sight_measure m =
            rcity_sight_measure_one(w->plane->sight, w->plane->sight,
                                    (rcity_sight_segment){w->source.x, w->source.y, w->source.z, p.x, p.y, p.z});
        w->count[i] = m.wall_count;
        if (w->m) {
            double u = w->plane->shapes->units_per_m;
            double dx = (p.x - w->source.x) / u, dy = (p.y - w->source.y) / u, dz = (p.z - w->source.z) / 64.0;
            w->m[i] = (float)((double)m.in_buildings * __builtin_sqrt(dx * dx + dy * dy + dz * dz));
            w->f[i] = 0;
        }
    }
}
rcity_status rcity_walls_trace(rcity_walls *w, rcity_grid_point3 source, const uint64_t *lit, int32_t *count, float *m,
                               float *f)
{
    w->source = source;
    w->lit = lit;
    w->count = count;
    w->m = m;
    w->f = f;
    rcity_parallel(w->context, (int64_t)w->plane->column_count * w->plane->row_count, 256, go, w);
    return RCITY_OK;
}
