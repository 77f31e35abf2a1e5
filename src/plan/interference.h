/* What disturbs the strongest sector: the power of all the others, kept while they come one by one, and noise. A sum a
   carrier stays in memory for each receiver, however many sectors there are. The strongest is never in a sum, so that
   nothing is taken off again and no digit is lost beside it. */
#ifndef RCITY_PLAN_INTERFERENCE_H
#define RCITY_PLAN_INTERFERENCE_H

#include "base/base.h"
#include "radiocity/plan.h"

typedef struct rcity_interference rcity_interference;

/* Are bandwidth, noise figure and load within their limits? The loads of sectors are checked with the transmitters. */
rcity_status rcity_interference_check(rcity_context *context, const rcity_network_options *options);

/* Memory a receiver takes: a sum for each carrier. 0 where no bandwidth is given. */
int64_t rcity_interference_cell_bytes(int sector_count, const rcity_transmitter *sectors,
                                      const rcity_network_options *options);

/* Start without power; the options state a bandwidth. What is needed of sectors and options is copied. */
rcity_status rcity_interference_create(rcity_context *context, int sector_count, const rcity_transmitter *sectors,
                                       const rcity_network_options *options, int64_t cell_count, int height_count,
                                       rcity_interference **interference);

/* Accepts NULL and a pointer to NULL. */
void rcity_interference_destroy(rcity_interference **interference);

/* Add a sector where it is not, or no longer, the strongest. One thread a cell; sums are the same bits for the same
   order of sectors. */
void rcity_interference_add(rcity_interference *interference, int height_index, int64_t cell, int sector_index,
                            float level_dbm);

/* Level of the server over what disturbs it: noise, and of each carrier the share that falls into the server's
   channel. */
float rcity_interference_sinr_db(const rcity_interference *interference, int height_index, int64_t cell,
                                 int server_index, float server_dbm);

#endif
