/* The document of a KMZ file: KML 2.2 (OGC 07-147r2), with its elements in the order of the schema. */
#ifndef RCITY_IO_GLOBE_KML_H
#define RCITY_IO_GLOBE_KML_H

#include "io/export/text_block.h"
#include "io/picture/picture_values.h"
#include "radiocity/map.h"

#define RCITY_KML_OVERLAY "overlay.png" /* names inside the archive */
#define RCITY_KML_LEGEND  "legend.png"
#define RCITY_KML_ICON    "transmitter.png"

/* What the document shows. Borrowed while it is written. */
typedef struct rcity_kml {
    const rcity_map *map;
    const rcity_band *band;
    const rcity_picture_values *values;
    rcity_raster overlay; /* in degrees */
    bool has_legend;
    int threshold_count; /* in the order of drawing */
    const double *thresholds;
    int transmitter_count; /* in the map's CRS */
    const rcity_transmitter *transmitters;
} rcity_kml;

rcity_status rcity_kml_write(const rcity_kml *kml, rcity_text_block *text);

/* "received_power" as people write it: "Received power, dBm". */
void rcity_kml_make_heading(const rcity_band *band, char *heading, size_t room);

#endif
