/* The default look of a plot; here so that builds without Cairo have it too. */
#include <math.h>

#include "radiocity/io.h"

rcity_plot_options rcity_plot_options_default(void)
{
    return (rcity_plot_options){.width_px = 1200, .gap_m = (double)NAN};
}
