/* The library's messages name fields in backquotes; here they become the options of the command line. */
#include "option_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_name_letter(char letter, bool is_first)
{
    return (letter >= 'a' && letter <= 'z') || (!is_first && ((letter >= '0' && letter <= '9') || letter == '-'));
}

/* Length of the name at `text` if it ends in a backquote or, before a value, in '='; 0 for anything else. */
static size_t name_length(const char *text)
{
    size_t length = 0;
    while (is_name_letter(text[length], length == 0)) {
        length++;
    }
    bool is_ended = text[length] == '`' || (text[length] == '=' && strchr(text + length, '`') != NULL);
    return is_ended ? length : 0;
}

const char *option_words(const char *text, char *words, size_t bytes)
{
    snprintf(words, bytes, "%s", text);
    for (char *at = strchr(words, '`'); at != NULL; at = strchr(at + 1, '`')) {
        size_t length = name_length(at + 1);
        if (length == 0) {
            continue;
        }
        char *end = strchr(at + 1, '`');
        char *value = at + 1 + length;
        /* "`name=value`" and "--name value" have the same length. */
        size_t value_bytes = (size_t)(end - value);
        memmove(value + 1, value, value_bytes);
        memmove(at + 2, at + 1, length);
        at[0] = at[1] = '-';
        if (value_bytes > 0) {
            value[1] = ' ';
        }
        at = end;
    }
    return words;
}
