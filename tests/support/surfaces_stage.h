/* What the tests of surfaces share: one building on ground that is cut along turned axes, made by hand. */
#ifndef RCITY_TEST_SURFACES_STAGE_H
#define RCITY_TEST_SURFACES_STAGE_H

#include "rcity_test.h"
#include "result/surfaces_data.h"

/* The building: 20 m x 12 m, 9 m high, its lowest corner at (10, 10) from the origin. A wall has 2 x 3 tiles. */
#define STAGE_WEST_M   10.0
#define STAGE_SOUTH_M  10.0
#define STAGE_WIDTH_M  20.0
#define STAGE_DEPTH_M  12.0
#define STAGE_HEIGHT_M 9.0
#define STAGE_COLUMNS  2
#define STAGE_ROWS     3
#define STAGE_WALLS    24
#define STAGE_ROOFS    2
#define STAGE_GROUND_M 5.0 /* side of a tile of the ground, which is cut along axes turned by 30 degrees */
#define STAGE_ACROSS   15  /* of them, before those inside the building go */
#define STAGE_TILES    256 /* at most */
#define STAGE_TURN_RAD 0.52359877559829887
#define STAGE_BUILDING INT64_C(4300000001) /* more than 32 bits hold */

/* Around (x0, y0), which a CRS may want large, on ground of this height. */
typedef struct surfaces_stage {
    const char *crs;
    double x0_m, y0_m, ground_m;
} surfaces_stage;

static const surfaces_stage plain_surfaces = {NULL, 0.0, 0.0, 100.0};
static const surfaces_stage placed_surfaces = {"EPSG:32632", 691000.0, 5334000.0, 519.5};

static inline void stage_wall(const surfaces_stage *on, double middle_x_m, double middle_y_m, double normal_x,
                              double normal_y, double width_m, rcity_surface_tile *tiles, int *count)
{
    for (int row = 0; row < STAGE_ROWS; row++) {
        for (int column = 0; column < STAGE_COLUMNS; column++) {
            double along_m = ((column + 0.5) / STAGE_COLUMNS - 0.5) * width_m;
            double z_m = on->ground_m + STAGE_HEIGHT_M * (row + 0.5) / STAGE_ROWS;
            tiles[(*count)++] = (rcity_surface_tile){
                .centre = {on->x0_m + middle_x_m - normal_y * along_m, on->y0_m + middle_y_m + normal_x * along_m, z_m},
                .normal = {(float)normal_x, (float)normal_y, 0.0f},
                .side = {(float)-normal_y, (float)normal_x, 0.0f},
                .half_side_m = {(float)(width_m / STAGE_COLUMNS / 2.0), (float)(STAGE_HEIGHT_M / STAGE_ROWS / 2.0)},
                .kind = RCITY_SURFACE_WALL,
                .building_id = STAGE_BUILDING};
        }
    }
}

static inline void stage_ground(const surfaces_stage *on, rcity_surface_tile *tiles, int *count)
{
    double c = cos(STAGE_TURN_RAD);
    double s = sin(STAGE_TURN_RAD);
    for (int i = 0; i < STAGE_ACROSS * STAGE_ACROSS; i++) {
        double a_m = STAGE_GROUND_M * (i / STAGE_ACROSS - STAGE_ACROSS / 2);
        double b_m = STAGE_GROUND_M * (i % STAGE_ACROSS - STAGE_ACROSS / 2);
        double x_m = STAGE_WEST_M + STAGE_WIDTH_M / 2.0 + c * a_m - s * b_m;
        double y_m = STAGE_SOUTH_M + STAGE_DEPTH_M / 2.0 + s * a_m + c * b_m;
        bool is_indoors = x_m > STAGE_WEST_M && x_m < STAGE_WEST_M + STAGE_WIDTH_M && y_m > STAGE_SOUTH_M &&
                          y_m < STAGE_SOUTH_M + STAGE_DEPTH_M;
        if (!is_indoors) {
            tiles[(*count)++] =
                (rcity_surface_tile){.centre = {on->x0_m + x_m, on->y0_m + y_m, on->ground_m},
                                     .normal = {0.0f, 0.0f, 1.0f},
                                     .side = {(float)c, (float)s, 0.0f},
                                     .half_side_m = {(float)(STAGE_GROUND_M / 2.0), (float)(STAGE_GROUND_M / 2.0)},
                                     .kind = RCITY_SURFACE_GROUND,
                                     .building_id = -1};
        }
    }
}

/* South, east, north and west walls, two roof tiles, the ground; returns their number. */
static inline int stage_tiles(const surfaces_stage *on, rcity_surface_tile *tiles)
{
    int count = 0;
    double middle_x_m = STAGE_WEST_M + STAGE_WIDTH_M / 2.0;
    double middle_y_m = STAGE_SOUTH_M + STAGE_DEPTH_M / 2.0;
    stage_wall(on, middle_x_m, STAGE_SOUTH_M, 0.0, -1.0, STAGE_WIDTH_M, tiles, &count);
    stage_wall(on, STAGE_WEST_M + STAGE_WIDTH_M, middle_y_m, 1.0, 0.0, STAGE_DEPTH_M, tiles, &count);
    stage_wall(on, middle_x_m, STAGE_SOUTH_M + STAGE_DEPTH_M, 0.0, 1.0, STAGE_WIDTH_M, tiles, &count);
    stage_wall(on, STAGE_WEST_M, middle_y_m, -1.0, 0.0, STAGE_DEPTH_M, tiles, &count);
    for (int i = 0; i < STAGE_ROOFS; i++) {
        tiles[count++] =
            (rcity_surface_tile){.centre = {on->x0_m + STAGE_WEST_M + STAGE_WIDTH_M * (0.25 + 0.5 * i),
                                            on->y0_m + middle_y_m, on->ground_m + STAGE_HEIGHT_M},
                                 .normal = {0.0f, 0.0f, 1.0f},
                                 .side = {1.0f, 0.0f, 0.0f},
                                 .half_side_m = {(float)(STAGE_WIDTH_M / 4.0), (float)(STAGE_DEPTH_M / 2.0)},
                                 .kind = RCITY_SURFACE_ROOF,
                                 .building_id = STAGE_BUILDING};
    }
    stage_ground(on, tiles, &count);
    return count;
}

/* Values of the bands: every seventh tile has none. */
static inline float stage_loss_db(int64_t i)
{
    return i % 7 == 6 ? NAN : 80.0f + 0.25f * (float)i;
}

static inline float stage_power_dbm(int64_t i)
{
    return 30.0f - stage_loss_db(i);
}

/* path_loss, received_power, delay and mechanism. */
static inline rcity_status stage_bands(rcity_surfaces *surfaces)
{
    static const char *const mechanisms[] = {"direct", "", "around corners"};
    int64_t count = rcity_surfaces_tile_count(surfaces);
    float *loss_db = NULL;
    float *power_dbm = NULL;
    float *delay_ns = NULL;
    float *mechanism = NULL;
    RCITY_TRY(
        rcity_surfaces_add_band(surfaces, RCITY_BAND_LOSS, "path_loss", "dB", "between isotropic antennas", &loss_db));
    RCITY_TRY(rcity_surfaces_add_band(surfaces, RCITY_BAND_POWER, "received_power", "dBm", NULL, &power_dbm));
    RCITY_TRY(
        rcity_surfaces_add_band(surfaces, RCITY_BAND_DELAY, "mean_delay", "ns", "caf\xc3\xa9, \"mean\"", &delay_ns));
    RCITY_TRY(
        rcity_surfaces_add_band(surfaces, RCITY_BAND_CLASS, "mechanism", NULL, "of the strongest path", &mechanism));
    RCITY_TRY(rcity_surfaces_set_classes(surfaces, 3, 3, mechanisms));
    for (int64_t i = 0; i < count; i++) {
        loss_db[i] = stage_loss_db(i);
        power_dbm[i] = stage_power_dbm(i);
        delay_ns[i] = i % 7 == 6 ? NAN : 33.25f * (float)i;
        mechanism[i] = i % 7 == 6 ? NAN : (float)(i % 3);
    }
    rcity_notes *notes = rcity_surfaces_notes(surfaces);
    RCITY_TRY(rcity_notes_add(notes, "method", "%s", "made by hand"));
    RCITY_TRY(rcity_notes_add(notes, "tx_name", "Tower \"A\"\nsecond line"));
    return rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "share", "%.1f", 1.5);
}

static inline rcity_status stage_build(rcity_context *context, const surfaces_stage *on, rcity_surfaces **surfaces)
{
    rcity_surface_tile tiles[STAGE_TILES];
    rcity_surfaces_setup setup = {.transmitter = {on->x0_m - 40.0, on->y0_m - 30.0, on->ground_m + 25.0},
                                  .frequency_hz = 3.5e9,
                                  .crs = on->crs,
                                  .tile_count = stage_tiles(on, tiles),
                                  .tiles = tiles};
    rcity_status status = rcity_surfaces_create(context, &setup, surfaces);
    return status == RCITY_OK ? stage_bands(*surfaces) : status;
}

static inline rcity_surfaces *stage_surfaces(rcity_context *context, const surfaces_stage *on)
{
    rcity_surfaces *surfaces = NULL;
    assert_ok(context, stage_build(context, on, &surfaces));
    return surfaces;
}

/* No tile at all, one band. */
static inline rcity_surfaces *stage_nothing(rcity_context *context)
{
    const rcity_surfaces_setup setup = {.frequency_hz = 1e9};
    rcity_surfaces *surfaces = NULL;
    float *value = NULL;
    assert_ok(context, rcity_surfaces_create(context, &setup, &surfaces));
    assert_ok(context, rcity_surfaces_add_band(surfaces, RCITY_BAND_LOSS, "path_loss", "dB", NULL, &value));
    return surfaces;
}

#endif
