/* JSON of the program: the writer of src/text into a file, under short names. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdio.h>

#include "text/json_writer.h"

typedef rcity_json_writer json_writer;
#define json_begin_object rcity_json_begin_object
#define json_end_object   rcity_json_end_object
#define json_begin_array  rcity_json_begin_array
#define json_end_array    rcity_json_end_array
#define json_text         rcity_json_text
#define json_number       rcity_json_number
#define json_integer      rcity_json_integer
#define json_boolean      rcity_json_boolean
#define json_end_line     rcity_json_end_line

json_writer json_writer_make(FILE *file);

/* A note of a result: numbers as numbers, but names given by users stay text. */
void json_note(json_writer *writer, const char *key, const char *value);

#endif
