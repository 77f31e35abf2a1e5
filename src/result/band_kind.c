/* Kinds of bands: words and meanings from the one list, and what follows from them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "result/map_data.h"

const char *rcity_band_kind_word(rcity_band_kind kind)
{
    switch (kind) {
#define RCITY_BAND_KIND_CASE(code, value, word, sense, text)                                                           \
    case code:                                                                                                         \
        return word;
        RCITY_BAND_KIND_LIST(RCITY_BAND_KIND_CASE)
#undef RCITY_BAND_KIND_CASE
    }
    return "unknown";
}

const char *rcity_band_kind_text(rcity_band_kind kind)
{
    switch (kind) {
#define RCITY_BAND_KIND_CASE(code, value, word, sense, text)                                                           \
    case code:                                                                                                         \
        return text;
        RCITY_BAND_KIND_LIST(RCITY_BAND_KIND_CASE)
#undef RCITY_BAND_KIND_CASE
    }
    return "unknown kind";
}

int rcity_band_kind_sense(rcity_band_kind kind)
{
    switch (kind) {
#define RCITY_BAND_KIND_CASE(code, value, word, sense, text)                                                           \
    case code:                                                                                                         \
        return sense;
        RCITY_BAND_KIND_LIST(RCITY_BAND_KIND_CASE)
#undef RCITY_BAND_KIND_CASE
    }
    return 0;
}

rcity_band_kind rcity_band_kind_find(const char *word)
{
#define RCITY_BAND_KIND_CODE(code, value, word, sense, text) code,
    static const rcity_band_kind kinds[] = {RCITY_BAND_KIND_LIST(RCITY_BAND_KIND_CODE)};
#undef RCITY_BAND_KIND_CODE
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(rcity_band_kind_word(kinds[i]), word) == 0) {
            return kinds[i];
        }
    }
    return RCITY_BAND_OTHER;
}

bool rcity_band_is_loss(const rcity_band *band)
{
    return rcity_band_kind_sense(band->kind) < 0;
}

const char *rcity_band_difference_unit(const rcity_band *band)
{
    if (band == NULL) {
        return NULL;
    }
    return strcmp(band->unit, "dBm") == 0 ? "dB" : band->unit;
}

void rcity_band_spell_name(const rcity_band *band, char *spelled, size_t room)
{
    bool is_short = band->kind == RCITY_BAND_SINR; /* an abbreviation */
    snprintf(spelled, room, "%s", band->name);
    for (char *letter = spelled; *letter != '\0'; letter++) {
        bool is_capital = is_short || letter == spelled;
        *letter = *letter == '_' ? ' ' : is_capital ? (char)toupper((unsigned char)*letter) : *letter;
    }
}
