/* Files of coefficients from anywhere: parsed, held against the methods, and what gets through is sound. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "api/coefficients.h"
#include "fuzz_scene.h"
#include "io/coefficients/coefficients_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const rcity_coefficients *coefficients)
{
    char label[RCITY_COEFFICIENTS_LABEL_BYTES];
    fuzz_demand(strlen(rcity_coefficients_describe(coefficients, label, sizeof label)) < sizeof label);
    for (int i = 0; i < rcity_coefficients_count(coefficients); i++) {
        rcity_coefficient one;
        fuzz_demand(rcity_coefficients_get(coefficients, i, &one) == RCITY_OK);
        fuzz_demand(one.name != NULL && one.unit != NULL && isfinite(one.value));
        fuzz_demand(!(one.low > one.high) && !(one.bound_low > one.bound_high));
    }
    for (int i = 0; i < rcity_coefficients_option_count(coefficients); i++) {
        const char *name = NULL;
        const char *value = NULL;
        fuzz_demand(rcity_coefficients_get_option(coefficients, i, &name, &value) == RCITY_OK);
        fuzz_demand(name != NULL && value != NULL);
    }
    rcity_fit_summary summary = rcity_coefficients_summary(coefficients);
    fuzz_demand(summary.fitted_on != NULL && summary.point_count >= 0 && summary.crossed.count >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rcity_context *context = fuzz_context();
    rcity_coefficients *coefficients = NULL;
    if (rcity_coefficients_parse(context, "fuzz.json", (const char *)data, size, &coefficients) == RCITY_OK) {
        look_at(coefficients);
        if (rcity_coefficients_check(context, "fuzz.json", coefficients) != RCITY_OK) {
            fuzz_demand_sentence(context);
        }
    } else {
        fuzz_demand_sentence(context);
        fuzz_demand(coefficients == NULL);
    }
    rcity_coefficients_destroy(&coefficients);
    fuzz_demand(rcity_context_memory_used(context) == 0);
    rcity_context_destroy(&context);
    return 0;
}
