/* Strict reading of JSON members. */
#include "io/coefficients/json_members.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/coefficients/old_members.h"

const char *rcity_json_kind(json_type type)
{
    static const char *const words[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",
        [JSON_STRING] = "a text",    [JSON_INTEGER] = "a whole number",
        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return words[type];
}

static bool is_known(const char *const *known, const char *name)
{
    for (int i = 0; known[i] != NULL; i++) {
        if (strcmp(known[i], name) == 0) {
            return true;
        }
    }
    return false;
}

rcity_status rcity_json_open(rcity_json_reader *reader, const json_t *json, const char *where, const char *const *known,
                             rcity_json_object *object)
{
    RCITY_CHECK(reader->context, json_is_object(json), RCITY_ERR_FORMAT, "'%s': %s is %s, must be an object",
                reader->path, where[0] != '\0' ? where : "the whole", rcity_json_kind(json_typeof(json)));
    object->reader = reader;
    object->json = json;
    snprintf(object->where, sizeof object->where, "%s%s", where, where[0] != '\0' ? "." : "");
    union { /* jansson's iterators take non-const objects but do not change them */
        const json_t *seen;
        json_t *taken;
    } both = {.seen = json};
    for (void *at = json_object_iter(both.taken); known != NULL && at != NULL;
         at = json_object_iter_next(both.taken, at)) {
        const char *name = json_object_iter_key(at);
        if (!is_known(known, name)) {
            if (reader->unknown_count == 0) {
                snprintf(reader->unknown, sizeof reader->unknown, "%.30s%.30s", object->where, name);
            }
            reader->unknown_count++;
        }
    }
    return RCITY_OK;
}

static rcity_status find(const rcity_json_object *object, const char *name, const char *kind, const json_t **value)
{
    const json_t *found = json_object_get(object->json, name);
    const char *old_name = rcity_member_old_name(name);
    RCITY_CHECK(object->reader->context,
                found != NULL || old_name == NULL || json_object_get(object->json, old_name) == NULL, RCITY_ERR_FORMAT,
                "'%s': %s%s has a new name: %s; let calibrate write the file again", object->reader->path,
                object->where, old_name, name);
    RCITY_CHECK(object->reader->context, found != NULL, RCITY_ERR_FORMAT,
                "'%s': %s%s is missing, there must be %s; let calibrate write the file again", object->reader->path,
                object->where, name, kind);
    *value = found;
    return RCITY_OK;
}

static rcity_status fail_kind(const rcity_json_object *object, const char *name, const json_t *value, const char *kind)
{
    return rcity_fail(object->reader->context, RCITY_ERR_FORMAT, "'%s': %s%s is %s, must be %s", object->reader->path,
                      object->where, name, rcity_json_kind(json_typeof(value)), kind);
}

rcity_status rcity_json_get(const rcity_json_object *object, const char *name, json_type type, const json_t **value)
{
    const json_t *found = NULL;
    RCITY_TRY(find(object, name, rcity_json_kind(type), &found));
    if (json_typeof(found) != type) {
        return fail_kind(object, name, found, rcity_json_kind(type));
    }
    *value = found;
    return RCITY_OK;
}

rcity_status rcity_json_get_text(const rcity_json_object *object, const char *name, const char **text)
{
    const json_t *value = NULL;
    RCITY_TRY(rcity_json_get(object, name, JSON_STRING, &value));
    *text = json_string_value(value);
    return RCITY_OK;
}

rcity_status rcity_json_get_truth(const rcity_json_object *object, const char *name, bool *is_true)
{
    const json_t *value = NULL;
    RCITY_TRY(find(object, name, "true or false", &value));
    if (!json_is_boolean(value)) {
        return fail_kind(object, name, value, "true or false");
    }
    *is_true = json_is_true(value);
    return RCITY_OK;
}

rcity_status rcity_json_get_count(const rcity_json_object *object, const char *name, int64_t *count)
{
    const json_t *value = NULL;
    RCITY_TRY(rcity_json_get(object, name, JSON_INTEGER, &value));
    RCITY_CHECK(object->reader->context, json_integer_value(value) >= 0, RCITY_ERR_FORMAT,
                "'%s': %s%s is %lld, must not be below 0", object->reader->path, object->where, name,
                (long long)json_integer_value(value));
    *count = json_integer_value(value);
    return RCITY_OK;
}

rcity_status rcity_json_get_number(const rcity_json_object *object, const char *name, bool may_be_null, double *value)
{
    const char *kind = may_be_null ? "a number or null" : "a number";
    const json_t *found = NULL;
    RCITY_TRY(find(object, name, kind, &found));
    if (json_is_null(found) && may_be_null) {
        *value = (double)NAN;
        return RCITY_OK;
    }
    if (!json_is_number(found)) {
        return fail_kind(object, name, found, kind);
    }
    *value = json_number_value(found);
    return RCITY_OK;
}
