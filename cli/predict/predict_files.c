/* The maps, pictures and exchange files of `predict`. */
#include "predict_files.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit_status.h"
#include "map_files.h"
#include "outputs.h"
#include "predict_surfaces.h"
#include "session.h"

void predict_files_name_style(const char *map_path, char style[OUTPUT_PATH_BYTES])
{
    const char *slash = strrchr(map_path, '/');
    const char *dot = strrchr(slash != NULL ? slash : map_path, '.');
    int length = dot != NULL ? (int)(dot - map_path) : (int)strlen(map_path);
    snprintf(style, OUTPUT_PATH_BYTES, "%.*s.qml", length, map_path);
}

static bool has_made_folder; /* the folder for sectors was not there before */

/* The folder for sectors is made here, so that a wrong one is found before the work. */
static int check_folder(const predict_input *input)
{
    struct stat found;
    if (input->sector_folder == NULL || (stat(input->sector_folder, &found) == 0 && S_ISDIR(found.st_mode))) {
        return 0;
    }
    if (mkdir(input->sector_folder, 0777) != 0) {
        fprintf(stderr, "radiocity: cannot make the folder '%s': %s; choose another with --sector-maps\n",
                input->sector_folder, strerror(errno));
        return EXIT_FILE;
    }
    has_made_folder = true;
    return 0;
}

void predict_files_give_up(const predict_input *input)
{
    if (has_made_folder) {
        rmdir(input->sector_folder); /* only if it is empty */
    }
}

int predict_files_check(rcity_context *context, const predict_input *input)
{
    char style[OUTPUT_PATH_BYTES] = "";
    if (input->output_path != NULL && input->points_path == NULL) {
        predict_files_name_style(input->output_path, style);
    }
    const char *const paths[] = {input->output_path,  style[0] != '\0' ? style : NULL,
                                 input->geojson_path, input->sites_geojson_path,
                                 input->kmz_path,     input->delays.path};
    const char *const inputs[] = {input->scene_path, input->sites_path, input->points_path, input->coefficients.path,
                                  input->request.visibility};
    size_t path_count = sizeof paths / sizeof paths[0];
    for (size_t i = 0; i < path_count + (size_t)input->pictures.count; i++) {
        const char *path = i < path_count ? paths[i] : input->pictures.value[i - path_count];
        int result = output_check_all(context, "predict", path, sizeof inputs / sizeof inputs[0], inputs);
        if (result != 0) {
            return result;
        }
    }
    int result = predict_surfaces_check_files(context, input);
    if (result != 0) {
        return result;
    }
    if (input->output_crs != NULL) {
        double corner[2] = {9.0, 48.0};
        rcity_status status = rcity_crs_transform(context, RCITY_CRS_LONLAT, input->output_crs, 0, corner);
        if (status != RCITY_OK) {
            return session_fail(context, status);
        }
    }
    return check_folder(input);
}

/* A table of points has about 400 bytes a line. */
double predict_files_bytes(const predict_input *input, const rcity_estimate *estimate)
{
    int64_t cell_count = estimate->receiver_count;
    int band_count = 3 + (input->fade_db > 0.0 ? input->thresholds.count : 0) + predict_input_wants_sinr(input);
    bool has_tiff = input->sector_folder != NULL || (input->output_path != NULL && input->points_path == NULL);
    bool has_areas = input->geojson_path != NULL || input->kmz_path != NULL;
    double bytes = has_tiff ? rcity_geotiff_bytes(cell_count, band_count, input->output_crs != NULL) : 0.0;
    bytes += input->kmz_path != NULL ? rcity_kmz_bytes(cell_count) : 0.0;
    bytes += has_areas ? rcity_coverage_bytes(cell_count) : 0.0;
    bytes += input->points_path != NULL ? 400.0 * (double)cell_count : 0.0;
    return bytes + (input->pictures.count > 0 ? rcity_picture_bytes(input->picture_width_px) : 0.0);
}

static rcity_status note_file(output_set *set, const char *path)
{
    return output_set_add(set, path) ? RCITY_OK : RCITY_ERR_MEMORY;
}

/* The band of received power; the first where there is none. */
static int level_band_of(const rcity_map *map)
{
    int band_index = 0;
    return map_band_find("predict", map, "the map", NULL, &band_index) == 0 ? band_index : 0;
}

rcity_status predict_files_write_map(rcity_context *context, const rcity_map *map, int band_index,
                                     const predict_input *input, const char *path, output_set *set)
{
    char style[OUTPUT_PATH_BYTES];
    predict_files_name_style(path, style);
    rcity_geotiff_options options = rcity_geotiff_options_default();
    options.crs = input->output_crs;
    rcity_status status = note_file(set, path);
    if (status == RCITY_OK) {
        status = rcity_map_save_geotiff(context, map, &options, path);
    }
    if (status == RCITY_OK) {
        status = note_file(set, style);
    }
    if (status == RCITY_OK) {
        status = rcity_map_save_style(context, map, band_index, (double)NAN, (double)NAN, style);
    }
    return status;
}

/* One mark a mast: sectors of one place are drawn once, under the site's name. */
typedef struct picture_marks {
    int count;
    rcity_transmitter *transmitters;
    char (*names)[64];
} picture_marks;

static bool make_marks(const predict_world *world, picture_marks *marks)
{
    size_t room = (size_t)world->transmitter_count;
    marks->count = 0;
    marks->transmitters = calloc(room, sizeof *marks->transmitters);
    marks->names = calloc(room, sizeof *marks->names);
    for (int i = 0; marks->transmitters != NULL && marks->names != NULL && i < world->transmitter_count; i++) {
        const rcity_transmitter *sector = &world->transmitters[i];
        int same = 0;
        while (same < marks->count &&
               (marks->transmitters[same].x_m != sector->x_m || marks->transmitters[same].y_m != sector->y_m)) {
            same++;
        }
        if (same < marks->count) {
            marks->names[same][strcspn(marks->names[same], "/")] = '\0';
            continue;
        }
        snprintf(marks->names[same], sizeof marks->names[same], "%s", sector->name != NULL ? sector->name : "Tx");
        marks->transmitters[same] = *sector;
        marks->transmitters[same].name = marks->names[same];
        marks->count++;
    }
    return marks->transmitters != NULL && marks->names != NULL;
}

static void release_marks(picture_marks *marks)
{
    free(marks->names);
    free(marks->transmitters);
}

static rcity_status write_picture(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                  int band_index, const char *path, const predict_input *input,
                                  const predict_world *world, output_set *set)
{
    rcity_picture_options options = rcity_picture_options_default();
    options.width_px = input->picture_width_px;
    options.band_index = band_index;
    picture_marks marks;
    rcity_status status = make_marks(world, &marks) ? note_file(set, path) : RCITY_ERR_MEMORY;
    options.transmitter_count = marks.count;
    options.transmitters = marks.transmitters;
    if (status == RCITY_OK) {
        status = rcity_picture_save(context, scene, map, &options, path);
    }
    release_marks(&marks);
    return status;
}

rcity_status predict_files_write(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                 const int *band_indices, const predict_input *input, const predict_world *world,
                                 output_set *set)
{
    rcity_status status = RCITY_OK;
    int band_index = band_indices[0];
    int level_band = level_band_of(map);
    if (input->output_path != NULL) {
        status = predict_files_write_map(context, map, band_index, input, input->output_path, set);
    }
    for (int i = 0; status == RCITY_OK && i < input->pictures.count; i++) {
        status = write_picture(context, scene, map, band_indices[i], input->pictures.value[i], input, world, set);
    }
    if (status == RCITY_OK && input->geojson_path != NULL) {
        status = note_file(set, input->geojson_path);
        if (status == RCITY_OK) {
            status = rcity_map_save_coverage(context, map, level_band, input->thresholds.count, input->thresholds.value,
                                             input->geojson_path);
        }
    }
    if (status == RCITY_OK && input->sites_geojson_path != NULL) {
        status = note_file(set, input->sites_geojson_path);
        if (status == RCITY_OK) {
            status = rcity_transmitters_save(context, rcity_map_crs(map), world->transmitter_count, world->transmitters,
                                             input->sites_geojson_path);
        }
    }
    if (status == RCITY_OK && input->kmz_path != NULL) {
        status = note_file(set, input->kmz_path);
        if (status == RCITY_OK) {
            status = rcity_map_save_kmz(context, map, input->thresholds.count > 0 ? level_band : band_index,
                                        input->thresholds.count, input->thresholds.value, world->transmitter_count,
                                        world->transmitters, input->kmz_path);
        }
    }
    return status;
}

/* A sector's name as part of a file name. */
static void name_sector(const rcity_transmitter *transmitter, char *name, size_t room)
{
    snprintf(name, room, "%s", transmitter->name != NULL ? transmitter->name : "sector");
    for (char *letter = name; *letter != '\0'; letter++) {
        bool is_plain = isalnum((unsigned char)*letter) || *letter == '-' || *letter == '.' || *letter == '_' ||
                        (unsigned char)*letter >= 0x80;
        *letter = is_plain && !(letter == name && *letter == '.') ? *letter : '_';
    }
}

void predict_files_sector_path(const predict_input *input, const predict_world *world, int sector_index,
                               char path[OUTPUT_PATH_BYTES])
{
    char name[200];
    name_sector(&world->transmitters[sector_index], name, sizeof name);
    snprintf(path, OUTPUT_PATH_BYTES, "%s/%s.tif", input->sector_folder, name);
}

/* Do two paths lead to one file, whether it is there or not? */
static bool is_same_place(const char *a, const char *b)
{
    const char *const paths[2] = {a, b};
    const char *names[2];
    struct stat folders[2];
    for (int i = 0; i < 2; i++) {
        char folder[OUTPUT_PATH_BYTES];
        const char *slash = strrchr(paths[i], '/');
        names[i] = slash != NULL ? slash + 1 : paths[i];
        snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - paths[i]) + 1 : 1,
                 slash != NULL ? paths[i] : ".");
        if (stat(folder, &folders[i]) != 0) {
            return false;
        }
    }
    return strcmp(names[0], names[1]) == 0 && folders[0].st_dev == folders[1].st_dev &&
           folders[0].st_ino == folders[1].st_ino;
}

/* "A/1" and "A_1" would be one file, and so may be a sector's and the network's. */
static int check_sector_paths(const predict_input *input, const predict_world *world)
{
    char path[OUTPUT_PATH_BYTES];
    char other[OUTPUT_PATH_BYTES];
    for (int i = 0; i < world->transmitter_count; i++) {
        predict_files_sector_path(input, world, i, path);
        int result = output_check_new(path);
        if (result != 0) {
            return result;
        }
        if (input->output_path != NULL && is_same_place(path, input->output_path)) {
            return usage_error("predict", "the map of sector '%s' would be -o '%s'; choose another name or folder",
                               world->transmitters[i].name, input->output_path);
        }
        for (int k = 0; k < i; k++) {
            predict_files_sector_path(input, world, k, other);
            if (strcmp(path, other) == 0) {
                return usage_error("predict", "the maps of sectors '%s' and '%s' would be one file, '%s'; rename one",
                                   world->transmitters[k].name, world->transmitters[i].name, path);
            }
        }
    }
    return 0;
}

int predict_files_check_world(const predict_input *input, const predict_world *world, const rcity_scene *scene)
{
    rcity_scene_info info;
    if (rcity_scene_describe(scene, &info) != RCITY_OK) {
        return EXIT_UNEXPECTED;
    }
    bool has_crs = strcmp(info.crs, "none") != 0;
    if (!has_crs && (input->kmz_path != NULL || input->output_crs != NULL)) {
        return usage_error("predict", "%s needs a place on Earth, and the scene has no CRS; import it with --crs",
                           input->kmz_path != NULL ? "--kmz" : "--out-crs");
    }
    return input->sector_folder != NULL ? check_sector_paths(input, world) : 0;
}

rcity_status predict_files_write_sector(rcity_context *context, const rcity_map *map, const predict_input *input,
                                        const predict_world *world, int sector_index, output_set *set)
{
    char path[OUTPUT_PATH_BYTES];
    predict_files_sector_path(input, world, sector_index, path);
    return predict_files_write_map(context, map, level_band_of(map), input, path, set);
}
