/* The names of missing tiles, for messages. */
#include "io/raster/terrain_tiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/import/import_crs.h"
#include "io/raster/degree_tile.h"

#define LINE_COUNT 150 /* places looked at in each direction */
#define NAMES_MAX  5

/* What was found so far. */
typedef struct tile_look {
    const rcity_raster_set *set;
    const char *like; /* the path of a tile of one degree */
    OGRCoordinateTransformationH to_lonlat;
    rcity_degree_tile missing[NAMES_MAX + 1];
    int missing_count;
} tile_look;

/* Does a tile of the layer cover a place in pixel coordinates, or lie within a pixel of it? */
static bool is_covered(const rcity_raster_layer *layer, double x, double y)
{
    for (int i = 0; i < layer->tile_count; i++) {
        const rcity_raster_tile *tile = &layer->tiles[i];
        if (x >= tile->column - 1.0 && y >= tile->row - 1.0 && x <= tile->column + tile->column_count + 1.0 &&
            y <= tile->row + tile->row_count + 1.0) {
            return true;
        }
    }
    return false;
}

static void note_place(tile_look *look, double x_m, double y_m)
{
    double lonlat[2];
    if (look->missing_count > NAMES_MAX || !rcity_crs_place(look->to_lonlat, x_m, y_m, lonlat)) {
        return;
    }
    rcity_degree_tile tile = {(int)floor(lonlat[0]), (int)floor(lonlat[1])};
    for (int i = 0; i < look->missing_count; i++) {
        if (look->missing[i].west_deg == tile.west_deg && look->missing[i].south_deg == tile.south_deg) {
            return;
        }
    }
    look->missing[look->missing_count++] = tile;
}

static void look_at_place(tile_look *look, double x_m, double y_m)
{
    for (int i = 0; i < look->set->layer_count; i++) {
        double x = x_m;
        double y = y_m;
        rcity_raster_locate(&look->set->layers[i], 1, &x, &y);
        if (!isnan(x) && is_covered(&look->set->layers[i], x, y)) {
            return;
        }
    }
    note_place(look, x_m, y_m);
}

static const char *find_degree_tile(const rcity_raster_set *set)
{
    rcity_degree_tile tile;
    for (int i = 0; i < set->tile_count; i++) {
        if (rcity_degree_tile_read(set->tiles[i].path, &tile)) {
            return set->tiles[i].path;
        }
    }
    return NULL;
}

static void write_names(const tile_look *look, char names[RCITY_MISSING_TILES_BYTES])
{
    int length = snprintf(names, RCITY_MISSING_TILES_BYTES,
                          look->missing_count == 1 ? "a tile is missing: " : "tiles are missing: ");
    for (int i = 0; i < look->missing_count && length < RCITY_MISSING_TILES_BYTES; i++) {
        char name[RCITY_DEGREE_NAME_BYTES];
        const char *text = i < NAMES_MAX ? rcity_degree_tile_write(look->missing[i], look->like, name) : "...";
        length += snprintf(names + length, RCITY_MISSING_TILES_BYTES - (size_t)length, "%s%s", i > 0 ? ", " : "", text);
    }
}

void rcity_terrain_name_missing(const rcity_import *import, const rcity_raster_set *set, const rcity_lattice *lattice,
                                char names[RCITY_MISSING_TILES_BYTES])
{
    tile_look look;
    memset(&look, 0, sizeof look);
    names[0] = '\0';
    look.set = set;
    look.like = find_degree_tile(set);
    if (look.like == NULL || import->crs == NULL ||
        rcity_crs_open_lonlat(import->call, import->crs, &look.to_lonlat) != RCITY_OK) {
        return;
    }
    for (int i = 0; i <= LINE_COUNT; i++) {
        double y_m =
            lattice->y_m + ((double)lattice->row + (double)(lattice->row_count - 1) * i / LINE_COUNT) * lattice->cell_m;
        for (int k = 0; k <= LINE_COUNT; k++) {
            double x_m =
                lattice->x_m +
                ((double)lattice->column + (double)(lattice->column_count - 1) * k / LINE_COUNT) * lattice->cell_m;
            look_at_place(&look, x_m, y_m);
        }
    }
    OCTDestroyCoordinateTransformation(look.to_lonlat);
    if (look.missing_count > 0) {
        write_names(&look, names);
    }
}
