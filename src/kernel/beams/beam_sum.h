/* The sum of the paths to a cell: powers of classes and of their pairs, and delays. Fields are added in groups, where
   two paths interfere by how alike their directions are; docs/adr/0029-groups-of-fields.md. */
#ifndef RCITY_KERNEL_BEAMS_BEAM_SUM_H
#define RCITY_KERNEL_BEAMS_BEAM_SUM_H

#include "kernel/beams/beam_tables.h"

#define RCITY_BEAM_GROUPED_MIN                                                                                         \
    1e-6f                        /* of the strongest path's power: weaker ones add their power, whatever their group */
#define RCITY_BEAM_SHARE_MIN 197 /* 0.003: less of a field changes nothing by more than 0.03 dB */
#define RCITY_BEAM_PAIRS     6   /* of classes, a class with itself included */
#define RCITY_BEAM_COHERENCE 78.956835f /* (2 pi)^2 / 2 times the square of 2 wavelengths: images/field/path_groups.h */
#define RCITY_BEAM_FAR_APART 40.0f

/* How the paths of all cells are added. */
typedef struct rcity_beam_sum_job {
    float factor[RCITY_BEAM_CLASSES]; /* of the power of each class */
    float roof_factor;
    float range;           /* paths weaker than this times the strongest do not count; 0: all do */
    float least;           /* of the strongest path: weaker ones do not count for the excess delay */
    rcity_i32 adds_powers; /* of all paths, no fields */
    rcity_i32 has_law;     /* a direct ray stands for itself and what edges beside it diffract */
    float bin_m;           /* of histograms; 0: none */
} rcity_beam_sum_job;

/* A launch over cells from this one of a strip on; with the first record and visit that are on the device. */
typedef struct rcity_beam_cells_job {
    rcity_beam_sum_job sum;
    rcity_i64 cell_base, record_base, visit_base;
} rcity_beam_cells_job;

/* What a path adds to a cell's histogram. */
typedef struct rcity_beam_entry {
    rcity_i32 bin;
    float weight;
} rcity_beam_entry;

/* What comes to a cell beside its beams: as rcity_beams_beside, in numbers. */
typedef struct rcity_beam_beside {
    float over;                       /* with a direct ray: what edges leave of its power; else 0: no path over roofs */
    float ground;                     /* what the law leaves of the power of rays */
    float roof_power, roof_isotropic; /* of the path over roofs, with and without antennas; 0 */
    float roof_m;                     /* its length */
} rcity_beam_beside;

/* What arrives at a cell. */
typedef struct rcity_beam_sum {
    float power[RCITY_BEAM_PAIRS], isotropic[RCITY_BEAM_PAIRS]; /* of classes a and b up to a, at a (a + 1) / 2 + b */
    float mean_m, spread_m, excess_m;                           /* delays, as lengths */
    float strongest, rest;                                      /* powers of the strongest path and of all others */
    float first_m, last_m;
    rcity_i32 path_count;
    rcity_i32 kind; /* the class with most power; RCITY_BEAM_CLASSES: over roofs */
    rcity_i32 has_direct;
} rcity_beam_sum;

/* Sums are made in whole numbers, in parts of the greatest term, so that their order does not matter: a million terms fit,
   and an error of 1e-12 of the greatest is the most that one of them can have. */
#define RCITY_BEAM_PARTS 1.099511627776e12f /* 2^40 */

/* What is known of the paths to a cell once all of them are: which of them count. */
typedef struct rcity_beam_rule {
    float floor;     /* paths with less power do not count */
    float strongest; /* power of any path */
    rcity_i32 has_direct;
} rcity_beam_rule;

/* What is greatest among the paths that count, over the power of the strongest. */
typedef struct rcity_beam_extent {
    float isotropic; /* without the gain of antennas */
    float weight;    /* in delays */
    float first_m, last_m;
} rcity_beam_extent;

typedef struct rcity_beam_totals {
    rcity_i64 power[RCITY_BEAM_PAIRS], isotropic[RCITY_BEAM_PAIRS];
    rcity_i64 weight[RCITY_BEAM_CLASSES + 1]; /* in delays; the last is that of the path over roofs */
    rcity_i64 moment;                         /* of weights, by length from the first path to the last */
    rcity_i32 path_count;
    rcity_i32 padding;
} rcity_beam_totals;

/* What needs the mean delay. */
typedef struct rcity_beam_tail {
    rcity_i64 squares;
    float from_m, to_m; /* between these all paths lie that count for the excess delay */
} rcity_beam_tail;

RCITY_KERNEL rcity_i64 rcity_beam_parts(float share)
{
    return (rcity_i64)(share * RCITY_BEAM_PARTS);
}

RCITY_KERNEL float rcity_beam_of_parts(rcity_i64 parts)
{
    return (float)parts / RCITY_BEAM_PARTS;
}

RCITY_KERNEL float rcity_beam_power(RCITY_GLOBAL const rcity_beam_record *record)
{
    return (record->port[0].re * record->port[0].re + record->port[0].im * record->port[0].im) +
           (record->port[1].re * record->port[1].re + record->port[1].im * record->port[1].im);
}

RCITY_KERNEL rcity_i32 rcity_beam_pair_index(rcity_i32 a, rcity_i32 b)
{
    return a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
}

/* How alike the directions of two paths are: the mean of their phases over places near both ends. */
RCITY_KERNEL float rcity_beam_coherence(RCITY_GLOBAL const rcity_beam_record *a,
                                        RCITY_GLOBAL const rcity_beam_record *b)
{
    float level_a = rcity_sqrt(1.0f - a->sine * a->sine);
    float level_b = rcity_sqrt(1.0f - b->sine * b->sine);
    float x = a->departure_x * level_a - b->departure_x * level_b;
    float y = a->departure_y * level_a - b->departure_y * level_b;
    float z = (a->has_bounce ? -a->sine : a->sine) - (b->has_bounce ? -b->sine : b->sine);
    float u = a->arrival_x * level_a - b->arrival_x * level_b;
    float v = a->arrival_y * level_a - b->arrival_y * level_b;
    float w = a->sine - b->sine;
    float exponent = RCITY_BEAM_COHERENCE * ((x * x + y * y + z * z) + (u * u + v * v + w * w));
    return exponent < RCITY_BEAM_FAR_APART ? rcity_exp(-exponent) : 0.0f;
}

/* What the parts of two paths in one group add to its power. */
RCITY_KERNEL float rcity_beam_interfere(RCITY_GLOBAL const rcity_beam_record *a,
                                        RCITY_GLOBAL const rcity_beam_record *b)
{
    float product = (a->port[0].re * b->port[0].re + a->port[0].im * b->port[0].im) +
                    (a->port[1].re * b->port[1].re + a->port[1].im * b->port[1].im);
    return 2.0f * product * rcity_beam_coherence(a, b);
}

/* Which paths count, when the power of the strongest is known. */
RCITY_KERNEL rcity_beam_rule rcity_beam_rule_make(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                                  float strongest, rcity_i32 has_direct)
{
    rcity_beam_rule rule;
    float known = !has_direct && beside->roof_power > strongest ? beside->roof_power : strongest;
    rule.floor = job->range * known;
    rule.strongest = strongest;
    rule.has_direct = has_direct;
    return rule;
}

RCITY_KERNEL int rcity_beam_counts(const rcity_beam_rule *rule, RCITY_GLOBAL const rcity_beam_record *record)
{
    return rcity_beam_power(record) >= rule->floor;
}

/* Is a path's field added in groups? */
RCITY_KERNEL int rcity_beam_is_grouped(const rcity_beam_sum_job *job, const rcity_beam_rule *rule, float power)
{
    return !job->adds_powers && power >= RCITY_BEAM_GROUPED_MIN * rule->strongest;
}

/* Is a group left out, since the direct ray has what a knife edge leaves? */
RCITY_KERNEL int rcity_beam_is_direct_group(const rcity_beam_sum_job *job, const rcity_beam_rule *rule, rcity_u32 code)
{
    return job->has_law && rule->has_direct && code == RCITY_BEAM_CODE_DIRECT;
}

/* The power of a path as it counts for delays. */
RCITY_KERNEL float rcity_beam_weight(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                     const rcity_beam_rule *rule, RCITY_GLOBAL const rcity_beam_record *record)
{
    float weight = rcity_beam_power(record) * beside->ground * job->factor[record->kind];
    int stands_for_more = job->has_law && rule->has_direct;
    weight *= stands_for_more && record->kind == RCITY_BEAM_DIRECT && beside->over > 0.0f ? beside->over : 1.0f;
    return stands_for_more && job->adds_powers && record->kind == RCITY_BEAM_DIFFRACTED ? 0.0f : weight;
}

/* The same of the path over roofs; 0: there is none, or it does not count. */
RCITY_KERNEL float rcity_beam_roof_weight(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                          const rcity_beam_rule *rule)
{
    return rule->has_direct || beside->roof_power < rule->floor ? 0.0f : beside->roof_power * job->roof_factor;
}

/* Extents, first of the path over roofs, then of each other one. */
RCITY_KERNEL rcity_beam_extent rcity_beam_extent_begin(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                                       const rcity_beam_rule *rule)
{
    const float far_m = 3e38f;
    rcity_beam_extent extent;
    extent.isotropic = 0.0f;
    extent.weight = rcity_beam_roof_weight(job, beside, rule);
    extent.first_m = extent.weight > 0.0f ? beside->roof_m : far_m;
    extent.last_m = extent.weight > 0.0f ? beside->roof_m : 0.0f;
    return extent;
}

RCITY_KERNEL void rcity_beam_extent_join(rcity_beam_extent *extent, const rcity_beam_extent *other)
{
    extent->isotropic = other->isotropic > extent->isotropic ? other->isotropic : extent->isotropic;
    extent->weight = other->weight > extent->weight ? other->weight : extent->weight;
    extent->first_m = other->first_m < extent->first_m ? other->first_m : extent->first_m;
    extent->last_m = other->last_m > extent->last_m ? other->last_m : extent->last_m;
}

RCITY_KERNEL void rcity_beam_extent_add(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                        const rcity_beam_rule *rule, RCITY_GLOBAL const rcity_beam_record *record,
                                        rcity_beam_extent *extent)
{
    rcity_beam_extent own = *extent;
    float isotropic = rcity_beam_power(record) * record->inverse_gain;
    float weight = rcity_beam_weight(job, beside, rule, record);
    own.isotropic = isotropic;
    if (weight > 0.0f) {
        own.weight = weight;
        own.first_m = own.last_m = record->length_m;
    }
    rcity_beam_extent_join(extent, &own);
}

/* Where a length lies between the first and the last path. */
RCITY_KERNEL float rcity_beam_place(const rcity_beam_extent *extent, float length_m)
{
    float whole_m = extent->last_m - extent->first_m;
    return whole_m > 0.0f ? (length_m - extent->first_m) / whole_m : 0.0f;
}

RCITY_KERNEL void rcity_beam_totals_begin(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                          const rcity_beam_rule *rule, const rcity_beam_extent *extent,
                                          rcity_beam_totals *totals)
{
    float roof = rcity_beam_roof_weight(job, beside, rule);
    for (int k = 0; k < RCITY_BEAM_PAIRS; k++) {
        totals->power[k] = totals->isotropic[k] = 0;
    }
    for (int k = 0; k < RCITY_BEAM_CLASSES; k++) {
        totals->weight[k] = 0;
    }
    totals->weight[RCITY_BEAM_CLASSES] = roof > 0.0f ? rcity_beam_parts(roof / extent->weight) : 0;
    totals->moment =
        roof > 0.0f ? rcity_beam_parts(roof / extent->weight * rcity_beam_place(extent, beside->roof_m)) : 0;
    totals->path_count = roof > 0.0f;
    totals->padding = 0;
}

RCITY_KERNEL void rcity_beam_totals_join(rcity_beam_totals *totals, RCITY_LOCAL const rcity_beam_totals *other)
{
    for (int k = 0; k < RCITY_BEAM_PAIRS; k++) {
        totals->power[k] += other->power[k];
        totals->isotropic[k] += other->isotropic[k];
    }
    for (int k = 0; k <= RCITY_BEAM_CLASSES; k++) {
        totals->weight[k] += other->weight[k];
    }
    totals->moment += other->moment;
    totals->path_count += other->path_count;
}

RCITY_KERNEL void rcity_beam_totals_put(const rcity_beam_rule *rule, const rcity_beam_extent *extent, rcity_i32 pair,
                                        float power, float isotropic, rcity_beam_totals *totals)
{
    totals->power[pair] += rcity_beam_parts(power / rule->strongest);
    totals->isotropic[pair] += rcity_beam_parts(isotropic / extent->isotropic);
}

/* One path by itself. */
RCITY_KERNEL void rcity_beam_totals_add(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                        const rcity_beam_rule *rule, const rcity_beam_extent *extent,
                                        RCITY_GLOBAL const rcity_beam_record *record, rcity_beam_totals *totals)
{
    float power = rcity_beam_power(record);
    float weight = rcity_beam_weight(job, beside, rule, record) / extent->weight;
    float part = 1.0f;
    if (job->has_law && rule->has_direct) {
        if (record->kind == RCITY_BEAM_DIRECT) {
            part = beside->over > 0.0f ? beside->over : 1.0f;
        } else if (job->adds_powers) {
            part = record->kind == RCITY_BEAM_REFLECTED ? 1.0f : 0.0f;
        } else if (rcity_beam_is_grouped(job, rule, power)) {
            for (int k = 0; k < RCITY_BEAM_RAYS; k++) {
                float share = (float)record->share[k] / RCITY_BEAM_SHARE;
                part -= record->code[k] == RCITY_BEAM_CODE_DIRECT ? share * share : 0.0f;
            }
            part = part > 0.0f ? part : 0.0f;
        }
    }
    rcity_beam_totals_put(rule, extent, rcity_beam_pair_index(record->kind, record->kind), part * power,
                          part * power * record->inverse_gain, totals);
    totals->weight[record->kind] += rcity_beam_parts(weight);
    totals->moment += rcity_beam_parts(weight * rcity_beam_place(extent, record->length_m));
    totals->path_count += weight > 0.0f;
}

/* A pair of paths, which share groups to this part. */
RCITY_KERNEL void rcity_beam_totals_add_pair(const rcity_beam_rule *rule, const rcity_beam_extent *extent,
                                             RCITY_GLOBAL const rcity_beam_record *a,
                                             RCITY_GLOBAL const rcity_beam_record *b, float part,
                                             rcity_beam_totals *totals)
{
    float power = part * rcity_beam_interfere(a, b);
    rcity_beam_totals_put(rule, extent, rcity_beam_pair_index(a->kind, b->kind), power,
                          power * rcity_sqrt(a->inverse_gain * b->inverse_gain), totals);
}

/* The part that a share of one path and a share of another have in common; 0: nothing. */
RCITY_KERNEL float rcity_beam_common(const rcity_beam_sum_job *job, const rcity_beam_rule *rule,
                                     RCITY_GLOBAL const rcity_beam_record *a, rcity_i32 i,
                                     RCITY_GLOBAL const rcity_beam_record *b, rcity_i32 k)
{
    int meets = a->code[i] == b->code[k] && a->share[i] >= RCITY_BEAM_SHARE_MIN &&
                b->share[k] >= RCITY_BEAM_SHARE_MIN && !rcity_beam_is_direct_group(job, rule, a->code[i]);
    return meets ? (float)a->share[i] / RCITY_BEAM_SHARE * ((float)b->share[k] / RCITY_BEAM_SHARE) : 0.0f;
}

/* Two paths, whose groups are tried one by one. */
RCITY_KERNEL void rcity_beam_totals_try_pair(const rcity_beam_sum_job *job, const rcity_beam_rule *rule,
                                             const rcity_beam_extent *extent, RCITY_GLOBAL const rcity_beam_record *a,
                                             RCITY_GLOBAL const rcity_beam_record *b, rcity_beam_totals *totals)
{
    for (rcity_i32 i = 0; i < RCITY_BEAM_RAYS; i++) {
        for (rcity_i32 k = 0; k < RCITY_BEAM_RAYS; k++) {
            float part = rcity_beam_common(job, rule, a, i, b, k);
            if (part > 0.0f) {
                rcity_beam_totals_add_pair(rule, extent, a, b, part, totals);
            }
        }
    }
}

/* The mean delay, as a place between the first path and the last. */
RCITY_KERNEL float rcity_beam_mean_place(const rcity_beam_totals *totals)
{
    rcity_i64 weight = 0;
    for (int k = 0; k <= RCITY_BEAM_CLASSES; k++) {
        weight += totals->weight[k];
    }
    return weight > 0 ? (float)totals->moment / (float)weight : 0.0f;
}

/* Add one path to the tail. */
RCITY_KERNEL void rcity_beam_tail_put(const rcity_beam_sum_job *job, const rcity_beam_extent *extent, float mean_place,
                                      float weight, float length_m, rcity_beam_tail *tail)
{
    float off = rcity_beam_place(extent, length_m) - mean_place;
    tail->squares += rcity_beam_parts(weight / extent->weight * off * off);
    if (weight > 0.0f && weight >= extent->weight * job->least) {
        tail->from_m = length_m < tail->from_m ? length_m : tail->from_m;
        tail->to_m = length_m > tail->to_m ? length_m : tail->to_m;
    }
}

RCITY_KERNEL rcity_beam_tail rcity_beam_tail_begin(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                                   const rcity_beam_rule *rule, const rcity_beam_extent *extent,
                                                   float mean_place)
{
    const float far_m = 3e38f;
    rcity_beam_tail tail;
    float roof = rcity_beam_roof_weight(job, beside, rule);
    tail.squares = 0;
    tail.from_m = far_m;
    tail.to_m = 0.0f;
    if (roof > 0.0f) {
        rcity_beam_tail_put(job, extent, mean_place, roof, beside->roof_m, &tail);
    }
    return tail;
}

RCITY_KERNEL rcity_beam_sum rcity_beam_sum_close(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                                 const rcity_beam_rule *rule, const rcity_beam_extent *extent,
                                                 const rcity_beam_totals *totals, const rcity_beam_tail *tail)
{
    rcity_beam_sum sum;
    rcity_i64 weight = 0;
    float whole_m = extent->last_m - extent->first_m;
    (void)job;
    for (int k = 0; k < RCITY_BEAM_PAIRS; k++) {
        sum.power[k] = rcity_beam_of_parts(totals->power[k]) * rule->strongest * beside->ground;
        sum.isotropic[k] = rcity_beam_of_parts(totals->isotropic[k]) * extent->isotropic * beside->ground;
    }
    sum.kind = 0;
    for (rcity_i32 k = 0; k <= RCITY_BEAM_CLASSES; k++) {
        weight += totals->weight[k];
        sum.kind = totals->weight[k] > totals->weight[sum.kind] ? k : sum.kind;
    }
    sum.mean_m = extent->first_m + rcity_beam_mean_place(totals) * whole_m;
    sum.spread_m = weight > 0 ? rcity_sqrt((float)tail->squares / (float)weight) * whole_m : 0.0f;
    sum.excess_m = tail->to_m - tail->from_m;
    sum.strongest = extent->weight;
    weight -= rcity_beam_parts(1.0f);
    sum.rest = rcity_beam_of_parts(weight > 1 ? weight : 1) * extent->weight;
    sum.first_m = extent->first_m;
    sum.last_m = extent->last_m;
    sum.path_count = totals->path_count;
    sum.has_direct = rule->has_direct;
    return sum;
}

#endif
