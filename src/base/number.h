/* Numbers out of text, the same in every locale. */
#ifndef RCITY_BASE_NUMBER_H
#define RCITY_BASE_NUMBER_H

#include <stdbool.h>

/* Read a decimal number ("-12.5e3") at *text and move *text behind it; spaces before it are not skipped. Words such as
   "nan" or "inf" are no numbers. Exact for up to 15 digits and powers of ten up to 22; a few units in the last place
   off beyond, which no coordinate or height can tell. */
bool rcity_number_read(const char **text, const char *end, double *value);

#endif
