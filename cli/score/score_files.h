/* The files `score` writes: every point as a table, the curves along the routes, the cloud of points. */
#ifndef CLI_SCORE_FILES_H
#define CLI_SCORE_FILES_H

#include "output_set.h"
#include "score_input.h"

/* Can all that are named on the command line be written? @return 0, or an exit status after a message. */
int score_files_check(rcity_context *context, const score_input *input);

rcity_status score_files_write(rcity_context *context, const rcity_scene *scene, const rcity_score *score,
                               const score_input *input, const measurement_world *world, output_set *set);

#endif
