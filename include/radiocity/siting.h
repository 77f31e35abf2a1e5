/** @file siting.h  Where base stations should stand: demand, and a search for the sites that serve it best.
 *
 *  Demand is a list of points with weights. Stations compete for it: simulated annealing moves them until they cover as
 *  much weight as they can. One seed gives one answer, on any number of threads, interrupted or not. */
#ifndef RADIOCITY_SITING_H
#define RADIOCITY_SITING_H

#include "radiocity/map.h"
#include "radiocity/method.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_SITING_STATION_MAX   256       /**< most stations that are searched for, and most that stand already */
#define RCITY_SITING_LIST_MAX      64        /**< most heights, powers or tilts to choose from */
#define RCITY_SITING_POINT_MAX     1000000   /**< most points of demand */
#define RCITY_SITING_CANDIDATE_MAX 10000000  /**< most candidates for sites */
#define RCITY_SITING_MOVE_MAX      100000000 /**< longest search */
#define RCITY_SITING_BATCH_MAX     1024      /**< most candidates that are predicted at once */
#define RCITY_DEMAND_SERVER_MAX    8         /**< most servers that a point may ask for */

/** One cluster of users. Start from rcity_demand_point_default(). */
typedef struct rcity_demand_point {
    size_t struct_bytes;  /**< size of this struct, set by rcity_demand_point_default() */
    double x_m, y_m;      /**< in the scene's CRS */
    double height_m;      /**< above ground; 1.5 */
    double weight;        /**< users, traffic or any other amount, 0 or more; 1 */
    double least_dbm;     /**< received power that it needs; NAN, the default: that of the options */
    double least_sinr_db; /**< SINR that it needs; NAN, the default: that of the options */
    int server_count;     /**< how many sites must reach the power; 0, the default: that of the options */
    uint64_t reserved[7]; /**< 0; for later versions */
} rcity_demand_point;

/** rcity_demand_point_default() with the size of the struct that the program knows. */
RCITY_API void rcity_demand_point_init(rcity_demand_point *point, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_demand_point)

/** Points of demand. Opaque, read-only once made. */
typedef struct rcity_demand rcity_demand;

/** Make demand from points, which are copied. Owned by the caller; release with rcity_demand_destroy().
 *  @return RCITY_ERR_ARGUMENT with the point's number for a weight below 0, a place or height that is no number, or a
 *  demand that is empty or weighs nothing; RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_demand_create(rcity_context *context, int64_t point_count,
                                                            const rcity_demand_point *points, rcity_demand **demand);

/** Load demand from CSV or any vector GDAL reads: columns x and y or lon and lat, and optional weight, height_m,
 *  least_dbm, least_sinr_db, servers. `height_m` is the height of points that state none.
 *  @return as rcity_sites_load() and rcity_demand_create(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_demand_load(rcity_context *context, const rcity_scene *scene,
                                                          const char *path, double height_m, rcity_demand **demand);

/** Demand from a raster of population or traffic: a band of a map in the scene's CRS. Squares of `cluster_m` become one
 *  point each, at the middle of their heaviest cell; 0: each cell is a point.
 *  Values below 0 and those without a value count as 0. @return RCITY_ERR_ARGUMENT for another CRS or a raster that does
 *  not touch the scene, and as rcity_demand_create(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_demand_create_from_map(rcity_context *context, const rcity_scene *scene,
                                                                     const rcity_map *map, int band_index,
                                                                     double cluster_m, double height_m,
                                                                     rcity_demand **demand);

/** Demand from the buildings of a scene: floor area in square metres, a floor for every 3 m of height. It is asked for
 *  outdoors, in front of the longest free wall of each building; squares of `cluster_m` become one point at the place
 *  with the most floor area; 0: each building is a point. @return RCITY_ERR_ARGUMENT for a scene without buildings, and
 *  as rcity_demand_create(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_demand_create_from_buildings(rcity_context *context,
                                                                           const rcity_scene *scene, double cluster_m,
                                                                           double height_m, rcity_demand **demand);

/** Destroy demand and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_demand_destroy(rcity_demand **demand);

RCITY_API int64_t rcity_demand_count(const rcity_demand *demand);

/** One point. @return RCITY_ERR_ARGUMENT when there is none of that index, without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_demand_get_point(const rcity_demand *demand, int64_t point_index,
                                                               rcity_demand_point *point);

/** Where stations may stand. */
typedef enum rcity_siting_place {
    RCITY_SITING_ANYWHERE,   /**< in the plane; over buildings only above their roofs */
    RCITY_SITING_ROOFS,      /**< on roofs: heights count from the roof */
    RCITY_SITING_STREETS,    /**< outdoors */
    RCITY_SITING_WALLS,      /**< on outer walls, a quarter of a metre in front of them */
    RCITY_SITING_CANDIDATES, /**< at one of the candidates */
} rcity_siting_place;

/** "anywhere", "roofs", "streets", "walls" or "candidates". Static; NULL for no such place. */
RCITY_API const char *rcity_siting_place_name(rcity_siting_place place);

/** The task. Start from rcity_siting_options_default(). Pointers are borrowed until the call returns. */
typedef struct rcity_siting_options {
    size_t struct_bytes; /**< size of this struct, set by rcity_siting_options_default() */

    rcity_transmitter station; /**< what each station is: frequency, power (needed), antenna, height. Its position and
                                    name are not read. */
    int station_count;         /**< how many, 1 to RCITY_SITING_STATION_MAX; the most, where fewer are allowed */
    int station_count_least;   /**< 0, the default: all of them; else the number of sites is searched for too */
    double station_cost;       /**< what a site costs, in weight of demand; 0 */
    int existing_count;        /**< sites that stand already, and stay */
    const rcity_transmitter *existing;

    rcity_siting_place place;
    int64_t candidate_count; /**< with RCITY_SITING_CANDIDATES */
    const double
        *candidate_xyh_m; /**< x, y, height above ground, one after the other; NAN: the heights to choose from */
    double x_min_m, y_min_m, x_max_m, y_max_m; /**< where they may stand; NAN: the scene's bounds */
    int forbidden_count;                       /**< polygons in which none may stand */
    const int *forbidden_point_count;          /**< corners of each, at least 3 */
    const double *forbidden_xy_m;              /**< the corners of all, one after the other */
    double step_m;                             /**< places are multiples of this, 0.01 to 10,000; 1 */
    double spacing_m;                          /**< least distance between sites, those that stand included; 0 */

    int height_count; /**< heights to choose from; 0: that of `station` */
    const double *height_m;
    int power_count; /**< changes of the power to choose from, in dB; 0: none */
    const double *power_db;
    double power_cost_per_db; /**< what a dB beyond the smallest of them costs, in weight of demand; 0 */
    double azimuth_step_deg;  /**< azimuths to choose from; 0: that of `station` */
    int tilt_count;           /**< electrical tilts to choose from; 0: that of `station` */
    const double *tilt_deg;

    double least_dbm;       /**< received power that a point needs; -95 */
    double least_sinr_db;   /**< SINR that a point needs, with a bandwidth; NAN, the default: none */
    int server_count;       /**< how many sites must reach the power, 1 to RCITY_DEMAND_SERVER_MAX; 1 */
    double soft_db;         /**< a point that misses what it needs by less than this counts in part; 0: not at all */
    double bandwidth_hz;    /**< of a channel, for SINR; 0: no SINR */
    double noise_figure_db; /**< of the receivers; 7 */
    double load;            /**< of stations whose own load is NAN, 0 to 1; 1 */
    double handover_db;     /**< servers within this margin of the best overlap, in the figures; 6 */

    uint64_t seed;      /**< another seed, another search; 1 */
    int64_t move_count; /**< length of the search; 0: 2000 for each station */
    int batch_count;    /**< candidates that are predicted together, 1 to RCITY_SITING_BATCH_MAX; 16. Another number is
                              another search. */
    double baseline_m;  /**< a grid of candidates for the greedy baseline, beside the search; 0: no baseline */
    const char *checkpoint_path; /**< where the search is saved while it runs; NULL: nowhere */
    bool resumes;                /**< go on with the search in that file */
} rcity_siting_options;

/** rcity_siting_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_siting_options_init(rcity_siting_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_siting_options)

/** The sites that were found. Opaque. */
typedef struct rcity_siting rcity_siting;

/** Search for sites. The request gives method, options and the receivers' gain; its transmitter and receivers are not
 *  read. Where the caller's progress stops the search, the best so far is the result, and `is_complete` says so. Owned by
 *  the caller; release with rcity_siting_destroy() before the context and after whatever borrows its stations.
 *  @return RCITY_ERR_ARGUMENT for a bad option, demand that lies outside the scene, fewer candidates than stations, no
 *  place that is allowed; RCITY_ERR_STATE for a checkpoint of another task; RCITY_ERR_CANCELLED when stopped before
 *  there was a result; and as rcity_predict_points(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_siting_run(rcity_context *context, const rcity_scene *scene,
                                                         rcity_device *device, const rcity_request *request,
                                                         const rcity_demand *demand,
                                                         const rcity_siting_options *options, rcity_siting **siting);

/** Destroy a result and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_siting_destroy(rcity_siting **siting);

/** Coverage of the demand by one set of sites. */
typedef struct rcity_siting_coverage {
    int64_t site_count;    /**< those that stand already included */
    double cost;           /**< weight that is missed, softened by `soft_db`, and what the sites cost; NAN: unknown */
    double covered_weight; /**< of points that get all they need */
    double covered_share;  /**< of the whole weight */
    double overlap_weight; /**< of covered points with a second server within the handover margin */
    int64_t covered_count; /**< points */
} rcity_siting_coverage;

/** How the search went. */
typedef struct rcity_siting_info {
    double weight;                  /**< of all demand */
    bool is_complete;               /**< the search came to its end */
    bool is_baseline;               /**< the baseline's sites were better, and are the result */
    bool has_bound;                 /**< baseline_bound holds: the task is one of maximum coverage */
    int64_t move_count;             /**< done */
    int64_t accept_count;           /**< moves that were taken */
    int64_t candidate_count;        /**< of the baseline */
    double baseline_bound;          /**< no choice of candidates covers more weight than this */
    double greedy_weight;           /**< what greedy alone covers; NAN without a baseline */
    rcity_siting_coverage before;   /**< by the sites that stand already */
    rcity_siting_coverage start;    /**< by the sites that the search began with */
    rcity_siting_coverage baseline; /**< greedy and local search over the grid of candidates; cost NAN: none */
    rcity_siting_coverage found;    /**< by the result */
    int64_t prediction_count;       /**< places predicted at all points by this run */
    int64_t reused_count;           /**< predictions that were at hand */
    int64_t naive_count;            /**< predictions without any reuse: all stations for each configuration */
    double prediction_s;            /**< seconds in predictions, and in all */
    double run_s;
} rcity_siting_info;

RCITY_API void rcity_siting_describe_sized(const rcity_siting *siting, size_t info_bytes, rcity_siting_info *info);
static inline void rcity_siting_describe(const rcity_siting *siting, rcity_siting_info *info)
{
    rcity_siting_describe_sized(siting, sizeof *info, info);
}

/** Number of sites of the result: those that stand already first, then the stations. */
RCITY_API int rcity_siting_count(const rcity_siting *siting);

/** All of them, in that order; stations are named plan-1, plan-2, ..., without
 *  the names that existing sites have, and borrow the antenna of the options. Borrowed
 *  until the result is destroyed. */
RCITY_API const rcity_transmitter *rcity_siting_transmitters(const rcity_siting *siting);

/** What a point of demand gets. */
typedef struct rcity_siting_point {
    int server;         /**< index of the strongest site; -1: none reaches it */
    int second;         /**< of the next one; -1: none */
    float received_dbm; /**< of the strongest; NAN without */
    float second_dbm;
    float sinr_db;    /**< NAN without a bandwidth or server */
    int server_count; /**< sites that reach the power it needs */
    bool is_covered;  /**< it gets all that it needs */
} rcity_siting_point;

/** One point of the result, in the order of the demand. @return RCITY_ERR_ARGUMENT when there is none of that index,
 *  without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_siting_get_point_sized(const rcity_siting *siting, int64_t point_index,
                                                                     size_t point_bytes, rcity_siting_point *point);
RCITY_MUST_CHECK static inline rcity_status rcity_siting_get_point(const rcity_siting *siting, int64_t point_index,
                                                                   rcity_siting_point *point)
{
    return rcity_siting_get_point_sized(siting, point_index, sizeof *point, point);
}

/** The course of the search: after `move` moves the cost was `cost`, and the least so far `best`. */
typedef struct rcity_siting_step {
    int64_t move;
    double cost, best;
} rcity_siting_step;

RCITY_API int rcity_siting_step_count(const rcity_siting *siting);

/** All steps. Borrowed until the result is destroyed. */
RCITY_API const rcity_siting_step *rcity_siting_steps(const rcity_siting *siting);

#ifdef __cplusplus
}
#endif

#endif
