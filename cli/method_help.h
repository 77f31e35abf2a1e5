/* Methods and their options for the help text, from the library's table. */
#ifndef CLI_METHOD_HELP_H
#define CLI_METHOD_HELP_H

#include <stddef.h>

#include "radiocity/radiocity.h"

/* Append to `text`; cut to the buffer's size. */
void help_append(char *text, size_t room, const char *more);

/* Add a method's line and those of its options that have none of the uses `without` (RCITY_OPTION_*). */
void help_append_method(char *text, size_t room, int method_index, unsigned without);

/* Add those options of a method that have one of the uses. */
void help_append_options(char *text, size_t room, int method_index, unsigned uses);

/* Add all methods. */
void help_append_methods(char *text, size_t room);

#define METHOD_TEXT_BYTES 128

/* What an option for the method says: `text` behind `before`, with the method that is used unless one is given, and with
   `for_scenes` also the one for hills without buildings. */
const char *help_describe_method(const char *before, bool for_scenes, char *text, size_t room);

/* The method for a scene where none is asked for. */
const char *method_choose(const rcity_scene *scene);

/* A method by name. @return false when there is none. */
bool method_find(const char *name, rcity_method_info *info);

/* Names of the options of all methods, without dashes; NULL past the last. */
const char *method_option_at(int index);

/* Has any method an option of this name? */
bool method_option_exists(const char *name);

#endif
