/* Which bytes are UTF-8 (RFC 3629). */
#include "text/utf8.h"

#include <stdbool.h>
#include <string.h>

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

size_t rcity_utf8_bytes(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < 0x80) {
        return 1;
    }
    size_t count = byte[0] >= 0xc2 && byte[0] <= 0xdf   ? 2
                   : byte[0] >= 0xe0 && byte[0] <= 0xef ? 3
                   : byte[0] >= 0xf0 && byte[0] <= 0xf4 ? 4
                                                        : 0;
    for (size_t i = 1; i < count; i++) {
        if (!is_continuation(byte[i])) {
            return 0;
        }
    }
    bool is_overlong = (byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xf0 && byte[1] < 0x90);
    bool is_surrogate = byte[0] == 0xed && byte[1] >= 0xa0;
    bool is_beyond = byte[0] == 0xf4 && byte[1] >= 0x90;
    return is_overlong || is_surrogate || is_beyond ? 0 : count;
}

size_t rcity_utf8_cut(const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length <= most) {
        return length;
    }
    length = most;
    while (length > 0 && is_continuation((unsigned char)text[length])) {
        length--;
    }
    return length;
}
