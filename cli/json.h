/* Writing JSON. The program only writes it; a build on a bare machine has no JSON library. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_writer {
    FILE *file;
    bool needs_comma;
} json_writer;

json_writer json_writer_make(FILE *file);

/* `key` is NULL inside arrays and for the outermost value. */
void json_begin_object(json_writer *writer, const char *key);
void json_end_object(json_writer *writer);
void json_begin_array(json_writer *writer, const char *key);
void json_end_array(json_writer *writer);
void json_text(json_writer *writer, const char *key, const char *value); /* NULL gives null */
void json_number(json_writer *writer, const char *key, double value);    /* NaN and infinity give null */
void json_integer(json_writer *writer, const char *key, int64_t value);
void json_boolean(json_writer *writer, const char *key, bool value);

/* A note of a result: numbers as numbers, but what people named stays a text. */
void json_note(json_writer *writer, const char *key, const char *value);

/* End the outermost value with a line end. */
void json_end_line(json_writer *writer);

#endif
