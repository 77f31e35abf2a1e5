/* Feeds every file of a folder to a fuzzer's function once, without libFuzzer: what was found before stays mended.
     replay_seeds PARSER FOLDER */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PARSERS comes from CMake: PARSER(csv) PARSER(msi) ... */
#define PARSER(name) int fuzz_##name(const uint8_t *data, size_t size);
PARSERS
#undef PARSER

typedef struct parser_row {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
} parser_row;

#define PARSER(name) {#name, fuzz_##name},
static const parser_row parsers[] = {PARSERS};
#undef PARSER

#define PARSER_COUNT ((int)(sizeof parsers / sizeof parsers[0]))

/* A block of exactly that size, so that the address sanitizer sees a step over its end. */
static int replay_file(const parser_row *parser, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        return 1;
    }
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(size > 0 ? size : 1);
    size_t got = data != NULL ? fread(data, 1, size, file) : 0;
    fclose(file);
    printf("%s, %zu bytes\n", path, size);
    fflush(stdout); /* the last line names the input that broke something */
    int status = got == size ? parser->run(data, size) : 1;
    free(data);
    return status;
}

static int replay_folder(const parser_row *parser, const char *folder)
{
    DIR *directory = opendir(folder);
    int file_count = 0;
    int bad_count = 0;
    for (struct dirent *entry = directory != NULL ? readdir(directory) : NULL; entry != NULL;
         entry = readdir(directory)) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        bad_count += replay_file(parser, path) != 0;
        file_count++;
    }
    if (directory != NULL) {
        closedir(directory);
    }
    printf("%d seeds, %d failed\n", file_count, bad_count);
    return file_count > 0 && bad_count == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    for (int i = 0; argc == 3 && i < PARSER_COUNT; i++) {
        if (strcmp(argv[1], parsers[i].name) == 0) {
            return replay_folder(&parsers[i], argv[2]);
        }
    }
    fprintf(stderr, "usage: %s PARSER FOLDER\n", argv[0]);
    return 2;
}
