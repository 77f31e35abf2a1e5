/* Methods and their options as the help shows them, from the library's own table. */
#ifndef CLI_METHOD_HELP_H
#define CLI_METHOD_HELP_H

#include <stddef.h>

#include "radiocity/radiocity.h"

/* Add text behind what stands in `text` already; what has no room is cut. */
void help_append(char *text, size_t room, const char *more);

/* Add a method's line and those of its options. */
void help_append_method(char *text, size_t room, const rcity_method_info *info);

/* Add all methods. */
void help_append_methods(char *text, size_t room);

/* A method by name. @return false when there is none. */
bool method_find(const char *name, rcity_method_info *info);

/* Options of all methods, one after the other, without dashes; NULL past the last. */
const char *method_option_at(int index);

/* Has any method an option of this name? */
bool method_option_exists(const char *name);

#endif
