/* By the four terms of the uniform theory (kernel/wave/wedge.h), their weights taken as 1: with b the angle to a term's
   boundary over 2 n, n the exterior angle over pi, and p = sqrt(2 k L) sin(n b), a term is
       sin(n b) cot(b) / n W(p),  |W(p)| <= 1 / (2 sqrt(pi) p), so at most cot(b) / (2 sqrt(pi) n sqrt(2 k L)). */
#include "method/beams/tree/beam_strength.h"

#include <math.h>

#define PI           3.14159265358979323846
#define HALF_ROOT_PI 0.28209479177387814347 /* 1 / (2 sqrt(pi)) */
#define TERMS        4
#define FIELD_MAX    1.26 /* of a diffracted field over the incident one, at a boundary of two terms: 1, and the others */
#define TANGENT_MIN  1e-6
#define AFTER_MIN_M  1e-3

void rcity_beam_strength_init(double exterior_rad, rcity_beam_strength *strength)
{
    strength->exterior_rad = exterior_rad;
    strength->before_m = HUGE_VAL;
    strength->near = 0.0;
    for (int i = 0; i < RCITY_BEAM_STRENGTH_BINS; i++) {
        strength->far[i] = 0.0f;
    }
}

/* How far a stretch of directions is from a boundary, which comes again after twice the exterior angle. */
static double off_boundary(double boundary_rad, double from_rad, double to_rad, double exterior_rad)
{
    double least = HUGE_VAL;
    for (int turn = -1; turn <= 1; turn++) {
        double at_rad = boundary_rad + 2.0 * turn * exterior_rad;
        least = fmin(least, fmax(fmax(from_rad - at_rad, at_rad - to_rad), 0.0));
    }
    return least;
}

void rcity_beam_strength_add(const rcity_beam_strength_way *way, rcity_beam_strength *strength)
{
    double exterior_rad = strength->exterior_rad;
    double n = exterior_rad / PI;
    double step_rad = exterior_rad / RCITY_BEAM_STRENGTH_BINS;
    double share = pow(10.0, -0.1 * way->loss_db);
    const double boundary_rad[TERMS] = {way->phi_in_rad + PI, way->phi_in_rad - PI, PI - way->phi_in_rad,
                                        2.0 * exterior_rad - PI - way->phi_in_rad};
    for (int i = 0; i < RCITY_BEAM_STRENGTH_BINS; i++) {
        double sum = 0.0;
        for (int term = 0; term < TERMS; term++) {
            double off_rad = off_boundary(boundary_rad[term], i * step_rad, (i + 1) * step_rad, exterior_rad);
            sum += HALF_ROOT_PI / (n * fmax(tan(0.5 * off_rad / n), TANGENT_MIN));
        }
        float far = (float)(share * sum * sum / fmax(way->plan_m, AFTER_MIN_M));
        strength->far[i] = far > strength->far[i] ? far : strength->far[i];
    }
    strength->near = fmax(strength->near, share);
    strength->before_m = fmin(strength->before_m, way->plan_m);
}

double rcity_beam_strength_loss_db(const rcity_beam_strength *strength, const rcity_facet_table *facets,
                                   double from_rad, double to_rad, double after_m)
{
    const int last = RCITY_BEAM_STRENGTH_BINS - 1;
    double per_rad = RCITY_BEAM_STRENGTH_BINS / strength->exterior_rad;
    int first_bin = (int)fmin(fmax(fmin(from_rad, to_rad) * per_rad, 0.0), last);
    int last_bin = (int)fmin(fmax(fmax(from_rad, to_rad) * per_rad, 0.0), last);
    float far = 0.0f;
    for (int i = first_bin; i <= last_bin; i++) {
        far = strength->far[i] > far ? strength->far[i] : far;
    }
    double wavenumber_per_m = 2.0 * PI / facets->wavelength_m;
    double s = fmax(after_m, AFTER_MIN_M);
    double whole_m = strength->before_m + s;
    /* L = s s' / (s + s'), and the field falls as 1 / (s + s') besides */
    double power = fmin(FIELD_MAX * FIELD_MAX * strength->near / (whole_m * whole_m),
                        (double)far / (2.0 * wavenumber_per_m * s * whole_m));
    return -10.0 * log10(power) + 20.0 * log10(4.0 * PI / facets->wavelength_m);
}
