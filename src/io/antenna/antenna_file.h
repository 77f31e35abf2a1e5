/* Antenna patterns as CSV: angle_deg, horizontal_loss_db, vertical_loss_db, and notes such as "# gain_dbi: 17.5". */
#ifndef RCITY_IO_ANTENNA_FILE_H
#define RCITY_IO_ANTENNA_FILE_H

#include <stddef.h>

#include "radiocity/antenna.h"

/* Read two cuts from memory; `name` stands for the path in messages.
   @return RCITY_ERR_FORMAT with line and reason, RCITY_ERR_MEMORY. */
rcity_status rcity_cuts_csv_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                  rcity_antenna_synthesis synthesis, rcity_antenna **antenna);

#endif
