/* Nodes and weights of Gauss-Legendre integration from 0 to 1, and elementary functions without branches or calls, so
   that loops over nodes become vectors and every device computes the same. */
#ifndef RCITY_KERNEL_TILES_ROOFS_ROOF_NODES_H
#define RCITY_KERNEL_TILES_ROOFS_ROOF_NODES_H

#include "kernel/portable.h"

#define RCITY_ROOF_NODE_MAX 24 /* of one rule */

/* The rules of 4, 8, 12, 16 and 24 nodes, one after the other. */
#define RCITY_ROOF_RULE_COUNT 5
#define RCITY_ROOF_RULE_NODES 64

static RCITY_CONSTANT float rcity_roof_rule_place[RCITY_ROOF_RULE_NODES] = {
    0.069431844f, 0.330009478f, 0.669990522f, 0.930568156f, 0.019855072f, 0.101666761f, 0.237233795f, 0.408282679f,
    0.591717321f, 0.762766205f, 0.898333239f, 0.980144928f, 0.009219683f, 0.047941372f, 0.115048663f, 0.206341023f,
    0.316084251f, 0.437383296f, 0.562616704f, 0.683915749f, 0.793658977f, 0.884951337f, 0.952058628f, 0.990780317f,
    0.005299533f, 0.027712488f, 0.067184399f, 0.122297796f, 0.191061878f, 0.270991611f, 0.359198225f, 0.452493745f,
    0.547506255f, 0.640801775f, 0.729008389f, 0.808938122f, 0.877702204f, 0.932815601f, 0.972287512f, 0.994700467f,
    0.002406390f, 0.012635722f, 0.030862724f, 0.056792236f, 0.089999007f, 0.129937904f, 0.175953174f, 0.227289264f,
    0.283103246f, 0.342478660f, 0.404440566f, 0.467971554f, 0.532028446f, 0.595559434f, 0.657521340f, 0.716896754f,
    0.772710736f, 0.824046826f, 0.870062096f, 0.910000993f, 0.943207764f, 0.969137276f, 0.987364278f, 0.997593610f};

static RCITY_CONSTANT float rcity_roof_rule_weight[RCITY_ROOF_RULE_NODES] = {
    0.173927423f, 0.326072577f, 0.326072577f, 0.173927423f, 0.050614268f, 0.111190517f, 0.156853323f, 0.181341892f,
    0.181341892f, 0.156853323f, 0.111190517f, 0.050614268f, 0.023587668f, 0.053469663f, 0.080039164f, 0.101583713f,
    0.116746268f, 0.124573523f, 0.124573523f, 0.116746268f, 0.101583713f, 0.080039164f, 0.053469663f, 0.023587668f,
    0.013576230f, 0.031126762f, 0.047579256f, 0.062314486f, 0.074797994f, 0.084578260f, 0.091301708f, 0.094725305f,
    0.094725305f, 0.091301708f, 0.084578260f, 0.074797994f, 0.062314486f, 0.047579256f, 0.031126762f, 0.013576230f,
    0.006170615f, 0.014265694f, 0.022138719f, 0.029649292f, 0.036673241f, 0.043095081f, 0.048809326f, 0.053722135f,
    0.057752834f, 0.060835236f, 0.062918728f, 0.063969098f, 0.063969098f, 0.062918728f, 0.060835236f, 0.057752834f,
    0.053722135f, 0.048809326f, 0.043095081f, 0.036673241f, 0.029649292f, 0.022138719f, 0.014265694f, 0.006170615f};

RCITY_KERNEL rcity_i32 rcity_roof_rule_count(rcity_i32 rule)
{
    return rule < 4 ? 4 * (rule + 1) : 24;
}

/* The rule for a stretch so wide, in units of an edge: what it is for changes over a unit; measured. */
RCITY_KERNEL rcity_i32 rcity_roof_rule_choose(float width)
{
    return (width > 4.0f) + (width > 9.0f) + (width > 13.0f) + (width > 18.0f);
}

RCITY_KERNEL rcity_i32 rcity_roof_rule_first(rcity_i32 rule)
{
    return 2 * rule * (rule + 1);
}

/* 2^x for x up to 120, within 4e-6 of itself; below -126 as there, which is nearly 0. With x = n + f, n whole and |f| up
   to 1/2: 2^f by Chebyshev's polynomial of degree 4. */
RCITY_KERNEL_WITHIN float rcity_roof_power_of_2(float x)
{
    float y = x > -126.0f ? x : -126.0f;
    rcity_i32 whole = (rcity_i32)(y + 128.5f) - 128; /* to the nearest: y + 128 is above 0 */
    float f = y - (float)whole;
    float series = 1.0f + f * (0.693121045f + f * (0.24022349f + f * (0.0559219758f + f * 0.00966636852f)));
    return series * rcity_bits_float((rcity_u32)((whole + 127) << 23));
}

/* sin(x) for |x| up to 700, within 1e-5: by its series after whole half turns are taken off. */
RCITY_KERNEL_WITHIN float rcity_roof_sin(float x)
{
    rcity_i32 half_turns = (rcity_i32)(x * 0.318309886f + 256.5f) - 256;
    float y = x - (float)half_turns * 3.14159265f;
    float y2 = y * y;
    float series =
        y * (1.0f + y2 * (-0.166666667f + y2 * (0.00833333333f + y2 * (-0.000198412698f + y2 * 2.75573192e-6f))));
    return (half_turns & 1) != 0 ? -series : series;
}

#endif
