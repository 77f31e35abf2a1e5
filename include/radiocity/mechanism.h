/** @file mechanism.h  Propagation mechanisms: one list for all methods. */
#ifndef RADIOCITY_MECHANISM_H
#define RADIOCITY_MECHANISM_H

#include "radiocity/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Every mechanism of propagation in one list: code, value, name in tables, words for legends. Maps store the values
 *  (band `mechanism`), so an entry keeps its value and new entries are added at the end. A method distinguishes some of
 *  them. */
#define RCITY_MECHANISM_LIST(X)                                                                                        \
    X(RCITY_MECHANISM_DIRECT, 0, "direct", "direct")                                                                   \
    X(RCITY_MECHANISM_WALLS, 1, "walls", "through walls")                                                              \
    X(RCITY_MECHANISM_CORNER, 2, "corner", "around corners")                                                           \
    X(RCITY_MECHANISM_ROOF, 3, "roof", "over roofs")                                                                   \
    X(RCITY_MECHANISM_REFLECTION, 4, "reflection", "by reflection")                                                    \
    X(RCITY_MECHANISM_DIFFRACTION, 5, "diffraction", "by diffraction")                                                 \
    X(RCITY_MECHANISM_DIFFUSE, 6, "diffuse", "diffuse")                                                                \
    X(RCITY_MECHANISM_HILL, 7, "hill", "over hills")

/** The mechanism of the strongest path to a receiver. */
typedef enum rcity_mechanism {
#define RCITY_MECHANISM_ENUM(code, value, name, text) code = (value),
    RCITY_MECHANISM_LIST(RCITY_MECHANISM_ENUM)
#undef RCITY_MECHANISM_ENUM
} rcity_mechanism;

/** Number of mechanisms. */
enum {
#define RCITY_MECHANISM_ONE(code, value, name, text) +1
    RCITY_MECHANISM_COUNT = RCITY_MECHANISM_LIST(RCITY_MECHANISM_ONE)
#undef RCITY_MECHANISM_ONE
};

/** Name of a mechanism in tables, such as "walls"; never NULL. */
RCITY_API const char *rcity_mechanism_name(rcity_mechanism mechanism);

/** Words for people, such as "through walls"; never NULL. */
RCITY_API const char *rcity_mechanism_text(rcity_mechanism mechanism);

#ifdef __cplusplus
}
#endif

#endif
