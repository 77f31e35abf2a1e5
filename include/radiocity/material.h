/** @file material.h  What surfaces are made of: permittivity and conductivity after ITU-R P.2040. */
#ifndef RADIOCITY_MATERIAL_H
#define RADIOCITY_MATERIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "radiocity/context.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_MATERIAL_NAME_BYTES 32 /**< size of a name with its terminating 0 */

/** Limits of the materials that a scene accepts. */
#define RCITY_MATERIAL_FACTOR_MAX      1e9    /**< of a and c */
#define RCITY_MATERIAL_EXPONENT_MAX    10.0   /**< of b and d, either sign */
#define RCITY_MATERIAL_THICKNESS_MAX_M 10.0   /**< a wall */
#define RCITY_PERMITTIVITY_MAX         1000.0 /**< of the real part within the range of frequencies; it is at least 1 */

/** A material by the law of ITU-R P.2040-3, table 3: real permittivity a f^b, conductivity c f^d in S/m, f in GHz;
 *  good for frequency_min_hz to frequency_max_hz. */
typedef struct rcity_material {
    char name[RCITY_MATERIAL_NAME_BYTES]; /**< "concrete" */
    double a, b, c, d;
    double frequency_min_hz, frequency_max_hz;
    double thickness_m; /**< of a wall of it; 0: half-space */
    double scattering;  /**< effective-roughness scattering coefficient S, 0 to 1 */
} rcity_material;

/** The kinds of surface that have a default material. */
typedef enum rcity_surface {
    RCITY_SURFACE_WALL,
    RCITY_SURFACE_ROOF,
    RCITY_SURFACE_GROUND,
    RCITY_SURFACE_COUNT
} rcity_surface;

/** Built-in materials: those of ITU-R P.2040-3, table 3. Glass and ceiling board have two rows there; their upper
 *  ranges are "glass_220_ghz" and "ceiling_board_220_ghz". */
RCITY_API int rcity_material_count(void);

/** One built-in material by index. @return RCITY_ERR_ARGUMENT when out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_material_get_sized(int material_index, size_t material_bytes,
                                                                 rcity_material *material);
RCITY_MUST_CHECK static inline rcity_status rcity_material_get(int material_index, rcity_material *material)
{
    return rcity_material_get_sized(material_index, sizeof *material, material);
}

/** A built-in material by name, or by a word that map data use for it ("timber", "steel"). Case is ignored; '-', '_'
 *  and spaces are equal, and so are "brick" and "itu_brick". @return false when none. */
RCITY_API bool rcity_material_find_sized(const char *name, size_t material_bytes, rcity_material *material);
static inline bool rcity_material_find(const char *name, rcity_material *material)
{
    return rcity_material_find_sized(name, sizeof *material, material);
}

/** The default material of a kind of surface: concrete walls and roofs, medium dry ground. */
RCITY_API const char *rcity_surface_material(rcity_surface surface);

/** Properties of a material at a frequency. */
typedef struct rcity_permittivity {
    double real; /**< relative */
    double conductivity_s_per_m;
    double imaginary;     /**< relative, 0 or more; the complex value is real - j imaginary */
    bool is_extrapolated; /**< the frequency lies outside the material's range */
} rcity_permittivity;

/** Evaluate the law at a frequency. Outside the range `is_extrapolated` says so; the permittivity stays that of the
 *  nearest end. So does the conductivity above the range. Below the range the conductivity follows its law, as
 *  dielectrics do: with a constant value, a board measured from 50 GHz on would be a conductor at 2 GHz. */
RCITY_API void rcity_material_evaluate_sized(size_t material_bytes, const rcity_material *material, double frequency_hz,
                                             size_t permittivity_bytes, rcity_permittivity *permittivity);
static inline rcity_permittivity rcity_material_evaluate(const rcity_material *material, double frequency_hz)
{
    rcity_permittivity permittivity;
    rcity_material_evaluate_sized(sizeof *material, material, frequency_hz, sizeof permittivity, &permittivity);
    return permittivity;
}

#ifdef __cplusplus
}
#endif

#endif
