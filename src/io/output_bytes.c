/* Memory needed to write files. The writers refuse by these numbers, and programs add them up before a prediction
   starts. GDAL, HDF5 and Cairo allocate outside the context's account. */
#include "io/output_bytes.h"

#include "radiocity/delays.h"
#include "radiocity/surfaces.h"

#define OVERVIEW_SHARE       (1.0 / 3.0) /* of the bands: 1/4 + 1/16 + ... */
#define OVERLAY_BANDS        6.0         /* the warped map, its pixels, and the pixels as PNG */
#define AREA_BANDS           12.0        /* edges between cells inside and outside, at worst around each cell */
#define PICTURE_PX_BYTES     8.0         /* four for the picture and four for its file */
#define PICTURE_SHAPE        1.5         /* height over width, usually at most */
#define TILE_BYTES           81.0        /* of a row of the table of tiles */
#define DELAY_CELL_BYTES     8.0         /* where the entries of a cell start */
#define DELAY_ENTRY_BYTES    8.0
#define HDF5_FRAME_BYTES     2e6
#define HDF5_COPIES          2.0 /* HDF5's own memory and the bytes that are saved */
#define VECTOR_POINT_BYTES   64.0
#define VECTOR_FEATURE_BYTES 1024.0

static double band_bytes(int64_t cell_count, int band_count)
{
    return (double)sizeof(float) * (double)cell_count * (double)band_count;
}

double rcity_geotiff_bytes(int64_t cell_count, int band_count, bool is_warped)
{
    double bands = band_bytes(cell_count, band_count);
    return bands * (1.0 + 2.0 * OVERVIEW_SHARE) + (is_warped ? 2.0 * bands : 0.0);
}

double rcity_kmz_bytes(int64_t cell_count)
{
    return OVERLAY_BANDS * band_bytes(cell_count, 1);
}

double rcity_coverage_bytes(int64_t cell_count)
{
    return AREA_BANDS * band_bytes(cell_count, 1);
}

double rcity_picture_bytes(int width_px)
{
    return PICTURE_PX_BYTES * (double)width_px * (double)width_px * PICTURE_SHAPE;
}

double rcity_terrain_bytes(int64_t node_count)
{
    return band_bytes(node_count, 1);
}

double rcity_vector_bytes(int64_t point_count, int64_t feature_count)
{
    return VECTOR_POINT_BYTES * (double)point_count + VECTOR_FEATURE_BYTES * (double)feature_count;
}

double rcity_surfaces_hdf5_bytes(int64_t tile_count, int band_count)
{
    double columns = TILE_BYTES * (double)tile_count + band_bytes(tile_count, band_count);
    return HDF5_COPIES * (HDF5_FRAME_BYTES + columns);
}

/* At worst nothing compresses. */
double rcity_delays_hdf5_bytes(int64_t cell_count, int64_t entry_count)
{
    double columns = DELAY_CELL_BYTES * (double)cell_count + DELAY_ENTRY_BYTES * (double)entry_count;
    return HDF5_COPIES * (HDF5_FRAME_BYTES + columns);
}
