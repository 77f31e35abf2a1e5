/* Fields of vector layers: found by name, read as text or number. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/import/measure.h"
#include "io/import/vector/vector.h"

void rcity_tags_get(const char *tags, const char *key, char *text, size_t room)
{
    text[0] = '\0';
    bool is_key = true; /* quoted words alternate: key, value, key, value */
    bool is_wanted = false;
    while ((tags = strchr(tags, '"')) != NULL) {
        char word[256];
        size_t length = 0;
        for (tags++; *tags != '\0' && *tags != '"'; tags++) {
            tags += *tags == '\\' && tags[1] != '\0';
            if (length + 1 < sizeof word) {
                word[length++] = *tags;
            }
        }
        word[length] = '\0';
        tags += *tags == '"';
        if (!is_key && is_wanted) {
            snprintf(text, room, "%s", word);
            return;
        }
        is_wanted = is_key && strcasecmp(word, key) == 0;
        bool has_value = tags[strspn(tags, " =>")] == '"'; /* else it is an unquoted NULL */
        is_key = !is_key || !has_value;
    }
}

void rcity_vector_list_fields(const rcity_vector *vector, char *text, size_t room)
{
    OGRFeatureDefnH definition = OGR_L_GetLayerDefn(vector->layer);
    int field_count = OGR_FD_GetFieldCount(definition);
    snprintf(text, room, "%s", field_count > 0 ? "" : "none");
    for (int i = 0; i < field_count; i++) {
        const char *name = OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(definition, i));
        size_t length = strlen(text);
        if (length + strlen(name) + 8 > room) {
            snprintf(text + length, room - length, ", ...");
            return;
        }
        snprintf(text + length, room - length, "%s%s", i > 0 ? ", " : "", name);
    }
}

/* Edit distance of two words, case ignored. */
static int word_distance(const char *a, const char *b)
{
    enum { LONGEST = 62 };
    int row[LONGEST + 2];
    size_t b_length = strlen(b);
    if (strlen(a) > LONGEST || b_length > LONGEST) {
        return LONGEST;
    }
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = (int)j;
    }
    for (int i = 1; a[i - 1] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            int above = row[j];
            int best = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            best = above + 1 < best ? above + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = above;
            row[j] = best;
        }
    }
    return row[b_length];
}

/* The field whose name is most similar to a word; NULL if none is similar. */
static const char *find_near(OGRFeatureDefnH definition, const char *word)
{
    const char *nearest = NULL;
    int nearest_distance = 4;
    for (int i = 0; i < OGR_FD_GetFieldCount(definition); i++) {
        const char *name = OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(definition, i));
        int distance = word_distance(name, word);
        if (distance < nearest_distance && distance < (int)strlen(word)) {
            nearest = name;
            nearest_distance = distance;
        }
    }
    return nearest;
}

static void set_field(rcity_vector_field *field, int index, bool is_tag, const char *name)
{
    memset(field, 0, sizeof *field);
    field->is_found = true;
    field->is_tag = is_tag;
    field->index = index;
    field->unit = 1.0;
    snprintf(field->name, sizeof field->name, "%s", name);
}

static bool holds_numbers(OGRFieldDefnH field)
{
    OGRFieldType type = OGR_Fld_GetType(field);
    return type == OFTInteger || type == OFTInteger64 || type == OFTReal || type == OFTString;
}

static rcity_status find_named(const rcity_vector *vector, const char *wanted, const char *option, bool is_number,
                               rcity_vector_field *field)
{
    rcity_context *context = vector->import->context;
    OGRFeatureDefnH definition = OGR_L_GetLayerDefn(vector->layer);
    int index = OGR_FD_GetFieldIndex(definition, wanted);
    if (index < 0 && vector->tags_field >= 0) {
        set_field(field, vector->tags_field, true, wanted);
        return RCITY_OK;
    }
    if (index < 0) {
        char fields[600];
        rcity_vector_list_fields(vector, fields, sizeof fields);
        const char *near = find_near(definition, wanted);
        return rcity_fail(context, RCITY_ERR_ARGUMENT, "'%s' has no field '%.60s' for `%s`%s%s%s; it has: %s",
                          vector->path, wanted, option, near != NULL ? " (did you mean '" : "",
                          near != NULL ? near : "", near != NULL ? "'?)" : "", fields);
    }
    OGRFieldDefnH found = OGR_FD_GetFieldDefn(definition, index);
    RCITY_CHECK(context, !is_number || holds_numbers(found), RCITY_ERR_ARGUMENT,
                "the field '%s' of '%s' is of type %s and holds no numbers for `%s`", OGR_Fld_GetNameRef(found),
                vector->path, OGR_GetFieldTypeName(OGR_Fld_GetType(found)), option);
    set_field(field, index, false, OGR_Fld_GetNameRef(found));
    return RCITY_OK;
}

/* May a field contain numbers, judged by its values? A text field may contain anything: "yes", "oak". It is accepted
   unless all texts at the beginning of the layer are not numbers; a few such texts are errors in the data. */
static bool reads_as_numbers(const rcity_vector *vector, int index, OGRFieldDefnH definition)
{
    enum { PEEK_MAX = 1000 };
    if (OGR_Fld_GetType(definition) != OFTString || vector->is_osm) {
        return true; /* the meaning of OpenStreetMap's tags is defined */
    }
    rcity_vector_field field = {.is_found = true, .index = index};
    bool has_text = false;
    bool has_number = false;
    OGRFeatureH feature;
    OGR_L_ResetReading(vector->layer);
    for (int i = 0; i < PEEK_MAX && !has_number && (feature = OGR_L_GetNextFeature(vector->layer)) != NULL; i++) {
        char text[128];
        double ignored;
        rcity_vector_get_text(feature, &field, text, sizeof text);
        has_text = has_text || text[0] != '\0';
        has_number = rcity_measure_read(text, true, 1.0, &ignored);
        OGR_F_Destroy(feature);
    }
    OGR_L_ResetReading(vector->layer);
    rcity_gdal_forget(vector->import->call); /* broken data are reported when everything is read */
    return has_number || !has_text;
}

rcity_status rcity_vector_find_field(const rcity_vector *vector, const char *wanted, const char *const *usual,
                                     const char *option, bool is_number, rcity_vector_field *field)
{
    memset(field, 0, sizeof *field);
    if (wanted != NULL) {
        return find_named(vector, wanted, option, is_number, field);
    }
    OGRFeatureDefnH definition = OGR_L_GetLayerDefn(vector->layer);
    for (int i = 0; usual != NULL && usual[i] != NULL; i++) {
        int index = OGR_FD_GetFieldIndex(definition, usual[i]);
        OGRFieldDefnH found = index >= 0 ? OGR_FD_GetFieldDefn(definition, index) : NULL;
        if (found != NULL && (!is_number || (holds_numbers(found) && reads_as_numbers(vector, index, found)))) {
            set_field(field, index, false, OGR_Fld_GetNameRef(found));
            return RCITY_OK;
        }
    }
    if (usual != NULL && usual[0] != NULL && vector->tags_field >= 0) {
        set_field(field, vector->tags_field, true, usual[0]); /* the first name is OpenStreetMap's */
    }
    return RCITY_OK;
}

/* Trim spaces at both ends in place. */
static void trim(char *text)
{
    size_t begin = strspn(text, " \t\r\n");
    size_t length = strlen(text + begin);
    while (length > 0 && strchr(" \t\r\n", text[begin + length - 1]) != NULL) {
        length--;
    }
    memmove(text, text + begin, length);
    text[length] = '\0';
}

void rcity_vector_get_text(OGRFeatureH feature, const rcity_vector_field *field, char *text, size_t room)
{
    text[0] = '\0';
    if (!field->is_found || !OGR_F_IsFieldSetAndNotNull(feature, field->index)) {
        return;
    }
    const char *value = OGR_F_GetFieldAsString(feature, field->index);
    if (field->is_tag) {
        rcity_tags_get(value, field->name, text, room);
    } else {
        snprintf(text, room, "%s", value);
    }
    trim(text);
}

rcity_status rcity_vector_get_number(const rcity_vector *vector, OGRFeatureH feature, const rcity_vector_field *field,
                                     bool allows_unit, double *value)
{
    *value = (double)NAN;
    if (!field->is_found || !OGR_F_IsFieldSetAndNotNull(feature, field->index)) {
        return RCITY_OK;
    }
    OGRFieldType type = OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, field->index));
    if (!field->is_tag && type != OFTString) {
        *value = field->unit * OGR_F_GetFieldAsDouble(feature, field->index);
        return RCITY_OK;
    }
    char text[128];
    rcity_vector_get_text(feature, field, text, sizeof text);
    RCITY_CHECK(vector->import->context, text[0] == '\0' || rcity_measure_read(text, allows_unit, field->unit, value),
                RCITY_ERR_FORMAT,
                "'%s' feature %lld: '%.60s' in the field '%s' is not a number%s; correct it or leave it out with "
                "`bad-buildings=drop`",
                vector->path, (long long)OGR_F_GetFID(feature), text, field->name,
                allows_unit ? " such as 12.5, '12.5 m' or '40 ft'" : "");
    return RCITY_OK;
}
