/* The strongest of many sectors that are predicted one by one: only the best two levels and the best sector's index
   stay in memory, however many sectors there are. */
#ifndef RCITY_PLAN_BEST_SERVER_H
#define RCITY_PLAN_BEST_SERVER_H

#include "base/base.h"
#include "plan/interference.h"
#include "radiocity/map.h"

typedef struct rcity_best_server rcity_best_server;

/* Start without sectors. `height_m` is copied. `interference` receives every sector that is not the strongest; NULL:
   none. It is borrowed until the best server is destroyed. */
rcity_status rcity_best_server_create(rcity_context *context, const rcity_raster *raster, int height_count,
                                      const double *height_m, rcity_interference *interference,
                                      rcity_best_server **best);

/* Accepts NULL and a pointer to NULL. */
void rcity_best_server_destroy(rcity_best_server **best);

/* Name a sector: a class of the band best_server. The name is copied. A sector without a name has only its number. */
rcity_status rcity_best_server_set_name(rcity_best_server *best, int sector_index, const char *name);

/* Add a sector's finished map: its bands of received power, one for each height in the same order. Of equal levels the
   sector that came first stays the best. @return RCITY_ERR_ARGUMENT when a band is missing or the rasters differ; then
   nothing was added. */
rcity_status rcity_best_server_add(rcity_best_server *best, int sector_index, const rcity_map *map);

/* Refuse thresholds that are not finite, too many, or given twice: two bands would have one name. */
rcity_status rcity_best_server_check_thresholds(rcity_context *context, int threshold_count,
                                                const double *threshold_dbm);

/* Add to a map for each height the bands received_power (dBm), best_server (1 for sector 0, and so on), server_margin
   (dB; NAN where fewer than two sectors have a value), with `interference` also sinr (dB) and, when sigma is above 0, a
   band coverage_probability_T_dbm for each threshold T, such as "coverage_probability_-95_dbm". The map may keep some
   bands on failure; destroy it. */
rcity_status rcity_best_server_finish(const rcity_best_server *best, int threshold_count, const double *threshold_dbm,
                                      double fade_sigma_db, rcity_map *map);

#endif
