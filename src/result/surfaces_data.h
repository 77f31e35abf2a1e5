/* The inside of surfaces: what a method fills. Create with all tiles, add bands and fill their values. */
#ifndef RCITY_RESULT_SURFACES_DATA_H
#define RCITY_RESULT_SURFACES_DATA_H

#include "base/base.h"
#include "radiocity/surfaces.h"
#include "result/notes.h"

/* What surfaces are created from. Everything is copied. */
typedef struct rcity_surfaces_setup {
    rcity_point transmitter; /* where its antenna stands, in scene height */
    double frequency_hz;
    const char *crs; /* NULL: none */
    int64_t tile_count;
    const rcity_surface_tile *tiles; /* NULL: all zero, for rcity_surfaces_edit_tiles() */
} rcity_surfaces_setup;

rcity_status rcity_surfaces_create(rcity_context *context, const rcity_surfaces_setup *setup,
                                   rcity_surfaces **surfaces);

/* The tiles; borrowed until the surfaces are destroyed. */
rcity_surface_tile *rcity_surfaces_edit_tiles(rcity_surfaces *surfaces);
const rcity_surface_tile *rcity_surfaces_tiles(const rcity_surfaces *surfaces);

#define RCITY_SURFACES_NAME_MAX 63 /* bytes of a band's name */

/* Add a band and hand out its values for filling, one for each tile: all NAN, borrowed until the surfaces are
   destroyed. Texts are copied; `unit` and `text` may be NULL. The name becomes that of columns and properties in files:
   letters, digits, '_', '-', '+' and '.', and no other band has it. @return RCITY_ERR_ARGUMENT for another name,
   RCITY_ERR_MEMORY; then nothing has changed. */
rcity_status rcity_surfaces_add_band(rcity_surfaces *surfaces, rcity_band_kind kind, const char *name, const char *unit,
                                     const char *text, float **value);

/* The same with the description of another band, classes included. */
rcity_status rcity_surfaces_add_like(rcity_surfaces *surfaces, const rcity_band *like, float **value);

/* Name the classes of a band, as rcity_map_set_classes(). */
rcity_status rcity_surfaces_set_classes(rcity_surfaces *surfaces, int band_index, int class_count,
                                        const char *const *names);

/* Index of the band of a name; -1: there is none. */
int rcity_surfaces_find_band(const rcity_surfaces *surfaces, const char *name);

/* The notes, for writing. Borrowed until the surfaces are destroyed. */
rcity_notes *rcity_surfaces_notes(rcity_surfaces *surfaces);
rcity_status rcity_surfaces_copy_notes(const rcity_surfaces *from, rcity_notes *to);
const char *rcity_surfaces_find_note(const rcity_surfaces *surfaces, const char *key);

/* The number of tiles of a kind. */
int64_t rcity_surfaces_count_kind(const rcity_surfaces *surfaces, rcity_surface kind);

/* The context the surfaces were made with. */
rcity_context *rcity_surfaces_context(const rcity_surfaces *surfaces);

/* Half of both sides of a tile as vectors, from the centre to the middle of an edge. */
void rcity_surface_tile_halves(const rcity_surface_tile *tile, double first_m[3], double second_m[3]);

#endif
