/* Log-normal fading: the level in dB is normal around its mean, so that probabilities are those of the normal
   distribution; its integral by erfc, its inverse by Newton's method on the logarithm of that integral. */
#include <math.h>

#include "radiocity/plan.h"

static const double sqrt_2 = 1.4142135623730950488;
static const double sqrt_2_over_pi = 0.79788456080286535588;

/* Probability that a standard normal variable exceeds z. */
static double upper_tail(double z)
{
    return 0.5 * erfc(z / sqrt_2);
}

double rcity_fade_probability(double margin_db, double sigma_db)
{
    if (sigma_db > 0.0) {
        return upper_tail(-margin_db / sigma_db);
    }
    if (isnan(margin_db) || !(sigma_db >= 0.0)) {
        return (double)NAN;
    }
    return margin_db > 0.0 ? 1.0 : margin_db < 0.0 ? 0.0 : 0.5;
}

/* The z >= 0 that is exceeded with a probability of 0 < tail <= 1/2. log Q is concave and falls, so Newton's steps on
   it come from the right and never pass the answer; the derivative is -density / Q. */
static double find_tail(double tail)
{
    double z = sqrt(-2.0 * log(2.0 * tail)); /* Q(z) <= exp(-z^2 / 2) / 2: at or right of the answer */
    for (int i = 0; i < 50; i++) {
        double reached = upper_tail(z);
        double density = 0.5 * sqrt_2_over_pi * exp(-0.5 * z * z);
        if (reached <= 0.0 || density <= 0.0) {
            z *= 0.999; /* underflow: go back to where the probability is representable */
            continue;
        }
        double step = reached / density * log(reached / tail);
        z += step;
        if (fabs(step) <= 1e-15 * (1.0 + z)) {
            break;
        }
    }
    return z > 0.0 ? z : 0.0;
}

double rcity_fade_margin_db(double probability, double sigma_db)
{
    if (!(probability >= 0.0 && probability <= 1.0) || !(sigma_db >= 0.0)) {
        return (double)NAN;
    }
    if (sigma_db == 0.0 || probability == 0.5) {
        return 0.0;
    }
    if (probability == 0.0 || probability == 1.0) {
        return probability == 0.0 ? -HUGE_VAL : HUGE_VAL;
    }
    return probability < 0.5 ? -sigma_db * find_tail(probability) : sigma_db * find_tail(1.0 - probability);
}
