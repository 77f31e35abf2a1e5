/* The lattice city: every answer by looking at cells. */
#include "lattice.h"

rcity_scene *lattice_make(rcity_context *context, uint64_t seed, int box_count, lattice *cells)
{
    memset(cells, 0, sizeof *cells);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int i = 0; i < box_count + 2; i++) {
        int x0 = (int)(test_random(seed, (uint64_t)i * 8) % (LATTICE_SIZE - 1));
        int y0 = (int)(test_random(seed, (uint64_t)i * 8 + 1) % (LATTICE_SIZE - 1));
        int width = 1 + (int)(test_random(seed, (uint64_t)i * 8 + 2) % 7);
        int depth = 1 + (int)(test_random(seed, (uint64_t)i * 8 + 3) % 7);
        int height = 1 + (int)(test_random(seed, (uint64_t)i * 8 + 4) % 6);
        if (i >= box_count) {
            x0 = y0 = i == box_count ? 0 : LATTICE_SIZE - 1;
            width = depth = 1;
        }
        int x1 = x0 + width < LATTICE_SIZE ? x0 + width : LATTICE_SIZE;
        int y1 = y0 + depth < LATTICE_SIZE ? y0 + depth : LATTICE_SIZE;
        test_add_box(context, scene, i + 1, (test_box){x0, y0, x1, y1, height});
        for (int y = y0; y < y1; y++) {
            for (int x = x0; x < x1; x++) {
                cells->height[y][x] = height > cells->height[y][x] ? height : cells->height[y][x];
            }
        }
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static int height_at(const lattice *cells, long x, long y)
{
    return x < 0 || y < 0 || x >= LATTICE_SIZE || y >= LATTICE_SIZE ? 0 : cells->height[y][x];
}

static long floor_div(long a, long b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* The solid beside a point strictly between lattice lines: in a line's own direction the lower of both sides counts,
   since a line inside a common wall needs solid on both. p/q is the position in metres, exact. */
static int solid_height(const lattice *cells, long x_num, long y_num, long den)
{
    bool is_on_x = x_num % den == 0;
    bool is_on_y = y_num % den == 0;
    long x = floor_div(x_num, den);
    long y = floor_div(y_num, den);
    int here = height_at(cells, x, y);
    if (is_on_x) {
        int west = height_at(cells, x - 1, y);
        here = west < here ? west : here;
    }
    if (is_on_y) {
        int south = height_at(cells, x, y - 1);
        here = south < here ? south : here;
    }
    return here;
}

/* Fractions of the segment where it meets lattice lines, over a common denominator: t = k / den for lines of
   one axis. */
bool lattice_segment_is_free(const lattice *cells, const int from_q[3], const int to_q[3])
{
    long dx = to_q[0] - from_q[0];
    long dy = to_q[1] - from_q[1];
    long dz = to_q[2] - from_q[2];
    long den = labs(dx == 0 ? 1 : dx) * labs(dy == 0 ? 1 : dy); /* both families of crossings are multiples of 1/den */
    /* Every crossing lies at k/den; stand in the middle of each elementary piece (k + 1/2)/den and ask what is there.
       No lattice line is crossed inside a piece, so one question settles it; the lowest point of the piece is at an
       end. */
    for (long k = 0; k < den; k++) {
        long num2 = 2 * k + 1; /* over 2 den */
        long x_num = 2 * den * from_q[0] + dx * num2;
        long y_num = 2 * den * from_q[1] + dy * num2;
        int height = solid_height(cells, x_num, y_num, 8 * den);
        long z_begin = den * from_q[2] + dz * k;
        long z_end = den * from_q[2] + dz * (k + 1);
        long lowest = z_begin < z_end ? z_begin : z_end;
        if (lowest < 4L * height * den) {
            return false;
        }
    }
    return true;
}

double lattice_wall_area(const lattice *cells)
{
    double area = 0.0;
    for (int y = 0; y <= LATTICE_SIZE; y++) {
        for (int x = 0; x <= LATTICE_SIZE; x++) {
            area += abs(height_at(cells, x, y) - height_at(cells, x - 1, y));
            area += abs(height_at(cells, x, y) - height_at(cells, x, y - 1));
        }
    }
    return area;
}
