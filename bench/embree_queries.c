/* Embree: one occlusion ray for each segment; one, eight or sixteen in a call, or a stream of them. */
#include <string.h>

#include "base/parallel.h"
#include "bench/embree_data.h"

#define STREAM_COUNT 256 /* rays of a stream in one call */

static const rcity_embree_query queries[] = {
    {"1 ray at a time, robust", 1, true},
    {"1 ray at a time", 1, false},
    {"8 rays at a time, robust", 8, true},
    {"8 rays at a time", 8, false},
    {"16 rays at a time, robust", 16, true},
    {"16 rays at a time", 16, false},
    {"a stream of rays, robust", STREAM_COUNT, true},
    {"a stream of rays", STREAM_COUNT, false},
};

_Static_assert(sizeof queries / sizeof queries[0] == RCITY_EMBREE_QUERY_MAX, "RCITY_EMBREE_QUERY_MAX");

/* One batch while threads work on it. */
typedef struct embree_work {
    RTCScene scene;
    float plan_unit_m;
    const rcity_sight_segment *segments;
    uint8_t *is_free;
} embree_work;

bool rcity_embree_get_query(int query_index, rcity_embree_query *query)
{
    if (query_index < 0 || query_index >= RCITY_EMBREE_QUERY_MAX) {
        return false;
    }
    *query = queries[query_index];
    return true;
}

static struct RTCRay make_ray(const embree_work *work, int64_t index)
{
    rcity_sight_segment s = work->segments[index];
    float plan = work->plan_unit_m;
    float height = 1.0f / RCITY_HEIGHT_UNITS_PER_M;
    struct RTCRay ray;
    memset(&ray, 0, sizeof ray);
    ray.org_x = (float)s.ax * plan;
    ray.org_y = (float)s.ay * plan;
    ray.org_z = (float)s.az * height;
    ray.dir_x = (float)(s.bx - s.ax) * plan;
    ray.dir_y = (float)(s.by - s.ay) * plan;
    ray.dir_z = (float)(s.bz - s.az) * height;
    ray.tfar = 1.0f;
    ray.mask = UINT32_MAX;
    return ray;
}

/* An rcity_parallel_function. */
static void trace_1(void *user, int64_t begin, int64_t end, int thread_index)
{
    const embree_work *work = user;
    struct RTCIntersectContext query;
    rtcInitIntersectContext(&query);
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        struct RTCRay ray = make_ray(work, i);
        rtcOccluded1(work->scene, &query, &ray);
        work->is_free[i] = ray.tfar >= 0.0f;
    }
}

/* An rcity_parallel_function. */
static void trace_stream(void *user, int64_t begin, int64_t end, int thread_index)
{
    const embree_work *work = user;
    struct RTCRay rays[STREAM_COUNT];
    struct RTCIntersectContext query;
    rtcInitIntersectContext(&query);
    (void)thread_index;
    for (int64_t first = begin; first < end; first += STREAM_COUNT) {
        int count = (int)(end - first < STREAM_COUNT ? end - first : STREAM_COUNT);
        for (int i = 0; i < count; i++) {
            rays[i] = make_ray(work, first + i);
        }
        rtcOccluded1M(work->scene, &query, rays, (unsigned)count, sizeof rays[0]);
        for (int i = 0; i < count; i++) {
            work->is_free[first + i] = rays[i].tfar >= 0.0f;
        }
    }
}

/* Write a ray to a lane of a packet; packets of all widths have the same fields. */
#define PUT_RAY(packet, lane, ray)                                                                                     \
    do {                                                                                                               \
        (packet).org_x[lane] = (ray).org_x;                                                                            \
        (packet).org_y[lane] = (ray).org_y;                                                                            \
        (packet).org_z[lane] = (ray).org_z;                                                                            \
        (packet).dir_x[lane] = (ray).dir_x;                                                                            \
        (packet).dir_y[lane] = (ray).dir_y;                                                                            \
        (packet).dir_z[lane] = (ray).dir_z;                                                                            \
        (packet).tfar[lane] = (ray).tfar;                                                                              \
        (packet).mask[lane] = (ray).mask;                                                                              \
    } while (0)

/* An rcity_parallel_function. */
static void trace_8(void *user, int64_t begin, int64_t end, int thread_index)
{
    const embree_work *work = user;
    struct RTCIntersectContext query;
    struct RTCRay8 packet;
    RTC_ALIGN(32) int is_valid[8];
    rtcInitIntersectContext(&query);
    memset(&packet, 0, sizeof packet);
    (void)thread_index;
    for (int64_t first = begin; first < end; first += 8) {
        int count = (int)(end - first < 8 ? end - first : 8);
        for (int i = 0; i < 8; i++) {
            is_valid[i] = i < count ? -1 : 0;
        }
        for (int i = 0; i < count; i++) {
            struct RTCRay ray = make_ray(work, first + i);
            PUT_RAY(packet, i, ray);
        }
        rtcOccluded8(is_valid, work->scene, &query, &packet);
        for (int i = 0; i < count; i++) {
            work->is_free[first + i] = packet.tfar[i] >= 0.0f;
        }
    }
}

/* An rcity_parallel_function. */
static void trace_16(void *user, int64_t begin, int64_t end, int thread_index)
{
    const embree_work *work = user;
    struct RTCIntersectContext query;
    struct RTCRay16 packet;
    RTC_ALIGN(64) int is_valid[16];
    rtcInitIntersectContext(&query);
    memset(&packet, 0, sizeof packet);
    (void)thread_index;
    for (int64_t first = begin; first < end; first += 16) {
        int count = (int)(end - first < 16 ? end - first : 16);
        for (int i = 0; i < 16; i++) {
            is_valid[i] = i < count ? -1 : 0;
        }
        for (int i = 0; i < count; i++) {
            struct RTCRay ray = make_ray(work, first + i);
            PUT_RAY(packet, i, ray);
        }
        rtcOccluded16(is_valid, work->scene, &query, &packet);
        for (int i = 0; i < count; i++) {
            work->is_free[first + i] = packet.tfar[i] >= 0.0f;
        }
    }
}

void rcity_embree_test(rcity_context *context, const rcity_embree *embree, const rcity_embree_query *query,
                       int64_t count, const rcity_sight_segment *segments, uint8_t *is_free)
{
    embree_work work = {query->is_robust ? embree->robust : embree->plain, embree->plan_unit_m, segments, is_free};
    rcity_parallel_function trace = query->ray_count == 1    ? trace_1
                                    : query->ray_count == 8  ? trace_8
                                    : query->ray_count == 16 ? trace_16
                                                             : trace_stream;
    rcity_parallel(context, count, 4096, trace, &work);
}
