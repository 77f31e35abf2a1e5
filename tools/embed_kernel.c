/* Flattens an OpenCL C file with the kernel headers it includes into a C header that holds it as one text.

       embed_kernel SRC_ROOT FILE.cl SYMBOL OUTPUT

   A line #include "kernel/x.h" is replaced by SRC_ROOT/kernel/x.h, each file once: the include guards would drop a
   repeat anyway. Lines #include <...> stay; they are in branches that only the host's compiler takes. The result
   depends only on the content of the files, not on their location, so that programs cached by source hash stay
   valid. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_COUNT_MAX 256
#define PATH_BYTES     4096

typedef struct flattening {
    const char *root;
    char *seen[FILE_COUNT_MAX]; /* include names already inserted */
    int seen_count;
    char *text;
    size_t bytes, capacity;
} flattening;

static bool append(flattening *flat, const char *text, size_t bytes)
{
    if (flat->bytes + bytes > flat->capacity) {
        size_t capacity = 2 * (flat->bytes + bytes) + 4096;
        char *grown = realloc(flat->text, capacity);
        if (grown == NULL) {
            fprintf(stderr, "embed_kernel: out of memory at %zu bytes of flattened source\n", capacity);
            return false;
        }
        flat->text = grown;
        flat->capacity = capacity;
    }
    memcpy(flat->text + flat->bytes, text, bytes);
    flat->bytes += bytes;
    return true;
}

/* Read a whole file with a terminating 0; NULL after a message. `from` is the file that includes it. */
static char *load(const char *path, const char *from)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t bytes = 0;
    size_t got = 1;
    while (file != NULL && got > 0) {
        char *grown = realloc(text, bytes + 65536 + 1);
        if (grown == NULL) {
            break;
        }
        text = grown;
        got = fread(text + bytes, 1, 65536, file);
        bytes += got;
    }
    if (file == NULL || got > 0 || ferror(file)) {
        fprintf(stderr, "embed_kernel: %s: cannot read '%s': %s\n", from, path, strerror(errno));
        free(text);
        text = NULL;
    } else if (memchr(text, '\0', bytes) != NULL) {
        fprintf(stderr, "embed_kernel: '%s' holds a zero byte and is no source text\n", path);
        free(text);
        text = NULL;
    } else {
        text[bytes] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

/* The name between the quotes of an #include "..." line, and its length; NULL for every other line. */
static const char *quoted_include(const char *line, size_t *length)
{
    line += strspn(line, " \t");
    if (*line != '#') {
        return NULL;
    }
    line++;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0) {
        return NULL;
    }
    line += 7;
    line += strspn(line, " \t");
    if (*line != '"') {
        return NULL;
    }
    line++;
    *length = strcspn(line, "\"\n");
    return line[*length] == '"' ? line : NULL;
}

static bool is_seen(const flattening *flat, const char *name)
{
    for (int i = 0; i < flat->seen_count; i++) {
        if (strcmp(flat->seen[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool remember(flattening *flat, const char *name)
{
    if (flat->seen_count == FILE_COUNT_MAX) {
        fprintf(stderr, "embed_kernel: more than %d files at '%s'\n", FILE_COUNT_MAX, name);
        return false;
    }
    size_t bytes = strlen(name) + 1;
    char *copy = malloc(bytes);
    if (copy == NULL) {
        fprintf(stderr, "embed_kernel: out of memory\n");
        return false;
    }
    memcpy(copy, name, bytes);
    flat->seen[flat->seen_count++] = copy;
    return true;
}

/* Device compilers then name the original file and line. */
static bool append_line_mark(flattening *flat, int line, const char *name)
{
    char mark[PATH_BYTES + 32];
    int length = snprintf(mark, sizeof mark, "#line %d \"%s\"\n", line, name);
    return append(flat, mark, (size_t)length);
}

static bool flatten(flattening *flat, const char *path, const char *name, const char *from);

static bool flatten_include(flattening *flat, const char *name, size_t length, const char *from, int line)
{
    char include_name[PATH_BYTES];
    char path[PATH_BYTES];
    char place[PATH_BYTES];
    if (length >= sizeof include_name ||
        snprintf(path, sizeof path, "%s/%.*s", flat->root, (int)length, name) >= (int)sizeof path ||
        snprintf(place, sizeof place, "%s:%d", from, line) >= (int)sizeof place) {
        fprintf(stderr, "embed_kernel: %s:%d: the path is too long\n", from, line);
        return false;
    }
    memcpy(include_name, name, length);
    include_name[length] = '\0';
    if (is_seen(flat, include_name)) {
        return append(flat, "\n", 1);
    }
    return flatten(flat, path, include_name, place) && append_line_mark(flat, line + 1, from);
}

static bool flatten(flattening *flat, const char *path, const char *name, const char *from)
{
    char *text = load(path, from);
    bool is_fine = text != NULL && remember(flat, name) && append_line_mark(flat, 1, name);
    const char *next = text;
    for (int line = 1; is_fine && *next != '\0'; line++) {
        size_t bytes = strcspn(next, "\n");
        bool has_end = next[bytes] == '\n';
        size_t length = 0;
        const char *include_name = quoted_include(next, &length);
        if (include_name != NULL) {
            is_fine = flatten_include(flat, include_name, length, name, line);
        } else {
            is_fine = append(flat, next, bytes) && append(flat, "\n", 1);
        }
        next += bytes + (has_end ? 1 : 0);
    }
    free(text);
    return is_fine;
}

/* One character as a C constant. A list of constants, because C11 guarantees only 4095 characters in a string
   literal. */
static void print_constant(FILE *file, char c)
{
    unsigned char byte = (unsigned char)c;
    if (c == '\n') {
        fputs("'\\n'", file);
    } else if (c == '\'' || c == '\\') {
        fprintf(file, "'\\%c'", c);
    } else if (byte < 32 || byte > 126) {
        fprintf(file, "'\\%03o'", byte);
    } else {
        fprintf(file, "'%c'", c);
    }
}

static bool save(const flattening *flat, const char *name, const char *symbol, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        fprintf(stderr, "embed_kernel: cannot write '%s': %s\n", path, strerror(errno));
        return false;
    }
    fprintf(file, "/* Made from %s and the headers it includes; change those instead. */\n", name);
    fprintf(file, "static const char %s[] = {\n", symbol);
    int column = 0;
    for (size_t i = 0; i < flat->bytes; i++) {
        print_constant(file, flat->text[i]);
        column++;
        if (flat->text[i] == '\n' || column == 20) {
            fputs(",\n", file);
            column = 0;
        } else {
            fputs(", ", file);
        }
    }
    fputs("0};\n", file);
    bool is_whole = !ferror(file);
    if (fclose(file) != 0 || !is_whole) {
        fprintf(stderr, "embed_kernel: cannot write '%s': %s\n", path, strerror(errno));
        remove(path);
        return false;
    }
    return true;
}

/* Not every build tool makes the folder of an output. */
static void make_folder_of(const char *path)
{
    char folder[PATH_BYTES];
    const char *slash = strrchr(path, '/');
    if (slash != NULL && slash != path && (size_t)(slash - path) < sizeof folder) {
        memcpy(folder, path, (size_t)(slash - path));
        folder[slash - path] = '\0';
        (void)mkdir(folder, 0777); /* if it fails, opening the file reports it */
    }
}

static bool is_identifier(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return text[0] != '\0' && strchr(letters, text[0]) != NULL &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] == '\0';
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 5) {
        fprintf(stderr, "usage: embed_kernel SRC_ROOT FILE.cl SYMBOL OUTPUT\n");
        return 2;
    }
    const char *path = arguments[2];
    const char *symbol = arguments[3];
    if (!is_identifier(symbol)) {
        fprintf(stderr, "embed_kernel: '%s' is not a C identifier\n", symbol);
        return 2;
    }
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    flattening flat = {.root = arguments[1]};
    make_folder_of(arguments[4]);
    bool is_fine = flatten(&flat, path, name, "the command line") && save(&flat, name, symbol, arguments[4]);
    for (int i = 0; i < flat.seen_count; i++) {
        free(flat.seen[i]);
    }
    free(flat.text);
    return is_fine ? 0 : 1;
}
