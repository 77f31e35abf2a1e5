/* Transmitters whose values are allowed and look like mistakes. */
#ifndef CLI_UNUSUAL_VALUES_H
#define CLI_UNUSUAL_VALUES_H

#include "radiocity/radiocity.h"

/* Is a frequency in the wrong unit, a power that of no transmitter on Earth, a pattern measured at another frequency, an
   azimuth or a tilt without effect? With --accept-unusual each is a warning. What the library refuses anyway passes.
   @return 0, or EXIT_USAGE after a message about the first. */
int unusual_values_check(const char *command, int transmitter_count, const rcity_transmitter *transmitters);

#endif
