/* The default options of a plot; in their own file so that builds without Cairo have them too. */
#include <math.h>

#include "base/abi.h"
#include "radiocity/io.h"

void rcity_plot_options_init(rcity_plot_options *options, size_t struct_bytes)
{
    rcity_plot_options made = {.width_px = 1200, .gap_m = (double)NAN};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}
