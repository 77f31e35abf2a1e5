/* Tables of text from anywhere: parsed, every value looked at, and read as a list of sites. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fuzz_scene.h"
#include "io/csv.h"
#include "io/list/site_fields.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Values are text without spaces at the ends; numbers are finite or refused with a sentence. */
static void look_at_row(rcity_context *context, const rcity_csv *csv, int64_t row, size_t size)
{
    size_t filled = 0;
    for (int column = 0; column < rcity_csv_column_count(csv); column++) {
        const char *text = rcity_csv_text(csv, row, column);
        size_t length = strlen(text);
        fuzz_demand(length <= size);
        fuzz_demand(length == 0 || (strchr(" \t\r\n", text[0]) == NULL && strchr(" \t\r\n", text[length - 1]) == NULL));
        filled += length > 0;
        double value = 0.0;
        if (rcity_csv_number(context, csv, row, column, &value) != RCITY_OK) {
            fuzz_demand_sentence(context);
        }
        fuzz_demand(isfinite(value));
    }
    fuzz_demand(filled > 0);
    fuzz_demand(rcity_csv_line(csv, row) >= 1 && rcity_csv_line(csv, row) <= (int64_t)size + 1);
    fuzz_demand(row == 0 || rcity_csv_line(csv, row) > rcity_csv_line(csv, row - 1));
}

/* Sectors are sound or refused with a sentence. */
static void use_as_sites(rcity_context *context, const char *text, size_t size)
{
    rcity_records records;
    if (rcity_records_parse(context, "fuzz.csv", text, size, &records) != RCITY_OK) {
        fuzz_demand_sentence(context);
        return;
    }
    rcity_site_columns columns;
    rcity_site_find_columns(&records, &columns);
    for (int64_t row = 0; row < rcity_records_count(&records); row++) {
        char name[RCITY_SITE_NAME_BYTES] = "";
        rcity_transmitter transmitter = rcity_transmitter_default();
        if (rcity_site_read_name(&records, &columns, row, name) != RCITY_OK ||
            rcity_site_read_row(&records, &columns, row, name, &transmitter) != RCITY_OK) {
            fuzz_demand_sentence(context);
            continue;
        }
        fuzz_demand(name[0] != '\0' && strlen(name) < sizeof name);
        fuzz_demand(fabs(transmitter.azimuth_deg) <= 360.0 && fabs(transmitter.mechanical_tilt_deg) <= 90.0);
        fuzz_demand(isnan(transmitter.power_dbm) || fabs(transmitter.power_dbm) <= 120.0);
        fuzz_demand(transmitter.frequency_hz >= RCITY_FREQUENCY_MIN_HZ &&
                    transmitter.frequency_hz <= RCITY_FREQUENCY_MAX_HZ);
    }
    rcity_scene *scene = fuzz_box(context, 10.0);
    double *xy = NULL;
    size_t count = (size_t)rcity_records_count(&records);
    fuzz_demand(rcity_alloc(context, count, 2 * sizeof *xy, "a list", &xy) == RCITY_OK);
    if (rcity_records_locate(&records, scene, NULL, xy) != RCITY_OK) {
        fuzz_demand_sentence(context);
    } else {
        for (size_t i = 0; i < 2 * count; i++) {
            fuzz_demand(fabs(xy[i]) <= RCITY_COORDINATE_MAX_M);
        }
    }
    rcity_records_report_unused(&records);
    rcity_release(context, xy);
    rcity_scene_destroy(&scene);
    rcity_records_deinit(&records);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rcity_context *context = fuzz_context();
    use_as_sites(context, (const char *)data, size);
    rcity_csv *csv = NULL;
    if (rcity_csv_parse(context, "fuzz.csv", (const char *)data, size, &csv) == RCITY_OK) {
        fuzz_demand(rcity_csv_column_count(csv) > 0);
        for (int column = 0; column < rcity_csv_column_count(csv); column++) {
            const char *name = rcity_csv_column_name(csv, column);
            fuzz_demand(strchr(name, '|') != NULL || *name == '\0' || rcity_csv_find_column(csv, name) == column);
        }
        for (int64_t row = 0; row < rcity_csv_row_count(csv); row++) {
            look_at_row(context, csv, row, size);
        }
        fuzz_demand(strlen(rcity_csv_note(csv, "gain_dbi")) <= size);
        rcity_csv_destroy(&csv);
    } else {
        fuzz_demand_sentence(context);
        fuzz_demand(csv == NULL);
    }
    fuzz_demand(rcity_context_memory_used(context) == 0);
    rcity_context_destroy(&context);
    return 0;
}
