/* Cells of CSV (RFC 4180). */
#ifndef RCITY_TEXT_CSV_CELLS_H
#define RCITY_TEXT_CSV_CELLS_H

#include "text/text_sink.h"

/* A text, in quotes where it contains a separator. Semicolons count: where the decimal separator is a comma, programs
   take them for separators. */
void rcity_csv_put_text(const rcity_text_sink *sink, const char *text);

/* A comma and a number with a fixed count of decimals, never "-0"; an empty cell where it is not finite. */
void rcity_csv_put_number(const rcity_text_sink *sink, double value, int decimal_count);

#endif
