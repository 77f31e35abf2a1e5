/* Rays over triangulated terrain: losses on flat ground and off inclined planes, azimuths that miss nothing, the plain search,
   threads, bad input. */
#include "rcity_test.h"

#include "kernel/terrain/rays/ray_loss.h"
#include "ray_hills.h"

static const uint64_t seed = 52;
static const double light_m_per_s = 299792458.0;

static double free_space_db(double distance_m, double frequency_hz)
{
    return 20.0 * log10(4.0 * 3.14159265358979324 * distance_m * frequency_hz / light_m_per_s);
}

static void trace(rcity_context *context, const rcity_shapes *hills, const rcity_terrain_rays_options *options,
                  rcity_grid_point3 source, rcity_terrain_rays_field *field)
{
    rcity_device *device = ray_hills_device(context, "host");
    rcity_terrain_rays *rays = NULL;
    assert_ok(context, rcity_terrain_rays_open(context, device, hills, options, &rays));
    assert_ok(context, rcity_terrain_rays_trace(rays, source, field));
    field->grid.height = NULL; /* gone with the rays */
    rcity_terrain_rays_close(&rays);
    rcity_device_close(&device);
}

/* A point over the grid in metres from its south-west node. */
static rcity_grid_point3 place(const rcity_shapes *hills, double x_m, double y_m, double z_m)
{
    return (rcity_grid_point3){hills->terrain.west + (int32_t)lround(x_m * RAY_HILLS_UNITS_PER_M),
                               hills->terrain.south + (int32_t)lround(y_m * RAY_HILLS_UNITS_PER_M),
                               (int32_t)lround(z_m * RCITY_HEIGHT_UNITS_PER_M)};
}

/* One ray to the north over flat ground: the middles between its crossings are known. */
static void check_flat(const rcity_terrain_rays_options *options, double height_m)
{
    rcity_context *context = test_context(1);
    rcity_shapes flat = ray_hills_make(30, 200, 20, ray_hills_flat, NULL);
    rcity_terrain_rays_field field;
    const double east_m = 207.5; /* 7.5 m into its column: the diagonal is crossed there */
    trace(context, &flat, options, place(&flat, east_m, 205.0, height_m), &field);
    assert_int_equal(field.ray_count, 1);
    double last_m = 0.0;
    for (int crossing = 1; crossing < 300; crossing++) {
        bool is_row = crossing % 2 == 0; /* diagonals at 207.5 + 20 k, rows at 220 + 20 k */
        double north_m = (is_row ? 200.0 : 207.5) + 20.0 * (crossing / 2) - 205.0;
        double middle_m = (last_m + north_m) / 2.0;
        last_m = north_m;
        int64_t triangle = rcity_terrain_rays_triangle(&field.grid, flat.terrain.west + (int32_t)(16 * east_m),
                                                       flat.terrain.south + (int32_t)(16 * (205.0 + middle_m)));
        double rise_m = height_m - options->receiver_height_m;
        double loss_db = free_space_db(hypot(middle_m, rise_m), options->frequency_hz);
        if (options->two_ray) { /* horizontally polarized over a ground that is nearly a conductor: R is nearly -1 */
            double wavenumber = 2.0 * 3.14159265358979324 * options->frequency_hz / light_m_per_s;
            double direct_m = hypot(middle_m, rise_m);
            double ground_m = hypot(middle_m, height_m + options->receiver_height_m);
            double phase = wavenumber * (ground_m - direct_m);
            double share = direct_m / ground_m;
            loss_db -= 10.0 * log10(1.0 + share * share - 2.0 * share * cos(phase));
        }
        bool is_seen = false;
        assert_true(field.loss_db[triangle] ==
                    rcity_terrain_rays_loss_db(&field, flat.terrain.west + (int32_t)(16 * east_m),
                                               flat.terrain.south + (int32_t)(16 * (205.0 + middle_m)), &is_seen));
        assert_true(is_seen && ray_hills_is_seen(&field, triangle));
        assert_near(field.loss_db[triangle], loss_db, options->two_ray ? 0.05 : 0.002);
    }
    rcity_terrain_rays_field_deinit(context, &field);
    ray_hills_free(&flat);
    rcity_context_destroy(&context);
}

static void test_losses_on_flat_ground(void **state)
{
    (void)state;
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    options.azimuth_step_rad = 7.0;
    check_flat(&options, 30.0);
    options.frequency_hz = 300e6;
    options.receiver_height_m = 1.5;
    check_flat(&options, 50.0);
    options.two_ray = true;
    options.te_share = 1.0;
    assert_true(rcity_material_find("metal", &options.ground));
    check_flat(&options, 30.0);
}

/* Is a triangle within the range, and how far away are its corners from the transmitter's foot? */
static bool is_within(const rcity_terrain_rays_field *field, rcity_grid_point3 source, int64_t triangle, double *most_m)
{
    int32_t corner[3][2];
    ray_hills_corners(&field->grid, triangle, corner);
    *most_m = 0.0;
    for (int k = 0; k < 3; k++) {
        double x = (double)field->grid.west + (double)corner[k][0] * field->grid.cell - source.x;
        double y = (double)field->grid.south + (double)corner[k][1] * field->grid.cell - source.y;
        *most_m = fmax(*most_m, hypot(x, y) / RAY_HILLS_UNITS_PER_M);
    }
    return *most_m <= field->range_m;
}

/* On flat ground everything is seen that a ray goes over. */
static void test_derived_step_misses_no_triangle(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_shapes flat = ray_hills_make(120, 90, 30, ray_hills_flat, NULL);
    static const double factor[] = {1.0, 2.0, 4.0, 8.0};
    for (int f = 0; f < 4; f++) {
        long within = 0;
        long missed = 0;
        for (uint64_t i = 0; i < 20; i++) {
            rcity_grid_point3 source = ray_hills_source(&flat, seed + i, 25.0);
            rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
            rcity_terrain_rays_field field;
            options.max_range_m = i % 2 == 0 ? 0.0 : test_uniform(seed, i, 50.0, 2000.0);
            trace(context, &flat, &options, source, &field);
            assert_near(field.azimuth_step_rad, rcity_terrain_rays_step_rad(30.0, field.range_m),
                        0.1 * field.azimuth_step_rad);
            if (f > 0) {
                options.azimuth_step_rad = factor[f] * field.azimuth_step_rad;
                rcity_terrain_rays_field_deinit(context, &field);
                trace(context, &flat, &options, source, &field);
            }
            for (int64_t k = 0; k < field.triangle_count; k++) {
                double most_m;
                if (is_within(&field, source, k, &most_m)) {
                    within++;
                    missed += !ray_hills_is_seen(&field, k);
                    assert_true(isnan(field.loss_db[k]) == !ray_hills_is_seen(&field, k));
                    if (!isnan(field.loss_db[k])) {
                        assert_true((double)field.loss_db[k] <= free_space_db(hypot(most_m, 25.1), 1e9) + 0.01);
                    }
                }
            }
            rcity_terrain_rays_field_deinit(context, &field);
        }
        print_message("%g times the derived step: %ld of %ld triangles missed (%.2f %%)\n", factor[f], missed, within,
                      100.0 * (double)missed / (double)within);
        assert_true(within > 10000 && (factor[f] > 1.0 ? missed > within / 1000 : missed == 0));
    }
    ray_hills_free(&flat);
    rcity_context_destroy(&context);
}

/* The triangles whose centre is in line of sight, exactly, are those that rays come down on, except where a border of the
   shadow passes. */
static void test_rays_see_what_the_exact_test_sees(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    ray_hills_waves waves = {seed, 80.0, 10.0};
    rcity_shapes hills = ray_hills_make(100, 100, 30, ray_hills_rough, &waves);
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    options.receiver_height_m = 1.5;
    rcity_grid_point3 source = ray_hills_source(&hills, 3, 20.0);
    static const double factor[] = {1.0, 2.0, 4.0, 8.0};
    double step_rad = 0.0;
    for (int f = 0; f < 4; f++) {
        rcity_terrain_rays_field field;
        options.azimuth_step_rad = factor[f] * step_rad;
        trace(context, &hills, &options, source, &field);
        step_rad = f == 0 ? field.azimuth_step_rad : step_rad;
        long count[2][2] = {{0, 0}, {0, 0}};
        for (int64_t k = 0; k < field.triangle_count; k++) {
            int32_t corner[3][2];
            ray_hills_corners(&field.grid, k, corner);
            int64_t x = ((int64_t)corner[0][0] + corner[1][0] + corner[2][0]) * field.grid.cell / 3;
            int64_t y = ((int64_t)corner[0][1] + corner[1][1] + corner[2][1]) * field.grid.cell / 3;
            rcity_grid_point3 centre = {field.grid.west + (int32_t)x, field.grid.south + (int32_t)y, 0};
            centre.z = (int32_t)lround(rcity_terrain_height(&hills.terrain, centre.x, centre.y) + 96.0);
            bool is_free = !rcity_terrain_blocks(&hills.terrain, source, centre);
            count[is_free][ray_hills_is_seen(&field, k)]++;
        }
        double missed = (double)count[1][0] / (double)(count[1][0] + count[1][1]);
        double extra = (double)count[0][1] / (double)(count[0][0] + count[0][1]);
        print_message("seed %llu, %g times the step: %.2f %% of those in sight missed, %.2f %% of the others seen\n",
                      (unsigned long long)seed, factor[f], 100.0 * missed, 100.0 * extra);
        assert_true(count[0][0] > 1000 && count[1][1] > 1000);
        assert_true(f > 0 || (missed < 0.02 && extra < 0.15));
        rcity_terrain_rays_field_deinit(context, &field);
    }
    ray_hills_free(&hills);
    rcity_context_destroy(&context);
}

/* A plane that rises to the west up to column 60, then a steep one up to the east. */
static double valley(const void *user, int column, int row)
{
    (void)user;
    (void)row;
    return column < 60 ? 0.5 * 10.0 * (60 - column) : 3.0 * 10.0 * (column - 60);
}

/* Triangles on the steep plane that rays off the other one reach have the free-space loss from the mirrored transmitter, and
   that of the reflection. */
static void check_mirror(const rcity_terrain_rays_options *options, bool is_metal)
{
    rcity_context *context = test_context(1);
    rcity_shapes scene = ray_hills_make(70, 120, 10, valley, NULL);
    rcity_terrain_rays_field field;
    const double at_m[3] = {500.0, 600.0, 200.0};
    trace(context, &scene, options, place(&scene, at_m[0], at_m[1], at_m[2]), &field);
    double over = (at_m[2] + 0.5 * at_m[0] - 300.0) / 1.25; /* the plane is z + 0.5 x = 300 */
    double mirror_m[3] = {at_m[0] - over, at_m[1], at_m[2] - 2.0 * over};
    long count = 0;
    for (int64_t k = 0; k < field.triangle_count; k++) {
        int32_t corner[3][2];
        ray_hills_corners(&field.grid, k, corner);
        if (isnan(field.loss_db[k]) || corner[0][0] < 60) {
            continue;
        }
        double least_db = 1e9;
        double most_db = 0.0;
        double reflected_least_db = 1e9;
        double reflected_most_db = 0.0;
        for (int c = 0; c < 3; c++) {
            double dx = 10.0 * corner[c][0] - mirror_m[0];
            double dy = 10.0 * corner[c][1] - mirror_m[1];
            double dz = valley(NULL, corner[c][0], corner[c][1]) - mirror_m[2];
            double length_m = sqrt(dx * dx + dy * dy + dz * dz);
            double cosine = (0.5 * dx + dz) / sqrt(1.25) / length_m;
            double root = sqrt(15.0 - 1.0 + cosine * cosine); /* of a dielectric, across the plane of incidence */
            double reflected_db = is_metal ? 0.0 : -20.0 * log10((root - cosine) / (root + cosine));
            least_db = fmin(least_db, free_space_db(length_m, 1e9));
            most_db = fmax(most_db, free_space_db(length_m, 1e9));
            reflected_least_db = fmin(reflected_least_db, reflected_db);
            reflected_most_db = fmax(reflected_most_db, reflected_db);
        }
        least_db += reflected_least_db;
        most_db += reflected_most_db;
        assert_true((double)field.loss_db[k] >= least_db - 0.01);
        assert_true((double)field.loss_db[k] <= most_db + 0.01);
        count++;
    }
    print_message("%ld triangles of the steep plane\n", count);
    assert_true(count > 500);
    rcity_terrain_rays_field_deinit(context, &field);
    ray_hills_free(&scene);
    rcity_context_destroy(&context);
}

static void test_reflection_off_a_plane_is_that_of_the_mirrored_transmitter(void **state)
{
    (void)state;
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    options.without_direct = true;
    options.reflections = 1;
    assert_true(rcity_material_find("metal", &options.ground));
    check_mirror(&options, true);
    options.te_share = 1.0;
    options.ground = (rcity_material){.name = "glassy", .a = 15.0, .frequency_min_hz = 1e6, .frequency_max_hz = 1e12};
    check_mirror(&options, false);
}

/* More effects only make fields stronger, and hidden triangles have values behind an edge. */
static void test_effects_add_up(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    ray_hills_waves waves = {seed + 1, 60.0, 40.0};
    rcity_shapes hills = ray_hills_make(80, 80, 30, ray_hills_rough, &waves);
    rcity_grid_point3 source = ray_hills_source(&hills, 8, 10.0);
    rcity_terrain_rays_field field[3];
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    trace(context, &hills, &options, source, &field[0]);
    options.reflections = 3;
    trace(context, &hills, &options, source, &field[1]);
    options.reflections = 0;
    options.knife_edge = true;
    trace(context, &hills, &options, source, &field[2]);
    long more[3] = {0, 0, 0};
    for (int f = 1; f < 3; f++) {
        assert_memory_equal(field[f].seen, field[0].seen, (size_t)(field[0].triangle_count / 32) * sizeof(uint32_t));
        for (int64_t k = 0; k < field[0].triangle_count; k++) {
            assert_false(isnan(field[f].loss_db[k]) && !isnan(field[0].loss_db[k]));
            assert_false(field[f].loss_db[k] > field[0].loss_db[k]);
            more[f] += isnan(field[0].loss_db[k]) && !isnan(field[f].loss_db[k]);
            if (f == 2 && isnan(field[0].loss_db[k])) {
                assert_true(field[f].loss_db[k] > 6.0f + 40.0f);
            }
        }
    }
    print_message("%ld hidden triangles get a reflected ray, %ld a diffracted one\n", more[1], more[2]);
    assert_true(more[1] > 0 && more[2] > more[1]);
    for (int f = 0; f < 3; f++) {
        rcity_terrain_rays_field_deinit(context, &field[f]);
    }
    ray_hills_free(&hills);
    rcity_context_destroy(&context);
}

/* One trace in a context of its own; the arrays are the test's. */
static void trace_apart(int thread_count, const rcity_shapes *hills, const rcity_terrain_rays_options *options,
                        rcity_grid_point3 source, rcity_terrain_rays_field *field)
{
    rcity_context *context = test_context(thread_count);
    trace(context, hills, options, source, field);
    size_t loss_bytes = (size_t)field->triangle_count * sizeof *field->loss_db;
    size_t seen_bytes = (size_t)((field->triangle_count + 31) / 32) * sizeof *field->seen;
    rcity_terrain_rays_field copy = *field;
    copy.loss_db = memcpy(malloc(loss_bytes), field->loss_db, loss_bytes);
    copy.seen = memcpy(malloc(seen_bytes), field->seen, seen_bytes);
    rcity_terrain_rays_field_deinit(context, field);
    rcity_context_destroy(&context);
    *field = copy;
}

static void test_any_number_of_threads_and_the_plain_search_give_the_same_bits(void **state)
{
    (void)state;
    ray_hills_waves waves = {seed + 2, 70.0, 20.0};
    rcity_shapes hills = ray_hills_make(61, 61, 30, ray_hills_rough, &waves);
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    options.reflections = 2;
    options.knife_edge = true;
    for (int k = 0; k < 6; k++) {
        rcity_terrain_rays_field field[3];
        rcity_grid_point3 source = ray_hills_source(&hills, 60 + (uint64_t)k, 12.0);
        options.coarsen = 1 + k % 3; /* all divide 60 */
        options.coarsening = k < 3 ? RCITY_TERRAIN_RAYS_MEAN : RCITY_TERRAIN_RAYS_SUBSAMPLE;
        for (int run = 0; run < 3; run++) {
            options.plain = run == 2;
            trace_apart(run == 1 ? 7 : 1, &hills, &options, source, &field[run]);
            assert_memory_equal(field[run].seen, field[0].seen,
                                (size_t)((field[0].triangle_count + 31) / 32) * sizeof(uint32_t));
            assert_memory_equal(field[run].loss_db, field[0].loss_db, (size_t)field[0].triangle_count * sizeof(float));
        }
        for (int run = 0; run < 3; run++) {
            free(field[run].loss_db);
            free(field[run].seen);
        }
    }
    ray_hills_free(&hills);
}

static void test_bad_input(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_shapes flat = ray_hills_make(10, 10, 20, ray_hills_flat, NULL);
    rcity_device *device = ray_hills_device(context, "host");
    rcity_terrain_rays *rays = NULL;
    rcity_terrain_rays_field field = {.ray_count = 77};
    const rcity_terrain_rays_options good = rcity_terrain_rays_options_default();
    rcity_terrain_rays_options bad[10];
    for (int i = 0; i < 10; i++) {
        bad[i] = good;
    }
    bad[0].frequency_hz = 0.0;
    bad[1].receiver_height_m = (double)NAN;
    bad[2].max_range_m = -1.0;
    bad[3].max_loss_db = 1e9;
    bad[4].azimuth_step_rad = (double)NAN;
    bad[5].coarsen = 0;
    bad[6].reflections = 4;
    bad[7].te_share = 1.5;
    bad[8].two_ray = true;
    bad[9].coarsen = 10;
    for (int i = 0; i < 10; i++) {
        assert_status(context, rcity_terrain_rays_open(context, device, &flat, &bad[i], &rays), RCITY_ERR_ARGUMENT);
        assert_null(rays);
    }
    assert_message(context, "10 x 10 nodes");
    rcity_shapes none = flat;
    none.terrain.column_count = 0;
    assert_status(context, rcity_terrain_rays_open(context, device, &none, &good, &rays), RCITY_ERR_ARGUMENT);
    assert_message(context, "no terrain");
    rcity_terrain_rays_options fine = good;
    fine.azimuth_step_rad = 1e-9;
    assert_ok(context, rcity_terrain_rays_open(context, device, &flat, &fine, &rays));
    assert_status(context, rcity_terrain_rays_trace(rays, place(&flat, 90, 90, 10), &field), RCITY_ERR_ARGUMENT);
    assert_message(context, "use a wider step");
    assert_status(context, rcity_terrain_rays_trace(rays, place(&flat, -1, 90, 10), &field), RCITY_ERR_ARGUMENT);
    assert_message(context, "outside the terrain");
    assert_status(context, rcity_terrain_rays_trace(rays, place(&flat, 90, 90, -10), &field), RCITY_ERR_ARGUMENT);
    assert_message(context, "below the ground");
    assert_status(context, rcity_terrain_rays_trace(rays, place(&flat, 90, 90, 20000), &field), RCITY_ERR_ARGUMENT);
    assert_int_equal(field.ray_count, 77);
    field.grid = flat.terrain;
    assert_true(isnan(rcity_terrain_rays_loss_db(&field, flat.terrain.west, flat.terrain.south - 1, NULL)) != 0);
    assert_int_equal(rcity_terrain_rays_triangle(&flat.terrain, flat.terrain.west - 1, flat.terrain.south), -1);
    rcity_terrain_rays_close(&rays);
    rcity_device_close(&device);
    ray_hills_free(&flat);
    rcity_context_destroy(&context);
}

/* The receiver's triangle is the one that the tracer writes to; a limit of the loss leaves the rest without a value. */
static void test_limits_end_the_rays(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_shapes flat = ray_hills_make(101, 101, 20, ray_hills_flat, NULL);
    rcity_grid_point3 source = place(&flat, 1000.0, 1000.0, 10.0);
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    rcity_terrain_rays_field field;
    options.max_loss_db = free_space_db(500.0, 1e9);
    trace(context, &flat, &options, source, &field);
    assert_near(field.range_m, 500.0, 0.01);
    for (int64_t k = 0; k < field.triangle_count; k++) {
        double most_m;
        bool is_inside = is_within(&field, source, k, &most_m) && most_m < 495.0;
        assert_true(!is_inside || !isnan(field.loss_db[k]));
        assert_true(most_m < 530.0 || isnan(field.loss_db[k]));
        assert_true(isnan(field.loss_db[k]) || field.loss_db[k] <= (float)options.max_loss_db);
    }
    rcity_terrain_rays_field_deinit(context, &field);
    ray_hills_free(&flat);
    rcity_context_destroy(&context);
}

/* A raster has the triangles' values, NaN outside the terrain and where there is no receiver. */
static void test_raster_takes_the_values_of_triangles(void **state)
{
    (void)state;
    enum { COLUMNS = 50, ROWS = 40, CELLS = COLUMNS * ROWS };
    rcity_context *context = test_context(3);
    ray_hills_waves waves = {seed + 4, 40.0, 5.0};
    rcity_shapes hills = ray_hills_make(40, 30, 20, ray_hills_rough, &waves);
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    rcity_terrain_rays_field field;
    trace(context, &hills, &options, ray_hills_source(&hills, 5, 10.0), &field);
    rcity_raster raster = {.column_count = COLUMNS, .row_count = ROWS, .cell_m = 17.0};
    raster.west_m = (double)hills.terrain.west / RAY_HILLS_UNITS_PER_M - 30.0;
    raster.north_m = (double)hills.terrain.south / RAY_HILLS_UNITS_PER_M + 600.0;
    float z_m[CELLS];
    float loss_db[CELLS];
    float is_seen[CELLS];
    long count[2] = {0, 0};
    for (int i = 0; i < CELLS; i++) {
        z_m[i] = i % 7 == 0 ? NAN : 1.0f;
    }
    rcity_terrain_rays_fill_raster(context, &hills, &raster, &field, z_m, loss_db, is_seen);
    for (int i = 0; i < CELLS; i++) {
        double x_m = raster.west_m + (i % COLUMNS + 0.5) * raster.cell_m;
        double y_m = raster.north_m - (i / COLUMNS + 0.5) * raster.cell_m;
        bool seen = false;
        float expected = rcity_terrain_rays_loss_db(&field, (int32_t)lround(x_m * RAY_HILLS_UNITS_PER_M),
                                                    (int32_t)lround(y_m * RAY_HILLS_UNITS_PER_M), &seen);
        bool has_value = i % 7 != 0 && !isnan(expected);
        assert_true(has_value ? loss_db[i] == expected : isnan(loss_db[i]) != 0);
        assert_true(i % 7 == 0 ? isnan(is_seen[i]) != 0 : is_seen[i] == (float)seen);
        count[has_value ? 1 : 0]++;
    }
    assert_true(count[0] > CELLS / 10 && count[1] > CELLS / 10);
    rcity_terrain_rays_fill_raster(context, &hills, &raster, &field, NULL, loss_db, NULL);
    rcity_terrain_rays_field_deinit(context, &field);
    ray_hills_free(&hills);
    rcity_context_destroy(&context);
}

static void test_allocation_failure(void **state)
{
    (void)state;
    rcity_shapes flat = ray_hills_make(12, 12, 20, ray_hills_flat, NULL);
    rcity_status status = RCITY_ERR_MEMORY;
    for (long n = 1; status != RCITY_OK; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_device *device = ray_hills_device(context, "host");
        rcity_terrain_rays *rays = NULL;
        rcity_terrain_rays_field field = {0};
        rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
        options.coarsen = 2;
        failing.fail_at = failing.call_count + n;
        status = rcity_terrain_rays_open(context, device, &flat, &options, &rays);
        if (status == RCITY_OK) {
            status = rcity_terrain_rays_trace(rays, place(&flat, 90, 90, 10), &field);
        }
        assert_true(status == RCITY_OK ? n > 6 : status == RCITY_ERR_MEMORY && field.loss_db == NULL);
        rcity_terrain_rays_field_deinit(context, &field);
        rcity_terrain_rays_close(&rays);
        rcity_device_close(&device);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    }
    ray_hills_free(&flat);
}

TEST_SUITE(terrain_rays)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_on_flat_ground),
        cmocka_unit_test(test_derived_step_misses_no_triangle),
        cmocka_unit_test(test_rays_see_what_the_exact_test_sees),
        cmocka_unit_test(test_reflection_off_a_plane_is_that_of_the_mirrored_transmitter),
        cmocka_unit_test(test_effects_add_up),
        cmocka_unit_test(test_any_number_of_threads_and_the_plain_search_give_the_same_bits),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_limits_end_the_rays),
        cmocka_unit_test(test_raster_takes_the_values_of_triangles),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("terrain_rays", tests, NULL, NULL);
}
