/* Notes of results. */
#include "result/notes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

void rcity_notes_init(rcity_context *context, rcity_notes *notes)
{
    *notes = (rcity_notes){.context = context};
}

static void release_note(rcity_context *context, rcity_note *note)
{
    rcity_release(context, note->value);
    rcity_release(context, note->key);
}

void rcity_notes_deinit(rcity_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        release_note(notes->context, &notes->pairs[i]);
    }
    rcity_release(notes->context, notes->pairs);
    notes->pairs = NULL;
    notes->count = notes->capacity = 0;
}

/* The formatted text; the arguments are used twice, first for the length. */
static rcity_status format_text(rcity_context *context, const char *format, va_list arguments, char **text)
{
    va_list again;
    va_copy(again, arguments);
    int length = rcity_number_vprint(NULL, 0, format, arguments);
    assert(length >= 0);
    rcity_status status = rcity_alloc(context, (size_t)length + 1, 1, "a note", text);
    if (status == RCITY_OK) {
        rcity_number_vprint(*text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return status;
}

static RCITY_PRINTF(4, 0) rcity_status
    add(rcity_notes *notes, rcity_note_scope scope, const char *key, const char *format, va_list arguments)
{
    rcity_context *context = notes->context;
    rcity_note note = {NULL, NULL, scope};
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, notes->count + 1, sizeof *notes->pairs, &notes->capacity, "the list of notes",
                                 &notes->pairs));
    RCITY_TRY_DONE(rcity_copy_text(context, key, &note.key));
    RCITY_TRY_DONE(format_text(context, format, arguments, &note.value));
    notes->pairs[notes->count++] = note;
    return RCITY_OK;
done:
    release_note(context, &note);
    return status;
}

rcity_status rcity_notes_vadd(rcity_notes *notes, const char *key, const char *format, va_list arguments)
{
    return add(notes, RCITY_NOTE_RESULT, key, format, arguments);
}

rcity_status rcity_notes_add_scoped(rcity_notes *notes, rcity_note_scope scope, const char *key, const char *format,
                                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    rcity_status status = add(notes, scope, key, format, arguments);
    va_end(arguments);
    return status;
}

rcity_status rcity_notes_copy(const rcity_notes *from, rcity_notes *to)
{
    for (size_t i = 0; i < from->count; i++) {
        const rcity_note *note = &from->pairs[i];
        RCITY_TRY(rcity_notes_add_scoped(to, note->scope, note->key, "%s", note->value));
    }
    return RCITY_OK;
}

rcity_status rcity_notes_copy_remarks(const rcity_notes *from, const char *prefix, rcity_notes *to)
{
    for (size_t i = 0; i < from->count; i++) {
        const rcity_note *note = &from->pairs[i];
        char key[96];
        snprintf(key, sizeof key, "%s%s", prefix, note->key);
        if (note->scope == RCITY_NOTE_REMARK && rcity_notes_find(to, key) == NULL) {
            RCITY_TRY(rcity_notes_add_scoped(to, RCITY_NOTE_REMARK, key, "%s", note->value));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_notes_add(rcity_notes *notes, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rcity_status status = rcity_notes_vadd(notes, key, format, arguments);
    va_end(arguments);
    return status;
}

const char *rcity_notes_find(const rcity_notes *notes, const char *key)
{
    for (size_t i = 0; i < notes->count; i++) {
        if (strcmp(notes->pairs[i].key, key) == 0) {
            return notes->pairs[i].value;
        }
    }
    return NULL;
}

bool rcity_notes_get(const rcity_notes *notes, int pair_index, const char **key, const char **value)
{
    if (pair_index < 0 || (size_t)pair_index >= notes->count) {
        return false;
    }
    *key = notes->pairs[pair_index].key;
    *value = notes->pairs[pair_index].value;
    return true;
}
