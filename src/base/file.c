/* Writing a file beside its final path and renaming it; reading whole files. */
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/leftovers.h"
#include "base/pending.h"

struct rcity_new_file {
    rcity_context *context;
    char *path;
    rcity_pending *pending; /* under which name it is written */
    int descriptor;
};

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Advice for a file that cannot be created. */
static const char *advice_for(int error)
{
    switch (error) {
    case ENOENT:
        return "its folder does not exist, make it first";
    case ENOTDIR:
        return "a part of the path is a file and not a folder";
    case ENAMETOOLONG:
        return "choose a shorter name";
    case ENOSPC:
    case EDQUOT:
        return "make room or choose another disk";
    default:
        return "choose a folder that is writable";
    }
}

/* A link is followed: its target is replaced and the link stays. */
static rcity_status resolve_link(rcity_context *context, const char *path, char resolved[PATH_MAX], const char **target)
{
    struct stat found;
    *target = path;
    if (lstat(path, &found) == 0 && S_ISLNK(found.st_mode)) {
        RCITY_CHECK(context, realpath(path, resolved) != NULL, RCITY_ERR_FILE,
                    "'%s' is a link that leads nowhere (%s); remove it or choose another output path", path,
                    strerror(errno));
        *target = resolved;
    }
    return RCITY_OK;
}

rcity_status rcity_new_file_open(rcity_context *context, const char *path, rcity_new_file **file)
{
    RCITY_CHECK(context, last_name(path)[0] != '\0', RCITY_ERR_FILE,
                "'%s' is not a file name; give a path that ends in one", path);
    char resolved[PATH_MAX];
    const char *target;
    RCITY_TRY(resolve_link(context, path, resolved, &target));
    struct stat found;
    bool exists = stat(target, &found) == 0;
    /* The hidden name is shorter than a long one: the rename would be the first to say so. */
    RCITY_CHECK(context, exists || errno != ENAMETOOLONG, RCITY_ERR_FILE, "cannot write '%s': %s; %s", path,
                strerror(ENAMETOOLONG), advice_for(ENAMETOOLONG));
    RCITY_CHECK(context, !exists || S_ISREG(found.st_mode), RCITY_ERR_FILE,
                "'%s' exists and is not a plain file; choose another output path", path);
    /* A rename needs no right to the old file: who took the right to write away wants to keep it. */
    RCITY_CHECK(context, !exists || ((found.st_mode & 0222) != 0 && access(target, W_OK) == 0), RCITY_ERR_FILE,
                "'%s' exists and is read-only; choose another output path, or make it writable (chmod u+w)", path);
    rcity_new_file *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "an output file", &made));
    made->context = context;
    made->descriptor = -1;
    RCITY_TRY_DONE(rcity_copy_text(context, target, &made->path));
    RCITY_TRY_DONE(rcity_pending_open(context, target, &made->pending));
    made->descriptor = open(rcity_pending_part_path(made->pending), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (made->descriptor < 0) {
        int error = errno;
        status =
            rcity_fail(context, RCITY_ERR_FILE, "cannot write '%s': %s; %s", path, strerror(error), advice_for(error));
        goto done;
    }
    rcity_leftovers_lock(made->descriptor);
    if (exists) {
        (void)fchmod(made->descriptor, found.st_mode & 0777); /* whoever may read the old file may read the new one */
    }
    *file = made;
    made = NULL;
    status = RCITY_OK;
done:
    rcity_new_file_discard(&made);
    return status;
}

rcity_status rcity_new_file_write(rcity_new_file *file, const void *data, size_t bytes)
{
    const char *next = data;
    while (bytes > 0) {
        ssize_t written = write(file->descriptor, next, bytes);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        RCITY_CHECK(file->context, written > 0, RCITY_ERR_FILE, "cannot write '%s': %s; nothing was left behind",
                    file->path, written < 0 ? strerror(errno) : "nothing was taken");
        next += written;
        bytes -= (size_t)written;
    }
    return RCITY_OK;
}

rcity_status rcity_new_file_commit(rcity_new_file **file)
{
    rcity_new_file *ended = *file;
    rcity_status status;
    if (fsync(ended->descriptor) != 0 && errno != EINVAL && errno != EROFS) {
        status = rcity_fail(ended->context, RCITY_ERR_FILE, "cannot flush '%s': %s; nothing was left behind",
                            ended->path, strerror(errno));
    } else {
        status = rcity_pending_place(ended->context, ended->pending, ended->descriptor);
        ended->pending = NULL;
        ended->descriptor = -1;
    }
    rcity_new_file_discard(file);
    return status;
}

void rcity_new_file_discard(rcity_new_file **file)
{
    rcity_new_file *ended = *file;
    if (ended == NULL) {
        return;
    }
    if (ended->descriptor >= 0) {
        close(ended->descriptor);
    }
    if (ended->pending != NULL) {
        rcity_pending_drop(ended->pending);
    }
    rcity_context *context = ended->context;
    rcity_release(context, ended->path);
    rcity_release(context, ended);
    *file = NULL;
}

rcity_status rcity_file_save(rcity_context *context, const char *path, const void *data, size_t bytes)
{
    rcity_new_file *file = NULL;
    RCITY_TRY(rcity_new_file_open(context, path, &file));
    assert(file != NULL);
    rcity_status status = rcity_new_file_write(file, data, bytes);
    if (status != RCITY_OK) {
        rcity_new_file_discard(&file);
        return status;
    }
    return rcity_new_file_commit(&file);
}

static rcity_status read_all(rcity_context *context, const char *path, int descriptor, char *data, size_t bytes)
{
    size_t filled = 0;
    while (filled < bytes) {
        ssize_t got = read(descriptor, data + filled, bytes - filled);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        RCITY_CHECK(context, got >= 0, RCITY_ERR_FILE, "cannot read '%s': %s", path, strerror(errno));
        RCITY_CHECK(context, got > 0, RCITY_ERR_FILE, "'%s' became shorter while it was read; try again", path);
        filled += (size_t)got;
    }
    return RCITY_OK;
}

rcity_status rcity_file_load(rcity_context *context, const char *path, char **data, size_t *bytes)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* do not hang on a pipe without a writer */
    RCITY_CHECK(context, descriptor >= 0, RCITY_ERR_FILE, "cannot read '%s': %s; check the path", path,
                strerror(errno));
    rcity_status status = RCITY_OK;
    char *made = NULL;
    struct stat found;
    if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) {
        status = rcity_fail(context, RCITY_ERR_FILE, "'%s' is not a plain file; give the path of one", path);
        goto done;
    }
    size_t size = (size_t)found.st_size;
    RCITY_TRY_DONE(rcity_alloc(context, size + 1, 1, path, &made));
    RCITY_TRY_DONE(read_all(context, path, descriptor, made, size));
    *data = made;
    *bytes = size;
    made = NULL;
done:
    rcity_release(context, made);
    close(descriptor);
    return status;
}
