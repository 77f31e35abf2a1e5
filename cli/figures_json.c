#include "figures_json.h"

void figures_json(json_writer *json, const char *count_key, const rcity_score_figures *figures)
{
    json_integer(json, count_key, figures->count);
    json_number(json, "mean_db", figures->mean_db);
    json_number(json, "rmse_db", figures->rmse_db);
    json_number(json, "standard_deviation_db", figures->standard_deviation_db);
    json_number(json, "median_absolute_db", figures->median_absolute_db);
    json_number(json, "correlation", figures->correlation);
}
