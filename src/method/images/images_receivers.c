/* Cells of a raster as receivers, a piece at a time, and remarks on receivers and materials. */
#include "method/images/images_receivers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/path_receivers.h"
#include "method/receiver_plane.h"

rcity_status rcity_images_open_cells(const rcity_job *job, const rcity_tx *tx, int height_index, int64_t first,
                                     int64_t count, rcity_rays **rays)
{
    rcity_point *positions = NULL;
    rcity_receiver_state *states = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)count, sizeof *positions, "receivers", &positions));
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)count, sizeof *states, "receivers", &states));
    for (int64_t i = 0; i < count; i++) {
        rcity_receiver_cell_locate(job, job->receivers->height_m[height_index], first + i, &positions[i], &states[i]);
    }
    double plane = (double)job->raster.column_count * (double)job->raster.row_count;
    status = rcity_path_receivers_create(job, tx, count, positions, states, plane * height_index + (double)first,
                                         plane * job->receivers->height_count, rays);
done:
    rcity_release(job->context, states);
    rcity_release(job->context, positions);
    return status;
}

rcity_status rcity_images_report_near(const rcity_job *job, const rcity_tx *tx, int64_t near_count,
                                      int64_t receiver_count, rcity_notes *notes)
{
    if (near_count == 0) {
        return RCITY_OK;
    }
    char share[96];
    rcity_log(job->context, RCITY_LOG_WARNING,
              "%s nearer to the transmitter at (%.2f, %.2f) than a wavelength, where there is no far field: no value "
              "there",
              rcity_format_share(near_count, receiver_count, "receiver", "is", "are", share), tx->position.x_m,
              tx->position.y_m);
    return notes != NULL ? rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "receivers_at_transmitter", "%lld",
                                                  (long long)near_count)
                         : RCITY_OK;
}

/* The materials that a run meets, each once. */
typedef struct material_list {
    rcity_context *context;
    size_t count, capacity;
    rcity_material *items;
} material_list;

static rcity_status add_material(const rcity_job *job, const char *name, rcity_surface surface, material_list *list)
{
    rcity_material material;
    RCITY_TRY(rcity_scene_get_material(job->context, job->scene, name, surface, &material));
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, material.name) == 0) {
            return RCITY_OK;
        }
    }
    RCITY_TRY(
        rcity_reserve(list->context, list->count + 1, sizeof *list->items, &list->capacity, "materials", &list->items));
    list->items[list->count++] = material;
    return RCITY_OK;
}

/* Neighbours often have the same material: a name equal to the last one is not looked up again. */
static rcity_status list_materials(const rcity_job *job, material_list *list)
{
    const rcity_shapes *shapes = job->shapes;
    const char *last = NULL;
    for (int64_t i = 0; i < shapes->building_count; i++) {
        const char *name = shapes->buildings[i].material;
        if (last == NULL || strcmp(last, name) != 0) {
            RCITY_TRY(add_material(job, name, RCITY_SURFACE_WALL, list));
        }
        last = name;
    }
    if (shapes->building_count > 0) {
        RCITY_TRY(add_material(job, "", RCITY_SURFACE_ROOF, list));
    }
    return add_material(job, "", RCITY_SURFACE_GROUND, list);
}

rcity_status rcity_images_report_materials(const rcity_job *job, const rcity_tx *tx, rcity_notes *notes)
{
    double frequency_hz = tx->stated.frequency_hz;
    material_list list = {.context = job->context};
    rcity_status status = list_materials(job, &list);
    char words[256] = "";
    size_t outside_count = 0;
    for (size_t i = 0; status == RCITY_OK && i < list.count; i++) {
        const rcity_material *material = &list.items[i];
        if (!rcity_material_evaluate(material, frequency_hz).is_extrapolated) {
            continue;
        }
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s (%g to %g GHz)", outside_count > 0 ? ", " : "",
                 material->name, material->frequency_min_hz * 1e-9, material->frequency_max_hz * 1e-9);
        outside_count++;
    }
    if (outside_count > 0) {
        rcity_log(job->context, RCITY_LOG_WARNING,
                  "%g MHz lies outside the range of %zu of %zu %s: %s; the permittivity of the nearest end is used",
                  frequency_hz * 1e-6, outside_count, list.count, list.count == 1 ? "material" : "materials", words);
        status = rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "materials_extrapolated", "%s", words);
    }
    rcity_release(job->context, list.items);
    return status;
}
