/* Ask a compiled scene whether the straight line between two points is free.

       segment_query SCENE.rcity X1 Y1 Z1 X2 Y2 Z2     in metres; z is scene height

   Prints "free" or "blocked"; both are valid results, so both end with status 0. */
#include <stdio.h>
#include <stdlib.h>

#include "radiocity/radiocity.h"

static rcity_status ask(rcity_context *context, const char *path, const rcity_point *from, const rcity_point *to)
{
    rcity_scene *scene = NULL;
    bool is_free = false;
    rcity_status status = rcity_scene_load(context, path, &scene);
    if (status == RCITY_OK) {
        status = rcity_scene_test_segment(context, scene, from, to, &is_free);
    }
    if (status == RCITY_OK) {
        printf("%s\n", is_free ? "free" : "blocked");
    }
    rcity_scene_destroy(&scene);
    return status;
}

/* A number; the whole word must be one. */
static bool read_number(const char *word, double *number)
{
    char *end;
    *number = strtod(word, &end);
    return end != word && *end == '\0';
}

int main(int argument_count, char **arguments)
{
    double xyz_m[6];
    bool is_complete = argument_count == 8;
    for (int i = 0; is_complete && i < 6; i++) {
        is_complete = read_number(arguments[2 + i], &xyz_m[i]);
    }
    if (!is_complete) {
        fprintf(stderr, "usage: segment_query SCENE.rcity X1 Y1 Z1 X2 Y2 Z2\n");
        return 2;
    }
    rcity_point from = {xyz_m[0], xyz_m[1], xyz_m[2]};
    rcity_point to = {xyz_m[3], xyz_m[4], xyz_m[5]};
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    rcity_status status = rcity_context_create(&options, &context);
    if (status == RCITY_OK) {
        status = ask(context, arguments[1], &from, &to);
    }
    if (status != RCITY_OK) {
        fprintf(stderr, "segment_query: %s: %s\n", rcity_status_text(status), rcity_context_message(context));
    }
    rcity_context_destroy(&context);
    return status == RCITY_OK ? 0 : 1;
}
