/* Numbers from text, the same in every locale; rcity_number_print() writes them. */
#ifndef RCITY_BASE_NUMBER_H
#define RCITY_BASE_NUMBER_H

#include "base/base.h"
#include "text/number_text.h"

/* Read a decimal number ("-12.5e3") at *text and move *text past it; spaces before it are not skipped. Words such as
   "nan" or "inf" are no numbers, and of "0x10" only the 0 is one. The value is the double nearest to the number;
   infinite where it is too large. */
bool rcity_number_read(const char **text, const char *end, double *value);

#endif
