/* Compiled programs on disk, so that a kernel is compiled once per driver and not once per run. The cache never fails a
   run: a file that is missing, damaged or foreign is a miss, one that cannot be written is a line in the debug log. */
#ifndef RCITY_DEVICE_PROGRAM_CACHE_H
#define RCITY_DEVICE_PROGRAM_CACHE_H

#include <stddef.h>

#include "base/base.h"

/* The key of a program: SHA-256 of source, build options and the identity of the device. */
void rcity_program_cache_key(const char *source, const char *options, const char *identity, char key[65]);

/* Look a program up; `*data` is NULL when there is none. Owned by the caller; release with rcity_release().
   @return RCITY_ERR_MEMORY. */
rcity_status rcity_program_cache_load(rcity_context *context, const char *key, char **data, size_t *bytes);

/* Store a program. @return RCITY_ERR_MEMORY. */
rcity_status rcity_program_cache_save(rcity_context *context, const char *key, const void *data, size_t bytes);

#endif
