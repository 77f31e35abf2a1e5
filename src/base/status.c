/* Names and sentences of statuses, from the one list. */
#include "base/base.h"

const char *rcity_status_name(rcity_status status)
{
    switch (status) {
#define RCITY_STATUS_CASE(name, value, text)                                                                           \
    case name:                                                                                                         \
        return #name;
        RCITY_STATUS_LIST(RCITY_STATUS_CASE)
#undef RCITY_STATUS_CASE
    }
    return "RCITY_ERR_UNKNOWN";
}

const char *rcity_status_text(rcity_status status)
{
    switch (status) {
#define RCITY_STATUS_CASE(name, value, text)                                                                           \
    case name:                                                                                                         \
        return text;
        RCITY_STATUS_LIST(RCITY_STATUS_CASE)
#undef RCITY_STATUS_CASE
    }
    return "unknown status";
}
