/* A page that is drawn into pixels and saved as PNG: plots and antennas. */
#ifndef RCITY_IO_PICTURE_PAGE_H
#define RCITY_IO_PICTURE_PAGE_H

#include <cairo.h>

#include "base/base.h"

/* Draw on the page, which is transparent until then. */
typedef rcity_status (*rcity_page_draw)(cairo_t *cairo, void *user);

/* Make a page of this size, draw it with `draw` and save it; `what` names it in messages ("the plot").
   @return what `draw` returns, RCITY_ERR_MEMORY, RCITY_ERR_FILE, RCITY_ERR_UNSUPPORTED where cairo cannot. */
rcity_status rcity_page_save(rcity_context *context, int width_px, int height_px, const char *what,
                             rcity_page_draw draw, void *user, const char *path);

#endif
