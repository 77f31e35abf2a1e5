#include "csv_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void csv_add(csv_text *made, const char *format, ...)
{
    char piece[512];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    size_t count = length < (int)sizeof piece ? (size_t)length : sizeof piece - 1;
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
    memcpy(made->text + made->used, piece, count + 1);
    made->used += count;
}

void csv_add_name(csv_text *made, const char *name)
{
    if (strpbrk(name, ",\"\n\r") == NULL) {
        csv_add(made, "%s", name);
        return;
    }
    csv_add(made, "\"");
    for (; *name != '\0'; name++) {
        csv_add(made, "%s%c", *name == '"' ? "\"" : "", *name);
    }
    csv_add(made, "\"");
}

void csv_add_value(csv_text *made, double value)
{
    if (isnan(value)) {
        csv_add(made, ",");
    } else {
        csv_add(made, ",%.3f", value);
    }
}
