/* JSON of the program: its output, and notes. */
#include "json.h"

#include <stdlib.h>
#include <string.h>

static void put(void *user, const char *bytes, size_t count)
{
    fwrite(bytes, 1, count, user);
}

json_writer json_writer_make(FILE *file)
{
    return (json_writer){.sink = {put, file}};
}

/* Notes that contain names given by users: tx_name, server_1, server_2 and so on. */
static bool is_name(const char *key)
{
    static const char server[] = "server_";
    size_t length = strlen(server);
    bool is_server = strncmp(key, server, length) == 0 && key[length + strspn(key + length, "0123456789")] == '\0';
    return is_server || strcmp(key, "tx_name") == 0;
}

void json_note(json_writer *writer, const char *key, const char *value)
{
    char *end;
    double number = strtod(value, &end);
    /* a hash of digits stays a text, and so do names given by users */
    bool is_number = end != value && *end == '\0' && strlen(value) < 20 && !is_name(key);
    if (is_number) {
        json_number(writer, key, number);
    } else {
        json_text(writer, key, value);
    }
}
