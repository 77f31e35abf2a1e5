/* Files of coefficients against the table of methods. */
#ifndef RCITY_API_COEFFICIENTS_H
#define RCITY_API_COEFFICIENTS_H

#include "base/base.h"
#include "radiocity/fit.h"

/* Refuse coefficients of a method that is not there, options it does not take, and values outside their ranges. `path`
   is for messages. @return RCITY_ERR_FORMAT. */
rcity_status rcity_coefficients_check(rcity_context *context, const char *path, const rcity_coefficients *coefficients);

#endif
