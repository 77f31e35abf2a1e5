/* Files of coefficients in a build without jansson: an error message instead of coefficients. */
#include "absent/absent.h"
#include "io/coefficients/coefficients_file.h"

rcity_status rcity_coefficients_parse(rcity_context *context, const char *path, const char *text, size_t bytes,
                                      rcity_coefficients **coefficients)
{
    (void)text;
    (void)bytes;
    (void)coefficients;
    return rcity_refuse_absent(context, "jansson", "libjansson-dev", "read", path, NULL);
}
