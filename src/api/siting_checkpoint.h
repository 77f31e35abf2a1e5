/* A search in a file, so that it can go on later: a block file of kind "siting". Where a search goes from a position is
   decided by the task, whose hash is stored with it. */
#ifndef RCITY_API_SITING_CHECKPOINT_H
#define RCITY_API_SITING_CHECKPOINT_H

#include "plan/siting/siting_search.h"

#define RCITY_SITING_HASH_BYTES 65

rcity_status rcity_siting_checkpoint_save(const rcity_siting_search *search, const char *hash, const char *path);

/* Read positions and stations; levels are predicted by rcity_siting_search_restore(). @return RCITY_ERR_STATE for another
   task, and as rcity_store_open(). */
rcity_status rcity_siting_checkpoint_load(rcity_siting_search *search, const char *hash, const char *path);

#endif
