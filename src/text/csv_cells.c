/* Cells of CSV (RFC 4180). */
#include "text/csv_cells.h"

#include <math.h>

#include "text/number_text.h"

void rcity_csv_put_text(const rcity_text_sink *sink, const char *text)
{
    if (strpbrk(text, ",;\"\n\r") == NULL) {
        rcity_text_put(sink, text);
        return;
    }
    rcity_text_put(sink, "\"");
    for (const char *quote = strchr(text, '"'); quote != NULL; quote = strchr(text, '"')) {
        sink->put(sink->user, text, (size_t)(quote - text) + 1);
        rcity_text_put(sink, "\"");
        text = quote + 1;
    }
    rcity_text_put(sink, text);
    rcity_text_put(sink, "\"");
}

void rcity_csv_put_number(const rcity_text_sink *sink, double value, int decimal_count)
{
    rcity_text_put(sink, ",");
    if (isfinite(value)) {
        rcity_text_put_fixed(sink, value, decimal_count);
    }
}
