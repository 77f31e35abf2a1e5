/* The JSON of a binary glTF file: section numbers are those of the glTF 2.0 specification, version 2.0.1. */
#include "io/surfaces/glb_json.h"

#include <math.h>

#include "result/surfaces_data.h"

#define ARRAY_BUFFER         34962 /* what a view is for, 5.11.5 */
#define ELEMENT_ARRAY_BUFFER 34963
#define UNSIGNED_SHORT       5123 /* types of components, 3.6.2.2 */
#define UNSIGNED_INT         5125
#define FLOAT                5126

/* IEC 61966-2-1. */
double rcity_glb_linear(double part)
{
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static bool has_view(const rcity_glb_layout *layout, rcity_glb_view view)
{
    return rcity_glb_view_tile_count(layout, view) > 0;
}

/* The number of a view among those that are there. */
static int view_number(const rcity_glb_layout *layout, rcity_glb_view view)
{
    int number = 0;
    for (int v = 0; v < (int)view; v++) {
        number += has_view(layout, (rcity_glb_view)v);
    }
    return number;
}

static void put_place(rcity_json_writer *json, const char *key, double x_m, double y_m, double z_m)
{
    rcity_json_begin_array(json, key);
    rcity_json_number(json, NULL, x_m);
    rcity_json_number(json, NULL, y_m);
    rcity_json_number(json, NULL, z_m);
    rcity_json_end_array(json);
}

static void put_notes(rcity_json_writer *json, const rcity_surfaces *surfaces)
{
    const char *key = NULL;
    const char *value = NULL;
    rcity_json_begin_object(json, "notes");
    for (int i = 0; rcity_surfaces_get_note(surfaces, i, &key, &value) == RCITY_OK; i++) {
        if (rcity_surfaces_find_note(surfaces, key) == value) { /* of a key that comes again the first value is kept */
            rcity_json_text(json, key, value);
        }
    }
    rcity_json_end_object(json);
}

static void put_extras(rcity_json_writer *json, const rcity_glb_layout *layout)
{
    const rcity_surface_paint *paint = layout->paint;
    rcity_point tx = rcity_surfaces_transmitter(layout->surfaces);
    rcity_json_begin_object(json, "extras");
    rcity_json_text(json, "format", RCITY_SURFACES_FORMAT);
    rcity_json_integer(json, "format_version", RCITY_SURFACES_FORMAT_VERSION);
    rcity_json_text(json, "crs", rcity_surfaces_crs(layout->surfaces));
    put_place(json, "origin_m", layout->origin_x_m, layout->origin_y_m, 0.0);
    put_place(json, "transmitter_m", tx.x_m, tx.y_m, tx.z_m);
    rcity_json_number(json, "frequency_hz", rcity_surfaces_frequency_hz(layout->surfaces));
    if (paint->has_band) {
        rcity_json_begin_object(json, "band");
        rcity_json_text(json, "name", paint->band.name);
        rcity_json_text(json, "unit", paint->band.unit);
        rcity_json_text(json, "text", paint->band.text);
        rcity_json_number(json, "colour_min", paint->values.low);
        rcity_json_number(json, "colour_max", paint->values.high);
        rcity_json_end_object(json);
    }
    put_notes(json, layout->surfaces);
    rcity_json_end_object(json);
}

/* Does a kind have tiles? */
static bool has_kind(const rcity_glb_layout *layout, int kind)
{
    return layout->parts[kind].tile_count > 0 || layout->parts[kind + RCITY_GLB_WITHOUT_VALUE].tile_count > 0;
}

static void put_scene(rcity_json_writer *json, const rcity_glb_layout *layout)
{
    rcity_json_integer(json, "scene", 0);
    rcity_json_begin_array(json, "scenes");
    rcity_json_begin_object(json, NULL);
    rcity_json_text(json, "name", "surfaces");
    if (layout->tile_count > 0) {
        int node = 0;
        rcity_json_begin_array(json, "nodes");
        for (int kind = 0; kind < RCITY_SURFACE_COUNT; kind++) {
            if (has_kind(layout, kind)) {
                rcity_json_integer(json, NULL, node++);
            }
        }
        rcity_json_end_array(json);
    }
    put_extras(json, layout);
    rcity_json_end_object(json);
    rcity_json_end_array(json);
}

static void put_nodes(rcity_json_writer *json, const rcity_glb_layout *layout)
{
    int mesh = 0;
    rcity_json_begin_array(json, "nodes");
    for (int kind = 0; kind < RCITY_SURFACE_COUNT; kind++) {
        if (has_kind(layout, kind)) {
            rcity_json_begin_object(json, NULL);
            rcity_json_text(json, "name", rcity_surface_name((rcity_surface)kind));
            rcity_json_integer(json, "mesh", mesh++);
            rcity_json_end_object(json);
        }
    }
    rcity_json_end_array(json);
}

/* A part of a mesh; its accessors follow each other from `accessor` on. @return the number of accessors. */
static int put_primitive(rcity_json_writer *json, const rcity_glb_layout *layout, int part, int accessor)
{
    bool has_value = part < RCITY_GLB_WITHOUT_VALUE;
    int next = accessor;
    rcity_json_begin_object(json, NULL);
    rcity_json_begin_object(json, "attributes");
    rcity_json_integer(json, "POSITION", next++);
    rcity_json_integer(json, "NORMAL", next++);
    if (has_value) {
        rcity_json_integer(json, "COLOR_0", next++);
        rcity_json_integer(json, "_VALUE", next++);
    }
    rcity_json_end_object(json);
    rcity_json_integer(json, "indices", next++);
    rcity_json_integer(json, "material", !has_value && layout->valued_count > 0 ? 1 : 0);
    rcity_json_end_object(json);
    return next - accessor;
}

static void put_meshes(rcity_json_writer *json, const rcity_glb_layout *layout)
{
    int accessor = 0;
    rcity_json_begin_array(json, "meshes");
    for (int kind = 0; kind < RCITY_SURFACE_COUNT; kind++) {
        if (!has_kind(layout, kind)) {
            continue;
        }
        rcity_json_begin_object(json, NULL);
        rcity_json_text(json, "name", rcity_surface_name((rcity_surface)kind));
        rcity_json_begin_array(json, "primitives");
        for (int part = kind; part < RCITY_GLB_PARTS; part += RCITY_GLB_WITHOUT_VALUE) {
            if (layout->parts[part].tile_count > 0) {
                accessor += put_primitive(json, layout, part, accessor);
            }
        }
        rcity_json_end_array(json);
        rcity_json_end_object(json);
    }
    rcity_json_end_array(json);
}

/* Colours as they are, whatever the light: KHR_materials_unlit; viewers without it see a dull surface. */
static void put_material(rcity_json_writer *json, const char *name, double red, double green, double blue)
{
    rcity_json_begin_object(json, NULL);
    rcity_json_text(json, "name", name);
    rcity_json_boolean(json, "doubleSided", true);
    rcity_json_begin_object(json, "pbrMetallicRoughness");
    rcity_json_begin_array(json, "baseColorFactor");
    rcity_json_number(json, NULL, red);
    rcity_json_number(json, NULL, green);
    rcity_json_number(json, NULL, blue);
    rcity_json_number(json, NULL, 1.0);
    rcity_json_end_array(json);
    rcity_json_number(json, "metallicFactor", 0.0);
    rcity_json_number(json, "roughnessFactor", 1.0);
    rcity_json_end_object(json);
    rcity_json_begin_object(json, "extensions");
    rcity_json_begin_object(json, "KHR_materials_unlit");
    rcity_json_end_object(json);
    rcity_json_end_object(json);
    rcity_json_end_object(json);
}

static void put_materials(rcity_json_writer *json, const rcity_glb_layout *layout)
{
    rcity_json_begin_array(json, "materials");
    if (layout->valued_count > 0) {
        put_material(json, "values", 1.0, 1.0, 1.0);
    }
    if (layout->valued_count < layout->tile_count) {
        rcity_colour grey = rcity_surface_paint_missing();
        put_material(json, "no value", rcity_glb_linear(grey.red), rcity_glb_linear(grey.green),
                     rcity_glb_linear(grey.blue));
    }
    rcity_json_end_array(json);
}

static void put_bounds(rcity_json_writer *json, const char *key, int count, const float *bounds)
{
    rcity_json_begin_array(json, key);
    for (int i = 0; i < count; i++) {
        rcity_json_number(json, NULL, (double)bounds[i]); /* ten digits: the same float again */
    }
    rcity_json_end_array(json);
}

static void put_accessor(rcity_json_writer *json, const rcity_glb_layout *layout, const rcity_glb_part *part,
                         rcity_glb_view view)
{
    static const struct {
        const char *type;
        int component, per_tile;
    } forms[RCITY_GLB_VIEW_COUNT] = {
        [RCITY_GLB_POSITION] = {"VEC3", FLOAT, RCITY_GLB_CORNERS},
        [RCITY_GLB_NORMAL] = {"VEC3", FLOAT, RCITY_GLB_CORNERS},
        [RCITY_GLB_COLOUR] = {"VEC4", UNSIGNED_SHORT, RCITY_GLB_CORNERS},
        [RCITY_GLB_VALUE] = {"SCALAR", FLOAT, RCITY_GLB_CORNERS},
        [RCITY_GLB_INDEX] = {"SCALAR", UNSIGNED_INT, RCITY_GLB_INDICES},
    };
    rcity_json_begin_object(json, NULL);
    rcity_json_integer(json, "bufferView", view_number(layout, view));
    rcity_json_integer(json, "byteOffset", part->tile_first * rcity_glb_view_tile_bytes(view));
    rcity_json_integer(json, "componentType", forms[view].component);
    if (view == RCITY_GLB_COLOUR) {
        rcity_json_boolean(json, "normalized", true);
    }
    rcity_json_integer(json, "count", part->tile_count * forms[view].per_tile);
    rcity_json_text(json, "type", forms[view].type);
    if (view == RCITY_GLB_POSITION) {
        put_bounds(json, "min", 3, part->low);
        put_bounds(json, "max", 3, part->high);
    } else if (view == RCITY_GLB_VALUE) {
        put_bounds(json, "min", 1, &part->value_low);
        put_bounds(json, "max", 1, &part->value_high);
    }
    rcity_json_end_object(json);
}

/* In the order in which the meshes name them. */
static void put_accessors(rcity_json_writer *json, const rcity_glb_layout *layout)
{
    rcity_json_begin_array(json, "accessors");
    for (int i = 0; i < RCITY_GLB_PARTS; i++) {
        int p = i / 2 + (i % 2 == 0 ? 0 : RCITY_GLB_WITHOUT_VALUE);
        const rcity_glb_part *part = &layout->parts[p];
        for (int view = 0; part->tile_count > 0 && view < RCITY_GLB_VIEW_COUNT; view++) {
            bool is_of_values = view == RCITY_GLB_COLOUR || view == RCITY_GLB_VALUE;
            if (!is_of_values || p < RCITY_GLB_WITHOUT_VALUE) {
                put_accessor(json, layout, part, (rcity_glb_view)view);
            }
        }
    }
    rcity_json_end_array(json);
}

static void put_views(rcity_json_writer *json, const rcity_glb_layout *layout)
{
    rcity_json_begin_array(json, "bufferViews");
    for (int v = 0; v < RCITY_GLB_VIEW_COUNT; v++) {
        rcity_glb_view view = (rcity_glb_view)v;
        int64_t tile_bytes = rcity_glb_view_tile_bytes(view);
        if (!has_view(layout, view)) {
            continue;
        }
        rcity_json_begin_object(json, NULL);
        rcity_json_integer(json, "buffer", 0);
        rcity_json_integer(json, "byteOffset", rcity_glb_view_first(layout, view));
        rcity_json_integer(json, "byteLength", rcity_glb_view_tile_count(layout, view) * tile_bytes);
        if (view == RCITY_GLB_INDEX) {
            rcity_json_integer(json, "target", ELEMENT_ARRAY_BUFFER);
        } else { /* several accessors share the view, 3.6.2.4 */
            rcity_json_integer(json, "byteStride", tile_bytes / RCITY_GLB_CORNERS);
            rcity_json_integer(json, "target", ARRAY_BUFFER);
        }
        rcity_json_end_object(json);
    }
    rcity_json_end_array(json);
}

void rcity_glb_put_json(const rcity_glb_layout *layout, rcity_text_block *text)
{
    rcity_json_writer json = rcity_text_block_json(text);
    rcity_json_begin_object(&json, NULL);
    rcity_json_begin_object(&json, "asset");
    rcity_json_text(&json, "version", "2.0");
    rcity_json_text(&json, "generator", "radiocity");
    rcity_json_end_object(&json);
    put_scene(&json, layout);
    if (layout->tile_count > 0) { /* glTF has no empty lists */
        rcity_json_begin_array(&json, "extensionsUsed");
        rcity_json_text(&json, NULL, "KHR_materials_unlit");
        rcity_json_end_array(&json);
        put_nodes(&json, layout);
        put_meshes(&json, layout);
        put_materials(&json, layout);
        put_accessors(&json, layout);
        put_views(&json, layout);
        rcity_json_begin_array(&json, "buffers");
        rcity_json_begin_object(&json, NULL);
        rcity_json_integer(&json, "byteLength", rcity_glb_buffer_bytes(layout));
        rcity_json_end_object(&json);
        rcity_json_end_array(&json);
    }
    rcity_json_end_object(&json);
}
