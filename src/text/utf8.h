/* Which bytes are UTF-8 (RFC 3629). */
#ifndef RCITY_TEXT_UTF8_H
#define RCITY_TEXT_UTF8_H

#include <stddef.h>

/* Replaces bytes that are not UTF-8: U+FFFD, the replacement character. */
#define RCITY_UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Length in bytes of the character at `text`, which ends with 0; 0 when it is broken, overlong, a surrogate or beyond
   U+10FFFF. The end of a text counts as one byte. */
size_t rcity_utf8_bytes(const char *text);

/* The longest part of a text, at most `most` bytes, that does not end within a character. */
size_t rcity_utf8_cut(const char *text, size_t most);

#endif
