#include "io/measurements/measurement_transmitters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/list/quantities.h"

#define NAMES_TX_X   "tx_x|tx_x_m|tx_easting|txx"
#define NAMES_TX_Y   "tx_y|tx_y_m|tx_northing|txy"
#define NAMES_TX_LON "tx_lon|txlon|tx_longitude|tx_lng|tx_lon_deg|txlongitude"
#define NAMES_TX_LAT "tx_lat|txlat|tx_latitude|tx_lat_deg|txlatitude"
#define NAMES_SITE   "tx_name|transmitter|transmitter_name|tx|server|best_server|serving_cell|site|site_name"
#define NAMES_SECTOR "sector|sector_name|cell|cell_name"

#define NAME_BYTES 200

enum { TX_HEIGHT, TX_FREQUENCY, TX_EIRP, TX_ERP, TX_POWER, TX_NUMBER_COUNT };

static const struct {
    const char *names;
    rcity_quantity quantity;
    double low, high;
} number_column[TX_NUMBER_COUNT] = {
    [TX_HEIGHT] = {"tx_height_m|tx_height|h_tx__meter|h_tx_m|h_tx|tx_h", RCITY_QUANTITY_LENGTH, -RCITY_TX_HEIGHT_MAX_M,
                   RCITY_TX_HEIGHT_MAX_M},
    [TX_FREQUENCY] = {"frequency_mhz|frequency|freq_mhz|freq|f__mhz|f_mhz", RCITY_QUANTITY_FREQUENCY,
                      RCITY_FREQUENCY_MIN_HZ * 1e-6, RCITY_FREQUENCY_MAX_HZ * 1e-6},
    [TX_EIRP] = {"eirp_dbm|eirp|tx_eirp_dbm|tx_eirp", RCITY_QUANTITY_LEVEL, RCITY_POWER_MIN_DBM, RCITY_POWER_MAX_DBM},
    [TX_ERP] = {"erp_dbm|erp|tx_erp_dbm|tx_erp", RCITY_QUANTITY_LEVEL, RCITY_POWER_MIN_DBM, RCITY_POWER_MAX_DBM},
    [TX_POWER] = {"tx_power_dbm|tx_power", RCITY_QUANTITY_LEVEL, RCITY_POWER_MIN_DBM, RCITY_POWER_MAX_DBM},
};

typedef struct link_columns {
    int site, sector;
    int number[TX_NUMBER_COUNT];
} link_columns;

/* "SITE/SECTOR" as in site lists, or the only one of the two that is given. */
static rcity_status read_name(const rcity_records *records, const link_columns *columns, int64_t row,
                              char name[NAME_BYTES])
{
    const char *site = rcity_records_text(records, row, columns->site);
    const char *sector = rcity_records_text(records, row, columns->sector);
    bool has_both = site[0] != '\0' && sector[0] != '\0';
    int length = snprintf(name, NAME_BYTES, "%s%s%s", site, has_both ? "/" : "", sector);
    char place[RCITY_RECORDS_PLACE_BYTES];
    RCITY_CHECK(records->context, length < NAME_BYTES, RCITY_ERR_FORMAT,
                "'%s' %s: the name of the transmitter is %d bytes long, at most %d are taken",
                rcity_csv_name(records->table), rcity_records_place(records, row, place), length, NAME_BYTES - 1);
    return RCITY_OK;
}

static rcity_status read_numbers(const rcity_records *records, const link_columns *columns, int64_t row,
                                 rcity_transmitter *transmitter)
{
    double value[TX_NUMBER_COUNT];
    for (int i = 0; i < TX_NUMBER_COUNT; i++) {
        value[i] = (double)NAN;
        RCITY_TRY(rcity_records_number(records, row, columns->number[i], number_column[i].low, number_column[i].high,
                                       &value[i]));
    }
    char place[RCITY_RECORDS_PLACE_BYTES];
    RCITY_CHECK(records->context, !isnan(value[TX_EIRP]) + !isnan(value[TX_ERP]) + !isnan(value[TX_POWER]) <= 1,
                RCITY_ERR_FORMAT, "'%s' %s: a transmitter has one power; fill one of eirp_dbm, erp_dbm, tx_power_dbm",
                rcity_csv_name(records->table), rcity_records_place(records, row, place));
    transmitter->height_m = isnan(value[TX_HEIGHT]) ? transmitter->height_m : value[TX_HEIGHT];
    transmitter->frequency_hz = isnan(value[TX_FREQUENCY]) ? transmitter->frequency_hz : value[TX_FREQUENCY] * 1e6;
    for (int i = TX_EIRP; i <= TX_POWER; i++) {
        if (!isnan(value[i])) {
            transmitter->power_dbm = value[i];
            transmitter->power_kind = i == TX_EIRP  ? RCITY_POWER_EIRP
                                      : i == TX_ERP ? RCITY_POWER_ERP
                                                    : RCITY_POWER_CONDUCTED;
        }
    }
    return RCITY_OK;
}

/* The transmitter of one row; it is often that of the row before. */
static rcity_status read_row(const rcity_records *records, const link_columns *columns, int64_t row, const double xy[2],
                             const rcity_transmitter *defaults, rcity_measurements *bearer, int *found)
{
    char name[NAME_BYTES];
    rcity_transmitter transmitter = *defaults;
    *found = -1;
    RCITY_TRY(read_name(records, columns, row, name));
    if (name[0] == '\0' && isnan(xy[0])) {
        return RCITY_OK;
    }
    RCITY_TRY(read_numbers(records, columns, row, &transmitter));
    transmitter.name = name[0] != '\0' ? name : NULL;
    transmitter.x_m = xy[0];
    transmitter.y_m = xy[1];
    RCITY_TRY(rcity_measurements_find_transmitter(bearer, &transmitter, found));
    RCITY_CHECK(records->context, bearer->transmitter_count <= RCITY_MEASUREMENT_TRANSMITTER_MAX, RCITY_ERR_ARGUMENT,
                "'%s' states more than %d transmitters; the columns of the transmitter change all the time, are they "
                "the receiver's?",
                rcity_csv_name(records->table), RCITY_MEASUREMENT_TRANSMITTER_MAX);
    return RCITY_OK;
}

/* Name transmitters without a name by their numbers. */
static rcity_status name_all(rcity_measurements *bearer)
{
    for (size_t i = 0; i < bearer->transmitter_count; i++) {
        if (bearer->transmitter_names[i] == NULL) {
            char name[32];
            snprintf(name, sizeof name, bearer->transmitter_count > 1 ? "Tx %zu" : "Tx", i + 1);
            RCITY_TRY(rcity_copy_text(bearer->context, name, &bearer->transmitter_names[i]));
            bearer->transmitters[i].name = bearer->transmitter_names[i];
        }
    }
    return RCITY_OK;
}

/* A transmitter whose place is known needs a height; others may get theirs from a list of sites. */
static rcity_status check_heights(const rcity_records *records, const rcity_measurements *bearer)
{
    for (size_t i = 0; i < bearer->transmitter_count; i++) {
        const rcity_transmitter *one = &bearer->transmitters[i];
        RCITY_CHECK(records->context, isnan(one->x_m) || !isnan(one->height_m), RCITY_ERR_ARGUMENT,
                    "'%s' states where the transmitter '%s' is, but not its height; fill a column tx_height_m, or give "
                    "`sites-height-m`",
                    rcity_csv_name(records->table), one->name);
    }
    return RCITY_OK;
}

static bool has_pair(rcity_records *records, const char *first, const char *second)
{
    return rcity_records_find(records, first) >= 0 && rcity_records_find(records, second) >= 0;
}

rcity_status rcity_measurement_read_transmitters(rcity_records *records, const rcity_scene *scene,
                                                 const rcity_measurements_options *options, const bool *is_wanted,
                                                 rcity_measurements *bearer, int *transmitter)
{
    rcity_context *context = records->context;
    size_t count = (size_t)rcity_records_count(records);
    link_columns columns = {rcity_records_find(records, NAMES_SITE), rcity_records_find(records, NAMES_SECTOR), {0}};
    for (int i = 0; i < TX_NUMBER_COUNT; i++) {
        columns.number[i] = rcity_records_find_quantity(records, number_column[i].names, number_column[i].quantity);
    }
    double *xy = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, count, 2 * sizeof *xy, "measurements", &xy));
    for (size_t i = 0; i < 2 * count; i++) {
        xy[i] = (double)NAN;
    }
    if (has_pair(records, NAMES_TX_X, NAMES_TX_Y) || has_pair(records, NAMES_TX_LON, NAMES_TX_LAT)) {
        rcity_place_options place = {.x = NAMES_TX_X,
                                     .y = NAMES_TX_Y,
                                     .lon = NAMES_TX_LON,
                                     .lat = NAMES_TX_LAT,
                                     .input_crs = options->input_crs,
                                     .offset_m = {options->x_offset_m, options->y_offset_m},
                                     .is_wanted = is_wanted,
                                     .may_lack = true};
        RCITY_TRY_DONE(rcity_records_locate_by(records, scene, &place, xy));
    }
    for (size_t row = 0; row < count; row++) {
        transmitter[row] = -1;
        if (is_wanted[row]) {
            RCITY_TRY_DONE(
                read_row(records, &columns, (int64_t)row, xy + 2 * row, &options->defaults, bearer, &transmitter[row]));
        }
    }
    RCITY_TRY_DONE(name_all(bearer));
    RCITY_TRY_DONE(check_heights(records, bearer));
done:
    rcity_release(context, xy);
    return status;
}
