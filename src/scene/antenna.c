/* Antenna patterns: built-in ones, two measured cuts, and mounting.

   The horizontal cut of a file is taken to run around the antenna at the elevation where the vertical cut is strongest
   in front, not at the horizon: files give both cuts in dB below the strongest direction, so a horizontal cut that
   reaches 0 must go through the beam, also when an electrical tilt has lowered it. Both cuts then share two directions,
   one in front and one behind, equally far below the horizon. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "base/angle.h"
#include "scene/antenna_data.h"

/* How far from 0 dB the strongest value of a cut may be: the rounding of files that were normalised before. */
#define PEAK_TOLERANCE_DB 0.001

/* Beam widths are read between samples this far apart. */
#define SAMPLE_STEP_DEG 0.1
#define SAMPLE_COUNT    3600

static_assert((int)RCITY_ANTENNA_LOSS_MAX_DB == (int)RCITY_ANTENNA_FLOOR_DB, "one floor for kernels and users");

static const struct {
    const char *name;
    rcity_i32 kind;
    double gain_dbi;
} built_in[] = {
    {"isotropic", RCITY_ANTENNA_KIND_ISOTROPIC, 0.0},
    {"dipole", RCITY_ANTENNA_KIND_DIPOLE, RCITY_DIPOLE_GAIN_DBI},
    {"3gpp", RCITY_ANTENNA_KIND_3GPP, 8.0},
};

static rcity_status make(rcity_context *context, const char *name, rcity_antenna **antenna)
{
    rcity_antenna *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "an antenna", &made));
    made->context = context;
    made->frequency_hz = (double)NAN;
    made->table_count = 1;
    rcity_status status = rcity_copy_text(context, name, &made->name);
    if (status != RCITY_OK) {
        rcity_release(context, made);
        return status;
    }
    *antenna = made;
    return RCITY_OK;
}

rcity_status rcity_antenna_create(rcity_context *context, const char *name, rcity_antenna **antenna)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, name);
    RCITY_NEED(context, antenna);
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++) {
        if (strcmp(name, built_in[i].name) == 0) {
            rcity_antenna *made = NULL;
            RCITY_TRY(make(context, name, &made));
            made->kind = built_in[i].kind;
            made->gain_dbi = built_in[i].gain_dbi;
            *antenna = made;
            return RCITY_OK;
        }
    }
    return rcity_fail(context, RCITY_ERR_ARGUMENT,
                      "there is no built-in antenna '%.100s'; there are isotropic, dipole and 3gpp", name);
}

/* Every loss is a number from 0 up, and one of them is 0. */
static rcity_status check_cut(rcity_context *context, const char *what, const float loss_db[360])
{
    double least_db = HUGE_VAL;
    for (int degree = 0; degree < 360; degree++) {
        double value_db = (double)loss_db[degree];
        RCITY_CHECK(
            context, value_db >= 0.0 && isfinite(value_db), RCITY_ERR_ARGUMENT,
            "the %s cut has a loss of %g dB at %d degrees; losses are dB below the strongest direction, 0 or more",
            what, value_db, degree);
        least_db = fmin(least_db, value_db);
    }
    RCITY_CHECK(context, least_db <= PEAK_TOLERANCE_DB, RCITY_ERR_ARGUMENT,
                "the %s cut is nowhere strongest: its least loss is %g dB, must be 0; subtract it from all losses",
                what, least_db);
    return RCITY_OK;
}

static rcity_status check_cuts(rcity_context *context, const rcity_antenna_cuts *cuts)
{
    RCITY_CHECK(context, fabs(cuts->gain_dbi) <= RCITY_ANTENNA_GAIN_MAX_DBI, RCITY_ERR_ARGUMENT,
                "the antenna's gain is %g dBi, must be within %g dBi", cuts->gain_dbi, RCITY_ANTENNA_GAIN_MAX_DBI);
    RCITY_CHECK(context, isnan(cuts->electrical_tilt_deg) || fabs(cuts->electrical_tilt_deg) <= 90.0,
                RCITY_ERR_ARGUMENT, "the antenna's electrical tilt is %g degrees, must be within 90",
                cuts->electrical_tilt_deg);
    RCITY_CHECK(context, isnan(cuts->frequency_hz) || (cuts->frequency_hz > 0.0 && isfinite(cuts->frequency_hz)),
                RCITY_ERR_ARGUMENT, "the antenna's frequency is %g Hz, must be above 0", cuts->frequency_hz);
    RCITY_CHECK(context, cuts->synthesis == RCITY_SYNTHESIS_PROJECTION || cuts->synthesis == RCITY_SYNTHESIS_SUM,
                RCITY_ERR_ARGUMENT, "the synthesis of a pattern is %d, must be projection or sum",
                (int)cuts->synthesis);
    RCITY_TRY(check_cut(context, "horizontal", cuts->horizontal_loss_db));
    return check_cut(context, "vertical", cuts->vertical_loss_db);
}

static float vertical_at(const float loss_db[360], int below_deg)
{
    return loss_db[(below_deg + 360) % 360];
}

/* Degrees below the horizon at which the front half of the vertical cut is strongest: the middle of the flat maximum
   nearest to the horizon. */
static double find_peak_deg(const float loss_db[360])
{
    int peak_deg = 0;
    for (int distance = 0; distance <= 90; distance++) {
        for (int side = 1; side >= -1; side -= 2) {
            if (vertical_at(loss_db, side * distance) < vertical_at(loss_db, peak_deg)) {
                peak_deg = side * distance;
            }
        }
    }
    float least_db = vertical_at(loss_db, peak_deg);
    int first_deg = peak_deg;
    int last_deg = peak_deg;
    while (first_deg > -90 && vertical_at(loss_db, first_deg - 1) <= least_db) {
        first_deg--;
    }
    while (last_deg < 90 && vertical_at(loss_db, last_deg + 1) <= least_db) {
        last_deg++;
    }
    return 0.5 * (double)(first_deg + last_deg);
}

static rcity_status antenna_create_from_cuts(rcity_context *context, const rcity_antenna_cuts *cuts,
                                             rcity_antenna **antenna)
{
    RCITY_TRY(check_cuts(context, cuts));
    rcity_antenna *made = NULL;
    RCITY_TRY(make(context, cuts->name != NULL ? cuts->name : "antenna", &made));
    double peak_deg = find_peak_deg(cuts->vertical_loss_db);
    double tilt_deg = isnan(cuts->electrical_tilt_deg) ? peak_deg : cuts->electrical_tilt_deg;
    made->kind = cuts->synthesis == RCITY_SYNTHESIS_SUM ? RCITY_ANTENNA_KIND_SUM : RCITY_ANTENNA_KIND_PROJECTION;
    made->gain_dbi = cuts->gain_dbi;
    made->tilt_rad = rcity_angle_rad(tilt_deg);
    made->peak_rad = rcity_angle_rad(peak_deg);
    made->frequency_hz = cuts->frequency_hz;
    made->table_count = RCITY_ANTENNA_TABLE_COUNT;
    float *vertical_db = made->table_db + RCITY_ANTENNA_TABLE_VERTICAL;
    for (int degree = 0; degree < 360; degree++) {
        made->table_db[degree] = fminf(cuts->horizontal_loss_db[degree], RCITY_ANTENNA_LOSS_MAX_DB);
        vertical_db[degree] = fminf(cuts->vertical_loss_db[degree], RCITY_ANTENNA_LOSS_MAX_DB);
    }
    made->table_db[RCITY_ANTENNA_TABLE_FRONT] = rcity_antenna_cut_loss_db(vertical_db, (float)peak_deg);
    made->table_db[RCITY_ANTENNA_TABLE_BACK] = rcity_antenna_cut_loss_db(vertical_db, (float)(180.0 - peak_deg));
    *antenna = made;
    return RCITY_OK;
}

rcity_status rcity_antenna_create_from_cuts_sized(rcity_context *context, size_t cuts_bytes,
                                                  const rcity_antenna_cuts *cuts, rcity_antenna **antenna)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, antenna);
    rcity_antenna_cuts known;
    RCITY_TAKE_SIZED(context, rcity_antenna_cuts, cuts, cuts_bytes, &known);
    return antenna_create_from_cuts(context, &known, antenna);
}

void rcity_antenna_destroy(rcity_antenna **antenna)
{
    if (antenna == NULL || *antenna == NULL) {
        return;
    }
    rcity_context *context = (*antenna)->context;
    rcity_release(context, (*antenna)->path);
    rcity_release(context, (*antenna)->name);
    rcity_release(context, *antenna);
    *antenna = NULL;
}

void rcity_antenna_mount(const rcity_antenna *antenna, double azimuth_rad, double mechanical_tilt_rad,
                         double electrical_tilt_rad, rcity_antenna_job *job)
{
    memset(job, 0, sizeof *job);
    job->kind = antenna != NULL ? antenna->kind : RCITY_ANTENNA_KIND_ISOTROPIC;
    job->gain_dbi = antenna != NULL ? (float)antenna->gain_dbi : 0.0f;
    if (antenna != NULL && !isnan(electrical_tilt_rad)) {
        job->tilt_rad = (float)(electrical_tilt_rad - antenna->tilt_rad);
    }
    job->sin_azimuth = (float)sin(azimuth_rad);
    job->cos_azimuth = (float)cos(azimuth_rad);
    job->sin_tilt = (float)sin(mechanical_tilt_rad);
    job->cos_tilt = (float)cos(mechanical_tilt_rad);
}

const float *rcity_antenna_table(const rcity_antenna *antenna, int64_t *count)
{
    static const float no_table[1] = {0.0f};
    *count = antenna != NULL ? antenna->table_count : 1;
    return antenna != NULL ? antenna->table_db : no_table;
}

static bool are_cuts_round(const rcity_antenna *antenna)
{
    const float *vertical_db = antenna->table_db + RCITY_ANTENNA_TABLE_VERTICAL;
    for (int degree = 0; degree < 360; degree++) {
        bool is_mirrored = antenna->kind == RCITY_ANTENNA_KIND_SUM ||
                           vertical_at(vertical_db, degree) == vertical_at(vertical_db, 180 - degree);
        if (!is_mirrored || antenna->table_db[degree] != antenna->table_db[0]) {
            return false;
        }
    }
    return true;
}

bool rcity_antenna_is_round(const rcity_antenna *antenna, double mechanical_tilt_rad)
{
    if (antenna == NULL || antenna->kind == RCITY_ANTENNA_KIND_ISOTROPIC) {
        return true;
    }
    if (mechanical_tilt_rad != 0.0 || antenna->kind == RCITY_ANTENNA_KIND_3GPP) {
        return false;
    }
    return antenna->kind == RCITY_ANTENNA_KIND_DIPOLE || are_cuts_round(antenna);
}

/* The kernels' own function, in float, so that drawings and descriptions show what is predicted. */
double rcity_antenna_gain_dbi(const rcity_antenna *antenna, double electrical_tilt_deg, double azimuth_deg,
                              double elevation_deg)
{
    if (antenna == NULL) {
        return (double)NAN;
    }
    double up_deg = remainder(elevation_deg, 360.0);
    double turned_deg = azimuth_deg;
    if (fabs(up_deg) > 90.0) { /* past the zenith: down on the other side */
        up_deg = copysign(180.0, up_deg) - up_deg;
        turned_deg += 180.0;
    }
    turned_deg = remainder(turned_deg, 360.0);
    rcity_antenna_job job;
    rcity_antenna_mount(antenna, 0.0, 0.0, rcity_angle_rad(electrical_tilt_deg), &job);
    return (double)rcity_antenna_pattern_gain(job, antenna->table_db, (float)rcity_angle_rad(turned_deg),
                                              (float)rcity_angle_rad(up_deg));
}

/* Gain along one of the two planes, without mounting. */
static double plane_gain_dbi(const rcity_antenna *antenna, bool is_vertical, double angle_deg)
{
    double peak_deg = rcity_angle_deg(antenna->peak_rad);
    return is_vertical ? rcity_antenna_gain_dbi(antenna, (double)NAN, 0.0, angle_deg)
                       : rcity_antenna_gain_dbi(antenna, (double)NAN, angle_deg, -peak_deg);
}

/* The angle from the strongest direction of a plane to one side at which the gain falls by 3 dB, or 180. */
static double half_width_deg(const rcity_antenna *antenna, bool is_vertical, double peak_deg, double side)
{
    double limit_dbi = plane_gain_dbi(antenna, is_vertical, peak_deg) - 3.0;
    double before_dbi = limit_dbi + 3.0;
    for (int i = 1; i <= SAMPLE_COUNT / 2; i++) {
        double here_dbi = plane_gain_dbi(antenna, is_vertical, peak_deg + side * SAMPLE_STEP_DEG * i);
        if (here_dbi < limit_dbi) {
            return SAMPLE_STEP_DEG * (i - 1 + (before_dbi - limit_dbi) / (before_dbi - here_dbi));
        }
        before_dbi = here_dbi;
    }
    return 180.0;
}

static double width_deg(const rcity_antenna *antenna, bool is_vertical)
{
    double peak_deg = is_vertical ? -rcity_angle_deg(antenna->peak_rad) : 0.0;
    double peak_dbi = plane_gain_dbi(antenna, is_vertical, peak_deg);
    for (int i = 1; i < SAMPLE_COUNT; i++) {
        double here_dbi = plane_gain_dbi(antenna, is_vertical, SAMPLE_STEP_DEG * i);
        if (here_dbi > peak_dbi) {
            peak_dbi = here_dbi;
            peak_deg = SAMPLE_STEP_DEG * i;
        }
    }
    return half_width_deg(antenna, is_vertical, peak_deg, 1.0) + half_width_deg(antenna, is_vertical, peak_deg, -1.0);
}

static void antenna_describe(const rcity_antenna *antenna, rcity_antenna_info *info)
{
    static const char *const kind_name[] = {"isotropic", "dipole", "3gpp", "cuts", "cuts"};
    assert(antenna != NULL && info != NULL);
    info->name = antenna->name;
    info->kind = kind_name[antenna->kind];
    info->gain_dbi = antenna->gain_dbi;
    info->horizontal_width_deg = width_deg(antenna, false);
    info->vertical_width_deg = width_deg(antenna, true);
    info->front_to_back_db = fmax(antenna->gain_dbi - plane_gain_dbi(antenna, false, 180.0), 0.0);
    info->electrical_tilt_deg = rcity_angle_deg(antenna->tilt_rad);
    info->frequency_hz = antenna->frequency_hz;
    info->path = antenna->path;
}

void rcity_antenna_describe_sized(const rcity_antenna *antenna, size_t info_bytes, rcity_antenna_info *info)
{
    if (antenna == NULL || info == NULL) {
        return;
    }
    rcity_antenna_info made;
    antenna_describe(antenna, &made);
    rcity_copy_struct(&made, sizeof made, info_bytes, info);
}
