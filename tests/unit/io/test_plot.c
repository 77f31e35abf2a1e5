/* Plots of routes and scatter plots, by the pixels that must be there. The geometry is worked out here from the widths
   that plot_routes.c and plot_scatter.c state in em, not read from the pictures. */
#include "rcity_test.h"

#include <cairo.h>
#include <unistd.h>

#include "io/picture/plot/plot_page.h"

#define WIDTH_PX    1760
#define EM          (WIDTH_PX / 88.0) /* in plots of routes */
#define POINT_COUNT 101

/* ---- pictures taken apart ---- */

typedef struct seen {
    cairo_surface_t *surface;
    int width, height;
} seen;

static seen look_at(const char *path)
{
    seen picture = {.surface = cairo_image_surface_create_from_png(path)};
    assert_int_equal(cairo_surface_status(picture.surface), CAIRO_STATUS_SUCCESS);
    picture.width = cairo_image_surface_get_width(picture.surface);
    picture.height = cairo_image_surface_get_height(picture.surface);
    return picture;
}

static uint32_t pixel_at(const seen *picture, int x, int y)
{
    assert_true(x >= 0 && x < picture->width && y >= 0 && y < picture->height);
    const unsigned char *row = cairo_image_surface_get_data(picture->surface) +
                               (ptrdiff_t)y * cairo_image_surface_get_stride(picture->surface);
    uint32_t pixel;
    memcpy(&pixel, row + 4 * (ptrdiff_t)x, sizeof pixel);
    return pixel & 0xffffff;
}

static int channel_distance(uint32_t a, uint32_t b)
{
    int most = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int difference = abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
        most = difference > most ? difference : most;
    }
    return most;
}

/* Is there a pixel of nearly this colour in a box? */
static bool has_colour(const seen *picture, double x0, double y0, double x1, double y1, uint32_t rgb)
{
    for (int y = (int)y0; y <= (int)y1; y++) {
        for (int x = (int)x0; x <= (int)x1; x++) {
            if (channel_distance(pixel_at(picture, x, y), rgb) < 48) {
                return true;
            }
        }
    }
    return false;
}

/* ---- a route: 0 to 1000 m, measured 100 dB, predicted 92 dB, baseline 110 dB ---- */

typedef struct route_data {
    double travelled_m[POINT_COUNT], measured_db[POINT_COUNT], predicted_db[POINT_COUNT], baseline_db[POINT_COUNT];
    int category[POINT_COUNT];
    rcity_plot_route route;
} route_data;

static const char *const categories[] = {"direct", "roof"};

static rcity_plot_options make_options(void)
{
    rcity_plot_options options = rcity_plot_options_default();
    options.width_px = WIDTH_PX;
    options.category_count = 2;
    options.category_name = categories;
    return options;
}

static void fill_route(route_data *data)
{
    for (int i = 0; i < POINT_COUNT; i++) {
        data->travelled_m[i] = 10.0 * i;
        data->measured_db[i] = 100.0;
        data->predicted_db[i] = 92.0;
        data->baseline_db[i] = 110.0;
        data->category[i] = i < 50 ? 0 : 1;
    }
    data->route = (rcity_plot_route){.name = "north",
                                     .count = POINT_COUNT,
                                     .travelled_m = data->travelled_m,
                                     .measured_db = data->measured_db,
                                     .predicted_db = data->predicted_db,
                                     .baseline_db = data->baseline_db,
                                     .category = data->category};
}

/* Where things lie, without a title: 0.6 + 2.2 em of head, 2.4 of panel title, 15 of curves, 0.35, 0.7 of ribbon, 0.35,
   6 of errors. 92 to 110 dB get a span of 20 dB: 91 to 111, in steps of 2 dB 90 to 112. */
static double x_of(double travelled_m)
{
    return EM * (4.6 + travelled_m / 1000.0 * (88.0 - 1.6 - 4.6));
}

static double y_of(double loss_db)
{
    return EM * (5.2 + 15.0 * (112.0 - loss_db) / 22.0);
}

/* Where a part of the curves' height lies, counted from its top. */
static double y_at(double part)
{
    return EM * (5.2 + 15.0 * part);
}

static const double ribbon_y = EM * (5.2 + 15.0 + 0.35 + 0.35);
static const double zero_y = EM * (5.2 + 15.0 + 0.35 + 0.7 + 0.35 + 3.0);
static const double error_px = EM * 3.0; /* from 0 to the end of the axis */

/* Curves, ribbon and errors have their colours at their places. More loss is further up. */
static void test_curves_lie_at_their_values(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    route_data data;
    fill_route(&data);
    rcity_plot_options options = make_options();
    const char *path = test_path("route.png");
    assert_ok(context, rcity_plot_routes_save(context, 1, &data.route, &options, path));
    seen picture = look_at(path);
    assert_int_equal(picture.width, WIDTH_PX);
    assert_near(picture.height, EM * (2.8 + 2.4 + 15.0 + 0.35 + 0.7 + 0.35 + 6.0 + 3.4 + 2.2), 1.0);
    for (double at_m = 55.0; at_m < 1000.0; at_m += 300.0) {
        double x = x_of(at_m);
        assert_true(has_colour(&picture, x, y_of(100.0) - 2, x, y_of(100.0) + 2, RCITY_PLOT_MEASURED_RGB));
        assert_true(has_colour(&picture, x, y_of(92.0) - 2, x, y_of(92.0) + 2, RCITY_PLOT_PREDICTED_RGB));
        assert_true(has_colour(&picture, x, y_of(110.0) - 2, x, y_of(110.0) + 2, RCITY_PLOT_BASELINE_RGB));
        assert_false(has_colour(&picture, x, y_of(110.0) + 6, x, y_of(100.0) - 6, RCITY_PLOT_PREDICTED_RGB));
        /* the error is 8 dB of an axis to 10 dB; in the band of 6 dB nothing but grid lies */
        assert_true(
            has_colour(&picture, x, zero_y - 0.8 * error_px - 2, x, zero_y - 0.8 * error_px + 2, RCITY_PLOT_FAINT_INK));
        assert_true(has_colour(&picture, x, zero_y - 0.4 * error_px, x, zero_y - 0.2 * error_px, RCITY_PLOT_BAND_RGB));
    }
    assert_int_equal(pixel_at(&picture, (int)x_of(205.0), (int)ribbon_y), rcity_plot_category_rgb(0));
    assert_int_equal(pixel_at(&picture, (int)x_of(805.0), (int)ribbon_y), rcity_plot_category_rgb(1));
    cairo_surface_destroy(picture.surface);
    rcity_context_destroy(&context);
}

/* NAN, a leap along the route, a start and a step back break lines; a value by itself is a dot. */
static void test_gaps_break_the_curves(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    route_data data;
    bool is_start[POINT_COUNT] = {false};
    fill_route(&data);
    data.route.baseline_db = NULL;
    for (int i = 20; i < 40; i++) {
        data.measured_db[i] = (double)NAN;
    }
    data.measured_db[30] = 100.0;            /* alone */
    data.measured_db[44] = (double)INFINITY; /* so is 45, with the start that follows */
    is_start[46] = true;
    data.predicted_db[60] = 1e300;
    rcity_plot_options options = make_options();
    data.route.is_start = is_start;
    const char *path = test_path("gaps.png");
    assert_ok(context, rcity_plot_routes_save(context, 1, &data.route, &options, path));
    seen picture = look_at(path);
    /* 92 to 100 dB get a span of 20 dB: 86 to 106 */
    double y = y_at(6.0 / 20.0);
    double below = y_at(14.0 / 20.0);
    assert_true(has_colour(&picture, x_of(155.0), y - 2, x_of(155.0), y + 2, RCITY_PLOT_MEASURED_RGB));
    assert_false(has_colour(&picture, x_of(205.0), y - 2, x_of(290.0), y + 2, RCITY_PLOT_MEASURED_RGB));
    assert_true(has_colour(&picture, x_of(298.0), y - 2, x_of(302.0), y + 2, RCITY_PLOT_MEASURED_RGB));
    assert_false(has_colour(&picture, x_of(453.0), y - 2, x_of(457.0), y + 2, RCITY_PLOT_MEASURED_RGB));
    assert_true(has_colour(&picture, x_of(448.0), y - 2, x_of(452.0), y + 2, RCITY_PLOT_MEASURED_RGB));
    assert_false(has_colour(&picture, x_of(598.0), below - 2, x_of(602.0), below + 2, RCITY_PLOT_PREDICTED_RGB));
    assert_true(has_colour(&picture, x_of(555.0), below - 2, x_of(555.0), below + 2, RCITY_PLOT_PREDICTED_RGB));
    cairo_surface_destroy(picture.surface);

    /* The same route with a leap of 500 m in its middle: broken by the usual gap, not by one of 1 km. */
    fill_route(&data);
    data.route.baseline_db = NULL;
    for (int i = 0; i < POINT_COUNT; i++) {
        data.travelled_m[i] = 5.0 * i + (i > 50 ? 500.0 : 0.0);
    }
    for (int i = 0; i < 2; i++) {
        options.gap_m = i == 0 ? (double)NAN : 1000.0;
        assert_ok(context, rcity_plot_routes_save(context, 1, &data.route, &options, path));
        picture = look_at(path);
        assert_int_equal(has_colour(&picture, x_of(500.0), y - 2, x_of(500.0), y + 2, RCITY_PLOT_MEASURED_RGB), i == 1);
        cairo_surface_destroy(picture.surface);
    }

    /* Two routes from 0, 4 dB apart: no line leads back from the end of the first. */
    for (int i = 0; i < POINT_COUNT; i++) {
        data.travelled_m[i] = i <= 50 ? 20.0 * i : 20.0 * (i - 51);
        data.measured_db[i] = i <= 50 ? 100.0 : 96.0;
    }
    assert_ok(context, rcity_plot_routes_save(context, 1, &data.route, &options, path));
    picture = look_at(path);
    double x = x_of(510.0);
    assert_true(has_colour(&picture, x, y - 2, x, y + 2, RCITY_PLOT_MEASURED_RGB));
    assert_false(has_colour(&picture, x, y + 6, x, y_at(10.0 / 20.0) - 6, RCITY_PLOT_MEASURED_RGB));
    cairo_surface_destroy(picture.surface);
    rcity_context_destroy(&context);
}

/* Many values in a column of pixels: its extremes are seen, wherever they stand among the others. */
static void test_extremes_show_in_dense_curves(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    rcity_context *context = test_context(1);
    static double travelled_m[COUNT], measured_db[COUNT], predicted_db[COUNT];
    for (int i = 0; i < COUNT; i++) {
        travelled_m[i] = 1000.0 * i / (COUNT - 1);
        measured_db[i] = i == 100001 ? 109.0 : i == 100013 ? 91.0 : 100.0;
        predicted_db[i] = (double)NAN;
    }
    rcity_plot_route route = {
        .count = COUNT, .travelled_m = travelled_m, .measured_db = measured_db, .predicted_db = predicted_db};
    rcity_plot_options options = make_options();
    const char *path = test_path("dense.png");
    assert_ok(context, rcity_plot_routes_save(context, 1, &route, &options, path));
    seen picture = look_at(path);
    double x = x_of(500.0); /* 91 to 109 dB with 1 dB of air: 90 to 110; 108 dB and 92 dB are a tenth from the ends */
    assert_true(has_colour(&picture, x - 3, y_at(0.06), x + 3, y_at(0.1), RCITY_PLOT_MEASURED_RGB));
    assert_true(has_colour(&picture, x - 3, y_at(0.9), x + 3, y_at(0.94), RCITY_PLOT_MEASURED_RGB));
    cairo_surface_destroy(picture.surface);
    rcity_context_destroy(&context);
}

/* Nothing, one point, many routes: a picture all the same, with a panel for each up to the most. */
static void test_few_and_many(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_plot_options options = make_options();
    options.title = "a title";
    options.category_count = 0;
    route_data data;
    fill_route(&data);
    rcity_plot_route routes[RCITY_PLOT_PANEL_MAX + 3];
    const char *path = test_path("many.png");
    int height[RCITY_PLOT_PANEL_MAX + 4] = {0};
    for (int i = 0; i < RCITY_PLOT_PANEL_MAX + 3; i++) {
        routes[i] = data.route;
        routes[i].count = i; /* none, one, ... */
        routes[i].figures.count = i;
    }
    for (int count = 1; count <= RCITY_PLOT_PANEL_MAX + 3; count++) {
        assert_ok(context, rcity_plot_routes_save(context, count, routes, &options, path));
        seen picture = look_at(path);
        height[count] = picture.height;
        cairo_surface_destroy(picture.surface);
    }
    assert_near(height[3] - height[2], EM * (2.4 + 15.0 + 0.35 + 6.0 + 3.4), 1.0);
    assert_int_equal(height[RCITY_PLOT_PANEL_MAX], height[RCITY_PLOT_PANEL_MAX + 3]);
    assert_true(height[RCITY_PLOT_PANEL_MAX] > height[RCITY_PLOT_PANEL_MAX - 1]);

    /* one point lies in the middle: 100 and 92 dB of 90 to 112 */
    assert_ok(context, rcity_plot_routes_save(context, 1, &routes[1], &options, path));
    seen picture = look_at(path);
    double top = EM * (2.6 + 2.2 + 2.4);
    double x = x_of(500.0);
    assert_true(has_colour(&picture, x - 3, top + EM * 8.1, x + 3, top + EM * 8.3, RCITY_PLOT_MEASURED_RGB));
    assert_true(has_colour(&picture, x - 3, top + EM * 13.55, x + 3, top + EM * 13.75, RCITY_PLOT_PREDICTED_RGB));
    cairo_surface_destroy(picture.surface);
    rcity_context_destroy(&context);
}

/* ---- scatter ---- */

/* em is WIDTH_PX / 78; the square starts at 5.2 em from the left and 1.2 em from the top and has 52 em. */
static double scatter_x(double loss_db, double low_db, double high_db)
{
    double em = WIDTH_PX / 78.0;
    return em * (5.2 + 52.0 * (loss_db - low_db) / (high_db - low_db));
}

static double scatter_y(double loss_db, double low_db, double high_db)
{
    double em = WIDTH_PX / 78.0;
    return em * (1.2 + 52.0 * (high_db - loss_db) / (high_db - low_db));
}

static void test_scatter_points_lie_at_their_values(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const double measured_db[] = {100.0, 100.0, 140.0, 80.0, (double)NAN, 90.0};
    const double predicted_db[] = {120.0, 80.0, 100.0, 139.0, 90.0, (double)INFINITY};
    const int category[] = {0, 1, -1, 7, 0, 1};
    rcity_plot_points points = {
        .count = 6, .measured_db = measured_db, .predicted_db = predicted_db, .category = category};
    rcity_plot_options options = make_options();
    const char *path = test_path("scatter.png");
    assert_ok(context, rcity_plot_scatter_save(context, &points, &options, path));
    seen picture = look_at(path);
    assert_int_equal(picture.width, WIDTH_PX);
    assert_int_equal(picture.height, (int)ceil(WIDTH_PX / 78.0 * 58.6));
    /* 80 to 140 dB with 3 % of air, in steps of 10 dB: 70 to 150 */
    const uint32_t rgb[] = {rcity_plot_category_rgb(0), rcity_plot_category_rgb(1), rcity_plot_category_rgb(-1),
                            rcity_plot_category_rgb(-1)};
    for (int i = 0; i < 4; i++) {
        double x = scatter_x(predicted_db[i], 70.0, 150.0);
        double y = scatter_y(measured_db[i], 70.0, 150.0);
        assert_true(channel_distance(pixel_at(&picture, (int)x, (int)y), rgb[i]) < 40);
        assert_false(channel_distance(pixel_at(&picture, (int)x + 10, (int)y + 10), rgb[i]) < 40);
    }
    double x = scatter_x(117.0, 70.0, 150.0);
    assert_int_equal(pixel_at(&picture, (int)x, (int)scatter_y(114.0, 70.0, 150.0)), RCITY_PLOT_BAND_RGB);
    assert_int_equal(pixel_at(&picture, (int)x, (int)scatter_y(105.0, 70.0, 150.0)), 0xffffff);
    assert_true(has_colour(&picture, x, scatter_y(117.0, 70.0, 150.0) - 2, x, scatter_y(117.0, 70.0, 150.0) + 2,
                           RCITY_PLOT_FAINT_INK));
    cairo_surface_destroy(picture.surface);

    /* none, one, all the same: a picture with axes */
    const double same_db[] = {100.0, 100.0, 100.0};
    points = (rcity_plot_points){.measured_db = same_db, .predicted_db = same_db};
    for (points.count = 0; points.count <= 3; points.count++) {
        assert_ok(context, rcity_plot_scatter_save(context, &points, &options, path));
        picture = look_at(path);
        assert_int_equal(has_colour(&picture, scatter_x(100.0, 90.0, 110.0) - 1, scatter_y(100.0, 90.0, 110.0) - 1,
                                    scatter_x(100.0, 90.0, 110.0) + 1, scatter_y(100.0, 90.0, 110.0) + 1,
                                    rcity_plot_category_rgb(0)),
                         points.count > 0);
        cairo_surface_destroy(picture.surface);
    }
    rcity_context_destroy(&context);
}

/* A crowd is fainter than a point by itself. */
static void test_crowded_points_are_fainter(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    rcity_context *context = test_context(1);
    double measured_db[COUNT], predicted_db[COUNT];
    for (int i = 0; i < COUNT; i++) { /* spread in a square of 1 dB, so that dots rarely lie on dots */
        measured_db[i] = 100.0 + (double)(i % 40) / 40.0;
        predicted_db[i] = 100.0 + (double)(i / 40) / 40.0;
    }
    measured_db[0] = 90.0;
    predicted_db[0] = 110.0;
    measured_db[1] = 100.0;
    predicted_db[1] = 99.0; /* at the crowd's side, in its bin or the next */
    rcity_plot_points points = {.count = COUNT, .measured_db = measured_db, .predicted_db = predicted_db};
    rcity_plot_options options = make_options();
    const char *path = test_path("density.png");
    assert_ok(context, rcity_plot_scatter_save(context, &points, &options, path));
    seen picture = look_at(path);
    /* 90 to 110 dB with air, in steps of 2 dB: 88 to 112 */
    uint32_t alone = pixel_at(&picture, (int)scatter_x(110.0, 88.0, 112.0), (int)scatter_y(90.0, 88.0, 112.0));
    assert_true(channel_distance(alone, rcity_plot_category_rgb(0)) < 40);
    cairo_surface_destroy(picture.surface);
    for (int i = 2; i < COUNT; i++) { /* now one place of the crowd is looked at without its neighbours on top */
        measured_db[i] = 100.0;
        predicted_db[i] = i == 2 ? 100.0 : 100.24;
    }
    predicted_db[1] = 110.0;
    assert_ok(context, rcity_plot_scatter_save(context, &points, &options, path));
    picture = look_at(path);
    int left = (int)(scatter_x(100.0, 88.0, 112.0) - 1.0);
    uint32_t faint = pixel_at(&picture, left, (int)scatter_y(100.0, 88.0, 112.0));
    assert_true(channel_distance(faint, rcity_plot_category_rgb(0)) > 80);
    cairo_surface_destroy(picture.surface);
    rcity_context_destroy(&context);
}

/* ---- what all plots do ---- */

static void load_bytes(const char *path, char **bytes, size_t *count)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *bytes = malloc(1 << 22);
    *count = fread(*bytes, 1, 1 << 22, file);
    fclose(file);
}

static rcity_status save_both(rcity_context *context, route_data *data, const rcity_plot_options *options,
                              const char *route_path, const char *scatter_path)
{
    rcity_plot_points points = {.count = POINT_COUNT,
                                .measured_db = data->measured_db,
                                .predicted_db = data->predicted_db,
                                .category = data->category};
    rcity_status status = rcity_plot_routes_save(context, 1, &data->route, options, route_path);
    return status == RCITY_OK ? rcity_plot_scatter_save(context, &points, options, scatter_path) : status;
}

static void test_same_bytes(void **state)
{
    (void)state;
    route_data data;
    fill_route(&data);
    rcity_plot_options options = make_options();
    char names[2][2][64];
    for (int i = 0; i < 2; i++) {
        rcity_context *context = test_context(i + 1);
        char routes[512], scatter[512];
        snprintf(names[i][0], sizeof names[i][0], "same-route-%d.png", i);
        snprintf(names[i][1], sizeof names[i][1], "same-scatter-%d.png", i);
        snprintf(routes, sizeof routes, "%s", test_path(names[i][0]));
        snprintf(scatter, sizeof scatter, "%s", test_path(names[i][1]));
        assert_ok(context, save_both(context, &data, &options, routes, scatter));
        rcity_context_destroy(&context);
    }
    for (int k = 0; k < 2; k++) {
        char *bytes[2];
        size_t count[2];
        for (int i = 0; i < 2; i++) {
            load_bytes(test_path(names[i][k]), &bytes[i], &count[i]);
        }
        assert_int_equal(count[0], count[1]);
        assert_memory_equal(bytes[0], bytes[1], count[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
}

static void test_bad_plot_options_leave_no_file(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    route_data data;
    fill_route(&data);
    rcity_plot_options options = make_options();
    const char *path = test_path("absent.png");
    assert_status(context, rcity_plot_routes_save(context, 0, &data.route, &options, path), RCITY_ERR_ARGUMENT);
    assert_message(context, "no route");
    options.width_px = 8001;
    assert_status(context, rcity_plot_routes_save(context, 1, &data.route, &options, path), RCITY_ERR_ARGUMENT);
    assert_message(context, "8001 pixels cannot be drawn; the width is 400 to 8000");
    options = make_options();
    options.category_count = RCITY_PLOT_CATEGORY_MAX + 1;
    assert_status(context, save_both(context, &data, &options, path, path), RCITY_ERR_ARGUMENT);
    assert_message(context, "9 categories");
    options = make_options();
    options.gap_m = 0.0;
    assert_status(context, save_both(context, &data, &options, path, path), RCITY_ERR_ARGUMENT);
    assert_message(context, "gap");
    options = make_options();
    assert_status(context, rcity_plot_routes_save(context, 1, &data.route, &options, "/nowhere/a.png"), RCITY_ERR_FILE);
    assert_int_not_equal(access(path, F_OK), 0);
    rcity_context_destroy(&context);
}

static void test_no_memory(void **state)
{
    (void)state;
    route_data data;
    fill_route(&data);
    rcity_plot_options options = make_options();
    options.width_px = 400;
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        failing.fail_at = failing.call_count + n;
        char routes[512];
        snprintf(routes, sizeof routes, "%s", test_path("memory-route.png"));
        rcity_status status = save_both(context, &data, &options, routes, test_path("memory-scatter.png"));
        is_done = status == RCITY_OK;
        assert_true(is_done || status == RCITY_ERR_MEMORY);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        assert_true(!is_done || n > 6);
    }
}

TEST_SUITE(plot)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves_lie_at_their_values),
        cmocka_unit_test(test_gaps_break_the_curves),
        cmocka_unit_test(test_extremes_show_in_dense_curves),
        cmocka_unit_test(test_few_and_many),
        cmocka_unit_test(test_scatter_points_lie_at_their_values),
        cmocka_unit_test(test_crowded_points_are_fainter),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_bad_plot_options_leave_no_file),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("plot", tests, NULL, NULL);
}
