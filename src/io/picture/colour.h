/* The colours of pictures. Scales of values are uniform in lightness, so that their order is visible in grey print and
   to colour-blind readers; hue only helps. */
#ifndef RCITY_IO_COLOUR_H
#define RCITY_IO_COLOUR_H

#include <stdint.h>

/* Red, green, blue in 0 to 1, sRGB. */
typedef struct rcity_colour {
    double red, green, blue;
} rcity_colour;

typedef enum rcity_colour_scale {
    RCITY_COLOUR_SIGNAL,   /* weak: indigo, dark; strong: yellow, bright */
    RCITY_COLOUR_BUILDING, /* low: sand; high: plum */
    RCITY_COLOUR_GROUND,   /* valley: pale green; summit: nearly white; unobtrusive under buildings */
    RCITY_COLOUR_RELIEF,   /* the same for a scene drawn alone: green, sand, brown, white; not uniform in lightness */
    RCITY_COLOUR_GREY,     /* low buildings: light; high ones: dark */
} rcity_colour_scale;

/* The colour at a fraction of a scale; fractions outside 0 to 1 give its ends. */
rcity_colour rcity_colour_at(rcity_colour_scale scale, double fraction);

/* A colour for each of many unordered things, numbered from 1: consecutive numbers differ in hue and lightness. After
   12 the colours repeat, darker and lighter. */
rcity_colour rcity_colour_of_class(int number);

/* From 0xrrggbb. */
rcity_colour rcity_colour_unpack(uint32_t rgb);

/* As a pixel: 0x00rrggbb. */
uint32_t rcity_colour_pack(rcity_colour colour);

/* Mix `part` of `over` with the rest of `under`. */
rcity_colour rcity_colour_mix(rcity_colour under, rcity_colour over, double part);

/* Lighter (above 1) or darker (below 1). */
rcity_colour rcity_colour_shade(rcity_colour colour, double factor);

#endif
