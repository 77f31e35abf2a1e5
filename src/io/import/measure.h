/* Lengths as map data write them: "12.5", "12,5 m", "40 ft", "6'2\"". */
#ifndef RCITY_IO_IMPORT_MEASURE_H
#define RCITY_IO_IMPORT_MEASURE_H

#include <stdbool.h>

#define RCITY_FOOT_M 0.3048 /* the international foot */

/* Read a whole text as a number: in metres where it has a unit and `allows_unit`, else times `bare_unit`. A comma is
   the decimal sign where it cannot separate thousands: not before exactly three digits, unless only a 0 precedes it.
   @return false for anything else; `*value` is untouched then. */
bool rcity_measure_read(const char *text, bool allows_unit, double bare_unit, double *value);

#endif
