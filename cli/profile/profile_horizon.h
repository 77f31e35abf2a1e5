/* The horizon of the transmitter as a table. */
#ifndef CLI_PROFILE_HORIZON_H
#define CLI_PROFILE_HORIZON_H

#include "profile_input.h"

/* Write the table, and print the highest and the farthest place of the horizon. */
rcity_status profile_horizon_write(rcity_context *context, const rcity_scene *scene, const profile_input *input,
                                   const rcity_transmitter *transmitter);

#endif
