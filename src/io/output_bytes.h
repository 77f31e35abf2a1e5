/* Memory needed to write the files of a scene; that for the files of a map is public (io.h). */
#ifndef RCITY_IO_OUTPUT_BYTES_H
#define RCITY_IO_OUTPUT_BYTES_H

#include "radiocity/io.h"

/* Terrain as GeoTIFF, without overviews; at worst nothing compresses. */
double rcity_terrain_bytes(int64_t node_count);

/* Buildings as a vector file, made in GDAL's memory. */
double rcity_vector_bytes(int64_t point_count, int64_t feature_count);

#endif
