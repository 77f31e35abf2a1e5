/* How a result was made: pairs of key and value, in the order they were added. */
#ifndef RCITY_RESULT_NOTES_H
#define RCITY_RESULT_NOTES_H

#include "base/base.h"

typedef struct rcity_note {
    char *key, *value;
} rcity_note;

typedef struct rcity_notes {
    rcity_context *context;
    size_t count, capacity;
    rcity_note *pairs;
} rcity_notes;

void rcity_notes_init(rcity_context *context, rcity_notes *notes);
void rcity_notes_deinit(rcity_notes *notes);

/* Note one fact. Numbers have a point in every locale. */
rcity_status rcity_notes_add(rcity_notes *notes, const char *key, const char *format, ...) RCITY_PRINTF(3, 4);
rcity_status rcity_notes_vadd(rcity_notes *notes, const char *key, const char *format, va_list arguments)
    RCITY_PRINTF(3, 0);

/* The value of a note, or NULL. */
const char *rcity_notes_find(const rcity_notes *notes, const char *key);

/* One pair; false past the last. */
bool rcity_notes_get(const rcity_notes *notes, int pair_index, const char **key, const char **value);

#endif
