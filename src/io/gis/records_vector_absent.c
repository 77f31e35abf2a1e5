/* Lists of places out of vectors in a build without GDAL: a sentence instead. */
#include "io/list/records.h"

rcity_status rcity_records_read_vector(rcity_context *context, const char *path, rcity_records *records)
{
    (void)records;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot read '%s': this build has no GDAL; give a .csv, or install libgdal-dev and build again",
                      path);
}
