/* Files of coefficients. */
#ifndef RCITY_IO_COEFFICIENTS_FILE_H
#define RCITY_IO_COEFFICIENTS_FILE_H

#include "base/base.h"
#include "radiocity/fit.h"

#define RCITY_COEFFICIENTS_FORMAT    "radiocity coefficients"
#define RCITY_COEFFICIENTS_VERSION   2
#define RCITY_COEFFICIENTS_BYTES_MAX 4000000 /* larger files are refused; jansson's memory is not counted */

/* Read the text of a file; `path` is for messages. It does not check that method and options exist. Owned by the
   caller; release with rcity_coefficients_destroy(). @return as rcity_coefficients_load(), without RCITY_ERR_FILE. */
rcity_status rcity_coefficients_parse(rcity_context *context, const char *path, const char *text, size_t bytes,
                                      rcity_coefficients **coefficients);

#endif
