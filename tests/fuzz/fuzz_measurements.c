/* Measured values from anywhere, as a table or as a plain list: read, put together, averaged. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fuzz_scene.h"
#include "io/measurements/measurements.h"
#include "io/measurements/plain_list.h"
#include "io/measurements/time_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was kept is sound: finite, in its route, in order, with counts that add up. */
static void look_at(const rcity_measurements *list, bool keeps_outside)
{
    const rcity_measurement *all = rcity_measurements_all(list);
    rcity_measurement_tally tally = rcity_measurements_tally(list);
    fuzz_demand(rcity_measurements_kind(list) != RCITY_MEASURED_AUTO);
    fuzz_demand(tally.left_out_count + tally.gap_count + tally.duplicate_count + tally.floor_count +
                    tally.saturated_count + (keeps_outside ? 0 : tally.outside_count) + tally.kept_count ==
                tally.row_count);
    for (int64_t i = 0; i < rcity_measurements_count(list); i++) {
        fuzz_demand(isfinite(all[i].x_m) && isfinite(all[i].y_m) && isfinite(all[i].value));
        fuzz_demand(keeps_outside || (all[i].x_m >= 0.0 && all[i].x_m <= 100.0));
        fuzz_demand(all[i].height_m >= 0.0 && all[i].height_m <= RCITY_RX_HEIGHT_MAX_M);
        fuzz_demand(all[i].route >= 0 && all[i].route < rcity_measurements_route_count(list));
        fuzz_demand(all[i].transmitter >= -1 && all[i].transmitter < rcity_measurements_transmitter_count(list));
        fuzz_demand(all[i].sample_count >= 1 && all[i].row >= 1 && all[i].travelled_m >= 0.0);
        fuzz_demand(i == 0 || all[i].route >= all[i - 1].route);
    }
}

static void use(rcity_context *context, const rcity_scene *scene, rcity_records *records, bool is_plain, size_t size)
{
    static const char *const conditions[] = {NULL, "loss<100", "x!=3", "site=A"};
    for (int i = 0; i < 4; i++) {
        rcity_measurements_options options = rcity_measurements_options_default();
        options.where = conditions[i];
        options.keeps_outside = i % 2 == 1;
        options.weakest = size % 2 == 0 ? 150.0 : (double)NAN;
        rcity_measurements *list = NULL;
        rcity_measurements *all = NULL;
        rcity_measurements *averaged = NULL;
        if (rcity_measurements_read(records, is_plain, scene, &options, &list) != RCITY_OK) {
            fuzz_demand_sentence(context);
            fuzz_demand(list == NULL);
            continue;
        }
        look_at(list, options.keeps_outside);
        fuzz_demand(rcity_measurements_append(context, &all, list) == RCITY_OK);
        fuzz_demand(rcity_measurements_append(context, &all, list) == RCITY_OK);
        fuzz_demand(rcity_measurements_count(all) == 2 * rcity_measurements_count(list));
        fuzz_demand(rcity_measurements_average(context, all, 5.0, &averaged) == RCITY_OK);
        fuzz_demand(rcity_measurements_count(averaged) <= rcity_measurements_count(all));
        rcity_measurements_destroy(&averaged);
        rcity_measurements_destroy(&all);
        rcity_measurements_destroy(&list);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rcity_context *context = fuzz_context();
    const char *text = (const char *)data;
    bool is_plain = rcity_plain_list_is(text, size);
    rcity_records records;
    rcity_status status = is_plain ? rcity_plain_list_parse(context, "fuzz.txt", text, size, &records)
                                   : rcity_records_parse(context, "fuzz.csv", text, size, &records);
    if (status == RCITY_OK) {
        rcity_scene *scene = fuzz_box(context, 100.0);
        use(context, scene, &records, is_plain, size);
        rcity_scene_destroy(&scene);
        rcity_records_deinit(&records);
    } else {
        fuzz_demand_sentence(context);
    }
    char copy[64];
    size_t length = size < sizeof copy ? size : sizeof copy - 1;
    if (length > 0) {
        memcpy(copy, data, length);
    }
    copy[length] = '\0';
    double seconds = 0.0;
    fuzz_demand(!rcity_time_read(copy, true, &seconds) || isfinite(seconds));
    fuzz_demand(rcity_context_memory_used(context) == 0);
    rcity_context_destroy(&context);
    return 0;
}
