/* Growing text with the escapes of JSON and XML. */
#include "io/export/text_block.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD in UTF-8 */

void rcity_text_block_init(rcity_context *context, rcity_text_block *block)
{
    memset(block, 0, sizeof *block);
    block->context = context;
    block->status = RCITY_OK;
}

void rcity_text_block_deinit(rcity_text_block *block)
{
    rcity_release(block->context, block->text);
    block->text = NULL;
    block->length = block->capacity = 0;
}

/* Room for `bytes` more and the 0 behind them. */
static bool make_room(rcity_text_block *block, size_t bytes)
{
    if (block->status == RCITY_OK) {
        block->status = rcity_reserve(block->context, block->length + bytes + 1, 1, &block->capacity, "an output text",
                                      &block->text);
    }
    return block->status == RCITY_OK;
}

static void add_bytes(rcity_text_block *block, const char *bytes, size_t count)
{
    if (make_room(block, count)) {
        memcpy(block->text + block->length, bytes, count);
        block->length += count;
        block->text[block->length] = '\0';
    }
}

void rcity_text_add(rcity_text_block *block, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0 && make_room(block, (size_t)length)) {
        vsnprintf(block->text + block->length, (size_t)length + 1, format, again);
        block->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

static void add_digits(rcity_text_block *block, char *digits)
{
    char *comma = strchr(digits, ','); /* some locales */
    if (comma != NULL) {
        *comma = '.';
    }
    add_bytes(block, digits, strlen(digits));
}

void rcity_text_add_number(rcity_text_block *block, double value)
{
    char digits[40];
    if (!isfinite(value)) {
        add_bytes(block, "null", 4);
        return;
    }
    snprintf(digits, sizeof digits, "%.10g", value == 0.0 ? 0.0 : value);
    add_digits(block, digits);
}

void rcity_text_add_fixed(rcity_text_block *block, double value, int decimal_count)
{
    char digits[400];
    snprintf(digits, sizeof digits, "%.*f", decimal_count, value);
    bool is_zero = strspn(digits, "-0.,") == strlen(digits);
    add_digits(block, is_zero && digits[0] == '-' ? digits + 1 : digits);
}

/* Bytes of the UTF-8 character at `text`; 0 when it is broken, overlong or no character. */
static size_t character_bytes(const unsigned char *text)
{
    if (text[0] < 0x80) {
        return 1;
    }
    size_t count = text[0] >= 0xc2 && text[0] <= 0xdf ? 2
                   : (text[0] & 0xf0) == 0xe0         ? 3
                   : (text[0] & 0xf8) == 0xf0         ? 4
                                                      : 0;
    for (size_t i = 1; i < count; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool is_overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool is_surrogate = text[0] == 0xed && text[1] >= 0xa0;
    bool is_beyond = text[0] > 0xf4 || (text[0] == 0xf4 && text[1] >= 0x90);
    bool is_none = text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe; /* U+FFFE, U+FFFF: not in XML */
    return is_overlong || is_surrogate || is_beyond || is_none ? 0 : count;
}

/* The characters of a text one by one; those that `escape` spells differently go through it. */
static void add_escaped(rcity_text_block *block, const char *text, const char *(*escape)(char c, char room[8]))
{
    const unsigned char *next = (const unsigned char *)text;
    while (*next != '\0') {
        size_t count = character_bytes(next);
        char room[8];
        const char *escaped = count == 1 ? escape((char)*next, room) : count == 0 ? REPLACEMENT : NULL;
        if (escaped != NULL) {
            add_bytes(block, escaped, strlen(escaped));
        } else {
            add_bytes(block, (const char *)next, count);
        }
        next += count == 0 ? 1 : count;
    }
}

static const char *escape_json(char c, char room[8])
{
    if (c == '"' || c == '\\') {
        snprintf(room, 8, "\\%c", c);
        return room;
    }
    if ((unsigned char)c < 0x20 || c == 0x7f) {
        snprintf(room, 8, "\\u%04x", (unsigned)c);
        return room;
    }
    return NULL;
}

static const char *escape_xml(char c, char room[8])
{
    (void)room;
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&apos;";
    case '\n':
        return "&#10;"; /* a plain one would become a space in attributes */
    case '\t':
        return "&#9;";
    default:
        return (unsigned char)c < 0x20 ? REPLACEMENT : NULL;
    }
}

void rcity_text_add_json(rcity_text_block *block, const char *text)
{
    if (text == NULL) {
        add_bytes(block, "null", 4);
        return;
    }
    add_bytes(block, "\"", 1);
    add_escaped(block, text, escape_json);
    add_bytes(block, "\"", 1);
}

void rcity_text_add_xml(rcity_text_block *block, const char *text)
{
    add_escaped(block, text, escape_xml);
}
