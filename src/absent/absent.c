/* The one message for everything that a build without an optional library cannot do. */
#include "absent/absent.h"

rcity_status rcity_refuse_absent(rcity_context *context, const char *library, const char *package, const char *task,
                                 const char *path, const char *instead)
{
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot %s%s%s%s: this build has no %s; install %s and build again%s%s", task,
                      path != NULL ? " '" : "", path != NULL ? path : "", path != NULL ? "'" : "", library, package,
                      instead != NULL ? ", or " : "", instead != NULL ? instead : "");
}
