/* The names of elevation tiles of one degree. */
#include "io/raster/degree_tile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CORNER_LETTERS 7 /* N44W072 */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Digits as a number; -1 for anything else. */
static int read_digits(const char *text, int count)
{
    int number = 0;
    for (int i = 0; i < count; i++) {
        if (!isdigit((unsigned char)text[i])) {
            return -1;
        }
        number = 10 * number + (text[i] - '0');
    }
    return number;
}

bool rcity_degree_tile_read(const char *path, rcity_degree_tile *tile)
{
    const char *name = last_part(path);
    if (strlen(name) < CORNER_LETTERS || isdigit((unsigned char)name[CORNER_LETTERS])) {
        return false;
    }
    int north_south = toupper((unsigned char)name[0]);
    int east_west = toupper((unsigned char)name[3]);
    int lat_deg = read_digits(name + 1, 2);
    int lon_deg = read_digits(name + 4, 3);
    if ((north_south != 'N' && north_south != 'S') || (east_west != 'E' && east_west != 'W') || lat_deg < 0 ||
        lat_deg > 90 || lon_deg < 0 || lon_deg > 180) {
        return false;
    }
    tile->south_deg = north_south == 'N' ? lat_deg : -lat_deg;
    tile->west_deg = east_west == 'E' ? lon_deg : -lon_deg;
    return true;
}

char *rcity_degree_tile_write(rcity_degree_tile tile, const char *like, char text[RCITY_DEGREE_NAME_BYTES])
{
    const char *name = last_part(like);
    bool is_small = islower((unsigned char)name[0]) != 0;
    char north_south = tile.south_deg >= 0 ? 'N' : 'S';
    char east_west = tile.west_deg >= 0 ? 'E' : 'W';
    snprintf(text, RCITY_DEGREE_NAME_BYTES, "%c%02d%c%03d%.40s",
             is_small ? (char)tolower((unsigned char)north_south) : north_south, abs(tile.south_deg) % 100,
             is_small ? (char)tolower((unsigned char)east_west) : east_west, abs(tile.west_deg) % 1000,
             name + CORNER_LETTERS);
    return text;
}

bool rcity_is_hgt(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".hgt") == 0;
}
