/* The compiled scene, `.rcity`: the committed shapes as blocks of a store. Everything that is read is checked before it
   is used, so that a file with correct checksums but wrong numbers does no harm. */
#include "io/rcity_file.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "radiocity/io.h"
#include "scene/material.h"
#include "scene/place/terrain.h"
#include "scene/shape/exact.h"
#include "scene/shapes.h"

/* The numbers of a scene, as stored in the file. */
typedef struct file_frame {
    double origin_x_m, origin_y_m;
    int32_t units_per_m;
    int32_t x_min, y_min, x_max, y_max;
    int32_t terrain_column_count, terrain_row_count, terrain_west, terrain_south, terrain_cell;
    int64_t wall_count, outer_wall_count, exposed_wall_count, nested_building_count;
    int64_t repair_count[16];
    char hash[72];
    int32_t land_column_count, land_row_count;
    double land_west_m, land_south_m, land_cell_m;
} file_frame;

_Static_assert(sizeof(file_frame) == 320, "the frame has the same size for every compiler");
_Static_assert(sizeof(rcity_building_record) == 48, "records go to disk as they are");
_Static_assert(sizeof(rcity_prism) == 36, "records go to disk as they are");
_Static_assert(sizeof(rcity_facade) == 32, "records go to disk as they are");
_Static_assert(sizeof(rcity_vegetation_record) == 40, "records go to disk as they are");
_Static_assert(sizeof(rcity_land_class_record) == 56, "records go to disk as they are");
_Static_assert(sizeof(rcity_material_record) == 96, "records go to disk as they are");
_Static_assert(RCITY_REPAIR_COUNT <= 16, "the frame has room for 16 kinds of repair");

static void fill_frame(const rcity_shapes *shapes, file_frame *frame)
{
    memset(frame, 0, sizeof *frame);
    frame->origin_x_m = shapes->origin_x_m;
    frame->origin_y_m = shapes->origin_y_m;
    frame->units_per_m = shapes->units_per_m;
    frame->x_min = shapes->x_min;
    frame->y_min = shapes->y_min;
    frame->x_max = shapes->x_max;
    frame->y_max = shapes->y_max;
    frame->terrain_column_count = shapes->terrain.column_count;
    frame->terrain_row_count = shapes->terrain.row_count;
    frame->terrain_west = shapes->terrain.west;
    frame->terrain_south = shapes->terrain.south;
    frame->terrain_cell = shapes->terrain.cell;
    frame->wall_count = shapes->wall_count;
    frame->outer_wall_count = shapes->outer_wall_count;
    frame->exposed_wall_count = shapes->exposed_wall_count;
    frame->nested_building_count = shapes->nested_building_count;
    memcpy(frame->repair_count, shapes->repair_count, sizeof shapes->repair_count);
    memcpy(frame->hash, shapes->hash, sizeof shapes->hash);
    frame->land_column_count = shapes->land_cover.column_count;
    frame->land_row_count = shapes->land_cover.row_count;
    frame->land_west_m = shapes->land_cover.west_m;
    frame->land_south_m = shapes->land_cover.south_m;
    frame->land_cell_m = shapes->land_cover.cell_m;
}

/* The scene's own materials as records, with one extra entry. */
static rcity_status copy_materials(rcity_context *context, const rcity_shapes *shapes, rcity_material_record **records)
{
    rcity_material_record *made = NULL;
    RCITY_TRY(rcity_alloc(context, (size_t)shapes->material_count + 1, sizeof *made, "materials", &made));
    for (int64_t i = 0; i < shapes->material_count; i++) {
        made[i] = rcity_material_to_record(&shapes->materials[i]);
    }
    *records = made;
    return RCITY_OK;
}

rcity_status rcity_scene_save(rcity_context *context, const rcity_scene *scene, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, path);
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    RCITY_CHECK(context, shapes != NULL, RCITY_ERR_STATE, "the scene is not committed yet and cannot be saved");
    file_frame frame;
    fill_frame(shapes, &frame);
    const char *crs = rcity_scene_crs(scene);
    const char *source = rcity_scene_source(scene);
    const rcity_land_grid *land = &shapes->land_cover;
    uint64_t node_count = (uint64_t)shapes->terrain.column_count * (uint64_t)shapes->terrain.row_count;
    uint64_t cell_count = (uint64_t)land->column_count * (uint64_t)land->row_count;
    uint64_t first_count = shapes->vegetation_count > 0 ? (uint64_t)shapes->vegetation_ring_count + 1 : 0;
    rcity_material_record *materials = NULL;
    RCITY_TRY(copy_materials(context, shapes, &materials));
    const rcity_store_block blocks[] = {
        {"frame", &frame, 1, sizeof frame},
        {"crs", crs, strlen(crs) + 1, 1},
        {"source", source, strlen(source) + 1, 1},
        {"buildings", shapes->buildings, (uint64_t)shapes->building_count, sizeof *shapes->buildings},
        {"prisms", shapes->prisms, (uint64_t)shapes->prism_count, sizeof *shapes->prisms},
        {"rings", shapes->ring_first, (uint64_t)shapes->ring_count + 1, sizeof *shapes->ring_first},
        {"points", shapes->points, (uint64_t)shapes->point_count, sizeof *shapes->points},
        {"facades", shapes->facades, (uint64_t)shapes->facade_count, sizeof *shapes->facades},
        {"heights", shapes->terrain.height, node_count, sizeof *shapes->terrain.height},
        {"vegetation", shapes->vegetation, (uint64_t)shapes->vegetation_count, sizeof *shapes->vegetation},
        {"veg_rings", shapes->vegetation_ring_first, first_count, sizeof *shapes->vegetation_ring_first},
        {"veg_points", shapes->vegetation_points, (uint64_t)shapes->vegetation_point_count,
         sizeof *shapes->vegetation_points},
        {"land_cover", land->code, cell_count, sizeof *land->code},
        {"land_classes", land->classes, (uint64_t)land->class_count, sizeof *land->classes},
        {"materials", materials, (uint64_t)shapes->material_count, sizeof *materials},
    };
    rcity_status status = rcity_store_save(context, path, RCITY_SCENE_FILE_KIND, RCITY_SCENE_FILE_VERSION, blocks,
                                           (int)(sizeof blocks / sizeof blocks[0]));
    rcity_release(context, materials);
    return status;
}

/* The data of a reader. */
typedef struct scene_reader {
    rcity_context *context;
    const char *name;
    rcity_store *store;
    bool uses_file; /* the shapes point into the store, which they keep open */
    rcity_shapes shapes;
} scene_reader;

static rcity_status fail_content(const scene_reader *reader, const char *what)
{
    rcity_fail(reader->context, RCITY_ERR_FORMAT, "'%s' has %s; make it again", reader->name, what);
    return RCITY_ERR_FORMAT;
}

/* Copy one block into new memory. */
static rcity_status copy_block(const scene_reader *reader, const char *name, uint32_t element_bytes, void *memory,
                               int64_t *count)
{
    const void *data;
    uint64_t element_count;
    RCITY_TRY(rcity_store_get(reader->store, name, element_bytes, &data, &element_count));
    if (element_count > INT32_MAX) {
        return fail_content(reader, "a block that is too large");
    }
    void *copy = NULL;
    RCITY_TRY(rcity_alloc(reader->context, (size_t)element_count, element_bytes, name, &copy));
    memcpy(copy, data, (size_t)element_count * element_bytes);
    memcpy(memory, &copy, sizeof copy);
    *count = (int64_t)element_count;
    return RCITY_OK;
}

static rcity_status read_text(const scene_reader *reader, const char *name, uint64_t most_bytes, bool has_lines,
                              const char **text)
{
    const void *data;
    uint64_t count;
    RCITY_TRY(rcity_store_get(reader->store, name, 1, &data, &count));
    if (count == 0 || count > most_bytes || memchr(data, '\0', (size_t)count) != (const char *)data + count - 1) {
        return fail_content(reader, "a text that does not end");
    }
    for (const char *letter = data; *letter != '\0'; letter++) {
        if (iscntrl((unsigned char)*letter) && !(has_lines && *letter == '\n')) {
            return fail_content(reader, "a text with control characters");
        }
    }
    *text = data;
    return RCITY_OK;
}

static bool is_in_range(int64_t value, int64_t low, int64_t high)
{
    return value >= low && value <= high;
}

/* 64 hexadecimal digits and the terminating 0, the text of a SHA-256. It is not computed again: that would take twice
   as long as everything else, and the checksums of the blocks protect the data. */
static bool is_hash(const char *text, size_t room)
{
    static const char digits[] = "0123456789abcdef";
    return memchr(text, '\0', room) == text + 64 && strspn(text, digits) == 64;
}

static rcity_status read_frame(scene_reader *reader)
{
    const void *data;
    uint64_t count;
    RCITY_TRY(rcity_store_get(reader->store, "frame", sizeof(file_frame), &data, &count));
    if (count != 1) {
        return fail_content(reader, "no frame");
    }
    file_frame frame;
    memcpy(&frame, data, sizeof frame);
    bool is_power =
        frame.units_per_m >= 1 && frame.units_per_m <= 128 && (frame.units_per_m & (frame.units_per_m - 1)) == 0;
    bool is_sound = is_power && fabs(frame.origin_x_m) <= 2 * RCITY_COORDINATE_MAX_M &&
                    fabs(frame.origin_y_m) <= 2 * RCITY_COORDINATE_MAX_M;
    const int32_t bounds[4] = {frame.x_min, frame.y_min, frame.x_max, frame.y_max};
    for (int i = 0; i < 4; i++) {
        is_sound = is_sound && is_in_range(bounds[i], -RCITY_PLAN_LIMIT, RCITY_PLAN_LIMIT);
    }
    is_sound = is_sound && frame.x_min <= frame.x_max && frame.y_min <= frame.y_max && frame.wall_count >= 0 &&
               is_in_range(frame.outer_wall_count, 0, frame.wall_count) &&
               is_in_range(frame.exposed_wall_count, 0, frame.wall_count) && frame.nested_building_count >= 0;
    for (int i = 0; i < RCITY_REPAIR_COUNT; i++) {
        is_sound = is_sound && frame.repair_count[i] >= 0;
    }
    if (!is_sound || !is_hash(frame.hash, sizeof reader->shapes.hash)) {
        return fail_content(reader, "impossible numbers in its frame");
    }
    rcity_shapes *shapes = &reader->shapes;
    shapes->origin_x_m = frame.origin_x_m;
    shapes->origin_y_m = frame.origin_y_m;
    shapes->units_per_m = frame.units_per_m;
    shapes->x_min = frame.x_min;
    shapes->y_min = frame.y_min;
    shapes->x_max = frame.x_max;
    shapes->y_max = frame.y_max;
    shapes->terrain.column_count = frame.terrain_column_count;
    shapes->terrain.row_count = frame.terrain_row_count;
    shapes->terrain.west = frame.terrain_west;
    shapes->terrain.south = frame.terrain_south;
    shapes->terrain.cell = frame.terrain_cell;
    shapes->wall_count = frame.wall_count;
    shapes->outer_wall_count = frame.outer_wall_count;
    shapes->exposed_wall_count = frame.exposed_wall_count;
    shapes->nested_building_count = frame.nested_building_count;
    memcpy(shapes->repair_count, frame.repair_count, sizeof shapes->repair_count);
    memcpy(shapes->hash, frame.hash, sizeof shapes->hash);
    shapes->land_cover.column_count = frame.land_column_count;
    shapes->land_cover.row_count = frame.land_row_count;
    shapes->land_cover.west_m = frame.land_west_m;
    shapes->land_cover.south_m = frame.land_south_m;
    shapes->land_cover.cell_m = frame.land_cell_m;
    return RCITY_OK;
}

/* The heights of the nodes: copied, or, when there are many in a mapped file, used where they are. */
static rcity_status take_heights(scene_reader *reader, int64_t *node_count)
{
    rcity_terrain_grid *terrain = &reader->shapes.terrain;
    const void *data;
    uint64_t count;
    RCITY_TRY(rcity_store_get(reader->store, "heights", sizeof *terrain->height, &data, &count));
    if (!rcity_store_is_mapped(reader->store) || count < RCITY_MAPPED_NODES_MIN || count > INT32_MAX) {
        return copy_block(reader, "heights", sizeof *terrain->height, &terrain->height, node_count);
    }
    memcpy(&terrain->height, &data, sizeof data);
    reader->uses_file = true;
    *node_count = (int64_t)count;
    return RCITY_OK;
}

static rcity_status read_terrain(scene_reader *reader)
{
    rcity_terrain_grid *terrain = &reader->shapes.terrain;
    int64_t node_count = 0;
    RCITY_TRY(take_heights(reader, &node_count));
    bool is_absent = terrain->column_count == 0 && terrain->row_count == 0 && node_count == 0;
    bool is_sound = is_absent || (terrain->column_count >= 2 && terrain->row_count >= 2 && terrain->cell >= 1 &&
                                  (int64_t)terrain->column_count * terrain->row_count == node_count);
    if (!is_absent && is_sound) {
        int64_t east = terrain->west + (int64_t)(terrain->column_count - 1) * terrain->cell;
        int64_t north = terrain->south + (int64_t)(terrain->row_count - 1) * terrain->cell;
        const int64_t limit = (int64_t)(RCITY_ELEVATION_MAX_M + 1.0) * RCITY_HEIGHT_UNITS_PER_M;
        int32_t lowest, highest;
        rcity_terrain_bound(reader->context, terrain, &lowest, &highest);
        is_sound = is_in_range(terrain->west, -RCITY_PLAN_LIMIT, RCITY_PLAN_LIMIT) && east <= RCITY_PLAN_LIMIT &&
                   is_in_range(terrain->south, -RCITY_PLAN_LIMIT, RCITY_PLAN_LIMIT) && north <= RCITY_PLAN_LIMIT &&
                   lowest >= -limit && highest <= limit;
    }
    return is_sound ? RCITY_OK : fail_content(reader, "impossible terrain");
}

/* Rings are runs of at least 3 points that fill the list. */
static bool are_rings_sound(const int32_t *ring_first, int64_t first_count, int64_t point_count)
{
    bool is_sound = first_count >= 1 && ring_first[0] == 0 && ring_first[first_count - 1] == point_count;
    for (int64_t ring = 0; is_sound && ring < first_count - 1; ring++) {
        is_sound = (int64_t)ring_first[ring + 1] - ring_first[ring] >= 3;
    }
    return is_sound;
}

static rcity_status read_rings(scene_reader *reader)
{
    rcity_shapes *shapes = &reader->shapes;
    int64_t first_count = 0;
    RCITY_TRY(copy_block(reader, "rings", sizeof *shapes->ring_first, &shapes->ring_first, &first_count));
    RCITY_TRY(copy_block(reader, "points", sizeof *shapes->points, &shapes->points, &shapes->point_count));
    shapes->ring_count = first_count - 1;
    bool is_sound = are_rings_sound(shapes->ring_first, first_count, shapes->point_count);
    for (int64_t point = 0; is_sound && point < shapes->point_count; point++) {
        is_sound = is_in_range(shapes->points[point].x, shapes->x_min, shapes->x_max) &&
                   is_in_range(shapes->points[point].y, shapes->y_min, shapes->y_max);
    }
    return is_sound ? RCITY_OK : fail_content(reader, "impossible rings");
}

static rcity_status read_prisms(scene_reader *reader)
{
    rcity_shapes *shapes = &reader->shapes;
    RCITY_TRY(copy_block(reader, "buildings", sizeof *shapes->buildings, &shapes->buildings, &shapes->building_count));
    RCITY_TRY(copy_block(reader, "prisms", sizeof *shapes->prisms, &shapes->prisms, &shapes->prism_count));
    RCITY_TRY(copy_block(reader, "facades", sizeof *shapes->facades, &shapes->facades, &shapes->facade_count));
    const int64_t limit = (int64_t)(RCITY_ELEVATION_MAX_M + RCITY_HEIGHT_MAX_M + 1.0) * RCITY_HEIGHT_UNITS_PER_M;
    bool is_sound = true;
    for (int64_t i = 0; is_sound && i < shapes->building_count; i++) {
        const char *material = shapes->buildings[i].material;
        is_sound = memchr(material, '\0', RCITY_MATERIAL_BYTES) != NULL &&
                   rcity_shapes_know_material(shapes->materials, shapes->material_count, material);
    }
    int64_t next_ring = 0;
    for (int64_t i = 0; is_sound && i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        is_sound = prism->first_ring == next_ring &&
                   is_in_range(prism->ring_count, 1, shapes->ring_count - next_ring) &&
                   is_in_range(prism->building, 0, shapes->building_count - 1) &&
                   is_in_range(prism->ground, -limit, limit) && is_in_range(prism->roof, prism->ground, limit) &&
                   is_in_range(prism->x_min, shapes->x_min, prism->x_max) && prism->x_max <= shapes->x_max &&
                   is_in_range(prism->y_min, shapes->y_min, prism->y_max) && prism->y_max <= shapes->y_max;
        next_ring += prism->ring_count;
    }
    is_sound = is_sound && next_ring == shapes->ring_count;
    for (int64_t i = 0; is_sound && i < shapes->facade_count; i++) {
        const rcity_facade *facade = &shapes->facades[i];
        is_sound = is_in_range(facade->prism, 0, shapes->prism_count - 1) &&
                   is_in_range(facade->edge, 0, shapes->point_count - 1) && isfinite(facade->x1_m) &&
                   isfinite(facade->y1_m) && isfinite(facade->x2_m) && isfinite(facade->y2_m) &&
                   isfinite(facade->bottom_m) && isfinite(facade->top_m);
    }
    return is_sound ? RCITY_OK : fail_content(reader, "impossible buildings");
}

static rcity_status read_vegetation(scene_reader *reader)
{
    rcity_shapes *shapes = &reader->shapes;
    int64_t first_count = 0;
    RCITY_TRY(
        copy_block(reader, "vegetation", sizeof *shapes->vegetation, &shapes->vegetation, &shapes->vegetation_count));
    RCITY_TRY(copy_block(reader, "veg_rings", sizeof *shapes->vegetation_ring_first, &shapes->vegetation_ring_first,
                         &first_count));
    RCITY_TRY(copy_block(reader, "veg_points", sizeof *shapes->vegetation_points, &shapes->vegetation_points,
                         &shapes->vegetation_point_count));
    if (shapes->vegetation_count == 0 && first_count == 0 && shapes->vegetation_point_count == 0) {
        return RCITY_OK;
    }
    bool is_sound = are_rings_sound(shapes->vegetation_ring_first, first_count, shapes->vegetation_point_count);
    shapes->vegetation_ring_count = first_count - 1;
    for (int64_t point = 0; is_sound && point < shapes->vegetation_point_count; point++) {
        is_sound = is_in_range(shapes->vegetation_points[point].x, -RCITY_PLAN_LIMIT, RCITY_PLAN_LIMIT) &&
                   is_in_range(shapes->vegetation_points[point].y, -RCITY_PLAN_LIMIT, RCITY_PLAN_LIMIT);
    }
    const int64_t ground_limit = (int64_t)(RCITY_ELEVATION_MAX_M + 1.0) * RCITY_HEIGHT_UNITS_PER_M;
    const int64_t height_limit = (int64_t)RCITY_VEGETATION_MAX_M * RCITY_HEIGHT_UNITS_PER_M;
    int64_t next_ring = 0;
    for (int64_t i = 0; is_sound && i < shapes->vegetation_count; i++) {
        const rcity_vegetation_record *record = &shapes->vegetation[i];
        is_sound = record->first_ring == next_ring &&
                   is_in_range(record->ring_count, 1, shapes->vegetation_ring_count - next_ring) &&
                   is_in_range(record->height, 1, height_limit) &&
                   is_in_range(record->ground, -ground_limit, ground_limit) &&
                   is_in_range(record->x_min, -RCITY_PLAN_LIMIT, record->x_max) && record->x_max <= RCITY_PLAN_LIMIT &&
                   is_in_range(record->y_min, -RCITY_PLAN_LIMIT, record->y_max) && record->y_max <= RCITY_PLAN_LIMIT;
        next_ring += record->ring_count;
    }
    is_sound = is_sound && next_ring == shapes->vegetation_ring_count;
    return is_sound ? RCITY_OK : fail_content(reader, "impossible vegetation");
}

static bool is_class_sound(const rcity_land_class_record *record)
{
    bool is_sound = is_in_range(record->code, 0, 255) && record->height_m >= 0.0 &&
                    record->height_m <= RCITY_VEGETATION_MAX_M && fabs(record->loss_db) <= 100.0 &&
                    memchr(record->name, '\0', sizeof record->name) != NULL;
    for (size_t i = 0; is_sound && record->name[i] != '\0'; i++) {
        is_sound = !iscntrl((unsigned char)record->name[i]);
    }
    return is_sound;
}

static rcity_status read_land_cover(scene_reader *reader)
{
    rcity_land_grid *land = &reader->shapes.land_cover;
    int64_t cell_count = 0;
    RCITY_TRY(copy_block(reader, "land_cover", sizeof *land->code, &land->code, &cell_count));
    RCITY_TRY(copy_block(reader, "land_classes", sizeof *land->classes, &land->classes, &land->class_count));
    if (land->column_count == 0 && land->row_count == 0 && cell_count == 0 && land->class_count == 0) {
        return RCITY_OK;
    }
    bool is_sound = land->column_count >= 1 && land->row_count >= 1 &&
                    (int64_t)land->column_count * land->row_count == cell_count &&
                    is_in_range(land->class_count, 1, 256) && land->cell_m >= RCITY_LAND_CELL_MIN_M &&
                    land->cell_m <= RCITY_TERRAIN_CELL_MAX_M && fabs(land->west_m) <= RCITY_COORDINATE_MAX_M &&
                    fabs(land->south_m) <= RCITY_COORDINATE_MAX_M;
    bool is_known[256] = {false};
    for (int64_t i = 0; is_sound && i < land->class_count; i++) {
        is_sound = is_class_sound(&land->classes[i]) && !is_known[land->classes[i].code];
        if (is_sound) {
            is_known[land->classes[i].code] = true;
        }
    }
    for (int64_t cell = 0; is_sound && cell < cell_count; cell++) {
        is_sound = is_known[land->code[cell]];
    }
    return is_sound ? RCITY_OK : fail_content(reader, "impossible land cover");
}

static rcity_status read_materials(scene_reader *reader)
{
    rcity_shapes *shapes = &reader->shapes;
    const void *data;
    uint64_t count;
    RCITY_TRY(rcity_store_get(reader->store, "materials", sizeof(rcity_material_record), &data, &count));
    bool is_sound = count <= RCITY_SCENE_MATERIAL_MAX;
    if (!is_sound) {
        return fail_content(reader, "impossible materials");
    }
    RCITY_TRY(rcity_alloc(reader->context, (size_t)count, sizeof *shapes->materials, "materials", &shapes->materials));
    shapes->material_count = (int64_t)count;
    for (uint64_t i = 0; i < count; i++) {
        rcity_material_record record;
        memcpy(&record, (const char *)data + i * sizeof record, sizeof record);
        shapes->materials[i] = rcity_material_from_record(&record);
    }
    for (int64_t i = 0; is_sound && i < shapes->material_count; i++) {
        is_sound = rcity_material_check(reader->context, &shapes->materials[i]) == RCITY_OK &&
                   rcity_shapes_find_material(shapes->materials, i, shapes->materials[i].name) == NULL;
    }
    return is_sound ? RCITY_OK : fail_content(reader, "impossible materials");
}

/* A release() of lent memory: the scene was the last to use the file. */
static void close_store(void *owner)
{
    rcity_store *store = owner;
    rcity_store_close(&store);
}

rcity_status rcity_scene_read(rcity_context *context, const char *name, rcity_store **store, rcity_scene **scene)
{
    scene_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.context = context;
    reader.name = name;
    reader.store = *store;
    const char *crs = NULL;
    const char *source = NULL;
    rcity_status status;
    RCITY_TRY_DONE(read_text(&reader, "crs", 65536, true, &crs));
    RCITY_TRY_DONE(read_text(&reader, "source", 256, false, &source));
    RCITY_TRY_DONE(read_frame(&reader));
    RCITY_TRY_DONE(read_terrain(&reader));
    RCITY_TRY_DONE(read_materials(&reader));
    RCITY_TRY_DONE(read_rings(&reader));
    RCITY_TRY_DONE(read_prisms(&reader));
    RCITY_TRY_DONE(read_vegetation(&reader));
    RCITY_TRY_DONE(read_land_cover(&reader));
    if (reader.uses_file) { /* from here on the shapes own the store, also when the scene cannot be made */
        reader.shapes.height_lender = (rcity_shapes_lender){*store, close_store};
        *store = NULL;
    }
    RCITY_TRY_DONE(rcity_scene_create_from_shapes(context, crs, source, &reader.shapes, scene));
done:
    if (reader.uses_file && reader.shapes.height_lender.owner == NULL) {
        reader.shapes.terrain.height = NULL; /* the store's */
    }
    rcity_shapes_deinit(context, &reader.shapes);
    return status;
}

rcity_status rcity_scene_load(rcity_context *context, const char *path, rcity_scene **scene)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    RCITY_NEED(context, scene);
    rcity_store *store = NULL;
    RCITY_TRY(rcity_store_open(context, path, RCITY_SCENE_FILE_KIND, RCITY_SCENE_FILE_VERSION, &store));
    rcity_status status = rcity_scene_read(context, path, &store, scene);
    rcity_store_close(&store);
    return status;
}
