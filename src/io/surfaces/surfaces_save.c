/* Chooses the writer by the ending of the file's name. */
#include "io/surfaces/surfaces_save.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/abi.h"
#include "result/surfaces_data.h"

void rcity_surfaces_save_options_init(rcity_surfaces_save_options *options, size_t struct_bytes)
{
    rcity_surfaces_save_options made = {.value_min = (double)NAN, .value_max = (double)NAN};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t ending_length = strlen(ending);
    return length > ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}

static rcity_status save(rcity_context *context, const rcity_surfaces *surfaces,
                         const rcity_surfaces_save_options *options, const char *path)
{
    static const struct {
        const char *ending;
        rcity_surfaces_writer *save;
    } writers[] = {
        {".h5", rcity_surfaces_save_hdf5},
        {".glb", rcity_surfaces_save_glb},
        {".ply", rcity_surfaces_save_ply},
        {".csv", rcity_surfaces_save_csv},
    };
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        if (ends_with(path, writers[i].ending)) {
            rcity_surface_paint paint;
            RCITY_TRY(rcity_surface_paint_init(context, surfaces, options, &paint));
            return writers[i].save(context, surfaces, &paint, path);
        }
    }
    return rcity_fail(context, RCITY_ERR_ARGUMENT,
                      "'%s' ends in none of .h5 (tables), .glb (3-D viewers), .ply (3-D programs) and .csv (a line a "
                      "tile)",
                      path);
}

rcity_status rcity_surfaces_save(rcity_context *context, const rcity_surfaces *surfaces,
                                 const rcity_surfaces_save_options *options, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, surfaces);
    RCITY_NEED(context, path);
    rcity_surfaces_save_options known = rcity_surfaces_save_options_default();
    if (options != NULL) {
        RCITY_TAKE(context, rcity_surfaces_save_options, value_max, options, &known);
    }
    return save(context, surfaces, &known, path);
}

void rcity_surface_tile_corners(const rcity_surface_tile *tile, double corners_m[4][3])
{
    static const double signs[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    const double centre_m[3] = {tile->centre.x_m, tile->centre.y_m, tile->centre.z_m};
    double first_m[3];
    double second_m[3];
    rcity_surface_tile_halves(tile, first_m, second_m);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) {
            corners_m[k][i] = centre_m[i] + signs[k][0] * first_m[i] + signs[k][1] * second_m[i];
        }
    }
}
