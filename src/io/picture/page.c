/* A page that is drawn into pixels and saved as PNG. */
#include "io/picture/page.h"

#include "base/file.h"
#include "io/globe/png.h"
#include "io/picture/picture_text.h"

/* cairo's own memory is small: the pixels are allocated here. */
static rcity_status draw_pixels(rcity_context *context, int width_px, int height_px, const char *what,
                                rcity_page_draw draw, void *user, uint32_t *pixels)
{
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)pixels, CAIRO_FORMAT_ARGB32,
                                                                   width_px, height_px, 4 * width_px);
    cairo_t *cairo = cairo_create(surface);
    rcity_text_set_rendering(cairo);
    rcity_status status = draw(cairo, user);
    cairo_surface_flush(surface);
    cairo_status_t drawn = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    RCITY_TRY(status);
    RCITY_CHECK(context, drawn == CAIRO_STATUS_SUCCESS,
                drawn == CAIRO_STATUS_NO_MEMORY ? RCITY_ERR_MEMORY : RCITY_ERR_UNSUPPORTED, "cairo cannot draw %s: %s",
                what, cairo_status_to_string(drawn));
    return RCITY_OK;
}

rcity_status rcity_page_save(rcity_context *context, int width_px, int height_px, const char *what,
                             rcity_page_draw draw, void *user, const char *path)
{
    uint32_t *pixels = NULL;
    unsigned char *png = NULL;
    size_t bytes = 0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)width_px * (size_t)height_px, sizeof *pixels, what, &pixels));
    RCITY_TRY_DONE(rcity_check_machine_memory(context, RCITY_DRAWING_BYTES, "drawing"));
    RCITY_TRY_DONE(draw_pixels(context, width_px, height_px, what, draw, user, pixels));
    RCITY_TRY_DONE(rcity_png_encode(context, width_px, height_px, pixels, &png, &bytes));
    status = rcity_file_save(context, path, png, bytes);
done:
    rcity_release(context, png);
    rcity_release(context, pixels);
    return status;
}
