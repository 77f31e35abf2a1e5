/* Signals that end a run. The first that asks for it stops the work, which then ends with a message; if that takes longer
   than the user is promised, or a second one comes, the program ends at once. Faults end it with a sentence. Files are whole
   or absent either way. */
#ifndef CLI_STOP_SIGNALS_H
#define CLI_STOP_SIGNALS_H

#include <stdbool.h>

#include "radiocity/radiocity.h"

/* Install the handlers. A signal that is ignored, as by nohup or in the background of a script, stays ignored. */
void stop_signals_open(rcity_context *context);

/* The context goes: only the dispositions of before remain. */
void stop_signals_close(void);

/* From now on the first signal is waited for: the work ends with the best that it has. A second one ends the program. */
void stop_signals_wait(void);

/* The work has ended so. What follows, such as writing the best, is work like any other. */
void stop_signals_take(void);

/* Was the run asked to stop? */
bool stop_is_asked(void);

/* The files are in their places: what is left is a report, and a signal has its usual effect again. */
void stop_signals_end_work(void);

#endif
