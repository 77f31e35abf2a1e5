/* Legends in a build without Cairo: none. */
#include "io/export/legend.h"

rcity_status rcity_legend_make(rcity_context *context, const rcity_band *band, const rcity_picture_values *values,
                               unsigned char **png, size_t *bytes)
{
    (void)context;
    (void)band;
    (void)values;
    *png = NULL;
    *bytes = 0;
    return RCITY_OK;
}
