/* The inside of a map: bands over one raster, with notes on how it was made. */
#ifndef RCITY_RESULT_MAP_DATA_H
#define RCITY_RESULT_MAP_DATA_H

#include "base/base.h"
#include "radiocity/map.h"
#include "result/notes.h"

/* Add a band with the description of another one, classes included; values as from rcity_map_add_band(). */
rcity_status rcity_map_add_like(rcity_map *map, const rcity_band *like, float **value);

/* rcity_map_get_band() with a message for an index that is out of range. */
rcity_status rcity_map_find_band(rcity_context *context, const rcity_map *map, int band_index, rcity_band *band);

/* Names distinguish bands, they do not say what a band is. Is there a band of this name at this height, and how many
   have it at all heights? */
bool rcity_map_has_name(const rcity_map *map, const char *name, double rx_height_m);
int rcity_map_count_name(const rcity_map *map, const char *name);

/* The values of a band, for filling. */
float *rcity_map_edit_band(rcity_map *map, int band_index);

/* rcity_map_note() with a format. Numbers have a point in every locale. */
rcity_status rcity_map_note(rcity_map *map, const char *key, const char *format, ...) RCITY_PRINTF(3, 4);

/* The notes, for code that writes notes of maps and other results alike. Borrowed until the map is destroyed. */
rcity_notes *rcity_map_notes(rcity_map *map);

/* The context the map was made with, for messages and memory. */
rcity_context *rcity_map_context(const rcity_map *map);

/* Copy the remarks among the notes of one map to another that does not have them yet; their keys get a prefix, such as
   "server_3_". */
rcity_status rcity_map_copy_remarks(const rcity_map *from, const char *prefix, rcity_map *to);

/* The kind of a word, RCITY_BAND_OTHER for an unknown one. */
rcity_band_kind rcity_band_kind_find(const char *word);

/* The kind of a band that states none, from its name and unit: names of bands as version 0.1 wrote them, then any name
   that contains "loss", then the units dBm, of time and of angles; else RCITY_BAND_OTHER. Nothing else depends on
   names. */
rcity_band_kind rcity_band_guess_kind(const char *name, const char *unit);

/* Name the classes of a band whose kind was guessed: mechanisms by the public list, servers by the notes server_1,
   server_2 and so on. Bands of other kinds are not changed. */
rcity_status rcity_map_guess_classes(rcity_map *map, int band_index);

/* Does a lower value mean a stronger signal in this band? */
bool rcity_band_is_loss(const rcity_band *band);

/* A band's name for people: "Path loss" for "path_loss", "SINR" for "sinr". Cut where there is no room. */
void rcity_band_spell_name(const rcity_band *band, char *spelled, size_t room);

/* A note of maps whose cells are not measured in metres on the ground, such as one read from a file in degrees or in
   Web Mercator: the name of the unit. */
#define RCITY_NOTE_CELL_UNIT "cell_unit"

/* Area of a cell; NAN when cells are not measured in metres on the ground. */
double rcity_map_cell_km2(const rcity_map *map);

/* The value of a note, or NULL. */
const char *rcity_map_find_note(const rcity_map *map, const char *key);

#endif
