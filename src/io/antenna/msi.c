/* MSI/Planet antenna files: lines "KEY value" in any order, and two sections, HORIZONTAL and VERTICAL, each with lines
   "angle loss". The horizontal angle increases clockwise from the direction the antenna faces; the vertical one from
   the horizon in front downwards, through straight down (90) to the horizon behind (180) and on. Losses are dB below
   the gain, without a sign. A gain without unit is in dBd, as the format defines. */
#include "io/antenna/msi.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "io/antenna/pattern_cut.h"
#include "io/csv.h"

enum { SECTION_HORIZONTAL, SECTION_VERTICAL, SECTION_COUNT, SECTION_NONE = SECTION_COUNT };

static const char *const section_name[SECTION_COUNT] = {"horizontal", "vertical"};

#define NAME_BYTES 128

typedef struct msi_reader {
    rcity_context *context;
    const char *file;
    int64_t line;
    int section;
    double stated_count[SECTION_COUNT]; /* number of angles that the section states */
    bool has_section[SECTION_COUNT];
    rcity_pattern_cut cut[SECTION_COUNT];
    rcity_antenna_cuts pattern;
    bool has_gain, has_electrical_tilt;
    bool has_line; /* a line was read: only the first may be a name without the key NAME */
    char name[NAME_BYTES];
} msi_reader;

static bool is_space(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == 0x1a;
}

/* Copy a word of a line. A longer word is cut; it is then neither a key nor a number. */
static const char *read_word(const char *at, const char *end, char word[64])
{
    while (at < end && is_space(*at)) {
        at++;
    }
    size_t length = 0;
    for (; at < end && !is_space(*at); at++) {
        if (length < 63) {
            word[length++] = *at;
        }
    }
    word[length] = '\0';
    return at;
}

/* Is it this key? Case is ignored. */
static bool is_key(const char *word, const char *key)
{
    for (; *word != '\0' && *key != '\0'; word++, key++) {
        char letter = *word >= 'a' && *word <= 'z' ? (char)(*word - 'a' + 'A') : *word;
        letter = letter == '-' ? '_' : letter;
        if (letter != *key) {
            return false;
        }
    }
    return *word == '\0' && *key == '\0';
}

/* A number at the start of a text, with a point or a comma, and where it ends. */
static bool read_number(const char *text, const char **end, double *value)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%.63s", text);
    char *comma = strchr(copy, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    const char *at = copy;
    if (!rcity_number_read(&at, copy + strlen(copy), value) || !isfinite(*value)) {
        return false;
    }
    *end = text + (at - copy);
    return true;
}

static rcity_status fail_value(const msi_reader *reader, const char *key, const char *word, const char *advice)
{
    return rcity_fail(reader->context, RCITY_ERR_FORMAT, "'%s' line %lld: %s is '%.40s'; %s", reader->file,
                      (long long)reader->line, key, word, advice);
}

/* "15.5 dBd", "17.65dBi", "15,5". */
static rcity_status read_gain(msi_reader *reader, const char *at, const char *end)
{
    char word[64];
    char unit[64];
    at = read_word(at, end, word);
    const char *rest = word;
    double gain_db = 0.0;
    if (!read_number(word, &rest, &gain_db)) {
        return fail_value(reader, "GAIN", word, "give a number with dBi or dBd");
    }
    if (*rest == '\0') {
        read_word(at, end, unit);
        rest = unit;
    }
    bool is_dbi = is_key(rest, "DBI");
    if (!is_dbi && *rest != '\0' && !is_key(rest, "DBD")) {
        return fail_value(reader, "the unit of GAIN", rest, "give dBi or dBd");
    }
    double gain_dbi = is_dbi ? gain_db : gain_db + RCITY_DIPOLE_GAIN_DBI;
    RCITY_CHECK(reader->context, fabs(gain_dbi) <= RCITY_ANTENNA_GAIN_MAX_DBI, RCITY_ERR_FORMAT,
                "'%s' line %lld: the gain is %g dBi, must be within %g dBi", reader->file, (long long)reader->line,
                gain_dbi, RCITY_ANTENNA_GAIN_MAX_DBI);
    RCITY_CHECK(reader->context, !reader->has_gain, RCITY_ERR_FORMAT, "'%s' line %lld: GAIN is given a second time",
                reader->file, (long long)reader->line);
    reader->has_gain = true;
    reader->pattern.gain_dbi = gain_dbi;
    return RCITY_OK;
}

/* "1795", "1710-1880", "2.4 GHz"; in MHz unless a unit is given. A value that cannot be read is ignored: it is
   optional. */
static void read_frequency(msi_reader *reader, const char *at, const char *end)
{
    char word[64];
    char unit[64];
    at = read_word(at, end, word);
    const char *rest = word;
    double frequency = 0.0;
    if (!read_number(word, &rest, &frequency)) {
        return;
    }
    double upper = 0.0;
    if (*rest == '-' && read_number(rest + 1, &rest, &upper)) {
        frequency = 0.5 * (frequency + upper);
    }
    if (*rest == '\0') {
        read_word(at, end, unit);
        rest = unit;
    }
    double hz = is_key(rest, "GHZ") ? 1e9 : is_key(rest, "KHZ") ? 1e3 : is_key(rest, "HZ") ? 1.0 : 1e6;
    if (frequency > 0.0 && isfinite(frequency * hz)) {
        reader->pattern.frequency_hz = frequency * hz;
    }
}

/* TILT is a number, or a word (ELECTRICAL, MECHANICAL, NONE), which is ignored because the vertical cut shows the tilt.
   ELECTRICAL_TILT is a number and has precedence. */
static rcity_status read_tilt(msi_reader *reader, const char *at, const char *end, bool is_electrical)
{
    char word[64];
    read_word(at, end, word);
    const char *rest = word;
    double tilt_deg = 0.0;
    bool is_number = read_number(word, &rest, &tilt_deg) && *rest == '\0';
    if (!is_number && is_electrical && word[0] != '\0') {
        return fail_value(reader, "ELECTRICAL_TILT", word, "give degrees, down positive");
    }
    if (!is_number || (reader->has_electrical_tilt && !is_electrical)) {
        return RCITY_OK;
    }
    RCITY_CHECK(reader->context, fabs(tilt_deg) <= 90.0, RCITY_ERR_FORMAT,
                "'%s' line %lld: the tilt is %g degrees, must be within 90", reader->file, (long long)reader->line,
                tilt_deg);
    reader->has_electrical_tilt = reader->has_electrical_tilt || is_electrical;
    reader->pattern.electrical_tilt_deg = tilt_deg;
    return RCITY_OK;
}

static rcity_status open_section(msi_reader *reader, int section, const char *at, const char *end)
{
    char word[64];
    RCITY_CHECK(reader->context, !reader->has_section[section], RCITY_ERR_FORMAT,
                "'%s' line %lld: the %s cut begins a second time; remove one", reader->file, (long long)reader->line,
                section_name[section]);
    reader->has_section[section] = true;
    reader->section = section;
    reader->stated_count[section] = 360.0;
    read_word(at, end, word);
    const char *rest = word;
    double count = 0.0;
    if (word[0] != '\0') {
        if (!read_number(word, &rest, &count) || *rest != '\0' || count < 1.0) {
            return fail_value(reader, section == SECTION_HORIZONTAL ? "HORIZONTAL" : "VERTICAL", word,
                              "give the number of angles that follow, such as 360");
        }
        reader->stated_count[section] = count;
    }
    return RCITY_OK;
}

static void read_name(msi_reader *reader, const char *at, const char *end)
{
    while (at < end && is_space(*at)) {
        at++;
    }
    while (end > at && is_space(end[-1])) {
        end--;
    }
    size_t length = (size_t)(end - at) < NAME_BYTES - 1 ? (size_t)(end - at) : NAME_BYTES - 1;
    for (size_t i = 0; i < length; i++) {
        bool is_control = (unsigned char)at[i] < 0x20 || at[i] == 0x7f;
        reader->name[i] = is_control ? '?' : at[i];
    }
    reader->name[length] = '\0';
}

/* A line of a section: an angle and a loss. */
static rcity_status read_pair(msi_reader *reader, const char *line, const char *end)
{
    char word[3][64];
    const char *at = line;
    for (int i = 0; i < 3; i++) {
        at = read_word(at, end, word[i]);
    }
    double value[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        const char *rest = word[i];
        RCITY_CHECK(
            reader->context, read_number(word[i], &rest, &value[i]) && *rest == '\0', RCITY_ERR_FORMAT,
            "'%s' line %lld: '%.40s' is not a number; the %s cut has lines with an angle in degrees and a loss in "
            "dB",
            reader->file, (long long)reader->line, word[i], section_name[reader->section]);
    }
    RCITY_CHECK(reader->context, word[2][0] == '\0', RCITY_ERR_FORMAT,
                "'%s' line %lld: there is '%.40s' behind angle and loss of the %s cut", reader->file,
                (long long)reader->line, word[2], section_name[reader->section]);
    return rcity_pattern_cut_add(reader->context, &reader->cut[reader->section], reader->file,
                                 section_name[reader->section], reader->line, value[0], value[1]);
}

/* A key that is ignored or unknown; inside an incomplete section it is an invalid line. */
static rcity_status skip_key(msi_reader *reader, const char *word, const char *line, const char *end)
{
    static const char *const known[] = {"MAKE",         "H_WIDTH",      "V_WIDTH", "FRONT_TO_BACK",
                                        "POLARIZATION", "POLARISATION", "COMMENT", "AZIMUTH_WIDTH"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (is_key(word, known[i])) {
            return RCITY_OK;
        }
    }
    if (reader->section != SECTION_NONE &&
        (double)reader->cut[reader->section].point_count < reader->stated_count[reader->section]) {
        return read_pair(reader, line, end); /* fails with the reason */
    }
    if (!reader->has_line) {
        read_name(reader, line, end);
    }
    return RCITY_OK;
}

static rcity_status read_line(msi_reader *reader, const char *line, const char *end)
{
    char word[64];
    const char *at = read_word(line, end, word);
    if (word[0] == '\0') {
        return RCITY_OK;
    }
    if (reader->section != SECTION_NONE && strchr("0123456789+-.,", word[0]) != NULL) {
        return read_pair(reader, line, end);
    }
    if (is_key(word, "NAME")) {
        read_name(reader, at, end);
        return RCITY_OK;
    }
    if (is_key(word, "FREQUENCY")) {
        read_frequency(reader, at, end);
        return RCITY_OK;
    }
    if (is_key(word, "GAIN")) {
        return read_gain(reader, at, end);
    }
    if (is_key(word, "TILT") || is_key(word, "ELECTRICAL_TILT")) {
        return read_tilt(reader, at, end, !is_key(word, "TILT"));
    }
    if (is_key(word, "HORIZONTAL") || is_key(word, "VERTICAL")) {
        return open_section(reader, is_key(word, "HORIZONTAL") ? SECTION_HORIZONTAL : SECTION_VERTICAL, at, end);
    }
    return skip_key(reader, word, line, end);
}

static rcity_status read_lines(msi_reader *reader, const char *text, size_t byte_count)
{
    const char *text_end = text + byte_count;
    RCITY_CHECK(reader->context, byte_count == 0 || memchr(text, 0, byte_count) == NULL, RCITY_ERR_FORMAT,
                "'%s' holds a NUL byte: it is no plain text and no MSI antenna file", reader->file);
    if (byte_count >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3; /* byte-order mark of UTF-8 */
    }
    while (text < text_end) {
        const char *end = text;
        while (end < text_end && *end != '\n' && !(*end == '\r' && (end + 1 == text_end || end[1] != '\n'))) {
            end++;
        }
        reader->line++;
        RCITY_TRY(read_line(reader, text, end));
        for (const char *at = text; at < end && !reader->has_line; at++) {
            reader->has_line = !is_space(*at);
        }
        text = end < text_end ? end + 1 : text_end;
    }
    return RCITY_OK;
}

static rcity_status finish(msi_reader *reader)
{
    RCITY_CHECK(reader->context, reader->has_gain, RCITY_ERR_FORMAT,
                "'%s' has no GAIN; add a line such as 'GAIN 17.5 dBi' (is it an MSI antenna file?)", reader->file);
    float *loss_db[SECTION_COUNT] = {reader->pattern.horizontal_loss_db, reader->pattern.vertical_loss_db};
    for (int i = 0; i < SECTION_COUNT; i++) {
        RCITY_CHECK(reader->context, reader->has_section[i], RCITY_ERR_FORMAT,
                    "'%s' has no %s cut; it needs a line '%s 360' followed by angles and losses", reader->file,
                    section_name[i], i == SECTION_HORIZONTAL ? "HORIZONTAL" : "VERTICAL");
        double read_count = (double)reader->cut[i].point_count;
        RCITY_TRY(
            rcity_pattern_cut_finish(reader->context, &reader->cut[i], reader->file, section_name[i], loss_db[i]));
        if (read_count != reader->stated_count[i]) {
            rcity_log(reader->context, RCITY_LOG_WARNING,
                      "'%s': the %s cut states %g angles and has %g; values between "
                      "them are interpolated",
                      reader->file, section_name[i], reader->stated_count[i], read_count);
        }
    }
    return RCITY_OK;
}

rcity_status rcity_msi_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                             rcity_antenna_synthesis synthesis, rcity_antenna **antenna)
{
    msi_reader *reader = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *reader, "an antenna", &reader));
    reader->context = context;
    reader->file = name;
    reader->section = SECTION_NONE;
    reader->pattern.electrical_tilt_deg = (double)NAN;
    reader->pattern.frequency_hz = (double)NAN;
    reader->pattern.synthesis = synthesis;
    RCITY_TRY_DONE(read_lines(reader, bytes, byte_count));
    RCITY_TRY_DONE(finish(reader));
    const char *slash = strrchr(name, '/');
    reader->pattern.name = reader->name[0] != '\0' ? reader->name : slash != NULL ? slash + 1 : name;
    RCITY_TRY_DONE(rcity_pattern_make(context, name, &reader->pattern, antenna));
done:
    for (int i = 0; i < SECTION_COUNT; i++) {
        rcity_release(context, reader->cut[i].point);
    }
    rcity_release(context, reader);
    return status;
}
