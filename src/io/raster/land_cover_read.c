/* Reads land cover from a raster of codes and a table of classes. */
#include <math.h>
#include <string.h>

#include "io/csv.h"
#include "io/raster/land_products.h"
#include "io/raster/raster_sample.h"
#include "scene/shapes.h"

#define CLASS_COUNT 256

/* The table of classes; names stay in the CSV. */
typedef struct class_table {
    rcity_csv *csv; /* NULL: the classes are built in */
    bool is_built_in;
    rcity_land_class classes[CLASS_COUNT];
    int count;
} class_table;

static rcity_status read_class(rcity_context *context, const rcity_csv *csv, int64_t row, const int columns[4],
                               rcity_land_class *made)
{
    double code = (double)NAN;
    made->height_m = 0.0;
    made->loss_db = 0.0;
    RCITY_TRY(rcity_csv_number(context, csv, row, columns[0], &code));
    RCITY_CHECK(context, code >= 0.0 && code < CLASS_COUNT && code == floor(code), RCITY_ERR_FORMAT,
                "'%s', line %lld: the code of a land class is '%.40s', must be a whole number from 0 to 255",
                rcity_csv_name(csv), (long long)rcity_csv_line(csv, row), rcity_csv_text(csv, row, columns[0]));
    RCITY_TRY(rcity_csv_number(context, csv, row, columns[2], &made->height_m));
    RCITY_TRY(rcity_csv_number(context, csv, row, columns[3], &made->loss_db));
    made->code = (int)code;
    made->name = rcity_csv_text(csv, row, columns[1]);
    return RCITY_OK;
}

static rcity_status read_table(rcity_context *context, const char *path, class_table *table)
{
    static const char *const names[4] = {"code|class|value", "name|description", "height_m", "loss_db"};
    int columns[4];
    const rcity_land_class *known = rcity_land_product_find(path, &table->count);
    if (known != NULL) {
        memcpy(table->classes, known, (size_t)table->count * sizeof *known);
        table->is_built_in = true;
        return RCITY_OK;
    }
    RCITY_TRY(rcity_csv_load(context, path, &table->csv));
    for (int i = 0; i < 4; i++) {
        columns[i] = rcity_csv_find_column(table->csv, names[i]);
        RCITY_CHECK(context, columns[i] >= 0 || i > 1, RCITY_ERR_FORMAT,
                    "the table of land classes '%s' has no column '%s'; its columns are code, name, height_m, loss_db",
                    path, i == 0 ? "code" : "name");
    }
    int64_t row_count = rcity_csv_row_count(table->csv);
    RCITY_CHECK(context, row_count >= 1 && row_count <= CLASS_COUNT, RCITY_ERR_FORMAT,
                "the table of land classes '%s' has %lld rows, must be 1 to %d", path, (long long)row_count,
                CLASS_COUNT);
    for (int64_t row = 0; row < row_count; row++) {
        RCITY_TRY(read_class(context, table->csv, row, columns, &table->classes[table->count++]));
    }
    return RCITY_OK;
}

/* The area of land cover to read: that of buildings, vegetation and terrain; the whole raster if there are none. */
static bool find_frame(const rcity_import *import, const rcity_raster_layer *layer, double box_m[4])
{
    const rcity_terrain *terrain = rcity_scene_draft_terrain(import->scene);
    box_m[0] = import->x_min_m;
    box_m[1] = import->y_min_m;
    box_m[2] = import->x_max_m;
    box_m[3] = import->y_max_m;
    if (terrain != NULL) {
        box_m[0] = fmin(box_m[0], terrain->west_m);
        box_m[1] = fmin(box_m[1], terrain->south_m);
        box_m[2] = fmax(box_m[2], terrain->west_m + (terrain->column_count - 1) * terrain->cell_m);
        box_m[3] = fmax(box_m[3], terrain->south_m + (terrain->row_count - 1) * terrain->cell_m);
    }
    return box_m[0] <= box_m[2] || rcity_raster_bound(layer, box_m);
}

/* Cell centres: those of the raster if its pixels are square and upright in the scene's CRS, else about equally
   dense. */
static bool choose_cells(const rcity_raster_layer *layer, const double box_m[4], rcity_lattice *lattice)
{
    const double *to_place = layer->to_place;
    double side_m = fabs(to_place[1]);
    if (layer->from_scene == NULL && to_place[2] == 0.0 && to_place[4] == 0.0 &&
        fabs(fabs(to_place[5]) - side_m) <= 1e-9 * side_m) {
        lattice->cell_m = side_m;
        lattice->x_m = to_place[0] + 0.5 * to_place[1];
        lattice->y_m = to_place[3] + 0.5 * to_place[5];
        return true;
    }
    if (!rcity_raster_measure_pixel(layer, 0.5 * (box_m[0] + box_m[2]), 0.5 * (box_m[1] + box_m[3]), &side_m)) {
        return false;
    }
    lattice->cell_m = side_m >= 1.0 ? round(side_m) : side_m;
    lattice->x_m = lattice->y_m = 0.5 * lattice->cell_m;
    return true;
}

/* The cells to keep: all that overlap the area and that the raster covers. */
static rcity_status choose_part(rcity_import *import, const rcity_raster_set *set, rcity_lattice *lattice)
{
    const char *path = import->options->land_cover_path;
    rcity_context *context = import->context;
    double box_m[4];
    bool has_cells = find_frame(import, &set->layers[0], box_m) && choose_cells(&set->layers[0], box_m, lattice);
    rcity_lattice_box kept = {0, 0, 0, 0};
    bool is_empty = true;
    if (has_cells) {
        rcity_lattice_box frame = rcity_lattice_around(lattice, box_m);
        RCITY_TRY(rcity_region_choose(import, set, lattice, frame, NULL, &kept, &is_empty));
        lattice->column = kept.column_begin;
        lattice->row = kept.row_begin;
        lattice->column_count = kept.column_end - kept.column_begin + 1;
        lattice->row_count = kept.row_end - kept.row_begin + 1;
        double share =
            (double)lattice->column_count * (double)lattice->row_count /
            ((double)(frame.column_end - frame.column_begin + 1) * (double)(frame.row_end - frame.row_begin + 1));
        if (!is_empty && share < 0.99) {
            rcity_log(context, RCITY_LOG_WARNING, "the land cover '%s' covers %.0f %% of the scene", path,
                      100.0 * share);
        }
    }
    RCITY_CHECK(context, !is_empty, RCITY_ERR_ARGUMENT,
                "the land cover '%s' and the scene do not overlap; check its CRS and the order of its axes", path);
    double cell_count = (double)lattice->column_count * (double)lattice->row_count;
    double need_bytes = 6.0 * cell_count; /* as numbers, as codes, and as codes of the scene */
    char need_text[32], limit_text[32];
    RCITY_CHECK(context,
                cell_count <= INT32_MAX && (double)rcity_context_memory_used(context) + need_bytes <=
                                               (double)rcity_context_memory_limit(context),
                RCITY_ERR_MEMORY, "the land cover of %lld x %lld cells needs %s, the limit is %s; raise `memory`",
                (long long)lattice->column_count, (long long)lattice->row_count,
                rcity_format_bytes(need_bytes, need_text),
                rcity_format_bytes((double)rcity_context_memory_limit(context), limit_text));
    return RCITY_OK;
}

/* The error for a value that is no code: what it is, and what to do. */
static rcity_status fail_code(rcity_import *import, const rcity_raster_tile *tile, const rcity_lattice *lattice,
                              int64_t cell, double number)
{
    int is_stated = FALSE;
    double nodata = tile->scale * GDALGetRasterNoDataValue(tile->band, &is_stated) + tile->offset;
    double x_m = lattice->x_m + (double)(lattice->column + cell % lattice->column_count) * lattice->cell_m;
    double y_m = lattice->y_m + (double)(lattice->row + cell / lattice->column_count) * lattice->cell_m;
    RCITY_CHECK(import->context, !isnan(number) && (is_stated == FALSE || number != (double)(float)nodata),
                RCITY_ERR_FORMAT,
                "'%s' has no value at (%.1f, %.1f), where it says %g; give such cells a code of their own, for example "
                "with gdalwarp -ot Byte -dstnodata 255, and the code a row in '%s'",
                tile->path, x_m, y_m, number, import->options->land_cover_table);
    return rcity_fail(import->context, RCITY_ERR_FORMAT,
                      "'%s' has the value %g at (%.1f, %.1f); land-cover codes are whole numbers from 0 to 255",
                      tile->path, number, x_m, y_m);
}

/* Convert numbers to codes; each must be a code that is in the table. */
static rcity_status convert_codes(rcity_import *import, const rcity_raster_set *set, const class_table *table,
                                  const rcity_lattice *lattice, const float *value, uint8_t *code)
{
    const char *path = import->options->land_cover_path;
    int64_t cell_count = lattice->column_count * lattice->row_count;
    int64_t count_of[CLASS_COUNT] = {0};
    for (int64_t cell = 0; cell < cell_count; cell++) {
        double number = (double)value[cell];
        if (!(number >= 0.0 && number < CLASS_COUNT && number == floor(number))) {
            return fail_code(import, &set->tiles[0], lattice, cell, number);
        }
        code[cell] = (uint8_t)number;
        count_of[code[cell]]++;
    }
    for (int i = 0; i < table->count; i++) {
        count_of[table->classes[i].code] = 0;
    }
    for (int i = 0; i < CLASS_COUNT; i++) {
        RCITY_CHECK(import->context, count_of[i] == 0, RCITY_ERR_FORMAT,
                    "%lld cells of '%s' have the code %d, for which '%s' has no row; %s", (long long)count_of[i], path,
                    i, import->options->land_cover_table,
                    table->is_built_in ? "give a table of your own with `classes`" : "add one");
    }
    return RCITY_OK;
}

static rcity_status read_cells(rcity_import *import, const rcity_raster_set *set, const class_table *table)
{
    rcity_context *context = import->context;
    rcity_lattice lattice = {0.0, 0.0, 0.0, 0, 0, 0, 0};
    const rcity_sampling sampling = {false, -HUGE_VAL, HUGE_VAL, "read land cover"};
    rcity_sampled sampled;
    float *value = NULL;
    uint8_t *code = NULL;
    rcity_status status;
    RCITY_TRY_DONE(choose_part(import, set, &lattice));
    size_t cell_count = (size_t)(lattice.column_count * lattice.row_count);
    RCITY_TRY_DONE(rcity_alloc(context, cell_count, sizeof *value, "land cover", &value));
    RCITY_TRY_DONE(rcity_alloc(context, cell_count, sizeof *code, "land cover", &code));
    RCITY_TRY_DONE(rcity_raster_sample(import, set, &lattice, &sampling, value, &sampled));
    RCITY_TRY_DONE(convert_codes(import, set, table, &lattice, value, code));
    const rcity_land_cover land = {.column_count = (int)lattice.column_count,
                                   .row_count = (int)lattice.row_count,
                                   .west_m = lattice.x_m + ((double)lattice.column - 0.5) * lattice.cell_m,
                                   .south_m = lattice.y_m + ((double)lattice.row - 0.5) * lattice.cell_m,
                                   .cell_m = lattice.cell_m,
                                   .code = code,
                                   .class_count = table->count,
                                   .classes = table->classes};
    status = rcity_scene_set_land_cover(import->scene, &land);
    if (status == RCITY_ERR_ARGUMENT) {
        status = rcity_fail_prefix(context, RCITY_ERR_FORMAT, "'%s': ", import->options->land_cover_table);
    }
done:
    rcity_release(context, code);
    rcity_release(context, value);
    return status;
}

rcity_status rcity_import_land_cover(rcity_import *import)
{
    const rcity_import_options *options = import->options;
    if (options->land_cover_path == NULL) {
        return RCITY_OK;
    }
    RCITY_CHECK(import->context, options->land_cover_table != NULL, RCITY_ERR_ARGUMENT,
                "the land cover '%s' needs the table of its classes", options->land_cover_path);
    rcity_raster_set set;
    class_table *table = NULL;
    rcity_status status;
    memset(&set, 0, sizeof set);
    RCITY_TRY(rcity_alloc(import->context, 1, sizeof *table, "a table of land classes", &table));
    RCITY_TRY_DONE(read_table(import->context, options->land_cover_table, table));
    RCITY_TRY_DONE(rcity_raster_set_open(import, RCITY_RASTER_LAND_COVER, &options->land_cover_path, 1, &set));
    RCITY_TRY_DONE(read_cells(import, &set, table));
done:
    rcity_raster_set_close(import->context, &set);
    rcity_csv_destroy(&table->csv);
    rcity_release(import->context, table);
    return status;
}
