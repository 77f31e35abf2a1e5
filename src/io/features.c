/* What this build can read and write; the numbers come from the build. */
#include "radiocity/io.h"

rcity_build_features rcity_build_features_get(void)
{
    rcity_build_features features = {RCITY_BUILD_GDAL != 0, RCITY_BUILD_CAIRO != 0, RCITY_BUILD_HDF5 != 0,
                                     RCITY_BUILD_JANSSON != 0};
    return features;
}
