/* What writing the files of a scene takes in memory; what those of a map take is public (io.h). */
#ifndef RCITY_IO_OUTPUT_BYTES_H
#define RCITY_IO_OUTPUT_BYTES_H

#include "radiocity/io.h"

/* Terrain as GeoTIFF, without overviews; at worst nothing compresses. */
double rcity_terrain_bytes(int64_t node_count);

/* Buildings as a vector file of GDAL's, made in its memory. */
double rcity_vector_bytes(int64_t point_count, int64_t feature_count);

#endif
