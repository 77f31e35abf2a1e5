/* Values of a JSON text by their path, for tests: "meshes.0.name" is a member of an element of a member. The text is
   valid where the test looks; keys have no escapes. */
#ifndef RCITY_TEST_JSON_PATH_H
#define RCITY_TEST_JSON_PATH_H

#include "rcity_test.h"

static inline const char *json_skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Past the value that starts here. */
static inline const char *json_skip_value(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at != '"'; at++) {
                at += *at == '\\' ? 1 : 0;
            }
            at++;
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else {
            at += depth > 0 && strchr(",: \t\r\n", *at) != NULL ? 1 : strcspn(at, ",:{}[]\" \t\r\n");
        }
        at = depth > 0 ? json_skip_space(at) : at;
        assert_true(*at != '\0' || depth == 0);
    } while (depth > 0);
    return at;
}

/* The start of a value, or NULL where there is none. */
static inline const char *json_find(const char *text, const char *path)
{
    const char *at = json_skip_space(text);
    while (*path != '\0') {
        size_t length = strcspn(path, ".");
        bool is_list = *at == '[';
        long index = 0;
        if (!is_list && *at != '{') {
            return NULL;
        }
        at = json_skip_space(at + 1);
        for (;; index++) {
            if (*at == ']' || *at == '}') {
                return NULL;
            }
            const char *key = at;
            bool is_here = is_list && index == strtol(path, NULL, 10);
            if (!is_list) {
                at = json_skip_space(json_skip_value(at));
                assert_int_equal(*at, ':');
                at = json_skip_space(at + 1);
                is_here = strncmp(key + 1, path, length) == 0 && key[length + 1] == '"';
            }
            if (is_here) {
                break;
            }
            at = json_skip_space(json_skip_value(at));
            at = *at == ',' ? json_skip_space(at + 1) : at;
        }
        path += path[length] == '.' ? length + 1 : length;
    }
    return at;
}

/* A number that must be there. `format` takes the rest, as printf(). */
static inline double json_number(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline double json_number(const char *text, const char *format, ...)
{
    char path[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    const char *at = json_find(text, path);
    if (at == NULL) {
        print_error("no '%s' in the JSON\n", path);
        fail();
        return 0.0;
    }
    return strtod(at, NULL);
}

/* Is there a value, and does it start with these bytes? "" for any. */
static inline bool json_holds(const char *text, const char *path, const char *start)
{
    const char *at = json_find(text, path);
    return at != NULL && strncmp(at, start, strlen(start)) == 0;
}

/* The number of elements of a list; 0 where there is none. */
static inline int json_count(const char *text, const char *path)
{
    int count = 0;
    char element[240];
    for (;; count++) {
        snprintf(element, sizeof element, "%s.%d", path, count);
        if (json_find(text, element) == NULL) {
            return count;
        }
    }
}

#endif
