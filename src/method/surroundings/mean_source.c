/* Links of a transmitter in its surroundings. */
#include "method/surroundings/mean_source.h"

#include <math.h>

#include "base/angle.h"
#include "kernel/antenna.h"
#include "kernel/surroundings/surroundings_ground.h"
#include "scene/antenna_data.h"

#define LENGTH_MIN_M 1e-2 /* no receiver counts as nearer */

rcity_status rcity_mean_source_init(rcity_context *context, const rcity_built_up *built_up,
                                    const rcity_surroundings_law *law, const rcity_tx *tx, rcity_grid_point3 from,
                                    double spread_db, double wavelength_m, rcity_mean_source *source)
{
    const rcity_transmitter *stated = &tx->stated;
    int64_t pattern_count;
    source->built_up = built_up;
    source->law = *law;
    source->position = tx->position;
    rcity_antenna_mount(stated->antenna, tx->azimuth_rad, rcity_angle_rad(stated->mechanical_tilt_deg),
                        rcity_angle_rad(stated->electrical_tilt_deg), &source->antenna);
    source->pattern = rcity_antenna_table(stated->antenna, &pattern_count);
    source->wavelength_m = (float)wavelength_m;
    source->spread_db = spread_db;
    source->end.height_m = rcity_built_up_height(built_up->shapes, from.x, from.y, from.z);
    source->end.here = rcity_built_up_at(built_up, from.x, from.y);
    RCITY_TRY(rcity_alloc(context, rcity_built_up_node_count(built_up), sizeof *source->node_lines, "surroundings",
                          &source->node_lines));
    rcity_built_up_measure(context, built_up, from, source->node_lines);
    return RCITY_OK;
}

void rcity_mean_source_deinit(rcity_context *context, rcity_mean_source *source)
{
    rcity_release(context, source->node_lines);
    source->node_lines = NULL;
}

rcity_mean_link rcity_mean_source_link(const rcity_mean_source *source, rcity_grid_point3 at, const rcity_point *to)
{
    const rcity_built_up *built_up = source->built_up;
    rcity_vec3 line = {(float)(to->x_m - source->position.x_m), (float)(to->y_m - source->position.y_m),
                       (float)(to->z_m - source->position.z_m)};
    double length_m =
        fmax(sqrt((double)line.x * (double)line.x + (double)line.y * (double)line.y + (double)line.z * (double)line.z),
             LENGTH_MIN_M);
    rcity_surroundings_place place = rcity_surroundings_locate(&built_up->lattice, at.x, at.y);
    rcity_surroundings_line under = rcity_surroundings_line_at(&built_up->lattice, source->node_lines, place);
    float edge_db = rcity_surroundings_edge_db(under.hill_root_m, 1.0f / sqrtf(source->wavelength_m));
    rcity_mean_link link = {
        .source = source->end,
        .receiver = {rcity_built_up_height(built_up->shapes, at.x, at.y, at.z),
                     rcity_surroundings_node_at(&built_up->lattice, built_up->nodes, place)},
        .free_db =
            (float)(source->spread_db + 20.0 * log10(length_m)) + rcity_surroundings_hill_db(edge_db, (float)length_m),
        .length_m = (float)length_m,
        .rise_m = line.z,
        .built_m = rcity_surroundings_built_behind(&source->law, under.built_m, edge_db, under.hill_slope),
        .gain_db = rcity_antenna_gain(source->antenna, source->pattern, line),
        .doubt_left = 1.0f,
    };
    float weight = rcity_surroundings_city_weight(link.source, link.receiver, under.built_m, link.length_m);
    link.weight = weight > RCITY_SURROUNDINGS_WEIGHT_MIN ? weight : 0.0f;
    return link;
}

/* What the ground law takes from a link; `flat` becomes the link over flat ground. */
static float ground_db(const rcity_mean_source *source, const rcity_mean_link *link, rcity_surroundings_flat *flat)
{
    float town = rcity_surroundings_town(fmaxf(link->source.here.built_share, link->receiver.here.built_share));
    *flat = rcity_surroundings_flat_make(source->wavelength_m, link->length_m, link->source.height_m,
                                         link->receiver.height_m, link->rise_m);
    bool is_flat =
        rcity_surroundings_is_flat(link->source.height_m, link->receiver.height_m, link->rise_m, link->length_m);
    return rcity_surroundings_ground_db(*flat, town) + (is_flat ? 0.0f : rcity_surroundings_earth_db(*flat));
}

double rcity_mean_source_ground(const rcity_mean_source *source, const rcity_mean_link *link)
{
    rcity_surroundings_flat flat;
    return pow(10.0, -0.1 * (double)ground_db(source, link, &flat));
}

float rcity_mean_source_left(const rcity_mean_source *source, rcity_grid_point3 at, const rcity_point *to, float left,
                             float bare_db)
{
    if (!(bare_db > 0.0f)) {
        return left;
    }
    rcity_mean_link link = rcity_mean_source_link(source, at, to);
    rcity_surroundings_flat flat;
    float whole_db = ground_db(source, &link, &flat);
    float edge_db = fmaxf(-10.0f * log10f(left), bare_db);
    float beside_db = rcity_surroundings_beside_db(edge_db, bare_db, whole_db, rcity_surroundings_flat_edge_db(flat),
                                                   link.length_m, 1.0f);
    return powf(10.0f, -0.1f * (edge_db + beside_db - whole_db));
}
