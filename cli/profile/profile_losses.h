/* The losses of a link by all models that the method with several losses has, and the link budget. */
#ifndef CLI_PROFILE_LOSSES_H
#define CLI_PROFILE_LOSSES_H

#include "profile_input.h"

#define PROFILE_LOSS_MAX     32
#define PROFILE_WORD_BYTES   48
#define PROFILE_REASON_BYTES 400

typedef struct profile_loss {
    char word[PROFILE_WORD_BYTES];
    double loss_db;                    /* NAN where there is none */
    double received_dbm;               /* NAN without a power */
    char reason[PROFILE_REASON_BYTES]; /* why there is none; "" */
} profile_loss;

typedef struct profile_losses {
    int count;
    profile_loss loss[PROFILE_LOSS_MAX];
    int chosen; /* that of the budget */
} profile_losses;

/* Find the losses of a link. A loss that cannot be had says why; only lack of memory and an interruption end the run. */
rcity_status profile_losses_find(rcity_context *context, const rcity_scene *scene, const profile_input *input,
                                 const rcity_link_profile_options *options, const rcity_link_profile_info *info,
                                 profile_losses *losses);

#endif
