/* Numbers as text with a point in every locale: otherwise a program in its user's locale could write "1,5". */
#ifndef RCITY_TEXT_NUMBER_TEXT_H
#define RCITY_TEXT_NUMBER_TEXT_H

#include <stdarg.h>

#include "text/text_sink.h"

#if defined(__GNUC__)
#define RCITY_TEXT_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define RCITY_TEXT_PRINTF(format_index, first_index)
#endif

/* snprintf() and vsnprintf() for text that goes into files. */
int rcity_number_print(char *text, size_t room, const char *format, ...) RCITY_TEXT_PRINTF(3, 4);
int rcity_number_vprint(char *text, size_t room, const char *format, va_list arguments) RCITY_TEXT_PRINTF(3, 0);

/* A finite number, as short as possible at ten digits; never "-0". */
void rcity_text_put_number(const rcity_text_sink *sink, double value);

/* A finite number with a fixed count of decimals; never "-0". */
void rcity_text_put_fixed(const rcity_text_sink *sink, double value, int decimal_count);

/* Bytes as people write them: "12.3 MB". `text` holds at least 32 bytes; returns it. */
char *rcity_format_bytes(double bytes, char *text);

#endif
