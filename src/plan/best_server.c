/* Best server: one pass over the cells for each sector. */
#include "plan/best_server.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "radiocity/plan.h"
#include "result/map_data.h"

#define PIECE_CELLS 65536

/* One receiver height; each array has a value for every cell. */
typedef struct server_plane {
    double height_m;
    float *best_dbm;   /* NAN: no sector yet */
    float *second_dbm; /* NAN: fewer than two */
    float *server;     /* index + 1, as the band shows it; NAN: none */
    float *second;     /* the same of the second */
} server_plane;

struct rcity_best_server {
    rcity_context *context;
    rcity_raster raster;
    int height_count;
    server_plane *planes;
    rcity_interference *interference; /* NULL: not requested */
    size_t name_count, name_capacity;
    char **names; /* of the sectors; NULL: not named */
};

static int64_t cell_count(const rcity_best_server *best)
{
    return best->raster.column_count * best->raster.row_count;
}

static rcity_status make_values(rcity_context *context, int64_t count, float **value)
{
    RCITY_TRY(rcity_alloc(context, (size_t)count, sizeof **value, "the strongest sectors", value));
    for (int64_t i = 0; i < count; i++) {
        (*value)[i] = NAN;
    }
    return RCITY_OK;
}

rcity_status rcity_best_server_create(rcity_context *context, const rcity_raster *raster, int height_count,
                                      const double *height_m, rcity_interference *interference,
                                      rcity_best_server **best)
{
    assert(raster->column_count >= 1 && raster->row_count >= 1 && height_count >= 1);
    rcity_best_server *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the strongest sectors", &made));
    made->context = context;
    made->raster = *raster;
    made->interference = interference;
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)height_count, sizeof *made->planes, "the strongest sectors", &made->planes));
    made->height_count = height_count;
    for (int i = 0; i < height_count; i++) {
        server_plane *plane = &made->planes[i];
        plane->height_m = height_m[i];
        RCITY_TRY_DONE(make_values(context, cell_count(made), &plane->best_dbm));
        RCITY_TRY_DONE(make_values(context, cell_count(made), &plane->second_dbm));
        RCITY_TRY_DONE(make_values(context, cell_count(made), &plane->server));
        RCITY_TRY_DONE(make_values(context, cell_count(made), &plane->second));
    }
    *best = made;
    made = NULL;
done:
    rcity_best_server_destroy(&made);
    return status;
}

void rcity_best_server_destroy(rcity_best_server **best)
{
    if (best == NULL || *best == NULL) {
        return;
    }
    rcity_best_server *ended = *best;
    for (int i = 0; i < ended->height_count; i++) {
        rcity_release(ended->context, ended->planes[i].second);
        rcity_release(ended->context, ended->planes[i].server);
        rcity_release(ended->context, ended->planes[i].second_dbm);
        rcity_release(ended->context, ended->planes[i].best_dbm);
    }
    for (size_t i = 0; i < ended->name_count; i++) {
        rcity_release(ended->context, ended->names[i]);
    }
    rcity_release(ended->context, ended->names);
    rcity_release(ended->context, ended->planes);
    rcity_release(ended->context, ended);
    *best = NULL;
}

static bool is_same_raster(const rcity_raster *a, const rcity_raster *b)
{
    return a->column_count == b->column_count && a->row_count == b->row_count && a->west_m == b->west_m &&
           a->north_m == b->north_m && a->cell_m == b->cell_m;
}

/* The bands of received power of a map, in the order of the heights. */
static rcity_status find_levels(const rcity_best_server *best, int sector_index, const rcity_map *map,
                                const float **level_dbm)
{
    int found_count = 0;
    for (int i = 0; i < rcity_map_band_count(map) && found_count < best->height_count; i++) {
        rcity_band band = {.name = "", .value = NULL};
        RCITY_TRY(rcity_map_get_band(map, i, &band));
        if (band.kind == RCITY_BAND_POWER && band.rx_height_m == best->planes[found_count].height_m) {
            level_dbm[found_count++] = band.value;
        }
    }
    RCITY_CHECK(best->context, found_count == best->height_count, RCITY_ERR_ARGUMENT,
                "the map of sector %d has no band received_power at %g m; every sector must state its power",
                sector_index + 1, best->planes[found_count].height_m);
    return RCITY_OK;
}

typedef struct add_job {
    server_plane plane;
    rcity_interference *interference;
    int height_index;
    const float *level_dbm;
    float server;
} add_job;

/* A sector that is not, or no longer, the strongest interferes with the strongest. */
static void beat(const add_job *job, int64_t cell, float server, float level_dbm)
{
    if (job->interference != NULL) {
        rcity_interference_add(job->interference, job->height_index, cell, (int)server - 1, level_dbm);
    }
}

static void add_cells(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const add_job *job = user;
    const server_plane *plane = &job->plane;
    for (int64_t i = begin; i < end; i++) {
        float level = job->level_dbm[i];
        if (isnan(level)) {
            continue;
        }
        if (isnan(plane->best_dbm[i])) {
            plane->best_dbm[i] = level;
            plane->server[i] = job->server;
        } else if (level > plane->best_dbm[i]) {
            beat(job, i, plane->server[i], plane->best_dbm[i]);
            plane->second_dbm[i] = plane->best_dbm[i];
            plane->second[i] = plane->server[i];
            plane->best_dbm[i] = level;
            plane->server[i] = job->server;
        } else {
            beat(job, i, job->server, level);
            if (!(plane->second_dbm[i] >= level)) { /* NAN: there was none */
                plane->second_dbm[i] = level;
                plane->second[i] = job->server;
            }
        }
    }
}

rcity_status rcity_best_server_add(rcity_best_server *best, int sector_index, const rcity_map *map)
{
    assert(sector_index >= 0);
    rcity_raster raster = rcity_map_raster(map);
    RCITY_CHECK(best->context, is_same_raster(&raster, &best->raster), RCITY_ERR_ARGUMENT,
                "the map of sector %d has %lld x %lld cells of %g m from (%.2f, %.2f), the others %lld x %lld of %g m "
                "from (%.2f, %.2f); predict all sectors over the same area",
                sector_index + 1, (long long)raster.column_count, (long long)raster.row_count, raster.cell_m,
                raster.west_m, raster.north_m, (long long)best->raster.column_count, (long long)best->raster.row_count,
                best->raster.cell_m, best->raster.west_m, best->raster.north_m);
    const float **level_dbm = NULL;
    rcity_status status;
    RCITY_TRY_DONE(
        rcity_alloc(best->context, (size_t)best->height_count, sizeof *level_dbm, "a list of bands", &level_dbm));
    RCITY_TRY_DONE(find_levels(best, sector_index, map, level_dbm));
    for (int i = 0; i < best->height_count; i++) {
        add_job job = {.plane = best->planes[i],
                       .interference = best->interference,
                       .height_index = i,
                       .level_dbm = level_dbm[i],
                       .server = (float)(sector_index + 1)};
        rcity_parallel(best->context, cell_count(best), PIECE_CELLS, add_cells, &job);
    }
done:
    rcity_release(best->context, level_dbm);
    return status;
}

rcity_status rcity_best_server_check_thresholds(rcity_context *context, int threshold_count,
                                                const double *threshold_dbm)
{
    RCITY_CHECK(context, threshold_count >= 0 && threshold_count <= RCITY_THRESHOLD_COUNT_MAX, RCITY_ERR_ARGUMENT,
                "there are %d thresholds, must be 0 to %d", threshold_count, RCITY_THRESHOLD_COUNT_MAX);
    for (int i = 0; i < threshold_count; i++) {
        RCITY_CHECK(context, isfinite(threshold_dbm[i]), RCITY_ERR_ARGUMENT, "threshold %d is %g, must be a number",
                    i + 1, threshold_dbm[i]);
        for (int k = 0; k < i; k++) {
            RCITY_CHECK(context, threshold_dbm[i] != threshold_dbm[k], RCITY_ERR_ARGUMENT,
                        "the threshold %g dBm is given twice; give each once", threshold_dbm[i]);
        }
    }
    return RCITY_OK;
}

typedef struct finish_job {
    server_plane plane;
    const rcity_interference *interference;
    int height_index;
    float *made;
} finish_job;

static void subtract_cells(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const finish_job *job = user;
    for (int64_t i = begin; i < end; i++) {
        job->made[i] = job->plane.best_dbm[i] - job->plane.second_dbm[i];
    }
}

static void compare_cells(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const finish_job *job = user;
    const server_plane *plane = &job->plane;
    for (int64_t i = begin; i < end; i++) {
        if (!isnan(plane->best_dbm[i])) { /* the others are NAN already, as in every new band */
            job->made[i] = rcity_interference_sinr_db(job->interference, job->height_index, i,
                                                      (int)plane->server[i] - 1, plane->best_dbm[i]);
        }
    }
}

rcity_status rcity_best_server_set_name(rcity_best_server *best, int sector_index, const char *name)
{
    assert(sector_index >= 0);
    size_t count = (size_t)sector_index + 1;
    char *copy = NULL;
    RCITY_TRY(rcity_reserve(best->context, count, sizeof *best->names, &best->name_capacity, "names of sectors",
                            &best->names));
    RCITY_TRY(rcity_copy_text(best->context, name, &copy));
    for (; best->name_count < count; best->name_count++) {
        best->names[best->name_count] = NULL;
    }
    rcity_release(best->context, best->names[sector_index]);
    best->names[sector_index] = copy;
    return RCITY_OK;
}

/* The classes of the band that was added last are the sectors; value 0 has no sector. */
static rcity_status name_servers(const rcity_best_server *best, rcity_map *map)
{
    const char **names = NULL;
    RCITY_TRY(rcity_alloc(best->context, best->name_count + 1, sizeof *names, "names of sectors", &names));
    for (size_t i = 0; i < best->name_count; i++) {
        names[i + 1] = best->names[i];
    }
    rcity_status status = rcity_map_set_classes(map, rcity_map_band_count(map) - 1, (int)best->name_count + 1, names);
    rcity_release(best->context, names);
    return status;
}

static rcity_status add_server_bands(const rcity_best_server *best, int height_index, rcity_map *map)
{
    const server_plane *plane = &best->planes[height_index];
    size_t bytes = (size_t)cell_count(best) * sizeof(float);
    float *value = NULL;
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm",
                                 "Received power of the strongest sector", plane->height_m, &value));
    memcpy(value, plane->best_dbm, bytes);
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_SERVER, "best_server", "", "Number of the strongest sector, from 1",
                                 plane->height_m, &value));
    memcpy(value, plane->server, bytes);
    RCITY_TRY(name_servers(best, map));
    finish_job job = {.plane = *plane, .interference = best->interference, .height_index = height_index};
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_DIFFERENCE, "server_margin", "dB",
                                 "Received power of the strongest sector over the second", plane->height_m, &job.made));
    rcity_parallel(best->context, cell_count(best), PIECE_CELLS, subtract_cells, &job);
    if (best->interference != NULL) {
        RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_SINR, "sinr", "dB",
                                     "Strongest sector over interference of the others and noise", plane->height_m,
                                     &job.made));
        rcity_parallel(best->context, cell_count(best), PIECE_CELLS, compare_cells, &job);
    }
    return RCITY_OK;
}

rcity_status rcity_best_server_finish(const rcity_best_server *best, int threshold_count, const double *threshold_dbm,
                                      double fade_sigma_db, rcity_map *map)
{
    RCITY_TRY(rcity_best_server_check_thresholds(best->context, threshold_count, threshold_dbm));
    RCITY_CHECK(best->context, fade_sigma_db >= 0.0 && fade_sigma_db <= RCITY_FADE_SIGMA_MAX_DB, RCITY_ERR_ARGUMENT,
                "the standard deviation of fading is %g dB, must be 0 to %g dB", fade_sigma_db,
                RCITY_FADE_SIGMA_MAX_DB);
    rcity_raster raster = rcity_map_raster(map);
    RCITY_CHECK(best->context, is_same_raster(&raster, &best->raster), RCITY_ERR_ARGUMENT,
                "the map has another raster than the sectors");
    for (int i = 0; i < best->height_count; i++) {
        int power_band = rcity_map_band_count(map);
        RCITY_TRY(add_server_bands(best, i, map));
        for (int k = 0; k < threshold_count && fade_sigma_db > 0.0; k++) {
            RCITY_TRY(rcity_map_add_probability(map, power_band, threshold_dbm[k], fade_sigma_db));
        }
    }
    for (int i = 0; i < best->height_count; i++) { /* behind the bands that files had before */
        const server_plane *plane = &best->planes[i];
        float *value = NULL;
        RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_SERVER, "second_server", "",
                                     "Number of the second strongest sector, from 1", plane->height_m, &value));
        memcpy(value, plane->second, (size_t)cell_count(best) * sizeof *value);
        RCITY_TRY(name_servers(best, map));
    }
    return RCITY_OK;
}
