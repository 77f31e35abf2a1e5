/* Synthetic cities: names, options, and the one entry. */
#include "radiocity/city.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/abi.h"
#include "scene/city/city_draft.h"

static const char *const kind_names[] = {
#define KIND_NAME(value, name, text) name,
    RCITY_CITY_LIST(KIND_NAME)
#undef KIND_NAME
};

static const char *const kind_texts[] = {
#define KIND_TEXT(value, name, text) text,
    RCITY_CITY_LIST(KIND_TEXT)
#undef KIND_TEXT
};

static rcity_status (*const kind_makers[])(rcity_city_draft *draft) = {
    [RCITY_CITY_GRID] = rcity_city_make_grid,
    [RCITY_CITY_CORE] = rcity_city_make_core,
    [RCITY_CITY_HIGHRISE] = rcity_city_make_highrise,
    [RCITY_CITY_HILLS] = rcity_city_make_hills,
};

static bool is_kind(rcity_city_kind kind)
{
    return (int)kind >= 0 && (int)kind < RCITY_CITY_KIND_COUNT;
}

const char *rcity_city_kind_name(rcity_city_kind kind)
{
    return is_kind(kind) ? kind_names[kind] : NULL;
}

const char *rcity_city_kind_text(rcity_city_kind kind)
{
    return is_kind(kind) ? kind_texts[kind] : NULL;
}

void rcity_city_options_init(rcity_city_options *options, size_t struct_bytes)
{
    rcity_city_options made = {.kind = RCITY_CITY_CORE, .seed = 1, .area_km2 = 1.0, .terrain_cell_m = (double)NAN};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

static rcity_status check_options(rcity_context *context, const rcity_city_options *options)
{
    RCITY_CHECK(context, is_kind(options->kind), RCITY_ERR_ARGUMENT, "kind is %d, must be 0 to %d", (int)options->kind,
                RCITY_CITY_KIND_COUNT - 1);
    bool is_hills = options->kind == RCITY_CITY_HILLS;
    double area_max_km2 = is_hills ? RCITY_CITY_HILLS_MAX_KM2 : RCITY_CITY_AREA_MAX_KM2;
    RCITY_CHECK(context, options->area_km2 >= RCITY_CITY_AREA_MIN_KM2 && options->area_km2 <= area_max_km2,
                RCITY_ERR_ARGUMENT, "the area is %g km2, must be %g to %g km2%s", options->area_km2,
                RCITY_CITY_AREA_MIN_KM2, area_max_km2,
                !is_hills && options->area_km2 <= RCITY_CITY_HILLS_MAX_KM2 ? "; `kind=hills` may be larger" : "");
    RCITY_CHECK(context, isnan(options->terrain_cell_m) || is_hills, RCITY_ERR_ARGUMENT,
                "`terrain-cell-m` is for `kind=hills`, not for `kind=%s`", kind_names[options->kind]);
    RCITY_CHECK(context,
                isnan(options->terrain_cell_m) || (options->terrain_cell_m >= RCITY_CITY_CELL_MIN_M &&
                                                   options->terrain_cell_m <= RCITY_CITY_CELL_MAX_M),
                RCITY_ERR_ARGUMENT, "the terrain's cell is to be %g m, must be %g to %g m", options->terrain_cell_m,
                RCITY_CITY_CELL_MIN_M, RCITY_CITY_CELL_MAX_M);
    /* The largest region and its terrain stay below 500 km. */
    double limit_m = RCITY_COORDINATE_MAX_M - 500000.0;
    RCITY_CHECK(context, options->origin_x_m >= -limit_m && options->origin_x_m <= limit_m, RCITY_ERR_ARGUMENT,
                "the origin's x is %.10g m, must be %.10g to %.10g m", options->origin_x_m, -limit_m, limit_m);
    RCITY_CHECK(context, options->origin_y_m >= -limit_m && options->origin_y_m <= limit_m, RCITY_ERR_ARGUMENT,
                "the origin's y is %.10g m, must be %.10g to %.10g m", options->origin_y_m, -limit_m, limit_m);
    return RCITY_OK;
}

static rcity_status fill_scene(rcity_context *context, const rcity_city_options *options, rcity_scene *scene)
{
    char source[128];
    snprintf(source, sizeof source, "synthetic %s, %g km2, seed %" PRIu64, kind_names[options->kind], options->area_km2,
             options->seed);
    RCITY_TRY(rcity_scene_set_source(scene, source));
    rcity_city_draft draft = {
        .context = context,
        .scene = scene,
        .seed = options->seed,
        .side_m = floor(sqrt(options->area_km2) * 1000.0 * 128.0 + 0.5) / 128.0,
        .origin_x_m = options->origin_x_m,
        .origin_y_m = options->origin_y_m,
        .terrain_cell_m = options->terrain_cell_m,
        .next_id = 1,
    };
    RCITY_TRY(rcity_city_progress(&draft, 0.0));
    RCITY_TRY(kind_makers[options->kind](&draft));
    RCITY_TRY(rcity_city_progress(&draft, 1.0));
    return rcity_scene_commit(scene);
}

rcity_status rcity_city_make(rcity_context *context, const rcity_city_options *options, rcity_scene **scene)
{
    RCITY_NEED(context, context);
    rcity_city_options known;
    RCITY_TAKE(context, rcity_city_options, crs, options, &known);
    options = &known;
    RCITY_NEED(context, scene);
    RCITY_TRY(check_options(context, options));
    rcity_scene_options scene_options = rcity_scene_options_default();
    scene_options.crs = options->crs;
    rcity_scene *made = NULL;
    RCITY_TRY(rcity_scene_create(context, &scene_options, &made));
    rcity_status status = fill_scene(context, options, made);
    if (status != RCITY_OK) {
        rcity_scene_destroy(&made);
        return status;
    }
    *scene = made;
    return RCITY_OK;
}
