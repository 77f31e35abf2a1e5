/* Interference and noise of the strongest sector, for sectors that are predicted one by one. One sum for each carrier
   and receiver stays in memory, however many sectors there are. The strongest sector is never in a sum, so that nothing
   has to be subtracted and no digits are lost. */
#ifndef RCITY_PLAN_INTERFERENCE_H
#define RCITY_PLAN_INTERFERENCE_H

#include "base/base.h"
#include "radiocity/plan.h"

typedef struct rcity_interference rcity_interference;

/* Are bandwidth, noise figure and load within their limits? The loads of sectors are checked with the transmitters. */
rcity_status rcity_interference_check(rcity_context *context, const rcity_network_options *options);

/* Memory for one receiver: a sum for each carrier. 0 without a bandwidth. */
int64_t rcity_interference_cell_bytes(int sector_count, const rcity_transmitter *sectors,
                                      const rcity_network_options *options);

/* Start with sums of 0; the options state a bandwidth. Sectors and options are copied as far as needed. */
rcity_status rcity_interference_create(rcity_context *context, int sector_count, const rcity_transmitter *sectors,
                                       const rcity_network_options *options, int64_t cell_count, int height_count,
                                       rcity_interference **interference);

/* Accepts NULL and a pointer to NULL. */
void rcity_interference_destroy(rcity_interference **interference);

/* Add a sector where it is not, or no longer, the strongest. Only one thread may use a cell at a time; the same order
   of sectors gives bit-identical sums. */
void rcity_interference_add(rcity_interference *interference, int height_index, int64_t cell, int sector_index,
                            float level_dbm);

/* Level of the server over noise and interference: of each carrier the share that falls into the server's channel. */
float rcity_interference_sinr_db(const rcity_interference *interference, int height_index, int64_t cell,
                                 int server_index, float server_dbm);

#endif
