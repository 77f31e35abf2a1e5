/* The corners of regions as coordinates, in the map's CRS or another. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/regions.h"
#include "radiocity/crs.h"

/* Pieces a side is cut into. */
static int64_t piece_count(const int32_t *from, const int32_t *to, bool is_cut)
{
    int64_t length = llabs((int64_t)to[0] - from[0]) + llabs((int64_t)to[1] - from[1]); /* one of the two is 0 */
    return is_cut ? (length + RCITY_OUTLINE_PIECE_CELLS - 1) / RCITY_OUTLINE_PIECE_CELLS : 1;
}

static const int32_t *corner_of(const rcity_regions *regions, const rcity_region_ring *ring, size_t i)
{
    return regions->corner + 2 * (ring->first + i % ring->count);
}

static size_t count_points(const rcity_regions *regions, bool is_cut)
{
    size_t count = 0;
    for (size_t r = 0; r < regions->ring_count; r++) {
        const rcity_region_ring *ring = &regions->ring[r];
        for (size_t i = 0; i < ring->count; i++) {
            count += (size_t)piece_count(corner_of(regions, ring, i), corner_of(regions, ring, i + 1), is_cut);
        }
    }
    return count;
}

static void fill_points(const rcity_regions *regions, const rcity_raster *raster, bool is_cut, rcity_outlines *outlines)
{
    size_t filled = 0;
    for (size_t r = 0; r < regions->ring_count; r++) {
        const rcity_region_ring *ring = &regions->ring[r];
        outlines->ring_first[r] = filled;
        for (size_t i = 0; i < ring->count; i++) {
            const int32_t *from = corner_of(regions, ring, i);
            const int32_t *to = corner_of(regions, ring, i + 1);
            int64_t pieces = piece_count(from, to, is_cut);
            for (int64_t k = 0; k < pieces; k++) {
                double part = (double)k / (double)pieces;
                double column = (double)from[0] + part * ((double)to[0] - (double)from[0]);
                double row = (double)from[1] + part * ((double)to[1] - (double)from[1]);
                outlines->xy[2 * filled] = raster->west_m + column * raster->cell_m;
                outlines->xy[2 * filled + 1] = raster->north_m - row * raster->cell_m;
                filled++;
            }
        }
    }
    outlines->ring_first[regions->ring_count] = filled;
}

/* A side longer than half the Earth's circumference crosses the date line. */
static rcity_status check_date_line(rcity_context *context, const rcity_regions *regions,
                                    const rcity_outlines *outlines)
{
    for (size_t r = 0; r < regions->ring_count; r++) {
        for (size_t i = outlines->ring_first[r]; i + 1 < outlines->ring_first[r + 1]; i++) {
            RCITY_CHECK(context, fabs(outlines->xy[2 * i + 2] - outlines->xy[2 * i]) <= 180.0, RCITY_ERR_ARGUMENT,
                        "the area lies on both sides of the date line (longitudes %.6f and %.6f), which longitude and "
                        "latitude cannot show in one piece; cut the map there",
                        outlines->xy[2 * i], outlines->xy[2 * i + 2]);
        }
    }
    return RCITY_OK;
}

rcity_status rcity_outlines_make(rcity_context *context, const rcity_regions *regions, const rcity_raster *raster,
                                 const char *from_crs, const char *to_crs, rcity_outlines *outlines)
{
    rcity_outlines made = {.context = context};
    rcity_status status;
    made.point_count = count_points(regions, to_crs != NULL);
    RCITY_TRY_DONE(
        rcity_alloc(context, 2 * made.point_count + 2, sizeof *made.xy, "the outlines of regions", &made.xy));
    RCITY_TRY_DONE(rcity_alloc(context, regions->ring_count + 1, sizeof *made.ring_first, "the outlines of regions",
                               &made.ring_first));
    fill_points(regions, raster, to_crs != NULL, &made);
    if (to_crs != NULL && made.point_count > 0) {
        RCITY_TRY_DONE(rcity_crs_transform(context, from_crs, to_crs, (int64_t)made.point_count, made.xy));
        if (strcmp(to_crs, RCITY_CRS_LONLAT) == 0) {
            RCITY_TRY_DONE(check_date_line(context, regions, &made));
        }
    }
    *outlines = made;
    made = (rcity_outlines){.context = context};
    status = RCITY_OK;
done:
    rcity_outlines_deinit(&made);
    return status;
}

void rcity_outlines_deinit(rcity_outlines *outlines)
{
    rcity_release(outlines->context, outlines->ring_first);
    rcity_release(outlines->context, outlines->xy);
    outlines->ring_first = NULL;
    outlines->xy = NULL;
    outlines->point_count = 0;
}
