/* Which columns of a list hold what was measured. */
#ifndef RCITY_IO_MEASUREMENTS_MEASUREMENT_COLUMNS_H
#define RCITY_IO_MEASUREMENTS_MEASUREMENT_COLUMNS_H

#include "io/list/records.h"
#include "radiocity/measure.h"

/* -1: there is none. */
typedef struct rcity_measurement_columns {
    int value, height, time, route;
    rcity_measured_kind kind; /* LOSS or POWER */
    double time_unit_s;
} rcity_measurement_columns;

/* Find them by the names that the options give, else by those that docs/guide/measurements.md lists. The value of a
   plain list, whose columns have no names of their own, is a loss unless the options say otherwise.
   @return RCITY_ERR_ARGUMENT, with all columns, when the value is not the only one that could be meant, when its name
   does not tell what it is, and for a name that is not there. */
rcity_status rcity_measurement_find_columns(rcity_records *records, const rcity_measurements_options *options,
                                            bool is_plain, rcity_measurement_columns *columns);

#endif
