/* What every fuzzer does around its parser. */
#ifndef FUZZ_SCENE_H
#define FUZZ_SCENE_H

#include "radiocity/radiocity.h"

/* A context with a thread and little memory. */
rcity_context *fuzz_context(void);

/* Stop here unless it is true, so that the fuzzer keeps the input. */
void fuzz_demand(bool is_true);

/* A failure says why, in one line that a terminal can show. */
void fuzz_demand_sentence(const rcity_context *context);

/* A scene of one building, a square of this edge from the origin on, 10 m high. */
rcity_scene *fuzz_box(rcity_context *context, double edge_m);

/* A parser of scenes came back: on failure its sentence must be one clean line; on success the scene is used and
   destroyed. `is_cleaned` says that the scene went through commit, so that what holds for real scenes must hold. */
void fuzz_end_parse(rcity_context *context, rcity_status status, rcity_scene **scene, bool is_cleaned);

#endif
