/* QGIS styles: the renderer of one band as QGIS 3 writes it into .qml files beside rasters. Only what the renderer
   needs is written; everything else keeps QGIS's defaults. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/export/text_block.h"
#include "io/picture/picture_values.h"
#include "radiocity/io.h"
#include "result/map_data.h"

#define CLASS_MAX  4096 /* entries of a palette */
#define RAMP_STEPS 10   /* the colour scale's own anchors: QGIS interpolates linearly between them, as pictures do */

static void add_colour(rcity_text_block *text, rcity_colour colour)
{
    rcity_text_add(text, "color=\"#%06x\" alpha=\"255\"", (unsigned)rcity_colour_pack(colour));
}

/* The name of a class or sector, or its number. */
static void add_class_name(rcity_text_block *text, const rcity_picture_values *values, int number)
{
    const char *name = rcity_picture_class_name(values, number);
    if (name != NULL) {
        rcity_text_add_xml(text, name);
    } else {
        rcity_text_add(text, "%d", number);
    }
}

static void add_entry(rcity_text_block *text, const rcity_picture_values *values, int value)
{
    rcity_text_add(text, "        <paletteEntry value=\"%d\" ", value);
    add_colour(text, rcity_picture_value_colour(values, value));
    rcity_text_add(text, " label=\"");
}

static void open_renderer(rcity_text_block *text, const char *type, int band_index)
{
    rcity_text_add(text, "    <rasterrenderer type=\"%s\" band=\"%d\" opacity=\"1\" alphaBand=\"-1\" nodataColor=\"\"",
                   type, band_index + 1);
}

/* Sectors, classes, or yes and no: one entry for each value. */
static rcity_status add_palette(rcity_text_block *text, int band_index, const rcity_picture_values *values)
{
    int count = (int)fmin(values->high, CLASS_MAX + 1.0);
    RCITY_CHECK(text->context, count <= CLASS_MAX, RCITY_ERR_ARGUMENT,
                "a style has at most %d sectors, the band's highest number is %.0f", CLASS_MAX, values->maximum);
    open_renderer(text, "paletted", band_index);
    rcity_text_add(text, ">\n      <rasterTransparency/>\n      <colorPalette>\n");
    if (values->is_yes_no) {
        for (int value = 0; value <= 1; value++) {
            add_entry(text, values, value);
            rcity_text_add(text, "%s\"/>\n", value == 1 ? "yes" : "no");
        }
    }
    for (int number = values->is_class ? 0 : 1; number <= count && !values->is_yes_no; number++) {
        if (values->is_server || rcity_picture_class_name(values, number) != NULL) {
            add_entry(text, values, number);
            add_class_name(text, values, number);
            rcity_text_add(text, "\"/>\n");
        }
    }
    rcity_text_add(text, "      </colorPalette>\n    </rasterrenderer>\n");
    return RCITY_OK;
}

/* Linear interpolation between neighbouring colours; values beyond the ends get the ends' colours. */
static void add_ramp(rcity_text_block *text, const rcity_band *band, int band_index, const rcity_picture_values *values)
{
    open_renderer(text, "singlebandpseudocolor", band_index);
    rcity_text_add(text, " classificationMin=\"");
    rcity_text_add_number(text, values->low);
    rcity_text_add(text, "\" classificationMax=\"");
    rcity_text_add_number(text, values->high);
    rcity_text_add(text, "\">\n      <rasterTransparency/>\n      <rastershader>\n        <colorrampshader "
                         "colorRampType=\"INTERPOLATED\" classificationMode=\"1\" clip=\"0\" minimumValue=\"");
    rcity_text_add_number(text, values->low);
    rcity_text_add(text, "\" maximumValue=\"");
    rcity_text_add_number(text, values->high);
    rcity_text_add(text, "\">\n");
    for (int i = 0; i <= RAMP_STEPS; i++) {
        double value = values->low + (values->high - values->low) * (double)i / RAMP_STEPS;
        rcity_text_add(text, "          <item value=\"");
        rcity_text_add_number(text, value);
        rcity_text_add(text, "\" ");
        add_colour(text, rcity_picture_value_colour(values, value));
        rcity_text_add(text, " label=\"");
        rcity_text_add_number(text, value);
        if (band->unit[0] != '\0') {
            rcity_text_add(text, " ");
            rcity_text_add_xml(text, band->unit);
        }
        rcity_text_add(text, "\"/>\n");
    }
    rcity_text_add(text, "        </colorrampshader>\n      </rastershader>\n    </rasterrenderer>\n");
}

static rcity_status write_style(rcity_text_block *text, int band_index, const rcity_band *band,
                                const rcity_picture_values *values)
{
    rcity_text_add(text, "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
                         "<qgis version=\"3.22.0\" styleCategories=\"Symbology\">\n  <pipe>\n");
    if (values->is_server || values->is_class || values->is_yes_no) {
        RCITY_TRY(add_palette(text, band_index, values));
    } else {
        add_ramp(text, band, band_index, values);
    }
    rcity_text_add(text, "    <brightnesscontrast brightness=\"0\" contrast=\"0\" gamma=\"1\"/>\n"
                         "    <huesaturation saturation=\"0\" grayscaleMode=\"0\" colorizeOn=\"0\"/>\n"
                         "    <rasterresampler maxOversampling=\"2\"/>\n"
                         "  </pipe>\n  <blendMode>0</blendMode>\n</qgis>\n");
    return text->status;
}

rcity_status rcity_map_save_style(rcity_context *context, const rcity_map *map, int band_index, double value_min,
                                  double value_max, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, map);
    RCITY_NEED(context, path);
    rcity_band band = {.name = ""};
    RCITY_TRY(rcity_map_find_band(context, map, band_index, &band));
    RCITY_CHECK(context, !isinf(value_min) && !isinf(value_max) && !(value_min >= value_max), RCITY_ERR_ARGUMENT,
                "the colour bar ends at %g and %g; the lower end comes first", value_min, value_max);
    rcity_raster raster = rcity_map_raster(map);
    rcity_picture_values values = {.has_any = false};
    RCITY_TRY(rcity_picture_measure_band(context, &band, raster.column_count * raster.row_count, value_min, value_max,
                                         &values));
    rcity_text_block text;
    rcity_text_block_init(context, &text);
    rcity_status status = write_style(&text, band_index, &band, &values);
    if (status == RCITY_OK) {
        status = rcity_file_save(context, path, text.text, text.length);
    }
    rcity_text_block_deinit(&text);
    return status;
}
