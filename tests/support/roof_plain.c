#include "roof_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

#define PLACES  64  /* a plan unit */
#define HEIGHTS 256 /* a height unit */
#define JOIN_M  0.05

/* A fraction of the line; den > 0. */
typedef struct fraction {
    int64_t num, den;
} fraction;

typedef struct plain_line {
    rcity_grid_point3 a, b;
    int64_t dx, dy, end; /* end: places of the whole line */
} plain_line;

static int compare_fractions(const void *left, const void *right)
{
    const fraction *p = left;
    const fraction *q = right;
    wide a = (wide)p->num * q->den;
    wide b = (wide)q->num * p->den;
    return (a > b) - (a < b);
}

static int compare_edges(const void *left, const void *right)
{
    const roof_plain_edge *p = left;
    const roof_plain_edge *q = right;
    return p->place != q->place ? (p->place > q->place) - (p->place < q->place)
                                : (p->height > q->height) - (p->height < q->height);
}

static wide floor_divide(wide a, wide b)
{
    wide whole = a / b;
    return whole * b > a ? whole - 1 : whole;
}

static void add_edge(roof_plain *plain, int32_t place, int32_t height, bool is_ground)
{
    if ((size_t)plain->count + 1 >= plain->capacity) {
        plain->capacity = 2 * plain->capacity + 64;
        plain->edges = realloc(plain->edges, plain->capacity * sizeof *plain->edges);
    }
    plain->edges[plain->count++] = (roof_plain_edge){place, height, is_ground};
}

/* A stretch of the line moved a little to the left, under one roof. */
static void add_stretch(const plain_line *line, fraction begin, fraction end, int32_t roof, roof_plain *plain)
{
    if (end.num <= 0 || begin.num >= begin.den) {
        return;
    }
    begin = begin.num < 0 ? (fraction){0, 1} : begin;
    end = end.num > end.den ? (fraction){1, 1} : end;
    add_edge(plain, (int32_t)floor_divide((wide)begin.num * line->end, begin.den), roof * HEIGHTS, false);
    add_edge(plain, (int32_t)floor_divide((wide)end.num * line->end, end.den), roof * HEIGHTS, false);
    /* is the line below the roof where it is lowest, at one of the stretch's ends? */
    fraction low = line->b.z >= line->a.z ? begin : end;
    wide place = floor_divide((wide)low.num * line->end, low.den);
    plain->roof_count += (wide)(line->b.z - line->a.z) * place < (wide)(roof - line->a.z) * line->end;
}

static void add_prism(const rcity_shapes *shapes, const rcity_prism *prism, const plain_line *line, roof_plain *plain)
{
    int32_t first = shapes->ring_first[prism->first_ring];
    int32_t last = shapes->ring_first[prism->first_ring + prism->ring_count];
    fraction *crossings = malloc((size_t)(last - first + 1) * sizeof *crossings);
    size_t count = 0;
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        for (int32_t i = shapes->ring_first[ring]; i < shapes->ring_first[ring + 1]; i++) {
            int32_t next = i + 1 < shapes->ring_first[ring + 1] ? i + 1 : shapes->ring_first[ring];
            int64_t px = (int64_t)shapes->points[i].x - line->a.x;
            int64_t py = (int64_t)shapes->points[i].y - line->a.y;
            int64_t qx = (int64_t)shapes->points[next].x - line->a.x;
            int64_t qy = (int64_t)shapes->points[next].y - line->a.y;
            int64_t p_side = line->dx * py - line->dy * px;
            int64_t q_side = line->dx * qy - line->dy * qx;
            if ((p_side > 0) != (q_side > 0)) {
                int64_t num = qx * py - qy * px;
                int64_t den = p_side - q_side;
                crossings[count++] = (fraction){den < 0 ? -num : num, den < 0 ? -den : den};
            }
        }
    }
    qsort(crossings, count, sizeof *crossings, compare_fractions);
    for (size_t i = 0; i + 1 < count; i += 2) {
        add_stretch(line, crossings[i], crossings[i + 1], prism->roof, plain);
    }
    free(crossings);
}

/* The ground in height units; the cell's diagonal runs from south-west to north-east. */
static double ground_at(const rcity_terrain_grid *terrain, double x, double y)
{
    double column = (x - terrain->west) / terrain->cell;
    double row = (y - terrain->south) / terrain->cell;
    int64_t c = (int64_t)fmin(fmax(floor(column), 0.0), terrain->column_count - 2.0);
    int64_t r = (int64_t)fmin(fmax(floor(row), 0.0), terrain->row_count - 2.0);
    double u = column - (double)c;
    double v = row - (double)r;
    const int32_t *south = &terrain->height[r * terrain->column_count + c];
    const int32_t *north = south + terrain->column_count;
    return u > v ? south[0] + u * (south[1] - south[0]) + v * (north[1] - south[1])
                 : south[0] + v * (north[0] - south[0]) + u * (north[1] - north[0]);
}

/* Where the line passes grid lines of one family: start + t * step is a whole number of cells there. */
static void add_ground(const rcity_terrain_grid *terrain, const plain_line *line, double start, double step,
                       roof_plain *plain)
{
    if (step == 0.0) {
        return;
    }
    for (double k = ceil(fmin(start, start + step) / terrain->cell) * terrain->cell; k <= fmax(start, start + step);
         k += terrain->cell) {
        double t = (k - start) / step;
        double x = line->a.x + t * (double)line->dx;
        double y = line->a.y + t * (double)line->dy;
        double east = terrain->west + (double)terrain->cell * (terrain->column_count - 1);
        double north = terrain->south + (double)terrain->cell * (terrain->row_count - 1);
        if (t > 0.0 && t < 1.0 && x >= terrain->west && x <= east && y >= terrain->south && y <= north) {
            add_edge(plain, (int32_t)floor(t * (double)line->end), (int32_t)floor(ground_at(terrain, x, y) * HEIGHTS),
                     true);
        }
    }
}

/* Is b strictly above the line from a to c? */
static bool is_above(const roof_plain_edge *a, const roof_plain_edge *b, const roof_plain_edge *c)
{
    return (wide)(c->place - a->place) * (b->height - a->height) >
           (wide)(b->place - a->place) * (c->height - a->height);
}

static void pull(const plain_line *line, roof_plain *plain)
{
    roof_plain_edge start = {0, line->a.z * HEIGHTS, false};
    roof_plain_edge end = {(int32_t)line->end, line->b.z * HEIGHTS, false};
    int all = plain->count;
    if (all > 0) {
        qsort(plain->edges, (size_t)all, sizeof *plain->edges, compare_edges);
    }
    roof_plain_edge *points = malloc((size_t)(all + 1) * sizeof *points);
    for (int i = 0; i < all; i++) {
        points[i] = plain->edges[i];
    }
    plain->count = 0;
    add_edge(plain, start.place, start.height, false);
    for (int i = 0; i <= all; i++) {
        roof_plain_edge next = i < all ? points[i] : end;
        bool is_under_end = i < all && ((next.place == start.place && next.height <= start.height) ||
                                        (next.place == end.place && next.height <= end.height));
        if (is_under_end) {
            continue;
        }
        while (plain->count > 1 && !is_above(&plain->edges[plain->count - 2], &plain->edges[plain->count - 1], &next)) {
            plain->count--;
        }
        add_edge(plain, next.place, next.height, next.is_ground);
    }
    free(points);
}

void roof_plain_sum_up(double plan_m, roof_plain *plain)
{
    int count = plain->count;
    double *x = calloc((size_t)count, sizeof *x);
    double *z = calloc((size_t)count, sizeof *z);
    double *turn_x = calloc((size_t)count, sizeof *turn_x);
    double *turn_z = calloc((size_t)count, sizeof *turn_z);
    for (int i = 0; i < count; i++) {
        x[i] = plain->edges[i].place * plan_m / plain->edges[count - 1].place;
        z[i] = (double)plain->edges[i].height / (HEIGHTS * RCITY_HEIGHT_UNITS_PER_M);
    }
    int turns = 0;
    turn_x[0] = x[0];
    turn_z[0] = z[0];
    for (int i = 1, last; i + 1 < count; i = last + 1) {
        for (last = i; last + 2 < count && ((plain->edges[last].is_ground && plain->edges[last + 1].is_ground) ||
                                            x[last + 1] - x[last] < JOIN_M);) {
            last++;
        }
        double in_x = x[i] - x[i - 1], in_z = z[i] - z[i - 1];
        double out_x = x[last + 1] - x[last], out_z = z[last + 1] - z[last];
        double angle = atan2(in_z * out_x - in_x * out_z, in_x * out_x + in_z * out_z);
        /* where the tangents meet: (x, z)[i] + s in = (x, z)[last] + r out */
        double cross = in_x * out_z - in_z * out_x;
        double s = ((x[last] - x[i]) * out_z - (z[last] - z[i]) * out_x) / cross;
        bool is_ground = true;
        int highest = i;
        for (int k = i; k <= last; k++) {
            is_ground = is_ground && plain->edges[k].is_ground;
            highest = z[k] > z[highest] ? k : highest;
        }
        turns++;
        turn_x[turns] = last > i && is_ground ? x[i] + s * in_x : x[highest];
        turn_z[turns] = last > i && is_ground ? z[i] + s * in_z : z[highest];
        plain->angle_sum += angle;
        plain->angle_square_sum += angle * angle;
    }
    turn_x[turns + 1] = x[count - 1];
    turn_z[turns + 1] = z[count - 1];
    plain->turn_count = turns;
    plain->elevation = atan2(z[1] - z[0], x[1] - x[0]);
    for (int i = 0; i <= turns; i++) {
        double leg = hypot(turn_x[i + 1] - turn_x[i], turn_z[i + 1] - turn_z[i]);
        plain->length_m += leg;
        if (i > 0) {
            double before = hypot(turn_x[i] - turn_x[i - 1], turn_z[i] - turn_z[i - 1]);
            plain->log_distance_sum += log10(before * leg / (before + leg));
        }
    }
    free(turn_z);
    free(turn_x);
    free(z);
    free(x);
}

double roof_plain_float_error_m(const roof_plain *plain)
{
    return (10.0 + 12.0 + plain->turn_count + 1.0) * 0x1p-24 * plain->length_m;
}

void roof_plain_find(const rcity_shapes *shapes, rcity_grid_point3 from, rcity_grid_point3 to, roof_plain *plain)
{
    roof_plain_edge *edges = plain->edges;
    size_t capacity = plain->capacity;
    memset(plain, 0, sizeof *plain);
    plain->edges = edges;
    plain->capacity = capacity;
    plain_line line = {from, to, (int64_t)to.x - from.x, (int64_t)to.y - from.y, 0};
    line.end = PLACES * (llabs(line.dx) > llabs(line.dy) ? llabs(line.dx) : llabs(line.dy));
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        add_prism(shapes, &shapes->prisms[i], &line, plain);
    }
    const rcity_terrain_grid *terrain = &shapes->terrain;
    if (terrain->column_count > 0) {
        double x = (double)from.x - terrain->west;
        double y = (double)from.y - terrain->south;
        add_ground(terrain, &line, x, (double)line.dx, plain);
        add_ground(terrain, &line, y, (double)line.dy, plain);
        add_ground(terrain, &line, x - y, (double)(line.dx - line.dy), plain);
    }
    pull(&line, plain);
    roof_plain_sum_up(hypot((double)line.dx, (double)line.dy) / shapes->units_per_m, plain);
}

void roof_plain_free(roof_plain *plain)
{
    free(plain->edges);
    memset(plain, 0, sizeof *plain);
}
