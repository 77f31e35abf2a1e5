/* What `predict` prints. */
#ifndef CLI_PREDICT_REPORT_H
#define CLI_PREDICT_REPORT_H

#include "predict_demand.h"
#include "predict_input.h"

/* The figures of a finished map. They are worked out before the files are written, so that what can fail has failed by
   then. Start from zeroed memory; release with predict_report_deinit() in any case. */
typedef struct coverage_row {
    double rx_height_m;
    rcity_coverage coverage; /* where the map has levels in buildings too, of the cells outdoors */
    bool has_indoor;
    rcity_coverage indoor;
} coverage_row;

/* For each height a row a threshold. */
typedef struct coverage_table {
    int count;
    coverage_row *rows;
} coverage_table;

typedef struct predict_report {
    int band_count;
    rcity_band *bands; /* borrowed from the map */
    rcity_band_summary *summaries;
    coverage_table levels, sinr; /* of received power, and of SINR */
    int64_t *served_count;       /* cells each transmitter serves best, at the first receiver height */
    int64_t served_total;
    predict_demand demand;
} predict_report;

rcity_status predict_report_init(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                 const predict_input *input, const predict_world *world, predict_report *report);
void predict_report_deinit(predict_report *report);

/* `device` is where the map was made. */
void predict_report_map(const predict_report *report, const rcity_map *map, const predict_input *input,
                        const predict_world *world, const rcity_device *device);

/* A finished table of points; the values are those of predict_files_write_points(). */
void predict_report_points(const predict_input *input, const predict_world *world, const float *loss_db);

/* What would be done. `is_least`: its time is a lower bound. */
void predict_report_plan(const predict_input *input, const predict_world *world, const rcity_estimate *estimate,
                         double writing_bytes, bool fits_memory, bool is_least);

#endif
