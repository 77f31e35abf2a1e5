#include "csv_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/csv_cells.h"

static void put(void *user, const char *bytes, size_t count)
{
    csv_text *made = user;
    if (made->used + count + 1 > made->room) {
        size_t room = 2 * (made->room + count + 512);
        char *grown = realloc(made->text, room);
        made->is_broken = made->is_broken || grown == NULL;
        if (grown == NULL) {
            return;
        }
        made->text = grown;
        made->room = room;
    }
    memcpy(made->text + made->used, bytes, count);
    made->used += count;
    made->text[made->used] = '\0';
}

void csv_add(csv_text *made, const char *format, ...)
{
    char piece[512];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    put(made, piece, length < (int)sizeof piece ? (size_t)length : sizeof piece - 1);
}

void csv_add_name(csv_text *made, const char *name)
{
    rcity_text_sink sink = {put, made};
    rcity_csv_put_text(&sink, name);
}

void csv_add_value(csv_text *made, double value)
{
    rcity_text_sink sink = {put, made};
    rcity_csv_put_number(&sink, value, 3);
}
