/* Tiles are counted wall by wall and roof by roof; how many others a tile sees is found with a few hundred lines of
   sight from each of some places; the rest follows from the sizes of what is allocated. */
#include "method/tiles/tiles_estimate.h"

#include <math.h>
#include <string.h>

#include "base/uniform.h"
#include "method/tiles/tiles.h"
#include "method/tiles/tiles_prepare.h"
#include "method/tiles/tiles_run.h"
#include "scene/place/segment_test.h"
#include "scene/place/terrain.h"
#include "scene/scene_data.h"
#include "scene/tiles/tile_grid.h"
#include "visibility/sight/sight_data.h"
#include "visibility/tiles/tile_list.h"
#include "visibility/tiles/tile_rows.h"

#define SOURCE_COUNT   96
#define RECEIVER_COUNT 256
#define FAR_M          1e7 /* a receiver so far off is refused later */
#define RING_COUNT     8   /* of distances: up to RING_M, twice that, ... */
#define RING_M         25.0
#define RING_LINES     10   /* lines of sight from a source to a ring */
#define OFF_M          0.25 /* places are so far off their surfaces: more than the grid rounds */
#define GROUND_SIDE    40   /* patches of the ground, in a row */
#define GROUND_COUNT   (GROUND_SIDE * GROUND_SIDE)
#define GROUND_BELOW_M (-1e4) /* below any ground */

/* What cannot be known before; measured. Pairs of tiles, or of a tile and a receiver, that see each other, for each pair of
   blocks that has any. Echoes of scattered waves in lists: a part of what tiles see, but lists are worked off in
   pieces. */
#define PAIRS_A_RECORD 30.0
#define VIEWS_A_RECORD 60.0
#define ECHOES_SHARE   0.25
#define ECHOES_LISTED  4.8e5
#define ECHOES_OVER    0.04
#define RESERVED       1.5 /* lists that grow have room for more */
#define SMALL_BYTES    3e6 /* of threads, and of much else */

/* A surface, or a part of the ground. */
typedef struct guess_patch {
    double x, y, z;    /* its middle */
    double ux, uy, vz; /* half of its sides: along, and up for walls */
    double nx, ny, nz;
    double tiles;
} guess_patch;

typedef struct guess {
    const rcity_job *job;
    rcity_tiling_options tiling;
    double wall_tiles, roof_tiles, ground_tiles, edges;
    double seen, seen_by_receiver; /* tiles, by a tile and by a receiver */
    int64_t patch_count;
    guess_patch *patches;
    rcity_segment_scratch scratch;
    uint64_t next; /* of random numbers */
} guess;

static void add_patch(guess *made, guess_patch patch)
{
    if (made->patches != NULL) {
        made->patches[made->patch_count] = patch;
    }
    made->patch_count++;
}

static void count_wall(guess *made, const rcity_facade *facade)
{
    const rcity_tiling_options *tiling = &made->tiling;
    double dx = (double)facade->x2_m - (double)facade->x1_m;
    double dy = (double)facade->y2_m - (double)facade->y1_m;
    double length_m = hypot(dx, dy);
    double height_m = (double)facade->top_m - (double)facade->bottom_m;
    if (fmin(length_m, height_m) < tiling->wall_width_min_m || length_m * height_m < tiling->wall_area_min_m2) {
        return;
    }
    double tile_m = sqrt(tiling->wall_area_m2);
    double along = (double)rcity_tile_side_count(length_m, tile_m);
    double up = (double)rcity_tile_side_count(height_m, tile_m);
    made->wall_tiles += along * up;
    made->edges += along + up; /* its upper edge and one of its corners */
    add_patch(made, (guess_patch){0.5 * ((double)facade->x1_m + (double)facade->x2_m),
                                  0.5 * ((double)facade->y1_m + (double)facade->y2_m),
                                  0.5 * ((double)facade->bottom_m + (double)facade->top_m), 0.5 * dx, 0.5 * dy,
                                  0.5 * height_m, dy / length_m, -dx / length_m, 0.0, along * up});
}

/* The area of a prism, and its middle. */
static double measure_roof(const rcity_shapes *shapes, const rcity_prism *prism, double *x, double *y)
{
    double unit_m = 1.0 / shapes->units_per_m;
    double area = 0.0;
    *x = 0.5 * ((double)prism->x_min + prism->x_max) * unit_m;
    *y = 0.5 * ((double)prism->y_min + prism->y_max) * unit_m;
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        int32_t begin = shapes->ring_first[ring];
        int32_t end = shapes->ring_first[ring + 1];
        for (int32_t i = begin; i < end; i++) {
            rcity_grid_point p = shapes->points[i];
            rcity_grid_point q = shapes->points[i + 1 < end ? i + 1 : begin];
            area += 0.5 * ((double)p.x * q.y - (double)q.x * p.y);
        }
    }
    return fabs(area) * unit_m * unit_m;
}

/* A place on a patch, a little off it. */
static rcity_place3 place_on(guess *made, const guess_patch *patch)
{
    double along = 1.9 * rcity_uniform(made->next++) - 0.95;
    double up = 1.9 * rcity_uniform(made->next++) - 0.95;
    return (rcity_place3){patch->x + along * patch->ux + OFF_M * patch->nx,
                          patch->y + along * patch->uy + OFF_M * patch->ny,
                          patch->z + up * patch->vz + OFF_M * patch->nz};
}

/* The place on the grid, not under the ground. False outside the terrain, where there are no tiles. */
static bool snap(const rcity_shapes *shapes, rcity_place3 at, rcity_grid_point3 *snapped)
{
    snapped->x = (int32_t)lround(at.x * shapes->units_per_m);
    snapped->y = (int32_t)lround(at.y * shapes->units_per_m);
    if (shapes->terrain.column_count > 0 && !rcity_terrain_contains(&shapes->terrain, snapped->x, snapped->y)) {
        return false;
    }
    double ground = rcity_terrain_height(&shapes->terrain, snapped->x, snapped->y);
    snapped->z = (int32_t)ceil(fmax(at.z * RCITY_HEIGHT_UNITS_PER_M, ground));
    return true;
}

static bool is_free(guess *made, rcity_place3 from, rcity_place3 to)
{
    const rcity_shapes *shapes = made->job->shapes;
    rcity_grid_point3 a;
    rcity_grid_point3 b;
    return snap(shapes, from, &a) && snap(shapes, to, &b) &&
           rcity_segment_is_free_indexed(shapes, &made->job->scene->prism_index, &made->scratch, a, b);
}

/* Is a patch of the ground in no building? */
static bool is_open(guess *made, const guess_patch *patch)
{
    rcity_place3 at = place_on(made, patch);
    return is_free(made, at, at);
}

/* The ground, which ends where the terrain does, and how much of it is built over. */
static void count_ground(guess *made, double built_m2)
{
    bool has_terrain = made->job->shapes->terrain.column_count > 0;
    rcity_plan_rectangle ground = rcity_tile_ground_rectangle(made->job->scene, &made->tiling);
    double on_terrain = 0.0;
    double open = 0.0;
    guess_patch *first = made->patches != NULL ? &made->patches[made->patch_count] : NULL;
    for (int i = 0; i < GROUND_COUNT; i++) {
        double along = (i % GROUND_SIDE + 0.5) * ground.length / GROUND_SIDE;
        int row = i / GROUND_SIDE;
        double aside = (row + 0.5) * ground.width / GROUND_SIDE;
        guess_patch patch = {.x = ground.x + along * ground.along_x - aside * ground.along_y,
                             .y = ground.y + along * ground.along_y + aside * ground.along_x,
                             .nz = 1.0};
        rcity_grid_point3 at;
        if (snap(made->job->shapes, (rcity_place3){patch.x, patch.y, GROUND_BELOW_M}, &at)) {
            patch.z = (double)at.z / RCITY_HEIGHT_UNITS_PER_M;
            patch.tiles = first == NULL || is_open(made, &patch) ? 1.0 : 0.0;
            on_terrain += 1.0;
        }
        open += patch.tiles;
        add_patch(made, patch);
    }
    double area_m2 = ground.length * ground.width * on_terrain / GROUND_COUNT;
    made->ground_tiles = fmax(area_m2 - built_m2, 0.0) / made->tiling.ground_area_m2;
    made->edges += has_terrain ? made->ground_tiles : 0.0; /* some of its ridges */
    for (int i = 0; first != NULL && i < GROUND_COUNT; i++) {
        first[i].tiles *= made->ground_tiles / fmax(open, 1.0);
    }
}

static void count_surfaces(guess *made)
{
    const rcity_shapes *shapes = made->job->shapes;
    double built_m2 = 0.0;
    made->wall_tiles = made->roof_tiles = made->ground_tiles = made->edges = 0.0;
    made->patch_count = 0;
    for (int64_t i = 0; i < shapes->facade_count; i++) {
        count_wall(made, &shapes->facades[i]);
    }
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        guess_patch roof = {.nz = 1.0, .z = (double)prism->roof / RCITY_HEIGHT_UNITS_PER_M};
        double area_m2 = measure_roof(shapes, prism, &roof.x, &roof.y);
        roof.tiles = fmax(area_m2 / made->tiling.roof_area_m2, 1.0);
        built_m2 += area_m2;
        made->roof_tiles += roof.tiles;
        add_patch(made, roof);
    }
    count_ground(made, built_m2);
}

/* Receivers have no normal and see all around. */
static bool faces(const guess_patch *patch, rcity_place3 at, rcity_place3 to)
{
    bool is_receiver = patch->nx == 0.0 && patch->ny == 0.0 && patch->nz == 0.0;
    return is_receiver || (to.x - at.x) * patch->nx + (to.y - at.y) * patch->ny + (to.z - at.z) * patch->nz > 0.0;
}

static int ring_of(const guess_patch *from, const guess_patch *to)
{
    double distance_m = hypot(to->x - from->x, to->y - from->y);
    int ring = 0;
    while (ring + 1 < RING_COUNT && distance_m > RING_M) {
        distance_m *= 0.5;
        ring++;
    }
    return ring;
}

/* How many tiles a patch's tiles see: in each ring of distances some are asked for, one every so many tiles. */
static double look_from(guess *made, const guess_patch *patch)
{
    double tiles[RING_COUNT] = {0.0};
    double passed[RING_COUNT];
    double range_m = made->job->number[RCITY_TILES_TILE_RANGE_M];
    double seen = 0.0;
    rcity_place3 from = place_on(made, patch);
    for (int64_t i = 0; i < made->patch_count; i++) {
        tiles[ring_of(patch, &made->patches[i])] += made->patches[i].tiles;
    }
    for (int ring = 0; ring < RING_COUNT; ring++) {
        passed[ring] = rcity_uniform(made->next++) * tiles[ring] / RING_LINES;
    }
    for (int64_t i = 0; i < made->patch_count; i++) {
        const guess_patch *other = &made->patches[i];
        int ring = ring_of(patch, other);
        double step = tiles[ring] / RING_LINES;
        for (passed[ring] += other->tiles; passed[ring] >= step && step > 0.0; passed[ring] -= step) {
            rcity_place3 to = place_on(made, other);
            bool is_near = range_m == 0.0 || hypot(to.x - from.x, to.y - from.y) <= range_m;
            if (is_near && faces(patch, from, to) && faces(other, to, from) && is_free(made, from, to)) {
                seen += step;
            }
        }
    }
    return seen;
}

/* What tiles see, averaged over sources that are spread evenly over all tiles. */
static void look_around(guess *made)
{
    double all = made->wall_tiles + made->roof_tiles + made->ground_tiles;
    double step = all / SOURCE_COUNT;
    double passed = 0.5 * step;
    double count = 0.0;
    for (int64_t i = 0; i < made->patch_count; i++) {
        const guess_patch *patch = &made->patches[i];
        for (passed += patch->tiles; passed >= step && step > 0.0; passed -= step) {
            made->seen += look_from(made, patch);
            count += 1.0;
        }
    }
    made->seen /= fmax(count, 1.0);
}

/* The place of a receiver of the job, as a patch that is nothing but its middle. False where it sees nothing. */
static bool place_receiver(const rcity_job *job, int64_t number, guess_patch *patch)
{
    const rcity_shapes *shapes = job->shapes;
    const rcity_raster *raster = &job->raster;
    rcity_grid_point3 at;
    double height_m;
    if (job->receivers->point_count > 0) {
        const double *xyh_m = &job->receivers->xyh_m[3 * number];
        patch->x = xyh_m[0];
        patch->y = xyh_m[1];
        height_m = xyh_m[2];
    } else {
        int64_t cell = number % (raster->column_count * raster->row_count);
        int64_t row = cell / raster->column_count;
        patch->x = raster->west_m + ((double)(cell % raster->column_count) + 0.5) * raster->cell_m;
        patch->y = raster->north_m - ((double)row + 0.5) * raster->cell_m;
        height_m = job->receivers->height_m[number / (raster->column_count * raster->row_count)];
    }
    patch->x -= shapes->origin_x_m;
    patch->y -= shapes->origin_y_m;
    if (!(fabs(patch->x) < FAR_M && fabs(patch->y) < FAR_M) ||
        !snap(shapes, (rcity_place3){patch->x, patch->y, GROUND_BELOW_M}, &at)) {
        return false;
    }
    patch->z = (double)at.z / RCITY_HEIGHT_UNITS_PER_M + height_m;
    return true;
}

/* What receivers see, averaged over some of them. */
static void look_from_receivers(guess *made, double receivers)
{
    for (int i = 0; i < RECEIVER_COUNT && receivers > 0.0; i++) {
        guess_patch patch = {.tiles = 0.0};
        int64_t number = (int64_t)((i + rcity_uniform(made->next++)) / RECEIVER_COUNT * receivers);
        if (place_receiver(made->job, number, &patch)) {
            made->seen_by_receiver += look_from(made, &patch) / RECEIVER_COUNT;
        }
    }
}

/* The scene as edges, walls and lines of sight read it. */
static double scene_bytes(const rcity_shapes *shapes)
{
    double unit_m = 1.0 / shapes->units_per_m;
    double area_m2 =
        ((double)shapes->x_max - shapes->x_min) * unit_m * ((double)shapes->y_max - shapes->y_min) * unit_m;
    double cells = area_m2 / (RCITY_SIGHT_CELL_M * RCITY_SIGHT_CELL_M);
    double facades = (double)(shapes->facade_count + shapes->prism_count);
    return facades * (sizeof(rcity_mirror) + 3.0 * sizeof(rcity_facet_edge)) + (double)shapes->point_count * 200.0 +
           cells * 12.0;
}

/* Tiles, edges, and what belongs to each of them between prepare and the end. */
static double tiling_bytes(const guess *made, double tiles)
{
    double a_tile = sizeof(rcity_tile) + 2.0 * sizeof(rcity_tile_place) + sizeof(rcity_tile_front) + 32.0;
    return tiles * a_tile + made->edges * (sizeof(rcity_tile_edge) + 6.0 * sizeof(int32_t));
}

/* What bouncing and scattering take beside the matrix. */
static double run_bytes(const guess *made, double tiles, double receivers)
{
    const rcity_job *job = made->job;
    double depths = job->number[RCITY_TILES_MAX_BOUNCES];
    double cells = strcmp(job->option[RCITY_TILES_SCATTERING], "directive") == 0 ? RCITY_TILE_LIT_CELLS : 1.0;
    double sums = receivers + (job->receivers->on_surfaces ? tiles : 0.0);
    double bytes = (tiles + receivers) * sizeof(rcity_tile_place_scale) + sums * sizeof(rcity_tile_sums);
    if (strcmp(job->option[RCITY_TILES_OVER_ROOFS], "on") == 0) {
        bytes += (tiles + receivers) * (sizeof(rcity_tile_roof_path) + sizeof(int32_t));
    }
    if (strcmp(job->option[RCITY_TILES_SCATTERING], "off") != 0 && depths > 0.0) {
        double all = tiles * made->seen;
        double echoes = fmin(ECHOES_SHARE * all, ECHOES_LISTED + ECHOES_OVER * all);
        echoes = fmin(depths, job->number[RCITY_TILES_MAX_REFLECTIONS]) > 1.0 ? echoes : 0.0;
        bytes += tiles * depths * cells * (sizeof(rcity_tile_lit) + sizeof(rcity_tile_glow)) +
                 tiles * depths * sizeof(rcity_tile_glow) + (RESERVED + 1.0) * echoes * sizeof(rcity_tile_echo);
    }
    return bytes;
}

static double memory_of(const guess *made, double receivers)
{
    const rcity_job *job = made->job;
    double tiles = made->wall_tiles + made->roof_tiles + made->ground_tiles;
    double entries = job->visibility != NULL ? 0.0 : tiles * made->seen;
    double views = receivers * made->seen_by_receiver;
    double rows = tiles * 3.0 * sizeof(uint32_t);
    double place_bytes = sizeof(rcity_point) + sizeof(rcity_receiver_state) + sizeof(int64_t) + 3.0 * sizeof(float) +
                         2.0 * sizeof(rcity_tile_place);
    double base = scene_bytes(job->shapes) + tiling_bytes(made, tiles) + receivers * place_bytes + rows;
    double record = RESERVED * sizeof(rcity_tile_record);
    double build = job->visibility != NULL ? 0.0
                                           : (double)rcity_tile_list_bytes(job->context, tiles, 0.0) +
                                                 0.5 * entries / PAIRS_A_RECORD * record;
    double view = (double)rcity_tile_list_bytes(job->context, tiles, receivers) + views / VIEWS_A_RECORD * record +
                  receivers * 48.0 + RESERVED * views * sizeof(int32_t);
    double run = views * sizeof(int32_t) + run_bytes(made, tiles, receivers) +
                 (tiles + receivers) * (sizeof(rcity_tile_place) + 8.0) + receivers * 7.0 * sizeof(float);
    return SMALL_BYTES + base + entries * sizeof(uint16_t) + fmax(fmax(build, view), run);
}

double rcity_tiles_guess_count(const rcity_job *job)
{
    guess made;
    memset(&made, 0, sizeof made);
    made.job = job;
    made.tiling = rcity_tiles_read_tiling(job);
    count_surfaces(&made);
    return made.wall_tiles + made.roof_tiles + made.ground_tiles;
}

rcity_status rcity_tiles_estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    rcity_context *context = job->context;
    guess made;
    rcity_status status;
    memset(&made, 0, sizeof made);
    made.job = job;
    made.tiling = rcity_tiles_read_tiling(job);
    count_surfaces(&made);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)made.patch_count, sizeof *made.patches, "surfaces", &made.patches));
    RCITY_TRY_DONE(rcity_segment_scratch_init(context, job->shapes, &made.scratch));
    count_surfaces(&made);
    double tiles = made.wall_tiles + made.roof_tiles + made.ground_tiles;
    double cells = (double)job->raster.column_count * (double)job->raster.row_count * job->receivers->height_count;
    double receivers = cells + (double)job->receivers->point_count;
    look_around(&made);
    look_from_receivers(&made, receivers);
    *memory_bytes = (uint64_t)memory_of(&made, receivers);
    *seconds = (tiles * tiles * 1e-9 + tiles * 1e-4 + receivers * 2e-4) / rcity_context_thread_count(context);
done:
    rcity_segment_scratch_deinit(context, &made.scratch);
    rcity_release(context, made.patches);
    return status;
}
