/* What this build can read and write, as the build system defines it. */
#include "base/abi.h"
#include "radiocity/io.h"

void rcity_build_features_get_sized(size_t features_bytes, rcity_build_features *features)
{
    const rcity_build_features made = {RCITY_BUILD_GDAL != 0, RCITY_BUILD_CAIRO != 0, RCITY_BUILD_HDF5 != 0,
                                       RCITY_BUILD_JANSSON != 0};
    if (features != NULL) {
        rcity_copy_struct(&made, sizeof made, features_bytes, features);
    }
}
