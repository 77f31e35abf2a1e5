/* The heights of receivers at which a corner has open air around it, so that it diffracts waves. */
#ifndef RCITY_METHOD_SHADOW_CORNER_SPAN_H
#define RCITY_METHOD_SHADOW_CORNER_SPAN_H

#include "visibility/sight/sight_data.h"

/* Levels of receivers in height units above ground. */
typedef struct rcity_corner_span {
    int32_t from; /* INT32_MAX: none */
    int32_t end;  /* the roof: the first beyond */
} rcity_corner_span;

static inline bool rcity_corner_is_open(rcity_corner_span span, int32_t level)
{
    return level >= span.from && level < span.end;
}

/* The spans of all points of the shapes, which are those of `sight`. Released by the caller. A corner is open from
   where the facades of both its walls reach it: in a row of houses walls meet in line, and the walls between houses are
   not facades. Where a prism touches itself there is no corner. */
rcity_status rcity_corner_spans_make(rcity_context *context, const rcity_sight *sight, rcity_corner_span **spans);

#endif
