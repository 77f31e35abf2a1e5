/* Numbers out of text and into it. strtod would follow the caller's locale and read "1.5" as 1 where a comma is the
   custom; printf would write the comma. */
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static bool is_digit(const char *text, const char *end)
{
    return text < end && *text >= '0' && *text <= '9';
}

/* Digits beyond the 19th cannot change the value but count for its size. */
static const char *read_digits(const char *text, const char *end, uint64_t *mantissa, int *digit_count, int *dropped)
{
    for (; is_digit(text, end); text++) {
        if (*mantissa < UINT64_MAX / 10 - 1) {
            *mantissa = *mantissa * 10 + (uint64_t)(*text - '0');
        } else {
            (*dropped)++;
        }
        (*digit_count)++;
    }
    return text;
}

static double scale(double value, int exponent)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    for (; exponent > 22 && value != 0.0 && isfinite(value); exponent -= 22) {
        value *= power[22];
    }
    for (; exponent < -22 && value != 0.0; exponent += 22) {
        value /= power[22];
    }
    if (value == 0.0 || !isfinite(value)) {
        return value;
    }
    return exponent >= 0 ? value * power[exponent] : value / power[-exponent];
}

bool rcity_number_read(const char **text, const char *end, double *value)
{
    const char *at = *text;
    bool is_negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    uint64_t mantissa = 0;
    int digit_count = 0;
    int exponent = 0;
    at = read_digits(at, end, &mantissa, &digit_count, &exponent);
    if (at < end && *at == '.') {
        int whole_digits = digit_count;
        int dropped = 0;
        at = read_digits(at + 1, end, &mantissa, &digit_count, &dropped);
        exponent -= digit_count - whole_digits - dropped;
    }
    if (digit_count == 0) {
        return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        const char *mark = at + 1;
        bool is_small = mark < end && *mark == '-';
        mark += mark < end && (*mark == '-' || *mark == '+');
        if (is_digit(mark, end)) {
            int power = 0;
            for (; is_digit(mark, end); mark++) {
                power = power < 100000 ? power * 10 + (*mark - '0') : power;
            }
            exponent += is_small ? -power : power;
            at = mark;
        }
    }
    double size = scale((double)mantissa, exponent);
    *value = is_negative ? -size : size;
    *text = at;
    return true;
}

int rcity_number_vprint(char *text, size_t room, const char *format, va_list arguments)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain); /* of this thread only; stays as it is where there is no memory for one */
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
