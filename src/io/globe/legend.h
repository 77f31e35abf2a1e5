/* A small picture that says what the colours of an overlay mean. */
#ifndef RCITY_IO_GLOBE_LEGEND_H
#define RCITY_IO_GLOBE_LEGEND_H

#include "io/picture/picture_values.h"
#include "radiocity/map.h"

/* Draw the legend of a band as PNG; `*png` is released with rcity_release(). A build without Cairo cannot draw text: it
   leaves `*png` NULL and succeeds. */
rcity_status rcity_legend_make(rcity_context *context, const rcity_band *band, const rcity_picture_values *values,
                               unsigned char **png, size_t *bytes);

#endif
