/* The default options of plots; in their own file so that builds without Cairo have them too. */
#include <math.h>

#include "base/abi.h"
#include "radiocity/delays.h"
#include "radiocity/io.h"
#include "radiocity/profile.h"

void rcity_plot_options_init(rcity_plot_options *options, size_t struct_bytes)
{
    rcity_plot_options made = {.width_px = 1200, .gap_m = (double)NAN};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

void rcity_delays_draw_options_init(rcity_delays_draw_options *options, size_t struct_bytes)
{
    rcity_delays_draw_options made = {.width_px = 1200, .threshold_db = RCITY_DELAY_THRESHOLD_DB};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

void rcity_link_profile_draw_options_init(rcity_link_profile_draw_options *options, size_t struct_bytes)
{
    rcity_link_profile_draw_options made = {.width_px = 1200};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}
