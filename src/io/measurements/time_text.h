/* Times as written in files. */
#ifndef RCITY_IO_MEASUREMENTS_TIME_TEXT_H
#define RCITY_IO_MEASUREMENTS_TIME_TEXT_H

#include <stdbool.h>

/* Read a time: a number of seconds, "2023-07-10T14:03:05.25Z" (ISO 8601, also with a space for the T, without seconds,
   with an offset such as +02:00; without one it counts as UTC) as seconds since 1970, or "14:03:05" as seconds of the
   day. @return whether all of the text is one of these. */
bool rcity_time_read(const char *text, bool may_use_comma, double *seconds);

#endif
