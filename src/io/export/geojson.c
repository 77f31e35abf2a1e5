/* The parts that all GeoJSON files share. */
#include "io/export/geojson.h"

#include <math.h>
#include <string.h>

#define DEGREE_DECIMALS 8

int rcity_geojson_decimals(const char *crs)
{
    return strcmp(crs, "none") != 0 ? DEGREE_DECIMALS : RCITY_GEOJSON_METRE_DECIMALS;
}

void rcity_geojson_begin(rcity_json_writer *json)
{
    rcity_json_begin_object(json, NULL);
    rcity_json_text(json, "type", "FeatureCollection");
}

void rcity_geojson_end(rcity_json_writer *json)
{
    rcity_json_break_line(json);
    rcity_json_end_array(json);
    rcity_json_end_object(json);
    rcity_json_end_line(json);
}

void rcity_geojson_begin_feature(rcity_json_writer *json, const char *geometry)
{
    rcity_json_begin_object(json, NULL);
    rcity_json_text(json, "type", "Feature");
    rcity_json_begin_object(json, "geometry");
    rcity_json_text(json, "type", geometry);
    rcity_json_key(json, "coordinates");
}

void rcity_geojson_position(rcity_json_writer *json, const double *xy, double z_m, int decimals)
{
    rcity_json_begin_array(json, NULL);
    rcity_json_fixed(json, NULL, xy[0], decimals);
    rcity_json_fixed(json, NULL, xy[1], decimals);
    if (isfinite(z_m)) {
        rcity_json_fixed(json, NULL, z_m, RCITY_GEOJSON_METRE_DECIMALS);
    }
    rcity_json_end_array(json);
}
