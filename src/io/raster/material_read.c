/* Reads materials from a CSV. */
#include <string.h>

#include "io/csv.h"
#include "io/import/import_data.h"

#define DEFAULT_MIN_GHZ 1.0 /* the range of most materials in the table of ITU-R P.2040-3 */
#define DEFAULT_MAX_GHZ 100.0

enum {
    NAME,
    FACTOR_A,
    FACTOR_B,
    FACTOR_C,
    FACTOR_D,
    THICKNESS,
    SCATTERING,
    FREQUENCY_MIN,
    FREQUENCY_MAX,
    COLUMN_COUNT
};

static const char *const column_names[COLUMN_COUNT] = {
    "name|material", "a", "b", "c", "d", "thickness_m", "scattering", "frequency_min_ghz", "frequency_max_ghz"};

/* Numbers of a row; only the range of frequencies may be left out. */
static rcity_status read_material(rcity_context *context, const rcity_csv *csv, int64_t row,
                                  const int columns[COLUMN_COUNT], rcity_material *material)
{
    const char *name = rcity_csv_text(csv, row, columns[NAME]);
    size_t length = strlen(name);
    RCITY_CHECK(context, length >= 1 && length < RCITY_MATERIAL_NAME_BYTES, RCITY_ERR_FORMAT,
                "'%s', line %lld: the name of a material is '%.40s', must have 1 to %d bytes", rcity_csv_name(csv),
                (long long)rcity_csv_line(csv, row), name, RCITY_MATERIAL_NAME_BYTES - 1);
    double min_ghz = DEFAULT_MIN_GHZ;
    double max_ghz = DEFAULT_MAX_GHZ;
    memset(material, 0, sizeof *material);
    memcpy(material->name, name, length);
    double *const numbers[COLUMN_COUNT] = {[FACTOR_A] = &material->a,
                                           [FACTOR_B] = &material->b,
                                           [FACTOR_C] = &material->c,
                                           [FACTOR_D] = &material->d,
                                           [THICKNESS] = &material->thickness_m,
                                           [SCATTERING] = &material->scattering,
                                           [FREQUENCY_MIN] = &min_ghz,
                                           [FREQUENCY_MAX] = &max_ghz};
    for (int i = FACTOR_A; i < COLUMN_COUNT; i++) {
        RCITY_CHECK(context, i >= FREQUENCY_MIN || rcity_csv_text(csv, row, columns[i])[0] != '\0', RCITY_ERR_FORMAT,
                    "'%s', line %lld: the material '%s' has no %s", rcity_csv_name(csv),
                    (long long)rcity_csv_line(csv, row), name, column_names[i]);
        RCITY_TRY(rcity_csv_number(context, csv, row, columns[i], numbers[i]));
    }
    material->frequency_min_hz = min_ghz * 1e9;
    material->frequency_max_hz = max_ghz * 1e9;
    return RCITY_OK;
}

static rcity_status add_materials(rcity_import *import, const rcity_csv *csv)
{
    rcity_context *context = import->context;
    int columns[COLUMN_COUNT];
    for (int i = 0; i < COLUMN_COUNT; i++) {
        columns[i] = rcity_csv_find_column(csv, column_names[i]);
        RCITY_CHECK(context, columns[i] >= 0 || i >= FREQUENCY_MIN, RCITY_ERR_FORMAT,
                    "the materials '%s' have no column '%s'; the columns are name, a, b, c, d, thickness_m, scattering "
                    "and, if wanted, frequency_min_ghz, frequency_max_ghz",
                    rcity_csv_name(csv), i == NAME ? "name" : column_names[i]);
    }
    for (int64_t row = 0; row < rcity_csv_row_count(csv); row++) {
        rcity_material material;
        RCITY_TRY(read_material(context, csv, row, columns, &material));
        rcity_status status = rcity_scene_add_material(import->scene, &material);
        if (status != RCITY_OK) {
            status = status == RCITY_ERR_ARGUMENT ? RCITY_ERR_FORMAT : status; /* the error is in the file */
            return rcity_fail_prefix(context, status, "'%s', line %lld: ", rcity_csv_name(csv),
                                     (long long)rcity_csv_line(csv, row));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_import_materials(rcity_import *import)
{
    if (import->options->materials_path == NULL) {
        return RCITY_OK;
    }
    rcity_csv *csv = NULL;
    RCITY_TRY(rcity_csv_load(import->context, import->options->materials_path, &csv));
    rcity_status status = add_materials(import, csv);
    rcity_csv_destroy(&csv);
    return status;
}
