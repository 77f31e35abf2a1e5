/* Round numbers for axes, colour bars and scale bars. */
#ifndef RCITY_IO_TICKS_H
#define RCITY_IO_TICKS_H

#include <stddef.h>

#define RCITY_TICK_BYTES 32

/* The smallest of 1, 2, 5 times a power of ten that cuts `span` (> 0) into at most `most` steps. */
double rcity_tick_step(double span, double most);

/* The largest of 1, 2, 5 times a power of ten that is not above `limit` (> 0). */
double rcity_tick_round_down(double limit);

/* Multiples of `step` at or above, and at or below, a value; with a small tolerance for values that are multiples. */
double rcity_tick_first(double value, double step);
double rcity_tick_last(double value, double step);

/* A multiple of `step` with as many decimals as the step needs. Returns `text`, of RCITY_TICK_BYTES. */
char *rcity_tick_format(double value, double step, char *text);

#endif
