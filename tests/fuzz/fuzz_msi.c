/* Antenna files from anywhere, as MSI/Planet and as CSV cuts: parsed, described, asked for gains. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "fuzz_scene.h"
#include "io/antenna/antenna_file.h"
#include "io/antenna/msi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(rcity_context *context, rcity_status status, rcity_antenna **antenna)
{
    if (status != RCITY_OK) {
        fuzz_demand_sentence(context);
        fuzz_demand(*antenna == NULL);
    } else {
        rcity_antenna_info info;
        rcity_antenna_describe(*antenna, &info);
        fuzz_demand(fabs(info.gain_dbi) <= RCITY_ANTENNA_GAIN_MAX_DBI && fabs(info.electrical_tilt_deg) <= 90.0);
        fuzz_demand(info.horizontal_width_deg >= 0.0 && info.horizontal_width_deg <= 360.0);
        fuzz_demand(info.vertical_width_deg >= 0.0 && info.vertical_width_deg <= 360.0);
        for (int i = 0; i < 100; i++) {
            double gain_dbi = rcity_antenna_gain_dbi(*antenna, i % 3 == 0 ? (double)NAN : i % 7, 37.3 * i, 13.7 * i);
            fuzz_demand(gain_dbi <= info.gain_dbi + 1e-4 && gain_dbi >= info.gain_dbi - RCITY_ANTENNA_FLOOR_DB - 1e-4);
        }
        rcity_antenna_destroy(antenna);
    }
    fuzz_demand(rcity_context_memory_used(context) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rcity_context *context = fuzz_context();
    rcity_antenna *antenna = NULL;
    const char *text = (const char *)data;
    use(context, rcity_msi_parse(context, "fuzz.msi", text, size, RCITY_SYNTHESIS_PROJECTION, &antenna), &antenna);
    use(context, rcity_cuts_csv_parse(context, "fuzz.csv", text, size, RCITY_SYNTHESIS_SUM, &antenna), &antenna);
    rcity_context_destroy(&context);
    return 0;
}
