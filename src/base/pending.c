/* Files under hidden names, ".NAME.radiocity-part-PID-N" in the folder of NAME, until they are put in place: each by
   itself, or all that a context holds back in one short step. */
#include "base/pending.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context_data.h"
#include "base/leftovers.h"

/* Of a long name only the beginning goes into the hidden one, which has to fit a file system too. */
#define NAME_PART_BYTES 180
#define SUFFIX_BYTES    64

/* Files held back that stay open, and so locked. A process has some 1,000 descriptors. */
#define OPEN_MAX_COUNT 200

typedef enum pending_state {
    PENDING_FREE, /* in no use; its memory is for the next file */
    PENDING_WRITING,
    PENDING_HELD,
} pending_state;

struct rcity_pending {
    rcity_pending *next;
    atomic_int state;
    int descriptor; /* of a file held back, -1 for none */
    size_t room;    /* bytes of each of the three paths */
    char *path, *part_path, *kept_path;
    bool is_kept, had_old, is_placed; /* during a commit */
};

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* A free entry with enough room, or a new one. It is outside of the account: it stays when the file is gone. */
static rcity_pending *find_entry(rcity_context *account, size_t room)
{
    for (rcity_pending *entry = atomic_load(&account->pending); entry != NULL; entry = entry->next) {
        int expected = PENDING_FREE;
        if (entry->room >= room && atomic_compare_exchange_strong(&entry->state, &expected, -1)) {
            return entry;
        }
    }
    rcity_pending *made = account->allocator.allocate(account->allocator.user, sizeof *made + 3 * room);
    if (made == NULL) {
        return NULL;
    }
    memset(made, 0, sizeof *made);
    made->room = room;
    made->path = (char *)(made + 1);
    made->part_path = made->path + room;
    made->kept_path = made->part_path + room;
    atomic_init(&made->state, -1);
    made->next = atomic_load(&account->pending);
    while (!atomic_compare_exchange_weak(&account->pending, &made->next, made)) {
    }
    return made;
}

rcity_status rcity_pending_open(rcity_context *context, const char *path, rcity_pending **pending)
{
    rcity_context *account = context->account;
    size_t room = strlen(path) + SUFFIX_BYTES;
    rcity_pending *entry = find_entry(account, room);
    RCITY_CHECK(context, entry != NULL, RCITY_ERR_MEMORY, "the machine has no memory left for the path of '%s'", path);
    int folder = (int)folder_length(path);
    int serial = atomic_fetch_add(&account->pending_serial, 1);
    rcity_leftovers_remove(account, path, (size_t)folder);
    snprintf(entry->path, entry->room, "%s", path);
    snprintf(entry->part_path, entry->room, "%.*s.%.*s" RCITY_PART_MARK "%ld-%d", folder, path, NAME_PART_BYTES,
             path + folder, (long)getpid(), serial);
    snprintf(entry->kept_path, entry->room, "%.*s.%.*s" RCITY_KEPT_MARK "%ld-%d", folder, path, NAME_PART_BYTES,
             path + folder, (long)getpid(), serial);
    atomic_store(&entry->state, PENDING_WRITING);
    *pending = entry;
    return RCITY_OK;
}

const char *rcity_pending_part_path(const rcity_pending *pending)
{
    return pending->part_path;
}

void rcity_pending_drop(rcity_pending *pending)
{
    unlink(pending->part_path);
    atomic_store(&pending->state, PENDING_FREE);
}

/* Close a file that was written: some file systems say only then that it does not fit. */
static rcity_status close_written(rcity_context *context, const rcity_pending *pending, int descriptor)
{
    RCITY_CHECK(context, close(descriptor) == 0, RCITY_ERR_FILE, "cannot close '%s': %s; nothing was left behind",
                pending->path, strerror(errno));
    return RCITY_OK;
}

rcity_status rcity_pending_place(rcity_context *context, rcity_pending *pending, int descriptor)
{
    rcity_context *account = context->account;
    bool is_held = atomic_load(&account->holds_outputs);
    if (is_held && atomic_fetch_add(&account->pending_open, 1) < OPEN_MAX_COUNT) {
        pending->descriptor = descriptor;
        atomic_store(&pending->state, PENDING_HELD);
        return RCITY_OK;
    }
    rcity_status status = close_written(context, pending, descriptor);
    if (status == RCITY_OK && is_held) {
        pending->descriptor = -1;
        atomic_store(&pending->state, PENDING_HELD);
        return RCITY_OK;
    }
    if (status == RCITY_OK && rename(pending->part_path, pending->path) != 0) {
        status = rcity_fail(context, RCITY_ERR_FILE, "cannot rename '%s': %s; nothing was left behind", pending->path,
                            strerror(errno));
    }
    rcity_pending_drop(pending); /* after the rename there is nothing to remove */
    return status;
}

void rcity_outputs_hold(rcity_context *context)
{
    if (context != NULL) {
        atomic_store(&context->account->holds_outputs, true);
    }
}

bool rcity_outputs_are_held(const rcity_context *context)
{
    return atomic_load(&context->account->holds_outputs);
}

/* Give every old file a second name, by which it can be restored. A file system without hard links has none. */
static void keep_old_files(rcity_context *account)
{
    for (rcity_pending *entry = atomic_load(&account->pending); entry != NULL; entry = entry->next) {
        if (atomic_load(&entry->state) == PENDING_HELD) {
            struct stat found;
            unlink(entry->kept_path);
            entry->had_old = stat(entry->path, &found) == 0;
            entry->is_kept = entry->had_old && link(entry->path, entry->kept_path) == 0;
            entry->is_placed = false;
        }
    }
}

/* Rename all. @return the entry that failed, or NULL. */
static const rcity_pending *place_all(rcity_context *account)
{
    for (rcity_pending *entry = atomic_load(&account->pending); entry != NULL; entry = entry->next) {
        if (atomic_load(&entry->state) == PENDING_HELD) {
            if (rename(entry->part_path, entry->path) != 0) {
                return entry;
            }
            entry->is_placed = true;
        }
    }
    return NULL;
}

/* Restore the old files of a commit that failed. */
static void restore_all(rcity_context *account)
{
    for (rcity_pending *entry = atomic_load(&account->pending); entry != NULL; entry = entry->next) {
        if (atomic_load(&entry->state) == PENDING_HELD && entry->is_placed) {
            if (entry->is_kept) {
                (void)!rename(entry->kept_path, entry->path);
            } else if (!entry->had_old) {
                unlink(entry->path);
            }
        }
    }
}

static void drop_held(rcity_context *account, bool has_kept)
{
    for (rcity_pending *entry = atomic_load(&account->pending); entry != NULL; entry = entry->next) {
        if (atomic_load(&entry->state) == PENDING_HELD) {
            unlink(entry->part_path); /* after the rename this does nothing */
            if (has_kept) {
                unlink(entry->kept_path);
            }
            if (entry->descriptor >= 0) {
                close(entry->descriptor);
            }
            atomic_store(&entry->state, PENDING_FREE);
        }
    }
    atomic_store(&account->pending_open, 0);
}

void rcity_pending_release(rcity_context *context)
{
    drop_held(context, false);
    rcity_pending *entry = atomic_load(&context->pending);
    while (entry != NULL) {
        rcity_pending *next = entry->next;
        if (atomic_load(&entry->state) != PENDING_FREE) {
            unlink(entry->part_path);
        }
        context->allocator.release(context->allocator.user, entry);
        entry = next;
    }
    atomic_store(&context->pending, NULL);
}

rcity_status rcity_outputs_commit(rcity_context *context)
{
    RCITY_NEED(context, context);
    rcity_context *account = context->account;
    atomic_store(&account->is_committing, true);
    keep_old_files(account);
    const rcity_pending *failed = place_all(account);
    rcity_status status = RCITY_OK;
    if (failed != NULL) {
        int error = errno;
        restore_all(account);
        status = rcity_fail(context, RCITY_ERR_FILE, "cannot rename '%s': %s; nothing was left behind", failed->path,
                            strerror(error));
    }
    drop_held(account, true);
    atomic_store(&account->holds_outputs, false);
    atomic_store(&account->is_committing, false);
    return status;
}

void rcity_outputs_discard(rcity_context *context)
{
    if (context != NULL) {
        drop_held(context->account, false);
        atomic_store(&context->account->holds_outputs, false);
    }
}

bool rcity_outputs_abandon(rcity_context *context)
{
    if (context == NULL) {
        return true;
    }
    rcity_context *account = context->account;
    if (atomic_load(&account->is_committing)) {
        return false;
    }
    for (rcity_pending *entry = atomic_load(&account->pending); entry != NULL; entry = entry->next) {
        if (atomic_load(&entry->state) > PENDING_FREE) {
            unlink(entry->part_path);
        }
    }
    return true;
}
