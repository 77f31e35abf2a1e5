/* Text through cairo's toy interface: it needs no font file and falls back to the fonts of the machine. */
#include "io/picture/picture_text.h"

#include <stdio.h>
#include <string.h>

#include "io/picture/colour.h"
#include "text/utf8.h"

#define ELLIPSIS "\u2026"

/* A copy that cairo accepts: one bad byte would make it refuse the whole picture. */
static void clean_text(const char *text, char *clean)
{
    size_t filled = 0;
    while (*text != '\0' && filled + 5 < RCITY_TEXT_BYTES) {
        size_t bytes = rcity_utf8_bytes(text);
        if (bytes == 0 || (unsigned char)*text < 0x20 || *text == 0x7f) {
            clean[filled++] = '?';
            text++;
            continue;
        }
        memcpy(clean + filled, text, bytes);
        filled += bytes;
        text += bytes;
    }
    clean[filled] = '\0';
}

void rcity_text_set_rendering(cairo_t *cairo)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo, options);
    cairo_font_options_destroy(options);
}

static void choose_font(cairo_t *cairo, const rcity_text_style *style)
{
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           style->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, style->size_px);
}

double rcity_text_width(cairo_t *cairo, const rcity_text_style *style, const char *text)
{
    char clean[RCITY_TEXT_BYTES];
    clean_text(text, clean);
    choose_font(cairo, style);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, clean, &extents);
    return extents.x_advance;
}

static void set_source(cairo_t *cairo, uint32_t rgb)
{
    rcity_colour colour = rcity_colour_unpack(rgb);
    cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue);
}

void rcity_text_draw(cairo_t *cairo, const rcity_text_style *style, double x, double y, const char *text)
{
    char clean[RCITY_TEXT_BYTES];
    clean_text(text, clean);
    double width = style->anchor == RCITY_TEXT_LEFT ? 0.0 : rcity_text_width(cairo, style, text);
    double start = style->anchor == RCITY_TEXT_MIDDLE  ? x - 0.5 * width
                   : style->anchor == RCITY_TEXT_RIGHT ? x - width
                                                       : x;
    choose_font(cairo, style);
    if (style->has_halo) {
        cairo_move_to(cairo, start, y);
        cairo_text_path(cairo, clean);
        cairo_set_source_rgba(cairo, 1.0, 1.0, 1.0, 0.9);
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_width(cairo, 0.3 * style->size_px);
        cairo_stroke(cairo);
    }
    set_source(cairo, style->rgb);
    cairo_move_to(cairo, start, y);
    cairo_show_text(cairo, clean);
    cairo_new_path(cairo);
}

/* Cut a text to a width, with an ellipsis at its end. */
static void cut_text(cairo_t *cairo, const rcity_text_style *style, double width, char *text)
{
    size_t length = strlen(text);
    while (length > 0) {
        length = rcity_utf8_cut(text, length - 1);
        while (length > 0 && text[length - 1] == ' ') {
            length--;
        }
        snprintf(text + length, RCITY_TEXT_BYTES - length, "%s", ELLIPSIS);
        if (rcity_text_width(cairo, style, text) <= width) {
            return;
        }
    }
}

void rcity_text_cut(cairo_t *cairo, const rcity_text_style *style, double width, const char *text, char *shown)
{
    clean_text(text, shown);
    if (rcity_text_width(cairo, style, shown) > width) {
        cut_text(cairo, style, width, shown);
    }
}

void rcity_text_draw_fitted(cairo_t *cairo, const rcity_text_style *style, double x, double y, double width,
                            const char *text)
{
    rcity_text_style fitted = *style;
    char shown[RCITY_TEXT_BYTES];
    clean_text(text, shown);
    double needed = rcity_text_width(cairo, style, shown);
    if (needed > width) {
        fitted.size_px *= needed * 0.75 > width ? 0.75 : width / needed * 0.995;
        if (rcity_text_width(cairo, &fitted, shown) > width) {
            cut_text(cairo, &fitted, width, shown);
        }
    }
    rcity_text_draw(cairo, &fitted, x, y, shown);
}

/* Bytes of `text` that fit in one line, broken at a space where there is one. */
static size_t line_bytes(cairo_t *cairo, const rcity_text_style *style, double width, const char *text)
{
    char line[RCITY_TEXT_BYTES];
    size_t best = 0;
    for (size_t i = 0; i < RCITY_TEXT_BYTES - 5; i++) {
        if (text[i] != ' ' && text[i] != '\0') {
            continue;
        }
        memcpy(line, text, i);
        line[i] = '\0';
        if (rcity_text_width(cairo, style, line) > width) {
            return best > 0 ? best : i; /* a word wider than the line is cut when drawn */
        }
        best = i;
        if (text[i] == '\0') {
            return i;
        }
    }
    return best > 0 ? best : RCITY_TEXT_BYTES - 5;
}

int rcity_text_draw_wrapped(cairo_t *cairo, const rcity_text_style *style, double x, double y, double width,
                            double line_height, int line_max, const char *text)
{
    char clean[RCITY_TEXT_BYTES], line[RCITY_TEXT_BYTES];
    clean_text(text, clean);
    const char *rest = clean;
    int line_count = 0;
    while (*rest != '\0' && line_count < line_max) {
        size_t bytes = line_count + 1 == line_max ? strlen(rest) : line_bytes(cairo, style, width, rest);
        memcpy(line, rest, bytes);
        line[bytes] = '\0';
        rest += bytes;
        rest += strspn(rest, " ");
        if (rcity_text_width(cairo, style, line) > width) {
            cut_text(cairo, style, width, line);
        }
        rcity_text_draw(cairo, style, x, y + line_height * (double)line_count, line);
        line_count++;
    }
    return line_count;
}
