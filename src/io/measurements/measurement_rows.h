/* Rows of measured values: read, cleaned and counted. */
#ifndef RCITY_IO_MEASUREMENTS_MEASUREMENT_ROWS_H
#define RCITY_IO_MEASUREMENTS_MEASUREMENT_ROWS_H

#include "io/measurements/measurement_columns.h"
#include "result/measurements.h"

#define RCITY_MEASURED_LIMIT_DB     1000.0 /* no loss or level is beyond this */
#define RCITY_MEASUREMENT_ROUTE_MAX 4096   /* more routes than this are a column that counts something else */

/* Bring all rows of a list into the scene and what is left of them into `made`, route after route; counts what became
   of each. @return RCITY_ERR_FORMAT, RCITY_ERR_ARGUMENT when none is left, saying where they went, and as
   rcity_records_locate(). */
rcity_status rcity_measurement_read_rows(rcity_records *records, const rcity_scene *scene,
                                         const rcity_measurements_options *options,
                                         const rcity_measurement_columns *columns, rcity_measurements *made);

/* Look at the values that were kept: fails for those that are something else than they are said to be, warns of a pile
   at an end that the options do not know, of a constant and of single odd ones (measurement_check.c). @return RCITY_ERR_ARGUMENT, RCITY_ERR_MEMORY. */
rcity_status rcity_measurement_check_values(const rcity_measurements *measurements, const char *name,
                                            const rcity_measurements_options *options);

#endif
