/* The parts that all GeoJSON files share (RFC 7946). Longitude and latitude; without a CRS the plan's metres, which RFC
   7946 does not define but every GIS reads. */
#ifndef RCITY_IO_EXPORT_GEOJSON_H
#define RCITY_IO_EXPORT_GEOJSON_H

#include "base/base.h"
#include "text/json_writer.h"

#define RCITY_GEOJSON_METRE_DECIMALS 4

/* Number of decimals of coordinates for a CRS or for "none": in degrees the last is about a millimetre. */
int rcity_geojson_decimals(const char *crs);

/* Begin the collection; foreign members may follow. Then comes the array "features". */
void rcity_geojson_begin(rcity_json_writer *json);

/* End the features, the collection and the file. */
void rcity_geojson_end(rcity_json_writer *json);

/* Begin a feature and its geometry up to the coordinates, whose value comes next; end the geometry behind it. */
void rcity_geojson_begin_feature(rcity_json_writer *json, const char *geometry);

/* A position; without a height that is not finite. */
void rcity_geojson_position(rcity_json_writer *json, const double *xy, double z_m, int decimals);

#endif
