/* The files of `plan`: sites, points, and the page with its pictures. */
#ifndef CLI_PLAN_PLAN_FILES_H
#define CLI_PLAN_PLAN_FILES_H

#include <stdio.h>

#include "output_set.h"
#include "plan_input.h"

/* A finished plan. All borrowed. */
typedef struct plan_result {
    rcity_context *context;
    const rcity_scene *scene;
    rcity_device *device;
    const plan_input *input;
    const plan_world *world;
    const rcity_siting *siting;
    rcity_siting_info info;
    rcity_scene_info scene_info;
} plan_result;

/* Can all be written? Makes the folder of the report. @return 0, or an exit status after a message. */
int plan_files_check(rcity_context *context, const plan_input *input);

/* Write all that the input asks for; maps and pictures only for a search that came to its end. */
rcity_status plan_files_write(const plan_result *result, output_set *set);

/* plan_page.c: the page of the report; `has_maps`: maps lie beside it, `has_before` also of the sites before. */
rcity_status plan_page_write(const plan_result *result, bool has_maps, bool has_before, output_set *set);

/* Widen a box (least x and y, greatest x and y) to a place. */
void plan_widen_box(double box[4], double x_m, double y_m);

/* plan_summary.c: the figures as JSON into a file, or as text to stdout. */
void plan_summary_json(const plan_result *result, FILE *file);
void plan_summary_print(const plan_result *result);

#endif
