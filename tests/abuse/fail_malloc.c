/* Loaded before libc (LD_PRELOAD): the allocation that FAIL_AT names fails, and FAIL_COUNT names a file for their number. */
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
void open_fail_malloc(void) __attribute__((constructor));
void close_fail_malloc(void) __attribute__((destructor));

static long fail_at = 0, count = 0;
static int is_on = 0;

void open_fail_malloc(void)
{
    const char *text = getenv("FAIL_AT");
    fail_at = text != NULL ? atol(text) : 0;
    is_on = 1;
}

void close_fail_malloc(void)
{
    const char *path = getenv("FAIL_COUNT");
    is_on = 0;
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld\n", count);
        fclose(file);
    }
}

static int fails(void)
{
    return is_on && __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) == fail_at;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(number, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(memory, bytes);
}
