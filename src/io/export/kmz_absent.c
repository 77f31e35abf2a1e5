/* Maps for a globe in a build without GDAL: a sentence instead of a file. */
#include "base/base.h"
#include "radiocity/io.h"

rcity_status rcity_map_save_kmz(rcity_context *context, const rcity_map *map, int band_index, int threshold_count,
                                const double *thresholds, int transmitter_count, const rcity_transmitter *transmitters,
                                const char *path)
{
    (void)map;
    (void)band_index;
    (void)threshold_count;
    (void)thresholds;
    (void)transmitter_count;
    (void)transmitters;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot write '%s': this build has no GDAL; install libgdal-dev and build again", path);
}
