/* Samples rasters at a lattice of places, a block of rows at a time, so that little of a raster is in memory. */
#include "io/raster/raster_sample.h"

#include <math.h>
#include <string.h>

#define STRETCH_NODES (1 << 18)  /* places sampled at once */
#define WINDOW_PIXELS (1 << 24)  /* largest part of a raster in memory, unless a single row needs more */
#define ON_CENTRE     1e-6       /* of a pixel: nearer than this, a place is the pixel's centre */
#define BEYOND_MAX    1e6        /* Mount Everest in centimetres; larger numbers mark voids */
#define BELOW_MIN     (-11500.0) /* below the deepest sea floor */
#define VOID_OF_INT16 32767.0    /* a void that many files do not declare */
#define VOID_OF_MANY  (-9999.0)  /* likewise */

/* A block of rows of the lattice. */
typedef struct sample_stretch {
    rcity_import *import;
    const rcity_raster_set *set;
    const rcity_lattice *lattice;
    const rcity_sampling *sampling;
    int64_t row, row_count; /* counted from the lattice's first */
    double *x, *y;          /* pixel coordinates of its places */
    bool *is_held;          /* places inside some raster */
    bool *is_below;         /* places whose pixel is below the lowest valid value */
    float *value;           /* of its places */
    rcity_sampled *sampled;
} sample_stretch;

static double column_x_m(const rcity_lattice *lattice, int64_t column)
{
    return lattice->x_m + (double)(lattice->column + column) * lattice->cell_m;
}

static double row_y_m(const rcity_lattice *lattice, int64_t row)
{
    return lattice->y_m + (double)(lattice->row + row) * lattice->cell_m;
}

/* Pixel coordinates of all places of a block in a layer. */
static void locate_stretch(sample_stretch *stretch, const rcity_raster_layer *layer)
{
    const rcity_lattice *lattice = stretch->lattice;
    int64_t place = 0;
    for (int64_t row = stretch->row; row < stretch->row + stretch->row_count; row++) {
        for (int64_t column = 0; column < lattice->column_count; column++, place++) {
            stretch->x[place] = column_x_m(lattice, column);
            stretch->y[place] = row_y_m(lattice, row);
        }
    }
    rcity_raster_locate(layer, (int)place, stretch->x, stretch->y);
}

/* The window of pixels for the places that have no value yet; false when there is none. */
static bool find_window(const sample_stretch *stretch, const rcity_raster_layer *layer, rcity_raster_window *window)
{
    double box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    int64_t place_count = stretch->row_count * stretch->lattice->column_count;
    for (int64_t i = 0; i < place_count; i++) {
        if (isnan(stretch->value[i]) && rcity_raster_holds(layer, stretch->x[i], stretch->y[i], 0.0)) {
            box[0] = fmin(box[0], stretch->x[i]);
            box[1] = fmin(box[1], stretch->y[i]);
            box[2] = fmax(box[2], stretch->x[i]);
            box[3] = fmax(box[3], stretch->y[i]);
        }
    }
    if (box[0] > box[2]) {
        return false;
    }
    int left = (int)fmax(floor(box[0] - 1.0), 0.0);
    int top = (int)fmax(floor(box[1] - 1.0), 0.0);
    int right = (int)fmin(ceil(box[2] + 1.0), layer->column_count);
    int bottom = (int)fmin(ceil(box[3] + 1.0), layer->row_count);
    *window = (rcity_raster_window){left, top, right - left, bottom - top};
    return true;
}

/* Impossible values are voids. A large one may indicate another unit; one that is only too low, such as a sea floor, is
   marked by -HUGE_VALF. */
static void drop_impossible(const rcity_sampling *sampling, float *pixel, size_t count, rcity_sampled *sampled)
{
    for (size_t i = 0; i < count; i++) {
        double value = (double)pixel[i];
        if (value > sampling->highest && value <= BEYOND_MAX && value != VOID_OF_INT16) {
            sampled->beyond = fmax(sampled->beyond, value);
        }
        bool is_below = value < sampling->lowest && value >= BELOW_MIN && value != VOID_OF_MANY;
        if (is_below) {
            sampled->below = fmin(sampled->below, value);
        }
        if (!(value >= sampling->lowest && value <= sampling->highest)) {
            pixel[i] = is_below ? -HUGE_VALF : NAN;
        }
    }
}

/* Interpolation along one axis: the pixel before and after, and the weight of the second. */
static double split(double coordinate, int count, int *before, int *after)
{
    double from_centre = fmin(fmax(coordinate - 0.5, 0.0), count - 1.0);
    double nearest = round(from_centre);
    if (fabs(from_centre - nearest) < ON_CENTRE) {
        *before = *after = (int)nearest;
        return 0.0;
    }
    *before = (int)floor(from_centre);
    *after = *before + 1;
    return from_centre - *before;
}

static float take_pixel(const rcity_raster_layer *layer, rcity_raster_window window, const float *value, double x,
                        double y)
{
    int column = (int)fmin(fmax(floor(x), 0.0), layer->column_count - 1.0);
    int row = (int)fmin(fmax(floor(y), 0.0), layer->row_count - 1.0);
    return value[(size_t)(row - window.row) * (size_t)window.column_count + (size_t)(column - window.column)];
}

static float interpolate(const rcity_raster_layer *layer, rcity_raster_window window, const float *value, double x,
                         double y)
{
    int left, right, top, bottom;
    double share_x = split(x, layer->column_count, &left, &right);
    double share_y = split(y, layer->row_count, &top, &bottom);
    const float *upper = value + (size_t)(top - window.row) * (size_t)window.column_count;
    const float *lower = value + (size_t)(bottom - window.row) * (size_t)window.column_count;
    left -= window.column;
    right -= window.column;
    double upper_value = (double)upper[left] + share_x * ((double)upper[right] - (double)upper[left]);
    double lower_value = (double)lower[left] + share_x * ((double)lower[right] - (double)lower[left]);
    double between = upper_value + share_y * (lower_value - upper_value);
    return isfinite(between) ? (float)between : NAN;
}

static rcity_status sample_layer(sample_stretch *stretch, const rcity_raster_layer *layer, rcity_raster_window window)
{
    rcity_context *context = stretch->import->context;
    size_t pixel_count = (size_t)window.column_count * (size_t)window.row_count;
    float *pixel = NULL;
    RCITY_TRY(rcity_alloc(context, pixel_count, sizeof *pixel, "a part of a raster", &pixel));
    rcity_status status = rcity_raster_read(stretch->import, layer, window, pixel);
    if (status == RCITY_OK) {
        drop_impossible(stretch->sampling, pixel, pixel_count, stretch->sampled);
        int64_t place_count = stretch->row_count * stretch->lattice->column_count;
        for (int64_t i = 0; i < place_count; i++) {
            double x = stretch->x[i];
            double y = stretch->y[i];
            if (isnan(stretch->value[i]) && rcity_raster_holds(layer, x, y, 0.0)) {
                float nearest = take_pixel(layer, window, pixel, x, y);
                stretch->is_below[i] = stretch->is_below[i] || nearest == -HUGE_VALF;
                stretch->value[i] = stretch->sampling->is_bilinear ? interpolate(layer, window, pixel, x, y)
                                    : isfinite(nearest)            ? nearest
                                                                   : NAN;
            }
        }
    }
    rcity_release(context, pixel);
    return status;
}

/* Sample all layers for one block, in order; `*is_done` is false when its window was too large to read. */
static rcity_status sample_stretch_once(sample_stretch *stretch, bool *is_done)
{
    int64_t place_count = stretch->row_count * stretch->lattice->column_count;
    for (int64_t i = 0; i < place_count; i++) {
        stretch->value[i] = NAN;
    }
    memset(stretch->is_held, 0, (size_t)place_count * sizeof *stretch->is_held);
    memset(stretch->is_below, 0, (size_t)place_count * sizeof *stretch->is_below);
    *is_done = true;
    for (int i = 0; i < stretch->set->layer_count; i++) {
        const rcity_raster_layer *layer = &stretch->set->layers[i];
        rcity_raster_window window;
        locate_stretch(stretch, layer);
        if (!find_window(stretch, layer, &window)) {
            continue;
        }
        for (int64_t k = 0; k < place_count; k++) {
            stretch->is_held[k] = stretch->is_held[k] || rcity_raster_holds(layer, stretch->x[k], stretch->y[k], 0.0);
        }
        if ((double)window.column_count * (double)window.row_count > WINDOW_PIXELS && stretch->row_count > 1) {
            *is_done = false;
            return RCITY_OK;
        }
        RCITY_TRY(sample_layer(stretch, layer, window));
    }
    return RCITY_OK;
}

static void count_missing(const sample_stretch *stretch)
{
    const rcity_lattice *lattice = stretch->lattice;
    rcity_sampled *sampled = stretch->sampled;
    int64_t place_count = stretch->row_count * lattice->column_count;
    for (int64_t i = 0; i < place_count; i++) {
        if (!isnan(stretch->value[i])) {
            continue;
        }
        sampled->below_count += stretch->is_below[i] ? 1 : 0;
        int64_t *count = stretch->is_held[i] ? &sampled->void_count : &sampled->outside_count;
        double *first_m = stretch->is_held[i] ? sampled->void_m : sampled->outside_m;
        if ((*count)++ == 0) {
            first_m[0] = column_x_m(lattice, i % lattice->column_count);
            first_m[1] = row_y_m(lattice, stretch->row + i / lattice->column_count);
        }
    }
}

rcity_status rcity_raster_sample(rcity_import *import, const rcity_raster_set *set, const rcity_lattice *lattice,
                                 const rcity_sampling *sampling, float *value, rcity_sampled *sampled)
{
    rcity_context *context = import->context;
    int64_t most_rows = STRETCH_NODES / lattice->column_count + 1;
    most_rows = most_rows < lattice->row_count ? most_rows : lattice->row_count;
    size_t most_places = (size_t)(most_rows * lattice->column_count);
    sample_stretch stretch = {
        .import = import, .set = set, .lattice = lattice, .sampling = sampling, .sampled = sampled};
    rcity_status status;
    memset(sampled, 0, sizeof *sampled);
    RCITY_TRY_DONE(rcity_alloc(context, most_places, sizeof *stretch.x, "places in rasters", &stretch.x));
    RCITY_TRY_DONE(rcity_alloc(context, most_places, sizeof *stretch.y, "places in rasters", &stretch.y));
    RCITY_TRY_DONE(rcity_alloc(context, most_places, sizeof *stretch.is_held, "places in rasters", &stretch.is_held));
    RCITY_TRY_DONE(rcity_alloc(context, most_places, sizeof *stretch.is_below, "places in rasters", &stretch.is_below));
    while (stretch.row < lattice->row_count) {
        int64_t left = lattice->row_count - stretch.row;
        bool is_done;
        stretch.row_count = most_rows < left ? most_rows : left;
        stretch.value = value + stretch.row * lattice->column_count;
        RCITY_TRY_DONE(sample_stretch_once(&stretch, &is_done));
        if (!is_done) {
            most_rows = (stretch.row_count + 1) / 2;
            continue;
        }
        count_missing(&stretch);
        stretch.row += stretch.row_count;
        RCITY_TRY_DONE(rcity_progress(context, sampling->task, (double)stretch.row, (double)lattice->row_count));
    }
done:
    rcity_release(context, stretch.is_below);
    rcity_release(context, stretch.is_held);
    rcity_release(context, stretch.y);
    rcity_release(context, stretch.x);
    return status;
}
