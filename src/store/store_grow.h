/* A file that grows block by block beside its final path. A run that is killed leaves its finished blocks there, in
   PATH.part, and the next one goes on behind them. */
#ifndef RCITY_STORE_STORE_GROW_H
#define RCITY_STORE_STORE_GROW_H

#include "store/store.h"

typedef struct rcity_store_grow rcity_store_grow;

/* Begin PATH, or go on with it: blocks of a PATH.part of the same kind and version are kept up to the first one that is
   damaged or not whole. @return RCITY_ERR_FILE when it cannot be written, or another process writes it now. */
rcity_status rcity_store_grow_open(rcity_context *context, const char *path, const char *kind, uint32_t version,
                                   rcity_store_grow **grow);

/* The blocks so far. */
int64_t rcity_store_grow_count(const rcity_store_grow *grow);

/* One of them, mapped: borrowed until the next call that changes the file. `name` may be NULL. */
typedef struct rcity_store_grown {
    char name[RCITY_STORE_NAME_BYTES];
    const void *data;
    uint64_t count;
    uint32_t element_bytes;
    uint64_t offset; /* in the file */
} rcity_store_grown;

rcity_status rcity_store_grow_get(rcity_store_grow *grow, int64_t index, rcity_store_grown *block);

/* The whole file so far, mapped: borrowed until the next call that changes it. */
rcity_status rcity_store_grow_map(rcity_store_grow *grow, const void **bytes);

/* Keep the first `count` blocks only. */
rcity_status rcity_store_grow_cut(rcity_store_grow *grow, int64_t count);

rcity_status rcity_store_grow_append(rcity_store_grow *grow, const rcity_store_block *block);

/* Finish the file: flush it and rename it to its path. The handle is released, also on failure; PATH.part then
   stays. */
rcity_status rcity_store_grow_commit(rcity_store_grow **grow);

/* Release the handle. PATH.part stays, for a later run; accepts a pointer to NULL. */
void rcity_store_grow_close(rcity_store_grow **grow);

#endif
