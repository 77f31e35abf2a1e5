/* Where text goes: a function that takes bytes. It keeps its failures to itself; the caller asks for them at the
   end. */
#ifndef RCITY_TEXT_TEXT_SINK_H
#define RCITY_TEXT_TEXT_SINK_H

#include <stddef.h>
#include <string.h>

typedef struct rcity_text_sink {
    void (*put)(void *user, const char *bytes, size_t count);
    void *user;
} rcity_text_sink;

static inline void rcity_text_put(const rcity_text_sink *sink, const char *text)
{
    sink->put(sink->user, text, strlen(text));
}

#endif
