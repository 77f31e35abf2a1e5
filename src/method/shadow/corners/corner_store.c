#include "method/shadow/corners/corner_store.h"

#include <string.h>

rcity_status rcity_corner_store_init(rcity_context *context, const rcity_corner_table *corners,
                                     rcity_corner_store *store)
{
    memset(store, 0, sizeof *store);
    store->context = context;
    store->point_count = (size_t)corners->plane->shapes->point_count + 1;
    return rcity_corner_corners_alloc_views(context, corners, &store->first_place);
}

void rcity_corner_store_clear(rcity_corner_store *store)
{
    for (size_t i = 0; i < store->look_count; i++) {
        rcity_release(store->context, store->looks[i].corners);
    }
    store->look_count = 0;
    store->place_count = 0;
    memset(store->first_place, -1, store->point_count * sizeof *store->first_place);
}

void rcity_corner_store_deinit(rcity_corner_store *store)
{
    if (store->first_place != NULL) {
        rcity_corner_store_clear(store);
    }
    rcity_release(store->context, store->looks);
    rcity_release(store->context, store->places);
    rcity_release(store->context, store->first_place);
    memset(store, 0, sizeof *store);
}

rcity_status rcity_corner_store_find_place(rcity_corner_store *store, int32_t corner, rcity_grid_point3 at,
                                           int32_t *place)
{
    int32_t known = corner >= 0 ? store->first_place[corner] : -1;
    while (known >= 0 && store->places[known].at.z != at.z) {
        known = store->places[known].next;
    }
    if (known < 0) {
        RCITY_TRY(rcity_reserve(store->context, store->place_count + 1, sizeof *store->places, &store->place_capacity,
                                "corners", &store->places));
        known = (int32_t)store->place_count++;
        store->places[known] =
            (rcity_corner_stored_place){at, corner, corner >= 0 ? store->first_place[corner] : -1, -1};
        if (corner >= 0) {
            store->first_place[corner] = known;
        }
    }
    *place = known;
    return RCITY_OK;
}

rcity_status rcity_corner_store_find_look(rcity_corner_store *store, int32_t place, int32_t step, int32_t *look)
{
    int32_t known = store->places[place].first_look;
    while (known >= 0 && store->looks[known].step != step) {
        known = store->looks[known].next;
    }
    if (known < 0) {
        RCITY_TRY(rcity_reserve(store->context, store->look_count + 1, sizeof *store->looks, &store->look_capacity,
                                "corners", &store->looks));
        known = (int32_t)store->look_count++;
        store->looks[known] = (rcity_corner_stored_look){place, step, store->places[place].first_look, NULL, 0};
        store->places[place].first_look = known;
    }
    *look = known;
    return RCITY_OK;
}
