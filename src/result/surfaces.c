/* Surfaces: tiles with bands, and the notes that say how they were made. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "result/band_list.h"
#include "result/surfaces_data.h"

struct rcity_surfaces {
    rcity_context *context;
    char *crs;
    rcity_point transmitter;
    double frequency_hz;
    size_t tile_count;
    rcity_surface_tile *tiles;
    rcity_band_list bands;
    rcity_notes notes;
};

const char *rcity_surface_name(rcity_surface surface)
{
    switch (surface) {
    case RCITY_SURFACE_WALL:
        return "wall";
    case RCITY_SURFACE_ROOF:
        return "roof";
    case RCITY_SURFACE_GROUND:
        return "ground";
    case RCITY_SURFACE_COUNT:
        break;
    }
    return "unknown";
}

rcity_status rcity_surfaces_create(rcity_context *context, const rcity_surfaces_setup *setup, rcity_surfaces **surfaces)
{
    assert(setup->tile_count >= 0);
    size_t count = (size_t)setup->tile_count;
    rcity_surfaces *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "surfaces", &made));
    made->context = context;
    made->transmitter = setup->transmitter;
    made->frequency_hz = setup->frequency_hz;
    rcity_band_list_init(context, "the surfaces have", count, &made->bands);
    rcity_notes_init(context, &made->notes);
    RCITY_TRY_DONE(rcity_copy_text(context, setup->crs != NULL ? setup->crs : "none", &made->crs));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *made->tiles, "the tiles of surfaces", &made->tiles));
    made->tile_count = count;
    if (setup->tiles != NULL && count > 0) {
        memcpy(made->tiles, setup->tiles, count * sizeof *made->tiles);
    }
    *surfaces = made;
    return RCITY_OK;
done:
    rcity_surfaces_destroy(&made);
    return status;
}

void rcity_surfaces_destroy(rcity_surfaces **surfaces)
{
    if (surfaces == NULL || *surfaces == NULL) {
        return;
    }
    rcity_surfaces *ended = *surfaces;
    rcity_context *context = ended->context;
    rcity_notes_deinit(&ended->notes);
    rcity_band_list_deinit(&ended->bands);
    rcity_release(context, ended->tiles);
    rcity_release(context, ended->crs);
    rcity_release(context, ended);
    *surfaces = NULL;
}

rcity_surface_tile *rcity_surfaces_edit_tiles(rcity_surfaces *surfaces)
{
    return surfaces->tiles;
}

const rcity_surface_tile *rcity_surfaces_tiles(const rcity_surfaces *surfaces)
{
    return surfaces->tiles;
}

static bool is_plain_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
    size_t length = strlen(name);
    return length > 0 && length <= RCITY_SURFACES_NAME_MAX && strspn(name, allowed) == length;
}

static rcity_status add_band(rcity_surfaces *surfaces, const rcity_band *like, float **value)
{
    RCITY_CHECK(surfaces->context, is_plain_name(like->name), RCITY_ERR_ARGUMENT,
                "'%s' cannot be the name of a band; it takes 1 to %d letters, digits, '_', '-', '+' and '.'",
                like->name, RCITY_SURFACES_NAME_MAX);
    RCITY_CHECK(surfaces->context, rcity_surfaces_find_band(surfaces, like->name) < 0, RCITY_ERR_ARGUMENT,
                "the surfaces have a band '%s' already", like->name);
    rcity_band on_tiles = *like;
    on_tiles.rx_height_m = (double)NAN;
    return rcity_band_list_add(&surfaces->bands, &on_tiles, value);
}

rcity_status rcity_surfaces_add_band(rcity_surfaces *surfaces, rcity_band_kind kind, const char *name, const char *unit,
                                     const char *text, float **value)
{
    const rcity_band like = {.name = name, .unit = unit, .text = text, .kind = kind};
    return add_band(surfaces, &like, value);
}

rcity_status rcity_surfaces_add_like(rcity_surfaces *surfaces, const rcity_band *like, float **value)
{
    RCITY_TRY(add_band(surfaces, like, value));
    int last = rcity_surfaces_band_count(surfaces) - 1;
    return like->class_count > 0 ? rcity_surfaces_set_classes(surfaces, last, like->class_count, like->class_names)
                                 : RCITY_OK;
}

rcity_status rcity_surfaces_set_classes(rcity_surfaces *surfaces, int band_index, int class_count,
                                        const char *const *names)
{
    return rcity_band_list_set_classes(&surfaces->bands, band_index, class_count, names);
}

int rcity_surfaces_find_band(const rcity_surfaces *surfaces, const char *name)
{
    rcity_band band;
    for (int i = 0; rcity_band_list_get(&surfaces->bands, i, &band); i++) {
        if (strcmp(band.name, name) == 0) {
            return i;
        }
    }
    return -1;
}

rcity_notes *rcity_surfaces_notes(rcity_surfaces *surfaces)
{
    return &surfaces->notes;
}

rcity_status rcity_surfaces_copy_notes(const rcity_surfaces *from, rcity_notes *to)
{
    return rcity_notes_copy(&from->notes, to);
}

const char *rcity_surfaces_find_note(const rcity_surfaces *surfaces, const char *key)
{
    return rcity_notes_find(&surfaces->notes, key);
}

rcity_context *rcity_surfaces_context(const rcity_surfaces *surfaces)
{
    return surfaces->context;
}

int64_t rcity_surfaces_count_kind(const rcity_surfaces *surfaces, rcity_surface kind)
{
    int64_t count = 0;
    for (size_t i = 0; i < surfaces->tile_count; i++) {
        count += surfaces->tiles[i].kind == kind;
    }
    return count;
}

void rcity_surface_tile_halves(const rcity_surface_tile *tile, double first_m[3], double second_m[3])
{
    double n[3];
    double u[3];
    for (int i = 0; i < 3; i++) {
        n[i] = (double)tile->normal[i];
        u[i] = (double)tile->side[i];
    }
    const double v[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]};
    for (int i = 0; i < 3; i++) {
        first_m[i] = (double)tile->half_side_m[0] * u[i];
        second_m[i] = (double)tile->half_side_m[1] * v[i];
    }
}

int64_t rcity_surfaces_tile_count(const rcity_surfaces *surfaces)
{
    return surfaces != NULL ? (int64_t)surfaces->tile_count : 0;
}

rcity_status rcity_surfaces_get_tile_sized(const rcity_surfaces *surfaces, int64_t tile_index, size_t tile_bytes,
                                           rcity_surface_tile *tile)
{
    RCITY_NEED(NULL, surfaces);
    RCITY_NEED(NULL, tile);
    RCITY_CHECK_BYTES(NULL, rcity_surface_tile, tile_bytes);
    if (tile_index < 0 || (size_t)tile_index >= surfaces->tile_count) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&surfaces->tiles[tile_index], sizeof *surfaces->tiles, tile_bytes, tile);
    return RCITY_OK;
}

int rcity_surfaces_band_count(const rcity_surfaces *surfaces)
{
    return surfaces != NULL ? (int)surfaces->bands.count : 0;
}

rcity_status rcity_surfaces_get_band_sized(const rcity_surfaces *surfaces, int band_index, size_t band_bytes,
                                           rcity_band *band)
{
    RCITY_NEED(NULL, surfaces);
    RCITY_NEED(NULL, band);
    RCITY_CHECK_BYTES(NULL, rcity_band, band_bytes);
    rcity_band made;
    if (!rcity_band_list_get(&surfaces->bands, band_index, &made)) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&made, sizeof made, band_bytes, band);
    return RCITY_OK;
}

rcity_status rcity_surfaces_summarize_sized(rcity_context *context, const rcity_surfaces *surfaces, int band_index,
                                            size_t summary_bytes, rcity_band_summary *summary)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, surfaces);
    RCITY_NEED(context, summary);
    RCITY_CHECK_BYTES(context, rcity_band_summary, summary_bytes);
    rcity_band_summary made;
    RCITY_TRY(rcity_band_list_summarize(context, &surfaces->bands, band_index, &made));
    rcity_copy_struct(&made, sizeof made, summary_bytes, summary);
    return RCITY_OK;
}

rcity_point rcity_surfaces_transmitter(const rcity_surfaces *surfaces)
{
    const rcity_point nowhere = {(double)NAN, (double)NAN, (double)NAN};
    return surfaces != NULL ? surfaces->transmitter : nowhere;
}

double rcity_surfaces_frequency_hz(const rcity_surfaces *surfaces)
{
    return surfaces != NULL ? surfaces->frequency_hz : (double)NAN;
}

const char *rcity_surfaces_crs(const rcity_surfaces *surfaces)
{
    return surfaces != NULL ? surfaces->crs : NULL;
}

int rcity_surfaces_note_count(const rcity_surfaces *surfaces)
{
    return surfaces != NULL ? (int)surfaces->notes.count : 0;
}

rcity_status rcity_surfaces_get_note(const rcity_surfaces *surfaces, int pair_index, const char **key,
                                     const char **value)
{
    RCITY_NEED(NULL, surfaces);
    RCITY_NEED(NULL, key);
    RCITY_NEED(NULL, value);
    return rcity_notes_get(&surfaces->notes, pair_index, key, value) ? RCITY_OK : RCITY_ERR_ARGUMENT;
}
