/* Round steps, and how many decimals they need. */
#include "io/picture/ticks.h"

#include <math.h>
#include <stdio.h>

double rcity_tick_round_down(double limit)
{
    double power = pow(10.0, floor(log10(limit)));
    double lead = limit / power * (1.0 + 1e-9);
    return power * (lead >= 10.0 ? 10.0 : lead >= 5.0 ? 5.0 : lead >= 2.0 ? 2.0 : 1.0);
}

double rcity_tick_step(double span, double most)
{
    double limit = span / most;
    double power = pow(10.0, floor(log10(limit)));
    double lead = limit / power * (1.0 - 1e-9);
    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

double rcity_tick_first(double value, double step)
{
    return ceil(value / step - 1e-6) * step;
}

double rcity_tick_last(double value, double step)
{
    return floor(value / step + 1e-6) * step;
}

char *rcity_tick_format(double value, double step, char *text)
{
    int decimals = (int)-floor(log10(step) + 1e-9);
    decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
    double shown = fabs(value) < 0.5 * pow(10.0, -decimals) ? 0.0 : value; /* avoids "-0" */
    snprintf(text, RCITY_TICK_BYTES, "%.*f", decimals, shown);
    return text;
}
