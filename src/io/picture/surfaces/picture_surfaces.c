/* Tiles in space: what is measured before the page is laid out, the mast of the transmitter, and the public function. */
#include "io/picture/surfaces/picture_surfaces.h"

#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "result/surfaces_data.h"

#define MARGIN_PART  0.02 /* around everything, of the longer side */
#define MAST_LEAST_M 0.5  /* a lower one is not drawn */
#define NEAR_M       0.05 /* a tile that is nearer to the viewer by less does not hide */

/* Grow the bounds to a place of the picture and what reaches around it. */
static void grow(rcity_picture_bounds *bounds, const double placed_m[3], double reach_right_m, double reach_up_m)
{
    bounds->west_m = fmin(bounds->west_m, placed_m[0] - reach_right_m);
    bounds->east_m = fmax(bounds->east_m, placed_m[0] + reach_right_m);
    bounds->south_m = fmin(bounds->south_m, placed_m[1] - reach_up_m);
    bounds->north_m = fmax(bounds->north_m, placed_m[1] + reach_up_m);
}

static void grow_plan(rcity_picture_surfaces *content, const rcity_surface_tile *tile)
{
    double first_m[3];
    double second_m[3];
    rcity_surface_tile_halves(tile, first_m, second_m);
    double reach_x_m = fabs(first_m[0]) + fabs(second_m[0]);
    double reach_y_m = fabs(first_m[1]) + fabs(second_m[1]);
    content->west_m = fmin(content->west_m, tile->centre.x_m - reach_x_m);
    content->east_m = fmax(content->east_m, tile->centre.x_m + reach_x_m);
    content->south_m = fmin(content->south_m, tile->centre.y_m - reach_y_m);
    content->north_m = fmax(content->north_m, tile->centre.y_m + reach_y_m);
}

/* Is a place in plan on a tile that faces up, and at which height? */
static bool find_height(const rcity_surface_tile *tile, const rcity_point *place, double *z_m)
{
    rcity_surface_view from_above = rcity_surface_view_make(*place, 180.0, 90.0);
    rcity_viewed_tile viewed;
    bool is_on = tile->kind != RCITY_SURFACE_WALL && rcity_surface_view_tile(&from_above, tile, &viewed) &&
                 rcity_viewed_tile_depth(&viewed, 0.0, 0.0, z_m);
    *z_m += place->z_m;
    return is_on;
}

static rcity_status measure_tiles(rcity_picture *picture, const rcity_point *tx)
{
    rcity_picture_surfaces *content = picture->surfaces;
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(content->surfaces);
    int64_t seen_count = 0;
    double z_m = 0.0;
    content->west_m = content->south_m = HUGE_VAL;
    content->east_m = content->north_m = -HUGE_VAL;
    picture->bounds = (rcity_picture_bounds){HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < rcity_surfaces_tile_count(content->surfaces); i++) {
        rcity_viewed_tile viewed;
        content->count_of[tiles[i].kind]++;
        grow_plan(content, &tiles[i]);
        if (rcity_surface_view_tile(&content->view, &tiles[i], &viewed)) {
            grow(&picture->bounds, viewed.centre_m, rcity_viewed_tile_reach(&viewed, 0),
                 rcity_viewed_tile_reach(&viewed, 1));
            seen_count++;
        }
        if (find_height(&tiles[i], tx, &z_m) && z_m < tx->z_m - MAST_LEAST_M &&
            (!content->has_mast || z_m > content->foot_z_m)) {
            content->has_mast = true;
            content->foot_z_m = z_m;
        }
    }
    RCITY_CHECK(picture->context, seen_count > 0, RCITY_ERR_ARGUMENT,
                "none of %lld tiles faces azimuth %g, elevation %g degrees; choose another view",
                (long long)rcity_surfaces_tile_count(content->surfaces), content->options->azimuth_deg,
                content->options->elevation_deg);
    return RCITY_OK;
}

/* A point of the mast, from its foot (0) to the transmitter. */
static rcity_point mast_point(const rcity_picture_surfaces *content, int index)
{
    rcity_point place = rcity_surfaces_transmitter(content->surfaces);
    if (content->has_mast) {
        place.z_m += (content->foot_z_m - place.z_m) * (1.0 - (double)index / (RCITY_PICTURE_MAST_POINTS - 1));
    }
    return place;
}

/* Which points of the mast does a nearer tile hide? */
static void measure_mast(rcity_picture_surfaces *content)
{
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(content->surfaces);
    double placed_m[RCITY_PICTURE_MAST_POINTS][3];
    for (int k = 0; k < RCITY_PICTURE_MAST_POINTS; k++) {
        rcity_point place = mast_point(content, k);
        rcity_surface_view_place(&content->view, &place, placed_m[k]);
    }
    for (int64_t i = 0; i < rcity_surfaces_tile_count(content->surfaces); i++) {
        rcity_viewed_tile viewed;
        if (!rcity_surface_view_tile(&content->view, &tiles[i], &viewed) ||
            fabs(viewed.centre_m[0] - placed_m[0][0]) > rcity_viewed_tile_reach(&viewed, 0)) {
            continue;
        }
        for (int k = 0; k < RCITY_PICTURE_MAST_POINTS; k++) {
            double depth_m;
            if (rcity_viewed_tile_depth(&viewed, placed_m[k][0], placed_m[k][1], &depth_m) &&
                depth_m > placed_m[k][2] + NEAR_M) {
                content->is_hidden[k] = true;
            }
        }
    }
}

rcity_status rcity_picture_measure_surfaces(rcity_picture *picture)
{
    rcity_picture_surfaces *content = picture->surfaces;
    rcity_point tx = rcity_surfaces_transmitter(content->surfaces);
    double placed_m[3];
    RCITY_TRY(measure_tiles(picture, &tx));
    measure_mast(content);
    rcity_surface_view_place(&content->view, &tx, placed_m);
    content->mark.x_m = placed_m[0];
    content->mark.y_m = placed_m[1];
    grow(&picture->bounds, placed_m, 0.0, 0.0);
    double longer_m =
        fmax(picture->bounds.east_m - picture->bounds.west_m, picture->bounds.north_m - picture->bounds.south_m);
    picture->bounds.west_m -= MARGIN_PART * longer_m;
    picture->bounds.south_m -= MARGIN_PART * longer_m;
    picture->bounds.east_m += MARGIN_PART * longer_m;
    picture->bounds.north_m += MARGIN_PART * longer_m;
    picture->known = picture->bounds;
    picture->band = content->paint.band;
    picture->bar = &content->paint.values;
    return RCITY_OK;
}

bool rcity_picture_is_mast_hidden(const rcity_picture *picture)
{
    return picture->surfaces != NULL && picture->surfaces->is_hidden[RCITY_PICTURE_MAST_POINTS - 1];
}

/* The mast piece by piece; those that tiles hide are faint. */
static void draw_mast(const rcity_picture *picture)
{
    const rcity_picture_surfaces *content = picture->surfaces;
    const rcity_picture_layout *layout = &picture->layout;
    cairo_t *cairo = picture->cairo;
    for (int pass = 0; content->has_mast && pass < 2; pass++) { /* a white line, then a dark one */
        cairo_set_line_width(cairo, (pass == 0 ? 0.30 : 0.14) * layout->em_px);
        for (int k = 1; k < RCITY_PICTURE_MAST_POINTS; k++) {
            double grey = pass == 0 ? 1.0 : 0.07;
            cairo_set_source_rgba(cairo, grey, grey, grey,
                                  content->is_hidden[k - 1] || content->is_hidden[k] ? 0.3 : 1.0);
            for (int end = k - 1; end <= k; end++) {
                rcity_point place = mast_point(content, end);
                double placed_m[3];
                rcity_surface_view_place(&content->view, &place, placed_m);
                cairo_line_to(cairo, rcity_picture_x(layout, placed_m[0]), rcity_picture_y(layout, placed_m[1]));
            }
            cairo_stroke(cairo);
        }
    }
}

rcity_status rcity_picture_draw_surfaces(rcity_picture *picture)
{
    cairo_surface_flush(picture->surface);
    RCITY_TRY(rcity_picture_draw_tiles(picture));
    cairo_surface_mark_dirty(picture->surface);
    draw_mast(picture);
    return RCITY_OK;
}

static rcity_status check_view(rcity_context *context, const rcity_surfaces_draw_options *options)
{
    RCITY_CHECK(context, fabs(options->azimuth_deg) <= 360.0, RCITY_ERR_ARGUMENT,
                "the city cannot be seen from azimuth %g degrees; must be -360 to 360", options->azimuth_deg);
    RCITY_CHECK(context, options->elevation_deg >= RCITY_SURFACES_ELEVATION_MIN_DEG && options->elevation_deg <= 90.0,
                RCITY_ERR_ARGUMENT, "the city cannot be seen from %g degrees above the horizon; must be %g to 90",
                options->elevation_deg, RCITY_SURFACES_ELEVATION_MIN_DEG);
    return RCITY_OK;
}

rcity_status rcity_surfaces_draw(rcity_context *context, const rcity_surfaces *surfaces,
                                 const rcity_surfaces_draw_options *options, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, surfaces);
    rcity_surfaces_draw_options known;
    RCITY_TAKE(context, rcity_surfaces_draw_options, elevation_deg, options, &known);
    RCITY_NEED(context, path);
    RCITY_TRY(check_view(context, &known));
    RCITY_CHECK(context, rcity_surfaces_tile_count(surfaces) > 0, RCITY_ERR_ARGUMENT,
                "cannot draw '%s': the surfaces have no tiles", path);
    rcity_surfaces_save_options colours = rcity_surfaces_save_options_default();
    colours.band = known.band;
    colours.value_min = known.value_min;
    colours.value_max = known.value_max;
    rcity_picture_surfaces content;
    memset(&content, 0, sizeof content);
    content.surfaces = surfaces;
    content.options = &known;
    content.view =
        rcity_surface_view_make(rcity_surfaces_tiles(surfaces)[0].centre, known.azimuth_deg, known.elevation_deg);
    content.mark.name = rcity_surfaces_find_note(surfaces, "tx_name");
    RCITY_TRY(rcity_surface_paint_init(context, surfaces, &colours, &content.paint));
    rcity_picture_options plain = rcity_picture_options_default();
    plain.width_px = known.width_px;
    plain.title = known.title;
    plain.value_min = known.value_min;
    plain.value_max = known.value_max;
    plain.transmitter_count = 1;
    plain.transmitters = &content.mark;
    rcity_picture picture;
    memset(&picture, 0, sizeof picture);
    picture.context = context;
    picture.options = &plain;
    picture.surfaces = &content;
    return rcity_picture_make(&picture, path);
}
