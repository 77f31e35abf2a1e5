/* A table as text that grows: cells for CSV. */
#ifndef CLI_CSV_TEXT_H
#define CLI_CSV_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Start from zeroed memory; free(text) in the end. */
typedef struct csv_text {
    char *text;
    size_t used, room;
    bool is_broken; /* memory ran out; what was added after is lost */
} csv_text;

/* Add text as it is, at most 511 bytes at once. */
void csv_add(csv_text *made, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add a name as CSV wants it: quoted where it must be. */
void csv_add_name(csv_text *made, const char *name);

/* Add a comma and a value with three decimals; an empty cell where it is not finite. */
void csv_add_value(csv_text *made, double value);

#endif
