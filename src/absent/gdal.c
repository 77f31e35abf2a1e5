/* GIS formats and coordinate reference systems in a build without GDAL: an error message instead of a file or a
   result. */
#include <string.h>

#include "absent/absent.h"
#include "base/abi.h"
#include "io/export/place_table.h"
#include "io/list/records.h"
#include "radiocity/crs.h"
#include "radiocity/import.h"
#include "radiocity/io.h"

static rcity_status refuse(rcity_context *context, const char *task, const char *path)
{
    return rcity_refuse_absent(context, "GDAL", "libgdal-dev", task, path, NULL);
}

rcity_status rcity_crs_check(rcity_context *context, const char *crs)
{
    (void)context;
    (void)crs;
    return RCITY_OK;
}

rcity_status rcity_crs_transform(rcity_context *context, const char *from, const char *to, int64_t point_count,
                                 double *xy)
{
    (void)from;
    (void)to;
    (void)point_count;
    (void)xy;
    return refuse(context, "move points between CRS", NULL);
}

rcity_status rcity_crs_get_convergence(rcity_context *context, const char *crs, double x_m, double y_m,
                                       double *convergence_deg)
{
    (void)x_m;
    (void)y_m;
    if (strcmp(crs, "none") == 0) {
        *convergence_deg = 0.0;
        return RCITY_OK;
    }
    return refuse(context, "find true north for an antenna that has a direction", NULL);
}

rcity_status rcity_crs_choose_utm(rcity_context *context, double lon_deg, double lat_deg, char crs[RCITY_CRS_BYTES])
{
    (void)lon_deg;
    (void)lat_deg;
    (void)crs;
    return refuse(context, "choose a UTM zone", NULL);
}

rcity_status rcity_scene_place_lonlat(rcity_context *context, const rcity_scene *scene, double lon_deg, double lat_deg,
                                      double *x_m, double *y_m)
{
    (void)scene;
    (void)lon_deg;
    (void)lat_deg;
    (void)x_m;
    (void)y_m;
    return refuse(context, "place longitude and latitude", NULL);
}

void rcity_geotiff_options_init(rcity_geotiff_options *options, size_t struct_bytes)
{
    rcity_geotiff_options made = {.crs = NULL};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

rcity_status rcity_map_save_geotiff(rcity_context *context, const rcity_map *map, const rcity_geotiff_options *options,
                                    const char *path)
{
    (void)map;
    (void)options;
    return refuse(context, "write", path);
}

rcity_status rcity_map_load_geotiff(rcity_context *context, const char *path, rcity_map **map)
{
    (void)map;
    return refuse(context, "read", path);
}

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
    return refuse(context, "write", path);
}

rcity_status rcity_scene_import_sized(rcity_context *context, const rcity_import_options *options, rcity_scene **scene,
                                      size_t report_bytes, rcity_import_report *report)
{
    (void)report_bytes;
    (void)options;
    (void)scene;
    (void)report;
    return refuse(context, "import GIS data", NULL);
}

rcity_status rcity_scene_export(rcity_context *context, const rcity_scene *scene, const char *crs, const char *path)
{
    (void)scene;
    (void)crs;
    return refuse(context, "write", path);
}

rcity_status rcity_place_table_save(const rcity_place_table *table, const char *path)
{
    return table == NULL ? RCITY_ERR_ARGUMENT : refuse(table->context, "write", path);
}

rcity_status rcity_scene_export_terrain(rcity_context *context, const rcity_scene *scene, const char *path)
{
    (void)scene;
    return refuse(context, "write", path);
}

rcity_status rcity_records_read_vector(rcity_context *context, const char *path, rcity_records *records)
{
    (void)records;
    return rcity_refuse_absent(context, "GDAL", "libgdal-dev", "read", path, "give a .csv");
}
