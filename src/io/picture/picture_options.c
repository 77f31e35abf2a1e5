/* The default look of a picture; here so that builds without Cairo have it too. */
#include <math.h>

#include "radiocity/io.h"

rcity_picture_options rcity_picture_options_default(void)
{
    return (rcity_picture_options){.width_px = 1600, .value_min = (double)NAN, .value_max = (double)NAN};
}
