#include "bench/terrain_yardstick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 3000
#define LONG       "--" /* of an option of another program: messages here have none */

/* Heights as single precision, row by row from the north, with a header that GDAL reads. */
static bool write_grid(const rcity_terrain_grid *terrain, int cell_m, const char *folder)
{
    char path[TEXT_BYTES];
    int32_t side = terrain->column_count;
    (void)snprintf(path, sizeof path, "%s/grid.hdr", folder);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    bool is_written = fprintf(file,
                              "NROWS %d\nNCOLS %d\nNBANDS 1\nNBITS 32\nPIXELTYPE FLOAT\nBYTEORDER I\nLAYOUT BIL\n"
                              "ULXMAP 0\nULYMAP %d\nXDIM %d\nYDIM %d\n",
                              side, side, (side - 1) * cell_m, cell_m, cell_m) > 0;
    is_written = fclose(file) == 0 && is_written;
    (void)snprintf(path, sizeof path, "%s/grid.bil", folder);
    file = fopen(path, "wb");
    if (file == NULL) {
        return false;
    }
    for (int32_t row = side - 1; row >= 0 && is_written; row--) {
        for (int32_t column = 0; column < side; column++) {
            float height_m = (float)terrain->height[(int64_t)row * side + column] / RCITY_HEIGHT_UNITS_PER_M;
            is_written = fwrite(&height_m, sizeof height_m, 1, file) == 1 && is_written;
        }
    }
    return fclose(file) == 0 && is_written;
}

/* The commands: the answers become bytes in `out.bin` from the north, and when the program began and ended goes to
   `pair`. A node's place is the centre of a pixel. */
static void write_command(const rcity_terrain_grid *terrain, int cell_m, double source_m, double target_m, bool is_gdal,
                          const char *folder, char *command, size_t bytes)
{
    int32_t side = terrain->column_count;
    int middle = side / 2 * cell_m;
    double half = 0.5 * cell_m;
    double far = (double)(side - 1) * cell_m + half;
    if (is_gdal) {
        (void)snprintf(command, bytes,
                       "cd '%s' && a=$(date +%%s.%%N) && gdal_viewshed -q -md 0 -cc 0 -vv 1 -iv 0 -ov 0 -oz %g -tz %g "
                       "-ox %d -oy %d -of EHdr grid.bil out.bil >log 2>&1 && b=$(date +%%s.%%N) && mv out.bil out.bin "
                       "&& echo \"$a $b\" >pair",
                       folder, source_m, target_m, middle, middle);
        return;
    }
    (void)snprintf(
        command, bytes,
        "cd '%s' && cat >run.sh <<'EOS'\nset -e\nr.in.bin -f input=grid.bil output=dem bytes=4 north=%.1f "
        "south=-%.1f east=%.1f west=-%.1f rows=%d cols=%d\ng.region raster=dem\na=$(date +%%s.%%N)\nr.viewshed -b "
        "input=dem output=seen coordinates=%d,%d observer_elevation=%g target_elevation=%g memory=4000\n"
        "b=$(date +%%s.%%N)\necho \"$a $b\" >pair\nr.out.bin -i input=seen output=out.bin bytes=1 "
        "null=0\n"
        "EOS\ngrass " LONG "tmp-location XY " LONG "exec sh run.sh >log 2>&1",
        folder, far, half, far, half, side, side, middle, middle, source_m, target_m);
}

/* The seconds that the commands noted; 0 if there are none. */
static double read_seconds(const char *folder)
{
    char path[TEXT_BYTES];
    double begin = 0.0;
    double end = 0.0;
    (void)snprintf(path, sizeof path, "%s/pair", folder);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0.0;
    }
    bool is_read = fscanf(file, "%lf %lf", &begin, &end) == 2;
    (void)fclose(file);
    return is_read && end > begin ? end - begin : 0.0;
}

/* Compare the answers. @return false if there are none. */
static bool compare(const char *folder, int32_t side, const uint8_t *seen, rcity_terrain_yardstick *yardstick)
{
    char path[TEXT_BYTES];
    (void)snprintf(path, sizeof path, "%s/out.bin", folder);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    int64_t more = 0;
    int64_t less = 0;
    bool is_read = true;
    for (int32_t row = side - 1; row >= 0 && is_read; row--) {
        for (int32_t column = 0; column < side && is_read; column++) {
            int other = fgetc(file);
            is_read = other != EOF;
            int here = seen[(int64_t)row * side + column] == 1;
            more += (other != 0) && !here;
            less += (other == 0) && here;
        }
    }
    (void)fclose(file);
    double count = (double)side * side;
    yardstick->more = (double)more / count;
    yardstick->less = (double)less / count;
    yardstick->agreement = 1.0 - yardstick->more - yardstick->less;
    return is_read;
}

rcity_status rcity_terrain_yardstick_run(rcity_context *context, const rcity_terrain_grid *terrain, int cell_m,
                                         double source_m, double target_m, bool is_gdal, const uint8_t *seen,
                                         rcity_terrain_yardstick *yardstick)
{
    memset(yardstick, 0, sizeof *yardstick);
    yardstick->name = is_gdal ? "gdal_viewshed" : "r.viewshed";
    if (system(is_gdal ? "command -v gdal_viewshed >/dev/null 2>&1" : "command -v grass >/dev/null 2>&1") != 0) {
        rcity_log(context, RCITY_LOG_INFO, "%s is not installed: there is no yardstick", yardstick->name);
        return RCITY_OK;
    }
    const char *temporary = getenv("TMPDIR");
    char folder[TEXT_BYTES / 4];
    char command[TEXT_BYTES];
    (void)snprintf(folder, sizeof folder, "%s/radiocity-bench-XXXXXX", temporary != NULL ? temporary : "/tmp");
    RCITY_CHECK(context, mkdtemp(folder) != NULL, RCITY_ERR_FILE, "cannot make the folder '%s'", folder);
    if (write_grid(terrain, cell_m, folder)) {
        write_command(terrain, cell_m, source_m, target_m, is_gdal, folder, command, sizeof command);
        bool is_run = system(command) == 0;
        double seconds = read_seconds(folder);
        if (is_run && compare(folder, terrain->column_count, seen, yardstick)) {
            yardstick->seconds = seconds;
        } else {
            rcity_log(context, RCITY_LOG_WARNING, "%s failed: there is no yardstick", yardstick->name);
        }
    }
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    RCITY_CHECK(context, system(command) == 0, RCITY_ERR_FILE, "cannot remove the folder '%s'", folder);
    return RCITY_OK;
}
