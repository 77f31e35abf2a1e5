/* A building between source and receiver, against the wave equation itself: a rectangle in the plane, its boundary cut
   into cells, the integral equations solved. Every edge pair of the rectangle counts: over the top and under the
   bottom. */
#include "profile_test.h"

#define WAVENUMBER (2.0 * PI) /* lengths in wavelengths */
#define HEIGHT     16.0
#define CELL_MAX   480
#define POINT_MAX  40 /* inside the rectangle, where the field is 0: they take the resonances of the inside out */
#define ROW_MAX    (CELL_MAX + POINT_MAX)
#define CASES      6

typedef struct cell {
    spot middle, along, normal; /* the normal points out */
    double length;
} cell;

typedef struct rectangle {
    int cell_count;
    cell cells[CELL_MAX];
    double complex single[ROW_MAX][CELL_MAX]; /* integral of G over a cell, seen from a cell or a point inside */
    double complex twice[ROW_MAX][CELL_MAX];  /* of its derivative along the cell's normal */
} rectangle;

static rectangle shape;
static double complex matrix[ROW_MAX][CELL_MAX];
static double complex normal_matrix[CELL_MAX][CELL_MAX + CASES];

static const double gauss[4][2] = {{-0.86113631159405257522, 0.34785484513745385737},
                                   {-0.33998104358485626480, 0.65214515486254614263},
                                   {0.33998104358485626480, 0.65214515486254614263},
                                   {0.86113631159405257522, 0.34785484513745385737}};

/* G = H0(2)(k r) / 4j, and its derivative in r. */
static double complex green(double r)
{
    return CMPLX(j0(WAVENUMBER * r), -y0(WAVENUMBER * r)) / (4.0 * J);
}

static double complex green_slope(double r)
{
    return -WAVENUMBER * CMPLX(j1(WAVENUMBER * r), -y1(WAVENUMBER * r)) / (4.0 * J);
}

/* Both integrals over a cell, seen from a spot; `own` is the cell around the spot. */
static void integrate(const cell *from, spot at, bool own, double complex *single, double complex *twice)
{
    *single = 0.0;
    *twice = 0.0;
    if (own) { /* the logarithm by hand: G ~ (1 - 2j/pi (ln(k r / 2) + gamma)) / 4j */
        double near = log(WAVENUMBER * from->length / 4.0) + 0.57721566490153286061 - 1.0;
        *single = from->length * (1.0 - J * (2.0 / PI) * near) / (4.0 * J);
        return;
    }
    for (int i = 0; i < 4; i++) {
        double step = 0.5 * from->length * gauss[i][0];
        spot to = {from->middle.x + step * from->along.x, from->middle.z + step * from->along.z};
        double r = spot_distance(at, to);
        double weight = 0.5 * from->length * gauss[i][1];
        double toward = ((to.x - at.x) * from->normal.x + (to.z - at.z) * from->normal.z) / r;
        *single += weight * green(r);
        *twice += weight * green_slope(r) * toward;
    }
}

/* One side: cells of 0.1, finer to its ends. */
static void add_side(spot from, spot to)
{
    double length = spot_distance(from, to);
    int count = (int)ceil(10.0 * length) + 8;
    spot along = {(to.x - from.x) / length, (to.z - from.z) / length};
    double edge = 0.0;
    for (int i = 0; i < count; i++) {
        double share = (i + 1.0) / count;
        double blend = fmin(0.9, 4.0 / count); /* near the ends cells shrink */
        double next = length * (share - blend * sin(2.0 * PI * share) / (2.0 * PI));
        assert_true(shape.cell_count < CELL_MAX);
        cell *made = &shape.cells[shape.cell_count++];
        double middle = 0.5 * (edge + next);
        made->middle = (spot){from.x + middle * along.x, from.z + middle * along.z};
        made->along = along;
        made->normal = (spot){-along.z, along.x};
        made->length = next - edge;
        edge = next;
    }
}

static spot inner_point(double width, int i)
{
    return (spot){width * (0.1 + 0.8 * fmod(0.618034 * (i + 1), 1.0)), -HEIGHT * (0.05 + 0.9 * (i + 0.5) / POINT_MAX)};
}

static void build_shape(double width)
{
    shape.cell_count = 0;
    add_side((spot){0.0, 0.0}, (spot){width, 0.0});
    add_side((spot){width, 0.0}, (spot){width, -HEIGHT});
    add_side((spot){width, -HEIGHT}, (spot){0.0, -HEIGHT});
    add_side((spot){0.0, -HEIGHT}, (spot){0.0, 0.0});
    for (int row = 0; row < shape.cell_count + POINT_MAX; row++) {
        bool inside = row >= shape.cell_count;
        spot at = inside ? inner_point(width, row - shape.cell_count) : shape.cells[row].middle;
        for (int i = 0; i < shape.cell_count; i++) {
            integrate(&shape.cells[i], at, row == i, &shape.single[row][i], &shape.twice[row][i]);
        }
    }
}

/* Least squares by the normal equations: matrix (rows x cells), right sides `known`; the solutions end in
   normal_matrix. */
static void solve(int rows, int cells, double complex known[ROW_MAX][CASES])
{
    for (int i = 0; i < cells; i++) {
        for (int j = 0; j < cells + CASES; j++) {
            double complex sum = 0.0;
            for (int row = 0; row < rows; row++) {
                sum += conj(matrix[row][i]) * (j < cells ? matrix[row][j] : known[row][j - cells]);
            }
            normal_matrix[i][j] = sum;
        }
    }
    for (int i = 0; i < cells; i++) { /* positive definite: no pivots needed */
        for (int row = i + 1; row < cells; row++) {
            double complex factor = normal_matrix[row][i] / normal_matrix[i][i];
            for (int j = i; j < cells + CASES; j++) {
                normal_matrix[row][j] -= factor * normal_matrix[i][j];
            }
        }
    }
    for (int j = cells; j < cells + CASES; j++) {
        for (int i = cells - 1; i >= 0; i--) {
            for (int other = i + 1; other < cells; other++) {
                normal_matrix[i][j] -= normal_matrix[i][other] * normal_matrix[other][j];
            }
            normal_matrix[i][j] /= normal_matrix[i][i];
        }
    }
}

static const spot ends[CASES][2] = {{{-5, -1}, {5, -1}},     {{-5, -3}, {5, -3}},  {{-8, -0.2}, {6, -3}},
                                    {{-8, -0.2}, {8, -0.2}}, {{-3, -3}, {10, -1}}, {{-10, -0.05}, {10, -0.05}}};

/* The field over that without the building. Soft: the equation of the first kind for the field's slope. Otherwise a
   face of impedance zeta, on which the slope is j k zeta times the field; zeta = 0 is hard. */
static void solve_wave(double width, bool is_soft, double complex zeta, double complex field[CASES])
{
    static double complex known[ROW_MAX][CASES];
    int cells = shape.cell_count;
    int rows = is_soft ? cells : cells + POINT_MAX;
    for (int row = 0; row < rows; row++) {
        spot at = row < cells ? shape.cells[row].middle : inner_point(width, row - cells);
        for (int i = 0; i < CASES; i++) {
            known[row][i] = green(spot_distance(ends[i][0], at));
        }
        for (int i = 0; i < cells; i++) {
            matrix[row][i] =
                is_soft ? shape.single[row][i]
                        : (row == i ? 0.5 : 0.0) - shape.twice[row][i] + J * WAVENUMBER * zeta * shape.single[row][i];
        }
    }
    solve(rows, cells, known);
    for (int i = 0; i < CASES; i++) {
        spot receiver = {width + ends[i][1].x, ends[i][1].z};
        double complex free_field = green(spot_distance(ends[i][0], receiver));
        double complex sum = free_field;
        for (int j = 0; j < cells; j++) {
            double complex single, twice;
            integrate(&shape.cells[j], receiver, false, &single, &twice);
            sum += normal_matrix[j][cells + i] * (is_soft ? -single : twice - J * WAVENUMBER * zeta * single);
        }
        field[i] = sum / free_field;
    }
}

/* Over the top, and as over the top of the building turned upside down. */
static double complex ray_field(double width, rcity_face face, int pol, const spot end[2])
{
    double complex sum = 0.0;
    double straight = spot_distance(end[0], (spot){width + end[1].x, end[1].z});
    for (int side = 0; side < 2; side++) {
        two_edges at = {.edge = {{0, 0}, {width, 0}},
                        .kind = {EDGE_FRONT, EDGE_BACK},
                        .face = face,
                        .wavenumber_per_m = WAVENUMBER};
        at.source = (spot){end[0].x, side == 0 ? end[0].z : -HEIGHT - end[0].z};
        at.receiver = (spot){width + end[1].x, side == 0 ? end[1].z : -HEIGHT - end[1].z};
        double leg = spot_distance(at.source, at.edge[0]) + width + spot_distance(at.edge[1], at.receiver);
        /* in the plane waves fall as 1 / sqrt(r) */
        sum += over_two(&at, pol) * sqrt(leg / straight);
    }
    return sum;
}

static void test_field_around_rectangle_solves_wave_equation(void **state)
{
    (void)state;
    const double complex concrete = CMPLX(5.31, -0.3);
    const double complex index = csqrt(concrete - 1.0); /* of the ray along the face, where it matters */
    const struct {
        const char *name;
        int pol;
        bool is_soft;
        double complex zeta;
        rcity_face face;
        double tolerance_db;
    } faces[] = {{"conductor, E along the edges", 0, true, 0.0, conducting_face(), 0.4},
                 {"conductor, E across", 1, false, 0.0, conducting_face(), 0.5},
                 {"concrete, E along the edges", 0, false, index, lossy_face(concrete, 0.0), 1.5},
                 {"concrete, E across", 1, false, index / concrete, lossy_face(concrete, 0.0), 3.0}};
    for (int w = 0; w < 2; w++) {
        double width = w == 0 ? 0.7 : 2.0;
        build_shape(width);
        for (size_t f = 0; f < sizeof faces / sizeof faces[0]; f++) {
            double complex truth[CASES];
            double worst_db = 0.0;
            solve_wave(width, faces[f].is_soft, faces[f].zeta, truth);
            for (int i = 0; i < CASES; i++) {
                double complex field = ray_field(width, faces[f].face, faces[f].pol, ends[i]);
                worst_db = fmax(worst_db, fabs(20.0 * log10(cabs(field) / cabs(truth[i]))));
            }
            print_message("building %.1f wavelengths wide, %s: within %.2f dB of the wave equation\n", width,
                          faces[f].name, worst_db);
            assert_true(worst_db <= faces[f].tolerance_db);
        }
    }
}

TEST_SUITE(wedge_building)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_field_around_rectangle_solves_wave_equation)};
    return cmocka_run_group_tests_name("wedge building " PRECISION, tests, NULL, NULL);
}
