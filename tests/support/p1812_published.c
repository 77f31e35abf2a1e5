#include "p1812_published.h"

#include "rcity_test.h"

#include <dirent.h>

#define RESULTS_START  "validation_results__"
#define LINE_MAX_BYTES 1024

static FILE *open_published(const char *kind, const char *name, int name_length)
{
    char file[256];
    snprintf(file, sizeof file, "p1812/validation_%s__%.*s.csv", kind, name_length, name);
    const char *path = test_data(file);
    FILE *opened = path != NULL ? fopen(path, "r") : NULL;
    if (opened == NULL) {
        print_error("%s is missing\n", file);
        fail();
    }
    return opened;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

int p1812_list(char names[P1812_CASE_MAX][96])
{
    const char *folder = test_data("p1812");
    DIR *opened = folder != NULL ? opendir(folder) : NULL;
    int count = 0;
    assert_non_null(opened);
    for (struct dirent *entry = readdir(opened); entry != NULL; entry = readdir(opened)) {
        const char *name = entry->d_name;
        size_t length = strlen(name);
        size_t start = strlen(RESULTS_START);
        if (strncmp(name, RESULTS_START, start) == 0 && length > start + 4 && length - start - 4 < 96) {
            assert_true(count < P1812_CASE_MAX);
            snprintf(names[count++], 96, "%.*s", (int)(length - start - 4), name + start);
        }
    }
    closedir(opened);
    qsort(names, (size_t)count, sizeof names[0], compare_names);
    return count;
}

/* Two layouts are about: with and without commas that fill up the lines; either has the columns we need first. */
static void read_profile(p1812_published *read)
{
    FILE *file = open_published("profiles", read->name, (int)(strrchr(read->name, '_') - read->name));
    char line[LINE_MAX_BYTES];
    bool is_inside = false;
    int announced = -1;
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, "{End of Profile", 15) != 0) {
        double km, height_m, cover_m;
        int cover, zone;
        is_inside = is_inside || strncmp(line, "{Begin of Profile", 17) == 0;
        if (is_inside && sscanf(line, "Number of Points:,%d", &announced) != 1 &&
            sscanf(line, "%lf,%lf,%d,%lf,%d", &km, &height_m, &cover, &cover_m, &zone) == 5) {
            assert_true(read->count < P1812_POINT_MAX);
            read->distance_m[read->count] = (float)(1000.0 * km);
            read->height_m[read->count] = (float)height_m;
            read->cover_m[read->count] = (float)cover_m;
            read->zone[read->count++] = zone;
        }
    }
    fclose(file);
    assert_int_equal(read->count, announced);
}

static void read_results(p1812_published *read)
{
    FILE *file = open_published("results", read->name, (int)strlen(read->name));
    char line[LINE_MAX_BYTES];
    while (fgets(line, sizeof line, file) != NULL) {
        p1812_value *value = &read->value[read->value_count];
        char *source = strchr(line, ',');
        char *number = source != NULL ? strstr(source + 1, ",,") : NULL;
        if (number == NULL || source == line || line[0] == '#') {
            continue;
        }
        assert_true(read->value_count < P1812_VALUE_MAX);
        snprintf(value->name, sizeof value->name, "%.*s", (int)(source - line), line);
        snprintf(value->source, sizeof value->source, "%.*s", (int)(number - source - 1), source + 1);
        for (size_t end = strlen(value->name); end > 0 && value->name[end - 1] == ' '; end--) {
            value->name[end - 1] = '\0';
        }
        number += strspn(number, ",");
        value->value = strtod(number, NULL);
        read->value_count++;
    }
    fclose(file);
    assert_true(read->value_count > 0);
}

void p1812_read(const char *name, p1812_published *read)
{
    memset(read, 0, sizeof *read);
    snprintf(read->name, sizeof read->name, "%s", name);
    read_profile(read);
    read_results(read);
}

double p1812_get(const p1812_published *read, const char *name, const char *source)
{
    for (int i = 0; i < read->value_count; i++) {
        const p1812_value *value = &read->value[i];
        if (strcmp(value->name, name) == 0 && (source == NULL || strcmp(value->source, source) == 0)) {
            return value->value;
        }
    }
    print_error("%s: no `%s` among the results\n", read->name, name);
    fail();
    return 0.0;
}

/* Half the way to a neighbour, in kilometres. */
static double half_way(const p1812_published *read, int i, int neighbour)
{
    bool is_inside = neighbour >= 0 && neighbour < read->count;
    return is_inside ? 0.0005 * fabs((double)read->distance_m[i] - (double)read->distance_m[neighbour]) : 0.0;
}

p1812_stretches p1812_stretches_of(const p1812_published *read)
{
    p1812_stretches found = {0.0, 0.0, 0.0};
    double sea_km = 0.0, land_km = 0.0, inland_km = 0.0;
    for (int i = 0; i < read->count; i++) {
        double around_km = half_way(read, i, i - 1) + half_way(read, i, i + 1);
        sea_km += read->zone[i] == 1 ? around_km : 0.0;
        land_km = read->zone[i] != 1 ? land_km + around_km : 0.0;
        inland_km = read->zone[i] == 4 ? inland_km + around_km : 0.0;
        found.land_km = fmax(found.land_km, land_km);
        found.inland_km = fmax(found.inland_km, inland_km);
    }
    found.sea_share = 1000.0 * sea_km / (double)read->distance_m[read->count - 1];
    return found;
}
