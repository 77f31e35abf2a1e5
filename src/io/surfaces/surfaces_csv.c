/* Surfaces as a table, one line a tile. An empty cell says that there is no value. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "io/surfaces/surface_stream.h"
#include "io/surfaces/surfaces_save.h"
#include "result/surfaces_data.h"
#include "text/csv_cells.h"
#include "text/number_text.h"

#define POSITION_DECIMALS  3
#define DIRECTION_DECIMALS 6

/* "path_loss" in dB becomes the column path_loss_db. */
static void put_band_name(const rcity_text_sink *sink, const rcity_band *band)
{
    rcity_text_put(sink, ",");
    rcity_text_put(sink, band->name);
    if (band->unit[0] != '\0') {
        rcity_text_put(sink, "_");
    }
    for (const char *letter = band->unit; *letter != '\0'; letter++) {
        bool is_plain = isalnum((unsigned char)*letter) && (unsigned char)*letter < 0x80;
        char low = is_plain ? (char)tolower((unsigned char)*letter) : '_';
        sink->put(sink->user, &low, 1);
    }
}

static void put_header(const rcity_text_sink *sink, const rcity_surfaces *surfaces)
{
    rcity_band band;
    rcity_text_put(sink, "x,y,z_m,kind,building_id,normal_x,normal_y,normal_z,side_x,side_y,side_z,first_side_m,"
                         "second_side_m");
    for (int i = 0; rcity_surfaces_get_band(surfaces, i, &band) == RCITY_OK; i++) {
        put_band_name(sink, &band);
    }
    rcity_text_put(sink, "\n");
}

/* A value with the digits that a float has; locale and sign of zero do not matter. */
static void put_value(const rcity_text_sink *sink, float value)
{
    char text[40] = ",";
    if (isfinite(value)) {
        rcity_number_print(text + 1, sizeof text - 1, "%.7g", (double)(value == 0.0f ? 0.0f : value));
    }
    rcity_text_put(sink, text);
}

static void put_tile(const rcity_text_sink *sink, const rcity_surface_tile *tile)
{
    char text[120];
    rcity_number_print(text, sizeof text, "%.*f", POSITION_DECIMALS, tile->centre.x_m);
    rcity_text_put(sink, text);
    rcity_csv_put_number(sink, tile->centre.y_m, POSITION_DECIMALS);
    rcity_csv_put_number(sink, tile->centre.z_m, POSITION_DECIMALS);
    rcity_number_print(text, sizeof text, ",%s,%lld", rcity_surface_name(tile->kind), (long long)tile->building_id);
    rcity_text_put(sink, text);
    for (int i = 0; i < 3; i++) {
        rcity_csv_put_number(sink, (double)tile->normal[i], DIRECTION_DECIMALS);
    }
    for (int i = 0; i < 3; i++) {
        rcity_csv_put_number(sink, (double)tile->side[i], DIRECTION_DECIMALS);
    }
    rcity_csv_put_number(sink, 2.0 * (double)tile->half_side_m[0], POSITION_DECIMALS);
    rcity_csv_put_number(sink, 2.0 * (double)tile->half_side_m[1], POSITION_DECIMALS);
}

rcity_status rcity_surfaces_save_csv(rcity_context *context, const rcity_surfaces *surfaces,
                                     const rcity_surface_paint *paint, const char *path)
{
    (void)paint; /* a table has no colours */
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(surfaces);
    int64_t count = rcity_surfaces_tile_count(surfaces);
    rcity_surface_stream stream;
    RCITY_TRY(rcity_surface_stream_open(context, path, count, &stream));
    rcity_text_sink sink = rcity_surface_stream_sink(&stream);
    put_header(&sink, surfaces);
    for (int64_t i = 0; i < count && rcity_surface_stream_step(&stream); i++) {
        rcity_band band;
        put_tile(&sink, &tiles[i]);
        for (int k = 0; rcity_surfaces_get_band(surfaces, k, &band) == RCITY_OK; k++) {
            put_value(&sink, band.value[i]);
        }
        rcity_text_put(&sink, "\n");
    }
    return rcity_surface_stream_close(&stream);
}
