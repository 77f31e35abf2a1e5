#define _DEFAULT_SOURCE /* flock() */
#include "base/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context_data.h"

void rcity_leftovers_lock(int descriptor)
{
    (void)flock(descriptor, LOCK_EX | LOCK_NB); /* a file system without locks has the process number alone */
}

/* The process number of a hidden name of ours, ".NAME<mark>PID-N"; 0 for any other name. */
static long process_of(const char *name)
{
    const char *mark = name[0] == '.' ? strstr(name, ".radiocity-") : NULL;
    if (mark == NULL || (strncmp(mark, RCITY_PART_MARK, strlen(RCITY_PART_MARK)) != 0 &&
                         strncmp(mark, RCITY_KEPT_MARK, strlen(RCITY_KEPT_MARK)) != 0)) {
        return 0;
    }
    char *end;
    long number = strtol(mark + strlen(RCITY_PART_MARK), &end, 10);
    bool is_ours = *end == '-' && end[1] != '\0' && strspn(end + 1, "0123456789") == strlen(end + 1);
    return is_ours && number > 0 && number <= INT_MAX ? number : 0;
}

/* Is its process gone, and does nobody elsewhere hold the file? */
static bool is_left(int folder, const char *name, long process)
{
    if (process == (long)getpid() || kill((pid_t)process, 0) == 0 || errno != ESRCH) {
        return false;
    }
    int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor < 0) {
        return false;
    }
    bool is_free = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    close(descriptor);
    return is_free;
}

void rcity_leftovers_remove(rcity_context *account, const char *path, size_t folder_length)
{
    char folder[PATH_MAX];
    struct stat found;
    snprintf(folder, sizeof folder, "%.*s", folder_length > 0 ? (int)folder_length : 1, folder_length > 0 ? path : ".");
    if (folder_length >= sizeof folder || stat(folder, &found) != 0 ||
        ((uint64_t)found.st_ino == account->cleaned_inode && (uint64_t)found.st_dev == account->cleaned_device)) {
        return;
    }
    DIR *opened = opendir(folder);
    if (opened == NULL) {
        return;
    }
    for (const struct dirent *entry = readdir(opened); entry != NULL; entry = readdir(opened)) {
        long process = process_of(entry->d_name);
        if (process > 0 && is_left(dirfd(opened), entry->d_name, process)) {
            (void)unlinkat(dirfd(opened), entry->d_name, 0);
        }
    }
    closedir(opened);
    account->cleaned_inode = (uint64_t)found.st_ino;
    account->cleaned_device = (uint64_t)found.st_dev;
}
