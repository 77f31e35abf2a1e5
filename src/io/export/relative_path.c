/* Naming a file from the folder of another. Links are followed, since ".." after a link leads elsewhere. */
#include "io/export/relative_path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Append to a path, as far as there is room. */
static bool append(char path[RCITY_RELATIVE_PATH_BYTES], const char *text)
{
    size_t length = strlen(path);
    int added = snprintf(path + length, RCITY_RELATIVE_PATH_BYTES - length, "%s", text);
    return added >= 0 && (size_t)added < RCITY_RELATIVE_PATH_BYTES - length;
}

bool rcity_relative_path(const char *from, const char *target, char path[RCITY_RELATIVE_PATH_BYTES])
{
    char folder[PATH_MAX];
    char from_folder[PATH_MAX];
    char resolved[PATH_MAX];
    path[0] = '\0';
    if (target[0] == '/') {
        return append(path, target);
    }
    const char *slash = strrchr(from, '/');
    int length = slash != NULL ? (int)(slash - from) + 1 : 1;
    if ((size_t)length >= sizeof folder) {
        return false;
    }
    snprintf(folder, sizeof folder, "%.*s", length, slash != NULL ? from : ".");
    if (realpath(folder, from_folder) == NULL || realpath(target, resolved) == NULL) {
        return false;
    }
    size_t shared = 0; /* bytes of the folders that both share, without the slash behind them */
    for (size_t i = 0;; i++) {
        bool from_ends = from_folder[i] == '/' || from_folder[i] == '\0';
        if (from_ends && resolved[i] == '/') {
            shared = i;
        }
        if (from_folder[i] != resolved[i] || from_folder[i] == '\0') {
            break;
        }
    }
    bool fits = true;
    for (const char *up = from_folder + shared; *up != '\0'; up++) {
        fits = fits && (*up != '/' || up[1] == '\0' || append(path, "../"));
    }
    return fits && append(path, resolved + shared + 1);
}
