/* Numbers of walls from borders in integers against exact fractions: two triangles under one roof, cut along the line
   to each pixel. A pixel that is not asked has the exact number; where a line touches a roof's edge or walls that cross
   it is asked; and where nothing is rounded no other pixel is. */
#include "crossing_walls.h"
#include "rcity_test.h"

#include "kernel/visibility/walls/count_rows.h"

#define COLUMN_MAX 48
#define PIECE_MAX  12

__extension__ typedef __int128 wide;

static const uint64_t seed = 33;

/* A fraction with a positive denominator. */
typedef struct ratio {
    int64_t num, den;
} ratio;

static const ratio zero = {0, 1};
static const ratio one = {1, 1};

static int compare(ratio a, ratio b)
{
    wide difference = (wide)a.num * b.den - (wide)b.num * a.den;
    return (difference > 0) - (difference < 0);
}

/* Rounded down. */
static wide divide(wide num, wide den)
{
    wide quotient = num / den;
    return quotient * den > num ? quotient - 1 : quotient;
}

static int64_t orient(rcity_grid_point a, rcity_grid_point b, rcity_grid_point c)
{
    return ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) - ((int64_t)b.y - a.y) * ((int64_t)c.x - a.x);
}

/* The part of a line that is strictly within a triangle. */
static bool clip(const rcity_grid_point *triangle, rcity_grid_point from, rcity_grid_point to, ratio *begin, ratio *end)
{
    *begin = zero;
    *end = one;
    for (int i = 0; i < 3; i++) {
        int64_t at_from = orient(triangle[i], triangle[(i + 1) % 3], from);
        int64_t at_to = orient(triangle[i], triangle[(i + 1) % 3], to);
        if (at_from <= 0 && at_to <= 0) {
            return false;
        }
        if (at_from < at_to && at_from < 0) {
            ratio at = {-at_from, at_to - at_from};
            *begin = compare(at, *begin) > 0 ? at : *begin;
        } else if (at_to < at_from && at_to < 0) {
            ratio at = {at_from, at_from - at_to};
            *end = compare(at, *end) < 0 ? at : *end;
        }
    }
    return compare(*begin, *end) < 0;
}

/* Two triangles, a source and a raster, and the sheet. */
typedef struct count_case {
    crossing_walls walls;
    rcity_i32 roof;
    rcity_count_job job;
    rcity_i32 places[2 * COLUMN_MAX];
    rcity_count_piece pieces[PIECE_MAX];
    rcity_count_corner corners[PIECE_MAX + 1];
    rcity_i32 ends[2 * PIECE_MAX];
    rcity_u32 sheet[COLUMN_MAX * COLUMN_MAX + COLUMN_MAX + 2 * COLUMN_MAX + 1];
    rcity_i32 counts[COLUMN_MAX * COLUMN_MAX];
    rcity_u32 open[1 + COLUMN_MAX * COLUMN_MAX];
    bool is_asked[COLUMN_MAX * COLUMN_MAX];
} count_case;

/* A coordinate at a part of a leg, to the nearest fraction. */
static int64_t fraction_at(int64_t from, int64_t to, ratio part)
{
    wide twice = 2 * ((wide)from * part.den + (wide)(to - from) * part.num) * RCITY_COUNT_FRACTION_ONE + part.den;
    return (int64_t)divide(twice, 2 * (wide)part.den);
}

static void add_piece(count_case *c, rcity_grid_point p, rcity_grid_point q, ratio begin, ratio end)
{
    if (compare(begin, end) < 0) {
        c->pieces[c->job.piece_count++] =
            (rcity_count_piece){.ax = fraction_at(p.x, q.x, begin),
                                .ay = fraction_at(p.y, q.y, begin),
                                .bx = fraction_at(p.x, q.x, end),
                                .by = fraction_at(p.y, q.y, end),
                                .px = p.x,
                                .py = p.y,
                                .ex = q.x - p.x,
                                .ey = q.y - p.y,
                                .low = INT32_MIN,
                                .high = c->roof,
                                .is_cut = compare(begin, zero) > 0 || compare(end, one) < 0};
    }
}

/* Walls outside the other triangle, and corners: where two of them meet. */
static void build(count_case *c)
{
    int32_t end_count = 0;
    c->job.piece_count = c->job.corner_count = 0;
    for (int k = 0; k < 6; k++) {
        rcity_grid_point p = c->walls.corners[k / 3][k % 3];
        rcity_grid_point q = c->walls.corners[k / 3][(k + 1) % 3];
        ratio begin, end;
        if (clip(c->walls.corners[1 - k / 3], p, q, &begin, &end)) {
            add_piece(c, p, q, zero, begin);
            add_piece(c, p, q, end, one);
        } else {
            add_piece(c, p, q, zero, one);
        }
    }
    for (int32_t i = 0; i < c->job.piece_count; i++) { /* each corner has one piece that ends there */
        const rcity_count_piece *piece = &c->pieces[i];
        rcity_count_corner *corner = &c->corners[c->job.corner_count++];
        *corner = (rcity_count_corner){piece->bx, piece->by, INT32_MIN, c->roof, end_count, piece->is_cut};
        c->ends[end_count++] = 2 * i + 1;
        for (int32_t k = 0; k < c->job.piece_count; k++) {
            if (c->pieces[k].ax == piece->bx && c->pieces[k].ay == piece->by) {
                c->ends[end_count++] = 2 * k;
                corner->is_cut |= c->pieces[k].is_cut;
            }
        }
        assert_int_equal(end_count, 2 * (i + 1));
    }
    c->corners[c->job.corner_count].first = end_count;
}

/* Pixels `spacing` apart from `first` on, or up to `uneven` units more. */
static void set_raster(count_case *c, int32_t count, rcity_grid_point first, int32_t spacing, int32_t uneven)
{
    c->job.column_count = c->job.row_count = count;
    c->job.row_words = (count + 31) / 32;
    c->job.columns_per_unit = 1.0f / (float)spacing;
    for (int32_t i = 0; i < count; i++) {
        c->places[i] = first.x + i * spacing + (i % 2 != 0 ? uneven : 0);
        c->places[count + i] = first.y + (count - 1 - i) * spacing + (i % 2 != 0 ? uneven : 0);
    }
}

static void set_source(count_case *c, rcity_i32 x, rcity_i32 y, rcity_i32 z, rcity_i32 level)
{
    rcity_count_job *job = &c->job;
    int32_t last = job->column_count - 1;
    int32_t wide_west = abs(c->places[0] - x);
    int32_t wide_east = abs(c->places[last] - x);
    int32_t deep_north = abs(c->places[last + 1] - y);
    int32_t deep_south = abs(c->places[2 * last + 1] - y);
    job->source_x = x;
    job->source_y = y;
    job->source_z = z;
    job->level = level;
    job->scale = z != level ? llabs((int64_t)z - level) : 1;
    job->whole_max = RCITY_COUNT_FAR / job->scale - 1;
    job->wide = wide_west > wide_east ? wide_west : wide_east;
    job->deep = deep_north > deep_south ? deep_north : deep_south;
}

static void count(count_case *c)
{
    rcity_count_view view = {c->places, c->pieces, c->corners, c->ends, c->sheet};
    rcity_count_border borders[RCITY_COUNT_BLOCK];
    rcity_u32 words[2];
    memset(c->sheet, 0, sizeof c->sheet);
    memset(c->is_asked, 0, sizeof c->is_asked);
    c->open[0] = 0;
    for (int64_t i = 0; i * RCITY_COUNT_BLOCK < rcity_count_item_count(&c->job); i++) {
        rcity_u32 border_count = 0;
        rcity_count_find(&c->job, &view, i, 0, 1, borders, &border_count);
        rcity_count_draw(&c->job, &view, 0, 1, borders, border_count);
    }
    for (int32_t row = 0; row < c->job.row_count; row++) {
        rcity_count_sum_lane(&c->job, c->sheet, row, 0, 1, words);
        rcity_count_write_lane(&c->job, c->sheet, row, 0, 1, words, 0, c->counts, c->open);
    }
    for (rcity_u32 i = 0; i < c->open[0]; i++) {
        c->is_asked[c->open[1 + i]] = true;
    }
}

/* What is exactly true of a pixel. */
typedef struct truth {
    int wall_count;
    bool must_ask, may_ask; /* where nothing is rounded */
} truth;

/* Below the roof, at a part of the line: 1; in its plane: 0. */
static int below_roof(const count_case *c, ratio at)
{
    wide over = (wide)(c->roof - c->job.source_z) * at.den - (wide)(c->job.level - c->job.source_z) * at.num;
    return (over > 0) - (over < 0);
}

/* An end of what is within walls. */
static void add_end(const count_case *c, ratio at, truth *true_of)
{
    if (compare(at, zero) > 0 && compare(at, one) < 0) {
        int below = below_roof(c, at);
        true_of->wall_count += below > 0;
        true_of->must_ask |= below == 0 && c->job.source_z != c->job.level;
    }
}

/* The line passes a corner of a triangle, or ends within 2 units of where it would pass that in the roof's plane. */
static void look_at_corner(const count_case *c, rcity_grid_point source, rcity_grid_point pixel, rcity_grid_point at,
                           truth *true_of)
{
    int64_t dx = pixel.x - source.x;
    int64_t dy = pixel.y - source.y;
    int64_t along = dx * (at.x - source.x) + dy * (at.y - source.y);
    int64_t part = c->job.source_z > c->job.level ? c->job.source_z - c->roof : c->roof - c->job.source_z;
    if (orient(source, pixel, at) == 0 && along >= 0 && along <= dx * dx + dy * dy) {
        true_of->may_ask = true;
        true_of->must_ask |= c->job.source_z != c->job.level && along > 0 && along < dx * dx + dy * dy &&
                             below_roof(c, (ratio){along, dx * dx + dy * dy}) == 0;
    }
    if (c->job.source_z != c->job.level && part > 0 && part <= c->job.scale &&
        dy * part == (at.y - source.y) * c->job.scale) {
        true_of->may_ask |= llabs(dx * part - (at.x - source.x) * c->job.scale) <= 2 * part;
    }
    true_of->may_ask |= pixel.y == at.y && llabs((int64_t)pixel.x - at.x) <= 2;
}

static truth find_truth(const count_case *c, rcity_grid_point pixel)
{
    rcity_grid_point source = {c->job.source_x, c->job.source_y};
    truth true_of = {0, false, false};
    ratio begin[2], end[2];
    bool is_in[2];
    for (int k = 0; k < 2; k++) {
        is_in[k] = clip(c->walls.corners[k], source, pixel, &begin[k], &end[k]);
        for (int i = 0; i < 3; i++) {
            rcity_grid_point p = c->walls.corners[k][i];
            rcity_grid_point q = c->walls.corners[k][(i + 1) % 3];
            look_at_corner(c, source, pixel, p, &true_of);
            true_of.may_ask |=
                p.y == q.y && p.y == pixel.y && (pixel.x < p.x) != (pixel.x < q.x); /* a row along a wall */
        }
    }
    if (is_in[0] && is_in[1] && compare(begin[0], end[1]) <= 0 && compare(begin[1], end[0]) <= 0) {
        true_of.must_ask = compare(begin[0], end[1]) == 0 || compare(begin[1], end[0]) == 0;
        begin[0] = compare(begin[0], begin[1]) < 0 ? begin[0] : begin[1];
        end[0] = compare(end[0], end[1]) > 0 ? end[0] : end[1];
        is_in[1] = false;
    }
    for (int k = 0; k < 2; k++) {
        if (is_in[k]) {
            add_end(c, begin[k], &true_of);
            add_end(c, end[k], &true_of);
        }
    }
    true_of.may_ask |= true_of.must_ask;
    return true_of;
}

/* What a test has seen. */
typedef struct tally {
    int64_t pixel_count, asked_count, must_count, wall_count, lost_count;
} tally;

static void check(count_case *c, const char *what, uint64_t number, bool is_exact, tally *seen)
{
    count(c);
    int32_t columns = c->job.column_count;
    for (int32_t i = 0; i < columns * c->job.row_count; i++) {
        rcity_grid_point pixel = {c->places[i % columns], c->places[columns + i / columns]};
        truth true_of = find_truth(c, pixel);
        bool is_good =
            c->is_asked[i] ? true_of.may_ask || !is_exact : c->counts[i] == true_of.wall_count && !true_of.must_ask;
        if (!is_good) {
            print_error(
                "%s, seed %llu, case %llu: source %d %d %d, level %d, roof %d, pixel %d of %d, %d, at %d %d: %d "
                "walls, expected %d; %s\n",
                what, (unsigned long long)seed, (unsigned long long)number, c->job.source_x, c->job.source_y,
                c->job.source_z, c->job.level, c->roof, i % columns, columns, i / columns, pixel.x, pixel.y,
                c->counts[i], true_of.wall_count,
                c->is_asked[i]     ? "asked for nothing"
                : true_of.must_ask ? "to be asked"
                                   : "not asked");
            fail();
        }
        seen->asked_count += c->is_asked[i];
        seen->must_count += true_of.must_ask;
        seen->wall_count += true_of.wall_count;
        seen->pixel_count++;
    }
    if (c->sheet[rcity_count_lost(&c->job)] != 0) { /* only where a rounded corner is at the source, or level with it */
        bool is_level = false;
        for (int32_t i = 0; i < c->job.corner_count; i++) {
            is_level |= c->corners[i].is_cut && c->corners[i].y == c->job.source_y * RCITY_COUNT_FRACTION_ONE;
        }
        assert_true(is_level);
        seen->lost_count++;
    }
}

static int32_t draw(uint64_t i, uint64_t *next, int32_t low, int32_t high)
{
    return low + (int32_t)(test_random(seed, 1000 * i + (*next)++) % (uint64_t)(high - low + 1));
}

/* A triangle with its corners at most 28 units from (x, 0), many of them on pixels. */
static void draw_triangle(uint64_t i, uint64_t *next, int32_t x, rcity_grid_point *corners)
{
    do {
        for (int k = 0; k < 3; k++) {
            int32_t lattice = draw(i, next, 0, 1) == 0 ? 1 : 4;
            corners[k].x = x + lattice * draw(i, next, 0, 28 / lattice);
            corners[k].y = lattice * draw(i, next, 0, 28 / lattice);
        }
    } while (orient(corners[0], corners[1], corners[2]) <= 0);
}

/* Small numbers, so that much is in line and ratios of heights are often whole: pixels, corners, sources, walls. */
static void test_wall_counts_equal_exact_fractions(void **state)
{
    (void)state;
    static count_case c;
    tally seen = {0, 0, 0, 0, 0};
    for (uint64_t i = 0; i < 4000; i++) {
        uint64_t next = 0;
        draw_triangle(i, &next, 0, c.walls.corners[0]);
        draw_triangle(i, &next, 32, c.walls.corners[1]);
        c.roof = 12;
        build(&c);
        set_raster(&c, 24, (rcity_grid_point){-20, -20}, 4, 0);
        rcity_grid_point at = {draw(i, &next, -30, 80), draw(i, &next, -30, 50)};
        int k = draw(i, &next, 0, 5);
        rcity_grid_point p = c.walls.corners[k / 3][k % 3];
        rcity_grid_point q = c.walls.corners[k / 3][(k + 1) % 3];
        int32_t times = draw(i, &next, -2, 2);
        if (i % 3 == 0) { /* in line with a wall, or its start */
            at = (rcity_grid_point){p.x + times * (q.x - p.x), p.y + times * (q.y - p.y)};
        } else if (i % 3 == 1) { /* a corner between it and a pixel */
            at = (rcity_grid_point){4 * ((2 * p.x - at.x) / 4), 4 * ((2 * p.y - at.y) / 4)};
        }
        set_source(&c, at.x, at.y, draw(i, &next, 0, 24), draw(i, &next, 0, 16));
        check(&c, "exact", i, true, &seen);
    }
    print_message("seed %llu: %lld pixels, %lld asked, %lld had to be, %lld walls\n", (unsigned long long)seed,
                  (long long)seen.pixel_count, (long long)seen.asked_count, (long long)seen.must_count,
                  (long long)seen.wall_count);
    assert_true(seen.must_count > 1000 && seen.wall_count > 100000);
}

static const int32_t misses[] = {1, -1, 2, 5, -9, 30, -200, 1000};

static void print_crossings(const tally *seen)
{
    print_message("seed %llu: %lld pixels, %.2f %% asked, %lld walls, %lld sources without any number\n",
                  (unsigned long long)seed, (long long)seen->pixel_count,
                  100.0 * (double)seen->asked_count / (double)seen->pixel_count, (long long)seen->wall_count,
                  (long long)seen->lost_count);
}

/* Walls that cross beside the source or a point near it, in fractions that are rounded: from on the crossing, as it is
   rounded, to hundreds of fractions away. */
static void test_source_at_crossing(void **state)
{
    (void)state;
    static count_case c;
    tally seen = {0, 0, 0, 0, 0};
    for (uint64_t i = 0; i < 250; i++) {
        int32_t size = i % 2 == 0 ? 30000 : 60000;
        uint64_t next = 0;
        rcity_grid_point at = {draw(i, &next, -99, 99), draw(i, &next, -99, 99)};
        c.roof = 1300;
        c.walls = crossing_walls_make(seed, i, size, misses[i % 8], at);
        build(&c);
        set_raster(&c, COLUMN_MAX, (rcity_grid_point){at.x - size, at.y - size}, 2 * size / COLUMN_MAX,
                   size / COLUMN_MAX / 2);
        for (int k = 0; k < 8; k++) {
            int32_t away = k < 4 ? 0 : 3;
            bool is_low = k % 2 == 0; /* all lines pass below the roof */
            set_source(&c, at.x + draw(i, &next, -away, away), at.y + draw(i, &next, -away, away),
                       is_low ? draw(i, &next, 0, 1200) : draw(i, &next, 1301, 4000), draw(i, &next, 0, 1200));
            check(&c, "source at crossing", 8 * i + (uint64_t)k, false, &seen);
        }
    }
    print_crossings(&seen);
    assert_true(seen.lost_count > 100 && seen.wall_count > 100000);
}

/* The source beside a crossing and hardly above or below the roof, the receivers thousands of times as far from it:
   what rounding moved there is several pixels wide. The raster lies about the place where the line over the crossing
   ends, or beside it. */
static void test_far_ends(void **state)
{
    (void)state;
    static count_case c;
    tally seen = {0, 0, 0, 0, 0};
    for (uint64_t i = 0; i < 500; i++) {
        uint64_t next = 0;
        rcity_grid_point at = {draw(i, &next, -99, 99), draw(i, &next, -99, 99)};
        int32_t x = draw(i, &next, -2, 2);
        int32_t y = draw(i, &next, -2, 2);
        int32_t part = draw(i, &next, 1, 3);
        int32_t scale = draw(i, &next, 2000, 30000);
        bool is_falling = draw(i, &next, 0, 1) == 0;
        rcity_i32 z = is_falling ? 1300 + part : 1300 - part;
        c.roof = 1300;
        c.walls = crossing_walls_make(seed, i, 60000, misses[i % 8], at);
        build(&c);
        for (int k = 0; k < 9; k++) {
            int32_t spacing = draw(i, &next, 1, 4);
            int32_t begin_x = draw(i, &next, 0, 4) * (COLUMN_MAX - 1) * spacing / 4 + draw(i, &next, -1, 1);
            int32_t begin_y = draw(i, &next, 0, 4) * (COLUMN_MAX - 1) * spacing / 4 + draw(i, &next, -1, 1);
            rcity_grid_point far = {at.x + x - (int32_t)((int64_t)x * scale / part),
                                    at.y + y - (int32_t)((int64_t)y * scale / part)};
            set_raster(&c, COLUMN_MAX, (rcity_grid_point){far.x - begin_x, far.y - begin_y}, spacing, 0);
            set_source(&c, at.x + x, at.y + y, z, is_falling ? z - scale : z + scale);
            check(&c, "far ends", 9 * i + (uint64_t)k, false, &seen);
        }
    }
    print_crossings(&seen);
    assert_true(seen.wall_count > 100000);
}

/* Scaled numbers are rounded down, and said to be whole when they are; those beyond everything are far on their
   side. */
static void test_scaled_numbers_are_rounded_down(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300000; i++) {
        uint64_t next = 0;
        rcity_count_job job;
        memset(&job, 0, sizeof job);
        job.scale = 1 + (rcity_i64)(test_random(seed, 10 * i) >> (42 + test_random(seed, 10 * i + 1) % 22));
        job.whole_max = RCITY_COUNT_FAR / job.scale - 1;
        rcity_i64 part = (rcity_i64)(test_random(seed, 10 * i + 2) % (uint64_t)(job.scale + 1));
        rcity_i64 value = (rcity_i64)(test_random(seed, 10 * i + 3) >> (13 + test_random(seed, 10 * i + 4) % 51));
        value = draw(i, &next, 0, 1) == 0 ? value : -value;
        value = draw(i, &next, 0, 3) == 0 && part > 0 ? value / part * part + draw(i, &next, -1, 1) : value;
        int is_whole = -1;
        rcity_i64 actual = rcity_count_scaled(&job, value, part, &is_whole);
        wide exact = part > 0 ? divide((wide)value * job.scale, part) : 0;
        if (value != 0 && (part == 0 || actual == RCITY_COUNT_FAR || actual == -RCITY_COUNT_FAR)) {
            assert_int_equal(actual, value < 0 ? -RCITY_COUNT_FAR : RCITY_COUNT_FAR);
            assert_false(is_whole);
            assert_true(part == 0 || (exact < 0 ? -exact : exact) >= RCITY_COUNT_FAR - 2 * job.scale);
        } else {
            assert_true(actual == exact);
            assert_int_equal(is_whole, value == 0 || (wide)value * job.scale % part == 0);
        }
    }
}

TEST_SUITE(count_border)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaled_numbers_are_rounded_down),
        cmocka_unit_test(test_wall_counts_equal_exact_fractions),
        cmocka_unit_test(test_source_at_crossing),
        cmocka_unit_test(test_far_ends),
    };
    return cmocka_run_group_tests_name("count_border", tests, NULL, NULL);
}
