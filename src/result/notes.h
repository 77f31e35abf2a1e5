/* How a result was made: pairs of key and value, in the order they were added. */
#ifndef RCITY_RESULT_NOTES_H
#define RCITY_RESULT_NOTES_H

#include "base/base.h"

/* What a note is about; set by the code that adds it. */
typedef enum rcity_note_scope {
    RCITY_NOTE_RESULT,      /* the whole result */
    RCITY_NOTE_TRANSMITTER, /* the transmitter: another one has its own notes */
    RCITY_NOTE_REMARK       /* a finding about this transmitter: a network attributes it to the sector, and a sector
                               that reuses losses copies it */
} rcity_note_scope;

typedef struct rcity_note {
    char *key, *value;
    rcity_note_scope scope;
} rcity_note;

typedef struct rcity_notes {
    rcity_context *context;
    size_t count, capacity;
    rcity_note *pairs;
} rcity_notes;

void rcity_notes_init(rcity_context *context, rcity_notes *notes);
void rcity_notes_deinit(rcity_notes *notes);

/* Note one fact, about the whole result unless a scope is given. Numbers have a point in every locale. */
rcity_status rcity_notes_add(rcity_notes *notes, const char *key, const char *format, ...) RCITY_PRINTF(3, 4);
rcity_status rcity_notes_add_scoped(rcity_notes *notes, rcity_note_scope scope, const char *key, const char *format,
                                    ...) RCITY_PRINTF(4, 5);
rcity_status rcity_notes_vadd(rcity_notes *notes, const char *key, const char *format, va_list arguments)
    RCITY_PRINTF(3, 0);

/* Copy all notes, with what they are about. */
rcity_status rcity_notes_copy(const rcity_notes *from, rcity_notes *to);

/* Copy the remarks that `to` does not have yet, under keys with a prefix. */
rcity_status rcity_notes_copy_remarks(const rcity_notes *from, const char *prefix, rcity_notes *to);

/* The value of a note, or NULL. */
const char *rcity_notes_find(const rcity_notes *notes, const char *key);

/* One pair; false past the last. */
bool rcity_notes_get(const rcity_notes *notes, int pair_index, const char **key, const char **value);

#endif
