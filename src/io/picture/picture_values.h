/* How the numbers of a band become colours: shared by pictures, QGIS styles and KMZ overlays, so that all show the
   same. Needs no Cairo. */
#ifndef RCITY_IO_PICTURE_VALUES_H
#define RCITY_IO_PICTURE_VALUES_H

#include "base/base.h"
#include "io/picture/colour.h"
#include "radiocity/map.h"

/* How numbers become colours: of a band, of buildings' heights, of the ground. */
typedef struct rcity_picture_values {
    rcity_colour_scale scale;
    double low, high;        /* ends of the colours; round */
    double minimum, maximum; /* of the numbers; numbers beyond an end have its colour */
    bool has_any;            /* at least one number */
    bool has_missing;        /* at least one cell without a number */
    bool is_low_strong;      /* a loss: small values are strong */
    bool is_yes_no;          /* only 0 and 1, without unit */
    bool is_server;          /* numbers of sectors, from 1: each has a colour of its own */
    bool is_class;           /* numbers of classes, from 0: each has a name and a colour */
    int class_count;         /* for servers and classes: number of names, which are borrowed from the band */
    const char *const *class_names;
} rcity_picture_values;

/* The name of a class or sector; NULL where it has none. */
const char *rcity_picture_class_name(const rcity_picture_values *values, int number);

rcity_colour rcity_picture_value_colour(const rcity_picture_values *values, double value);

/* Find the extremes of numbers, and ends that are round numbers around nearly all of them. Ends that are not NAN are
   kept. */
rcity_status rcity_picture_measure_values(rcity_context *context, const float *value, int64_t value_count, double low,
                                          double high, rcity_picture_values *values);

/* The same for a band, whose kind says what its numbers are. `values` borrows the names of its classes. */
rcity_status rcity_picture_measure_band(rcity_context *context, const rcity_band *band, int64_t cell_count, double low,
                                        double high, rcity_picture_values *values);

#endif
