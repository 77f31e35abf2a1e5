/* Paths over roofs on a device: what they bring. */
#include "embedded/tiles_cl.h"
#include "kernel/tiles/tile_over.h"
#include "method/tiles/tiles_device.h"

static const rcity_tiles_kernel over_kernel = {
    "rcity_tiles_over",
    rcity_tiles_cl,
    sizeof(rcity_tile_glow_job),
    0,
    10,
    {RCITY_TILES_OVER_LIST, RCITY_TILES_OVER_PATHS, RCITY_TILES_TILES, RCITY_TILES_TILE_FACE, RCITY_TILES_FACES,
     RCITY_TILES_ANTENNA, RCITY_TILES_RECEIVERS_M, RCITY_TILES_TILE_SUMS, RCITY_TILES_RECEIVER_SUMS, RCITY_TILES_LIT},
};

rcity_status rcity_tiles_device_go_over_roofs(rcity_tiles_device *device, rcity_tiles_run *run)
{
    rcity_context *context = run->context;
    rcity_tile_glow_job job = rcity_tiles_run_glow_job(run);
    rcity_tile_roof_path *paths = NULL;
    int32_t *list = NULL;
    int64_t count = 0;
    double start_s = rcity_clock_s();
    rcity_status status;
    RCITY_TRY_DONE(rcity_tiles_list_hidden(run, &list, &count));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *paths, "paths over roofs", &paths));
    RCITY_TRY_DONE(rcity_tile_roofs_find(run->context, run->prepared->roofs, run->traced->place,
                                         run->world.wavelength_m, 0.0, count, list, paths));
    RCITY_TRY_DONE(rcity_tiles_device_reserve(device, context, RCITY_TILES_OVER_LIST, count, sizeof *list));
    RCITY_TRY_DONE(rcity_tiles_device_reserve(device, context, RCITY_TILES_OVER_PATHS, count, sizeof *paths));
    RCITY_TRY_DONE(rcity_resident_write(context, device->resident[RCITY_TILES_OVER_LIST], 0, count, list));
    RCITY_TRY_DONE(rcity_resident_write(context, device->resident[RCITY_TILES_OVER_PATHS], 0, count, paths));
    RCITY_TRY_DONE(rcity_tiles_device_launch(device, context, &over_kernel, &job, count, 0, 0));
    RCITY_TRY_DONE(rcity_device_finish(context, device->device));
    run->effort.over_s += rcity_clock_s() - start_s;
done:
    rcity_release(context, paths);
    rcity_release(context, list);
    return status;
}
