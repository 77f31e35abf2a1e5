/* The transmitters that the columns of measured values state. */
#ifndef RCITY_IO_MEASUREMENTS_MEASUREMENT_TRANSMITTERS_H
#define RCITY_IO_MEASUREMENTS_MEASUREMENT_TRANSMITTERS_H

#include "io/list/records.h"
#include "result/measurements.h"

#define RCITY_MEASUREMENT_TRANSMITTER_MAX 4096 /* a column with more values is no transmitter */

/* Add the transmitter of each wanted row to `bearer`, once for all rows that state the same, and set `transmitter[row]`
   to its index; -1 if there is none. One without a name gets the name "Tx" and its number; one that is only named has
   no position (NAN).
   @return RCITY_ERR_FORMAT, RCITY_ERR_ARGUMENT for too many, RCITY_ERR_UNSUPPORTED, RCITY_ERR_MEMORY. */
rcity_status rcity_measurement_read_transmitters(rcity_records *records, const rcity_scene *scene,
                                                 const rcity_measurements_options *options, const bool *is_wanted,
                                                 rcity_measurements *bearer, int *transmitter);

#endif
