/* The transmitter on a command line: position, frequency, power and antenna. Shared by the commands that have one. */
#ifndef CLI_TRANSMITTER_INPUT_H
#define CLI_TRANSMITTER_INPUT_H

#include "arguments.h"
#include "radiocity/radiocity.h"

/* NAN and NULL: not given. */
typedef struct transmitter_input {
    number_list place, lonlat;
    const char *name;
    bool is_absolute;
    double frequency_mhz;
    double eirp_dbm, erp_dbm, power_dbm, power_w, cable_loss_db;
    const char *antenna, *synthesis, *polarization;
    double azimuth_deg, mechanical_tilt_deg, electrical_tilt_deg;
} transmitter_input;

/* Rows of an option table for a transmitter_input `t`: its place, then the rest. */
#define TRANSMITTER_PLACE_OPTIONS(t)                                                                                   \
    {"--tx", OPTION_NUMBERS, &(t)->place, "X,Y,H", "transmitter: position, height above ground in metres"},            \
        {"--tx-lonlat", OPTION_NUMBERS, &(t)->lonlat, "LON,LAT,H", "the same by longitude and latitude in degrees"},   \
        {"--tx-name", OPTION_TEXT, &(t)->name, "NAME", "name shown in the picture"},                                   \
    {                                                                                                                  \
        "--tx-absolute", OPTION_FLAG, &(t)->is_absolute, NULL, "H counts from height 0 instead"                        \
    }
#define TRANSMITTER_FREQUENCY_OPTIONS(t)                                                                               \
    {"--frequency-mhz", OPTION_NUMBER, &(t)->frequency_mhz, "MHZ", "carrier frequency"},                               \
    {                                                                                                                  \
        "--eirp-dbm", OPTION_NUMBER, &(t)->eirp_dbm, "DBM", "radiated power against an isotropic antenna"              \
    }
#define TRANSMITTER_ANTENNA_OPTIONS(t)                                                                                 \
    {"--erp-dbm", OPTION_NUMBER, &(t)->erp_dbm, "DBM", "the same against a half-wave dipole (2.15 dB less)"},          \
        {"--power-dbm", OPTION_NUMBER, &(t)->power_dbm, "DBM", "power into the cable"},                                \
        {"--power-w", OPTION_NUMBER, &(t)->power_w, "W", "the same in watts"},                                         \
        {"--cable-loss-db", OPTION_NUMBER, &(t)->cable_loss_db, "DB", "with --power-dbm and --power-w; 0"},            \
        {"--antenna", OPTION_TEXT, &(t)->antenna, "NAME|FILE", "isotropic, dipole, 3gpp, or an MSI or CSV file"},      \
        {"--pattern-synthesis", OPTION_TEXT, &(t)->synthesis, "WORD",                                                  \
         "projection or sum: pattern from two cuts; projection"},                                                      \
        {"--azimuth-deg", OPTION_NUMBER, &(t)->azimuth_deg, "DEG", "where it looks, clockwise from true north; 0"},    \
        {"--tilt-deg", OPTION_NUMBER, &(t)->mechanical_tilt_deg, "DEG", "mechanical tilt, down is positive; 0"},       \
        {"--electrical-tilt-deg", OPTION_NUMBER, &(t)->electrical_tilt_deg, "DEG",                                     \
         "whole electrical tilt; the pattern's"},                                                                      \
    {                                                                                                                  \
        "--polarization", OPTION_TEXT, &(t)->polarization, "WORD",                                                     \
            "vertical, horizontal, slant or slant-minus, where the field is followed; vertical"                        \
    }

#define TRANSMITTER_RADIO_OPTIONS(t) TRANSMITTER_FREQUENCY_OPTIONS(t), TRANSMITTER_ANTENNA_OPTIONS(t)

transmitter_input transmitter_input_default(void);

/* How many of the four powers are given? */
int transmitter_input_power_count(const transmitter_input *input);

/* Do the powers and words make sense? @return 0, or EXIT_USAGE after a message. */
int transmitter_input_check(const char *command, const transmitter_input *input);

/* Is there exactly one complete position, and a frequency? @return 0, or EXIT_USAGE after a message; `others` names
   other options that give one, such as " or --sites FILE". */
int transmitter_input_check_place(const char *command, const transmitter_input *input, const char *others);

rcity_antenna_synthesis transmitter_input_synthesis(const transmitter_input *input);

/* Everything except the position. The caller destroys the antenna, if one is named. */
rcity_status transmitter_input_fill(rcity_context *context, const transmitter_input *input, rcity_antenna **antenna,
                                    rcity_transmitter *transmitter);

/* The position in a scene. */
rcity_status transmitter_input_locate(rcity_context *context, const rcity_scene *scene, const transmitter_input *input,
                                      rcity_transmitter *transmitter);

/* Warn of a transmitter outside the scene. */
void transmitter_warn_outside(const rcity_scene *scene, const rcity_transmitter *transmitter);

#endif
