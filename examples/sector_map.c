/* A small network: blocks of houses, a mast with three sectors, the strongest sector everywhere, and how much is
   covered.

       sector_map [FOLDER]     writes network.tif where the build has GDAL */
#include <stdio.h>

#include "radiocity/radiocity.h"

enum { BLOCK_COUNT = 9, SECTOR_COUNT = 3, THRESHOLD_COUNT = 3 };

static const double threshold_dbm[THRESHOLD_COUNT] = {-95.0, -85.0, -75.0};

/* Square blocks of 60 m and streets of 20 m between them, 9 x 9 of them; the one in the middle is left out for the
   mast. */
static rcity_status build_scene(rcity_context *context, rcity_scene **scene)
{
    const int point_count = 4;
    const double size_m = 60.0;
    rcity_scene_options options = rcity_scene_options_default();
    rcity_status status = rcity_scene_create(context, &options, scene);
    for (int i = 0; i < BLOCK_COUNT * BLOCK_COUNT && status == RCITY_OK; i++) {
        double x_m = 80.0 * (i % BLOCK_COUNT);
        double y_m = 80.0 * (i / BLOCK_COUNT);
        double xy_m[] = {x_m, y_m, x_m + size_m, y_m, x_m + size_m, y_m + size_m, x_m, y_m + size_m};
        rcity_building building = rcity_building_default();
        building.id = i + 1;
        building.ring_count = 1;
        building.ring_point_count = &point_count;
        building.xy_m = xy_m;
        building.height_m = 12.0 + 3.0 * (i % 4);
        if (i != BLOCK_COUNT * BLOCK_COUNT / 2) {
            status = rcity_scene_add_building(*scene, &building); /* copies everything */
        }
    }
    return status == RCITY_OK ? rcity_scene_commit(*scene) : status;
}

/* Three sectors of one mast. The antenna is borrowed: it must outlive the predictions. */
static void place_sectors(const rcity_antenna *antenna, rcity_transmitter sectors[SECTOR_COUNT])
{
    static const char *const names[SECTOR_COUNT] = {"Square/1", "Square/2", "Square/3"};
    for (int i = 0; i < SECTOR_COUNT; i++) {
        sectors[i] = rcity_transmitter_default();
        sectors[i].name = names[i];
        sectors[i].x_m = sectors[i].y_m = 350.0; /* the middle of the empty block */
        sectors[i].height_m = 25.0;              /* the only height for which 3GPP's urban macrocell is published */
        sectors[i].frequency_hz = 3.5e9;
        sectors[i].power_kind = RCITY_POWER_EIRP;
        sectors[i].power_dbm = 30.0;
        sectors[i].antenna = antenna;
        sectors[i].azimuth_deg = 60.0 + 120.0 * i;
        sectors[i].mechanical_tilt_deg = 4.0;
    }
}

static rcity_status print_coverage(rcity_context *context, const rcity_map *map)
{
    rcity_status status = RCITY_OK;
    for (int i = 0; i < THRESHOLD_COUNT && status == RCITY_OK; i++) {
        rcity_coverage coverage;
        status =
            rcity_map_get_coverage(context, map, 0, threshold_dbm[i], 8.0, &coverage); /* band 0 is received_power */
        if (status == RCITY_OK) {
            printf("%4.0f dBm: %5.1f %% of %.3f km2, %5.1f %% with fading\n", threshold_dbm[i],
                   100.0 * coverage.covered_fraction, coverage.receiver_km2, 100.0 * coverage.fading_fraction);
        }
    }
    return status;
}

static rcity_status save(rcity_context *context, const rcity_map *map, const char *folder)
{
    if (!rcity_build_features_get().has_geotiff) {
        return RCITY_OK;
    }
    char path[512];
    snprintf(path, sizeof path, "%s/network.tif", folder);
    return rcity_map_save_geotiff(context, map, NULL, path);
}

static rcity_status work(rcity_context *context, const char *folder)
{
    rcity_scene *scene = NULL;
    rcity_antenna *antenna = NULL;
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    rcity_transmitter sectors[SECTOR_COUNT];
    rcity_request request = rcity_request_default();
    request.method = "3gpp-uma";
    request.range_policy = RCITY_RANGE_SKIP; /* the model is not published for less than 10 m */
    rcity_network_options options = rcity_network_options_default();

    rcity_status status = build_scene(context, &scene);
    if (status == RCITY_OK) {
        status = rcity_antenna_create(context, "3gpp", &antenna);
    }
    if (status == RCITY_OK) {
        status = rcity_device_open(context, NULL, &device); /* the best device */
    }
    if (status == RCITY_OK) {
        place_sectors(antenna, sectors);
        status = rcity_predict_network(context, scene, device, &request, SECTOR_COUNT, sectors, &options, &map);
    }
    if (status == RCITY_OK) {
        status = print_coverage(context, map);
    }
    if (status == RCITY_OK) {
        status = save(context, map, folder);
    }
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    rcity_antenna_destroy(&antenna);
    rcity_scene_destroy(&scene);
    return status;
}

int main(int argument_count, char **arguments)
{
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    rcity_status status = rcity_context_create(&options, &context);
    if (status == RCITY_OK) {
        status = work(context, argument_count > 1 ? arguments[1] : ".");
    }
    if (status != RCITY_OK) {
        fprintf(stderr, "sector_map: %s: %s\n", rcity_status_text(status), rcity_context_message(context));
    }
    rcity_context_destroy(&context);
    return status == RCITY_OK ? 0 : 1;
}
