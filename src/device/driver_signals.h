/* OpenCL drivers that contain a compiler take over signals of the process: LLVM's first compilation does, and SIGQUIT and
   SIGUSR1 are then swallowed. */
#ifndef RCITY_DEVICE_DRIVER_SIGNALS_H
#define RCITY_DEVICE_DRIVER_SIGNALS_H

#include <signal.h>

#define RCITY_DRIVER_SIGNAL_COUNT 10

typedef struct rcity_driver_signals {
    struct sigaction action[RCITY_DRIVER_SIGNAL_COUNT];
} rcity_driver_signals;

/* Note who handles the signals by which users and batch systems speak to a process. Call before a call to a driver that
   may compile. */
void rcity_driver_signals_note(rcity_driver_signals *before);

/* Give back those that the driver took. */
void rcity_driver_signals_restore(const rcity_driver_signals *before);

#endif
