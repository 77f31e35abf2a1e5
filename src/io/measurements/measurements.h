/* Measurements from records. */
#ifndef RCITY_IO_MEASUREMENTS_MEASUREMENTS_H
#define RCITY_IO_MEASUREMENTS_MEASUREMENTS_H

#include "io/list/records.h"
#include "radiocity/measure.h"

/* rcity_measurements_load() after reading the file; `is_plain`: its columns have no names of their own. */
rcity_status rcity_measurements_read(rcity_records *records, bool is_plain, const rcity_scene *scene,
                                     const rcity_measurements_options *options, rcity_measurements **measurements);

#endif
