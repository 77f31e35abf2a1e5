/* What a user may have meant: by its beginning, by its spelling, by its sense, in this order. */
#include "suggestion.h"

#include <stdio.h>
#include <string.h>

#include "session.h"

#define KEPT_MAX 3
#define WORD_MAX 62

typedef struct kept_names {
    int count;
    bool is_extra[KEPT_MAX]; /* without dashes: an option of a method */
    const char *name[KEPT_MAX];
} kept_names;

/* Words that stand for another in the names of options. */
static const struct {
    const char *word, *sense;
} senses[] = {
    {"output", "o"},
    {"out", "o"},
    {"file", "o"},
    {"save", "o"},
    {"resolution", "cell"},
    {"res", "cell"},
    {"grid", "cell"},
    {"pixel", "cell"},
    {"step", "cell"},
    {"cellsize", "cell"},
    {"epsg", "crs"},
    {"srs", "crs"},
    {"projection", "crs"},
    {"proj", "crs"},
    {"elevation", "--terrain"},
    {"dem", "--terrain"},
    {"dtm", "--terrain"},
    {"model", "method"},
    {"algorithm", "method"},
    {"buildings", "scene"},
    {"city", "scene"},
    {"receivers", "points"},
    {"receiver", "points"},
    {"rx", "points"},
    {"bbox", "area"},
    {"extent", "area"},
    {"bounds", "area"},
    {"cores", "threads"},
    {"cpus", "threads"},
    {"jobs", "threads"},
    {"ram", "memory"},
    {"gpu", "device"},
    {"image", "png"},
    {"picture", "png"},
    {"plot", "png"},
    {"force", "overwrite"},
    {"clobber", "overwrite"},
    {"verbose", "quiet"},
    {"downtilt", "tilt"},
    {"bearing", "azimuth"},
    {"transmitter", "tx"},
    {"cells", "sites"},
    {"sectors", "sites"},
    {"limit", "thresholds"},
    {"level", "thresholds"},
    {"levels", "thresholds"},
    {"shadowing", "fade"},
    {"sigma", "fade"},
};

/* Levenshtein distance of two words. */
static int word_distance(const char *a, const char *b)
{
    int row[WORD_MAX + 2];
    int b_length = (int)strlen(b);
    if (b_length > WORD_MAX || strlen(a) > WORD_MAX) {
        return 99;
    }
    for (int j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (int i = 1; a[i - 1] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int above = row[j];
            int best = diagonal + (a[i - 1] != b[j - 1]);
            best = above + 1 < best ? above + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = above;
            row[j] = best;
        }
    }
    return row[b_length];
}

/* Does one of the words between dashes equal this one? */
static bool has_word(const char *name, const char *word, size_t length)
{
    while (*name != '\0') {
        size_t part = strcspn(name, "-");
        if (part == length && strncmp(name, word, length) == 0) {
            return true;
        }
        name += part + (name[part] == '-');
    }
    return false;
}

static bool begins(const char *name, const char *given)
{
    size_t given_length = strlen(given);
    size_t name_length = strlen(name);
    return (given_length >= 2 && strncmp(name, given, given_length) == 0) ||
           (name_length >= 3 && given_length > name_length && given[name_length] == '-' &&
            strncmp(name, given, name_length) == 0);
}

/* Does it share the first word of what was given, or its sense? Units and articles behind it tell nothing. */
static bool shares_sense(const char *name, const char *given)
{
    size_t first = strcspn(given, "-");
    if (has_word(name, given, first)) {
        return true;
    }
    for (size_t i = 0; i < sizeof senses / sizeof senses[0]; i++) {
        const char *sense = senses[i].sense + strspn(senses[i].sense, "-");
        if (strlen(senses[i].word) == first && strncmp(senses[i].word, given, first) == 0 &&
            has_word(name, sense, strlen(sense))) {
            return true;
        }
    }
    return false;
}

/* The next name without dashes: the command's own options, every command's, those of its methods; NULL past the last. */
static const char *name_at(const command_line *line, int index, bool *is_extra)
{
    const cli_option *tables[2] = {line->options, session_options()};
    *is_extra = false;
    for (int t = 0; t < 2; t++) {
        for (const cli_option *known = tables[t]; known->name != NULL; known++) {
            if (known->name[0] != '\0' && index-- == 0) {
                return known->name + strspn(known->name, "-");
            }
        }
    }
    *is_extra = true;
    return line->extra != NULL && line->extra->name_at != NULL ? line->extra->name_at(index) : NULL;
}

static void keep(kept_names *kept, const char *name, bool is_extra)
{
    for (int i = 0; i < kept->count; i++) {
        if (strcmp(kept->name[i], name) == 0) {
            return;
        }
    }
    if (kept->count < KEPT_MAX) {
        kept->is_extra[kept->count] = is_extra;
        kept->name[kept->count++] = name;
    }
}

static void keep_like(const command_line *line, const char *given, bool (*is_like)(const char *, const char *),
                      kept_names *kept)
{
    bool is_extra;
    const char *name;
    for (int i = 0; kept->count == 0 && (name = name_at(line, i, &is_extra)) != NULL; i++) {
        if (!is_like(name, given)) {
            continue;
        }
        bool is_first_extra = is_extra; /* options of methods only where the command has none */
        for (; (name = name_at(line, i, &is_extra)) != NULL && is_extra == is_first_extra; i++) {
            if (is_like(name, given)) {
                keep(kept, name, is_extra);
            }
        }
        return;
    }
}

/* The most similar spelling: at most a third of the letters may differ, but two that changed places always may. */
static void keep_nearest(const command_line *line, const char *given, kept_names *kept)
{
    const char *nearest = NULL;
    bool nearest_is_extra = false;
    int limit = (int)strlen(given) / 3;
    int least = strlen(given) > 3 ? 2 : 1;
    int nearest_distance = (limit < least ? least : limit > 3 ? 3 : limit) + 1;
    bool is_extra;
    const char *name;
    for (int i = 0; (name = name_at(line, i, &is_extra)) != NULL; i++) {
        int distance = word_distance(given, name);
        if (distance < nearest_distance && distance < (int)strlen(name)) {
            nearest_distance = distance;
            nearest = name;
            nearest_is_extra = is_extra;
        }
    }
    if (nearest != NULL) {
        keep(kept, nearest, nearest_is_extra);
    }
}

const char *suggestion_find(const command_line *line, const char *name, char text[SUGGESTION_BYTES])
{
    kept_names kept = {0};
    const char *given = name + strspn(name, "-");
    text[0] = '\0';
    keep_like(line, given, begins, &kept);
    if (kept.count == 0) {
        keep_nearest(line, given, &kept);
    }
    if (kept.count == 0) {
        keep_like(line, given, shares_sense, &kept);
    }
    for (int i = 0; i < kept.count; i++) {
        size_t used = strlen(text);
        bool is_short = strlen(kept.name[i]) == 1;
        snprintf(text + used, SUGGESTION_BYTES - used, "%s%s%s",
                 i == 0                ? ""
                 : i + 1 == kept.count ? " or "
                                       : ", ",
                 is_short ? "-" : "--", kept.name[i]);
    }
    return text;
}
