/* In which unit the numbers of a field of heights count. */
#ifndef RCITY_IO_IMPORT_HEIGHT_UNIT_H
#define RCITY_IO_IMPORT_HEIGHT_UNIT_H

#include "io/import/vector/vector.h"

/* Is options->height_unit one there is? @return RCITY_ERR_ARGUMENT */
rcity_status rcity_height_unit_check(rcity_context *context, const char *unit);

/* Does the name of a field end in a word for feet: HEIGHT_FT, heightFt, Height_Feet, height (ft)? */
bool rcity_height_unit_says_feet(const char *name);

/* Set the unit of a field that was found: the one the user gives, else metres. Warns once an import of data that lie in
   feet. @return RCITY_ERR_ARGUMENT for a name that says feet while the user says nothing. */
rcity_status rcity_height_unit_settle(const rcity_vector *vector, rcity_vector_field *field);

#endif
