/* The one list of the columns of a site list: names, limits, and how words are read. docs/guide/sites.md documents it
   for users. */
#include "io/list/site_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/list/quantities.h"

#define NAMES_SITE         "site|site_name|name|site_id|id"
#define NAMES_SECTOR       "sector|cell|cell_name|sector_name|sector_id|cell_id"
#define NAMES_HEIGHT_ABOVE "height_above|height_from"
#define NAMES_ANTENNA      "antenna|pattern|antenna_type|antenna_model|antenna_pattern"
#define NAMES_ANTENNA_FILE "antenna_file"
#define NAMES_POLARIZATION "polarization|polarisation"
#define NAMES_POWER_KIND   "power_kind"

/* Columns of our own files that follow from others. */
#define NAMES_DERIVED "antenna_gain_dbi"

static const struct {
    const char *names;
    rcity_quantity quantity;
    double low, high;
} number_column[RCITY_SITE_NUMBER_COUNT] = {
    [RCITY_SITE_HEIGHT] = {"height_m|height|antenna_height|tx_height|mast_height|tower_height|height_agl|"
                           "antenna_height_agl|agl|hba|hgt",
                           RCITY_QUANTITY_LENGTH, -RCITY_TX_HEIGHT_MAX_M, RCITY_TX_HEIGHT_MAX_M},
    [RCITY_SITE_AZIMUTH] = {"azimuth_deg|azimuth|bearing|antenna_azimuth|azimut|az|direction|heading",
                            RCITY_QUANTITY_ANGLE, -360.0, 360.0},
    [RCITY_SITE_MECHANICAL_TILT] = {"mechanical_tilt_deg|mechanical_tilt|mtilt|m_tilt|mech_tilt|mechanical_downtilt|"
                                    "mech_downtilt|mdt|downtilt|tilt",
                                    RCITY_QUANTITY_ANGLE, -90.0, 90.0},
    [RCITY_SITE_ELECTRICAL_TILT] = {"electrical_tilt_deg|electrical_tilt|etilt|e_tilt|elec_tilt|electrical_downtilt|"
                                    "elec_downtilt|edt|ret",
                                    RCITY_QUANTITY_ANGLE, -90.0, 90.0},
    [RCITY_SITE_FREQUENCY] = {"frequency_mhz|frequency|freq_mhz|freq|carrier_frequency|carrier|centre_frequency|"
                              "center_frequency|dl_frequency|tx_frequency",
                              RCITY_QUANTITY_FREQUENCY, RCITY_FREQUENCY_MIN_HZ * 1e-6, RCITY_FREQUENCY_MAX_HZ * 1e-6},
    [RCITY_SITE_EIRP] = {"eirp_dbm|eirp|max_eirp|tx_eirp", RCITY_QUANTITY_LEVEL, RCITY_POWER_MIN_DBM,
                         RCITY_POWER_MAX_DBM},
    [RCITY_SITE_ERP] = {"erp_dbm|erp|tx_erp", RCITY_QUANTITY_LEVEL, RCITY_POWER_MIN_DBM, RCITY_POWER_MAX_DBM},
    [RCITY_SITE_POWER_DBM] = {"power_dbm|power|tx_power|output_power|transmit_power|conducted_power",
                              RCITY_QUANTITY_LEVEL, RCITY_POWER_MIN_DBM, RCITY_POWER_MAX_DBM},
    [RCITY_SITE_POWER_W] = {"power_w", RCITY_QUANTITY_POWER, 1e-13, 1e9},
    [RCITY_SITE_CABLE_LOSS] = {"cable_loss_db|cable_loss|loss_db|feeder_loss|cable_losses|feeder_losses",
                               RCITY_QUANTITY_LOSS, 0.0, 60.0},
    [RCITY_SITE_LOAD] = {"load|cell_load", RCITY_QUANTITY_SHARE, 0.0, 1.0},
};

static int find_word_column(rcity_records *records, const char *names)
{
    return rcity_records_find_quantity(records, names, RCITY_QUANTITY_WORD);
}

void rcity_site_find_columns(rcity_records *records, rcity_site_columns *columns)
{
    columns->site = find_word_column(records, NAMES_SITE);
    columns->sector = find_word_column(records, NAMES_SECTOR);
    columns->height_above = find_word_column(records, NAMES_HEIGHT_ABOVE);
    columns->antenna = find_word_column(records, NAMES_ANTENNA);
    columns->antenna_file = find_word_column(records, NAMES_ANTENNA_FILE);
    columns->polarization = find_word_column(records, NAMES_POLARIZATION);
    columns->power_kind = find_word_column(records, NAMES_POWER_KIND);
    (void)rcity_records_find(records, NAMES_DERIVED);
    for (int i = 0; i < RCITY_SITE_NUMBER_COUNT; i++) { /* exact names first, so that none is taken for another */
        columns->number[i] = rcity_records_find(records, number_column[i].names);
    }
    for (int i = 0; i < RCITY_SITE_NUMBER_COUNT; i++) {
        columns->number[i] = rcity_records_find_quantity(records, number_column[i].names, number_column[i].quantity);
    }
}

rcity_status rcity_site_read_name(const rcity_records *records, const rcity_site_columns *columns, int64_t row,
                                  char name[RCITY_SITE_NAME_BYTES])
{
    char place[RCITY_RECORDS_PLACE_BYTES];
    const char *site = rcity_records_text(records, row, columns->site);
    const char *sector = rcity_records_text(records, row, columns->sector);
    int length;
    if (site[0] == '\0') {
        RCITY_CHECK(records->context, sector[0] == '\0', RCITY_ERR_FORMAT,
                    "'%s' %s: sector '%.60s' has no site; fill the column site", rcity_csv_name(records->table),
                    rcity_records_place(records, row, place), sector);
        length = snprintf(name, RCITY_SITE_NAME_BYTES, "site-%lld", (long long)row + 1);
    } else {
        length = snprintf(name, RCITY_SITE_NAME_BYTES, sector[0] != '\0' ? "%s/%s" : "%s", site, sector);
    }
    RCITY_CHECK(records->context, length < RCITY_SITE_NAME_BYTES, RCITY_ERR_FORMAT,
                "'%s' %s: the name '%.40s...' has %d bytes, at most %d are taken", rcity_csv_name(records->table),
                rcity_records_place(records, row, place), name, length, RCITY_SITE_NAME_BYTES - 1);
    for (char *letter = name; *letter != '\0'; letter++) { /* a line end inside quotes would get into file names */
        *letter = (unsigned char)*letter < 0x20 || *letter == 0x7f ? ' ' : *letter;
    }
    return RCITY_OK;
}

/* Index of a word in a list, case ignored; -1 if it is not in the list. */
static int find_word(const char *text, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        const char *word = words[i];
        size_t k = 0;
        for (; text[k] != '\0'; k++) {
            char letter = text[k] >= 'A' && text[k] <= 'Z' ? (char)(text[k] - 'A' + 'a') : text[k];
            if (letter != word[k]) {
                break;
            }
        }
        if (text[k] == '\0' && word[k] == '\0') {
            return i;
        }
    }
    return -1;
}

static rcity_status read_words(const rcity_records *records, const rcity_site_columns *columns, int64_t row,
                               rcity_transmitter *transmitter)
{
    static const char *const above[] = {"ground", "agl", "sea", "amsl", "absolute", "datum", NULL};
    /* two words each; of a pair of slants the first represents both, since a sector has one polarization */
    static const char *const polarization[] = {"vertical", "v",     "horizontal", "h",     "slant-minus",
                                               "-45",      "slant", "x",          "cross", "45",
                                               "+45",      "+-45",  "+/-45",      NULL};
    char place[RCITY_RECORDS_PLACE_BYTES];
    const char *text = rcity_records_text(records, row, columns->height_above);
    int found = find_word(text, above);
    RCITY_CHECK(records->context, found >= 0 || text[0] == '\0', RCITY_ERR_FORMAT,
                "'%s' %s, column 'height_above': '%.40s' is neither ground nor sea", rcity_csv_name(records->table),
                rcity_records_place(records, row, place), text);
    transmitter->is_absolute = found >= 0 ? found >= 2 : transmitter->is_absolute;
    text = rcity_records_text(records, row, columns->polarization);
    found = find_word(text, polarization);
    RCITY_CHECK(records->context, found >= 0 || text[0] == '\0', RCITY_ERR_FORMAT,
                "'%s' %s, column '%.60s': '%.40s' is none of vertical, horizontal, slant and slant-minus",
                rcity_csv_name(records->table), rcity_records_place(records, row, place),
                rcity_csv_column_name(records->table, columns->polarization), text);
    if (found >= 0) {
        transmitter->polarization = found < 2   ? RCITY_POLARIZATION_VERTICAL
                                    : found < 4 ? RCITY_POLARIZATION_HORIZONTAL
                                    : found < 6 ? RCITY_POLARIZATION_SLANT_MINUS
                                                : RCITY_POLARIZATION_SLANT;
    }
    return RCITY_OK;
}

const char *rcity_site_antenna(const rcity_records *records, const rcity_site_columns *columns, int64_t row)
{
    const char *file = rcity_records_text(records, row, columns->antenna_file);
    return file[0] != '\0' ? file : rcity_records_text(records, row, columns->antenna);
}

/* The column that a row's power_kind gives a meaning: then power_dbm is the power, whatever else is filled. `*kind` is
   -1 where the row states none. */
static rcity_status read_power_kind(const rcity_records *records, const rcity_site_columns *columns, int64_t row,
                                    const double value[RCITY_SITE_NUMBER_COUNT], int *kind)
{
    static const char *const words[] = {
        [RCITY_POWER_EIRP] = "eirp", [RCITY_POWER_ERP] = "erp", [RCITY_POWER_CONDUCTED] = "conducted", NULL};
    char place[RCITY_RECORDS_PLACE_BYTES];
    const char *text = rcity_records_text(records, row, columns->power_kind);
    *kind = find_word(text, words);
    RCITY_CHECK(records->context, *kind >= 0 || text[0] == '\0', RCITY_ERR_FORMAT,
                "'%s' %s, column 'power_kind': '%.40s' is none of eirp, erp and conducted",
                rcity_csv_name(records->table), rcity_records_place(records, row, place), text);
    RCITY_CHECK(records->context, *kind < 0 || !isnan(value[RCITY_SITE_POWER_DBM]), RCITY_ERR_FORMAT,
                "'%s' %s: power_kind is '%.40s' and power_dbm is empty; fill it", rcity_csv_name(records->table),
                rcity_records_place(records, row, place), text);
    return RCITY_OK;
}

/* A power is stated by at most one of the four columns, or by power_dbm and its kind. */
static rcity_status read_power(const rcity_records *records, const rcity_site_columns *columns, int64_t row,
                               const double value[RCITY_SITE_NUMBER_COUNT], rcity_transmitter *transmitter)
{
    static const rcity_power_kind kinds[] = {RCITY_POWER_EIRP, RCITY_POWER_ERP, RCITY_POWER_CONDUCTED,
                                             RCITY_POWER_CONDUCTED};
    int first = -1;
    int stated_kind = -1;
    RCITY_TRY(read_power_kind(records, columns, row, value, &stated_kind));
    if (stated_kind >= 0) {
        transmitter->power_kind = (rcity_power_kind)stated_kind;
        transmitter->power_dbm = value[RCITY_SITE_POWER_DBM];
        return RCITY_OK;
    }
    for (int i = RCITY_SITE_EIRP; i <= RCITY_SITE_POWER_W; i++) {
        if (isnan(value[i])) {
            continue;
        }
        if (first >= 0) {
            char place[RCITY_RECORDS_PLACE_BYTES];
            return rcity_fail(records->context, RCITY_ERR_FORMAT,
                              "'%s' %s: both '%.60s' and '%.60s' are filled; a sector has one power",
                              rcity_csv_name(records->table), rcity_records_place(records, row, place),
                              rcity_csv_column_name(records->table, columns->number[first]),
                              rcity_csv_column_name(records->table, columns->number[i]));
        }
        first = i;
    }
    if (first >= 0) {
        transmitter->power_kind = kinds[first - RCITY_SITE_EIRP];
        transmitter->power_dbm = first == RCITY_SITE_POWER_W ? 10.0 * log10(1000.0 * value[first]) : value[first];
    }
    return RCITY_OK;
}

static void take(double value, double scale, double *target)
{
    *target = isnan(value) ? *target : value * scale;
}

rcity_status rcity_site_read_row(const rcity_records *records, const rcity_site_columns *columns, int64_t row,
                                 const char *name, rcity_transmitter *transmitter)
{
    char place[RCITY_RECORDS_PLACE_BYTES];
    double value[RCITY_SITE_NUMBER_COUNT];
    for (int i = 0; i < RCITY_SITE_NUMBER_COUNT; i++) {
        value[i] = (double)NAN;
        RCITY_TRY(rcity_records_number(records, row, columns->number[i], number_column[i].low, number_column[i].high,
                                       &value[i]));
    }
    RCITY_TRY(read_words(records, columns, row, transmitter));
    RCITY_TRY(read_power(records, columns, row, value, transmitter));
    take(value[RCITY_SITE_HEIGHT], 1.0, &transmitter->height_m);
    take(value[RCITY_SITE_AZIMUTH], 1.0, &transmitter->azimuth_deg);
    take(value[RCITY_SITE_MECHANICAL_TILT], 1.0, &transmitter->mechanical_tilt_deg);
    take(value[RCITY_SITE_ELECTRICAL_TILT], 1.0, &transmitter->electrical_tilt_deg);
    take(value[RCITY_SITE_FREQUENCY], 1e6, &transmitter->frequency_hz);
    take(value[RCITY_SITE_CABLE_LOSS], 1.0, &transmitter->cable_loss_db);
    take(value[RCITY_SITE_LOAD], 1.0, &transmitter->load);
    RCITY_CHECK(records->context, !isnan(transmitter->frequency_hz), RCITY_ERR_ARGUMENT,
                "'%s' %s: '%s' has no frequency; fill the column frequency_mhz, or give `frequency-mhz` for all",
                rcity_csv_name(records->table), rcity_records_place(records, row, place), name);
    return RCITY_OK;
}
