/* Names that files of coefficients used before version 0.2.0: such files are refused, and the message gives the new
   name. */
#ifndef RCITY_IO_COEFFICIENTS_OLD_MEMBERS_H
#define RCITY_IO_COEFFICIENTS_OLD_MEMBERS_H

/* The present name of an option of a method; NULL if the option was never renamed. */
const char *rcity_option_new_name(const char *old_name);

/* The former name of a member; NULL if the member was never renamed. */
const char *rcity_member_old_name(const char *new_name);

#endif
