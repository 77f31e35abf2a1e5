/* Numbers out of text and into it, the same in every locale. */
#ifndef RCITY_BASE_NUMBER_H
#define RCITY_BASE_NUMBER_H

#include "base/base.h"

/* Read a decimal number ("-12.5e3") at *text and move *text behind it; spaces before it are not skipped. Words such as
   "nan" or "inf" are no numbers, and of "0x10" the 0 alone is one. The value is the double nearest to the number;
   infinite where it is too large. */
bool rcity_number_read(const char **text, const char *end, double *value);

/* snprintf() and vsnprintf() with a point in every number, for what goes into files: a program that asked for its
   user's locale would write "1,5" otherwise. */
int rcity_number_print(char *text, size_t room, const char *format, ...) RCITY_PRINTF(3, 4);
int rcity_number_vprint(char *text, size_t room, const char *format, va_list arguments) RCITY_PRINTF(3, 0);

#endif
