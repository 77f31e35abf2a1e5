/* Columns by names that are nearly ours, and values in the units these names state: "Height (ft)" is height_m in feet. */
#ifndef RCITY_IO_LIST_QUANTITIES_H
#define RCITY_IO_LIST_QUANTITIES_H

#include "io/list/records.h"

/* What a column holds, and the unit in which its values are returned. */
typedef enum rcity_quantity {
    RCITY_QUANTITY_WORD,      /* words, or a number without a unit */
    RCITY_QUANTITY_LENGTH,    /* metres */
    RCITY_QUANTITY_FREQUENCY, /* MHz */
    RCITY_QUANTITY_ANGLE,     /* degrees */
    RCITY_QUANTITY_LEVEL,     /* dBm */
    RCITY_QUANTITY_POWER,     /* watts */
    RCITY_QUANTITY_LOSS,      /* dB */
    RCITY_QUANTITY_SHARE,     /* 0 to 1 */
} rcity_quantity;

/* rcity_records_find(), and where no column has one of the names exactly: the first column not yet used that has one
   apart from case, spaces, marks and brackets, with or without a unit of the quantity behind it. From then on
   rcity_records_number() returns its values in the quantity's own unit. */
int rcity_records_find_quantity(rcity_records *records, const char *names, rcity_quantity quantity);

/* Take the unit of a column that the user named: what stands behind the last mark in its name, such as "rx_ft". */
void rcity_records_read_unit(rcity_records *records, int column, rcity_quantity quantity);

/* A value of a column as found by the above, in the quantity's own unit. */
double rcity_quantity_convert(int unit, double value);

/* Do the names of columns that nothing has used promise more than a description of a place, such as an owner or a date?
   Fills a list for a message. */
bool rcity_records_list_unknown(const rcity_records *records, char list[RCITY_RECORDS_LIST_BYTES], int *count);

/* The same for names that speak of a height. */
bool rcity_records_list_heights(const rcity_records *records, char list[RCITY_RECORDS_LIST_BYTES], int *count);

#endif
