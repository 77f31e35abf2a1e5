/* Names in files of coefficients of versions before 0.2.0 that are others now: such files are refused, and the message says which. */
#ifndef RCITY_IO_COEFFICIENTS_OLD_MEMBERS_H
#define RCITY_IO_COEFFICIENTS_OLD_MEMBERS_H

/* The name that an option of a method has now; NULL when it never had another. */
const char *rcity_option_new_name(const char *old_name);

/* The name that a member had before; NULL when it never had another. */
const char *rcity_member_old_name(const char *new_name);

#endif
