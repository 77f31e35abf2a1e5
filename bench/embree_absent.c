/* In a build without Embree there is no yardstick. */
#include "bench/embree.h"

const char *rcity_embree_name(void)
{
    return NULL;
}

bool rcity_embree_get_query(int query_index, rcity_embree_query *query)
{
    (void)query_index;
    (void)query;
    return false;
}

rcity_status rcity_embree_create(rcity_context *context, const rcity_shapes *shapes, rcity_embree **embree)
{
    (void)shapes;
    (void)embree;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED, "this build has no Embree");
}

void rcity_embree_destroy(rcity_context *context, rcity_embree **embree)
{
    (void)context;
    (void)embree;
}

void rcity_embree_test(rcity_context *context, const rcity_embree *embree, const rcity_embree_query *query,
                       int64_t count, const rcity_sight_segment *segments, uint8_t *is_free)
{
    (void)context;
    (void)embree;
    (void)query;
    (void)count;
    (void)segments;
    (void)is_free;
}

int64_t rcity_embree_triangle_count(const rcity_embree *embree)
{
    (void)embree;
    return 0;
}
