/* Rays over triangulated terrain: azimuths, one launch for each transmitter, the strongest code of each triangle. */
#include "method/terrain/rays/terrain_rays.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/light.h"
#include "embedded/rays_cl.h"
#include "kernel/terrain/rays/ray_plain.h"
#include "method/terrain/rays/rays_grid.h"
#include "scene/place/terrain.h"

#define STEP_SHARE         0.999 /* of the widest step; directions are rounded to a millionth */
#define TWO_RAY_GAIN_DB    6.03  /* at most, where both rays add up */
#define FLAT_M             1e-3  /* a range below this is none */
#define TRIANGLES_PER_WORD 32

struct rcity_terrain_rays {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_shapes *shapes;
    rcity_terrain_rays_options options;
    rcity_terrain_grid grid;
    int32_t lowest, highest; /* height units */
    int64_t triangle_count, word_count;
    rcity_resident *height_dev, *strongest_dev, *seen_dev;
    uint32_t *strongest;
};

static void run_rays(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_ray_job job;
    memcpy(&job, job_bytes, sizeof job);
    const rcity_ray *rays = buffers[0].in;
    rcity_ray_view view = {buffers[1].in, buffers[2].out, buffers[3].out};
    for (int64_t i = begin; i < end; i++) {
        rcity_ray_item(job, view, rays[i]);
    }
}

static void run_rays_plain(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_ray_job job;
    memcpy(&job, job_bytes, sizeof job);
    const rcity_ray *rays = buffers[0].in;
    rcity_ray_view view = {buffers[1].in, buffers[2].out, buffers[3].out};
    for (int64_t i = begin; i < end; i++) {
        rcity_ray_plain_item(job, view, rays[i]);
    }
}

static const rcity_kernel rays_kernel = {
    .name = "rcity_rays_azimuths",
    .source = rcity_rays_cl,
    .job_bytes = sizeof(rcity_ray_job),
    .buffer_count = 4,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_ray)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)}},
    .host_run = run_rays,
};

rcity_terrain_rays_options rcity_terrain_rays_options_default(void)
{
    rcity_terrain_rays_options options = {.frequency_hz = 1e9, .coarsen = 1};
    bool is_known = rcity_material_find(rcity_surface_material(RCITY_SURFACE_GROUND), &options.ground);
    assert(is_known);
    (void)is_known;
    return options;
}

static rcity_status check_options(rcity_context *context, rcity_device *device,
                                  const rcity_terrain_rays_options *options)
{
    RCITY_CHECK(context, options->frequency_hz > 0.0 && isfinite(options->frequency_hz), RCITY_ERR_ARGUMENT,
                "`frequency_hz` is %g, must be above 0", options->frequency_hz);
    RCITY_CHECK(context, options->receiver_height_m >= 0.0 && options->receiver_height_m <= 1000.0, RCITY_ERR_ARGUMENT,
                "receivers for rays over terrain are %g m high, must be 0 to 1000", options->receiver_height_m);
    RCITY_CHECK(context, options->max_range_m >= 0.0, RCITY_ERR_ARGUMENT,
                "the range of rays over terrain is %g m, must be 0 or more", options->max_range_m);
    RCITY_CHECK(context, options->max_loss_db >= 0.0 && options->max_loss_db <= RCITY_TERRAIN_RAYS_LOSS_MAX_DB,
                RCITY_ERR_ARGUMENT, "the largest loss of rays over terrain is %g dB, must be 0 to %g",
                options->max_loss_db, RCITY_TERRAIN_RAYS_LOSS_MAX_DB);
    RCITY_CHECK(context, options->azimuth_step_rad >= 0.0 && isfinite(options->azimuth_step_rad), RCITY_ERR_ARGUMENT,
                "the azimuth step of rays over terrain is %g rad, must be 0 or more", options->azimuth_step_rad);
    RCITY_CHECK(context, options->coarsen >= 1 && options->coarsen <= RCITY_TERRAIN_RAYS_COARSEN_MAX,
                RCITY_ERR_ARGUMENT, "a side of a triangle is %d cells of the terrain, must be 1 to %d",
                options->coarsen, RCITY_TERRAIN_RAYS_COARSEN_MAX);
    RCITY_CHECK(context, options->reflections >= 0 && options->reflections <= RCITY_TERRAIN_RAYS_DEPTH_MAX,
                RCITY_ERR_ARGUMENT, "%d reflections of rays over terrain, must be 0 to %d", options->reflections,
                RCITY_TERRAIN_RAYS_DEPTH_MAX);
    RCITY_CHECK(context, options->te_share >= 0.0 && options->te_share <= 1.0, RCITY_ERR_ARGUMENT,
                "the share of the power polarized across is %g, must be 0 to 1", options->te_share);
    RCITY_CHECK(context,
                options->earth_factor == 0.0 || (options->earth_factor >= RCITY_TERRAIN_RAYS_EARTH_MIN &&
                                                 options->earth_factor <= RCITY_TERRAIN_RAYS_EARTH_MAX),
                RCITY_ERR_ARGUMENT, "the effective radius of the earth is %g times its own, must be 0 or %g to %g",
                options->earth_factor, RCITY_TERRAIN_RAYS_EARTH_MIN, RCITY_TERRAIN_RAYS_EARTH_MAX);
    RCITY_CHECK(context, !options->two_ray || options->receiver_height_m > 0.0, RCITY_ERR_ARGUMENT,
                "two rays over flat ground need receivers above it: on the ground they cancel");
    RCITY_CHECK(context, !options->plain || rcity_device_local_bytes(device) == 0, RCITY_ERR_ARGUMENT,
                "the plain search of rays over terrain needs the host");
    return RCITY_OK;
}

/* Lowest and highest node, and limits that the kernels' integers are made for. */
static rcity_status check_grid(rcity_terrain_rays *rays)
{
    const rcity_terrain_grid *grid = &rays->grid;
    RCITY_CHECK(rays->context, grid->column_count <= RCITY_RAY_NODE_MAX && grid->row_count <= RCITY_RAY_NODE_MAX,
                RCITY_ERR_ARGUMENT, "terrain of %d x %d nodes, at most %d to each side; use larger triangles",
                (int)grid->column_count, (int)grid->row_count, RCITY_RAY_NODE_MAX);
    assert((int64_t)(grid->column_count - 1) * grid->cell <= RCITY_RAY_EXTENT_MAX);
    rays->lowest = grid->height[0];
    rays->highest = grid->height[0];
    for (int64_t i = 0; i < (int64_t)grid->column_count * grid->row_count; i++) {
        rays->lowest = grid->height[i] < rays->lowest ? grid->height[i] : rays->lowest;
        rays->highest = grid->height[i] > rays->highest ? grid->height[i] : rays->highest;
    }
    rays->triangle_count = 2 * ((int64_t)grid->column_count - 1) * (grid->row_count - 1);
    rays->word_count = (rays->triangle_count + TRIANGLES_PER_WORD - 1) / TRIANGLES_PER_WORD;
    return RCITY_OK;
}

static rcity_status make_residents(rcity_terrain_rays *rays)
{
    rcity_context *context = rays->context;
    int64_t node_count = (int64_t)rays->grid.column_count * rays->grid.row_count;
    RCITY_TRY(
        rcity_alloc(context, (size_t)rays->triangle_count, sizeof *rays->strongest, "triangles", &rays->strongest));
    RCITY_TRY(rcity_resident_create(context, rays->device, rays->grid.height, node_count, sizeof(int32_t), "terrain",
                                    &rays->height_dev));
    RCITY_TRY(rcity_resident_create_empty(context, rays->device, rays->triangle_count, sizeof(uint32_t), "triangles",
                                          &rays->strongest_dev));
    return rcity_resident_create_empty(context, rays->device, rays->word_count, sizeof(uint32_t), "triangles",
                                       &rays->seen_dev);
}

rcity_status rcity_terrain_rays_open(rcity_context *context, rcity_device *device, const rcity_shapes *shapes,
                                     const rcity_terrain_rays_options *options, rcity_terrain_rays **rays)
{
    rcity_terrain_rays *made = NULL;
    rcity_status status;
    RCITY_TRY(check_options(context, device, options));
    RCITY_CHECK(context, shapes->terrain.column_count > 1 && shapes->terrain.row_count > 1, RCITY_ERR_ARGUMENT,
                "the scene has no terrain to trace rays over");
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "rays over terrain", &made));
    made->context = context;
    made->device = device;
    made->shapes = shapes;
    made->options = *options;
    RCITY_TRY_DONE(rcity_rays_grid_init(context, &shapes->terrain, options->coarsen, options->coarsening, &made->grid));
    RCITY_TRY_DONE(check_grid(made));
    RCITY_TRY_DONE(make_residents(made));
    *rays = made;
    made = NULL;
done:
    rcity_terrain_rays_close(&made);
    return status;
}

void rcity_terrain_rays_close(rcity_terrain_rays **rays)
{
    if (rays == NULL || *rays == NULL) {
        return;
    }
    rcity_resident_destroy(&(*rays)->seen_dev);
    rcity_resident_destroy(&(*rays)->strongest_dev);
    rcity_resident_destroy(&(*rays)->height_dev);
    rcity_rays_grid_deinit((*rays)->context, &(*rays)->shapes->terrain, &(*rays)->grid);
    rcity_release((*rays)->context, (*rays)->strongest);
    rcity_release((*rays)->context, *rays);
    *rays = NULL;
}

/* In a disc of radius R around the transmitter, a convex set that is seen under an angle phi < pi fits between two parallel
   lines 2 R sin(phi / 2) apart, along the middle of that angle. No triangle fits between lines closer than its smallest
   height, cell / sqrt(2): so each is seen under at least 2 asin(height / (2 R)), and a ray falls within. */
double rcity_terrain_rays_step_rad(double cell_m, double range_m)
{
    double share = cell_m / sqrt(2.0) / (2.0 * range_m);
    return STEP_SHARE * 2.0 * asin(fmin(share, 1.0));
}

/* Distance on the map after which there is nothing left: the corner of the grid that is farthest away, the limit of
   the range, and that of the loss. */
static double find_range_m(const rcity_terrain_rays *rays, rcity_grid_point3 source)
{
    const rcity_terrain_grid *grid = &rays->grid;
    const rcity_terrain_rays_options *options = &rays->options;
    double west = (double)source.x - grid->west;
    double south = (double)source.y - grid->south;
    double east = (double)(grid->column_count - 1) * grid->cell - west;
    double north = (double)(grid->row_count - 1) * grid->cell - south;
    double range_m = hypot(fmax(west, east), fmax(south, north)) / rays->shapes->units_per_m;
    if (options->max_range_m > 0.0) {
        range_m = fmin(range_m, options->max_range_m);
    }
    if (options->max_loss_db > 0.0) {
        double loss_db = options->max_loss_db + (options->two_ray ? TWO_RAY_GAIN_DB : 0.0);
        double wavelength_m = rcity_light_wavelength_m(options->frequency_hz);
        range_m = fmin(range_m, wavelength_m / (4.0 * acos(-1.0)) * pow(10.0, loss_db / 20.0));
    }
    return fmax(range_m, FLAT_M);
}

static rcity_face make_face(const rcity_terrain_rays_options *options)
{
    rcity_permittivity at = rcity_material_evaluate(&options->ground, options->frequency_hz);
    rcity_face face;
    memset(&face, 0, sizeof face);
    face.permittivity = rcity_complex_make((float)at.real, (float)-at.imaginary);
    return face;
}

/* The transmitter on the tracer's grid, as high above its ground as above the scene's. */
static rcity_status place_source(const rcity_terrain_rays *rays, rcity_grid_point3 source, double antenna,
                                 rcity_ray_job *job)
{
    const rcity_terrain_grid *grid = &rays->grid;
    double ground = rcity_terrain_height(grid, source.x, source.y);
    int64_t height = lround(ground + antenna);
    RCITY_CHECK(rays->context,
                height - rays->lowest < RCITY_RAY_HEIGHT_SPAN_MAX && rays->highest - height < RCITY_RAY_HEIGHT_SPAN_MAX,
                RCITY_ERR_ARGUMENT, "the terrain spans %g m of height with the transmitter, at most %g m",
                (double)((height > rays->highest ? height : rays->highest) - rays->lowest) / RCITY_HEIGHT_UNITS_PER_M,
                (double)RCITY_RAY_HEIGHT_SPAN_MAX / RCITY_HEIGHT_UNITS_PER_M);
    job->source_x = (int64_t)source.x - grid->west;
    job->source_y = (int64_t)source.y - grid->south;
    job->source_x_part = job->source_x * (1 << RCITY_RAY_TIME_BITS) / grid->cell;
    job->source_y_part = job->source_y * (1 << RCITY_RAY_TIME_BITS) / grid->cell;
    job->grid.source_height = (int32_t)height;
    job->grid.highest = rays->highest - (int32_t)height;
    job->foot = llround((ground - (double)height) * (1 << RCITY_RAY_HEIGHT_BITS));
    job->foot = job->foot > 0 ? 0 : job->foot; /* an antenna on the ground, rounded */
    job->tx_height_m = (float)fmax(antenna / RCITY_HEIGHT_UNITS_PER_M, 0.0);
    return RCITY_OK;
}

static rcity_status make_job(const rcity_terrain_rays *rays, rcity_grid_point3 source, double range_m,
                             rcity_ray_job *job)
{
    const rcity_terrain_rays_options *options = &rays->options;
    const rcity_terrain_grid *grid = &rays->grid;
    double antenna = source.z - rcity_terrain_height(&rays->shapes->terrain, source.x, source.y);
    RCITY_CHECK(rays->context, antenna > -1.0, RCITY_ERR_ARGUMENT, "the transmitter is %g m below the ground",
                -antenna / RCITY_HEIGHT_UNITS_PER_M);
    memset(job, 0, sizeof *job);
    job->grid.column_count = grid->column_count;
    job->grid.row_count = grid->row_count;
    RCITY_TRY(place_source(rays, source, antenna, job));
    double cell_m = (double)grid->cell / rays->shapes->units_per_m;
    job->raise = llround(options->receiver_height_m * RCITY_HEIGHT_UNITS_PER_M * (1 << RCITY_RAY_HEIGHT_BITS));
    job->cell = grid->cell;
    job->effects = (options->without_direct ? 0 : RCITY_RAYS_DIRECT) | (options->two_ray ? RCITY_RAYS_TWO_RAY : 0) |
                   (options->knife_edge ? RCITY_RAYS_KNIFE_EDGE : 0);
    job->depth = options->reflections;
    job->cell_m = (float)cell_m;
    job->slope_per_unit = (float)(1.0 / (RCITY_HEIGHT_UNITS_PER_M * cell_m));
    job->wavelength_m = (float)rcity_light_wavelength_m(options->frequency_hz);
    job->te_share = (float)options->te_share;
    job->loss_max_db = (float)(options->max_loss_db > 0.0 ? options->max_loss_db : RCITY_TERRAIN_RAYS_LOSS_MAX_DB);
    job->range_m = (float)range_m;
    job->rx_height_m = (float)options->receiver_height_m;
    if (options->earth_factor > 0.0) {
        double radius_m = RCITY_EARTH_RADIUS_M * options->earth_factor;
        job->drop_per_cell2 = (float)(cell_m * cell_m / (2.0 * radius_m) / (double)RCITY_RAY_HEIGHT_UNIT_M);
        job->tilt_per_cell = (float)(cell_m / radius_m);
    }
    job->ground = make_face(options);
    return RCITY_OK;
}

/* Azimuths clockwise from north, evenly spaced. */
static void fill_rays(const rcity_ray_job *job, double range_m, int64_t count, rcity_ray *rays)
{
    for (int64_t i = 0; i < count; i++) {
        double azimuth_rad = 2.0 * acos(-1.0) * (double)i / (double)count;
        rays[i].dx = (int32_t)lround(RCITY_RAY_ONE * sin(azimuth_rad));
        rays[i].dy = (int32_t)lround(RCITY_RAY_ONE * cos(azimuth_rad));
        double metres_per_time =
            hypot(rays[i].dx, rays[i].dy) / RCITY_RAY_ONE * (double)job->cell_m / (double)(1 << RCITY_RAY_TIME_BITS);
        rays[i].metres_per_time = (float)metres_per_time;
        double cells_per_time = metres_per_time / (double)job->cell_m;
        rays[i].drop_per_time2 = (float)(cells_per_time * cells_per_time * (double)job->drop_per_cell2);
        rays[i].end_time = (int64_t)ceil(range_m / metres_per_time);
    }
}

static rcity_status launch(rcity_terrain_rays *rays, const rcity_ray_job *job, int64_t count, const rcity_ray *azimuths,
                           uint32_t *seen)
{
    rcity_context *context = rays->context;
    memset(rays->strongest, 0xFF, (size_t)rays->triangle_count * sizeof *rays->strongest);
    memset(seen, 0, (size_t)rays->word_count * sizeof *seen);
    RCITY_TRY(rcity_resident_write(context, rays->strongest_dev, 0, rays->triangle_count, rays->strongest));
    RCITY_TRY(rcity_resident_write(context, rays->seen_dev, 0, rays->word_count, seen));
    rcity_kernel kernel = rays_kernel;
    kernel.host_run = rays->options.plain ? run_rays_plain : run_rays;
    rcity_launch made = {.kernel = &kernel,
                         .job = job,
                         .item_count = count,
                         .buffer = {{.in = azimuths}},
                         .resident = {NULL, rays->height_dev, rays->strongest_dev, rays->seen_dev},
                         .task = "rays over terrain"};
    made.shared_count[1] = (int64_t)rays->grid.column_count * rays->grid.row_count;
    RCITY_TRY(rcity_device_run(context, rays->device, &made));
    RCITY_TRY(rcity_resident_read(context, rays->strongest_dev, 0, rays->triangle_count, rays->strongest));
    RCITY_TRY(rcity_resident_read(context, rays->seen_dev, 0, rays->word_count, seen));
    return rcity_device_finish(context, rays->device);
}

static void decode(const rcity_terrain_rays *rays, float *loss_db)
{
    for (int64_t i = 0; i < rays->triangle_count; i++) {
        uint32_t code = rays->strongest[i];
        loss_db[i] = code == RCITY_RAYS_CODE_NONE
                         ? NAN
                         : (float)((double)code / (double)RCITY_RAYS_CODE_PER_DB + (double)RCITY_RAYS_CODE_LEAST_DB);
    }
}

rcity_status rcity_terrain_rays_trace(rcity_terrain_rays *rays, rcity_grid_point3 source,
                                      rcity_terrain_rays_field *field)
{
    rcity_context *context = rays->context;
    rcity_terrain_rays_field made = {.triangle_count = rays->triangle_count, .grid = rays->grid};
    rcity_ray *azimuths = NULL;
    rcity_ray_job job;
    rcity_status status;
    double step_rad = rays->options.azimuth_step_rad;
    RCITY_CHECK(context, rcity_terrain_contains(&rays->grid, source.x, source.y), RCITY_ERR_ARGUMENT,
                "the transmitter lies outside the terrain");
    made.range_m = find_range_m(rays, source);
    RCITY_TRY(make_job(rays, source, made.range_m, &job));
    if (!(step_rad > 0.0)) {
        step_rad = rcity_terrain_rays_step_rad((double)job.cell_m, made.range_m);
    }
    double count = fmax(ceil(2.0 * acos(-1.0) / step_rad), 1.0);
    RCITY_CHECK(context, count <= RCITY_TERRAIN_RAYS_COUNT_MAX, RCITY_ERR_ARGUMENT,
                "steps of %g rad are %.0f azimuths, at most %g; use a wider step", step_rad, count,
                RCITY_TERRAIN_RAYS_COUNT_MAX);
    made.ray_count = (int64_t)count;
    made.azimuth_step_rad = 2.0 * acos(-1.0) / count;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)made.ray_count, sizeof *azimuths, "azimuths", &azimuths));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)made.triangle_count, sizeof *made.loss_db, "triangles", &made.loss_db));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)rays->word_count, sizeof *made.seen, "triangles", &made.seen));
    fill_rays(&job, made.range_m, made.ray_count, azimuths);
    RCITY_TRY_DONE(launch(rays, &job, made.ray_count, azimuths, made.seen));
    decode(rays, made.loss_db);
    *field = made;
    made.loss_db = NULL;
    made.seen = NULL;
done:
    rcity_terrain_rays_field_deinit(context, &made);
    rcity_release(context, azimuths);
    return status;
}

void rcity_terrain_rays_field_deinit(rcity_context *context, rcity_terrain_rays_field *field)
{
    rcity_release(context, field->loss_db);
    rcity_release(context, field->seen);
    field->loss_db = NULL;
    field->seen = NULL;
}

int64_t rcity_terrain_rays_triangle(const rcity_terrain_grid *grid, int32_t x, int32_t y)
{
    if (grid->column_count < 2 || !rcity_terrain_contains(grid, x, y)) {
        return -1;
    }
    int64_t east = (int64_t)x - grid->west;
    int64_t north = (int64_t)y - grid->south;
    int64_t column = east / grid->cell < grid->column_count - 1 ? east / grid->cell : grid->column_count - 2;
    int64_t row = north / grid->cell < grid->row_count - 1 ? north / grid->cell : grid->row_count - 2;
    bool is_above = north - row * grid->cell > east - column * grid->cell;
    return 2 * (row * (grid->column_count - 1) + column) + is_above;
}

float rcity_terrain_rays_loss_db(const rcity_terrain_rays_field *field, int32_t x, int32_t y, bool *is_seen)
{
    int64_t triangle = rcity_terrain_rays_triangle(&field->grid, x, y);
    if (is_seen != NULL) {
        *is_seen =
            triangle >= 0 && (field->seen[triangle / TRIANGLES_PER_WORD] >> (triangle % TRIANGLES_PER_WORD) & 1u);
    }
    return triangle >= 0 ? field->loss_db[triangle] : NAN;
}

uint64_t rcity_terrain_rays_bytes(const rcity_terrain_grid *terrain, int coarsen)
{
    uint64_t columns = (uint64_t)(terrain->column_count - 1) / (uint64_t)coarsen + 1;
    uint64_t rows = (uint64_t)(terrain->row_count - 1) / (uint64_t)coarsen + 1;
    uint64_t node_bytes = coarsen > 1 ? sizeof(int32_t) : 0;
    uint64_t triangle_bytes = 2 * sizeof(uint32_t) + sizeof(float) + 1; /* codes twice on the host, losses, bits */
    return columns * rows * (node_bytes + 2 * triangle_bytes);
}
