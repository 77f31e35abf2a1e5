/* Options that had another name before version 0.2.0: the old name is refused, and the message gives the new one. */
#ifndef CLI_REFUSED_NAMES_H
#define CLI_REFUSED_NAMES_H

/* The new name of an option, both with dashes; NULL if it was never renamed. */
const char *refused_option(const char *name);

/* The same for an option of a method, without dashes. */
const char *refused_method_option(const char *name);

#endif
