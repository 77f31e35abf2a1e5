/* Antenna patterns in MSI/Planet files. */
#ifndef RCITY_IO_MSI_H
#define RCITY_IO_MSI_H

#include <stddef.h>

#include "radiocity/antenna.h"

/* Read a pattern from memory; `name` stands for the path in messages.
   @return RCITY_ERR_FORMAT with line and reason, RCITY_ERR_MEMORY. */
rcity_status rcity_msi_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                             rcity_antenna_synthesis synthesis, rcity_antenna **antenna);

#endif
