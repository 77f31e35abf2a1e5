/* A growing text, as a sink for JSON and with XML escapes. */
#include "io/export/text_block.h"

#include <stdio.h>
#include <string.h>

#include "text/number_text.h"
#include "text/utf8.h"

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

/* Make room for `bytes` more and the terminating 0. */
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

static void put_bytes(void *user, const char *bytes, size_t count)
{
    add_bytes(user, bytes, count);
}

rcity_text_sink rcity_text_block_sink(rcity_text_block *block)
{
    return (rcity_text_sink){put_bytes, block};
}

rcity_json_writer rcity_text_block_json(rcity_text_block *block)
{
    return (rcity_json_writer){.sink = rcity_text_block_sink(block), .is_compact = true};
}

void rcity_text_add_number(rcity_text_block *block, double value)
{
    rcity_text_sink sink = rcity_text_block_sink(block);
    rcity_json_put_number(&sink, value);
}

void rcity_text_add_fixed(rcity_text_block *block, double value, int decimal_count)
{
    rcity_text_sink sink = rcity_text_block_sink(block);
    rcity_text_put_fixed(&sink, value, decimal_count);
}

void rcity_text_add_json(rcity_text_block *block, const char *text)
{
    rcity_text_sink sink = rcity_text_block_sink(block);
    rcity_json_put_text(&sink, text);
}

/* Number of bytes of a character that XML allows; 0 when it is none. U+FFFE and U+FFFF are UTF-8, but not in XML. */
static size_t xml_bytes(const char *text)
{
    bool is_none = strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0;
    return is_none ? 0 : rcity_utf8_bytes(text);
}

/* The XML escape of a character of this many bytes; NULL: none is needed. */
static const char *escape_xml(const char *text, size_t bytes)
{
    if (bytes == 0) {
        return RCITY_UTF8_REPLACEMENT;
    }
    switch (*text) {
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
        return (unsigned char)*text < 0x20 ? RCITY_UTF8_REPLACEMENT : NULL;
    }
}

void rcity_text_add_xml(rcity_text_block *block, const char *text)
{
    for (size_t bytes = 0; *text != '\0'; text += bytes) {
        bytes = xml_bytes(text);
        const char *escaped = escape_xml(text, bytes);
        bytes = bytes > 0 ? bytes : 1;
        add_bytes(block, escaped != NULL ? escaped : text, escaped != NULL ? strlen(escaped) : bytes);
    }
}

void rcity_text_add_html(rcity_text_block *block, const char *text)
{
    for (size_t bytes = 0; *text != '\0'; text += bytes) {
        bytes = xml_bytes(text);
        const char *escaped = escape_xml(text, bytes);
        bytes = bytes > 0 ? bytes : 1;
        bool is_html = escaped != NULL && strchr("&<>\"'", *text) != NULL;
        if (is_html) {
            add_bytes(block, "&amp;", 5);
            escaped++; /* what follows its own ampersand */
        }
        add_bytes(block, escaped != NULL ? escaped : text, escaped != NULL ? strlen(escaped) : bytes);
    }
}
