/* What the fields of many paths share, as tables: what faces reflect by angle, what an edge diffracts of an arrival by the
   direction in which it leaves, what comes to an edge by its slope. A field is then some interpolations: within 0.02 dB
   rms of the formulas (tests/unit/method/test_beams_fast.c). */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_TABLES_H
#define RCITY_METHOD_BEAMS_FAST_FAST_TABLES_H

#include "kernel/beams/beam_tables.h"
#include "method/beams/tree/beams_forest.h"
#include "method/link_ends.h"

typedef struct rcity_fast_tables {
    rcity_context *context; /* borrowed */
    rcity_beam_face *faces; /* of each material, RCITY_BEAM_FACE_STEPS + 1 */
    int64_t face_count;
    rcity_beam_complex *edge_field; /* behind an edge, by its parameter: RCITY_BEAM_FIELD_STEPS + 1 */
    rcity_u32 *plane_code;          /* of each mirror of the facets, the ground last */
    rcity_beam_way *ways;           /* in the order of the forest's arrival_order, all with one diffraction */
    int64_t way_count;
    rcity_beam_direction *directions; /* NULL: not on the host */
    int64_t direction_count;
    rcity_beam_slope *slopes;
    int64_t slope_count;
    rcity_beam_limit *limits; /* of each tree of the forest, over all its ways */
    float *shares;            /* that limits name: of each way as its directions, then of each tree */
    int64_t share_count;
    rcity_beam_height *heights;
    size_t height_count;
} rcity_fast_tables;

/* Where the ends of all paths are: transmitter, and receivers at one height. */
typedef struct rcity_fast_ends {
    const rcity_facet_table *facets; /* with materials at the frequency */
    const rcity_path_ends *antennas;
    double tx_height_m, rx_height_m;
} rcity_fast_ends;

/* All but directions and shares, which are counted: fast_directions.h has them made. */
rcity_status rcity_fast_tables_init(rcity_context *context, const rcity_beams_forest *forest,
                                    const rcity_fast_ends *ends, rcity_fast_tables *tables);
void rcity_fast_tables_deinit(rcity_fast_tables *tables);

/* The code of a group after one more plane. */
static inline rcity_u32 rcity_fast_code_next(rcity_u32 code, rcity_u32 plane)
{
    return code * RCITY_BEAM_CODE_TIMES + plane;
}

#endif
