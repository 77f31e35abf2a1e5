/* Losses of beams, in double precision. */
#define RCITY_REAL_IS_DOUBLE

#include "method/beams/tree/beam_loss.h"

#include <math.h>

#include "kernel/wave/face.h"

#define TWO_PI       6.28318530717958647692
#define SAMPLE_COUNT 3
#define PASS_SAMPLES 9 /* waves in a wall add up at some angles and cancel at others */
#define LENGTH_MIN_M 1e-3
#define LOSS_MOST_DB 200.0 /* of one reflection: Brewster's angle takes no more */

double rcity_beam_spread_db(const rcity_facet_table *facets, double length_m)
{
    return 20.0 * log10(2.0 * TWO_PI * fmax(length_m, LENGTH_MIN_M) / facets->wavelength_m);
}

static rcity_face face_of(const rcity_facet_table *facets, int32_t wall)
{
    const rcity_facet_material *material = &facets->materials[facets->mirrors[wall].material_index];
    rcity_face face;
    face.permittivity = rcity_complex_make(material->permittivity_re, material->permittivity_im);
    face.thickness_m = material->thickness_m;
    face.is_conductor = material->is_conductor;
    face.rough_loss = facets->reflected_loss;
    return face;
}

double rcity_beam_reflection_db(const rcity_facet_table *facets, int32_t wall, double cos_right, double cos_left)
{
    rcity_face face = face_of(facets, wall);
    double most = 0.0;
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        double cosine = cos_right + (cos_left - cos_right) * i / (SAMPLE_COUNT - 1);
        rcity_face_response response = rcity_face_reflect(face, TWO_PI / facets->wavelength_m, cosine);
        most = fmax(most, fmax(rcity_complex_square(response.te), rcity_complex_square(response.tm)));
    }
    return fmin(fmax(-10.0 * log10(most), 0.0), LOSS_MOST_DB);
}

double rcity_beam_transmission_db(const rcity_facet_table *facets, int32_t wall, double cos_least, double cos_most)
{
    rcity_face face = face_of(facets, wall);
    double most = 0.0;
    for (int i = 0; i < PASS_SAMPLES; i++) {
        double cosine = cos_least + (cos_most - cos_least) * i / (PASS_SAMPLES - 1);
        rcity_face_response response = rcity_face_transmit(face, TWO_PI / facets->wavelength_m, cosine);
        most = fmax(most, fmax(rcity_complex_square(response.te), rcity_complex_square(response.tm)));
    }
    double kept = 1.0 - facets->passed_loss;
    return fmin(fmax(-10.0 * log10(kept * kept * most), 0.0), LOSS_MOST_DB);
}
