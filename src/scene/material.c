/* Materials of ITU-R P.2040-3, and the words that map data use for them. */
#include "scene/material.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/abi.h"

/* ITU-R P.2040-3 (08/2023), table 3: a, b, c, d and the range of frequencies in GHz. This is edition 3; edition 4 of
   2025 adds rows. Glass and ceiling board have two ranges each; the upper one has a name of its own here. Thickness and
   scattering are not from the Recommendation: they are those of usual walls and panes, and coefficients of the size
   that Degli-Esposti et al. (IEEE Trans. Antennas Propag. 55, 2007) found on house walls, lower for smooth materials.
   Ground is a half-space. */
typedef struct material_row {
    const char *name;
    double a, b, c, d;
    double min_ghz, max_ghz;
    double thickness_m, scattering;
} material_row;

static const material_row rows[] = {
    {"vacuum", 1.0, 0.0, 0.0, 0.0, 0.001, 100.0, 0.0, 0.0},
    {"concrete", 5.24, 0.0, 0.0462, 0.7822, 1.0, 100.0, 0.25, 0.3},
    {"brick", 3.91, 0.0, 0.0238, 0.16, 1.0, 40.0, 0.24, 0.3},
    {"plasterboard", 2.73, 0.0, 0.0085, 0.9395, 1.0, 100.0, 0.0125, 0.1},
    {"wood", 1.99, 0.0, 0.0047, 1.0718, 0.001, 100.0, 0.05, 0.2},
    {"glass", 6.31, 0.0, 0.0036, 1.3394, 0.1, 100.0, 0.006, 0.05},
    {"glass_220_ghz", 5.79, 0.0, 0.0004, 1.658, 220.0, 450.0, 0.006, 0.05},
    {"ceiling_board", 1.48, 0.0, 0.0011, 1.075, 1.0, 100.0, 0.015, 0.1},
    {"ceiling_board_220_ghz", 1.52, 0.0, 0.0029, 1.029, 220.0, 450.0, 0.015, 0.1},
    {"chipboard", 2.58, 0.0, 0.0217, 0.78, 1.0, 100.0, 0.018, 0.1},
    {"plywood", 2.71, 0.0, 0.33, 0.0, 1.0, 40.0, 0.018, 0.1},
    {"marble", 7.074, 0.0, 0.0055, 0.9262, 1.0, 60.0, 0.03, 0.1},
    {"floorboard", 3.66, 0.0, 0.0044, 1.3515, 50.0, 100.0, 0.02, 0.1},
    {"metal", 1.0, 0.0, 1e7, 0.0, 1.0, 100.0, 0.002, 0.05},
    {"very_dry_ground", 3.0, 0.0, 0.00015, 2.52, 1.0, 10.0, 0.0, 0.3},
    {"medium_dry_ground", 15.0, -0.1, 0.035, 1.63, 1.0, 10.0, 0.0, 0.3},
    {"wet_ground", 30.0, -0.4, 0.15, 1.3, 1.0, 10.0, 0.0, 0.3},
};

#define ROW_COUNT ((int)(sizeof rows / sizeof rows[0]))

/* Values of OpenStreetMap's building:material and similar. Stone of every kind reflects about as marble does; plaster,
   clay and tiles cover brickwork or are brickwork; plastic siding hangs on a wooden frame. */
typedef struct material_word {
    const char *word;
    const char *name;
} material_word;

static const material_word words[] = {
    {"air", "vacuum"},
    {"cement", "concrete"},
    {"cement_block", "concrete"},
    {"cement_blocks", "concrete"},
    {"concrete_block", "concrete"},
    {"concrete_blocks", "concrete"},
    {"reinforced_concrete", "concrete"},
    {"prefabricated_concrete", "concrete"},
    {"asphalt", "concrete"},
    {"bricks", "brick"},
    {"brickwork", "brick"},
    {"masonry", "brick"},
    {"plaster", "brick"},
    {"stucco", "brick"},
    {"adobe", "brick"},
    {"clay", "brick"},
    {"loam", "brick"},
    {"mud", "brick"},
    {"rammed_earth", "brick"},
    {"tile", "brick"},
    {"tiles", "brick"},
    {"roof_tiles", "brick"},
    {"drywall", "plasterboard"},
    {"gypsum", "plasterboard"},
    {"timber", "wood"},
    {"timber_framing", "wood"},
    {"timber_frame", "wood"},
    {"wooden", "wood"},
    {"log", "wood"},
    {"bamboo", "wood"},
    {"thatch", "wood"},
    {"vinyl", "wood"},
    {"plastic", "wood"},
    {"siding", "wood"},
    {"mirror", "glass"},
    {"glazing", "glass"},
    {"solar_panels", "glass"},
    {"particle_board", "chipboard"},
    {"stone", "marble"},
    {"granite", "marble"},
    {"limestone", "marble"},
    {"sandstone", "marble"},
    {"slate", "marble"},
    {"steel", "metal"},
    {"iron", "metal"},
    {"tin", "metal"},
    {"copper", "metal"},
    {"zinc", "metal"},
    {"aluminium", "metal"},
    {"aluminum", "metal"},
    {"metal_plates", "metal"},
    {"metal_sheet", "metal"},
    {"corrugated_metal", "metal"},
    {"earth", "medium_dry_ground"},
    {"ground", "medium_dry_ground"},
    {"soil", "medium_dry_ground"},
    {"grass", "medium_dry_ground"},
    {"dry_ground", "very_dry_ground"},
    {"sand", "very_dry_ground"},
};

#define WORD_COUNT ((int)(sizeof words / sizeof words[0]))

static char folded(char letter)
{
    return letter == '-' || letter == ' ' ? '_' : (char)tolower((unsigned char)letter);
}

static const char *without_prefix(const char *name)
{
    const char *prefix = "itu_";
    for (int i = 0; prefix[i] != '\0'; i++) {
        if (folded(name[i]) != prefix[i]) {
            return name;
        }
    }
    return name + 4;
}

bool rcity_material_is_named(const char *left, const char *right)
{
    left = without_prefix(left);
    right = without_prefix(right);
    while (*left != '\0' && folded(*left) == folded(*right)) {
        left++;
        right++;
    }
    return *left == '\0' && *right == '\0';
}

int rcity_material_count(void)
{
    return ROW_COUNT;
}

static bool material_get(int material_index, rcity_material *material)
{
    if (material_index < 0 || material_index >= ROW_COUNT) {
        return false;
    }
    const material_row *row = &rows[material_index];
    memset(material, 0, sizeof *material);
    memcpy(material->name, row->name, strlen(row->name));
    material->a = row->a;
    material->b = row->b;
    material->c = row->c;
    material->d = row->d;
    material->frequency_min_hz = row->min_ghz * 1e9;
    material->frequency_max_hz = row->max_ghz * 1e9;
    material->thickness_m = row->thickness_m;
    material->scattering = row->scattering;
    return true;
}

rcity_status rcity_material_get_sized(int material_index, size_t material_bytes, rcity_material *material)
{
    rcity_material made;
    RCITY_NEED(NULL, material);
    RCITY_CHECK_BYTES(NULL, rcity_material, material_bytes);
    if (!material_get(material_index, &made)) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&made, sizeof made, material_bytes, material);
    return RCITY_OK;
}

static bool material_find(const char *name, rcity_material *material)
{
    for (int i = 0; i < WORD_COUNT; i++) {
        if (rcity_material_is_named(name, words[i].word)) {
            name = words[i].name;
            break;
        }
    }
    for (int i = 0; i < ROW_COUNT; i++) {
        if (rcity_material_is_named(name, rows[i].name)) {
            return material_get(i, material);
        }
    }
    return false;
}

bool rcity_material_find_sized(const char *name, size_t material_bytes, rcity_material *material)
{
    rcity_material made;
    if (name == NULL || material == NULL || !material_find(name, &made)) {
        return false;
    }
    rcity_copy_struct(&made, sizeof made, material_bytes, material);
    return true;
}

const char *rcity_surface_material(rcity_surface surface)
{
    switch (surface) {
    case RCITY_SURFACE_WALL:
    case RCITY_SURFACE_ROOF:
        return "concrete";
    case RCITY_SURFACE_GROUND:
        return "medium_dry_ground";
    case RCITY_SURFACE_COUNT:
        break;
    }
    return NULL;
}

static rcity_permittivity material_evaluate(const rcity_material *material, double frequency_hz)
{
    /* CODATA 2018: vacuum permittivity in F/m; 1 / (2 pi epsilon_0 1e9) is the 17.98 that the Recommendation prints. */
    const double epsilon_0 = 8.8541878128e-12;
    const double pi = 3.14159265358979323846;
    double nearest_hz = fmin(fmax(frequency_hz, material->frequency_min_hz), material->frequency_max_hz);
    rcity_permittivity value;
    /* ITU-R P.2040-3, table 3 and the formulas above it */
    value.real = material->a * pow(nearest_hz * 1e-9, material->b);
    double lossy_hz = fmin(frequency_hz, material->frequency_max_hz);
    value.conductivity_s_per_m = material->c * pow(lossy_hz * 1e-9, material->d);
    value.imaginary = value.conductivity_s_per_m / (2.0 * pi * epsilon_0 * frequency_hz);
    value.is_extrapolated = nearest_hz != frequency_hz;
    return value;
}

void rcity_material_evaluate_sized(size_t material_bytes, const rcity_material *material, double frequency_hz,
                                   size_t permittivity_bytes, rcity_permittivity *permittivity)
{
    if (permittivity == NULL) {
        return;
    }
    rcity_permittivity made = {.real = (double)NAN, .conductivity_s_per_m = (double)NAN, .imaginary = (double)NAN};
    if (material != NULL && frequency_hz > 0.0) {
        rcity_material known;
        rcity_copy_struct(material, material_bytes, sizeof known, &known);
        made = material_evaluate(&known, frequency_hz);
    }
    rcity_copy_struct(&made, sizeof made, permittivity_bytes, permittivity);
}

/* Frequencies that a material may be made for, in the unit of messages. */
#define FREQUENCY_MIN_GHZ 1e-6
#define FREQUENCY_MAX_GHZ 1e4

static rcity_status check_range(rcity_context *context, const rcity_material *material, const char *what, double value,
                                double low, double high)
{
    RCITY_CHECK(context, value >= low && value <= high, RCITY_ERR_ARGUMENT,
                "the %s of material '%s' is %g, must be %g to %g", what, material->name, value, low, high);
    return RCITY_OK;
}

rcity_status rcity_material_check(rcity_context *context, const rcity_material *material)
{
    const char *end = memchr(material->name, '\0', sizeof material->name);
    RCITY_CHECK(context, end != NULL && end != material->name, RCITY_ERR_ARGUMENT,
                "a material's name has no letter or over %d", RCITY_MATERIAL_NAME_BYTES - 1);
    for (const char *letter = material->name; letter != end; letter++) {
        RCITY_CHECK(context, !iscntrl((unsigned char)*letter), RCITY_ERR_ARGUMENT,
                    "a material's name has a control character at byte %d", (int)(letter - material->name));
    }
    RCITY_TRY(check_range(context, material, "exponent b", material->b, -RCITY_MATERIAL_EXPONENT_MAX,
                          RCITY_MATERIAL_EXPONENT_MAX));
    RCITY_TRY(check_range(context, material, "exponent d", material->d, -RCITY_MATERIAL_EXPONENT_MAX,
                          RCITY_MATERIAL_EXPONENT_MAX));
    RCITY_TRY(check_range(context, material, "factor a", material->a, 0.0, RCITY_MATERIAL_FACTOR_MAX));
    RCITY_TRY(check_range(context, material, "factor c", material->c, 0.0, RCITY_MATERIAL_FACTOR_MAX));
    RCITY_TRY(check_range(context, material, "lowest frequency in GHz", material->frequency_min_hz * 1e-9,
                          FREQUENCY_MIN_GHZ, FREQUENCY_MAX_GHZ));
    RCITY_TRY(check_range(context, material, "highest frequency in GHz", material->frequency_max_hz * 1e-9,
                          material->frequency_min_hz * 1e-9, FREQUENCY_MAX_GHZ));
    RCITY_TRY(check_range(context, material, "thickness in metres", material->thickness_m, 0.0,
                          RCITY_MATERIAL_THICKNESS_MAX_M));
    RCITY_TRY(check_range(context, material, "scattering coefficient", material->scattering, 0.0, 1.0));
    const double ends_hz[2] = {material->frequency_min_hz, material->frequency_max_hz};
    for (int i = 0; i < 2; i++) {
        rcity_permittivity value = rcity_material_evaluate(material, ends_hz[i]);
        RCITY_CHECK(context, value.real >= 1.0 && value.real <= RCITY_PERMITTIVITY_MAX, RCITY_ERR_ARGUMENT,
                    "material '%s' has the permittivity %g at %g GHz, must be 1 to %g", material->name, value.real,
                    ends_hz[i] * 1e-9, RCITY_PERMITTIVITY_MAX);
    }
    return RCITY_OK;
}

rcity_material_record rcity_material_to_record(const rcity_material *material)
{
    rcity_material_record record = {.a = material->a,
                                    .b = material->b,
                                    .c = material->c,
                                    .d = material->d,
                                    .frequency_min_hz = material->frequency_min_hz,
                                    .frequency_max_hz = material->frequency_max_hz,
                                    .thickness_m = material->thickness_m,
                                    .scattering = material->scattering};
    memcpy(record.name, material->name, sizeof record.name);
    return record;
}

rcity_material rcity_material_from_record(const rcity_material_record *record)
{
    rcity_material material = {.a = record->a,
                               .b = record->b,
                               .c = record->c,
                               .d = record->d,
                               .frequency_min_hz = record->frequency_min_hz,
                               .frequency_max_hz = record->frequency_max_hz,
                               .thickness_m = record->thickness_m,
                               .scattering = record->scattering};
    memcpy(material.name, record->name, sizeof material.name);
    return material;
}
