/* Surfaces as tables: tiles, and a column for each band. */
#include <stdio.h>
#include <string.h>

#include "io/hdf5/hdf5_file.h"
#include "io/surfaces/surfaces_save.h"
#include "result/surfaces_data.h"

/* The source of a table. */
typedef struct surface_tables {
    rcity_hdf5 *file;
    const rcity_surfaces *surfaces;
    const rcity_surface_tile *tiles;
    int64_t tile_count;
    void *column; /* buffer for one column */
} surface_tables;

/* Numbers of a tile, by their offset. */
typedef struct tile_column {
    const char *name, *unit, *text;
    rcity_hdf5_type type; /* of a double, a float or an int64_t */
    int width;            /* numbers in a row; 0: one */
    size_t offset, bytes; /* of a row in a tile */
} tile_column;

#define TILE_FIELD(field) offsetof(rcity_surface_tile, field), sizeof(((const rcity_surface_tile *)0)->field)

static const tile_column tile_columns[] = {
    {"tiles/x_m", "m", "centre, in the CRS of the scene", RCITY_HDF5_DOUBLE, 0, TILE_FIELD(centre.x_m)},
    {"tiles/y_m", "m", "centre, in the CRS of the scene", RCITY_HDF5_DOUBLE, 0, TILE_FIELD(centre.y_m)},
    {"tiles/z_m", "m", "centre, scene height", RCITY_HDF5_DOUBLE, 0, TILE_FIELD(centre.z_m)},
    {"tiles/normal", "", "of length 1, into the air; x east, y north, z up", RCITY_HDF5_FLOAT, 3, TILE_FIELD(normal)},
    {"tiles/side", "", "of length 1, along the first side; the second runs along normal x side", RCITY_HDF5_FLOAT, 3,
     TILE_FIELD(side)},
    {"tiles/half_side_m", "m", "half of the first and of the second side", RCITY_HDF5_FLOAT, 2,
     TILE_FIELD(half_side_m)},
    {"tiles/building_id", "", "-1 for the ground", RCITY_HDF5_INT64, 0, TILE_FIELD(building_id)},
};

static const char *kind_word(int value)
{
    return rcity_surface_name((rcity_surface)value);
}

static void add_tiles(surface_tables *tables)
{
    char *bytes = tables->column;
    int32_t *words = tables->column;
    rcity_hdf5_add_group(tables->file, "tiles", "one row a tile, a rectangle of a wall, a roof or the ground");
    for (size_t k = 0; k < sizeof tile_columns / sizeof tile_columns[0]; k++) {
        const tile_column *one = &tile_columns[k];
        for (int64_t i = 0; i < tables->tile_count; i++) {
            memcpy(bytes + (size_t)i * one->bytes, (const char *)&tables->tiles[i] + one->offset, one->bytes);
        }
        const rcity_hdf5_column column = {.name = one->name,
                                          .unit = one->unit,
                                          .text = one->text,
                                          .type = one->type,
                                          .count = tables->tile_count,
                                          .width = one->width,
                                          .data = tables->column};
        rcity_hdf5_add_column(tables->file, &column);
    }
    for (int64_t i = 0; i < tables->tile_count; i++) {
        words[i] = (int32_t)tables->tiles[i].kind;
    }
    const rcity_hdf5_column kinds = {.name = "tiles/kind",
                                     .unit = "",
                                     .text = "what the tile is cut from",
                                     .type = RCITY_HDF5_WORD,
                                     .count = tables->tile_count,
                                     .word_count = RCITY_SURFACE_COUNT,
                                     .word = kind_word,
                                     .data = tables->column};
    rcity_hdf5_add_column(tables->file, &kinds);
}

static void add_bands(const surface_tables *tables)
{
    rcity_band band;
    rcity_hdf5_add_group(tables->file, "bands", "a value for each tile; NaN: no value");
    for (int i = 0; rcity_surfaces_get_band(tables->surfaces, i, &band) == RCITY_OK; i++) {
        char name[RCITY_SURFACES_NAME_MAX + 8];
        snprintf(name, sizeof name, "bands/%s", band.name);
        const rcity_hdf5_column column = {.name = name,
                                          .unit = band.unit,
                                          .text = band.text,
                                          .type = RCITY_HDF5_FLOAT,
                                          .count = tables->tile_count,
                                          .data = band.value};
        rcity_hdf5_add_column(tables->file, &column);
        rcity_hdf5_note_column(tables->file, name, "kind", rcity_band_kind_word(band.kind));
        if (band.class_count > 0) {
            rcity_hdf5_note_column_list(tables->file, name, "classes", band.class_count, band.class_names);
        }
    }
}

static void add_notes(const surface_tables *tables)
{
    const rcity_surfaces *surfaces = tables->surfaces;
    rcity_point tx = rcity_surfaces_transmitter(surfaces);
    const double position_m[3] = {tx.x_m, tx.y_m, tx.z_m};
    const double version = RCITY_SURFACES_FORMAT_VERSION;
    const double frequency_hz = rcity_surfaces_frequency_hz(surfaces);
    const char *key = NULL;
    const char *value = NULL;
    rcity_hdf5_note_text(tables->file, "format", RCITY_SURFACES_FORMAT);
    rcity_hdf5_note_numbers(tables->file, "format_version", 1, &version);
    rcity_hdf5_note_text(tables->file, "crs", rcity_surfaces_crs(surfaces));
    rcity_hdf5_note_numbers(tables->file, "transmitter_m", 3, position_m);
    rcity_hdf5_note_numbers(tables->file, "frequency_hz", 1, &frequency_hz);
    for (int i = 0; rcity_surfaces_get_note(surfaces, i, &key, &value) == RCITY_OK; i++) {
        rcity_hdf5_note_text(tables->file, key, value);
    }
}

rcity_status rcity_surfaces_save_hdf5(rcity_context *context, const rcity_surfaces *surfaces,
                                      const rcity_surface_paint *paint, const char *path)
{
    (void)paint; /* a table has no colours */
    surface_tables tables = {.surfaces = surfaces,
                             .tiles = rcity_surfaces_tiles(surfaces),
                             .tile_count = rcity_surfaces_tile_count(surfaces)};
    double need_bytes = rcity_surfaces_hdf5_bytes(tables.tile_count, rcity_surfaces_band_count(surfaces));
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, (size_t)tables.tile_count, sizeof tables.tiles->normal, "a column of tiles",
                          &tables.column));
    RCITY_TRY_DONE(rcity_hdf5_create(context, path, need_bytes, &tables.file));
    add_notes(&tables);
    add_tiles(&tables);
    add_bands(&tables);
    RCITY_TRY_DONE(rcity_progress(context, "writing surfaces", 0.0, 1.0));
    status = rcity_hdf5_save(tables.file);
done:
    rcity_hdf5_destroy(&tables.file);
    rcity_release(context, tables.column);
    return status;
}
