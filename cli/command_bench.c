/* radiocity bench */
#include <math.h>
#include <stdio.h>

#include "arguments.h"
#include "bench/bench.h"
#include "command.h"
#include "exit_status.h"
#include "json.h"
#include "session.h"

/* All kinds of query of the yardstick; "yardstick_value" is the fastest. */
static void report_yardsticks(json_writer *json, const rcity_bench_result *result)
{
    json_begin_array(json, "yardsticks");
    for (int i = 0; i < result->yardstick_count; i++) {
        json_begin_object(json, NULL);
        json_text(json, "name", result->yardsticks[i].name);
        json_number(json, "value", result->yardsticks[i].value);
        json_number(json, "agreement", result->yardsticks[i].agreement);
        json_end_object(json);
    }
    json_end_array(json);
}

static void report_json(void *user, const rcity_bench_result *result)
{
    (void)user;
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "bench", result->name);
    json_text(&json, "case", result->item);
    json_text(&json, "device", result->device);
    json_integer(&json, "threads", result->thread_count);
    json_text(&json, "scene", result->scene);
    json_number(&json, "value", result->value);
    json_text(&json, "unit", result->unit);
    json_number(&json, "best_s", result->best_s);
    json_number(&json, "median_s", result->median_s);
    json_text(&json, "yardstick", result->yardstick);
    json_number(&json, "yardstick_value", result->yardstick_value);
    json_number(&json, "ratio", result->ratio);
    json_text(&json, "note", result->note);
    if (result->yardstick_count > 0) {
        report_yardsticks(&json, result);
    }
    json_end_object(&json);
    json_end_line(&json);
    fflush(stdout);
}

static void report_text(void *user, const rcity_bench_result *result)
{
    (void)user;
    printf("%-8s %-8s %10.4g %-12s best %.4g s, median %.4g s, %s, threads %d, %s", result->name, result->item,
           result->value, result->unit, result->best_s, result->median_s, result->device, result->thread_count,
           result->scene);
    if (result->yardstick != NULL) {
        printf("; %.3g times %s (%.4g)", result->ratio, result->yardstick, result->yardstick_value);
    }
    if (result->note != NULL) {
        printf("; %s", result->note);
    }
    printf("\n");
    for (int i = 0; i < result->yardstick_count; i++) {
        const rcity_bench_yardstick *yardstick = &result->yardsticks[i];
        printf("%-17s %10.4g %s, %s, %.6f agree\n", "", yardstick->value, result->yardstick, yardstick->name,
               yardstick->agreement);
    }
    fflush(stdout);
}

static int list_benches(void)
{
    rcity_bench_info info;
    for (int i = 0; rcity_bench_get(i, &info); i++) {
        printf("%-8s %-8s %s\n", info.name, info.item, info.text);
    }
    return EXIT_FINE;
}

int command_bench(int count, char **words)
{
    rcity_bench_options options = rcity_bench_options_default();
    bool wants_json = false;
    bool wants_list = false;
    const cli_option table[] = {
        {"--case", OPTION_TEXT, &options.item, "CASE", "one case of it; all unless given"},
        {"--list", OPTION_FLAG, &wants_list, NULL, "name the benchmarks and their cases"},
        {"--scene", OPTION_TEXT, &options.scene_path, "FILE", "a compiled scene instead of the benchmark's own"},
        {"--area-km2", OPTION_NUMBER, &options.area_km2, "KM2", "size of the benchmark's own city; 20"},
        {"--repeat", OPTION_COUNT, &options.repeat_count, "N", "timed runs; 5"},
        {"--device", OPTION_TEXT, &options.device, "ID", "host or opencl:N; the best there is"},
        {"--json", OPTION_FLAG, &wants_json, NULL, "one JSON object a line"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "bench",
        .usage = "Usage: radiocity bench [NAME] [--case CASE] [--json]",
        .about =
            "Run benchmarks; all of them unless one is named. Each prints the best and the median of several runs and\n"
            "the ratio to a yardstick measured in the same run: compare ratios, machines differ.\n\n"
            "Example: radiocity bench io --case load --json",
        .options = table,
        .positional_count = 1,
    };
    int result = arguments_read(&line, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    if (wants_list) {
        return list_benches();
    }
    options.name = line.positional_count > 0 ? line.positional[0] : NULL;
    rcity_context *context = NULL;
    result = session_open(&context);
    if (result != 0) {
        return result;
    }
    rcity_status status = rcity_bench_run(context, &options, wants_json ? report_json : report_text, NULL);
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    }
    session_close(&context);
    return result;
}
