/* One file per program: a header of fixed length with magic, key, size and checksum, then the driver's binary. */
#include "device/program_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/sha256.h"

#define MAGIC        "radiocity program 1"
#define HEADER_BYTES (sizeof MAGIC + 65 + 21 + 65) /* four lines; MAGIC's terminator is its line end */

/* A larger file is not ours; reading it would only use up memory. */
#define PROGRAM_MAX_BYTES ((off_t)256 << 20)

void rcity_program_cache_key(const char *source, const char *options, const char *identity, char key[65])
{
    rcity_sha256 hash;
    rcity_sha256_init(&hash);
    rcity_sha256_add(&hash, source, strlen(source) + 1); /* with its terminator, so that no text runs into the next */
    rcity_sha256_add(&hash, options, strlen(options) + 1);
    rcity_sha256_add(&hash, identity, strlen(identity) + 1);
    rcity_sha256_finish(&hash, key);
}

/* The header that `data` must have under `key`: one comparison checks magic, key, size and content. */
static void make_header(const char *key, const void *data, size_t bytes, char header[HEADER_BYTES + 1])
{
    char checksum[65];
    rcity_sha256 hash;
    rcity_sha256_init(&hash);
    rcity_sha256_add(&hash, data, bytes);
    rcity_sha256_finish(&hash, checksum);
    snprintf(header, HEADER_BYTES + 1, MAGIC "\n%.64s\n%020" PRIu64 "\n%s\n", key, (uint64_t)bytes, checksum);
}

/* Folder of the cache and the rest of its path, after the XDG base directory rules; NULL when there is no home. */
static const char *choose_folder(const char **below)
{
    const char *folder = getenv("RADIOCITY_CACHE_DIR");
    *below = "";
    if (folder != NULL && folder[0] != '\0') {
        return folder;
    }
    folder = getenv("XDG_CACHE_HOME");
    *below = "/radiocity";
    if (folder != NULL && folder[0] == '/') {
        return folder;
    }
    folder = getenv("HOME");
    *below = "/.cache/radiocity";
    return folder != NULL && folder[0] == '/' ? folder : NULL;
}

/* `*path` is NULL when there is no place to keep programs. */
static rcity_status make_path(rcity_context *context, const char *key, char **path)
{
    const char *below = "";
    const char *folder = choose_folder(&below);
    if (folder == NULL) {
        return RCITY_OK;
    }
    size_t room = strlen(folder) + strlen(below) + 64 + sizeof "/.program";
    RCITY_TRY(rcity_alloc(context, room, 1, "a path", path));
    snprintf(*path, room, "%s%s/%.64s.program", folder, below, key);
    return RCITY_OK;
}

/* Make every folder above the file; an error shows when the file is written. Private, as XDG asks. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

rcity_status rcity_program_cache_load(rcity_context *context, const char *key, char **data, size_t *bytes)
{
    *data = NULL;
    *bytes = 0;
    char *path = NULL;
    char *file = NULL;
    size_t file_bytes = 0;
    rcity_status status;
    RCITY_TRY_DONE(make_path(context, key, &path));
    struct stat found;
    if (path == NULL || stat(path, &found) != 0 || !S_ISREG(found.st_mode) || found.st_size > PROGRAM_MAX_BYTES) {
        goto done;
    }
    status = rcity_file_load(context, path, &file, &file_bytes);
    if (status != RCITY_OK) {
        status = status == RCITY_ERR_MEMORY ? status : RCITY_OK;
        goto done;
    }
    bool is_whole = file_bytes > HEADER_BYTES;
    if (is_whole) {
        char header[HEADER_BYTES + 1];
        make_header(key, file + HEADER_BYTES, file_bytes - HEADER_BYTES, header);
        is_whole = memcmp(file, header, HEADER_BYTES) == 0;
    }
    if (!is_whole) {
        rcity_log(context, RCITY_LOG_DEBUG, "'%s' is damaged or foreign; the program is compiled again", path);
        goto done;
    }
    *bytes = file_bytes - HEADER_BYTES;
    memmove(file, file + HEADER_BYTES, *bytes);
    *data = file;
    file = NULL;
done:
    rcity_release(context, file);
    rcity_release(context, path);
    return status;
}

rcity_status rcity_program_cache_save(rcity_context *context, const char *key, const void *data, size_t bytes)
{
    char *path = NULL;
    char *file = NULL;
    rcity_status status;
    RCITY_TRY_DONE(make_path(context, key, &path));
    if (path == NULL) {
        goto done;
    }
    RCITY_TRY_DONE(rcity_alloc(context, HEADER_BYTES + bytes + 1, 1, "a compiled program", &file));
    make_header(key, data, bytes, file);
    memcpy(file + HEADER_BYTES, data, bytes);
    make_folders(path);
    status = rcity_file_save(context, path, file, HEADER_BYTES + bytes);
    if (status != RCITY_OK && status != RCITY_ERR_MEMORY) {
        rcity_log(context, RCITY_LOG_DEBUG, "a compiled program is not kept: %s", rcity_context_message(context));
        status = RCITY_OK;
    }
done:
    rcity_release(context, file);
    rcity_release(context, path);
    return status;
}
