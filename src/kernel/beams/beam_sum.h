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
    float least;           /* of the strongest path: weaker ones do not count for the excess delay */
    rcity_i32 adds_powers; /* of all paths, no fields */
    rcity_i32 has_law;     /* a direct ray stands for itself and what edges beside it diffract */
    float bin_m;           /* of histograms; 0: none */
} rcity_beam_sum_job;

/* A launch over cells from this one of a strip on; the records on the device start at `record_base`. */
typedef struct rcity_beam_cells_job {
    rcity_beam_sum_job sum;
    rcity_i64 cell_base, record_base;
    rcity_i64 bin_base; /* the first bin on the device */
} rcity_beam_cells_job;

/* The bins of a cell's histogram. */
typedef struct rcity_beam_bins {
    rcity_i64 at; /* where they are kept */
    rcity_i32 first, count;
} rcity_beam_bins;

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

RCITY_KERNEL void rcity_beam_sum_add(rcity_beam_sum *sum, rcity_i32 pair, float power, float isotropic)
{
    sum->power[pair] += power;
    sum->isotropic[pair] += isotropic;
}

/* A pair of paths, which share groups to this part. */
RCITY_KERNEL void rcity_beam_sum_add_pair(rcity_beam_sum *sum, RCITY_GLOBAL const rcity_beam_record *a,
                                          RCITY_GLOBAL const rcity_beam_record *b, float part)
{
    float power = part * rcity_beam_interfere(a, b);
    rcity_beam_sum_add(sum, rcity_beam_pair_index(a->kind, b->kind), power,
                       power * rcity_sqrt(a->inverse_gain * b->inverse_gain));
}

/* The strongest path, and whether there is a direct ray, of the records from `first` up to `end`. */
RCITY_KERNEL rcity_beam_sum rcity_beam_sum_begin(RCITY_GLOBAL const rcity_beam_record *records, rcity_i64 first,
                                                 rcity_i64 end)
{
    rcity_beam_sum sum;
    for (int k = 0; k < RCITY_BEAM_PAIRS; k++) {
        sum.power[k] = sum.isotropic[k] = 0.0f;
    }
    sum.mean_m = sum.spread_m = sum.excess_m = sum.first_m = sum.last_m = 0.0f;
    sum.strongest = sum.rest = 0.0f;
    sum.path_count = sum.kind = sum.has_direct = 0;
    for (rcity_i64 i = first; i < end; i++) {
        float power = rcity_beam_power(&records[i]);
        sum.strongest = power > sum.strongest ? power : sum.strongest;
        sum.has_direct = sum.has_direct || (power > 0.0f && records[i].kind == RCITY_BEAM_DIRECT);
    }
    return sum;
}

/* Is a path's field added in groups? */
RCITY_KERNEL int rcity_beam_is_grouped(const rcity_beam_sum_job *job, const rcity_beam_sum *sum, float power)
{
    return !job->adds_powers && power >= RCITY_BEAM_GROUPED_MIN * sum->strongest && power > 0.0f;
}

/* Is a group left out, since the direct ray has what a knife edge leaves? */
RCITY_KERNEL int rcity_beam_is_direct_group(const rcity_beam_sum_job *job, const rcity_beam_sum *sum, rcity_u32 code)
{
    return job->has_law && sum->has_direct && code == RCITY_BEAM_CODE_DIRECT;
}

/* The power of one path, but for what it adds with others. */
RCITY_KERNEL void rcity_beam_sum_add_self(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                          RCITY_GLOBAL const rcity_beam_record *record, float power,
                                          rcity_beam_sum *sum)
{
    float part = 1.0f;
    if (job->has_law && sum->has_direct) {
        if (record->kind == RCITY_BEAM_DIRECT) {
            part = beside->over > 0.0f ? beside->over : 1.0f;
        } else if (job->adds_powers) {
            part = record->kind == RCITY_BEAM_REFLECTED ? 1.0f : 0.0f;
        } else if (rcity_beam_is_grouped(job, sum, power)) {
            for (int k = 0; k < RCITY_BEAM_RAYS; k++) {
                float share = (float)record->share[k] / RCITY_BEAM_SHARE;
                part -= record->code[k] == RCITY_BEAM_CODE_DIRECT ? share * share : 0.0f;
            }
            part = part > 0.0f ? part : 0.0f;
        }
    }
    rcity_beam_sum_add(sum, rcity_beam_pair_index(record->kind, record->kind), part * power,
                       part * power * record->inverse_gain);
}

/* What two paths have in common: the sum over their groups of the products of their shares. */
RCITY_KERNEL float rcity_beam_common(const rcity_beam_sum_job *job, const rcity_beam_sum *sum,
                                     RCITY_GLOBAL const rcity_beam_record *a, RCITY_GLOBAL const rcity_beam_record *b)
{
    float part = 0.0f;
    for (int i = 0; i < RCITY_BEAM_RAYS; i++) {
        for (int k = 0; k < RCITY_BEAM_RAYS; k++) {
            if (a->code[i] == b->code[k] && a->share[i] >= RCITY_BEAM_SHARE_MIN &&
                b->share[k] >= RCITY_BEAM_SHARE_MIN && !rcity_beam_is_direct_group(job, sum, a->code[i])) {
                part += (float)a->share[i] * (float)b->share[k];
            }
        }
    }
    return part / (RCITY_BEAM_SHARE * RCITY_BEAM_SHARE);
}

/* All pairs of paths, one by one. */
RCITY_KERNEL void rcity_beam_sum_add_pairs(const rcity_beam_sum_job *job, RCITY_GLOBAL const rcity_beam_record *records,
                                           rcity_i64 first, rcity_i64 end, rcity_beam_sum *sum)
{
    for (rcity_i64 i = first; i < end; i++) {
        if (!rcity_beam_is_grouped(job, sum, rcity_beam_power(&records[i]))) {
            continue;
        }
        for (rcity_i64 k = first; k < i; k++) {
            float part = rcity_beam_common(job, sum, &records[i], &records[k]);
            if (part > 0.0f && rcity_beam_is_grouped(job, sum, rcity_beam_power(&records[k]))) {
                rcity_beam_sum_add_pair(sum, &records[i], &records[k], part);
            }
        }
    }
}

/* The power of a path as it counts for delays. */
RCITY_KERNEL float rcity_beam_weight(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                     const rcity_beam_sum *sum, RCITY_GLOBAL const rcity_beam_record *record)
{
    float weight = rcity_beam_power(record) * beside->ground * job->factor[record->kind];
    int stands_for_more = job->has_law && sum->has_direct;
    weight *= stands_for_more && record->kind == RCITY_BEAM_DIRECT && beside->over > 0.0f ? beside->over : 1.0f;
    return stands_for_more && job->adds_powers && record->kind == RCITY_BEAM_DIFFRACTED ? 0.0f : weight;
}

/* Does a path over roofs count? */
RCITY_KERNEL float rcity_beam_roof_weight(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                          const rcity_beam_sum *sum)
{
    return sum->has_direct ? 0.0f : beside->roof_power * job->roof_factor;
}

/* One path among the delays of a cell. */
RCITY_KERNEL void rcity_beam_sum_delay(rcity_beam_sum *sum, float weight, float length_m, float origin_m, float *total,
                                       float *mean)
{
    if (weight > 0.0f) {
        *total += weight;
        *mean += weight * (length_m - origin_m);
        sum->strongest = weight > sum->strongest ? weight : sum->strongest;
        sum->first_m = length_m < sum->first_m ? length_m : sum->first_m;
        sum->last_m = length_m > sum->last_m ? length_m : sum->last_m;
        sum->path_count++;
    }
}

/* Once the powers are added: ground and weights, and delays. */
RCITY_KERNEL void rcity_beam_sum_end(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                     RCITY_GLOBAL const rcity_beam_record *records, rcity_i64 first, rcity_i64 end,
                                     rcity_beam_sum *sum)
{
    const float far_m = 3e38f;
    float roof = rcity_beam_roof_weight(job, beside, sum);
    float origin_m = roof > 0.0f ? beside->roof_m : first < end ? records[first].length_m : 0.0f;
    float by_kind[RCITY_BEAM_CLASSES + 1];
    float total = 0.0f;
    float mean = 0.0f;
    for (int k = 0; k < RCITY_BEAM_PAIRS; k++) {
        sum->power[k] *= beside->ground;
        sum->isotropic[k] *= beside->ground;
    }
    sum->path_count = 0;
    sum->strongest = sum->last_m = 0.0f;
    sum->first_m = far_m;
    by_kind[0] = by_kind[1] = by_kind[2] = 0.0f;
    by_kind[RCITY_BEAM_CLASSES] = roof;
    for (rcity_i64 i = first; i < end; i++) {
        float weight = rcity_beam_weight(job, beside, sum, &records[i]);
        by_kind[records[i].kind] += weight;
        rcity_beam_sum_delay(sum, weight, records[i].length_m, origin_m, &total, &mean);
    }
    rcity_beam_sum_delay(sum, roof, beside->roof_m, origin_m, &total, &mean);
    mean = total > 0.0f ? mean / total : 0.0f;
    float squares = roof * (beside->roof_m - origin_m - mean) * (beside->roof_m - origin_m - mean);
    float least = sum->strongest * job->least;
    float from_m = roof > 0.0f && roof >= least ? beside->roof_m : far_m;
    float to_m = roof > 0.0f && roof >= least ? beside->roof_m : 0.0f;
    for (rcity_i64 i = first; i < end; i++) {
        float weight = rcity_beam_weight(job, beside, sum, &records[i]);
        float off_m = records[i].length_m - origin_m - mean;
        if (weight > 0.0f) {
            squares += weight * off_m * off_m;
        }
        if (weight > 0.0f && weight >= least) {
            from_m = records[i].length_m < from_m ? records[i].length_m : from_m;
            to_m = records[i].length_m > to_m ? records[i].length_m : to_m;
        }
    }
    sum->mean_m = origin_m + mean;
    sum->spread_m = total > 0.0f ? rcity_sqrt(squares / total) : 0.0f;
    sum->excess_m = to_m - from_m;
    sum->rest = total - sum->strongest;
    sum->kind = 0;
    for (rcity_i32 k = 1; k <= RCITY_BEAM_CLASSES; k++) {
        sum->kind = by_kind[k] > by_kind[sum->kind] ? k : sum->kind;
    }
}

/* The sum of a cell's records, all pairs tried. */
RCITY_KERNEL rcity_beam_sum rcity_beam_sum_run(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                               RCITY_GLOBAL const rcity_beam_record *records, rcity_i64 first,
                                               rcity_i64 end)
{
    rcity_beam_sum sum = rcity_beam_sum_begin(records, first, end);
    for (rcity_i64 i = first; i < end; i++) {
        rcity_beam_sum_add_self(job, beside, &records[i], rcity_beam_power(&records[i]), &sum);
    }
    if (!job->adds_powers) {
        rcity_beam_sum_add_pairs(job, records, first, end, &sum);
    }
    rcity_beam_sum_end(job, beside, records, first, end, &sum);
    return sum;
}

/* The histogram of a cell, into `bins`. */
RCITY_KERNEL void rcity_beam_bins_fill(const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                       const rcity_beam_sum *sum, RCITY_GLOBAL const rcity_beam_record *records,
                                       rcity_i64 first, rcity_i64 end, rcity_beam_bins of, RCITY_GLOBAL float *bins)
{
    for (rcity_i32 k = 0; k < of.count; k++) {
        bins[k] = 0.0f;
    }
    for (rcity_i64 i = first; i < end; i++) {
        float weight = rcity_beam_weight(job, beside, sum, &records[i]);
        if (weight > 0.0f) {
            bins[(rcity_i32)(records[i].length_m / job->bin_m) - of.first] += weight;
        }
    }
    float roof = rcity_beam_roof_weight(job, beside, sum);
    if (roof > 0.0f) {
        bins[(rcity_i32)(beside->roof_m / job->bin_m) - of.first] += roof;
    }
}

#endif
