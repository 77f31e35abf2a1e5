/* Heights and levels as OpenStreetMap's mappers write them: "~3", "3;4", "10-12 m". */
#ifndef RCITY_IO_IMPORT_OSM_VALUE_H
#define RCITY_IO_IMPORT_OSM_VALUE_H

#include <stdbool.h>

/* rcity_measure_read(), and beyond it: words and marks for "about" in front are skipped, of a list with semicolons the
   greatest value is taken, of a range the middle. @return false for anything else; `*value` is untouched then. */
bool rcity_osm_value_read(const char *text, bool allows_unit, double *value);

#endif
