/* Receivers of paths as a table. An empty cell says that there is no value. */
#include <string.h>

#include "base/file.h"
#include "io/export/text_block.h"
#include "io/rays/rays_save.h"
#include "radiocity/crs.h"
#include "result/rays_data.h"
#include "text/csv_cells.h"

static void add_row(rcity_text_block *text, const char *name, const rcity_receiver_summary *receiver,
                    const double *lonlat)
{
    rcity_text_sink sink = rcity_text_block_sink(text);
    rcity_csv_put_text(&sink, name);
    rcity_csv_put_number(&sink, receiver->position.x_m, 3);
    rcity_csv_put_number(&sink, receiver->position.y_m, 3);
    if (lonlat != NULL) {
        rcity_csv_put_number(&sink, lonlat[0], 9);
        rcity_csv_put_number(&sink, lonlat[1], 9);
    }
    rcity_csv_put_number(&sink, receiver->position.z_m, 3);
    rcity_text_add(text, ",%s,%lld", rcity_receiver_state_name(receiver->state), (long long)receiver->path_count);
    rcity_csv_put_number(&sink, receiver->gain_db, 3);
    rcity_csv_put_number(&sink, receiver->coherent_gain_db, 3);
    rcity_csv_put_number(&sink, receiver->loss_db, 3);
    rcity_csv_put_number(&sink, receiver->coherent_loss_db, 3);
    rcity_csv_put_number(&sink, receiver->received_dbm, 3);
    rcity_csv_put_number(&sink, receiver->mean_delay_s * 1e9, 4);
    rcity_csv_put_number(&sink, receiver->delay_spread_s * 1e9, 4);
    rcity_csv_put_number(&sink, receiver->departure_azimuth_spread_deg, 4);
    rcity_csv_put_number(&sink, receiver->departure_elevation_spread_deg, 4);
    rcity_csv_put_number(&sink, receiver->arrival_azimuth_spread_deg, 4);
    rcity_csv_put_number(&sink, receiver->arrival_elevation_spread_deg, 4);
    rcity_csv_put_number(&sink, receiver->k_factor_db, 3);
    rcity_text_add(text, "\n");
}

static rcity_status find_lonlat(rcity_context *context, const rcity_rays *rays, double *lonlat)
{
    int64_t count = rcity_rays_receiver_count(rays);
    for (int64_t i = 0; i < count; i++) {
        rcity_receiver_summary receiver;
        RCITY_TRY(rcity_rays_get_receiver(rays, i, &receiver));
        lonlat[2 * i] = receiver.position.x_m;
        lonlat[2 * i + 1] = receiver.position.y_m;
    }
    return rcity_crs_transform(context, rcity_rays_crs(rays), RCITY_CRS_LONLAT, count, lonlat);
}

rcity_status rcity_rays_save_csv(rcity_context *context, const rcity_rays *rays, const char *path)
{
    size_t count = (size_t)rcity_rays_receiver_count(rays);
    bool has_lonlat = strcmp(rcity_rays_crs(rays), "none") != 0;
    double *lonlat = NULL;
    rcity_text_block text;
    rcity_text_block_init(context, &text);
    rcity_status status;
    if (has_lonlat) {
        RCITY_TRY_DONE(rcity_alloc(context, 2 * count, sizeof *lonlat, "positions", &lonlat));
        status = find_lonlat(context, rays, lonlat);
        has_lonlat = status == RCITY_OK;
        RCITY_TRY_DONE(status == RCITY_ERR_UNSUPPORTED ? RCITY_OK : status); /* a build without GDAL leaves them out */
    }
    rcity_text_add(
        &text,
        "name,x,y%s,z_m,state,path_count,gain_db,coherent_gain_db,path_loss_db,coherent_path_loss_db,"
        "received_power_dbm,mean_delay_ns,delay_spread_ns,departure_azimuth_spread_deg,departure_elevation_spread_deg,"
        "arrival_azimuth_spread_deg,arrival_elevation_spread_deg,k_factor_db\n",
        has_lonlat ? ",lon,lat" : "");
    for (size_t i = 0; i < count; i++) {
        rcity_receiver_summary receiver;
        char number[24];
        RCITY_TRY_DONE(rcity_rays_get_receiver(rays, (int64_t)i, &receiver));
        add_row(&text, rcity_rays_label(rays, (int64_t)i, number), &receiver, has_lonlat ? lonlat + 2 * i : NULL);
    }
    RCITY_TRY_DONE(text.status);
    status = rcity_file_save(context, path, text.text, text.length);
done:
    rcity_text_block_deinit(&text);
    rcity_release(context, lonlat);
    return status;
}
