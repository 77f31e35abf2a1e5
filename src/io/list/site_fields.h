/* Reads the columns of a site list into a sector. */
#ifndef RCITY_IO_LIST_SITE_FIELDS_H
#define RCITY_IO_LIST_SITE_FIELDS_H

#include "io/list/records.h"
#include "radiocity/site.h"

#define RCITY_SITE_NAME_BYTES 200 /* size of a sector's name, with its site */

/* Columns with numbers. */
typedef enum rcity_site_number {
    RCITY_SITE_HEIGHT,
    RCITY_SITE_AZIMUTH,
    RCITY_SITE_MECHANICAL_TILT,
    RCITY_SITE_ELECTRICAL_TILT,
    RCITY_SITE_FREQUENCY,
    RCITY_SITE_EIRP,
    RCITY_SITE_ERP,
    RCITY_SITE_POWER_DBM,
    RCITY_SITE_POWER_W,
    RCITY_SITE_CABLE_LOSS,
    RCITY_SITE_LOAD,
    RCITY_SITE_NUMBER_COUNT,
} rcity_site_number;

/* Index of each column in a list; -1 if it does not exist. */
typedef struct rcity_site_columns {
    int site, sector, height_above, antenna, antenna_file, polarization, power_kind;
    int number[RCITY_SITE_NUMBER_COUNT];
} rcity_site_columns;

void rcity_site_find_columns(rcity_records *records, rcity_site_columns *columns);

/* "SITE/SECTOR", "SITE", or "site-N" for row N without a name.
   @return RCITY_ERR_FORMAT for a name that is too long or a sector without site. */
rcity_status rcity_site_read_name(const rcity_records *records, const rcity_site_columns *columns, int64_t row,
                                  char name[RCITY_SITE_NAME_BYTES]);

/* The antenna of a row: a built-in name or a file; "" where none is named. A file wins over a name, which may be the
   pattern's own. */
const char *rcity_site_antenna(const rcity_records *records, const rcity_site_columns *columns, int64_t row);

/* All numbers and words of a row except name, position and antenna, written over those of `transmitter`.
   @return RCITY_ERR_FORMAT, RCITY_ERR_ARGUMENT for a sector without
   frequency. */
rcity_status rcity_site_read_row(const rcity_records *records, const rcity_site_columns *columns, int64_t row,
                                 const char *name, rcity_transmitter *transmitter);

#endif
