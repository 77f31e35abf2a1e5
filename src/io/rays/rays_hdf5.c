/* The paths of a transmitter as tables: receivers, paths, interactions. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "io/hdf5/hdf5_file.h"
#include "io/rays/rays_save.h"
#include "result/rays_data.h"

#define FORMAT_NAME    "radiocity rays"
#define FORMAT_VERSION 1.0

/* The source of a table: gives one row by its number. */
typedef struct ray_tables {
    rcity_hdf5 *file;
    const rcity_rays *rays;
    int64_t receiver_count, path_count, event_count;
    void *column; /* buffer for one column */
} ray_tables;

/* A number of a struct, by its offset. */
typedef struct number_column {
    const char *name, *unit, *text;
    size_t offset;
} number_column;

static const number_column receiver_numbers[] = {
    {"receivers/x_m", "m", "position in the CRS of the scene", offsetof(rcity_receiver_summary, position.x_m)},
    {"receivers/y_m", "m", "position in the CRS of the scene", offsetof(rcity_receiver_summary, position.y_m)},
    {"receivers/z_m", "m", "scene height, not above ground", offsetof(rcity_receiver_summary, position.z_m)},
    {"receivers/gain_db", "dB", "powers of all paths added, antennas included",
     offsetof(rcity_receiver_summary, gain_db)},
    {"receivers/coherent_gain_db", "dB", "fields of all paths added, antennas included",
     offsetof(rcity_receiver_summary, coherent_gain_db)},
    {"receivers/path_loss_db", "dB", "of isotropic antennas of the same polarizations, powers added",
     offsetof(rcity_receiver_summary, loss_db)},
    {"receivers/coherent_path_loss_db", "dB", "of isotropic antennas of the same polarizations, fields added",
     offsetof(rcity_receiver_summary, coherent_loss_db)},
    {"receivers/received_power_dbm", "dBm", "received power, powers added; NaN where the transmitter states none",
     offsetof(rcity_receiver_summary, received_dbm)},
    {"receivers/mean_delay_s", "s", "weighted by power", offsetof(rcity_receiver_summary, mean_delay_s)},
    {"receivers/delay_spread_s", "s", "root mean square, weighted by power",
     offsetof(rcity_receiver_summary, delay_spread_s)},
    {"receivers/departure_azimuth_spread_deg", "deg", "circular, 3GPP TR 25.996 annex A",
     offsetof(rcity_receiver_summary, departure_azimuth_spread_deg)},
    {"receivers/departure_elevation_spread_deg", "deg", "root mean square, weighted by power",
     offsetof(rcity_receiver_summary, departure_elevation_spread_deg)},
    {"receivers/arrival_azimuth_spread_deg", "deg", "circular, 3GPP TR 25.996 annex A",
     offsetof(rcity_receiver_summary, arrival_azimuth_spread_deg)},
    {"receivers/arrival_elevation_spread_deg", "deg", "root mean square, weighted by power",
     offsetof(rcity_receiver_summary, arrival_elevation_spread_deg)},
    {"receivers/k_factor_db", "dB", "strongest path over all others", offsetof(rcity_receiver_summary, k_factor_db)},
};

static const number_column path_numbers[] = {
    {"paths/length_m", "m", "unfolded length", offsetof(rcity_path, length_m)},
    {"paths/delay_s", "s", "length over the speed of light", offsetof(rcity_path, delay_s)},
    {"paths/departure_azimuth_deg", "deg", "clockwise from the y axis", offsetof(rcity_path, departure_azimuth_deg)},
    {"paths/departure_elevation_deg", "deg", "upwards from the horizon", offsetof(rcity_path, departure_elevation_deg)},
    {"paths/arrival_azimuth_deg", "deg", "where it comes from, clockwise from the y axis",
     offsetof(rcity_path, arrival_azimuth_deg)},
    {"paths/arrival_elevation_deg", "deg", "where it comes from, upwards from the horizon",
     offsetof(rcity_path, arrival_elevation_deg)},
    {"paths/gain_db", "dB", "antennas included", offsetof(rcity_path, gain_db)},
    {"paths/path_loss_db", "dB", "of isotropic antennas of the same polarizations", offsetof(rcity_path, loss_db)},
    {"paths/received_power_dbm", "dBm", "received power; NaN where the transmitter states none",
     offsetof(rcity_path, received_dbm)},
};

static rcity_receiver_summary receiver_at(const ray_tables *tables, int64_t i)
{
    rcity_receiver_summary receiver;
    memset(&receiver, 0, sizeof receiver);
    rcity_status status = rcity_rays_get_receiver(tables->rays, i, &receiver);
    (void)status; /* in range */
    return receiver;
}

static rcity_path path_at(const ray_tables *tables, int64_t i)
{
    rcity_path path;
    memset(&path, 0, sizeof path);
    rcity_status status = rcity_rays_get_path(tables->rays, i, &path);
    (void)status; /* in range */
    return path;
}

static double pick(const void *item, size_t offset)
{
    double value;
    memcpy(&value, (const char *)item + offset, sizeof value);
    return value;
}

/* One column; fields that are not set are those of a plain number. */
static void add(ray_tables *tables, rcity_hdf5_column column)
{
    column.data = tables->column;
    rcity_hdf5_add_column(tables->file, &column);
}

static const char *state_word(int value)
{
    return rcity_receiver_state_name((rcity_receiver_state)value);
}

static const char *kind_word(int value)
{
    return rcity_event_kind_name((rcity_event_kind)value);
}

static const char *place_word(int value)
{
    return rcity_event_place_name((rcity_event_place)value);
}

static size_t longest_name(const ray_tables *tables)
{
    size_t longest = 1;
    for (int64_t i = 0; i < tables->receiver_count; i++) {
        char number[24];
        size_t length = strlen(rcity_rays_label(tables->rays, i, number));
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void add_names(ray_tables *tables, size_t bytes)
{
    char *names = tables->column;
    memset(names, 0, (size_t)tables->receiver_count * bytes);
    for (int64_t i = 0; i < tables->receiver_count; i++) {
        char number[24];
        const char *name = rcity_rays_label(tables->rays, i, number);
        char *row = names + (size_t)i * bytes; /* as long as the longest name, which has no terminating 0 */
        for (size_t k = 0; name[k] != '\0'; k++) {
            row[k] = name[k];
        }
    }
    add(tables, (rcity_hdf5_column){.name = "receivers/name",
                                    .unit = "",
                                    .text = "as given, or the number from 1 on",
                                    .type = RCITY_HDF5_TEXT,
                                    .text_bytes = bytes,
                                    .count = tables->receiver_count});
}

static void add_receivers(ray_tables *tables, size_t name_bytes)
{
    int64_t count = tables->receiver_count;
    double *numbers = tables->column;
    int64_t *integers = tables->column;
    int32_t *words = tables->column;
    rcity_hdf5_add_group(tables->file, "receivers", "one row a receiver");
    add_names(tables, name_bytes);
    for (size_t k = 0; k < sizeof receiver_numbers / sizeof receiver_numbers[0]; k++) {
        const number_column *one = &receiver_numbers[k];
        for (int64_t i = 0; i < count; i++) {
            rcity_receiver_summary receiver = receiver_at(tables, i);
            numbers[i] = pick(&receiver, one->offset);
        }
        add(tables, (rcity_hdf5_column){one->name, one->unit, one->text, .count = count});
    }
    for (int64_t i = 0; i < count; i++) {
        words[i] = (int32_t)receiver_at(tables, i).state;
    }
    add(tables, (rcity_hdf5_column){"receivers/state", "", "what became of it", RCITY_HDF5_WORD, .count = count,
                                    .word_count = RCITY_RECEIVER_STATE_COUNT, .word = state_word});
    for (int64_t i = 0; i < count; i++) {
        integers[i] = receiver_at(tables, i).path_first;
    }
    add(tables, (rcity_hdf5_column){"receivers/path_first", "", "row of its strongest path in paths", RCITY_HDF5_INT64,
                                    .count = count});
    for (int64_t i = 0; i < count; i++) {
        integers[i] = receiver_at(tables, i).path_count;
    }
    add(tables, (rcity_hdf5_column){"receivers/path_count", "", "rows in paths", RCITY_HDF5_INT64, .count = count});
}

static void add_fields(ray_tables *tables)
{
    rcity_phasor *fields = tables->column;
    for (int64_t i = 0; i < tables->path_count; i++) {
        rcity_path path = path_at(tables, i);
        memcpy(&fields[4 * i], path.transfer, sizeof path.transfer);
    }
    add(tables, (rcity_hdf5_column){"paths/transfer", "",
                                    "channel without antennas: field that arrives over field that leaves, [out][in], 0 "
                                    "theta, 1 phi",
                                    RCITY_HDF5_COMPLEX, .count = tables->path_count, .width = 2, .height = 2});
    for (int64_t i = 0; i < tables->path_count; i++) {
        fields[i] = path_at(tables, i).amplitude;
    }
    add(tables, (rcity_hdf5_column){"paths/amplitude", "", "field over field with both antennas", RCITY_HDF5_COMPLEX,
                                    .count = tables->path_count});
    for (int64_t i = 0; i < tables->path_count; i++) {
        fields[i] = path_at(tables, i).cross_amplitude;
    }
    add(tables, (rcity_hdf5_column){"paths/cross_amplitude", "",
                                    "the same at a second receiving antenna across the first; 0 without",
                                    RCITY_HDF5_COMPLEX, .count = tables->path_count});
}

static void add_paths(ray_tables *tables)
{
    int64_t count = tables->path_count;
    double *numbers = tables->column;
    int64_t *integers = tables->column;
    rcity_hdf5_add_group(tables->file, "paths", "one row a path, by receiver, strongest first");
    for (int64_t i = 0; i < count; i++) {
        integers[i] = path_at(tables, i).receiver_index;
    }
    add(tables, (rcity_hdf5_column){"paths/receiver", "", "row of its receiver in receivers", RCITY_HDF5_INT64,
                                    .count = count});
    int64_t first = 0;
    for (int64_t i = 0; i < count; i++) {
        integers[i] = first;
        first += path_at(tables, i).event_count;
    }
    add(tables, (rcity_hdf5_column){"paths/event_first", "", "row of its first interaction in events", RCITY_HDF5_INT64,
                                    .count = count});
    for (int64_t i = 0; i < count; i++) {
        integers[i] = path_at(tables, i).event_count;
    }
    add(tables, (rcity_hdf5_column){"paths/event_count", "", "interactions, 0 for the direct path", RCITY_HDF5_INT64,
                                    .count = count});
    for (size_t k = 0; k < sizeof path_numbers / sizeof path_numbers[0]; k++) {
        const number_column *one = &path_numbers[k];
        for (int64_t i = 0; i < count; i++) {
            rcity_path path = path_at(tables, i);
            numbers[i] = pick(&path, one->offset);
        }
        add(tables, (rcity_hdf5_column){one->name, one->unit, one->text, .count = count});
    }
    add_fields(tables);
}

/* A value of an interaction, by the number of the column. */
typedef enum event_field { EVENT_KIND, EVENT_PLACE, EVENT_BUILDING, EVENT_POSITION } event_field;

static void gather_events(ray_tables *tables, event_field field)
{
    int32_t *words = tables->column;
    int64_t *integers = tables->column;
    double *numbers = tables->column;
    int64_t row = 0;
    for (int64_t i = 0; i < tables->path_count; i++) {
        rcity_path path = path_at(tables, i);
        for (int k = 0; k < path.event_count; k++, row++) {
            const rcity_ray_event *event = &path.events[k];
            switch (field) {
            case EVENT_KIND:
                words[row] = (int32_t)event->kind;
                break;
            case EVENT_PLACE:
                words[row] = (int32_t)event->place;
                break;
            case EVENT_BUILDING:
                integers[row] = event->building_id;
                break;
            case EVENT_POSITION:
                numbers[3 * row] = event->position.x_m;
                numbers[3 * row + 1] = event->position.y_m;
                numbers[3 * row + 2] = event->position.z_m;
                break;
            }
        }
    }
}

static void add_events(ray_tables *tables)
{
    int64_t count = tables->event_count;
    rcity_hdf5_add_group(tables->file, "events", "one row an interaction, by path, from the transmitter on");
    gather_events(tables, EVENT_KIND);
    add(tables, (rcity_hdf5_column){"events/kind", "", "what happens", RCITY_HDF5_WORD, .count = count,
                                    .word_count = RCITY_EVENT_OVER_ROOFS + 1, .word = kind_word});
    gather_events(tables, EVENT_PLACE);
    add(tables, (rcity_hdf5_column){"events/place", "", "what it happens at", RCITY_HDF5_WORD, .count = count,
                                    .word_count = RCITY_PLACE_TERRAIN_EDGE + 1, .word = place_word});
    gather_events(tables, EVENT_BUILDING);
    add(tables,
        (rcity_hdf5_column){"events/building_id", "", "-1 without a building", RCITY_HDF5_INT64, .count = count});
    gather_events(tables, EVENT_POSITION);
    add(tables, (rcity_hdf5_column){"events/position_m", "m", "x, y in the CRS of the scene, scene height",
                                    RCITY_HDF5_DOUBLE, .count = count, .width = 3});
}

static void add_notes(const ray_tables *tables)
{
    const rcity_rays *rays = tables->rays;
    rcity_point tx = rcity_rays_transmitter(rays);
    const double position_m[3] = {tx.x_m, tx.y_m, tx.z_m};
    const double version = FORMAT_VERSION;
    const double frequency_hz = rcity_rays_frequency_hz(rays);
    rcity_hdf5_note_text(tables->file, "format", FORMAT_NAME);
    rcity_hdf5_note_numbers(tables->file, "format_version", 1, &version);
    rcity_hdf5_note_text(tables->file, "crs", rcity_rays_crs(rays));
    rcity_hdf5_note_numbers(tables->file, "transmitter_m", 3, position_m);
    rcity_hdf5_note_numbers(tables->file, "frequency_hz", 1, &frequency_hz);
    const char *key = NULL;
    const char *value = NULL;
    for (int i = 0; rcity_rays_get_note(rays, i, &key, &value) == RCITY_OK; i++) {
        rcity_hdf5_note_text(tables->file, key, value);
    }
}

/* Bytes of the longest column. */
static size_t column_bytes(const ray_tables *tables, size_t name_bytes)
{
    size_t names = (size_t)tables->receiver_count * (name_bytes > sizeof(double) ? name_bytes : sizeof(double));
    size_t transfers = (size_t)tables->path_count * 4 * sizeof(rcity_phasor);
    size_t positions = (size_t)tables->event_count * 3 * sizeof(double);
    size_t most = names > transfers ? names : transfers;
    return most > positions ? most : positions;
}

rcity_status rcity_rays_save_hdf5(rcity_context *context, const rcity_rays *rays, const char *path)
{
    ray_tables tables = {.rays = rays,
                         .receiver_count = rcity_rays_receiver_count(rays),
                         .path_count = rcity_rays_path_count(rays),
                         .event_count = rcity_rays_event_count(rays)};
    size_t name_bytes = longest_name(&tables);
    double need_bytes = 2e6 + (double)tables.receiver_count * (160.0 + (double)name_bytes) +
                        (double)tables.path_count * 210.0 + (double)tables.event_count * 40.0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, column_bytes(&tables, name_bytes) + 1, 1, "a column", &tables.column));
    RCITY_TRY_DONE(rcity_hdf5_create(context, path, need_bytes, &tables.file));
    add_notes(&tables);
    add_receivers(&tables, name_bytes);
    add_paths(&tables);
    add_events(&tables);
    status = rcity_hdf5_save(tables.file);
done:
    rcity_hdf5_destroy(&tables.file);
    rcity_release(context, tables.column);
    return status;
}
