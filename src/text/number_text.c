/* Numbers as text with a point in every locale. */
#include "text/number_text.h"

#include <locale.h>
#include <stdio.h>

int rcity_number_vprint(char *text, size_t room, const char *format, va_list arguments)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain); /* of this thread only; unchanged where there is no memory for one */
    int length = vsnprintf(text, room, format, arguments);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    return length;
}

int rcity_number_print(char *text, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = rcity_number_vprint(text, room, format, arguments);
    va_end(arguments);
    return length;
}

void rcity_text_put_number(const rcity_text_sink *sink, double value)
{
    char digits[40];
    rcity_number_print(digits, sizeof digits, "%.10g", value == 0.0 ? 0.0 : value);
    rcity_text_put(sink, digits);
}

void rcity_text_put_fixed(const rcity_text_sink *sink, double value, int decimal_count)
{
    char digits[400];
    rcity_number_print(digits, sizeof digits, "%.*f", decimal_count, value);
    int is_zero = strspn(digits, "-0.") == strlen(digits);
    rcity_text_put(sink, is_zero && digits[0] == '-' ? digits + 1 : digits);
}

char *rcity_format_bytes(double bytes, char *text)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    int unit = 0;
    while (bytes >= 1000.0 && unit < 6) {
        bytes /= 1000.0;
        unit++;
    }
    snprintf(text, 32, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}
