/* Resamples cuts of antenna patterns from files to whole degrees. */
#include "io/antenna/pattern_cut.h"

#include <math.h>
#include <stdlib.h>

/* A strongest value farther from 0 than this is logged. */
#define PEAK_WARNING_DB 0.5

/* A stated tilt where the vertical cut is weaker than this is not the one the cut was measured with. */
#define TILT_WARNING_DB 1.0

/* Both ends of a cut are the same direction: their losses may differ by this much, from rounding. */
#define TWIN_TOLERANCE_DB 0.05

rcity_status rcity_pattern_cut_add(rcity_context *context, rcity_pattern_cut *cut, const char *file, const char *what,
                                   int64_t line, double angle_deg, double loss_db)
{
    RCITY_CHECK(context, fabs(angle_deg) <= 360.0, RCITY_ERR_FORMAT,
                "'%s' line %lld: the angle of the %s cut is %g, must be 0 to 360 degrees", file, (long long)line, what,
                angle_deg);
    RCITY_CHECK(context, loss_db >= 0.0, RCITY_ERR_FORMAT,
                "'%s' line %lld: the loss of the %s cut at %g degrees is %g dB, must be 0 or more: dB below the "
                "strongest direction, without a sign",
                file, (long long)line, what, angle_deg, loss_db);
    RCITY_CHECK(context, loss_db <= 1000.0, RCITY_ERR_FORMAT,
                "'%s' line %lld: the loss of the %s cut at %g degrees is %g dB, must be at most 1000", file,
                (long long)line, what, angle_deg, loss_db);
    RCITY_CHECK(context, cut->point_count < RCITY_CUT_POINT_MAX, RCITY_ERR_FORMAT,
                "'%s' line %lld: the %s cut has more than %d angles", file, (long long)line, what, RCITY_CUT_POINT_MAX);
    RCITY_TRY(rcity_reserve(context, cut->point_count + 1, sizeof *cut->point, &cut->point_capacity, "an antenna",
                            &cut->point));
    double turned_deg = angle_deg < 0.0 ? angle_deg + 360.0 : angle_deg;
    rcity_cut_point point = {turned_deg >= 360.0 ? 0.0 : turned_deg, angle_deg, loss_db, line};
    cut->point[cut->point_count++] = point;
    return RCITY_OK;
}

static int compare_points(const void *a, const void *b)
{
    const rcity_cut_point *first = a;
    const rcity_cut_point *second = b;
    if (first->angle_deg != second->angle_deg) {
        return first->angle_deg < second->angle_deg ? -1 : 1;
    }
    return (first->line > second->line) - (first->line < second->line);
}

/* Angle of the point after `index`; after the last one comes the first, plus 360. */
static double next_angle_deg(const rcity_pattern_cut *cut, size_t index)
{
    return index + 1 < cut->point_count ? cut->point[index + 1].angle_deg : cut->point[0].angle_deg + 360.0;
}

/* Refuse an angle that occurs twice. 0 and 360, or -180 and 180, may both occur with the same loss: they are the two
   ends of a cut. */
static rcity_status remove_twins(rcity_context *context, rcity_pattern_cut *cut, const char *file, const char *what)
{
    size_t kept = 0;
    for (size_t i = 0; i < cut->point_count; i++) {
        if (kept > 0 && cut->point[i].angle_deg == cut->point[kept - 1].angle_deg) {
            const rcity_cut_point *twin = &cut->point[kept - 1];
            bool is_other_end = twin->given_deg != cut->point[i].given_deg &&
                                fabs(twin->loss_db - cut->point[i].loss_db) <= TWIN_TOLERANCE_DB;
            RCITY_CHECK(context, is_other_end, RCITY_ERR_FORMAT,
                        "'%s' line %lld gives the %s cut at %g degrees a second time (first in line %lld); remove one",
                        file, (long long)cut->point[i].line, what, cut->point[i].given_deg, (long long)twin->line);
            continue;
        }
        cut->point[kept++] = cut->point[i];
    }
    cut->point_count = kept;
    return RCITY_OK;
}

static rcity_status check_gaps(rcity_context *context, const rcity_pattern_cut *cut, const char *file, const char *what)
{
    double even_deg = 360.0 / (double)cut->point_count;
    bool is_even = even_deg <= RCITY_CUT_STEP_MAX_DEG;
    for (size_t i = 0; i < cut->point_count && is_even; i++) {
        is_even = fabs(next_angle_deg(cut, i) - cut->point[i].angle_deg - even_deg) <= 0.01 * even_deg;
    }
    for (size_t i = 0; i < cut->point_count && !is_even; i++) {
        double next_deg = next_angle_deg(cut, i);
        RCITY_CHECK(
            context, next_deg - cut->point[i].angle_deg <= RCITY_CUT_GAP_MAX_DEG, RCITY_ERR_FORMAT,
            "'%s' line %lld: angles are missing: the %s cut has none between %g and %g degrees; give all of 0 to "
            "359, or gaps of at most %g degrees",
            file, (long long)cut->point[i].line, what, cut->point[i].angle_deg, fmod(next_deg, 360.0),
            RCITY_CUT_GAP_MAX_DEG);
    }
    return RCITY_OK;
}

/* Loss at whole degrees, interpolated linearly between the points. */
static void sample(const rcity_pattern_cut *cut, float loss_db[360])
{
    size_t below = cut->point_count - 1; /* the point at or before the degree; at 0 that may be the last point */
    double below_deg = cut->point[below].angle_deg - 360.0;
    size_t above = 0;
    for (int degree = 0; degree < 360; degree++) {
        while (above < cut->point_count && cut->point[above].angle_deg <= degree) {
            below = above++;
            below_deg = cut->point[below].angle_deg;
        }
        size_t next = above < cut->point_count ? above : 0;
        double next_deg = above < cut->point_count ? cut->point[next].angle_deg : cut->point[0].angle_deg + 360.0;
        double share = (degree - below_deg) / (next_deg - below_deg);
        loss_db[degree] = (float)((1.0 - share) * cut->point[below].loss_db + share * cut->point[next].loss_db);
    }
}

rcity_status rcity_pattern_cut_finish(rcity_context *context, rcity_pattern_cut *cut, const char *file,
                                      const char *what, float loss_db[360])
{
    RCITY_CHECK(context, cut->point_count > 0, RCITY_ERR_FORMAT, "'%s' has no %s cut", file, what);
    qsort(cut->point, cut->point_count, sizeof *cut->point, compare_points);
    RCITY_TRY(remove_twins(context, cut, file, what));
    RCITY_TRY(check_gaps(context, cut, file, what));
    sample(cut, loss_db);
    float least_db = loss_db[0];
    for (int degree = 1; degree < 360; degree++) {
        least_db = fminf(least_db, loss_db[degree]);
    }
    for (int degree = 0; degree < 360; degree++) {
        loss_db[degree] -= least_db;
    }
    if ((double)least_db > PEAK_WARNING_DB) {
        rcity_log(
            context, RCITY_LOG_WARNING,
            "'%s': the strongest value of the %s cut is %.2f dB below the gain; all its losses are lowered by that",
            file, what, (double)least_db);
    }
    return RCITY_OK;
}

/* Loss of the vertical cut at a tilt, at the nearest whole degree. */
static double loss_at_tilt_db(const rcity_antenna_cuts *cuts, double tilt_deg)
{
    return (double)cuts->vertical_loss_db[((int)lround(tilt_deg) + 360) % 360];
}

rcity_status rcity_pattern_make(rcity_context *context, const char *file, rcity_antenna_cuts *cuts,
                                rcity_antenna **antenna)
{
    double stated_deg = cuts->electrical_tilt_deg;
    if (!isnan(stated_deg) && loss_at_tilt_db(cuts, stated_deg) > TILT_WARNING_DB) {
        rcity_log(
            context, RCITY_LOG_WARNING,
            "'%s' states an electrical tilt of %g degrees, but its vertical cut is %.1f dB weaker there than at its "
            "strongest, which counts instead",
            file, stated_deg, loss_at_tilt_db(cuts, stated_deg));
        cuts->electrical_tilt_deg = (double)NAN;
    }
    rcity_status status = rcity_antenna_create_from_cuts(context, cuts, antenna);
    return status == RCITY_OK ? RCITY_OK : rcity_fail_prefix(context, status, "'%s': ", file);
}
