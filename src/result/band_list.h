/* The bands of a result: values of one length with kinds, units, texts and classes. Maps and surfaces have one list
   each. */
#ifndef RCITY_RESULT_BAND_LIST_H
#define RCITY_RESULT_BAND_LIST_H

#include "base/base.h"
#include "radiocity/map.h"

typedef struct rcity_band_item rcity_band_item;

typedef struct rcity_band_list {
    rcity_context *context;
    const char *owner_has; /* for messages: "the map has"; static */
    size_t value_count;    /* of each band */
    size_t count, capacity;
    rcity_band_item *items;
} rcity_band_list;

void rcity_band_list_init(rcity_context *context, const char *owner_has, size_t value_count, rcity_band_list *list);
void rcity_band_list_deinit(rcity_band_list *list);

/* Add a band with the kind, texts and height of another one, whose values and classes do not matter; its unit and text
   may be NULL. Its values, all NAN, stay where they are until the list ends. */
rcity_status rcity_band_list_add(rcity_band_list *list, const rcity_band *like, float **value);

/* Name the classes of a band, as rcity_map_set_classes(). */
rcity_status rcity_band_list_set_classes(rcity_band_list *list, int band_index, int class_count,
                                         const char *const *names);

/* The band of an index; false when it is out of range. */
bool rcity_band_list_get(const rcity_band_list *list, int band_index, rcity_band *band);

/* The same with a message. */
rcity_status rcity_band_list_find(rcity_context *context, const rcity_band_list *list, int band_index,
                                  rcity_band *band);

/* The values of a band, for filling; the index is in range. */
float *rcity_band_list_edit(const rcity_band_list *list, int band_index);

rcity_status rcity_band_list_summarize(rcity_context *context, const rcity_band_list *list, int band_index,
                                       rcity_band_summary *summary);

#endif
