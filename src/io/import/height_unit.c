/* Feet or metres: from the user, from the name of a field, or likely from the CRS. */
#include "io/import/height_unit.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "io/import/measure.h"

rcity_status rcity_height_unit_check(rcity_context *context, const char *unit)
{
    RCITY_CHECK(context, unit == NULL || strcmp(unit, "m") == 0 || strcmp(unit, "ft") == 0, RCITY_ERR_ARGUMENT,
                "the unit of heights is '%.20s', must be m or ft", unit);
    return RCITY_OK;
}

bool rcity_height_unit_says_feet(const char *name)
{
    static const char *const words[] = {"ft", "feet", "foot"};
    size_t length = strlen(name);
    while (length > 0 && ispunct((unsigned char)name[length - 1])) { /* height(ft) */
        length--;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t word_length = strlen(words[i]);
        if (length < word_length || strncasecmp(name + length - word_length, words[i], word_length) != 0) {
            continue;
        }
        const char *word = name + length - word_length;
        bool is_begin = word == name || !isalpha((unsigned char)word[-1]);
        bool is_hump = !is_begin && islower((unsigned char)word[-1]) && isupper((unsigned char)word[0]);
        if (is_begin || is_hump) { /* not the end of "loft" */
            return true;
        }
    }
    return false;
}

/* Data with coordinates in feet may well have heights in feet. */
static void warn_of_feet(const rcity_vector *vector, const char *name)
{
    rcity_import *import = vector->import;
    if (import->is_feet_warned || vector->crs == NULL || !OSRIsProjected(vector->crs) ||
        fabs(OSRGetLinearUnits(vector->crs, NULL) - RCITY_FOOT_M) > 1e-4) {
        return;
    }
    import->is_feet_warned = true;
    rcity_log(import->context, RCITY_LOG_WARNING,
              "the CRS of '%s' counts in feet, the heights in '%s' are taken for metres; if they are feet, give "
              "`height-unit=ft`",
              vector->path, name);
}

rcity_status rcity_height_unit_settle(const rcity_vector *vector, rcity_vector_field *field)
{
    const char *unit = vector->import->options->height_unit;
    if (!field->is_found) {
        return RCITY_OK;
    }
    if (unit != NULL) {
        field->unit = strcmp(unit, "ft") == 0 ? RCITY_FOOT_M : 1.0;
        return RCITY_OK;
    }
    RCITY_CHECK(vector->import->context, !rcity_height_unit_says_feet(field->name), RCITY_ERR_ARGUMENT,
                "heights in '%s' of '%s' look like feet; give `height-unit=ft`, or `height-unit=m` if they are metres",
                field->name, vector->path);
    warn_of_feet(vector, field->name);
    return RCITY_OK;
}
