/* The colours of tiles. */
#include "io/surfaces/surface_paint.h"

#include <math.h>
#include <string.h>

#include "io/export/text_block.h"
#include "result/rank.h"
#include "result/surfaces_data.h"

/* The first band of a kind that has a value; -1: none. */
static int first_of_kind(const rcity_surfaces *surfaces, rcity_band_kind kind)
{
    rcity_band band;
    for (int i = 0; rcity_surfaces_get_band(surfaces, i, &band) == RCITY_OK; i++) {
        if (band.kind == kind && rcity_rank_count(band.value, rcity_surfaces_tile_count(surfaces)) > 0) {
            return i;
        }
    }
    return -1;
}

static rcity_status fail_unknown(rcity_context *context, const rcity_surfaces *surfaces, const char *name)
{
    rcity_text_block names;
    rcity_band band;
    rcity_text_block_init(context, &names);
    for (int i = 0; rcity_surfaces_get_band(surfaces, i, &band) == RCITY_OK; i++) {
        rcity_text_add(&names, "%s%s", i > 0 ? ", " : "", band.name);
    }
    rcity_status status = names.status;
    if (status == RCITY_OK) {
        status = rcity_fail(context, RCITY_ERR_ARGUMENT, "the surfaces have no band '%s'; they have: %s", name,
                            names.text != NULL ? names.text : "none");
    }
    rcity_text_block_deinit(&names);
    return status;
}

rcity_status rcity_surface_paint_init(rcity_context *context, const rcity_surfaces *surfaces,
                                      const rcity_surfaces_save_options *options, rcity_surface_paint *paint)
{
    memset(paint, 0, sizeof *paint);
    RCITY_CHECK(context,
                !isinf(options->value_min) && !isinf(options->value_max) && !(options->value_min >= options->value_max),
                RCITY_ERR_ARGUMENT, "colours from %g to %g are no range; the first must be below the second",
                options->value_min, options->value_max);
    int band_index = 0;
    if (options->band != NULL) {
        band_index = rcity_surfaces_find_band(surfaces, options->band);
        if (band_index < 0) {
            return fail_unknown(context, surfaces, options->band);
        }
    } else {
        int power = first_of_kind(surfaces, RCITY_BAND_POWER);
        int loss = first_of_kind(surfaces, RCITY_BAND_LOSS);
        band_index = power >= 0 ? power : loss >= 0 ? loss : 0;
    }
    paint->has_band = rcity_surfaces_get_band(surfaces, band_index, &paint->band) == RCITY_OK;
    return paint->has_band ? rcity_picture_measure_band(context, &paint->band, rcity_surfaces_tile_count(surfaces),
                                                        options->value_min, options->value_max, &paint->values)
                           : RCITY_OK;
}

bool rcity_surface_paint_has_value(const rcity_surface_paint *paint, int64_t tile_index)
{
    return paint->has_band && isfinite(paint->band.value[tile_index]);
}

rcity_colour rcity_surface_paint_missing(void)
{
    return rcity_colour_at(RCITY_COLOUR_GREY, 0.5);
}

rcity_colour rcity_surface_paint_colour(const rcity_surface_paint *paint, int64_t tile_index)
{
    return rcity_surface_paint_has_value(paint, tile_index)
               ? rcity_picture_value_colour(&paint->values, (double)paint->band.value[tile_index])
               : rcity_surface_paint_missing();
}
