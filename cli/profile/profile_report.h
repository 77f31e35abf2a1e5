/* What `profile` prints. */
#ifndef CLI_PROFILE_REPORT_H
#define CLI_PROFILE_REPORT_H

#include "profile_losses.h"

/* What is known of a link. */
typedef struct profile_link {
    const profile_input *input;
    const rcity_link_profile *profile;
    rcity_link_profile_info info;
    rcity_transmitter transmitter;
    profile_losses losses;
} profile_link;

/* Print the link on standard output. */
void profile_report(const profile_link *link);

/* "clear", "in sight, ..." or "blocked ...", in a few words. */
#define PROFILE_STATE_BYTES 160
const char *profile_write_state(const profile_link *link, char text[PROFILE_STATE_BYTES]);

/* The budget as one line; "" without a power. */
#define PROFILE_BUDGET_BYTES 320
const char *profile_write_budget(const profile_link *link, char text[PROFILE_BUDGET_BYTES]);

#endif
