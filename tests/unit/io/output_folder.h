/* What the tests of output files share: a folder of their own, its entries, whole files, and contexts whose memory
   gives out. Include after cmocka.h. */
#ifndef RCITY_TESTS_IO_OUTPUT_FOLDER_H
#define RCITY_TESTS_IO_OUTPUT_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "radiocity/context.h"

#define PATH_BYTES 256

static char output_folder[PATH_BYTES];

static inline int open_output_folder(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(output_folder, sizeof output_folder, "%s/rcity-io-XXXXXX", parent != NULL ? parent : "/tmp");
    return mkdtemp(output_folder) != NULL ? 0 : -1;
}

/* Path of a file in the folder; good until the next call but three. */
static inline const char *output_path(const char *name)
{
    static char paths[4][2 * PATH_BYTES];
    static int next;
    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", output_folder, name);
    return paths[next];
}

/* How many entries the folder has, hidden ones too; removes them when asked. */
static inline int count_outputs(bool remove_them)
{
    int count = 0;
    DIR *folder = opendir(output_folder);
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            count++;
            if (remove_them) {
                unlink(output_path(entry->d_name));
            }
        }
    }
    closedir(folder);
    return count;
}

static inline int close_output_folder(void **state)
{
    (void)state;
    count_outputs(true);
    return rmdir(output_folder);
}

/* A whole file; the caller frees it. */
static inline unsigned char *read_output(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*bytes + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *bytes, file), *bytes);
    fclose(file);
    return data;
}

static inline bool same_outputs(const char *first_path, const char *second_path)
{
    size_t first_bytes, second_bytes;
    unsigned char *first = read_output(first_path, &first_bytes);
    unsigned char *second = read_output(second_path, &second_bytes);
    bool is_same = first_bytes == second_bytes && memcmp(first, second, first_bytes) == 0;
    free(first);
    free(second);
    return is_same;
}

/* ---- memory that gives out after a number of blocks ---- */

typedef struct short_memory {
    int left; /* blocks still given; below 0: any number */
} short_memory;

static inline bool take_block(short_memory *memory)
{
    if (memory->left == 0) {
        return false;
    }
    memory->left -= memory->left > 0 ? 1 : 0;
    return true;
}

static inline void *short_allocate(void *user, size_t bytes)
{
    return take_block(user) ? malloc(bytes) : NULL;
}

static inline void *short_resize(void *user, void *memory, size_t bytes)
{
    return take_block(user) ? realloc(memory, bytes) : NULL;
}

static inline void short_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* `memory` may be NULL; 0 threads and bytes take what the machine has. */
static inline rcity_context *make_context(short_memory *memory, int thread_count, uint64_t memory_bytes)
{
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = thread_count;
    options.memory_bytes = memory_bytes;
    if (memory != NULL) {
        options.allocator = (rcity_allocator){short_allocate, short_resize, short_release, memory};
    }
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    return context;
}

#endif
