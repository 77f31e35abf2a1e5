/* Heights and levels as OpenStreetMap's mappers write them. */
#include "io/import/osm_value.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/import/measure.h"

#define VALUE_BYTES 64

/* Behind a word for "about". */
static const char *skip_about(const char *text)
{
    static const char *const words[] = {"~",       "\xe2\x89\x88", "ca.",   "ca ", "circa",
                                        "approx.", "approx",       "about", "c.",  NULL};
    for (;;) {
        const char *start = text;
        text += strspn(text, " \t");
        for (int i = 0; words[i] != NULL; i++) {
            if (strncasecmp(text, words[i], strlen(words[i])) == 0) {
                text += strlen(words[i]);
                break;
            }
        }
        if (text == start) {
            return text;
        }
    }
}

/* Where a range is divided: its mark lies behind a first number; *length is that of the mark. */
static const char *find_range(const char *text, size_t *length)
{
    static const char *const marks[] = {"\xe2\x80\x93", "..", " to ", "-", NULL};
    for (int i = 0; marks[i] != NULL; i++) {
        const char *found = text[0] != '\0' ? strstr(text + 1, marks[i]) : NULL;
        if (found != NULL) {
            *length = strlen(marks[i]);
            return found;
        }
    }
    return NULL;
}

/* One value or one range of them. */
static bool read_item(const char *text, bool allows_unit, double *value)
{
    text = skip_about(text);
    if (rcity_measure_read(text, allows_unit, 1.0, value)) {
        return true;
    }
    size_t mark_length = 0;
    const char *mark = find_range(text, &mark_length);
    double low;
    double high;
    if (mark == NULL || !rcity_measure_read(skip_about(mark + mark_length), allows_unit, 1.0, &high)) {
        return false;
    }
    /* the unit behind the second number is that of the first too */
    const char *unit = mark + strlen(mark);
    while (unit > mark && !isdigit((unsigned char)unit[-1])) {
        unit--;
    }
    char first[VALUE_BYTES];
    int written = snprintf(first, sizeof first, "%.*s", (int)(mark - text), text);
    if (written < 0 || (size_t)written >= sizeof first) {
        return false;
    }
    bool has_unit = strpbrk(first, "mMfF'") != NULL;
    snprintf(first, sizeof first, "%.*s%s", (int)(mark - text), text, has_unit ? "" : unit);
    if (!rcity_measure_read(first, allows_unit, 1.0, &low)) {
        return false;
    }
    *value = 0.5 * (low + high);
    return true;
}

bool rcity_osm_value_read(const char *text, bool allows_unit, double *value)
{
    double greatest = -HUGE_VAL;
    int count = 0;
    while (*text != '\0') {
        char item[VALUE_BYTES];
        size_t length = strcspn(text, ";");
        double one;
        if (length >= sizeof item) {
            return false;
        }
        memcpy(item, text, length);
        item[length] = '\0';
        text += length + (text[length] == ';');
        if (item[strspn(item, " \t")] == '\0') {
            continue;
        }
        if (!read_item(item, allows_unit, &one)) {
            return false;
        }
        greatest = fmax(greatest, one);
        count++;
    }
    if (count > 0) {
        *value = greatest;
    }
    return count > 0;
}
