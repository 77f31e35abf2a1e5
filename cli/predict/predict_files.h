/* The files `predict` writes. */
#ifndef CLI_PREDICT_FILES_H
#define CLI_PREDICT_FILES_H

#include "output_set.h"
#include "predict_input.h"

/* Can all that are named on the command line be written? @return 0, or an exit status after a message. */
int predict_files_check(rcity_context *context, const predict_input *input);

/* Most memory the files take while they are made, beside the map. */
double predict_files_bytes(const predict_input *input, const rcity_estimate *estimate);

/* Will the files be what the scene and its transmitters allow? Asked before the work: formats that need a CRS, sectors
   whose maps would be one file. @return 0, or an exit status after a message. */
int predict_files_check_world(const predict_input *input, const predict_world *world, const rcity_scene *scene);

/* Take back what predict_files_check() made, when nothing was written. */
void predict_files_give_up(const predict_input *input);

/* The map, its style, the picture, areas, transmitters and globe file, as far as asked for. `band_indices` are the
   bands of the pictures, at least one; the style and the globe file have the first. */
rcity_status predict_files_write(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                 const int *band_indices, const predict_input *input, const predict_world *world,
                                 output_set *set);

/* One map as a GeoTIFF in the CRS that was asked for, with its style for a band. */
rcity_status predict_files_write_map(rcity_context *context, const rcity_map *map, int band_index,
                                     const predict_input *input, const char *path, output_set *set);

/* "map.tif" has its style in "map.qml". */
void predict_files_name_style(const char *map_path, char style[OUTPUT_PATH_BYTES]);

/* The map of one sector, into the folder for them. */
rcity_status predict_files_write_sector(rcity_context *context, const rcity_map *map, const predict_input *input,
                                        const predict_world *world, int sector_index, output_set *set);

/* A table of points, as CSV or as a vector by its ending: for each the strongest transmitter, and all of them when there are several. `loss_db` and
   `received_dbm` hold the points of the first transmitter, then those of the next. */
rcity_status predict_files_write_points(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                        const predict_input *input, const predict_world *world, const float *loss_db,
                                        const float *received_dbm, output_set *set);

/* "sites/A_1.tif" from a folder and a sector: letters that no file system likes become '_'. */
void predict_files_sector_path(const predict_input *input, const predict_world *world, int sector_index,
                               char path[OUTPUT_PATH_BYTES]);

#endif
