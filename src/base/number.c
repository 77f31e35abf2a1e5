/* Numbers from text. strtod would follow the caller's locale and read "1.5" as 1 where the decimal separator is a
   comma, and it also accepts words and hexadecimal numbers. strtod_l() has a locale of its own but is in no standard,
   and both need a terminated copy: the copy that is made here has no decimal separator. */
#include "base/number.h"

#include <stdint.h>
#include <stdlib.h>

#define DIGIT_MAX 800 /* no double, and no midpoint between two, has more than 768 significant digits */

/* A decimal number as digits and a power of ten: without a decimal point every locale reads it the same way. */
typedef struct decimal {
    char text[DIGIT_MAX + 32]; /* a sign, the digits and later the exponent */
    size_t length;
    size_t digit_count; /* in `text`, from the first nonzero digit on */
    int64_t exponent;   /* power of ten of the last digit */
    bool has_digit, has_point;
} decimal;

static bool is_digit(const char *text, const char *end)
{
    return text < end && *text >= '0' && *text <= '9';
}

static const char *read_digits(const char *text, const char *end, decimal *number)
{
    for (; is_digit(text, end); text++) {
        bool is_kept = number->digit_count < DIGIT_MAX && (number->digit_count > 0 || *text != '0');
        bool is_leading = number->digit_count == 0 && *text == '0';
        if (is_kept) {
            number->text[number->length++] = *text;
            number->digit_count++;
        }
        number->exponent += (!is_kept && !is_leading) - (number->has_point ? 1 : 0);
        number->has_digit = true;
    }
    return text;
}

/* Read what follows 'e'. Without digits it is no exponent, and the number ends before it. */
static const char *read_exponent(const char *text, const char *end, int64_t *exponent)
{
    const char *at = text + 1;
    bool is_negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (!is_digit(at, end)) {
        return text;
    }
    int64_t power = 0;
    for (; is_digit(at, end); at++) {
        power = power < 100000 ? power * 10 + (*at - '0') : power;
    }
    *exponent += is_negative ? -power : power;
    return at;
}

/* Append the exponent and the terminator without printf, which takes as long as strtod. */
static void finish(decimal *number)
{
    char digits[24];
    size_t count = 0;
    if (number->digit_count == 0) {
        number->text[number->length++] = '0';
    }
    number->text[number->length++] = 'e';
    number->text[number->length++] = number->exponent < 0 ? '-' : '+';
    for (int64_t left = number->exponent < 0 ? -number->exponent : number->exponent; left > 0 || count == 0;
         left /= 10) {
        digits[count++] = (char)('0' + left % 10);
    }
    while (count > 0) {
        number->text[number->length++] = digits[--count];
    }
    number->text[number->length] = '\0';
}

bool rcity_number_read(const char **text, const char *end, double *value)
{
    const char *at = *text;
    decimal number; /* the text is not cleared: that would take longer than reading most numbers */
    number.length = number.digit_count = 0;
    number.exponent = 0;
    number.has_digit = number.has_point = false;
    if (at < end && (*at == '-' || *at == '+')) {
        number.text[number.length++] = *at++;
    }
    at = read_digits(at, end, &number);
    if (at < end && *at == '.') {
        number.has_point = true;
        at = read_digits(at + 1, end, &number);
    }
    if (!number.has_digit) {
        return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at = read_exponent(at, end, &number.exponent);
    }
    finish(&number);
    *value = strtod(number.text, NULL);
    *text = at;
    return true;
}
