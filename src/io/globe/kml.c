/* Writing KML. */
#include "io/globe/kml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "io/export/coverage_area.h"
#include "radiocity/crs.h"
#include "result/map_data.h"

#define DEGREE_DECIMALS 8
#define LINE_SHADE      0.55 /* of the overlay's colour, so that outlines show on it */

void rcity_kml_make_heading(const rcity_band *band, char *heading, size_t room)
{
    rcity_band_spell_name(band, heading, room);
    size_t used = strlen(heading);
    snprintf(heading + used, room - used, band->unit[0] != '\0' ? ", %s" : "%s", band->unit);
}

/* <name>text</name> */
static void add_element(rcity_text_block *text, const char *name, const char *content)
{
    rcity_text_add(text, "<%s>", name);
    rcity_text_add_xml(text, content);
    rcity_text_add(text, "</%s>\n", name);
}

static void add_degrees(rcity_text_block *text, const char *name, double degrees)
{
    rcity_text_add(text, "<%s>", name);
    rcity_text_add_fixed(text, degrees, 12);
    rcity_text_add(text, "</%s>", name);
}

/* A description is HTML for those who show it. */
static void add_description(rcity_text_block *text, const char *content)
{
    rcity_text_add(text, "<description>");
    rcity_text_add_html(text, content);
    rcity_text_add(text, "</description>\n");
}

/* How the map was made, one line for each note. */
static void add_notes(rcity_text_block *text, const rcity_map *map, const rcity_band *band)
{
    const char *key = NULL;
    const char *value = NULL;
    rcity_text_add(text, "<description>");
    rcity_text_add_html(text, band->text);
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        rcity_text_add_xml(text, "\n");
        rcity_text_add_html(text, key);
        rcity_text_add(text, ": ");
        rcity_text_add_html(text, value);
    }
    rcity_text_add(text, "</description>\n");
}

/* KML's order is alpha, blue, green, red. */
static unsigned kml_colour(rcity_colour colour, unsigned alpha)
{
    unsigned rgb = (unsigned)rcity_colour_pack(colour);
    return alpha << 24 | (rgb & 0xff) << 16 | (rgb & 0xff00) | rgb >> 16;
}

static void add_styles(rcity_text_block *text, const rcity_kml *kml)
{
    rcity_text_add(text, "<Style id=\"transmitter\"><IconStyle><scale>0.8</scale><Icon><href>" RCITY_KML_ICON
                         "</href></Icon></IconStyle></Style>\n");
    for (int i = 0; i < kml->threshold_count; i++) {
        rcity_colour colour =
            rcity_colour_shade(rcity_picture_value_colour(kml->values, kml->thresholds[i]), LINE_SHADE);
        rcity_text_add(text,
                       "<Style id=\"area%d\"><LineStyle><color>%08x</color><width>2</width></LineStyle>"
                       "<PolyStyle><fill>0</fill><outline>1</outline></PolyStyle></Style>\n",
                       i + 1, kml_colour(colour, 0xff));
    }
}

/* The legend hangs in the upper left corner of the screen, in its own size. */
static void add_legend(rcity_text_block *text)
{
    rcity_text_add(text, "<ScreenOverlay><name>Legend</name><Icon><href>" RCITY_KML_LEGEND "</href></Icon>"
                         "<overlayXY x=\"0\" y=\"1\" xunits=\"fraction\" yunits=\"fraction\"/>"
                         "<screenXY x=\"0.01\" y=\"0.99\" xunits=\"fraction\" yunits=\"fraction\"/>"
                         "<size x=\"0\" y=\"0\" xunits=\"fraction\" yunits=\"fraction\"/></ScreenOverlay>\n");
}

static void add_overlay(rcity_text_block *text, const rcity_kml *kml, const char *heading)
{
    const rcity_raster *raster = &kml->overlay;
    rcity_text_add(text, "<GroundOverlay>");
    add_element(text, "name", heading);
    rcity_text_add(text, "<Icon><href>" RCITY_KML_OVERLAY "</href></Icon><LatLonBox>");
    add_degrees(text, "north", raster->north_m);
    add_degrees(text, "south", raster->north_m - (double)raster->row_count * raster->cell_m);
    add_degrees(text, "east", raster->west_m + (double)raster->column_count * raster->cell_m);
    add_degrees(text, "west", raster->west_m);
    rcity_text_add(text, "</LatLonBox></GroundOverlay>\n");
}

static void add_point(rcity_text_block *text, const double *lonlat)
{
    rcity_text_add_fixed(text, lonlat[0], DEGREE_DECIMALS);
    rcity_text_add(text, ",");
    rcity_text_add_fixed(text, lonlat[1], DEGREE_DECIMALS);
}

static void add_ring(rcity_text_block *text, const rcity_coverage_area *area, size_t ring)
{
    const rcity_outlines *outlines = &area->outlines;
    const char *role = area->regions.ring[ring].is_outer ? "outerBoundaryIs" : "innerBoundaryIs";
    rcity_text_add(text, "<%s><LinearRing><coordinates>", role);
    for (size_t i = outlines->ring_first[ring]; i < outlines->ring_first[ring + 1]; i++) {
        add_point(text, outlines->xy + 2 * i);
        rcity_text_add(text, " ");
    }
    add_point(text, outlines->xy + 2 * outlines->ring_first[ring]);
    rcity_text_add(text, "</coordinates></LinearRing></%s>", role);
}

static void add_area(rcity_text_block *text, const rcity_kml *kml, const rcity_coverage_area *area, int number)
{
    char name[96], description[128];
    rcity_number_print(name, sizeof name, "%.10g %.40s", area->threshold, kml->band->unit);
    rcity_number_print(description, sizeof description, "%.3f km2, %.2f %% of the area with a value", area->area_km2,
                       100.0 * area->fraction);
    rcity_text_add(text, "<Placemark>");
    add_element(text, "name", name);
    if (isfinite(area->area_km2) && isfinite(area->fraction)) {
        add_description(text, description);
    }
    rcity_text_add(text, "<styleUrl>#area%d</styleUrl><MultiGeometry>\n", number);
    for (size_t i = 0; i < area->regions.ring_count; i++) {
        bool is_last = i + 1 == area->regions.ring_count || area->regions.ring[i + 1].is_outer;
        rcity_text_add(text, area->regions.ring[i].is_outer ? "<Polygon>" : "");
        add_ring(text, area, i);
        rcity_text_add(text, is_last ? "</Polygon>\n" : "");
    }
    rcity_text_add(text, "</MultiGeometry></Placemark>\n");
}

static rcity_status add_areas(rcity_text_block *text, const rcity_kml *kml)
{
    rcity_text_add(text, "<Folder><name>Coverage</name>\n");
    for (int i = 0; i < kml->threshold_count; i++) {
        rcity_coverage_area area;
        RCITY_TRY(rcity_coverage_area_make(text->context, kml->map, kml->band, kml->thresholds[i], &area));
        add_area(text, kml, &area, i + 1);
        rcity_coverage_area_deinit(&area);
        RCITY_TRY(text->status);
        RCITY_TRY(rcity_progress(text->context, "coverage areas", i + 1, kml->threshold_count));
    }
    rcity_text_add(text, "</Folder>\n");
    return text->status;
}

static void describe_transmitter(const rcity_transmitter *transmitter, char *line, size_t room)
{
    double eirp_dbm = rcity_transmitter_eirp_dbm(transmitter);
    int length = rcity_number_print(line, room, "%.10g MHz\n%.10g m above %s", transmitter->frequency_hz * 1e-6,
                                    transmitter->height_m, transmitter->is_absolute ? "datum" : "ground");
    if (!isnan(eirp_dbm)) {
        length += rcity_number_print(line + length, room - (size_t)length, "\nEIRP %.4g dBm", eirp_dbm);
    }
    if (transmitter->antenna != NULL) {
        rcity_antenna_info info;
        rcity_antenna_describe(transmitter->antenna, &info);
        rcity_number_print(line + length, room - (size_t)length,
                           "\nantenna %.60s, %.4g dBi, azimuth %.4g degrees, mechanical tilt %.4g degrees", info.name,
                           info.gain_dbi, transmitter->azimuth_deg, transmitter->mechanical_tilt_deg);
    }
}

static void add_transmitter(rcity_text_block *text, const rcity_transmitter *transmitter, const double *lonlat)
{
    char description[320];
    describe_transmitter(transmitter, description, sizeof description);
    rcity_text_add(text, "<Placemark>");
    add_element(text, "name", transmitter->name != NULL ? transmitter->name : "Tx");
    add_description(text, description);
    rcity_text_add(text,
                   "<styleUrl>#transmitter</styleUrl><Point><extrude>1</extrude><altitudeMode>%s</altitudeMode>"
                   "<coordinates>",
                   transmitter->is_absolute ? "absolute" : "relativeToGround");
    add_point(text, lonlat);
    rcity_text_add(text, ",");
    rcity_text_add_fixed(text, transmitter->height_m, 2);
    rcity_text_add(text, "</coordinates></Point></Placemark>\n");
}

static rcity_status add_transmitters(rcity_text_block *text, const rcity_kml *kml)
{
    double *lonlat = NULL;
    size_t count = (size_t)kml->transmitter_count;
    RCITY_TRY(rcity_alloc(text->context, 2 * count, sizeof *lonlat, "positions", &lonlat));
    for (size_t i = 0; i < count; i++) {
        lonlat[2 * i] = kml->transmitters[i].x_m;
        lonlat[2 * i + 1] = kml->transmitters[i].y_m;
    }
    rcity_status status =
        rcity_crs_transform(text->context, rcity_map_crs(kml->map), RCITY_CRS_LONLAT, (int64_t)count, lonlat);
    if (status == RCITY_OK) {
        rcity_text_add(text, "<Folder><name>Transmitters</name>\n");
        for (size_t i = 0; i < count; i++) {
            add_transmitter(text, &kml->transmitters[i], lonlat + 2 * i);
        }
        rcity_text_add(text, "</Folder>\n");
    }
    rcity_release(text->context, lonlat);
    return status;
}

rcity_status rcity_kml_write(const rcity_kml *kml, rcity_text_block *text)
{
    char heading[256];
    rcity_kml_make_heading(kml->band, heading, sizeof heading);
    rcity_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>");
    add_element(text, "name", heading);
    rcity_text_add(text, "<open>1</open>\n");
    add_notes(text, kml->map, kml->band);
    add_styles(text, kml);
    if (kml->has_legend) {
        add_legend(text);
    }
    add_overlay(text, kml, heading);
    if (kml->threshold_count > 0) {
        RCITY_TRY(add_areas(text, kml));
    }
    if (kml->transmitter_count > 0) {
        RCITY_TRY(add_transmitters(text, kml));
    }
    rcity_text_add(text, "</Document>\n</kml>\n");
    return text->status;
}
