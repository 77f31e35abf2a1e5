/* Names and words of mechanisms, from the one list. */
#include "radiocity/mechanism.h"

const char *rcity_mechanism_name(rcity_mechanism mechanism)
{
    switch (mechanism) {
#define RCITY_MECHANISM_CASE(code, value, name, text)                                                                  \
    case code:                                                                                                         \
        return name;
        RCITY_MECHANISM_LIST(RCITY_MECHANISM_CASE)
#undef RCITY_MECHANISM_CASE
    }
    return "unknown";
}

const char *rcity_mechanism_text(rcity_mechanism mechanism)
{
    switch (mechanism) {
#define RCITY_MECHANISM_CASE(code, value, name, text)                                                                  \
    case code:                                                                                                         \
        return text;
        RCITY_MECHANISM_LIST(RCITY_MECHANISM_CASE)
#undef RCITY_MECHANISM_CASE
    }
    return "unknown";
}
