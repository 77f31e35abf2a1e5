/* COST 231 wall lists: `x1 y1 x2 y2 height id kind ground`, one wall a line. The walls of a building follow each other;
   a ring ends where it began. A clockwise ring after the first of the same building is a courtyard in it, a
   counter-clockwise one another part of it. The ground height is read and checked but not used: the data give it per
   building, not as terrain, and users of the data take the city as flat. */
#include "io/res.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "base/base.h"
#include "base/file.h"
#include "base/number.h"
#include "radiocity/io.h"
#include "scene/shapes.h"

enum { X1, Y1, X2, Y2, HEIGHT, ID, KIND, GROUND, FIELD_COUNT };

/* The walls of one building while they are read. */
typedef struct res_reader {
    rcity_context *context;
    rcity_scene *scene;
    const char *name;
    long line;
    double *xy_m; /* points of the building's rings */
    size_t point_count, point_capacity;
    int *ring_point_count;
    size_t ring_count, ring_capacity;
    size_t ring_first_point; /* of the ring that is not closed yet */
    long ring_first_line;
    long building_first_line;
    double end_x_m, end_y_m; /* end of the last wall */
    bool is_ring_open;
    bool is_dropped; /* the current building has an error and is left out */
    bool has_building;
    double id, height_m;
} res_reader;

static rcity_status check_number(const res_reader *reader, int field, const char *begin, size_t length, bool is_number)
{
    static const char *const field_name[FIELD_COUNT] = {"x1",     "y1",          "x2",   "y2",
                                                        "height", "building id", "kind", "ground"};
    RCITY_CHECK(reader->context, is_number, RCITY_ERR_FORMAT,
                "'%s' line %ld: '%.*s' is not a number for %s; a wall is 'x1 y1 x2 y2 height id 1 ground'",
                reader->name, reader->line, (int)(length < 32 ? length : 32), begin, field_name[field]);
    return RCITY_OK;
}

/* The eight numbers of a line; `*is_empty` is set for an empty line. */
static rcity_status read_line(const res_reader *reader, const char *text, const char *end, double value[FIELD_COUNT],
                              bool *is_empty)
{
    int field = 0;
    *is_empty = false;
    for (;;) {
        while (text < end && (*text == ' ' || *text == '\t' || *text == '\r' || *text == 0x1a)) {
            text++;
        }
        if (text == end) {
            break;
        }
        RCITY_CHECK(reader->context, field < FIELD_COUNT, RCITY_ERR_FORMAT,
                    "'%s' line %ld has more than %d fields; a wall is 'x1 y1 x2 y2 height id 1 ground'", reader->name,
                    reader->line, FIELD_COUNT);
        const char *word = text;
        bool is_number = rcity_number_read(&text, end, &value[field]) && isfinite(value[field]);
        is_number = is_number && (text == end || *text == ' ' || *text == '\t' || *text == '\r' || *text == 0x1a);
        const char *word_end = text > word ? text : word;
        while (word_end < end && *word_end != ' ' && *word_end != '\t' && *word_end != '\r') {
            word_end++;
        }
        RCITY_TRY(check_number(reader, field, word, (size_t)(word_end - word), is_number));
        field++;
    }
    if (field == 0) {
        *is_empty = true;
        return RCITY_OK;
    }
    RCITY_CHECK(reader->context, field == FIELD_COUNT, RCITY_ERR_FORMAT,
                "'%s' line %ld has %d fields, needs %d; a wall is 'x1 y1 x2 y2 height id 1 ground'", reader->name,
                reader->line, field, FIELD_COUNT);
    RCITY_CHECK(reader->context, fabs(value[ID]) < 9e15 && value[ID] == floor(value[ID]), RCITY_ERR_FORMAT,
                "'%s' line %ld: the building id %g is not a whole number", reader->name, reader->line, value[ID]);
    return RCITY_OK;
}

static double ring_area2(const double *xy_m, int count)
{
    double area2 = 0.0;
    for (int i = 0; i < count; i++) {
        int next = i + 1 < count ? i + 1 : 0;
        /* relative to the first point, so that large coordinates do not cancel the area */
        double ax = xy_m[2 * i] - xy_m[0];
        double ay = xy_m[2 * i + 1] - xy_m[1];
        double bx = xy_m[2 * next] - xy_m[0];
        double by = xy_m[2 * next + 1] - xy_m[1];
        area2 += ax * by - bx * ay;
    }
    return area2;
}

/* Add the current building to the scene: its first ring with the clockwise ones as courtyards, the others as parts. */
static rcity_status end_building(res_reader *reader)
{
    if (!reader->has_building) {
        return RCITY_OK;
    }
    if (reader->is_ring_open && !reader->is_dropped) {
        if (!rcity_scene_drops_invalid(reader->scene)) {
            return rcity_fail(
                reader->context, RCITY_ERR_GEOMETRY,
                "'%s' line %ld: the ring of building %.0f that starts at line %ld does not close; correct "
                "the data or leave it out with `bad-buildings=drop`",
                reader->name, reader->line, reader->id, reader->ring_first_line);
        }
        reader->is_dropped = true;
    }
    if (reader->is_dropped) {
        rcity_scene_note_dropped(reader->scene);
        return RCITY_OK;
    }
    size_t first_point = 0;
    size_t ring = 0;
    while (ring < reader->ring_count) {
        size_t ring_end = ring + 1;
        size_t point_end = first_point + (size_t)reader->ring_point_count[ring];
        while (ring_end < reader->ring_count &&
               ring_area2(reader->xy_m + 2 * point_end, reader->ring_point_count[ring_end]) < 0.0) {
            point_end += (size_t)reader->ring_point_count[ring_end];
            ring_end++;
        }
        rcity_building building = rcity_building_default();
        building.id = (int64_t)reader->id;
        building.height_m = reader->height_m;
        building.ring_count = (int)(ring_end - ring);
        building.ring_point_count = reader->ring_point_count + ring;
        building.xy_m = reader->xy_m + 2 * first_point;
        rcity_status status = rcity_scene_add_building(reader->scene, &building);
        if (status != RCITY_OK) {
            return rcity_fail_prefix(reader->context, status, "'%s' line %ld: ", reader->name,
                                     reader->building_first_line);
        }
        ring = ring_end;
        first_point = point_end;
    }
    return RCITY_OK;
}

static void begin_building(res_reader *reader, const double value[FIELD_COUNT])
{
    reader->has_building = true;
    reader->building_first_line = reader->line;
    reader->id = value[ID];
    reader->height_m = value[HEIGHT];
    reader->point_count = 0;
    reader->ring_count = 0;
    reader->is_ring_open = false;
    reader->is_dropped = false;
}

/* A defect of the current building: an error, or the reason to leave it out. */
static rcity_status reject(res_reader *reader, const char *format, ...) RCITY_PRINTF(2, 3);

static rcity_status reject(res_reader *reader, const char *format, ...)
{
    if (rcity_scene_drops_invalid(reader->scene)) {
        reader->is_dropped = true;
        return RCITY_OK;
    }
    char detail[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    return rcity_fail(reader->context, RCITY_ERR_GEOMETRY,
                      "'%s' line %ld: building %.0f %s; correct the data or leave it out with `bad-buildings=drop`",
                      reader->name, reader->line, reader->id, detail);
}

static rcity_status add_wall(res_reader *reader, const double value[FIELD_COUNT])
{
    if (!reader->has_building || value[ID] != reader->id) {
        RCITY_TRY(end_building(reader));
        begin_building(reader, value);
    }
    if (reader->is_dropped) {
        return RCITY_OK;
    }
    if (value[HEIGHT] != reader->height_m) {
        return reject(reader, "changes its height from %g to %g m", reader->height_m, value[HEIGHT]);
    }
    if (reader->is_ring_open && (value[X1] != reader->end_x_m || value[Y1] != reader->end_y_m)) {
        return reject(reader, "has a wall that starts at (%g, %g), not where the last one ended", value[X1], value[Y1]);
    }
    if (!reader->is_ring_open) {
        RCITY_TRY(rcity_reserve(reader->context, reader->ring_count + 1, sizeof *reader->ring_point_count,
                                &reader->ring_capacity, "walls", &reader->ring_point_count));
        reader->ring_point_count[reader->ring_count++] = 0;
        reader->ring_first_point = reader->point_count;
        reader->ring_first_line = reader->line;
        reader->is_ring_open = true;
    }
    RCITY_TRY(rcity_reserve(reader->context, reader->point_count + 1, 2 * sizeof *reader->xy_m, &reader->point_capacity,
                            "walls", &reader->xy_m));
    reader->xy_m[2 * reader->point_count] = value[X1];
    reader->xy_m[2 * reader->point_count + 1] = value[Y1];
    reader->point_count++;
    reader->ring_point_count[reader->ring_count - 1]++;
    reader->end_x_m = value[X2];
    reader->end_y_m = value[Y2];
    const double *start = reader->xy_m + 2 * reader->ring_first_point;
    reader->is_ring_open = value[X2] != start[0] || value[Y2] != start[1];
    return RCITY_OK;
}

static rcity_status read_walls(res_reader *reader, const char *text, size_t bytes)
{
    const char *file_end = text + bytes;
    size_t wall_count = 0;
    while (text < file_end) {
        const char *line_end = memchr(text, '\n', (size_t)(file_end - text));
        line_end = line_end != NULL ? line_end : file_end;
        reader->line++;
        double value[FIELD_COUNT];
        bool is_empty;
        RCITY_TRY(read_line(reader, text, line_end, value, &is_empty));
        if (!is_empty) {
            RCITY_TRY(add_wall(reader, value));
            wall_count++;
        }
        text = line_end < file_end ? line_end + 1 : file_end;
    }
    RCITY_TRY(end_building(reader));
    RCITY_CHECK(reader->context, wall_count > 0, RCITY_ERR_FORMAT, "'%s' holds no wall", reader->name);
    return RCITY_OK;
}

rcity_status rcity_res_read(rcity_context *context, const char *name, const char *text, size_t bytes,
                            const rcity_scene_options *options, rcity_scene **scene)
{
    res_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.context = context;
    reader.name = name;
    rcity_status status;
    RCITY_TRY_DONE(rcity_scene_create(context, options, &reader.scene));
    RCITY_TRY_DONE(read_walls(&reader, text, bytes));
    const char *slash = strrchr(name, '/');
    char source[200];
    snprintf(source, sizeof source, "%.180s", slash != NULL ? slash + 1 : name);
    RCITY_TRY_DONE(rcity_scene_set_source(reader.scene, source));
    status = rcity_scene_commit(reader.scene);
    if (status != RCITY_OK) {
        rcity_fail_prefix(context, status, "'%s': ", name);
        goto done;
    }
    *scene = reader.scene;
    reader.scene = NULL;
done:
    rcity_scene_destroy(&reader.scene);
    rcity_release(context, reader.ring_point_count);
    rcity_release(context, reader.xy_m);
    return status;
}

rcity_status rcity_res_load(rcity_context *context, const char *path, const rcity_scene_options *options,
                            rcity_scene **scene)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    RCITY_NEED(context, options);
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_scene_options, options));
    RCITY_NEED(context, scene);
    char *text = NULL;
    size_t bytes = 0;
    RCITY_TRY(rcity_file_load(context, path, &text, &bytes));
    rcity_status status = rcity_res_read(context, path, text, bytes, options, scene);
    rcity_release(context, text);
    return status;
}
