/* What stays on the device, and the launches. */
#include "method/tiles/tiles_device.h"

#include <string.h>

#include "embedded/tiles_cl.h"
#include "method/tiles/tile_scan.h"
#include "visibility/sight_arrays.h"

/* Lists of a level: so many tubes, and hits for each. More do not fill a device better. */
#define TUBES_MAX     ((int64_t)1 << 22)
#define TUBES_MIN     1024
#define TUBES_A_TILE  64 /* few tiles make few rays */
#define HITS_A_TUBE   4
#define MEMORY_PART   4 /* of the device's memory, and of what the context may use, is for lists */
#define TUBE_BYTES    (sizeof(rcity_tube) + sizeof(rcity_tile_echo))
#define HIT_BYTES     (sizeof(rcity_tile_hit) + sizeof(rcity_tile_echo_hit))
#define LEVEL_BYTES   (TUBE_BYTES + HITS_A_TUBE * HIT_BYTES)
#define ROW_EDGES_MAX 8 /* edges around a tile, that a scan may find for an entry of a row */

static rcity_status keep(rcity_tiles_device *made, rcity_tiles_buffer buffer, const void *data, int64_t count,
                         size_t element_bytes)
{
    made->element_bytes[buffer] = element_bytes;
    return rcity_resident_create(made->context, made->device, data, count, element_bytes, "tiles and what they see",
                                 &made->resident[buffer]);
}

/* What walks along lines read is there already; their map is prepared->sight->view.map. */
static void borrow_sight(rcity_tiles_device *made)
{
    for (int i = 0; i < RCITY_SIGHT_ARRAY_COUNT; i++) {
        made->element_bytes[RCITY_TILES_SIGHT_RASTER + i] = rcity_sight_array_bytes((rcity_sight_array)i);
        made->resident[RCITY_TILES_SIGHT_RASTER + i] = rcity_tile_first_sight(made->prepared->first)[i];
    }
}

static bool is_borrowed(int buffer)
{
    return buffer >= RCITY_TILES_SIGHT_RASTER && buffer <= RCITY_TILES_SIGHT_GROUND;
}

static rcity_status keep_scene(rcity_tiles_device *made)
{
    const rcity_tiles_prepared *prepared = made->prepared;
    const rcity_tiling *tiling = &prepared->tiling;
    const rcity_tile_matrix *matrix = prepared->matrix;
    const rcity_tile_views *views = &prepared->views;
    int64_t tiles = tiling->tile_count;
    int64_t edges = tiling->edge_count;
    RCITY_TRY(keep(made, RCITY_TILES_TILES, tiling->tiles, tiles, sizeof *tiling->tiles));
    RCITY_TRY(keep(made, RCITY_TILES_EDGES, tiling->edges, edges, sizeof *tiling->edges));
    RCITY_TRY(keep(made, RCITY_TILES_EDGE_FIRST, tiling->edge_first, tiles + 1, sizeof *tiling->edge_first));
    RCITY_TRY(keep(made, RCITY_TILES_EDGE_OF, tiling->edge_of, tiling->edge_first[tiles], sizeof *tiling->edge_of));
    RCITY_TRY(keep(made, RCITY_TILES_CENTRES, made->centres, tiles, 4 * sizeof *made->centres));
    RCITY_TRY(keep(made, RCITY_TILES_ROW_FIRST, matrix->row_first, tiles, sizeof *matrix->row_first));
    RCITY_TRY(
        keep(made, RCITY_TILES_CHUNK_END, matrix->chunk_end, tiles * matrix->chunk_count, sizeof *matrix->chunk_end));
    RCITY_TRY(keep(made, RCITY_TILES_COLUMN, matrix->column, matrix->entry_count, sizeof *matrix->column));
    RCITY_TRY(keep(made, RCITY_TILES_VIEW_FIRST, views->row_first, tiles + 1, sizeof *views->row_first));
    RCITY_TRY(keep(made, RCITY_TILES_VIEW_RECEIVER, views->receiver, (int64_t)views->row_first[tiles],
                   sizeof *views->receiver));
    RCITY_TRY(keep(made, RCITY_TILES_RECEIVERS_M, prepared->receivers.xyz_m, 3 * prepared->receivers.open_count,
                   sizeof *prepared->receivers.xyz_m));
    RCITY_TRY(keep(made, RCITY_TILES_SURFACE_ROWS, tiling->surface_rows, tiling->surface_row_count,
                   sizeof *tiling->surface_rows));
    RCITY_TRY(keep(made, RCITY_TILES_PLACES, tiling->places, tiles, sizeof *tiling->places));
    RCITY_TRY(keep(made, RCITY_TILES_RECEIVER_PLACES, prepared->receivers.places, prepared->receivers.open_count,
                   sizeof *prepared->receivers.places));
    RCITY_TRY(keep(made, RCITY_TILES_TILE_FACE, prepared->tile_face, tiles, sizeof *prepared->tile_face));
    return keep(made, RCITY_TILES_EDGE_FACE, prepared->edge_face, 2 * edges, sizeof *prepared->edge_face);
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The most tiles of a surface: an edge sees those on its faces. */
static int64_t longest_face(const rcity_tiling *tiling)
{
    const int32_t *first = tiling->surface_rows;
    int64_t longest = 0;
    for (int64_t i = 0; i < tiling->world->mirror_count; i++) {
        longest = first[i + 1] - first[i] > longest ? first[i + 1] - first[i] : longest;
    }
    return longest;
}

/* How long lists are. A scan of one tube must fit. */
static rcity_status plan_lists(rcity_tiles_device *made)
{
    rcity_device_info info;
    rcity_device_describe(made->device, &info);
    int64_t longest = rcity_tile_scan_room(made->prepared);
    uint64_t memory = info.memory_bytes;
    uint64_t limit = rcity_context_memory_limit(made->context);
    memory = limit < memory ? limit : memory;
    uint64_t most = rcity_device_buffer_bytes(made->device);
    int64_t room = lesser(TUBES_MAX, TUBES_A_TILE * made->prepared->tiling.tile_count);
    room = room > TUBES_MIN ? room : TUBES_MIN;
    room = lesser(room, (int64_t)(memory / MEMORY_PART / LEVEL_BYTES / (RCITY_TUBE_EVENT_MAX + 1)));
    room = lesser(room, (int64_t)(most / sizeof(rcity_tube)));
    room = lesser(room, (int64_t)(most / sizeof(rcity_tile_echo_hit) / HITS_A_TUBE));
    made->tube_room = room;
    made->hit_room = HITS_A_TUBE * room;
    longest += longest_face(&made->prepared->tiling);
    int64_t needed = longest * (2 + ROW_EDGES_MAX) + made->prepared->receivers.open_count;
    if (made->hit_room < needed) {
        made->hit_room = needed;
    }
    RCITY_CHECK(made->context, room > 0 && (uint64_t)made->hit_room <= most / sizeof(rcity_tile_echo_hit),
                RCITY_ERR_MEMORY, "device %s has no room for lists of rays", info.id);
    return RCITY_OK;
}

static rcity_status open_on_device(rcity_context *context, rcity_device *device, const rcity_tiles_prepared *prepared,
                                   rcity_tiles_device **opened)
{
    rcity_tiles_device *made = NULL;
    rcity_status status;
    int64_t tiles = prepared->tiling.tile_count;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the tiles", &made));
    made->context = context;
    made->device = device;
    made->prepared = prepared;
    RCITY_TRY_DONE(rcity_alloc(context, 4 * (size_t)tiles, sizeof *made->centres, "the tiles", &made->centres));
    for (int64_t i = 0; i < tiles; i++) {
        made->centres[4 * i] = prepared->centre_x[i];
        made->centres[4 * i + 1] = prepared->centre_y[i];
        made->centres[4 * i + 2] = prepared->centre_z[i];
    }
    RCITY_TRY_DONE(plan_lists(made));
    RCITY_TRY_DONE(keep_scene(made));
    borrow_sight(made);
    *opened = made;
    made = NULL;
done:
    rcity_tiles_device_close(&made);
    return status;
}

rcity_status rcity_tiles_device_open(const rcity_job *job, const rcity_tiles_prepared *prepared,
                                     rcity_tiles_device **device)
{
    rcity_device_info info;
    if (job->device == NULL) {
        return RCITY_OK;
    }
    rcity_device_describe(job->device, &info);
    if (strcmp(info.kind, "host") == 0 || prepared->tiling.tile_count == 0) {
        return RCITY_OK;
    }
    if (!info.has_int64_atomics) {
        rcity_log(job->context, RCITY_LOG_INFO, "device %s cannot add 64-bit numbers: rays are bounced on the host",
                  info.id);
        return RCITY_OK;
    }
    rcity_status status = open_on_device(job->context, job->device, prepared, device);
    if (status == RCITY_ERR_MEMORY) {
        rcity_log(job->context, RCITY_LOG_INFO, "rays are bounced on the host: %s",
                  rcity_context_message(job->context));
        return RCITY_OK;
    }
    return status;
}

void rcity_tiles_device_close(rcity_tiles_device **device)
{
    rcity_tiles_device *ended = *device;
    if (ended == NULL) {
        return;
    }
    for (int i = 0; i < RCITY_TILES_BUFFER_COUNT; i++) {
        if (!is_borrowed(i)) {
            rcity_resident_destroy(&ended->resident[i]);
        }
    }
    rcity_release(ended->context, ended->centres);
    rcity_release(ended->context, ended);
    *device = NULL;
}

bool rcity_tiles_device_holds(const rcity_tiles_device *device, const rcity_tiles_run *run)
{
    uint64_t tiles = (uint64_t)device->prepared->tiling.tile_count;
    uint64_t receivers = (uint64_t)device->prepared->receivers.open_count;
    uint64_t sums = receivers > tiles || !run->keeps_tiles ? receivers : tiles;
    uint64_t cells = run->bounce.rough_material_count > 0 ? tiles * (uint64_t)run->bounce.rough.cell_count : 0;
    uint64_t depths = (uint64_t)run->bounce.rough.depth_count;
    uint64_t bytes[] = {sums * sizeof(rcity_tile_sums), cells * depths * sizeof(rcity_tile_lit),
                        cells * depths * sizeof(rcity_tile_glow),
                        run->goes_over_roofs ? (tiles + receivers) * sizeof(rcity_tile_roof_path) : 0};
    uint64_t most = rcity_device_buffer_bytes(device->device);
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        if (bytes[i] > most) {
            rcity_log(run->context, RCITY_LOG_INFO,
                      "rays are bounced on the host: a list needs %.3g bytes, the device "
                      "has buffers of %.3g",
                      (double)bytes[i], (double)most);
            return false;
        }
    }
    return true;
}

rcity_status rcity_tiles_device_launch(rcity_tiles_device *device, rcity_context *context,
                                       const rcity_tiles_kernel *kernel, const void *job, int64_t item_count, int level,
                                       size_t local_bytes)
{
    rcity_kernel made;
    rcity_launch launch;
    memset(&made, 0, sizeof made);
    memset(&launch, 0, sizeof launch);
    made.name = kernel->name;
    made.source = kernel->source;
    made.job_bytes = kernel->job_bytes;
    made.group_items = kernel->group_items;
    made.buffer_count = kernel->buffer_count;
    for (int i = 0; i < kernel->buffer_count; i++) {
        int number = (int)kernel->buffer[i] + (kernel->buffer[i] >= RCITY_TILES_LEVELS ? level : 0);
        launch.resident[i] = device->resident[number];
        made.buffer[i].use = number < RCITY_TILES_SCENE_COUNT ? RCITY_BUFFER_SHARED_IN : RCITY_BUFFER_ON_DEVICE;
        made.buffer[i].element_bytes = device->element_bytes[number];
    }
    launch.kernel = &made;
    launch.job = job;
    launch.item_count = item_count;
    launch.local_bytes = local_bytes;
    return rcity_device_run(context, device->device, &launch);
}

rcity_status rcity_tiles_device_reserve(rcity_tiles_device *device, rcity_context *context, rcity_tiles_buffer buffer,
                                        int64_t count, size_t element_bytes)
{
    device->element_bytes[buffer] = element_bytes;
    return rcity_resident_reserve(context, device->device, count > 0 ? count : 1, element_bytes, "rays on tiles",
                                  &device->resident[buffer]);
}

rcity_status rcity_tiles_device_clear(rcity_tiles_device *device, rcity_context *context, rcity_tiles_buffer buffer,
                                      int64_t count, size_t element_bytes)
{
    rcity_tiles_kernel kernel = {"rcity_tiles_clear", rcity_tiles_cl, sizeof(int32_t), 0, 1, {buffer}};
    int32_t words = (int32_t)(element_bytes / sizeof(uint32_t));
    RCITY_TRY(rcity_tiles_device_reserve(device, context, buffer, count, element_bytes));
    return rcity_tiles_device_launch(device, context, &kernel, &words, count, 0, 0);
}

rcity_status rcity_tiles_device_count_anew(rcity_tiles_device *device, rcity_context *context)
{
    static const uint32_t none[RCITY_TILE_COUNT_WORDS] = {0, 0, 0};
    return rcity_resident_write(context, device->resident[RCITY_TILES_COUNTS], 0, RCITY_TILE_COUNT_WORDS, none);
}

rcity_status rcity_tiles_device_get_count(rcity_tiles_device *device, rcity_context *context, int counter,
                                          int64_t *count)
{
    uint32_t read = 0;
    RCITY_TRY(rcity_resident_read(context, device->resident[RCITY_TILES_COUNTS], counter, 1, &read));
    RCITY_TRY(rcity_device_finish(context, device->device));
    *count = read;
    return RCITY_OK;
}

rcity_tile_piece rcity_tiles_device_piece(const rcity_tiles_device *device, int64_t first)
{
    const rcity_tiling *tiling = &device->prepared->tiling;
    return (rcity_tile_piece){(int32_t)first, (uint32_t)device->hit_room, (int32_t)tiling->tile_count,
                              (int32_t)tiling->edge_count, device->prepared->matrix->chunk_count};
}

/* Faces and the antenna's table, and sums of nothing. */
static rcity_status start(rcity_tiles_device *device, rcity_tiles_run *run)
{
    rcity_context *context = run->context;
    int64_t faces = (int64_t)rcity_tiles_face_count(&run->world);
    int64_t antenna_count = run->ends.tx_table_count;
    RCITY_TRY(rcity_tiles_device_reserve(device, context, RCITY_TILES_FACES, faces, sizeof *run->faces));
    RCITY_TRY(rcity_resident_write(context, device->resident[RCITY_TILES_FACES], 0, faces, run->faces));
    RCITY_TRY(rcity_tiles_device_reserve(device, context, RCITY_TILES_ANTENNA, antenna_count, sizeof(float)));
    RCITY_TRY(
        rcity_resident_write(context, device->resident[RCITY_TILES_ANTENNA], 0, antenna_count, run->ends.tx_table));
    RCITY_TRY(
        rcity_tiles_device_reserve(device, context, RCITY_TILES_COUNTS, RCITY_TILE_COUNT_WORDS, sizeof(uint32_t)));
    RCITY_TRY(rcity_tiles_device_clear(device, context, RCITY_TILES_EFFORT, RCITY_TILE_EFFORT_WORDS, sizeof(int64_t)));
    int64_t tiles = device->prepared->tiling.tile_count;
    int64_t lit =
        run->bounce.rough_material_count > 0 ? tiles * run->bounce.rough.depth_count * run->bounce.rough.cell_count : 1;
    RCITY_TRY(rcity_tiles_device_clear(device, context, RCITY_TILES_TILE_SUMS, run->keeps_tiles ? tiles : 1,
                                       sizeof(rcity_tile_sums)));
    RCITY_TRY(rcity_tiles_device_clear(device, context, RCITY_TILES_RECEIVER_SUMS,
                                       device->prepared->receivers.open_count, sizeof(rcity_tile_sums)));
    return rcity_tiles_device_clear(device, context, RCITY_TILES_LIT, lit, sizeof(rcity_tile_lit));
}

static rcity_status copy_sums(rcity_tiles_device *device, rcity_tiles_run *run)
{
    rcity_context *context = run->context;
    int64_t effort[RCITY_TILE_EFFORT_WORDS];
    RCITY_TRY(rcity_resident_read(context, device->resident[RCITY_TILES_EFFORT], 0, RCITY_TILE_EFFORT_WORDS, effort));
    RCITY_TRY(rcity_resident_read(context, device->resident[RCITY_TILES_RECEIVER_SUMS], 0,
                                  device->prepared->receivers.open_count, run->receiver_sums));
    if (run->keeps_tiles) {
        RCITY_TRY(rcity_resident_read(context, device->resident[RCITY_TILES_TILE_SUMS], 0,
                                      device->prepared->tiling.tile_count, run->tile_sums));
    }
    RCITY_TRY(rcity_device_finish(context, device->device));
    run->effort.test_count += effort[RCITY_TILE_EFFORT_TESTS];
    return RCITY_OK;
}

rcity_status rcity_tiles_device_run(rcity_tiles_device *device, rcity_tiles_run *run)
{
    rcity_tile_senders senders = {.count = 0};
    rcity_status status;
    double start_s = rcity_clock_s();
    RCITY_TRY_DONE(start(device, run));
    RCITY_TRY_DONE(rcity_tiles_device_bounce(device, run));
    run->effort.bounce_s += rcity_clock_s() - start_s;
    if (rcity_tile_senders_are_wanted(run)) {
        RCITY_TRY_DONE(rcity_tiles_device_list_senders(device, run, &senders));
    }
    if (run->goes_over_roofs) {
        RCITY_TRY_DONE(rcity_tiles_device_go_over_roofs(device, run));
    }
    start_s = rcity_clock_s();
    if (run->bounce.rough_material_count > 0) {
        RCITY_TRY_DONE(rcity_tiles_device_glow(device, run));
    }
    RCITY_TRY_DONE(copy_sums(device, run));
    run->effort.scatter_s += rcity_clock_s() - start_s;
    RCITY_TRY_DONE(rcity_tile_senders_send(run, &senders));
done:
    rcity_tile_senders_deinit(run->context, &senders);
    return status;
}
