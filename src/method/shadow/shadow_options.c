/* From the options of a job to choices and weights. */
#define RCITY_REAL_IS_DOUBLE
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "kernel/wave/face.h"
#include "method/shadow/shadow_job.h"
#include "method/surroundings/mean_options.h"
#include "result/rays_data.h"
#include "scene/antenna_data.h"
#include "scene/scene_data.h"

/* Largest angle of incidence over which a wall's loss is averaged: lines through a city meet walls at all angles;
   grazing ones are rare. */
#define STEEPEST_DEG 60

static bool is_word(const rcity_job *job, rcity_shadow_option option, const char *word)
{
    return strcmp(job->option[option], word) == 0;
}

rcity_shadow_indoor rcity_shadow_read_indoor(const rcity_job *job)
{
    return is_word(job, RCITY_SHADOW_OPTION_INDOOR, "walls")             ? RCITY_SHADOW_INDOOR_WALLS
           : is_word(job, RCITY_SHADOW_OPTION_INDOOR, "p2109")           ? RCITY_SHADOW_INDOOR_TRADITIONAL
           : is_word(job, RCITY_SHADOW_OPTION_INDOOR, "p2109-efficient") ? RCITY_SHADOW_INDOOR_EFFICIENT
                                                                         : RCITY_SHADOW_INDOOR_OFF;
}

rcity_shadow_choice rcity_shadow_read_choice(const rcity_job *job)
{
    rcity_shadow_choice choice = {
        .order = (int)job->number[RCITY_SHADOW_OPTION_MAX_CORNERS],
        .roofs = is_word(job, RCITY_SHADOW_OPTION_ROOFS, "off")     ? RCITY_SHADOW_ROOFS_OFF
                 : is_word(job, RCITY_SHADOW_OPTION_ROOFS, "count") ? RCITY_SHADOW_ROOFS_COUNT
                                                                    : RCITY_SHADOW_ROOFS_EDGES,
        .walls = is_word(job, RCITY_SHADOW_OPTION_WALLS, "off")     ? RCITY_SHADOW_WALLS_OFF
                 : is_word(job, RCITY_SHADOW_OPTION_WALLS, "count") ? RCITY_SHADOW_WALLS_COUNT
                                                                    : RCITY_SHADOW_WALLS_METRES,
        .reaches_indoor = rcity_shadow_read_indoor(job) == RCITY_SHADOW_INDOOR_WALLS,
    };
    return choice;
}

static double wavenumber_of(double frequency_hz)
{
    return rcity_angle_rad(360.0) * frequency_hz / RCITY_LIGHT_EXACT_M_PER_S;
}

/* The loss of the scene's default wall, averaged in power over both polarizations and incidences up to STEEPEST_DEG:
   the slab of `images`. */
static rcity_status find_wall_loss(const rcity_job *job, double frequency_hz, float *wall_db)
{
    rcity_material material;
    RCITY_TRY(rcity_scene_get_material(job->context, job->scene, "", RCITY_SURFACE_WALL, &material));
    rcity_permittivity at = rcity_material_evaluate(&material, frequency_hz);
    rcity_face face;
    memset(&face, 0, sizeof face);
    face.permittivity = rcity_complex_make(at.real, -at.imaginary);
    face.thickness_m = material.thickness_m;
    double wavenumber_per_m = wavenumber_of(frequency_hz);
    double power = 0.0;
    for (int degree = 0; degree <= STEEPEST_DEG; degree++) {
        rcity_face_response passed = rcity_face_transmit(face, wavenumber_per_m, cos(rcity_angle_rad(degree)));
        power += 0.5 * (passed.te.re * passed.te.re + passed.te.im * passed.te.im + passed.tm.re * passed.tm.re +
                        passed.tm.im * passed.tm.im);
    }
    *wall_db = (float)(-10.0 * log10(fmax(power / (STEEPEST_DEG + 1), 1e-30)));
    return RCITY_OK;
}

/* The coefficients of `law=paper`, from line-of-sight-offset-db on: fitted to `images`, docs/methods/shadow.md. Those
   of `law=edges` are all 0: knife edges need none. */
#define LAW_COEFFICIENTS (RCITY_SHADOW_OPTION_WALL_PATH - RCITY_SHADOW_OPTION_LINE_OF_SIGHT)
static const double paper_coefficients[LAW_COEFFICIENTS] = {
    -3.71, -0.2, -21.01, 10.07, 22.52, -3.58, 10.59, -3.91, 4.74, 24.76, -7.88,
};

bool rcity_shadow_has_edges(const rcity_job *job)
{
    return is_word(job, RCITY_SHADOW_OPTION_LAW, "edges");
}

double rcity_shadow_coefficient(const rcity_job *job, rcity_shadow_option option)
{
    bool is_of_law = option >= RCITY_SHADOW_OPTION_LINE_OF_SIGHT && option < RCITY_SHADOW_OPTION_WALL_PATH;
    if (is_of_law && isnan(job->number[option])) {
        return rcity_shadow_has_edges(job) ? 0.0 : paper_coefficients[option - RCITY_SHADOW_OPTION_LINE_OF_SIGHT];
    }
    return job->number[option];
}

static rcity_shadow_turn_law read_turns(const rcity_job *job, rcity_shadow_option first)
{
    float number[5];
    for (int i = 0; i < 5; i++) {
        number[i] = (float)rcity_shadow_coefficient(job, (rcity_shadow_option)((int)first + i));
    }
    return (rcity_shadow_turn_law){number[0], number[1], number[2], number[3], number[4]};
}

rcity_status rcity_shadow_make_weights(const rcity_job *job, const rcity_tx *tx, rcity_shadow_weights *weights,
                                       const float **pattern, int64_t *pattern_count)
{
    const rcity_transmitter *transmitter = &tx->stated;
    const double *number = job->number;
    double frequency_hz = transmitter->frequency_hz;
    double wavenumber_per_m = wavenumber_of(frequency_hz);
    memset(weights, 0, sizeof *weights);
    rcity_shadow_law *law = &weights->law;
    law->corner = read_turns(job, RCITY_SHADOW_OPTION_CORNER_PATH);
    law->roof = read_turns(job, RCITY_SHADOW_OPTION_ROOF_PATH);
    law->mean =
        rcity_mean_law_read(job, (rcity_mean_options){.diffuse = RCITY_SHADOW_OPTION_DIFFUSE,
                                                      .diffuse_roof = RCITY_SHADOW_OPTION_DIFFUSE_ROOF,
                                                      .diffuse_elevation = RCITY_SHADOW_OPTION_DIFFUSE_ELEVATION,
                                                      .doubt = RCITY_SHADOW_OPTION_DOUBT,
                                                      .doubt_distance = RCITY_SHADOW_OPTION_DOUBT_DISTANCE});
    law->has_knife_edges = rcity_shadow_has_edges(job);
    law->wavelength_m = (float)(RCITY_LIGHT_EXACT_M_PER_S / frequency_hz);
    law->per_root_wavelength = (float)sqrt(frequency_hz / RCITY_LIGHT_EXACT_M_PER_S);
    law->direct_db = (float)rcity_shadow_coefficient(job, RCITY_SHADOW_OPTION_LINE_OF_SIGHT);
    law->first_wall_db = (float)number[RCITY_SHADOW_OPTION_WALL_PATH];
    law->wall_db = (float)number[RCITY_SHADOW_OPTION_WALL];
    if (is_word(job, RCITY_SHADOW_OPTION_WALL, "material")) {
        RCITY_TRY(find_wall_loss(job, frequency_hz, &law->wall_db));
    }
    law->metre_db = (float)number[RCITY_SHADOW_OPTION_BUILDING];
    law->foliage_scale =
        (float)(number[RCITY_SHADOW_OPTION_FOLIAGE] * pow(frequency_hz * 1e-9, RCITY_SHADOW_FOLIAGE_EXPONENT));
    law->clutter_metre_db = (float)number[RCITY_SHADOW_OPTION_CLUTTER];
    law->clutter_height_m = (float)number[RCITY_SHADOW_OPTION_CLUTTER_HEIGHT];
    law->clutter_limit_db = (float)number[RCITY_SHADOW_OPTION_CLUTTER_LIMIT];
    law->free_space_db = (float)(20.0 * log10(2.0 * wavenumber_per_m)); /* 4 pi / lambda is 2 k */
    law->log_wavenumber = (float)log10(wavenumber_per_m);
    weights->adds_powers = is_word(job, RCITY_SHADOW_OPTION_SUM, "power");
    rcity_antenna_mount(transmitter->antenna, tx->azimuth_rad, rcity_angle_rad(transmitter->mechanical_tilt_deg),
                        rcity_angle_rad(transmitter->electrical_tilt_deg), &weights->antenna);
    if (!isnan(transmitter->power_dbm)) {
        weights->level_dbm = (float)(rcity_transmitter_eirp_dbm(transmitter) - (double)weights->antenna.gain_dbi +
                                     job->receivers->gain_dbi);
    }
    *pattern = rcity_antenna_table(transmitter->antenna, pattern_count);
    return RCITY_OK;
}
