/* What `calibrate` prints. */
#ifndef CLI_CALIBRATE_REPORT_H
#define CLI_CALIBRATE_REPORT_H

#include "calibrate_input.h"

void calibrate_report(const rcity_coefficients *coefficients, const calibrate_input *input);
void calibrate_report_json(const rcity_coefficients *coefficients);

/* Doubts, on stderr, unless the user wants quiet. */
void calibrate_report_warnings(const rcity_coefficients *coefficients);

#endif
