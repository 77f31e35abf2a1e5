/* Regions against a flood fill: the same cells, areas to the cell, rings that never meet themselves. */
#include "rcity_test.h"

#include "io/export/regions.h"

/* A mask drawn with '#' for cells inside and '.' for others; '?' has no value. */
typedef struct drawing {
    int columns, rows;
    float value[4096];
} drawing;

static drawing draw(const char *const *lines, int rows)
{
    drawing made = {.columns = (int)strlen(lines[0]), .rows = rows};
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < made.columns; column++) {
            char c = lines[row][column];
            made.value[row * made.columns + column] = c == '#' ? 1.0f : c == '?' ? NAN : 0.0f;
        }
    }
    return made;
}

static int64_t doubled_area(const rcity_regions *regions, const rcity_region_ring *ring)
{
    int64_t sum = 0;
    for (size_t i = 0; i < ring->count; i++) {
        const int32_t *a = regions->corner + 2 * (ring->first + i);
        const int32_t *b = regions->corner + 2 * (ring->first + (i + 1) % ring->count);
        sum += (int64_t)a[0] * -b[1] - (int64_t)b[0] * -a[1]; /* rows count southwards */
    }
    return sum;
}

/* Is the middle of a cell inside a ring? Crossings of a line to the east. */
static bool holds(const rcity_regions *regions, const rcity_region_ring *ring, double x, double y)
{
    bool is_in = false;
    for (size_t i = 0; i < ring->count; i++) {
        const int32_t *a = regions->corner + 2 * (ring->first + i);
        const int32_t *b = regions->corner + 2 * (ring->first + (i + 1) % ring->count);
        if ((a[1] > y) != (b[1] > y) && x < a[0]) { /* sides run north to south or along rows */
            is_in = !is_in;
        }
    }
    return is_in;
}

/* Every ring turns at each corner, and comes through none twice. */
static void check_ring(const rcity_regions *regions, const rcity_region_ring *ring)
{
    assert_true(ring->count >= 4 && ring->count % 2 == 0);
    for (size_t i = 0; i < ring->count; i++) {
        const int32_t *a = regions->corner + 2 * (ring->first + i);
        const int32_t *b = regions->corner + 2 * (ring->first + (i + 1) % ring->count);
        const int32_t *c = regions->corner + 2 * (ring->first + (i + 2) % ring->count);
        assert_true((a[0] == b[0]) != (a[1] == b[1]));
        assert_true((a[0] == b[0]) == (b[1] == c[1])); /* one side upright, the next level */
        for (size_t k = i + 1; k < ring->count; k++) {
            const int32_t *other = regions->corner + 2 * (ring->first + k);
            assert_true(other[0] != a[0] || other[1] != a[1]);
        }
    }
    assert_true((doubled_area(regions, ring) > 0) == ring->is_outer);
}

static int flood(const drawing *drawn, int *group, int start, int number)
{
    int stack[4096];
    int depth = 0;
    int count = 0;
    stack[depth++] = start;
    group[start] = number;
    while (depth > 0) {
        int cell = stack[--depth];
        count++;
        const int neighbours[4] = {cell % drawn->columns > 0 ? cell - 1 : -1,
                                   cell % drawn->columns < drawn->columns - 1 ? cell + 1 : -1, cell - drawn->columns,
                                   cell + drawn->columns};
        for (int i = 0; i < 4; i++) {
            int next = neighbours[i];
            if (next >= 0 && next < drawn->columns * drawn->rows && group[next] == 0 && drawn->value[next] >= 1.0f) {
                group[next] = number;
                stack[depth++] = next;
            }
        }
    }
    return count;
}

/* Polygon by polygon the cells of one set, and of no other. */
static void check_regions(const drawing *drawn, const rcity_regions *regions)
{
    static int group[4096];
    int cell_count = drawn->columns * drawn->rows;
    int group_count = 0;
    int inside_count = 0;
    memset(group, 0, sizeof group);
    for (int i = 0; i < cell_count; i++) {
        if (drawn->value[i] >= 1.0f && group[i] == 0) {
            inside_count += flood(drawn, group, i, ++group_count);
        }
    }
    assert_int_equal(regions->cell_count, inside_count);
    assert_int_equal(regions->polygon_count, group_count);
    size_t ring = 0;
    for (size_t polygon = 0; polygon < regions->polygon_count; polygon++) {
        size_t first = ring;
        int64_t area = 0;
        while (ring < regions->ring_count && regions->ring[ring].polygon == polygon) {
            check_ring(regions, &regions->ring[ring]);
            assert_true(regions->ring[ring].is_outer == (ring == first));
            area += doubled_area(regions, &regions->ring[ring]);
            ring++;
        }
        assert_true(ring > first);
        int number = 0;
        int64_t count = 0;
        for (int i = 0; i < cell_count; i++) {
            bool is_in = false;
            for (size_t r = first; r < ring; r++) {
                is_in ^= holds(regions, &regions->ring[r], i % drawn->columns + 0.5, i / drawn->columns + 0.5);
            }
            if (is_in) {
                number = number == 0 ? group[i] : number;
                assert_true(number > 0 && group[i] == number);
                count++;
            }
        }
        assert_int_equal(area, 2 * count);
        for (int i = 0; i < cell_count; i++) {
            count -= group[i] == number ? 1 : 0;
        }
        assert_int_equal(count, 0);
    }
    assert_int_equal(ring, regions->ring_count);
}

static rcity_regions find(rcity_context *context, const drawing *drawn)
{
    rcity_regions regions;
    assert_ok(context, rcity_regions_find(context, drawn->value, drawn->columns, drawn->rows, 1.0, false, &regions));
    return regions;
}

static void check_drawing(const char *const *lines, int rows, size_t polygon_count, size_t ring_count)
{
    rcity_context *context = test_context(1);
    drawing drawn = draw(lines, rows);
    rcity_regions regions = find(context, &drawn);
    assert_int_equal(regions.polygon_count, polygon_count);
    assert_int_equal(regions.ring_count, ring_count);
    check_regions(&drawn, &regions);
    rcity_regions_deinit(&regions);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_regions_have_known_polygons_and_rings(void **state)
{
    (void)state;
    static const char *const one[] = {"#"};
    static const char *const none[] = {"..", "?."};
    static const char *const all[] = {"###", "###"};
    static const char *const diagonal[] = {"#.", ".#"}; /* a corner does not join */
    static const char *const board[] = {"#.#.", ".#.#", "#.#."};
    static const char *const hole[] = {"####", "#.##", "####"};
    static const char *const island[] = {"#####", "#...#", "#.#.#", "#...#", "#####"};
    static const char *const pinched[] = {"###", "#.#", "##.", "###"};  /* the hole touches the outside in a corner */
    static const char *const pair[] = {"####", "#.##", "##.#", "####"}; /* two holes that touch in a corner */
    static const char *const ring[] = {".##.", "#..#", "#..#", ".##."}; /* four bars around a middle */
    static const char *const closed[] = {"###.", "#..#", "#.##", "###."};
    check_drawing(one, 1, 1, 1);
    check_drawing(none, 2, 0, 0);
    check_drawing(all, 2, 1, 1);
    check_drawing(diagonal, 2, 2, 2);
    check_drawing(board, 3, 6, 6);
    check_drawing(hole, 3, 1, 2);
    check_drawing(island, 5, 2, 3);
    check_drawing(pinched, 4, 1, 2);
    check_drawing(pair, 4, 1, 3);
    check_drawing(ring, 4, 4, 4);
    check_drawing(closed, 4, 1, 2);
}

static void test_random_masks(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 400; seed++) {
        drawing drawn = {.columns = 1 + (int)(test_random(seed, 0) % 40), .rows = 1 + (int)(test_random(seed, 1) % 40)};
        double density = test_uniform(seed, 2, 0.05, 0.95);
        for (int i = 0; i < drawn.columns * drawn.rows; i++) {
            drawn.value[i] = test_uniform(seed, 10 + (uint64_t)i, 0.0, 1.0) < density ? 1.0f : 0.0f;
        }
        rcity_regions regions = find(context, &drawn);
        check_regions(&drawn, &regions);
        rcity_regions_deinit(&regions);
    }
    rcity_context_destroy(&context);
}

/* At or above for levels, at or below for losses; cells without value belong to neither. */
static void test_threshold_counts_for_levels_and_losses(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const float value[] = {-80.0f, -79.0f, -81.0f, NAN};
    rcity_regions regions;
    assert_ok(context, rcity_regions_find(context, value, 4, 1, -80.0, false, &regions));
    assert_int_equal(regions.cell_count, 2);
    assert_int_equal(regions.value_count, 3);
    assert_int_equal(regions.polygon_count, 1);
    rcity_regions_deinit(&regions);
    assert_ok(context, rcity_regions_find(context, value, 4, 1, -80.0, true, &regions));
    assert_int_equal(regions.cell_count, 2);
    assert_int_equal(regions.polygon_count, 2);
    rcity_regions_deinit(&regions);
    rcity_context_destroy(&context);
}

/* Corners where the raster puts them; long sides are cut only on the way to another CRS. */
static void test_outlines_follow_the_raster(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static float value[600];
    for (int i = 0; i < 600; i++) {
        value[i] = 1.0f;
    }
    rcity_raster raster = {600, 1, 1000.0, 2000.0, 5.0};
    rcity_regions regions;
    rcity_outlines outlines;
    assert_ok(context, rcity_regions_find(context, value, 600, 1, 1.0, false, &regions));
    assert_ok(context, rcity_outlines_make(context, &regions, &raster, "none", NULL, &outlines));
    assert_int_equal(outlines.point_count, 4);
    double x_min = HUGE_VAL, x_max = -HUGE_VAL, y_min = HUGE_VAL, y_max = -HUGE_VAL;
    for (size_t i = 0; i < 4; i++) {
        x_min = fmin(x_min, outlines.xy[2 * i]);
        x_max = fmax(x_max, outlines.xy[2 * i]);
        y_min = fmin(y_min, outlines.xy[2 * i + 1]);
        y_max = fmax(y_max, outlines.xy[2 * i + 1]);
    }
    assert_true(x_min == 1000.0 && x_max == 4000.0 && y_min == 1995.0 && y_max == 2000.0);
    rcity_outlines_deinit(&outlines);
    rcity_status status = rcity_outlines_make(context, &regions, &raster, "EPSG:32632", "EPSG:32632", &outlines);
    if (status == RCITY_OK) {
        assert_int_equal(outlines.point_count, 3 + 1 + 3 + 1); /* 600 cells in pieces of at most 256 */
        rcity_outlines_deinit(&outlines);
    } else {
        assert_int_equal(status, RCITY_ERR_UNSUPPORTED); /* no GDAL in this build */
    }
    rcity_regions_deinit(&regions);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    static const char *const lines[] = {"####.#", "#.##.#", "##.#..", "####.#"};
    drawing drawn = draw(lines, 4);
    rcity_raster raster = {6, 4, 0.0, 0.0, 1.0};
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_regions regions = {.cell_count = 77};
        rcity_outlines outlines;
        rcity_status status = rcity_regions_find(context, drawn.value, 6, 4, 1.0, false, &regions);
        if (status == RCITY_OK) {
            status = rcity_outlines_make(context, &regions, &raster, "none", NULL, &outlines);
            if (status == RCITY_OK) {
                rcity_outlines_deinit(&outlines);
            }
            rcity_regions_deinit(&regions);
        } else {
            assert_int_equal(regions.cell_count, 77);
        }
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 8);
}

TEST_SUITE(regions)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regions_have_known_polygons_and_rings),
        cmocka_unit_test(test_random_masks),
        cmocka_unit_test(test_threshold_counts_for_levels_and_losses),
        cmocka_unit_test(test_outlines_follow_the_raster),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("regions", tests, NULL, NULL);
}
