/* The options of the law of the mean of the surroundings, the same in every method that has them: their rows in a list of
   options, their bounds and spreads in a fit. docs/methods/shadow.md says where the numbers come from. */
#ifndef RCITY_METHOD_SURROUNDINGS_MEAN_OPTIONS_H
#define RCITY_METHOD_SURROUNDINGS_MEAN_OPTIONS_H

#include "kernel/surroundings/surroundings_mean.h"
#include "method/method.h"

#define RCITY_MEAN_ROW_DIFFUSE                                                                                         \
    {                                                                                                                  \
        "diffuse-db", "23.5", NULL, 0.0, 80.0, "dB",                                                                   \
            "loss of the diffuse path beyond free space, with no roofs to "                                            \
            "pass"                                                                                                     \
    }
#define RCITY_MEAN_ROW_DIFFUSE_ROOF                                                                                    \
    {                                                                                                                  \
        "diffuse-roof-m", "72", NULL, 1.0, 1000.0, "m",                                                                \
            "metres over buildings from which on each doubling costs it "                                              \
            "6 dB"                                                                                                     \
    }
#define RCITY_MEAN_ROW_DIFFUSE_ELEVATION                                                                               \
    {                                                                                                                  \
        "diffuse-elevation-deg", "8", NULL, 0.1, 90.0, "deg",                                                          \
            "elevation over the roofs at which they no longer "                                                        \
            "matter"                                                                                                   \
    }
#define RCITY_MEAN_ROW_DOUBT                                                                                           \
    {                                                                                                                  \
        "map-doubt", "0.65", NULL, 0.0, 1.0, "",                                                                       \
            "largest share of a loss that is the mean of the surroundings, not "                                       \
            "the map's"                                                                                                \
    }
#define RCITY_MEAN_ROW_DOUBT_DISTANCE                                                                                  \
    {                                                                                                                  \
        "map-doubt-distance-m", "400", NULL, 1.0, 100000.0, "m", "distance at which half of that share is reached"     \
    }

/* Rows of an rcity_method_fit. */
#define RCITY_MEAN_FIT_DIFFUSE(option)                                                                                 \
    {                                                                                                                  \
        option, 0.0, 60.0, 6.0                                                                                         \
    }
#define RCITY_MEAN_FIT_DIFFUSE_ROOF(option)                                                                            \
    {                                                                                                                  \
        option, 3.0, 300.0, 20.0                                                                                       \
    }
#define RCITY_MEAN_FIT_DOUBT(option)                                                                                   \
    {                                                                                                                  \
        option, 0.0, 1.0, 0.2                                                                                          \
    }

/* Where a method has these options in its list. */
typedef struct rcity_mean_options {
    int diffuse, diffuse_roof, diffuse_elevation, doubt, doubt_distance;
} rcity_mean_options;

rcity_surroundings_law rcity_mean_law_read(const rcity_job *job, rcity_mean_options options);

#endif
