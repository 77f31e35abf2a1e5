/* Reads terrain from rasters: plan, sample, fill, and the messages for missing heights. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/raster/raster_sample.h"
#include "io/raster/terrain_fill.h"
#include "io/raster/terrain_plan.h"

static rcity_status fail_missing(const rcity_import *import, const rcity_terrain_plan *plan,
                                 const rcity_sampled *sampled)
{
    const double *c = plan->cover_m;
    const double *b = plan->buildings_m;
    int64_t nodes = plan->lattice.column_count * plan->lattice.row_count;
    int64_t missing = sampled->void_count + sampled->outside_count;
    long long node_count = (long long)nodes;
    RCITY_CHECK(import->context, sampled->below_count == 0, RCITY_ERR_ARGUMENT,
                "%lld of %lld terrain nodes lie lower than %g m, the lowest pixel at %g m; if that is the floor of a "
                "sea, put its surface there with `fill-voids=0`",
                (long long)sampled->below_count, node_count, RCITY_ELEVATION_MIN_M, sampled->below);
    RCITY_CHECK(import->context, missing < nodes || import->options->terrain_fill == RCITY_FILL_FAIL,
                RCITY_ERR_ARGUMENT,
                "the terrain has no height at any of %lld nodes, so there is nothing to fill from; give another "
                "raster, or a height with `fill-voids=METRES`",
                node_count);
    RCITY_CHECK(
        import->context, sampled->outside_count == 0 || !plan->has_cover || !plan->has_buildings, RCITY_ERR_ARGUMENT,
        "the terrain covers x %.0f to %.0f, y %.0f to %.0f, the buildings reach from x %.0f to %.0f, y %.0f to "
        "%.0f: %lld of %lld nodes lie outside, the first at (%.1f, %.1f); give more tiles, fill with `fill-voids`, "
        "or leave buildings out with `bad-buildings=drop`",
        c[0], c[2], c[1], c[3], b[0], b[2], b[1], b[3], (long long)sampled->outside_count, node_count,
        sampled->outside_m[0], sampled->outside_m[1]);
    const double *first_m = sampled->void_count > 0 ? sampled->void_m : sampled->outside_m;
    return rcity_fail(
        import->context, RCITY_ERR_ARGUMENT,
        "the terrain has no height at %lld of %lld nodes (voids, or tiles that are missing), the first at "
        "(%.1f, %.1f); give what is missing, %sor fill it with `fill-voids`",
        (long long)missing, node_count, first_m[0], first_m[1],
        plan->has_buildings ? "keep less around the buildings with `terrain-margin-m`, " : "");
}

static rcity_status fill_missing(rcity_import *import, const rcity_terrain_plan *plan, const rcity_sampled *sampled,
                                 float *height_m)
{
    const rcity_lattice *lattice = &plan->lattice;
    int64_t missing_count = sampled->outside_count + sampled->void_count;
    int64_t node_count = lattice->column_count * lattice->row_count;
    if (missing_count == 0) {
        return RCITY_OK;
    }
    RCITY_CHECK(import->context, sampled->beyond == 0.0 || import->options->terrain_unit != NULL, RCITY_ERR_ARGUMENT,
                "the terrain has heights up to %g m, higher than any on Earth (%g m); if they are feet, say "
                "`terrain-unit=ft`; if they are voids, `terrain-unit=m`",
                sampled->beyond, RCITY_ELEVATION_MAX_M);
    if (import->options->terrain_fill == RCITY_FILL_FAIL ||
        (missing_count == node_count && import->options->terrain_fill != RCITY_FILL_VALUE)) {
        return fail_missing(import, plan, sampled);
    }
    RCITY_TRY(rcity_terrain_fill(import->context, import->options->terrain_fill, import->options->terrain_fill_m,
                                 (int)lattice->column_count, (int)lattice->row_count, height_m,
                                 &import->report.filled_node_count));
    rcity_log(import->context, RCITY_LOG_WARNING, "%lld of %lld terrain nodes had no height and were filled",
              (long long)import->report.filled_node_count, (long long)node_count);
    if (sampled->below_count > 0) {
        rcity_log(import->context, RCITY_LOG_WARNING,
                  "%lld of these had one, lower than %g m (the lowest pixel at %g m), as the floor of a sea has",
                  (long long)sampled->below_count, RCITY_ELEVATION_MIN_M, sampled->below);
    }
    return RCITY_OK;
}

rcity_status rcity_import_terrain(rcity_import *import)
{
    if (import->options->terrain_path_count == 0) {
        return RCITY_OK;
    }
    rcity_terrain_plan plan;
    memset(&plan, 0, sizeof plan);
    const rcity_lattice *lattice = &plan.lattice;
    const rcity_sampling sampling = {true, RCITY_ELEVATION_MIN_M, RCITY_ELEVATION_MAX_M, "read terrain"};
    rcity_sampled sampled;
    float *height_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_terrain_plan_make(import, &plan));
    RCITY_TRY_DONE(rcity_alloc(import->context, (size_t)(lattice->column_count * lattice->row_count), sizeof *height_m,
                               "the terrain", &height_m));
    RCITY_TRY_DONE(rcity_raster_sample(import, &plan.set, lattice, &sampling, height_m, &sampled));
    RCITY_TRY_DONE(fill_missing(import, &plan, &sampled, height_m));
    rcity_log(import->context, RCITY_LOG_INFO, "terrain: %lld x %lld nodes, %g m apart, %s",
              (long long)lattice->column_count, (long long)lattice->row_count, lattice->cell_m,
              plan.is_exact ? "as in the raster" : "bilinear");
    const rcity_terrain terrain = {.column_count = (int)lattice->column_count,
                                   .row_count = (int)lattice->row_count,
                                   .west_m = lattice->x_m + (double)lattice->column * lattice->cell_m,
                                   .south_m = lattice->y_m + (double)lattice->row * lattice->cell_m,
                                   .cell_m = lattice->cell_m,
                                   .height_m = height_m};
    RCITY_TRY_DONE(rcity_scene_set_terrain(import->scene, &terrain));
    import->report.terrain_node_count = lattice->column_count * lattice->row_count;
done:
    rcity_release(import->context, height_m);
    rcity_raster_set_close(import->context, &plan.set);
    return status;
}
