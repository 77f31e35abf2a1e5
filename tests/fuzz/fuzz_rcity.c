/* Compiled scenes from anywhere: once as they are, once with the checksums and the file size taken on trust, so that
   the readers behind are reached too. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_scene.h"
#include "io/rcity_file.h"

#define FILE_BYTES_OFFSET 40 /* in the header, see src/store/store_layout.h */
#define HEADER_BYTES      64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_scene(const uint8_t *bytes, size_t size, bool trust_checksums)
{
    rcity_context *context = fuzz_context();
    rcity_store *store = NULL;
    rcity_scene *scene = NULL;
    rcity_status status = rcity_store_open_bytes(context, "fuzz.rcity", bytes, size, RCITY_SCENE_FILE_KIND,
                                                 RCITY_SCENE_FILE_VERSION, trust_checksums, &store);
    if (status == RCITY_OK) {
        status = rcity_scene_read(context, "fuzz.rcity", &store, &scene);
    }
    rcity_store_close(&store);
    fuzz_end_parse(context, status, &scene, false);
    rcity_context_destroy(&context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* A mapped file starts on a page; blocks are aligned to 64 bytes in it. An exact copy shows a read past its end. */
    void *copy = NULL;
    if (posix_memalign(&copy, 64, size > 0 ? size : 1) != 0) {
        return 0;
    }
    if (size > 0) {
        memcpy(copy, data, size);
    }
    read_scene(copy, size, false);
    if (size >= HEADER_BYTES) {
        uint64_t file_bytes = size;
        memcpy((char *)copy + FILE_BYTES_OFFSET, &file_bytes, sizeof file_bytes);
        read_scene(copy, size, true);
    }
    free(copy);
    return 0;
}
