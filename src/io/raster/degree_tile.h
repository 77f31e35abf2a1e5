/* Elevation tiles of one degree, whose names say where they are: N44W072.hgt begins at 44 N, 72 W. */
#ifndef RCITY_IO_RASTER_DEGREE_TILE_H
#define RCITY_IO_RASTER_DEGREE_TILE_H

#include <stdbool.h>
#include <stddef.h>

#define RCITY_DEGREE_NAME_BYTES 64

/* The south-west corner, in whole degrees. */
typedef struct rcity_degree_tile {
    int west_deg, south_deg;
} rcity_degree_tile;

/* The tile that a path names: its last part starts with N or S, two digits, E or W, three digits, and no digit follows.
   False when it names none. */
bool rcity_degree_tile_read(const char *path, rcity_degree_tile *tile);

/* The name that another tile would have in a list with `like`, which is the path of a tile: the same letters and the
   same ending. Returns `text`. */
char *rcity_degree_tile_write(rcity_degree_tile tile, const char *like, char text[RCITY_DEGREE_NAME_BYTES]);

/* Is this a file of the format .hgt? */
bool rcity_is_hgt(const char *path);

#endif
