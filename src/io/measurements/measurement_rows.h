/* Rows of measured values: read, cleaned and counted. */
#ifndef RCITY_IO_MEASUREMENTS_MEASUREMENT_ROWS_H
#define RCITY_IO_MEASUREMENTS_MEASUREMENT_ROWS_H

#include "io/measurements/measurement_columns.h"
#include "result/measurements.h"

#define RCITY_MEASURED_LIMIT_DB     1000.0 /* largest absolute loss or level */
#define RCITY_MEASUREMENT_ROUTE_MAX 4096   /* with more routes the column means something else */

/* Transform all rows of a list to the scene's CRS and append those that are kept to `made`, route by route; counts what
   happened to each. @return RCITY_ERR_FORMAT, RCITY_ERR_ARGUMENT when none is left, with the reasons, and as
   rcity_records_locate(). */
rcity_status rcity_measurement_read_rows(rcity_records *records, const rcity_scene *scene,
                                         const rcity_measurements_options *options,
                                         const rcity_measurement_columns *columns, rcity_measurements *made);

/* Check the values that were kept: fails for values that are not what they are stated to be, warns of many equal values
   at an end that the options do not name, of a constant and of single odd values (measurement_check.c). @return
   RCITY_ERR_ARGUMENT, RCITY_ERR_MEMORY. */
rcity_status rcity_measurement_check_values(const rcity_measurements *measurements, const char *name,
                                            const rcity_measurements_options *options);

#endif
