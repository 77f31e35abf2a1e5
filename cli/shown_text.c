#include "shown_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TEXT_BYTES 1024
#define TEXT_COUNT 8 /* more than one line of output needs */

/* The bytes of a control character in UTF-8, 0 for any other. */
static int control_bytes(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    unsigned char second = first != '\0' ? (unsigned char)text[1] : 0;
    if (first == 0xc2 && second >= 0x80 && second <= 0x9f) {
        return 2;
    }
    return (first < 0x20 && first != '\0') || first == 0x7f ? 1 : 0;
}

const char *shown(const char *text)
{
    static char made[TEXT_COUNT][TEXT_BYTES];
    static int turn = 0;
    if (text == NULL) {
        return "";
    }
    bool has_control = false;
    for (const char *letter = text; *letter != '\0'; letter++) {
        has_control = has_control || control_bytes(letter) > 0;
    }
    if (!has_control) {
        return text;
    }
    turn = (turn + 1) % TEXT_COUNT;
    size_t used = 0;
    while (*text != '\0' && used + 8 < TEXT_BYTES) {
        int bytes = control_bytes(text);
        if (bytes == 0) {
            made[turn][used++] = *text++;
        } else {
            used += (size_t)snprintf(made[turn] + used, 8, "\\x%02x", (unsigned char)text[bytes - 1]);
            text += bytes;
        }
    }
    made[turn][used] = '\0';
    return made[turn];
}
