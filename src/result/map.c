/* Maps: bands over one raster, and the notes that say how they were made. */
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "result/band_list.h"
#include "result/map_data.h"

struct rcity_map {
    rcity_context *context;
    rcity_raster raster;
    char *crs;
    rcity_band_list bands;
    rcity_notes notes;
};

rcity_status rcity_map_create(rcity_context *context, const rcity_raster *raster, const char *crs, rcity_map **map)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, raster);
    RCITY_NEED(context, map);
    RCITY_CHECK(context, raster->column_count >= 1 && raster->row_count >= 1, RCITY_ERR_ARGUMENT,
                "a map of %lld x %lld cells is empty; at least 1 x 1 is needed", (long long)raster->column_count,
                (long long)raster->row_count);
    RCITY_CHECK(context, raster->row_count <= INT64_MAX / (int64_t)sizeof(float) / raster->column_count,
                RCITY_ERR_ARGUMENT, "a map of %lld x %lld cells is larger than any machine; use a larger cell",
                (long long)raster->column_count, (long long)raster->row_count);
    RCITY_CHECK(context,
                isfinite(raster->west_m) && isfinite(raster->north_m) && isfinite(raster->cell_m) &&
                    raster->cell_m > 0.0,
                RCITY_ERR_ARGUMENT, "a map needs a finite corner and a cell above 0, not (%g, %g) and %g m",
                raster->west_m, raster->north_m, raster->cell_m);
    rcity_map *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "a map", &made));
    made->context = context;
    made->raster = *raster;
    rcity_band_list_init(context, "the map has", (size_t)raster->column_count * (size_t)raster->row_count,
                         &made->bands);
    rcity_notes_init(context, &made->notes);
    rcity_status status = rcity_copy_text(context, crs != NULL ? crs : "none", &made->crs);
    if (status != RCITY_OK) {
        rcity_map_destroy(&made);
        return status;
    }
    *map = made;
    return RCITY_OK;
}

void rcity_map_destroy(rcity_map **map)
{
    if (map == NULL || *map == NULL) {
        return;
    }
    rcity_map *ended = *map;
    rcity_context *context = ended->context;
    rcity_notes_deinit(&ended->notes);
    rcity_band_list_deinit(&ended->bands);
    rcity_release(context, ended->crs);
    rcity_release(context, ended);
    *map = NULL;
}

rcity_status rcity_map_add_band(rcity_map *map, rcity_band_kind kind, const char *name, const char *unit,
                                const char *text, double rx_height_m, float **value)
{
    RCITY_NEED(NULL, map);
    RCITY_NEED(map->context, name);
    RCITY_NEED(map->context, value);
    const rcity_band like = {.name = name, .unit = unit, .text = text, .rx_height_m = rx_height_m, .kind = kind};
    return rcity_band_list_add(&map->bands, &like, value);
}

rcity_status rcity_map_set_classes(rcity_map *map, int band_index, int class_count, const char *const *names)
{
    RCITY_NEED(NULL, map);
    RCITY_NEED(map->context, names);
    return rcity_band_list_set_classes(&map->bands, band_index, class_count, names);
}

rcity_status rcity_map_add_like(rcity_map *map, const rcity_band *like, float **value)
{
    RCITY_TRY(rcity_map_add_band(map, like->kind, like->name, like->unit, like->text, like->rx_height_m, value));
    return like->class_count > 0
               ? rcity_map_set_classes(map, rcity_map_band_count(map) - 1, like->class_count, like->class_names)
               : RCITY_OK;
}

bool rcity_map_has_name(const rcity_map *map, const char *name, double rx_height_m)
{
    bool is_found = false;
    rcity_band band;
    for (int i = 0; rcity_band_list_get(&map->bands, i, &band); i++) {
        is_found = is_found || (band.rx_height_m == rx_height_m && strcmp(band.name, name) == 0);
    }
    return is_found;
}

int rcity_map_count_name(const rcity_map *map, const char *name)
{
    int count = 0;
    rcity_band band;
    for (int i = 0; rcity_band_list_get(&map->bands, i, &band); i++) {
        count += strcmp(band.name, name) == 0 ? 1 : 0;
    }
    return count;
}

float *rcity_map_edit_band(rcity_map *map, int band_index)
{
    return rcity_band_list_edit(&map->bands, band_index);
}

rcity_status rcity_map_note(rcity_map *map, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rcity_status status = rcity_notes_vadd(&map->notes, key, format, arguments);
    va_end(arguments);
    return status;
}

rcity_status rcity_map_add_note(rcity_map *map, const char *key, const char *value)
{
    RCITY_NEED(NULL, map);
    RCITY_NEED(map->context, key);
    RCITY_NEED(map->context, value);
    return rcity_map_note(map, key, "%s", value);
}

rcity_status rcity_map_copy_remarks(const rcity_map *from, const char *prefix, rcity_map *to)
{
    return rcity_notes_copy_remarks(&from->notes, prefix, &to->notes);
}

rcity_notes *rcity_map_notes(rcity_map *map)
{
    return &map->notes;
}

rcity_context *rcity_map_context(const rcity_map *map)
{
    return map->context;
}

const char *rcity_map_find_note(const rcity_map *map, const char *key)
{
    return rcity_notes_find(&map->notes, key);
}

double rcity_map_cell_km2(const rcity_map *map)
{
    bool is_metric = rcity_map_find_note(map, RCITY_NOTE_CELL_UNIT) == NULL;
    return is_metric ? map->raster.cell_m * map->raster.cell_m * 1e-6 : (double)NAN;
}

rcity_raster rcity_map_raster(const rcity_map *map)
{
    return map != NULL ? map->raster : (rcity_raster){.column_count = 0};
}

int rcity_map_band_count(const rcity_map *map)
{
    if (map == NULL) {
        return 0;
    }
    return (int)map->bands.count;
}

rcity_status rcity_map_get_band_sized(const rcity_map *map, int band_index, size_t band_bytes, rcity_band *band)
{
    RCITY_NEED(NULL, map);
    RCITY_NEED(NULL, band);
    RCITY_CHECK_BYTES(NULL, rcity_band, band_bytes);
    rcity_band made;
    if (!rcity_band_list_get(&map->bands, band_index, &made)) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&made, sizeof made, band_bytes, band);
    return RCITY_OK;
}

rcity_status rcity_map_find_band(rcity_context *context, const rcity_map *map, int band_index, rcity_band *band)
{
    return rcity_band_list_find(context, &map->bands, band_index, band);
}

const char *rcity_map_crs(const rcity_map *map)
{
    if (map == NULL) {
        return NULL;
    }
    return map->crs;
}

int rcity_map_note_count(const rcity_map *map)
{
    return map != NULL ? (int)map->notes.count : 0;
}

rcity_status rcity_map_get_note(const rcity_map *map, int pair_index, const char **key, const char **value)
{
    RCITY_NEED(NULL, map);
    RCITY_NEED(NULL, key);
    RCITY_NEED(NULL, value);
    return rcity_notes_get(&map->notes, pair_index, key, value) ? RCITY_OK : RCITY_ERR_ARGUMENT;
}

rcity_status rcity_map_summarize_sized(rcity_context *context, const rcity_map *map, int band_index,
                                       size_t summary_bytes, rcity_band_summary *summary)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, map);
    RCITY_NEED(context, summary);
    RCITY_CHECK_BYTES(context, rcity_band_summary, summary_bytes);
    rcity_band_summary made;
    RCITY_TRY(rcity_band_list_summarize(context, &map->bands, band_index, &made));
    rcity_copy_struct(&made, sizeof made, summary_bytes, summary);
    return RCITY_OK;
}
