/* Maps: bands over one raster, and the notes that say how they were made. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "result/map_data.h"
#include "result/rank.h"

typedef struct map_band {
    char *name, *unit, *text;
    double rx_height_m;
    float *value;
    rcity_band_kind kind;
    int class_count;
    char **class_names;
} map_band;

struct rcity_map {
    rcity_context *context;
    rcity_raster raster;
    char *crs;
    size_t band_count, band_capacity;
    map_band *bands;
    rcity_notes notes;
};

/* Does not overflow: rcity_map_create() checked the product. */
static size_t cell_count(const rcity_map *map)
{
    return (size_t)map->raster.column_count * (size_t)map->raster.row_count;
}

static void release_names(rcity_context *context, int count, char **names)
{
    for (int i = 0; i < count && names != NULL; i++) {
        rcity_release(context, names[i]);
    }
    rcity_release(context, names);
}

static void release_band(rcity_context *context, map_band *band)
{
    release_names(context, band->class_count, band->class_names);
    rcity_release(context, band->value);
    rcity_release(context, band->text);
    rcity_release(context, band->unit);
    rcity_release(context, band->name);
}

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
    for (size_t i = 0; i < ended->band_count; i++) {
        release_band(context, &ended->bands[i]);
    }
    rcity_release(context, ended->bands);
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
    rcity_context *context = map->context;
    size_t count = cell_count(map);
    map_band band = {.kind = kind, .rx_height_m = rx_height_m};
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, map->band_count + 1, sizeof *map->bands, &map->band_capacity,
                                 "the list of bands", &map->bands));
    RCITY_TRY_DONE(rcity_copy_text(context, name, &band.name));
    RCITY_TRY_DONE(rcity_copy_text(context, unit != NULL ? unit : "", &band.unit));
    RCITY_TRY_DONE(rcity_copy_text(context, text != NULL ? text : "", &band.text));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *band.value, "a band of the map", &band.value));
    for (size_t i = 0; i < count; i++) {
        band.value[i] = NAN;
    }
    *value = band.value;
    map->bands[map->band_count++] = band;
    return RCITY_OK;
done:
    release_band(context, &band);
    return status;
}

rcity_status rcity_map_set_classes(rcity_map *map, int band_index, int class_count, const char *const *names)
{
    RCITY_NEED(NULL, map);
    RCITY_NEED(map->context, names);
    RCITY_CHECK(map->context, band_index >= 0 && (size_t)band_index < map->band_count, RCITY_ERR_ARGUMENT,
                "there is no band %d; the map has %zu, counted from 0", band_index, map->band_count);
    RCITY_CHECK(map->context, class_count >= 1, RCITY_ERR_ARGUMENT, "there are %d classes, must be at least 1",
                class_count);
    map_band *band = &map->bands[band_index];
    char **copies = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(map->context, (size_t)class_count, sizeof *copies, "names of classes", &copies));
    for (int i = 0; i < class_count; i++) {
        RCITY_TRY_DONE(rcity_copy_text(map->context, names[i] != NULL ? names[i] : "", &copies[i]));
    }
    release_names(map->context, band->class_count, band->class_names);
    band->class_count = class_count;
    band->class_names = copies;
    return RCITY_OK;
done:
    release_names(map->context, class_count, copies);
    return status;
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
    for (size_t i = 0; i < map->band_count; i++) {
        const map_band *band = &map->bands[i];
        is_found = is_found || (band->rx_height_m == rx_height_m && strcmp(band->name, name) == 0);
    }
    return is_found;
}

int rcity_map_count_name(const rcity_map *map, const char *name)
{
    int count = 0;
    for (size_t i = 0; i < map->band_count; i++) {
        count += strcmp(map->bands[i].name, name) == 0 ? 1 : 0;
    }
    return count;
}

float *rcity_map_edit_band(rcity_map *map, int band_index)
{
    assert(band_index >= 0 && (size_t)band_index < map->band_count);
    return map->bands[band_index].value;
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
    return (int)map->band_count;
}

rcity_status rcity_map_get_band_sized(const rcity_map *map, int band_index, size_t band_bytes, rcity_band *band)
{
    RCITY_NEED(NULL, map);
    RCITY_NEED(NULL, band);
    RCITY_CHECK_BYTES(NULL, rcity_band, band_bytes);
    if (band_index < 0 || (size_t)band_index >= map->band_count) {
        return RCITY_ERR_ARGUMENT;
    }
    const map_band *found = &map->bands[band_index];
    const rcity_band made = {.name = found->name,
                             .unit = found->unit,
                             .text = found->text,
                             .rx_height_m = found->rx_height_m,
                             .value = found->value,
                             .kind = found->kind,
                             .class_count = found->class_count,
                             .class_names = (const char *const *)found->class_names};
    rcity_copy_struct(&made, sizeof made, band_bytes, band);
    return RCITY_OK;
}

rcity_status rcity_map_find_band(rcity_context *context, const rcity_map *map, int band_index, rcity_band *band)
{
    RCITY_CHECK(context, band_index >= 0 && (size_t)band_index < map->band_count, RCITY_ERR_ARGUMENT,
                "there is no band %d; the map has %zu, counted from 0", band_index, map->band_count);
    return rcity_map_get_band(map, band_index, band);
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

static rcity_status summarize(rcity_context *context, const rcity_map *map, int band_index, rcity_band_summary *summary)
{
    rcity_band band = {.value = NULL};
    RCITY_TRY(rcity_map_find_band(context, map, band_index, &band));
    int64_t count = (int64_t)cell_count(map);
    int64_t finite_count = rcity_rank_count(band.value, count);
    if (finite_count == 0) {
        *summary = (rcity_band_summary){0, (double)NAN, (double)NAN, (double)NAN};
        return RCITY_OK;
    }
    const int64_t ranks[4] = {0, (finite_count - 1) / 2, finite_count / 2, finite_count - 1};
    float found[4];
    RCITY_TRY(rcity_rank_find(context, band.value, count, 4, ranks, found));
    *summary = (rcity_band_summary){.value_count = finite_count,
                                    .minimum = (double)found[0],
                                    .median = 0.5 * ((double)found[1] + (double)found[2]),
                                    .maximum = (double)found[3]};
    return RCITY_OK;
}

rcity_status rcity_map_summarize_sized(rcity_context *context, const rcity_map *map, int band_index,
                                       size_t summary_bytes, rcity_band_summary *summary)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, map);
    RCITY_NEED(context, summary);
    RCITY_CHECK_BYTES(context, rcity_band_summary, summary_bytes);
    rcity_band_summary made;
    RCITY_TRY(summarize(context, map, band_index, &made));
    rcity_copy_struct(&made, sizeof made, summary_bytes, summary);
    return RCITY_OK;
}
