/* Discrete lines against a textbook Bresenham, and the cubes a straight line touches against a test of every cube. */
#include "cube_world.h"
#include "kernel/cubes/cube_skip.h"
#include "kernel/cubes/cube_touch.h"
#include "visibility/cubes/cube_sight.h"

static const uint64_t seed = 4;

static int scaled(int quick, int full)
{
    return test_is_called_with("long") ? full : quick;
}

/* The textbook: an error term of each minor direction, compared with 0 after each step of the longest direction. Half-way
   cases step up and do not step down. */
static void bresenham(const int from[3], const int to[3], int (*cubes)[3], int *count)
{
    int difference[3], sign[3], error[3], place[3];
    int longest = 0;
    for (int i = 0; i < 3; i++) {
        difference[i] = abs(to[i] - from[i]);
        sign[i] = to[i] > from[i] ? 1 : -1;
        longest = difference[i] > difference[longest] ? i : longest;
        place[i] = from[i];
    }
    int length = difference[longest];
    for (int i = 0; i < 3; i++) {
        error[i] = 2 * difference[i] - length;
    }
    *count = 0;
    for (int step = 0; step <= length; step++) {
        memcpy(cubes[(*count)++], place, sizeof place);
        for (int i = 0; i < 3; i++) {
            if (i == longest) {
                place[i] += sign[i];
                continue;
            }
            if (error[i] > 0 || (error[i] == 0 && sign[i] > 0)) {
                place[i] += sign[i];
                error[i] -= 2 * length;
            }
            error[i] += 2 * difference[i];
        }
    }
}

static rcity_cube cube_of(const int place[3])
{
    return (rcity_cube){place[0], place[1], place[2]};
}

static bool are_equal(rcity_cube a, rcity_cube b)
{
    return a.column == b.column && a.row == b.row && a.layer == b.layer;
}

static void check_line(const int from[3], const int to[3])
{
    static int cubes[3000][3];
    int count = 0;
    bresenham(from, to, cubes, &count);
    rcity_cube_line line = rcity_cube_line_start(cube_of(from), cube_of(to), 0);
    rcity_cube_line back = rcity_cube_line_start(cube_of(to), cube_of(from), line.length);
    assert_int_equal(line.length + 1, count);
    for (int step = 0; step < count; step++) {
        rcity_cube cube = rcity_cube_line_cube(&line);
        rcity_cube_line at = rcity_cube_line_start(cube_of(from), cube_of(to), step);
        rcity_cube_line other = rcity_cube_line_start(cube_of(to), cube_of(from), line.length - step);
        assert_true(are_equal(cube, cube_of(cubes[step])));
        assert_true(are_equal(cube, rcity_cube_line_cube(&at)));
        assert_true(are_equal(cube, rcity_cube_line_cube(&other))); /* both ends give the same cubes */
        rcity_cube_line_next(&line);
    }
    assert_true(are_equal(rcity_cube_line_cube(&back), cube_of(from)));
}

static void test_lines_are_those_of_the_textbook(void **state)
{
    (void)state;
    for (int x = -6; x <= 6; x++) {
        for (int y = -6; y <= 6; y++) {
            for (int z = -6; z <= 6; z++) {
                check_line((int[]){3, -2, 1}, (int[]){3 + x, y - 2, z + 1});
            }
        }
    }
    int draw_count = scaled(3000, 100000);
    for (int i = 0; i < draw_count; i++) {
        int place[6];
        for (int k = 0; k < 6; k++) {
            place[k] = (int)test_uniform(seed, (uint64_t)(6 * i + k), -700.0, 700.0);
        }
        check_line(place, place + 3);
    }
}

static void test_longest_lines_stay_in_32_bits(void **state)
{
    (void)state;
    const int end = RCITY_CUBE_LINE_MAX - 1;
    rcity_cube from = {0, 0, 0};
    rcity_cube to = {end, end - 1, 900};
    rcity_cube_line line = rcity_cube_line_start(from, to, 0);
    for (int step = 0; step <= end; step++, rcity_cube_line_next(&line)) {
        int64_t y = (2 * (int64_t)step * to.row + end) / (2 * (int64_t)end);
        int64_t z = (2 * (int64_t)step * to.layer + end) / (2 * (int64_t)end);
        rcity_cube_line at = rcity_cube_line_start(from, to, step);
        assert_int_equal(line.x.place, step);
        assert_int_equal(line.y.place, y);
        assert_int_equal(line.z.place, z);
        assert_true(are_equal(rcity_cube_line_cube(&line), rcity_cube_line_cube(&at)));
    }
}

/* Does the segment between two centres meet the inside of a cube? The part of it between each pair of faces, as fractions
   of its length with a common denominator, in whole numbers. */
static bool meets_inside(const int from[3], const int to[3], const int cube[3])
{
    int64_t first_top = 0, first_bottom = 1, last_top = 1, last_bottom = 1;
    for (int i = 0; i < 3; i++) {
        int64_t length = 2 * ((int64_t)to[i] - from[i]);
        int64_t low = 2 * ((int64_t)cube[i] - from[i]) - 1;
        int64_t high = low + 2;
        if (length == 0) {
            if (low >= 0 || high <= 0) {
                return false;
            }
            continue;
        }
        if (length < 0) {
            int64_t swapped = -low;
            low = -high;
            high = swapped;
            length = -length;
        }
        if (low * first_bottom > first_top * length) {
            first_top = low;
            first_bottom = length;
        }
        if (high * last_bottom < last_top * length) {
            last_top = high;
            last_bottom = length;
        }
    }
    return first_top * last_bottom < last_top * first_bottom;
}

static void check_touched(const int from[3], const int to[3])
{
    int low[3], high[3];
    int expected_count = 0;
    for (int i = 0; i < 3; i++) {
        low[i] = (from[i] < to[i] ? from[i] : to[i]) - 1;
        high[i] = (from[i] > to[i] ? from[i] : to[i]) + 1;
    }
    for (int x = low[0]; x <= high[0]; x++) {
        for (int y = low[1]; y <= high[1]; y++) {
            for (int z = low[2]; z <= high[2]; z++) {
                expected_count += meets_inside(from, to, (int[]){x, y, z});
            }
        }
    }
    bool is_point = memcmp(from, to, 3 * sizeof *from) == 0;
    rcity_cube_touch touch = rcity_cube_touch_start(cube_of(from), cube_of(to));
    rcity_cube_touch back = rcity_cube_touch_start(cube_of(to), cube_of(from));
    int count = 1;
    while (touch.left > 0) {
        rcity_cube before = touch.cube;
        rcity_cube_touch_next(&touch);
        assert_int_equal(rcity_cube_distance(before, touch.cube), 1);
        assert_true(meets_inside(from, to, (int[]){touch.cube.column, touch.cube.row, touch.cube.layer}));
        rcity_cube_touch_next(&back);
        count++;
    }
    assert_true(are_equal(touch.cube, cube_of(to)) && are_equal(back.cube, cube_of(from)));
    assert_int_equal(count, is_point ? 1 : expected_count);
}

static void test_touched_cubes_are_those_whose_inside_the_line_meets(void **state)
{
    (void)state;
    for (int x = -5; x <= 5; x++) {
        for (int y = -5; y <= 5; y++) {
            for (int z = -5; z <= 5; z++) { /* many of them go through edges and corners */
                check_touched((int[]){0, 0, 0}, (int[]){x, y, z});
            }
        }
    }
    int draw_count = scaled(300, 10000);
    for (int i = 0; i < draw_count; i++) {
        int place[6];
        for (int k = 0; k < 6; k++) {
            place[k] = (int)test_uniform(seed + 1, (uint64_t)(6 * i + k), -12.0, 12.0);
        }
        check_touched(place, place + 3);
    }
}

static void test_line_through_an_edge_or_a_corner_changes_all_at_once(void **state)
{
    (void)state;
    rcity_cube_touch edge = rcity_cube_touch_start((rcity_cube){0, 0, 0}, (rcity_cube){-4, 4, 0});
    rcity_cube_touch corner = rcity_cube_touch_start((rcity_cube){9, 9, 9}, (rcity_cube){6, 12, 6});
    for (int i = 1; i <= 4; i++) {
        rcity_cube_touch_next(&edge);
        assert_true(are_equal(edge.cube, (rcity_cube){-i, i, 0}));
    }
    for (int i = 1; i <= 3; i++) {
        rcity_cube_touch_next(&corner);
        assert_true(are_equal(corner.cube, (rcity_cube){9 - i, 9 + i, 9 - i}));
    }
    assert_int_equal(edge.left, 0);
    assert_int_equal(corner.left, 0);
}

static void test_ends_do_not_count(void **state)
{
    (void)state;
    cube_world world = cube_world_make(seed, 20, 20, 5, 0.0);
    memset(world.words, 0, cube_world_word_count(&world.map) * sizeof *world.words);
    rcity_cube a = {2, 3, 1};
    rcity_cube b = {12, 3, 1};
    cube_world_fill(&world, a.column, a.row, a.layer);
    cube_world_fill(&world, b.column, b.row, b.layer);
    assert_true(rcity_cube_line_is_free(world.map, world.words, a, b));
    assert_true(rcity_cube_touch_is_free(world.map, world.words, a, b));
    assert_true(rcity_cube_line_is_free(world.map, world.words, a, a));
    cube_world_fill(&world, 7, 3, 1);
    assert_false(rcity_cube_line_is_free(world.map, world.words, a, b));
    assert_false(rcity_cube_touch_is_free(world.map, world.words, a, b));
    cube_world_free(&world);
}

static void test_skipping_empty_blocks_changes_nothing(void **state)
{
    (void)state;
    int free_count = 0;
    int hidden_count = 0;
    for (uint64_t shape = 0; shape < 12; shape++) {
        static const double shares[] = {0.02, 0.1, -0.0005, -0.01};
        cube_world world =
            cube_world_make(100 + shape, shape % 3 == 0 ? 3 : 131, 90, shape % 2 ? 45 : 7, shares[shape % 4]);
        rcity_cube_map blocks = rcity_cube_map_of_blocks(world.map);
        uint32_t *block_words = calloc(cube_world_word_count(&blocks), sizeof *block_words);
        assert_non_null(block_words);
        for (size_t i = 0; i < cube_world_word_count(&blocks); i++) {
            rcity_cube_block_item(world.map, world.words, (int64_t)i, block_words);
        }
        int line_count = scaled(3000, 100000);
        for (int i = 0; i < line_count; i++) {
            rcity_cube a = cube_world_cube(&world);
            rcity_cube b = cube_world_cube(&world);
            int expected = rcity_cube_line_is_free(world.map, world.words, a, b);
            int actual = rcity_cube_skip_is_free(world.map, world.words, blocks, block_words, a, b);
            if (actual != expected) {
                print_error("shape %d, line %d: %d, expected %d\n", (int)shape, i, actual, expected);
                fail();
            }
            free_count += expected;
            hidden_count += !expected;
        }
        free(block_words);
        cube_world_free(&world);
    }
    print_message("%d free lines, %d hidden\n", free_count, hidden_count);
    assert_true(free_count > 1000 && hidden_count > 1000);
}

/* Which cubes within some steps do the lines of a fan miss? */
static int64_t count_missed(int steps, bool is_plane, int64_t leave_out)
{
    int edge = 2 * steps + 1;
    rcity_cube middle = {steps, steps, is_plane ? 0 : steps};
    size_t count = (size_t)edge * (size_t)edge * (size_t)(is_plane ? 1 : edge);
    uint8_t *is_hit = calloc(count, 1);
    assert_non_null(is_hit);
    for (int64_t i = 0; i < rcity_cube_fan_count(steps, is_plane); i++) {
        rcity_cube to = rcity_cube_fan_target(middle, steps, is_plane, i);
        assert_int_equal(rcity_cube_distance(middle, to), steps);
        rcity_cube_line line = rcity_cube_line_start(middle, to, 0);
        for (int step = 0; step <= line.length && i != leave_out; step++, rcity_cube_line_next(&line)) {
            is_hit[((size_t)line.z.place * (size_t)edge + (size_t)line.y.place) * (size_t)edge + (size_t)line.x.place] =
                1;
        }
    }
    int64_t missed_count = 0;
    for (size_t i = 0; i < count; i++) {
        missed_count += !is_hit[i];
    }
    free(is_hit);
    return missed_count;
}

static void test_fan_hits_every_cube_and_has_no_line_to_spare(void **state)
{
    (void)state;
    for (int steps = 0; steps <= scaled(14, 40); steps++) {
        assert_int_equal(count_missed(steps, false, -1), 0);
        assert_int_equal(count_missed(steps, true, -1), 0);
    }
    assert_int_equal(count_missed(scaled(150, 700), true, -1), 0);
    for (int64_t i = 0; i < rcity_cube_fan_count(4, false); i++) {
        assert_true(count_missed(4, false, i) > 0);
    }
    for (int64_t i = 0; i < rcity_cube_fan_count(9, true); i++) {
        assert_true(count_missed(9, true, i) > 0);
    }
}

TEST_SUITE(cube_lines)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_are_those_of_the_textbook),
        cmocka_unit_test(test_longest_lines_stay_in_32_bits),
        cmocka_unit_test(test_touched_cubes_are_those_whose_inside_the_line_meets),
        cmocka_unit_test(test_line_through_an_edge_or_a_corner_changes_all_at_once),
        cmocka_unit_test(test_ends_do_not_count),
        cmocka_unit_test(test_skipping_empty_blocks_changes_nothing),
        cmocka_unit_test(test_fan_hits_every_cube_and_has_no_line_to_spare),
    };
    return cmocka_run_group_tests_name("cube_lines", tests, NULL, NULL);
}
