#include "device/driver_signals.h"

#include <stddef.h>
#include <string.h>

/* Not those of faults: a driver may need to see its own. */
static const int signals[RCITY_DRIVER_SIGNAL_COUNT] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
                                                       SIGUSR2, SIGALRM, SIGPIPE, SIGXCPU, SIGXFSZ};

void rcity_driver_signals_note(rcity_driver_signals *before)
{
    for (size_t i = 0; i < RCITY_DRIVER_SIGNAL_COUNT; i++) {
        if (sigaction(signals[i], NULL, &before->action[i]) != 0) {
            memset(&before->action[i], 0, sizeof before->action[i]);
        }
    }
}

void rcity_driver_signals_restore(const rcity_driver_signals *before)
{
    for (size_t i = 0; i < RCITY_DRIVER_SIGNAL_COUNT; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != before->action[i].sa_handler) {
            (void)sigaction(signals[i], &before->action[i], NULL);
        }
    }
}
