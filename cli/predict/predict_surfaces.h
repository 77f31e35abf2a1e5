/* What `predict` does on surfaces: options, files, report. */
#ifndef CLI_PREDICT_SURFACES_H
#define CLI_PREDICT_SURFACES_H

#include "output_set.h"
#include "predict_input.h"

/* The options of surfaces, as rows of a table; `into` is a predict_surfaces_input. */
#define PREDICT_SURFACES_OPTIONS(into)                                                                                 \
    {"--surfaces", OPTION_TEXTS, &(into)->paths, "FILE",                                                               \
     "tiles of all walls, roofs and the ground instead of a map: .h5, .glb, .ply, .csv, .png; may come again"},        \
        {"--surface-band", OPTION_TEXT, &(into)->band, "NAME",                                                         \
         "band that colours .glb, .ply and .png; received_power, else path_loss"},                                     \
        {"--surface-range", OPTION_NUMBERS, &(into)->range, "LOW,HIGH",                                                \
         "values at the ends of these colours; chosen from the values unless given"},                                  \
        {"--surface-view", OPTION_NUMBERS, &(into)->view, "AZIMUTH,ELEVATION",                                         \
         "degrees clockwise from north and above the horizon from which .png is seen; 225,40"},                        \
        {"--facade", OPTION_NUMBERS, &(into)->facade, "X,Y", "take one column of the wall nearest to this place"},     \
        {"--facade-csv", OPTION_TEXT, &(into)->facade_path, "FILE", "its tiles, from the lowest to the highest"},      \
        {"--facade-distance-m", OPTION_NUMBER, &(into)->facade_distance_m, "METRES",                                   \
         "how far away this wall may be in plan; 50"},                                                                 \
    {                                                                                                                  \
        "--street-map", OPTION_TEXT, &(into)->street_path, "FILE", "the tiles of the ground as a map (.tif)"           \
    }

void predict_surfaces_set_defaults(predict_surfaces_input *input);

/* Do the options of surfaces go together, and with the others? @return 0, or an exit status after a message. */
int predict_surfaces_check(const predict_input *input);

/* Can the files be written? @return 0, or an exit status after a message. */
int predict_surfaces_check_files(rcity_context *context, const predict_input *input);

/* Most memory the files take while they are made, beside the surfaces; 0 where there are none. */
double predict_surfaces_bytes(const predict_input *input, const rcity_scene *scene, const rcity_estimate *estimate);

/* Write all files. */
rcity_status predict_surfaces_write(rcity_context *context, const rcity_surfaces *surfaces, const predict_input *input,
                                    output_set *set);

/* The figures of all bands, worked out before the files are written, so that what can fail has failed by then. Release
   with free() in any case. */
rcity_status predict_surfaces_summarize(rcity_context *context, const rcity_surfaces *surfaces,
                                        rcity_band_summary **summaries);

/* Print what was predicted. `device` is where it was made. */
void predict_surfaces_report(const rcity_surfaces *surfaces, const rcity_band_summary *summaries,
                             const predict_input *input, const rcity_device *device);

#endif
