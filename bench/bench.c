/* The table of benchmarks, and the function that runs them. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/order.h"
#include "bench/bench_data.h"
#include "radiocity/city.h"

static const rcity_bench_case cases[] = {
    {{"io", "load", "loading a compiled city; yardstick: reading the same bytes"}, rcity_bench_io_load},
    {{"io", "save", "saving a compiled city to disk; yardstick: writing and flushing the same bytes"},
     rcity_bench_io_save},
    {{"io", "draw", "drawing a city as a picture 1600 pixels wide"}, rcity_bench_io_draw},
    {{"segments", "munich", "lines of sight up to 300 m in Munich (RADIOCITY_DATA); yardstick: Embree, same lines"},
     rcity_bench_segments},
    {{"segments", "core", "lines of sight up to 300 m in a made European centre; yardstick: Embree, same lines"},
     rcity_bench_segments},
    {{"segments", "highrise", "lines of sight up to 300 m among towers on hills; yardstick: Embree, same lines"},
     rcity_bench_segments},
    {{"los", "street", "line of sight from 256 sources 13 m up to Munich at 5 m; yardstick: each pixel tested"},
     rcity_bench_los},
    {{"los", "high", "the same, sources 40 m up"}, rcity_bench_los},
    {{"los", "street-1m", "as street, receivers every metre"}, rcity_bench_los},
    {{"los", "street-2m", "as street, receivers every 2 m"}, rcity_bench_los},
    {{"los", "street-10m", "as street, receivers every 10 m"}, rcity_bench_los},
    {{"lines", "512",
      "direct lines from the middle of 512 x 512 cells to each, four sums a step; yardstick: plain loops"},
     rcity_bench_lines},
    {{"lines", "512-batch", "the same from 64 places of a map at once, or 4 without a GPU"}, rcity_bench_lines},
    {{"lines", "512-super", "as 512 by supercubes of 32 x 32, each line from the finished one before"},
     rcity_bench_lines},
    {{"lines", "512-super-batch", "the same from 64 places of a map at once, or 4 without a GPU"}, rcity_bench_lines},
    {{"lines", "2048-super", "as 512-super with 2048 x 2048 cells"}, rcity_bench_lines},
    {{"lines", "city",
      "cubes that sources see in the street, in 4 km2 of boxes at 2 m, by supercubes; yardstick: direct lines"},
     rcity_bench_cube_sight},
    {{"lines", "city-layers", "the same for 8 layers"}, rcity_bench_cube_sight},
    {{"visibility", "2km2",
      "which tiles of 100 m2 see each other in 2 km2 of towers; yardstick: random pairs of tiles"},
     rcity_bench_visibility},
    {{"visibility", "2km2-low", "the same without skylines: lines below them are tested too"}, rcity_bench_visibility},
    {{"visibility", "20km2", "as `2km2`, in 20 km2"}, rcity_bench_visibility},
    {{"visibility", "1km2-25m2", "tiles of 25 m2 in 1 km2: how time and memory grow with the area"},
     rcity_bench_visibility},
    {{"visibility", "2km2-25m2", "the same in 2 km2"}, rcity_bench_visibility},
    {{"visibility", "5km2-25m2", "the same in 5 km2"}, rcity_bench_visibility},
    {{"visibility", "10km2-25m2", "the same in 10 km2"}, rcity_bench_visibility},
    {{"first-level", "2km2", "what one transmitter sees of the tiles of 100 m2 in 2 km2 of towers"},
     rcity_bench_first_level},
    {{"first-level", "20km2", "the same in 20 km2"}, rcity_bench_first_level},
    {{"tiles", "union-1", "one bounce and scattering in 0.5 km2 of towers, the field on all tiles"}, rcity_bench_tiles},
    {{"tiles", "union-2", "the same with two bounces"}, rcity_bench_tiles},
    {{"tiles", "union-3", "the same with three bounces"}, rcity_bench_tiles},
    {{"tiles", "union5100-1", "as union-1 in 0.23 km2: 5,100 tiles, the number of the paper"}, rcity_bench_tiles},
    {{"tiles", "union5100-2", "the same with two bounces"}, rcity_bench_tiles},
    {{"tiles", "union5100-3", "the same with three bounces"}, rcity_bench_tiles},
    {{"tiles", "images-1", "some 5,100 tiles, one bounce; yardstick: exact paths to 1 to 5,100 receivers"},
     rcity_bench_against_images},
    {{"tiles", "images-2", "the same with two bounces"}, rcity_bench_against_images},
    {{"tiles", "images-3", "the same with three bounces"}, rcity_bench_against_images},
    {{"tiles", "2km2-3", "three bounces in 2 km2 of towers"}, rcity_bench_tiles},
    {{"tiles", "2km2-5", "five bounces, two of them diffractions, in 2 km2 of towers"}, rcity_bench_tiles},
    {{"tiles", "20km2-3", "three bounces, one of them a diffraction, and scattering in 20 km2 of towers"},
     rcity_bench_tiles},
    {{"tiles", "20km2-5", "five bounces, two of them diffractions, and scattering in 20 km2 of towers"},
     rcity_bench_tiles},
    {{"beams", "munich-5r1d",
      "beams in Munich, five reflections and a diffraction, levels and delays at 5 m (RADIOCITY_DATA)"},
     rcity_bench_beams},
    {{"beams", "munich-4r1d", "the same with four reflections"}, rcity_bench_beams},
    {{"beams", "munich-3r1d", "the same with three reflections"}, rcity_bench_beams},
    {{"beams", "munich-2r1d", "the same with two reflections"}, rcity_bench_beams},
    {{"beams", "munich-1r1d", "the same with one reflection"}, rcity_bench_beams},
    {{"beams", "munich-3r0d", "the same with three reflections and no diffraction"}, rcity_bench_beams},
    {{"beams", "munich-5r0d", "the same with five reflections and no diffraction"}, rcity_bench_beams},
    {{"beams", "munich-3r2d", "the same with three reflections and two diffractions"}, rcity_bench_beams},
    {{"beams", "munich-3r1d-levels",
      "three reflections, a diffraction, paths over roofs and the mean of the surroundings in Munich"},
     rcity_bench_beams},
    {{"beams", "munich-5r1d-levels", "the same with five reflections"}, rcity_bench_beams},
    {{"beams", "1km2-3r1d", "three reflections and a diffraction in 1 km2 of a made European centre"},
     rcity_bench_beams},
    {{"beams", "5km2-3r1d", "the same in 5 km2"}, rcity_bench_beams},
    {{"beams", "20km2-3r1d", "the same in 20 km2"}, rcity_bench_beams},
    {{"terrain", "p1812", "ITU-R P.1812 over hills from one transmitter to a million receivers 30 m apart"},
     rcity_bench_terrain_p1812},
    {{"images", "munich", "all paths to 100 street receivers in Munich (RADIOCITY_DATA)"}, rcity_bench_images},
    {{"images", "core", "all paths to 100 street receivers in a made European centre"}, rcity_bench_images},
    {{"images", "munich_d2", "the same in Munich with two diffractions, 20 receivers (RADIOCITY_DATA)"},
     rcity_bench_images},
    {{"roofs", "munich", "over-roof paths from one transmitter to a 5 m raster of Munich (RADIOCITY_DATA)"},
     rcity_bench_roofs},
    {{"roofs", "core", "over-roof paths from one transmitter to a 5 m raster of a made European centre"},
     rcity_bench_roofs},
    {{"terrain-rays", "hills",
      "the field of one transmitter on the triangles of made hills; yardstick: the plain search"},
     rcity_bench_terrain_rays},
    {{"tile-roofs", "munich", "over-roof paths from a mast or a facade to hidden tiles in Munich (RADIOCITY_DATA)"},
     rcity_bench_tile_roofs},
    {{"tile-roofs", "core", "over-roof paths from a mast or a facade to hidden tiles in a made European centre"},
     rcity_bench_tile_roofs},
    {{"canyon", "order1", "paths around one corner and walls counted, from one transmitter in Munich (RADIOCITY_DATA)"},
     rcity_bench_canyon},
    {{"canyon", "order1-open", "the same without counting walls"}, rcity_bench_canyon},
    {{"canyon", "order2", "paths around up to two corners, from one transmitter in Munich"}, rcity_bench_canyon},
    {{"canyon", "roofs", "line of sight from one transmitter in Munich and over-roof paths to the rest"},
     rcity_bench_canyon},
    {{"canyon", "all", "a whole prediction: two corners, roofs, walls counted"}, rcity_bench_canyon},
    {{"canyon", "all-metres", "the same with metres in walls, as predict does it"}, rcity_bench_canyon},
    {{"canyon", "batch", "as all, for 1, 8, 32 and 128 transmitters at once, levels copied to the host"},
     rcity_bench_corner_batch},
    {{"terrain", "los",
      "line of sight over 4000 x 4000 nodes of hills from 30 m to 1.5 m; yardstick: GRASS's r.viewshed"},
     rcity_bench_terrain},
    {{"terrain", "los-gdal", "the same; yardstick: gdal_viewshed"}, rcity_bench_terrain},
    {{"terrain", "los-1000", "as los with 1000 x 1000 nodes: how time grows"}, rcity_bench_terrain},
    {{"terrain", "los-2000", "the same with 2000 x 2000 nodes"}, rcity_bench_terrain},
    {{"weigh", "munich", "a traced map of Munich weighed again: two corners, roofs and walls (RADIOCITY_DATA)"},
     rcity_bench_weigh},
    {{"weigh", "munich-sector", "the same with a 3GPP sector, turned each time"}, rcity_bench_weigh},
};

#define CASE_COUNT ((int)(sizeof cases / sizeof cases[0]))

bool rcity_bench_get(int bench_index, rcity_bench_info *info)
{
    if (bench_index < 0 || bench_index >= CASE_COUNT) {
        return false;
    }
    *info = cases[bench_index].info;
    return true;
}

rcity_bench_options rcity_bench_options_default(void)
{
    rcity_bench_options options;
    memset(&options, 0, sizeof options);
    options.area_km2 = 20.0;
    options.repeat_count = 5;
    return options;
}

rcity_status rcity_bench_run(rcity_context *context, const rcity_bench_options *options, rcity_bench_function report,
                             void *user)
{
    assert(context != NULL && options != NULL && report != NULL);
    RCITY_CHECK(context, options->repeat_count >= 1 && options->repeat_count <= RCITY_BENCH_REPEAT_MAX,
                RCITY_ERR_ARGUMENT, "the number of repeats is %d, must be 1 to %d", options->repeat_count,
                RCITY_BENCH_REPEAT_MAX);
    RCITY_CHECK(context, options->area_km2 >= RCITY_CITY_AREA_MIN_KM2 && options->area_km2 <= RCITY_CITY_AREA_MAX_KM2,
                RCITY_ERR_ARGUMENT, "the area is %g km2, must be %g to %g", options->area_km2, RCITY_CITY_AREA_MIN_KM2,
                RCITY_CITY_AREA_MAX_KM2);
    if (options->device != NULL) {
        rcity_device *device = NULL;
        RCITY_TRY(rcity_device_open(context, options->device, &device)); /* a wrong name fails before the work */
        rcity_device_close(&device);
    }
    rcity_bench_run_data run = {context, options, report, user};
    int ran_count = 0;
    for (int i = 0; i < CASE_COUNT; i++) {
        const rcity_bench_info *info = &cases[i].info;
        if ((options->name == NULL || strcmp(options->name, info->name) == 0) &&
            (options->item == NULL || strcmp(options->item, info->item) == 0)) {
            RCITY_TRY(cases[i].run(&run, info));
            ran_count++;
        }
    }
    RCITY_CHECK(context, ran_count > 0, RCITY_ERR_ARGUMENT,
                "there is no benchmark '%s' with case '%s'; `list` names them all",
                options->name != NULL ? options->name : "", options->item != NULL ? options->item : "any");
    return RCITY_OK;
}

void rcity_bench_times_add(rcity_bench_times *times, double seconds)
{
    if (times->count < RCITY_BENCH_REPEAT_MAX) {
        times->seconds[times->count++] = seconds;
    }
}

static rcity_bench_times sorted(const rcity_bench_times *times)
{
    rcity_bench_times copy = *times;
    rcity_sort_doubles(copy.seconds, (size_t)copy.count);
    return copy;
}

double rcity_bench_times_best(const rcity_bench_times *times)
{
    return times->count > 0 ? sorted(times).seconds[0] : (double)NAN;
}

double rcity_bench_times_median(const rcity_bench_times *times)
{
    if (times->count == 0) {
        return (double)NAN;
    }
    return rcity_median_of_sorted(sorted(times).seconds, (size_t)times->count);
}
