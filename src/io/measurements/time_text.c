#include "io/measurements/time_text.h"

#include <string.h>

#include "io/csv.h"

/* A fixed number of digits as a number within limits; moves the text past them. */
static bool read_digits(const char **text, int count, int low, int high, int *value)
{
    int read = 0;
    for (int i = 0; i < count; i++) {
        char letter = (*text)[i];
        if (letter < '0' || letter > '9') {
            return false;
        }
        read = 10 * read + (letter - '0');
    }
    *text += count;
    *value = read;
    return read >= low && read <= high;
}

/* One of several letters; moves the text past it. */
static bool read_letter(const char **text, const char *letters)
{
    if (**text == '\0' || strchr(letters, **text) == NULL) {
        return false;
    }
    (*text)++;
    return true;
}

/* "14:03", "14:03:05", "14:03:05.25" as seconds of the day; 60 is a leap second. */
static bool read_clock(const char **text, double *seconds)
{
    int hour;
    int minute;
    int second = 0;
    double fraction = 0.0;
    if (!read_digits(text, 2, 0, 24, &hour) || !read_letter(text, ":") || !read_digits(text, 2, 0, 59, &minute)) {
        return false;
    }
    if (read_letter(text, ":")) {
        if (!read_digits(text, 2, 0, 60, &second)) {
            return false;
        }
        if (read_letter(text, ".,")) {
            double digit_s = 0.1;
            for (; **text >= '0' && **text <= '9'; (*text)++, digit_s *= 0.1) {
                fraction += digit_s * (**text - '0');
            }
        }
    }
    *seconds = 3600.0 * hour + 60.0 * minute + second + fraction;
    return true;
}

/* Days from 1970-01-01 to a day of the Gregorian calendar; years start in March, so that leap days end them. */
static long count_days(int year, int month, int day)
{
    long shifted = month > 2 ? year : year - 1;
    long era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    long year_of_era = shifted - 400 * era;
    long day_of_year = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    long day_of_era = 365 * year_of_era + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return 146097 * era + day_of_era - 719468;
}

/* "Z", "+02:00", "+0200", "+02" or nothing: the offset of local time in seconds. */
static bool read_zone(const char **text, double *ahead_s)
{
    *ahead_s = 0.0;
    int sign = **text == '-' ? -1 : 1;
    int hour;
    int minute = 0;
    if (!read_letter(text, "+-")) {
        (void)read_letter(text, "Zz");
        return true;
    }
    if (!read_digits(text, 2, 0, 14, &hour)) {
        return false;
    }
    bool has_colon = read_letter(text, ":");
    if ((has_colon || **text != '\0') && !read_digits(text, 2, 0, 59, &minute)) {
        return false;
    }
    *ahead_s = sign * (3600.0 * hour + 60.0 * minute);
    return true;
}

bool rcity_time_read(const char *text, bool may_use_comma, double *seconds)
{
    if (rcity_csv_read_number(text, may_use_comma, seconds)) {
        return true;
    }
    const char *at = text;
    double clock_s;
    if (read_clock(&at, &clock_s) && *at == '\0') {
        *seconds = clock_s;
        return true;
    }
    int year;
    int month;
    int day;
    double ahead_s;
    at = text;
    if (!read_digits(&at, 4, 0, 9999, &year) || !read_letter(&at, "-/") || !read_digits(&at, 2, 1, 12, &month) ||
        !read_letter(&at, "-/") || !read_digits(&at, 2, 1, 31, &day) || !read_letter(&at, "Tt ") ||
        !read_clock(&at, &clock_s) || !read_zone(&at, &ahead_s) || *at != '\0') {
        return false;
    }
    *seconds = 86400.0 * (double)count_days(year, month, day) + clock_s - ahead_s;
    return true;
}
