/* A locale in which 1.5 is written "1,5", for tests of what goes into files. */
#ifndef COMMA_LOCALE_H
#define COMMA_LOCALE_H

#include "rcity_test.h"

#include <locale.h>

/* Enter one. @return false, with a line that says so, where the machine has none. Leave with comma_locale_leave(). */
static inline bool comma_locale_enter(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8",  "es_ES.UTF-8",
                                        "it_IT.UTF-8", "pt_BR.UTF-8", "ru_RU.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_NUMERIC, names[i]) != NULL) {
            char digits[16];
            snprintf(digits, sizeof digits, "%.1f", 1.5);
            assert_string_equal(digits, "1,5");
            return true;
        }
    }
    print_message("SKIPPED: no locale with a decimal comma on this machine (such as de_DE.UTF-8)\n");
    return false;
}

static inline void comma_locale_leave(void)
{
    setlocale(LC_NUMERIC, "C");
}

#endif
