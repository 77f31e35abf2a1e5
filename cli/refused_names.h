/* Options of versions before 0.2.0 that have another name now: they are refused, and the message says which. */
#ifndef CLI_REFUSED_NAMES_H
#define CLI_REFUSED_NAMES_H

/* The new name of an option, both with dashes; NULL when it never had another. */
const char *refused_option(const char *name);

/* The same for an option of a method, without dashes. */
const char *refused_method_option(const char *name);

#endif
