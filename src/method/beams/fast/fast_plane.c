/* Jobs of kernels by the options of a job. */
#include "method/beams/fast/fast_plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stages.h"
#include "method/beams/fast/fast_directions.h"
#include "method/path_ends.h"

#define TWO_PI          6.28318530717958647692
#define LOSS_MAX_DB     300.0
#define STRIP_MIN       4 /* rows */
#define STRIP_MAX       64
#define STRIPS_A_THREAD 5
#define PARTS_MANY      4000000 /* more of a strip's parts would take much memory */
#define LIMIT_MARGIN    2.0     /* interpolation, and steep rays, which walls reflect more of */

static rcity_i64 fine_units(double m)
{
    return llround(m * RCITY_BEAM_UNITS_PER_M * (double)(1 << RCITY_BEAM_FINE_BITS));
}

static void fill_path_job(const rcity_fast_plane *plane, rcity_beam_job *job)
{
    const rcity_beams_levels *own = plane->own;
    const rcity_path_ends *ends = &own->ends;
    const rcity_beams_grid *grid = &plane->grid;
    const rcity_beams_paper *paper = &own->rules.paper;
    memset(job, 0, sizeof *job);
    job->west = fine_units(grid->west_m + 0.5 * grid->cell_m + plane->dx);
    job->north = fine_units(grid->north_m - 0.5 * grid->cell_m + plane->dy);
    job->step = fine_units(grid->cell_m);
    job->turns_per_unit = (rcity_u64)(ldexp(1.0, 64) / (RCITY_BEAM_UNITS_PER_M * plane->facets->wavelength_m));
    job->column_count = (int32_t)grid->column_count;
    job->ground_material = plane->facets->ground_material;
    job->into_shadow_only = plane->forest->growth.turns_into_shadow_only;
    job->rx_polarization = (int32_t)ends->rx_polarization;
    job->is_paper = own->rules.is_paper;
    job->ground_code =
        rcity_fast_code_next(RCITY_BEAM_CODE_DIRECT, plane->tables.plane_code[plane->facets->mirror_count]);
    job->exponent = (float)paper->exponent;
    job->constant_db = (float)paper->constant_db;
    job->reflection_db = (float)paper->reflection_db;
    job->diffraction_db = (float)paper->diffraction_db;
    job->tx_height_m = (float)plane->traced->tx.z;
    job->rx_height_m = (float)rcity_path_end_rx_aside((rcity_place3){0.0, 0.0, plane->height_m}, 0).z;
    job->wavelength_m = (float)plane->facets->wavelength_m;
    job->wavenumber_per_m = (float)(TWO_PI / plane->facets->wavelength_m);
    job->rx_gain = (float)pow(10.0, 0.1 * plane->job->receivers->gain_dbi);
    job->most_loss = (float)pow(10.0, 0.1 * fmin(plane->forest->growth.loss_limit_db, LOSS_MAX_DB));
    job->range = (float)own->rules.range;
    job->longest_m = (float)plane->forest->growth.range_m;
    double unit_gain = plane->facets->wavelength_m / (2.0 * TWO_PI); /* of a metre of free space */
    job->limit_scale =
        own->rules.is_paper
            ? HUGE_VALF
            : (float)(LIMIT_MARGIN * unit_gain * unit_gain * pow(10.0, 0.1 * plane->job->receivers->gain_dbi));
    job->antenna = ends->tx_antenna;
    job->mount = rcity_mount_make((float)ends->tx_azimuth_rad, (float)ends->tx_tilt_rad, (float)ends->tx_slant_rad);
}

static void fill_sum_job(const rcity_fast_plane *plane, double bin_s, rcity_beam_sum_job *job)
{
    const rcity_beams_rules *rules = &plane->own->rules;
    memset(job, 0, sizeof *job);
    for (int k = 0; k < RCITY_BEAM_CLASSES; k++) {
        job->factor[k] = (float)rules->factor[k];
    }
    job->roof_factor = (float)rules->factor[RCITY_BEAMS_ROOFS];
    job->range = (float)rules->range;
    job->least = (float)pow(10.0, -0.1 * rules->threshold_db);
    job->adds_powers = rules->sum == RCITY_IMAGES_POWER;
    job->has_law = rules->has_law;
    job->bin_m = (float)(bin_s * RCITY_LIGHT_EXACT_M_PER_S);
}

/* How many rows a strip has: a part that reaches into several is looked at in each, but every thread shall have some. */
static int64_t choose_rows(const rcity_fast_plane *plane)
{
    int64_t part_count = 0;
    for (int32_t i = 0; i < plane->forest->tree_count; i++) {
        part_count += (int64_t)plane->forest->trees[i].part_count;
    }
    int64_t rows = plane->grid.row_count / (STRIPS_A_THREAD * rcity_context_thread_count(plane->job->context));
    rows = rows < STRIP_MAX ? rows : STRIP_MAX;
    return rows < STRIP_MIN || part_count > PARTS_MANY ? STRIP_MIN : rows;
}

/* A strip by how many parts of beams it has. */
typedef struct strip_size {
    int64_t part_count;
    int32_t strip;
} strip_size;

static int compare_sizes(const void *left, const void *right)
{
    const strip_size *a = left;
    const strip_size *b = right;
    if (a->part_count != b->part_count) {
        return a->part_count > b->part_count ? -1 : 1;
    }
    return (a->strip > b->strip) - (a->strip < b->strip);
}

static rcity_status order_strips(rcity_fast_plane *plane)
{
    rcity_context *context = plane->job->context;
    const rcity_beams_bins *bins = &plane->bins;
    size_t count = (size_t)bins->strip_count;
    strip_size *sizes = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, count + 1, sizeof *sizes, "strips of rows", &sizes));
    RCITY_TRY_DONE(rcity_alloc(context, count + 1, sizeof *plane->strip_order, "strips of rows", &plane->strip_order));
    for (size_t i = 0; i < count; i++) {
        sizes[i] = (strip_size){bins->first[i + 1] - bins->first[i], (int32_t)i};
    }
    qsort(sizes, count, sizeof *sizes, compare_sizes);
    for (size_t i = 0; i < count; i++) {
        plane->strip_order[i] = sizes[i].strip;
    }
done:
    rcity_release(context, sizes);
    return status;
}

bool rcity_fast_needs_links(const rcity_fast_plane *plane)
{
    return plane->own->rules.has_law || plane->own->rules.goes_over_roofs;
}

rcity_status rcity_fast_plane_init(const rcity_beams_levels *own, int height_index, double bin_s,
                                   rcity_fast_plane *plane)
{
    const rcity_job *job = own->job;
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    memset(plane, 0, sizeof *plane);
    plane->job = job;
    plane->own = own;
    plane->traced = own->traced;
    plane->forest = &plane->traced->forest;
    plane->facets = &plane->traced->images.world;
    plane->height_m = job->receivers->height_m[height_index];
    plane->ground_reflects = plane->traced->images.search.orders.ground_reflects && !own->rules.has_law;
    rcity_place3 aside = rcity_path_end_rx_aside((rcity_place3){0.0, 0.0, plane->height_m}, 0);
    plane->dx = aside.x;
    plane->dy = aside.y;
    plane->grid =
        (rcity_beams_grid){job->raster.west_m - job->shapes->origin_x_m, job->raster.north_m - job->shapes->origin_y_m,
                           job->raster.cell_m, job->raster.column_count, job->raster.row_count};
    plane->strip_rows = choose_rows(plane);
    plane->strip_count = (plane->grid.row_count + plane->strip_rows - 1) / plane->strip_rows;
    rcity_fast_ends ends = {plane->facets, &own->ends, plane->traced->tx.z, aside.z};
    if (rcity_fast_needs_links(plane)) {
        RCITY_TRY(
            rcity_alloc(job->context, (size_t)cell_count + 1, sizeof *plane->over, "paths over roofs", &plane->over));
        RCITY_TRY(rcity_beams_levels_go_over(own, height_index * cell_count, cell_count, plane->over));
    }
    rcity_stages_end(job->stages, "roofs");
    RCITY_TRY(rcity_fast_tables_init(job->context, plane->forest, &ends, &plane->tables));
    rcity_stages_end(job->stages, "tables");
    fill_path_job(plane, &plane->path_job);
    fill_sum_job(plane, bin_s, &plane->sum_job);
    return RCITY_OK;
}

rcity_status rcity_fast_plane_list(rcity_fast_plane *plane)
{
    if (plane->tables.directions == NULL) { /* a device without room may have needed them */
        RCITY_TRY(rcity_fast_directions_fill(plane->forest, plane->facets, &plane->tables));
    }
    RCITY_TRY(rcity_beams_bins_init(plane->job->context, plane->forest, &plane->grid, plane->dx, plane->dy,
                                    plane->strip_rows, &plane->bins));
    return order_strips(plane);
}

void rcity_fast_plane_deinit(rcity_fast_plane *plane)
{
    rcity_context *context = plane->job->context;
    rcity_release(context, plane->strip_order);
    rcity_beams_bins_deinit(context, &plane->bins);
    plane->tables.context = context;
    rcity_fast_tables_deinit(&plane->tables);
    rcity_release(context, plane->over);
}

rcity_beam_beside rcity_fast_beside(const rcity_fast_plane *plane, const rcity_fast_cells *cells, int64_t cell,
                                    rcity_beams_link *link)
{
    rcity_beam_beside beside = {0.0f, 1.0f, 0.0f, 0.0f, 0.0f};
    memset(link, 0, sizeof *link);
    link->beside = rcity_beams_beside_none();
    if (!cells->is_wanted[cell]) {
        return beside;
    }
    const rcity_tile_roof_path none = {.excess_db = NAN};
    *link = rcity_beams_levels_link(plane->own, &cells->positions[cell],
                                    plane->over != NULL ? &plane->over[cells->first + cell] : &none);
    beside.over = (float)link->beside.over;
    beside.ground = (float)link->beside.ground;
    rcity_beams_item item;
    if (plane->own->rules.goes_over_roofs && link->beside.over > 0.0 &&
        rcity_beams_over_item(plane->facets, &plane->own->ends, &plane->own->rules, &link->beside, &item)) {
        beside.roof_power = (float)item.power;
        beside.roof_isotropic = (float)item.isotropic;
        beside.roof_m = (float)link->beside.course.length_m;
    }
    return beside;
}

void rcity_fast_level(const rcity_fast_plane *plane, const rcity_beam_sum *sum, const rcity_beam_beside *beside,
                      const rcity_beams_link *link, rcity_beams_level *level)
{
    const double light = RCITY_LIGHT_EXACT_M_PER_S;
    *level = rcity_beams_level_none();
    if (sum->path_count > 0) {
        rcity_beams_form form;
        memset(&form, 0, sizeof form);
        for (int a = 0; a < RCITY_BEAM_CLASSES; a++) {
            for (int b = 0; b <= a; b++) {
                form.power[a][b] = (double)sum->power[rcity_beam_pair_index(a, b)];
                form.isotropic[a][b] = (double)sum->isotropic[rcity_beam_pair_index(a, b)];
            }
        }
        if (!sum->has_direct) {
            form.power[RCITY_BEAMS_ROOFS][RCITY_BEAMS_ROOFS] = (double)beside->roof_power;
            form.isotropic[RCITY_BEAMS_ROOFS][RCITY_BEAMS_ROOFS] = (double)beside->roof_isotropic;
        }
        level->gain = rcity_beams_form_power(form.power, plane->own->rules.factor);
        level->isotropic_gain = rcity_beams_form_power(form.isotropic, plane->own->rules.factor);
        level->mean_delay_s = (double)sum->mean_m / light;
        level->delay_spread_s = (double)sum->spread_m / light;
        level->excess_delay_s = (double)sum->excess_m / light;
        level->path_count = sum->path_count;
        level->k_factor_db =
            sum->path_count > 1 ? 10.0 * log10((double)sum->strongest / (double)sum->rest) : (double)NAN;
        level->mechanism = rcity_beams_mechanism(sum->kind);
        if (sum->path_count == 1 && sum->kind == RCITY_BEAMS_ROOFS) {
            rcity_beams_level_forget_spread(level);
        }
    }
    rcity_beams_levels_draw(plane->own, link, level);
}
