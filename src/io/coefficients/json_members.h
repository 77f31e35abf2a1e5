/* Required members of JSON objects with a type; messages name the place in the file. */
#ifndef RCITY_IO_JSON_MEMBERS_H
#define RCITY_IO_JSON_MEMBERS_H

#include <jansson.h>

#include "base/base.h"

#define RCITY_JSON_NAME_BYTES 64

/* A file while it is read. */
typedef struct rcity_json_reader {
    rcity_context *context;
    const char *path;                    /* for messages */
    int64_t unknown_count;               /* number of unknown members */
    char unknown[RCITY_JSON_NAME_BYTES]; /* the first unknown member */
} rcity_json_reader;

/* An object and its place in the file, such as "coefficients[3]." or "summary.before."; "" for the whole. */
typedef struct rcity_json_object {
    rcity_json_reader *reader;
    const json_t *json;
    char where[RCITY_JSON_NAME_BYTES];
} rcity_json_object;

/* Open a value as an object with these members; others are counted as unknown. `known` ends with NULL; if it is NULL
   itself, any name is accepted. */
rcity_status rcity_json_open(rcity_json_reader *reader, const json_t *json, const char *where, const char *const *known,
                             rcity_json_object *object);

/* One member each. @return RCITY_ERR_FORMAT when it is missing or of another type. Texts are borrowed from the
   object. */
rcity_status rcity_json_get(const rcity_json_object *object, const char *name, json_type type, const json_t **value);
rcity_status rcity_json_get_text(const rcity_json_object *object, const char *name, const char **text);
rcity_status rcity_json_get_truth(const rcity_json_object *object, const char *name, bool *is_true);
rcity_status rcity_json_get_count(const rcity_json_object *object, const char *name, int64_t *count);

/* A null gives NAN where it is allowed. */
rcity_status rcity_json_get_number(const rcity_json_object *object, const char *name, bool may_be_null, double *value);

/* The type of a value in words: "a text". */
const char *rcity_json_kind(json_type type);

#endif
