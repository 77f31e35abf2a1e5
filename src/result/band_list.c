/* Bands of results. */
#include "result/band_list.h"

#include <assert.h>
#include <math.h>

#include "result/rank.h"

struct rcity_band_item {
    char *name, *unit, *text;
    double rx_height_m;
    float *value;
    rcity_band_kind kind;
    int class_count;
    char **class_names;
};

void rcity_band_list_init(rcity_context *context, const char *owner_has, size_t value_count, rcity_band_list *list)
{
    *list = (rcity_band_list){.context = context, .owner_has = owner_has, .value_count = value_count};
}

static void release_names(rcity_context *context, int count, char **names)
{
    for (int i = 0; i < count && names != NULL; i++) {
        rcity_release(context, names[i]);
    }
    rcity_release(context, names);
}

static void release_item(rcity_context *context, rcity_band_item *item)
{
    release_names(context, item->class_count, item->class_names);
    rcity_release(context, item->value);
    rcity_release(context, item->text);
    rcity_release(context, item->unit);
    rcity_release(context, item->name);
}

void rcity_band_list_deinit(rcity_band_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        release_item(list->context, &list->items[i]);
    }
    rcity_release(list->context, list->items);
    list->items = NULL;
    list->count = list->capacity = 0;
}

rcity_status rcity_band_list_add(rcity_band_list *list, const rcity_band *like, float **value)
{
    rcity_context *context = list->context;
    rcity_band_item item = {.kind = like->kind, .rx_height_m = like->rx_height_m};
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, list->count + 1, sizeof *list->items, &list->capacity, "the list of bands",
                                 &list->items));
    RCITY_TRY_DONE(rcity_copy_text(context, like->name, &item.name));
    RCITY_TRY_DONE(rcity_copy_text(context, like->unit != NULL ? like->unit : "", &item.unit));
    RCITY_TRY_DONE(rcity_copy_text(context, like->text != NULL ? like->text : "", &item.text));
    RCITY_TRY_DONE(rcity_alloc(context, list->value_count, sizeof *item.value, "the values of a band", &item.value));
    for (size_t i = 0; i < list->value_count; i++) {
        item.value[i] = NAN;
    }
    *value = item.value;
    list->items[list->count++] = item;
    return RCITY_OK;
done:
    release_item(context, &item);
    return status;
}

static bool is_in_range(const rcity_band_list *list, int band_index)
{
    return band_index >= 0 && (size_t)band_index < list->count;
}

static rcity_status check_index(rcity_context *context, const rcity_band_list *list, int band_index)
{
    RCITY_CHECK(context, is_in_range(list, band_index), RCITY_ERR_ARGUMENT,
                "there is no band %d; %s %zu, counted from 0", band_index, list->owner_has, list->count);
    return RCITY_OK;
}

rcity_status rcity_band_list_set_classes(rcity_band_list *list, int band_index, int class_count,
                                         const char *const *names)
{
    rcity_context *context = list->context;
    RCITY_TRY(check_index(context, list, band_index));
    RCITY_CHECK(context, class_count >= 1, RCITY_ERR_ARGUMENT, "there are %d classes, must be at least 1", class_count);
    rcity_band_item *item = &list->items[band_index];
    char **copies = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, (size_t)class_count, sizeof *copies, "names of classes", &copies));
    for (int i = 0; i < class_count; i++) {
        RCITY_TRY_DONE(rcity_copy_text(context, names[i] != NULL ? names[i] : "", &copies[i]));
    }
    release_names(context, item->class_count, item->class_names);
    item->class_count = class_count;
    item->class_names = copies;
    return RCITY_OK;
done:
    release_names(context, class_count, copies);
    return status;
}

bool rcity_band_list_get(const rcity_band_list *list, int band_index, rcity_band *band)
{
    if (!is_in_range(list, band_index)) {
        return false;
    }
    const rcity_band_item *found = &list->items[band_index];
    *band = (rcity_band){.name = found->name,
                         .unit = found->unit,
                         .text = found->text,
                         .rx_height_m = found->rx_height_m,
                         .value = found->value,
                         .kind = found->kind,
                         .class_count = found->class_count,
                         .class_names = (const char *const *)found->class_names};
    return true;
}

rcity_status rcity_band_list_find(rcity_context *context, const rcity_band_list *list, int band_index, rcity_band *band)
{
    RCITY_TRY(check_index(context, list, band_index));
    rcity_band_list_get(list, band_index, band);
    return RCITY_OK;
}

float *rcity_band_list_edit(const rcity_band_list *list, int band_index)
{
    assert(is_in_range(list, band_index));
    return list->items[band_index].value;
}

rcity_status rcity_band_list_summarize(rcity_context *context, const rcity_band_list *list, int band_index,
                                       rcity_band_summary *summary)
{
    rcity_band band = {.value = NULL};
    RCITY_TRY(rcity_band_list_find(context, list, band_index, &band));
    int64_t count = (int64_t)list->value_count;
    int64_t finite_count = rcity_rank_count(band.value, count);
    if (finite_count == 0) {
        *summary = (rcity_band_summary){0, (double)NAN, (double)NAN, (double)NAN};
        return RCITY_OK;
    }
    const int64_t ranks[4] = {0, (finite_count - 1) / 2, finite_count / 2, finite_count - 1};
    float found[4];
    RCITY_TRY(rcity_rank_find(context, band.value, count, 4, ranks, found));
    *summary = (rcity_band_summary){.value_count = finite_count,
                                    .minimum = (double)found[0],
                                    .median = 0.5 * ((double)found[1] + (double)found[2]),
                                    .maximum = (double)found[3]};
    return RCITY_OK;
}
