/* Lengths as map data write them. */
#include "io/import/measure.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"

#define INCH_M 0.0254

static const char *skip_spaces(const char *text)
{
    while (*text == ' ' || *text == '\t') {
        text++;
    }
    return text;
}

static size_t count_digits(const char *text)
{
    size_t count = 0;
    while (isdigit((unsigned char)text[count])) {
        count++;
    }
    return count;
}

/* Is the comma in `text` certainly a decimal sign? It is in "12,5" and "0,125"; "1,234" may be more than a thousand. */
static bool is_decimal_comma(const char *text, const char *comma)
{
    const char *digits = text + (*text == '-' || *text == '+');
    size_t before = count_digits(digits);
    size_t after = count_digits(comma + 1);
    bool is_lone_zero = before == 1 && *digits == '0';
    return digits + before == comma && before > 0 && after > 0 && (after != 3 || is_lone_zero) &&
           comma[1 + after] != ',' && comma[1 + after] != '.';
}

/* A number at *text, with a point or a comma; moves *text past it. */
static bool read_decimal(const char **text, double *value)
{
    char copy[48];
    size_t length = strlen(*text);
    if (length >= sizeof copy) {
        return false;
    }
    memcpy(copy, *text, length + 1);
    char *comma = strchr(copy, ',');
    if (comma != NULL) {
        if (!is_decimal_comma(copy, comma)) {
            return false;
        }
        *comma = '.';
    }
    const char *end = copy;
    if (!rcity_number_read(&end, copy + length, value) || !isfinite(*value)) {
        return false;
    }
    *text += end - copy;
    return true;
}

/* Is the word at *text, up to the next space, digit or end, one of the names? Moves *text past it. */
static bool read_word(const char **text, const char *const *names)
{
    for (; *names != NULL; names++) {
        size_t length = strlen(*names);
        char next = '\0';
        if (strncasecmp(*text, *names, length) == 0) {
            next = (*text)[length];
            if (!isalpha((unsigned char)next)) {
                *text += length + (next == '.');
                return true;
            }
        }
    }
    return false;
}

/* Inches after feet: "2\"", "2 in". */
static bool read_inches(const char **text, double *inches)
{
    static const char *const names[] = {"\"", "''", "inches", "inch", "in", NULL};
    const char *rest = skip_spaces(*text);
    if (!isdigit((unsigned char)*rest) || !read_decimal(&rest, inches)) {
        return false;
    }
    rest = skip_spaces(rest);
    if (!read_word(&rest, names)) {
        return false;
    }
    *text = rest;
    return true;
}

bool rcity_measure_read(const char *text, bool allows_unit, double bare_unit, double *value)
{
    static const char *const metres[] = {"metres", "metre", "meters", "meter", "m", NULL};
    static const char *const feet[] = {"feet", "foot", "ft", "'", NULL};
    double number;
    text = skip_spaces(text);
    if (!read_decimal(&text, &number)) {
        return false;
    }
    text = skip_spaces(text);
    if (*text == '\0') {
        number *= bare_unit;
    } else if (allows_unit && !read_word(&text, metres)) {
        if (!read_word(&text, feet)) {
            return false;
        }
        double inches = 0.0;
        (void)read_inches(&text, &inches);
        number = number * RCITY_FOOT_M + inches * INCH_M;
    }
    text = skip_spaces(text);
    if (*text != '\0') {
        return false;
    }
    *value = number;
    return true;
}
