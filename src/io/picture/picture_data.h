/* A picture while it is drawn: what it shows, the layout of the page, and the surface. Pixels count from the top left;
   the frame is the part of the page that shows the scene. */
#ifndef RCITY_IO_PICTURE_DATA_H
#define RCITY_IO_PICTURE_DATA_H

#include <cairo.h>

#include "base/base.h"
#include "io/picture/colour.h"
#include "io/picture/picture_values.h"
#include "radiocity/io.h"
#include "radiocity/rays.h"
#include "radiocity/surfaces.h"
#include "scene/shapes.h"

#define RCITY_PICTURE_PAGE       0xffffff
#define RCITY_PICTURE_INK        0x26262b
#define RCITY_PICTURE_FAINT_INK  0x5c5c66
#define RCITY_PICTURE_GROUND     0xf0eee8 /* pale ground, shown where there is no value */
#define RCITY_PICTURE_OUTSIDE    0xf9f9f9 /* beyond the bounds of scene and map */
#define RCITY_PICTURE_VEGETATION 0x8fb573
#define RCITY_PICTURE_WALL       0x4a4a50
#define RCITY_PICTURE_CONTOUR    0x7f623f
#define RCITY_PICTURE_MAP_PART   0.86 /* opacity of a value's colour over the ground */

/* Bounds in the scene's CRS. */
typedef struct rcity_picture_bounds {
    double west_m, south_m, east_m, north_m;
} rcity_picture_bounds;

/* The layout. */
typedef struct rcity_picture_layout {
    int width_px, height_px;
    double em_px; /* the size of plain text; everything scales with it */
    int frame_x, frame_y, frame_width, frame_height;
    double view_west_m, view_north_m; /* upper left corner of the frame */
    double pixel_m;
    double axis_step_m;
    double panel_x, panel_width; /* the legend, right of the frame */
    double bar_height;           /* of the colour bar */
} rcity_picture_layout;

#define RCITY_PICTURE_LINE_BYTES 640

/* The texts of the picture. */
typedef struct rcity_picture_words {
    char title[RCITY_PICTURE_LINE_BYTES];
    char facts[RCITY_PICTURE_LINE_BYTES]; /* the default title, if the caller gave another; else "" */
    char subtitle[RCITY_PICTURE_LINE_BYTES];
    char footer[RCITY_PICTURE_LINE_BYTES];
    char heading[128]; /* above the colour bar */
    char crs[96];
} rcity_picture_words;

/* Paths over a scene. */
typedef struct rcity_picture_rays {
    const rcity_rays *rays;
    const rcity_rays_draw_options *options;
    bool has_power;                            /* coloured by received power, else by gain */
    int64_t shown_count, left_count;           /* paths */
    int64_t receiver_count, reached_count;     /* that are shown */
    bool has_kind[RCITY_EVENT_OVER_ROOFS + 1]; /* kinds of interactions of the paths shown */
} rcity_picture_rays;

struct rcity_picture_surfaces; /* tiles in space: picture_surfaces.h */

typedef struct rcity_picture {
    rcity_context *context;
    const rcity_picture_options *options;
    const rcity_scene *scene;                /* NULL: none */
    const rcity_shapes *shapes;              /* NULL: none */
    const rcity_map *map;                    /* NULL: none */
    rcity_picture_rays *rays;                /* NULL: none */
    struct rcity_picture_surfaces *surfaces; /* NULL: none; else there is neither scene nor map */
    rcity_raster raster;
    rcity_band band;
    rcity_picture_values map_values;
    rcity_picture_values ray_values;
    rcity_picture_values building_values; /* heights above ground */
    rcity_picture_values ground_values;   /* heights of the terrain */
    const rcity_picture_values *bar;      /* the values that the colour bar shows */
    rcity_picture_bounds bounds;          /* of what is shown */
    rcity_picture_bounds known;           /* outside these there is neither scene nor map */
    double contour_m;                     /* step of contour lines; 0 for none */
    double building_fade;                 /* 0 to 1: how much small buildings fade */
    bool is_map_on_top;                   /* buildings are too small to be drawn over the map */
    bool has_rims;                        /* cells inside buildings are visible beside the walls */
    bool is_sight_only;                   /* cells that are not in line of sight are left out */
    rcity_picture_words words;
    rcity_picture_layout layout;
    uint32_t *pixels; /* width * height, 0x00rrggbb; the surface draws into them */
    cairo_surface_t *surface;
    cairo_t *cairo;
    int layer; /* drawn so far; for reports of progress */
} rcity_picture;

/* Is the scene drawn alone, without a map or paths over it? */
static inline bool rcity_picture_is_scene_alone(const rcity_picture *picture)
{
    return picture->map == NULL && picture->rays == NULL && picture->surfaces == NULL;
}

/* Position on the page of a place in the scene's CRS; of surfaces, of a place in the plane of the picture. */
static inline double rcity_picture_x(const rcity_picture_layout *layout, double x_m)
{
    return (double)layout->frame_x + (x_m - layout->view_west_m) / layout->pixel_m;
}

static inline double rcity_picture_y(const rcity_picture_layout *layout, double y_m)
{
    return (double)layout->frame_y + (layout->view_north_m - y_m) / layout->pixel_m;
}

/* picture.c: report `share` of the layer that is drawn now; fails when the caller cancels. */
rcity_status rcity_picture_report(const rcity_picture *picture, double share);

/* picture.c: draw a picture whose options, scene and contents are set, and save it. */
rcity_status rcity_picture_make(rcity_picture *picture, const char *path);

#define RCITY_PICTURE_DISTANCE_BYTES 32

/* picture_labels.c */
void rcity_picture_make_words(rcity_picture *picture);
void rcity_picture_add_piece(char *line, const char *format, ...) RCITY_PRINTF(2, 3); /* separated by a dot */
void rcity_picture_add_size(char *line, double width_m, double height_m);
char *rcity_picture_format_count(int64_t count, char *text); /* "12,345"; `text` holds 40 bytes, returns it */
void rcity_picture_make_crs_name(const char *crs, char *name, size_t room); /* its code, or its name */
char *rcity_picture_format_distance(double distance_m, char *text);         /* "499 m", "1.25 km"; returns `text` */

/* picture_layout.c: `cairo` only measures. */
void rcity_picture_make_layout(rcity_picture *picture, cairo_t *cairo);

/* picture_ground.c */
void rcity_picture_measure_ground(rcity_picture *picture);
rcity_status rcity_picture_draw_ground(rcity_picture *picture);

/* picture_vegetation.c */
rcity_colour rcity_picture_vegetation_colour(void); /* as it appears over pale ground */
rcity_status rcity_picture_draw_vegetation(rcity_picture *picture);

/* picture_buildings.c: buildings whose roof is below the receivers are drawn under the map, the others over it; small
   buildings are all drawn under it. */
rcity_status rcity_picture_measure_buildings(rcity_picture *picture);
void rcity_picture_choose_building_look(rcity_picture *picture); /* once the scale is known */
rcity_colour rcity_picture_building_colour(const rcity_picture *picture, double height_m);
rcity_status rcity_picture_draw_buildings(rcity_picture *picture, bool is_over_map);

/* Has the map levels inside buildings? */
bool rcity_picture_has_indoor(const rcity_picture *picture);

/* picture_map.c */
rcity_status rcity_picture_measure_map(rcity_picture *picture);
rcity_status rcity_picture_draw_rims(rcity_picture *picture); /* cells inside buildings; before buildings and map */
rcity_status rcity_picture_draw_map(rcity_picture *picture);

/* picture_legend.c: draws the panel and returns the height it takes. */
double rcity_picture_draw_legend(const rcity_picture *picture, cairo_t *cairo);

/* picture_marks.c */
void rcity_picture_draw_frame(const rcity_picture *picture);
void rcity_picture_draw_axes(const rcity_picture *picture);
void rcity_picture_draw_headlines(const rcity_picture *picture);
double rcity_picture_draw_scale(const rcity_picture *picture, cairo_t *cairo, double x, double y, double width);

/* picture_transmitters.c */
int rcity_picture_transmitter_count(const rcity_picture *picture);
void rcity_picture_draw_transmitters(const rcity_picture *picture);
void rcity_picture_draw_transmitter_mark(cairo_t *cairo, double x, double y, double em_px);

/* picture_rays.c */
rcity_status rcity_picture_measure_rays(rcity_picture *picture);
rcity_status rcity_picture_draw_rays(const rcity_picture *picture);

/* picture_ray_marks.c: small marks for interactions, and those of receivers. */
void rcity_picture_draw_event_mark(cairo_t *cairo, rcity_event_kind kind, double x, double y, double em_px);
const char *rcity_picture_event_words(rcity_event_kind kind);
void rcity_picture_draw_receiver_mark(cairo_t *cairo, bool is_reached, double x, double y, double em_px);
void rcity_picture_draw_receivers(const rcity_picture *picture);

/* picture_ray_labels.c */
void rcity_picture_make_ray_words(rcity_picture *picture);

/* picture_png.c: the surface as PNG bytes with the notes of map or paths inside; `*png` is released with
   rcity_release(). */
rcity_status rcity_picture_encode(rcity_picture *picture, unsigned char **png, size_t *bytes);

#endif
