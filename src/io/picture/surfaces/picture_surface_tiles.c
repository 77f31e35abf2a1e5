/* The tiles in the frame: each pixel has some samples, and each sample belongs to the tile that is nearest to the viewer
   there. The frame is worked out in strips, so that memory does not grow with the picture. One after the other: the
   same bits for any number of threads. */
#include <math.h>

#include "io/picture/surfaces/picture_surfaces.h"
#include "result/surfaces_data.h"

#define SAMPLES      3    /* a side of the square of samples of a pixel */
#define STRIP_PX     16   /* rows of pixels in a strip */
#define NO_TILE      (-1) /* nothing is seen */
#define EDGE_PART    0.5  /* opacity of edges of buildings ... */
#define EDGE_PIXEL_M 1.2  /* ... which fade when pixels are larger: they would cover small buildings */
#define EDGE_TURN    0.9  /* cosine between normals; less is an edge */
#define EDGE_STEP_PX 1.0  /* from the plane of one tile to its neighbour's; more is an edge */
#define GAP_GROWTH   2.0  /* of the sides of a tile that fills gaps: half a tile on each side */
#define LIGHT_MIDDLE (-0.05)
#define LIGHT_SLOPE  0.24

typedef struct sample {
    float depth_m;
    float gap_m; /* from the middle of the tile, where it only fills a gap beside it; else 0 */
    int64_t tile_index;
} sample;

/* A strip: its samples, with one more row and column for the edges between neighbours. */
typedef struct strip {
    const rcity_picture *picture;
    const rcity_surface_tile *tiles;
    sample *samples;
    int columns, rows;
    int first_px;                 /* row of the frame */
    int row_px;                   /* rows of pixels */
    bool fills_gaps;              /* of the ground, after all tiles */
    double left_m, top_m, step_m; /* of the first sample; between samples */
} strip;

/* A tile's colour, kept from sample to sample. */
typedef struct tile_colour {
    int64_t tile_index;
    rcity_colour colour;
} tile_colour;

rcity_colour rcity_picture_light_wall(rcity_colour colour, double lean)
{
    double light = LIGHT_MIDDLE - LIGHT_SLOPE * lean;
    rcity_colour other = rcity_colour_unpack(light > 0.0 ? 0xffffff : 0x000000);
    return rcity_colour_mix(colour, other, fabs(light));
}

static rcity_colour colour_of(const strip *on, int64_t tile_index, tile_colour *last)
{
    if (tile_index == NO_TILE) {
        return rcity_colour_unpack(RCITY_PICTURE_OUTSIDE);
    }
    if (tile_index != last->tile_index) {
        const rcity_picture_surfaces *content = on->picture->surfaces;
        const float *normal = on->tiles[tile_index].normal;
        const double *right = content->view.axes[0];
        rcity_colour own = rcity_surface_paint_colour(&content->paint, tile_index);
        double lean = right[0] * (double)normal[0] + right[1] * (double)normal[1];
        double level = fabs((double)normal[2]);
        last->colour = rcity_colour_mix(rcity_picture_light_wall(own, lean), own, level);
        last->tile_index = tile_index;
    }
    return last->colour;
}

/* The part of a row where |slope x - shift| <= limit; narrows `from` to `to`. */
static void narrow(double slope, double shift, double limit, double *from, double *to)
{
    if (slope == 0.0) {
        *to = fabs(shift) <= limit ? *to : *from - 1.0;
        return;
    }
    double a = (shift - limit) / slope;
    double b = (shift + limit) / slope;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

/* A place of the picture and of the ground that has no tile: one whose middle is indoors has none, so walls stand beside
   gaps. They take the nearest of the tiles around, but nothing grows beyond all tiles. */
static void fill_gap(const strip *on, const rcity_viewed_tile *viewed, sample filled, double right_m, double up_m,
                     sample *here)
{
    const rcity_picture_surfaces *content = on->picture->surfaces;
    const rcity_surface_view *view = &content->view;
    double depth_m = (double)filled.depth_m;
    double east_m = view->origin.x_m;
    double north_m = view->origin.y_m;
    const double place_m[3] = {right_m, up_m, depth_m};
    for (int i = 0; i < 3; i++) {
        east_m += view->axes[i][0] * place_m[i];
        north_m += view->axes[i][1] * place_m[i];
    }
    filled.gap_m = (float)hypot(right_m - viewed->centre_m[0], (up_m - viewed->centre_m[1]) / view->axes[2][2]);
    bool is_on_tiles = east_m >= content->west_m && east_m <= content->east_m && north_m >= content->south_m &&
                       north_m <= content->north_m;
    bool is_nearest = here->tile_index == NO_TILE || (here->gap_m > 0.0f && filled.gap_m < here->gap_m);
    if (is_on_tiles && is_nearest) {
        *here = filled;
    }
}

static void fill_row(const strip *on, const rcity_viewed_tile *viewed, int64_t tile_index, int row)
{
    double up_m = on->top_m - on->step_m * (double)row;
    double y_m = up_m - viewed->centre_m[1];
    double from_m = -HUGE_VAL;
    double to_m = HUGE_VAL;
    double limit = fabs(viewed->area) * 1.0001; /* generous: rcity_viewed_tile_depth() decides */
    narrow(viewed->second_m[1], y_m * viewed->second_m[0], limit, &from_m, &to_m);
    narrow(viewed->first_m[1], y_m * viewed->first_m[0], limit, &from_m, &to_m);
    double first = ceil((viewed->centre_m[0] + from_m - on->left_m) / on->step_m - 1e-6);
    double last = floor((viewed->centre_m[0] + to_m - on->left_m) / on->step_m + 1e-6);
    first = fmax(first, 0.0);
    last = fmin(last, (double)on->columns - 1.0);
    sample *samples = on->samples + (ptrdiff_t)row * on->columns;
    for (double at = first; at <= last; at += 1.0) {
        sample *here = &samples[(ptrdiff_t)at];
        double right_m = on->left_m + on->step_m * at;
        double depth_m;
        if (!rcity_viewed_tile_depth(viewed, right_m, up_m, &depth_m)) {
            continue;
        }
        sample found = {(float)depth_m, 0.0f, tile_index};
        if (on->fills_gaps) {
            fill_gap(on, viewed, found, right_m, up_m, here);
        } else if (here->tile_index == NO_TILE || found.depth_m > here->depth_m) {
            *here = found;
        }
    }
}

static void fill_tile(const strip *on, const rcity_viewed_tile *viewed, int64_t tile_index)
{
    double reach_m = rcity_viewed_tile_reach(viewed, 1);
    double first = ceil((on->top_m - viewed->centre_m[1] - reach_m) / on->step_m);
    double last = floor((on->top_m - viewed->centre_m[1] + reach_m) / on->step_m);
    if (!(first <= (double)on->rows - 1.0 && last >= 0.0)) {
        return;
    }
    int first_row = first > 0.0 ? (int)first : 0;
    int last_row = last < (double)on->rows - 1.0 ? (int)last : on->rows - 1;
    for (int row = first_row; row <= last_row; row++) {
        fill_row(on, viewed, tile_index, row);
    }
}

static void fill_strip(strip *on)
{
    const rcity_picture_surfaces *content = on->picture->surfaces;
    int64_t count = rcity_surfaces_tile_count(content->surfaces);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)on->columns * on->rows; i++) {
        on->samples[i] = (sample){0.0f, 0.0f, NO_TILE};
    }
    on->fills_gaps = false;
    for (int64_t i = 0; i < count; i++) {
        rcity_viewed_tile viewed;
        if (rcity_surface_view_tile(&content->view, &on->tiles[i], &viewed)) {
            fill_tile(on, &viewed, i);
        }
    }
    on->fills_gaps = true;
    for (int64_t i = 0; i < count; i++) {
        rcity_viewed_tile viewed;
        if (on->tiles[i].kind == RCITY_SURFACE_GROUND &&
            rcity_surface_view_tile(&content->view, &on->tiles[i], &viewed)) {
            rcity_viewed_tile_grow(&viewed, GAP_GROWTH);
            fill_tile(on, &viewed, i);
        }
    }
}

/* Is there an edge between two samples, `right` and `down` apart? */
static bool is_edge(const strip *on, const sample *a, const sample *b, int right, int down)
{
    if (a->tile_index == b->tile_index) {
        return false;
    }
    if (a->tile_index == NO_TILE || b->tile_index == NO_TILE) {
        return true;
    }
    const rcity_surface_tile *first = &on->tiles[a->tile_index];
    const rcity_surface_tile *second = &on->tiles[b->tile_index];
    double normal[3];
    double turned[3];
    double turn = 0.0;
    for (int i = 0; i < 3; i++) {
        normal[i] = (double)first->normal[i];
        turn += normal[i] * (double)second->normal[i];
    }
    if (first->building_id != second->building_id || first->kind != second->kind || turn < EDGE_TURN) {
        return true;
    }
    rcity_surface_view_turn(&on->picture->surfaces->view, normal, turned);
    double apart_m = turned[0] * on->step_m * right - turned[1] * on->step_m * down +
                     turned[2] * ((double)b->depth_m - (double)a->depth_m);
    return fabs(apart_m) > EDGE_STEP_PX * on->picture->layout.pixel_m;
}

static uint32_t mix_pixel(const strip *on, int column_px, int row_px, double edge_part, tile_colour *last)
{
    rcity_colour ink = rcity_colour_unpack(RCITY_PICTURE_INK);
    rcity_colour sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const sample *here =
            on->samples + (ptrdiff_t)(row_px * SAMPLES + i / SAMPLES) * on->columns + column_px * SAMPLES + i % SAMPLES;
        rcity_colour colour = colour_of(on, here->tile_index, last);
        if (is_edge(on, here, here + 1, 1, 0) || is_edge(on, here, here + on->columns, 0, 1)) {
            colour = rcity_colour_mix(colour, ink, edge_part);
        }
        sum = (rcity_colour){sum.red + colour.red, sum.green + colour.green, sum.blue + colour.blue};
    }
    return rcity_colour_pack(rcity_colour_mix((rcity_colour){0.0, 0.0, 0.0}, sum, 1.0 / (SAMPLES * SAMPLES)));
}

static void mix_strip(const strip *on)
{
    const rcity_picture_layout *layout = &on->picture->layout;
    double edge_part = EDGE_PART * fmin(1.0, EDGE_PIXEL_M / layout->pixel_m);
    tile_colour last = {.tile_index = NO_TILE};
    for (int row = 0; row < on->row_px; row++) {
        uint32_t *pixels = on->picture->pixels + (ptrdiff_t)(layout->frame_y + on->first_px + row) * layout->width_px +
                           layout->frame_x;
        for (int column = 0; column < layout->frame_width; column++) {
            pixels[column] = mix_pixel(on, column, row, edge_part, &last);
        }
    }
}

rcity_status rcity_picture_draw_tiles(rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    strip on = {.picture = picture,
                .tiles = rcity_surfaces_tiles(picture->surfaces->surfaces),
                .columns = layout->frame_width * SAMPLES + 1,
                .rows = STRIP_PX * SAMPLES + 1,
                .step_m = layout->pixel_m / SAMPLES};
    rcity_status status = RCITY_OK;
    RCITY_TRY(rcity_alloc(picture->context, (size_t)on.columns * (size_t)on.rows, sizeof *on.samples,
                          "the samples of a picture", &on.samples));
    on.left_m = layout->view_west_m + 0.5 * on.step_m;
    for (on.first_px = 0; status == RCITY_OK && on.first_px < layout->frame_height; on.first_px += STRIP_PX) {
        int left_px = layout->frame_height - on.first_px;
        on.row_px = left_px < STRIP_PX ? left_px : STRIP_PX;
        on.top_m = layout->view_north_m - layout->pixel_m * (double)on.first_px - 0.5 * on.step_m;
        fill_strip(&on);
        mix_strip(&on);
        status = rcity_picture_report(picture, (double)on.first_px / (double)layout->frame_height);
    }
    rcity_release(picture->context, on.samples);
    return status;
}
