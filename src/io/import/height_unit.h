/* The unit of a field of heights. */
#ifndef RCITY_IO_IMPORT_HEIGHT_UNIT_H
#define RCITY_IO_IMPORT_HEIGHT_UNIT_H

#include "io/import/vector/vector.h"

/* Check that options->height_unit is a known unit. @return RCITY_ERR_ARGUMENT. */
rcity_status rcity_height_unit_check(rcity_context *context, const char *unit);

/* Does the name of a field end in a word for feet: HEIGHT_FT, heightFt, Height_Feet, height (ft)? */
bool rcity_height_unit_says_feet(const char *name);

/* Set the unit of a field that was found: the user's, else metres. Warns once per import if the CRS of the data is in
   feet. @return RCITY_ERR_ARGUMENT for a name that says feet if the user gives no unit. */
rcity_status rcity_height_unit_settle(const rcity_vector *vector, rcity_vector_field *field);

#endif
