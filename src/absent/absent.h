/* The error message of a build that was made without an optional library. */
#ifndef RCITY_ABSENT_ABSENT_H
#define RCITY_ABSENT_ABSENT_H

#include "base/base.h"

/* Fail: "cannot TASK 'PATH': this build has no LIBRARY; install PACKAGE and build again, or INSTEAD". `path` and
   `instead` may be NULL; then their part is left out. @return RCITY_ERR_UNSUPPORTED. */
rcity_status rcity_refuse_absent(rcity_context *context, const char *library, const char *package, const char *task,
                                 const char *path, const char *instead);

#endif
