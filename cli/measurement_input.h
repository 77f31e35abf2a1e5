/* Measurements on a command line: the files, how they are read, cleaned and averaged, and their transmitters. Shared by
   the commands that compare predictions with measurements. */
#ifndef CLI_MEASUREMENT_INPUT_H
#define CLI_MEASUREMENT_INPUT_H

#include "transmitter_input.h"

/* NAN and NULL: not given. */
typedef struct measurement_input {
    text_list paths;
    const char *value_column, *kind, *height_column, *time_column, *route_column, *where, *crs;
    number_list offset;
    double value_offset_db, rx_height_m, weakest, strongest;
    double average_wavelengths, average_m;
    bool keeps_outside;
    const char *sites_path, *sites_crs;
    double sites_height_m;
} measurement_input;

/* Rows of an option table for a measurement_input `m`. Those of the transmitter are separate. */
#define MEASUREMENT_FILES_OPTIONS(m)                                                                                   \
    {                                                                                                                  \
        "--measurements", OPTION_TEXTS, &(m)->paths, "FILE", "CSV, vector file, or lines of x y loss; may come again"  \
    }
#define MEASUREMENT_OPTIONS(m)                                                                                         \
    {"--value-column", OPTION_TEXT, &(m)->value_column, "NAME", "what was measured; the one whose name says so"},      \
        {"--kind", OPTION_TEXT, &(m)->kind, "WORD", "loss (dB) or power (dBm, RSRP too); as the column's name says"},  \
        {"--height-column", OPTION_TEXT, &(m)->height_column, "NAME",                                                  \
         "of the receiver; found by name; \"\" for none"},                                                             \
        {"--time-column", OPTION_TEXT, &(m)->time_column, "NAME", "found by name; \"\" for none"},                     \
        {"--route-column", OPTION_TEXT, &(m)->route_column, "NAME", "found by name; \"\" for none"},                   \
        {"--where", OPTION_TEXT, &(m)->where, "CONDITION", "only rows with COLUMN<VALUE (or <=, >, >=, =, !=)"},       \
        {"--measurements-crs", OPTION_TEXT, &(m)->crs, "CRS", "of x and y in FILE; the scene's"},                      \
        {"--measurements-offset-m", OPTION_NUMBERS, &(m)->offset, "X,Y", "metres added to x and y in FILE"},           \
        {"--value-offset-db", OPTION_NUMBER, &(m)->value_offset_db, "DB", "added to every value; 0"},                  \
        {"--rx-height", OPTION_NUMBER, &(m)->rx_height_m, "H", "receivers above ground, where FILE has none; 1.5"},    \
        {"--weakest", OPTION_NUMBER, &(m)->weakest, "VALUE", "leave out what is at this end of FILE's values"},        \
        {"--strongest", OPTION_NUMBER, &(m)->strongest, "VALUE", "the same at the other end"},                         \
        {"--keep-outside", OPTION_FLAG, &(m)->keeps_outside, NULL, "keep measurements outside the scene"},             \
        {"--average-wavelengths", OPTION_NUMBER, &(m)->average_wavelengths, "N",                                       \
         "average along the route over so many; 40, 0 for none"},                                                      \
        {"--average-m", OPTION_NUMBER, &(m)->average_m, "METRES", "the same in metres"},                               \
        {"--sites", OPTION_TEXT, &(m)->sites_path, "FILE", "transmitters that a column site or sector names"},         \
        {"--sites-height-m", OPTION_NUMBER, &(m)->sites_height_m, "H", "of transmitters in files without one"},        \
    {                                                                                                                  \
        "--sites-crs", OPTION_TEXT, &(m)->sites_crs, "CRS", "of x and y there, where it states none; the scene's"      \
    }

measurement_input measurement_input_default(void);

/* Do the options make sense, with those of the transmitter? @return 0, or EXIT_USAGE after a message. */
int measurement_input_check(const char *command, const measurement_input *input, const transmitter_input *tx);

/* The measurements in a scene. Initialise with zeros; release with measurement_world_deinit() in any case. */
typedef struct measurement_world {
    rcity_antenna *antenna;
    rcity_sites *sites;
    rcity_measurements *measurements; /* averaged; each has a transmitter with position and frequency */
    int64_t sample_count;             /* before averaging */
    double average_m;                 /* 0: not averaged */
} measurement_world;

/* Load all files, give them their transmitters (of the command line, else of the sites by name, else of the columns),
   average them, and print on stderr how the rows were used. @return 0, or an exit status after a message. */
int measurement_world_init(rcity_context *context, const rcity_scene *scene, const char *command,
                           const measurement_input *input, const transmitter_input *tx, measurement_world *world);
void measurement_world_deinit(measurement_world *world);

#endif
