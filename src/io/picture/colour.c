/* Colour scales between anchors. The anchors were laid out in a perceptual space (equal steps of lightness, hue
   changing in one direction) and rounded to bytes; linear interpolation between neighbours is close enough. */
#include "io/picture/colour.h"

#include <assert.h>
#include <stddef.h>

typedef struct anchors {
    int count;
    uint32_t rgb[11];
} anchors;

static const anchors scales[] = {
    [RCITY_COLOUR_SIGNAL] = {11,
                             {0x170e56, 0x291974, 0x3d2493, 0x6827a2, 0x9429a5, 0xc5328b, 0xec4764, 0xff714f, 0xffa15c,
                              0xfecd7d, 0xfff5a5}},
    [RCITY_COLOUR_BUILDING] = {7, {0xf3d992, 0xedbf7a, 0xe5a067, 0xd47f56, 0xb7574e, 0x8b354b, 0x5e1942}},
    [RCITY_COLOUR_GROUND] = {5, {0xc6d6c6, 0xd6dfce, 0xe3e5da, 0xebe7df, 0xf7f5f2}},
    [RCITY_COLOUR_RELIEF] = {6, {0x9cc3a0, 0xc3d6a4, 0xe3dcae, 0xdcc29a, 0xcfb5a0, 0xf6f0ec}},
    [RCITY_COLOUR_GREY] = {3, {0xd0d0cf, 0xaaaaac, 0x7a7a81}},
};

static double clamp_unit(double value)
{
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

rcity_colour rcity_colour_unpack(uint32_t rgb)
{
    return (rcity_colour){(double)(rgb >> 16 & 0xff) / 255.0, (double)(rgb >> 8 & 0xff) / 255.0,
                          (double)(rgb & 0xff) / 255.0};
}

static uint32_t to_byte(double part)
{
    return (uint32_t)(255.0 * clamp_unit(part) + 0.5);
}

uint32_t rcity_colour_pack(rcity_colour colour)
{
    return to_byte(colour.red) << 16 | to_byte(colour.green) << 8 | to_byte(colour.blue);
}

rcity_colour rcity_colour_mix(rcity_colour under, rcity_colour over, double part)
{
    return (rcity_colour){under.red + (over.red - under.red) * part, under.green + (over.green - under.green) * part,
                          under.blue + (over.blue - under.blue) * part};
}

rcity_colour rcity_colour_shade(rcity_colour colour, double factor)
{
    return (rcity_colour){clamp_unit(colour.red * factor), clamp_unit(colour.green * factor),
                          clamp_unit(colour.blue * factor)};
}

rcity_colour rcity_colour_at(rcity_colour_scale scale, double fraction)
{
    assert((size_t)scale < sizeof scales / sizeof scales[0]);
    const anchors *chosen = &scales[scale];
    double place = clamp_unit(fraction) * (double)(chosen->count - 1);
    int first = (int)place < chosen->count - 1 ? (int)place : chosen->count - 2;
    return rcity_colour_mix(rcity_colour_unpack(chosen->rgb[first]), rcity_colour_unpack(chosen->rgb[first + 1]),
                            place - (double)first);
}

rcity_colour rcity_colour_of_class(int number)
{
    static const uint32_t rgb[] = {0x3a6fb0, 0xe8912d, 0x4a9a5b, 0xc9415e, 0x7d5fb2, 0xecd94a,
                                   0x2fb8a4, 0x96562e, 0xe283b4, 0x8db54a, 0x55606e, 0xb9a3d8};
    static const double shades[] = {1.0, 0.7, 1.25, 0.85};
    const int count = (int)(sizeof rgb / sizeof rgb[0]);
    int index = number < 1 ? 0 : number - 1;
    return rcity_colour_shade(rcity_colour_unpack(rgb[index % count]), shades[index / count % 4]);
}
