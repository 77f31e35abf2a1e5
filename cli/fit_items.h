/* One item of a score or of coefficients by its index, for loops over their counts: all 0 if it does not exist. */
#ifndef CLI_FIT_ITEMS_H
#define CLI_FIT_ITEMS_H

#include <string.h>

#include "radiocity/fit.h"

#define FIT_ITEM(type, call)                                                                                           \
    type item;                                                                                                         \
    if ((call) != RCITY_OK) {                                                                                          \
        memset(&item, 0, sizeof item);                                                                                 \
    }                                                                                                                  \
    return item

static inline rcity_score_model score_model_at(const rcity_score *score, int index)
{
    FIT_ITEM(rcity_score_model, rcity_score_get_model(score, index, &item));
}

static inline rcity_score_group score_group_at(const rcity_score *score, int index)
{
    FIT_ITEM(rcity_score_group, rcity_score_get_group(score, index, &item));
}

static inline rcity_score_figures score_figures_at(const rcity_score *score, int model_index, int group_index)
{
    FIT_ITEM(rcity_score_figures, rcity_score_get_figures(score, model_index, group_index, &item));
}

static inline rcity_score_point score_point_at(const rcity_score *score, int64_t index)
{
    FIT_ITEM(rcity_score_point, rcity_score_get_point(score, index, &item));
}

static inline rcity_coefficient coefficient_at(const rcity_coefficients *coefficients, int index)
{
    FIT_ITEM(rcity_coefficient, rcity_coefficients_get(coefficients, index, &item));
}

#endif
