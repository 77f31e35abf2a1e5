/* What is drawn for each function, and how far the precisions may differ. The ranges are those of radio in cities;
   where single precision cannot hold a phase (a wall many wavelengths thick, kilometres), the tolerance says so. */
#include "wave_cases.h"

#include "rcity_test.h"

#define PI 3.14159265358979323846

#define ANGLE      WAVE_UNIFORM, -PI, PI
#define WAVENUMBER WAVE_LOGARITHMIC, 1.0, 1250.0 /* of 50 MHz to 60 GHz */
#define COSINE     WAVE_UNIFORM, 0.0, 1.0
#define ETA_RE     WAVE_UNIFORM, 1.0, 15.0
#define ETA_IM     WAVE_UNIFORM, -5.0, 0.0
#define CONDUCTOR  WAVE_SOMETIMES, 0.0, 1.0
#define HEIGHT     WAVE_UNIFORM, 5.0, 25.0

/* clang-format off */
static const wave_case cases[] = {
    {"reflection, half-space", WAVE_REFLECT, 4, 2, 2e-6, 5e-6,
     {{WAVENUMBER}, {COSINE}, {ETA_RE}, {ETA_IM}}},
    {"reflection, slab", WAVE_REFLECT, 4, 2, 1e-4, 2e-4,
     {{WAVENUMBER}, {COSINE}, {ETA_RE}, {ETA_IM}, {WAVE_LOGARITHMIC, 1e-3, 0.5}, {CONDUCTOR}}},
    {"reflection, thin slab", WAVE_REFLECT, 4, 2, 2e-6, 1e-5,
     {{WAVE_LOGARITHMIC, 1, 100}, {COSINE}, {ETA_RE}, {ETA_IM}, {WAVE_LOGARITHMIC, 1e-4, 1e-2}, {CONDUCTOR}}},
    {"reflection, metal", WAVE_REFLECT, 4, 2, 2e-6, 5e-6,
     {{WAVENUMBER}, {COSINE}, {WAVE_UNIFORM, 1, 2}, {WAVE_UNIFORM, -1e11, -1e5}, {WAVE_SOMETIMES, 0.3, 0}}},
    {"transmission, slab", WAVE_TRANSMIT, 4, 2, 1e-4, 2e-4,
     {{WAVENUMBER}, {COSINE}, {ETA_RE}, {ETA_IM}, {WAVE_LOGARITHMIC, 1e-3, 0.5}, {CONDUCTOR}}},
    {"transmission, thin slab", WAVE_TRANSMIT, 4, 2, 2e-6, 1e-5,
     {{WAVE_LOGARITHMIC, 1, 100}, {COSINE}, {ETA_RE}, {ETA_IM}, {WAVE_LOGARITHMIC, 1e-4, 1e-2}, {CONDUCTOR}}},
    {"permittivity", WAVE_PERMITTIVITY, 2, 2, 1e-6, 5e-6,
     {{WAVE_UNIFORM, 1, 30}, {WAVE_UNIFORM, -0.4, 0.1}, {WAVE_LOGARITHMIC, 1e-4, 0.2}, {WAVE_UNIFORM, 0, 1.6},
      {WAVE_LOGARITHMIC, 0.1, 10}, {WAVE_LOGARITHMIC, 10, 400}, {WAVE_LOGARITHMIC, 0.05, 500}}},
    {"Fresnel integrals", WAVE_FRESNEL, 6, 2, 2e-6, 1e-5,
     {{WAVE_LOGARITHMIC, 1e-3, 1e4}, {WAVE_UNIFORM, -12, 12}}},
    {"knife edge", WAVE_KNIFE_EDGE, 4, 2, 5e-5, 1e-4,
     {{WAVE_UNIFORM, -10, 10}, {WAVE_LOGARITHMIC, 10, 5000}, {WAVE_LOGARITHMIC, 10, 5000},
      {WAVE_LOGARITHMIC, 0.03, 3}}},
    {"two rays", WAVE_TWO_RAY, 4, 2, 1e-3, 1e-3,
     {{WAVE_LOGARITHMIC, 1, 2e4}, {WAVE_UNIFORM, 1, 60}, {WAVE_UNIFORM, 0, 30}, {WAVE_LOGARITHMIC, 2, 125},
      {WAVE_UNIFORM, 3, 30}, {ETA_IM}, {WAVE_UNIFORM, 0, 0}, {CONDUCTOR}}},
    {"roughness, Lambertian", WAVE_ROUGHNESS, 2, 1, 1e-6, 5e-6,
     {{COSINE}, {WAVE_WHOLE, 0, 0}, {WAVE_WHOLE, 0, 0}, {WAVE_WHOLE, 1, 1}, {WAVE_UNIFORM, 0, 1.55}, {ANGLE},
      {WAVE_UNIFORM, 0, 1.6}, {ANGLE}, {COSINE}, {WAVE_LOGARITHMIC, 0.1, 10}, {WAVE_LOGARITHMIC, 3, 100}}},
    {"roughness, lobes", WAVE_ROUGHNESS, 2, 1, 5e-6, 2e-5,
     {{COSINE}, {WAVE_WHOLE, 1, 30}, {WAVE_WHOLE, 1, 30}, {COSINE}, {WAVE_UNIFORM, 0, 1.55}, {ANGLE},
      {WAVE_UNIFORM, 0, 1.6}, {ANGLE}, {COSINE}, {WAVE_LOGARITHMIC, 0.1, 10}, {WAVE_LOGARITHMIC, 3, 100}}},
    {"polarization", WAVE_POLARIZATION, 4, 2, 5e-6, 2e-5,
     {{ANGLE}, {WAVE_UNIFORM, -0.5, 0.5}, {WAVE_UNIFORM, 0, 1.6}, {WAVE_UNIFORM, 0.1, 3.04}, {ANGLE}}},
    {"wedge", WAVE_WEDGE, 8, 8, 2e-4, 2e-5,
     {{WAVE_LOGARITHMIC, 2, 125}, {WAVE_UNIFORM, 0.3, 2.8}, {COSINE}, {COSINE}, {WAVE_LOGARITHMIC, 1, 300},
      {WAVE_UNIFORM, 3.5, 2 * PI}, {ETA_RE}, {ETA_IM}, {WAVE_SOMETIMES, 0, 0.05}, {CONDUCTOR}, {ETA_RE}, {ETA_IM},
      {WAVE_SOMETIMES, 0, 0.05}, {CONDUCTOR}}},
    /* single takes differences over a wider step, which looks over the kink where a ray passes the plane of a face */
    {"wedge, slope", WAVE_WEDGE_SLOPE, 8, 8, 5e-2, 1e-3,
     {{WAVE_LOGARITHMIC, 2, 125}, {WAVE_UNIFORM, 0.3, 2.8}, {COSINE}, {COSINE}, {WAVE_LOGARITHMIC, 1, 300},
      {WAVE_UNIFORM, 3.5, 2 * PI}, {ETA_RE}, {ETA_IM}, {WAVE_UNIFORM, 0, 0}, {CONDUCTOR}, {ETA_RE}, {ETA_IM},
      {WAVE_UNIFORM, 0, 0}, {CONDUCTOR}}},
    {"two wedges", WAVE_WEDGE_PAIR, 8, 8, 5e-3, 2e-5,
     {{WAVE_LOGARITHMIC, 2, 125}, {WAVE_UNIFORM, 0.3, 2.8}, {COSINE}, {COSINE}, {COSINE}, {COSINE},
      {WAVE_UNIFORM, 0.3, 2.8}, {WAVE_LOGARITHMIC, 1, 1000}, {WAVE_LOGARITHMIC, 1, 300}, {WAVE_LOGARITHMIC, 1, 1000},
      {ANGLE}, {ETA_RE}, {ETA_IM}, {WAVE_UNIFORM, 0, 0}, {CONDUCTOR}, {WAVE_SOMETIMES, 0, 1}}},
    {"roof chain", WAVE_ROOF_CHAIN, 3, 3, 1e-3, 5e-5,
     {{HEIGHT}, {HEIGHT}, {HEIGHT}, {HEIGHT}, {HEIGHT}, {HEIGHT}, {HEIGHT}, {HEIGHT}, {HEIGHT}, {HEIGHT},
      {WAVE_LOGARITHMIC, 10, 300}, {WAVE_LOGARITHMIC, 2, 125}, {WAVE_WHOLE, 0, 10}, {WAVE_SOMETIMES, 0, -1}}},
};
/* clang-format on */

int wave_case_count(void)
{
    return (int)(sizeof cases / sizeof cases[0]);
}

const wave_case *wave_case_get(int index)
{
    return &cases[index];
}

void wave_case_draw(const wave_case *wave, uint64_t seed, int64_t item, float in[WAVE_IN])
{
    for (int i = 0; i < WAVE_IN; i++) {
        wave_input input = wave->input[i];
        uint64_t place = (uint64_t)item * WAVE_IN + (uint64_t)i;
        double share = test_uniform(seed, place, 0.0, 1.0);
        double value = input.low + share * (input.high - input.low);
        if (input.draw == WAVE_LOGARITHMIC) {
            value = input.low * pow(input.high / input.low, share);
        } else if (input.draw == WAVE_WHOLE) {
            value = floor(input.low + share * (input.high - input.low + 1.0));
        } else if (input.draw == WAVE_SOMETIMES) {
            value = share < 1.0 / 6.0 ? input.high : input.low;
        }
        in[i] = (float)value;
    }
}

double wave_case_error(const wave_case *wave, const double *actual, const double *expected)
{
    double worst = 0.0;
    for (int begin = 0; begin < wave->out_count; begin += wave->group) {
        double square = 0.0;
        double off = 0.0;
        for (int i = begin; i < begin + wave->group; i++) {
            square += expected[i] * expected[i];
            off += (actual[i] - expected[i]) * (actual[i] - expected[i]);
        }
        double error = sqrt(off) / fmax(sqrt(square), 1.0);
        worst = error >= 0.0 ? fmax(worst, error) : HUGE_VAL;
    }
    return worst;
}
