/* Cells of CSV (RFC 4180). */
#include "text/csv_cells.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text/number_text.h"

/* Text without control characters but those that a quoted cell may have. A table is also shown on terminals. */
static void put_cleaned(const rcity_text_sink *sink, const char *text, size_t length)
{
    size_t first = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char letter = (unsigned char)text[i];
        bool is_late = letter == 0xc2 && i + 1 < length && (unsigned char)text[i + 1] >= 0x80 &&
                       (unsigned char)text[i + 1] <= 0x9f; /* U+0080 to U+009F in UTF-8 */
        bool is_plain = (letter >= 0x20 && letter != 0x7f && !is_late) || strchr("\n\r\t", letter) != NULL;
        if (!is_plain) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\x%02x", is_late ? (unsigned char)text[i + 1] : letter);
            sink->put(sink->user, text + first, i - first);
            rcity_text_put(sink, escape);
            i += is_late ? 1 : 0;
            first = i + 1;
        }
    }
    sink->put(sink->user, text + first, length - first);
}

void rcity_csv_put_text(const rcity_text_sink *sink, const char *text)
{
    if (strpbrk(text, ",;\"\n\r") == NULL) {
        put_cleaned(sink, text, strlen(text));
        return;
    }
    rcity_text_put(sink, "\"");
    for (const char *quote = strchr(text, '"'); quote != NULL; quote = strchr(text, '"')) {
        put_cleaned(sink, text, (size_t)(quote - text) + 1);
        rcity_text_put(sink, "\"");
        text = quote + 1;
    }
    put_cleaned(sink, text, strlen(text));
    rcity_text_put(sink, "\"");
}

void rcity_csv_put_number(const rcity_text_sink *sink, double value, int decimal_count)
{
    rcity_text_put(sink, ",");
    if (isfinite(value)) {
        rcity_text_put_fixed(sink, value, decimal_count);
    }
}
