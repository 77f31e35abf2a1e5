/* A growing text with the cells of a CSV table. */
#ifndef CLI_CSV_TEXT_H
#define CLI_CSV_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Initialise with zeros; free(text) at the end. */
typedef struct csv_text {
    char *text;
    size_t used, room;
    bool is_broken; /* memory ran out; later additions are lost */
} csv_text;

/* Add text as it is, at most 511 bytes at once. */
void csv_add(csv_text *made, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add a name, quoted if CSV requires it. */
void csv_add_name(csv_text *made, const char *name);

/* Add a comma and a value with three decimals; an empty cell if it is not finite. */
void csv_add_value(csv_text *made, double value);

#endif
