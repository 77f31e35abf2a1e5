/* What tiles scatter: the power of all directions, of hemispheres near and far, and of rooms whose walls are tiles. */
#include "wave_test.h"

#include "kernel/tiles/tile_scatter.h"

static const rcity_tile flat = {0, 0, 0, 0, 0, 1, 1, 0, 0, 5, 3, 0, -5, 5, -3, 3};
static const int lobes[] = {0, 1, 2, 4, 10, 30, 100};
enum { LOBES = (int)(sizeof lobes / sizeof lobes[0]) };

static rcity_tile_rough make_rough(int lobe)
{
    rcity_tile_rough rough;
    rough.share = 0.16f;
    rough.lobe = lobe;
    rough.of_reflected = 0;
    rough.cell_count = lobe == 0 ? 1 : RCITY_TILE_LIT_CELLS;
    rough.depth_count = 2;
    return rough;
}

static rcity_real3 direction(double theta_rad, double phi_rad)
{
    return rcity_real3_make((rcity_real)(sin(theta_rad) * cos(phi_rad)), (rcity_real)(sin(theta_rad) * sin(phi_rad)),
                            (rcity_real)cos(theta_rad));
}

/* A tile lit by one ray of power 1 (0.75 theta, 0.25 phi), which falls at theta from the normal; the place is 100 m from
   a transmitter of gain 10, of which the ray got 5. */
static rcity_tile_glow light(rcity_tile_rough rough, rcity_tile tile, rcity_real3 travel)
{
    rcity_tile_lit lit[2 * RCITY_TILE_LIT_CELLS];
    rcity_tile_place_scale scale = rcity_tile_place_scale_make(100.0f, 10.0f);
    rcity_tile_glow glow;
    float cos_in = -(float)rcity_real3_dot(travel, rcity_tile_normal(tile));
    int cell = rcity_tile_lit_cell(rough, tile, travel);
    memset(lit, 0, sizeof lit);
    assert_true(cell >= 0 && cell < rough.cell_count);
    rcity_tile_lit_add(&lit[rough.cell_count + cell], scale, rough.share, cos_in, 7.5e-5f, 2.5e-5f, 5.0f, 130.0f,
                       travel);
    assert_false(
        rcity_tile_glow_make(lit + cell, 1, rough.cell_count, scale, rough, tile, &glow)); /* depth 0 has none */
    assert_true(rcity_tile_glow_make(lit + cell, 2, rough.cell_count, scale, rough, tile, &glow));
    return glow;
}

/* The source is what was collected: its powers, its length, its direction; and without the antenna. */
static void test_a_tile_leaves_with_the_share_that_arrived(void **state)
{
    (void)state;
    for (int k = 0; k < LOBES; k++) {
        rcity_tile_rough rough = make_rough(lobes[k]);
        for (int i = 0; i < 64; i++) {
            rcity_real3 travel = direction(PI - 0.19 * (i % 8), 0.7 * i);
            double cos_in = cos(0.19 * (i % 8));
            rcity_tile_glow glow = light(rough, flat, travel);
            assert_near((double)glow.theta / (7.5e-5 * 0.16 * cos_in), 1.0, 1e-5);
            assert_near((double)glow.phi / (2.5e-5 * 0.16 * cos_in), 1.0, 1e-5);
            assert_near((double)glow.isotropic, 0.2, 1e-5);
            assert_near((double)glow.length_m, 130.0, 1e-3);
            assert_near((double)rcity_real3_dot(glow.travel, travel), 1.0, 1e-5);
        }
    }
}

/* Reflected power is less: by Fresnel's coefficient of the smooth face, whatever loss its roughness adds. */
static void test_the_share_is_of_incident_or_reflected_power(void **state)
{
    (void)state;
    rcity_tile_rough rough = make_rough(0);
    rcity_face face;
    face.permittivity = rcity_complex_make(5, 0);
    face.thickness_m = 0;
    face.is_conductor = 0;
    face.rough_loss = (rcity_real)0.3;
    assert_near((double)rcity_tile_rough_share(rough, face, 20, 1), 0.16, 1e-7);
    rough.of_reflected = 1;
    double gamma = (sqrt(5.0) - 1.0) / (sqrt(5.0) + 1.0); /* straight on */
    assert_near((double)rcity_tile_rough_share(rough, face, 20, 1), 0.16 * gamma * gamma, 1e-7);
    face.is_conductor = 1;
    assert_near((double)rcity_tile_rough_share(rough, face, 20, (rcity_real)0.3), 0.16, 1e-7);
}

/* The pattern's integral over all directions off the tile is 1, for the widest and the narrowest lobe and for any
   incidence; into the wall goes nothing. */
static void test_patterns_hold_all_the_power(void **state)
{
    (void)state;
    const int rings = 240;
    double worst = 0.0;
    for (int k = 0; k < LOBES; k++) {
        rcity_tile_rough rough = make_rough(lobes[k]);
        for (int i = 0; i < 8; i++) {
            rcity_tile_glow glow = light(rough, flat, direction(PI - 0.2 * i, 1.3 * i));
            double sum = 0.0;
            for (int r = 0; r < rings; r++) {
                double theta = (r + 0.5) * 0.5 * PI / rings;
                for (int a = 0; a < 2 * rings; a++) {
                    sum += sin(theta) * (double)rcity_tile_glow_pattern(&glow, rough, flat,
                                                                        direction(theta, (a + 0.5) * PI / rings));
                }
            }
            worst = fmax(worst, fabs(sum * (0.5 * PI / rings) * (PI / rings) - 1.0));
            assert_near((double)rcity_tile_glow_pattern(&glow, rough, flat, direction(2.0, 0.4 * i)), 0.0, 0.0);
        }
    }
    print_message("patterns hold their power within %.1e (%s)\n", worst, PRECISION);
    assert_true(worst < 1e-3);
}

/* What passes through a hemisphere over the tile is what leaves it. Far away the tile is a point; near it, it is
   divided. */
static void test_hemispheres_get_all_the_power(void **state)
{
    (void)state;
    static const double radii_m[] = {8.0, 15.0, 60.0, 1000.0};
    const int rings = 60;
    double area_m2 = 4.0 * (double)flat.half_u * (double)flat.half_v;
    for (int k = 0; k < 5; k++) {
        rcity_tile_rough rough = make_rough(lobes[k]);
        rcity_tile_glow glow = light(rough, flat, direction(PI - 0.6, 0.5));
        for (int i = 0; i < 4; i++) {
            double radius_m = radii_m[i];
            double through = 0.0;
            for (int r = 0; r < rings; r++) {
                double theta = (r + 0.5) * 0.5 * PI / rings;
                for (int a = 0; a < 2 * rings; a++) {
                    rcity_real3 out = direction(theta, (a + 0.5) * PI / rings);
                    rcity_tile_reach reach =
                        rcity_tile_glow_reach(&glow, rough, flat, rcity_real3_scale(out, (rcity_real)radius_m));
                    through += sin(theta) * (double)rcity_real3_dot(reach.flux, out);
                    assert_true(rcity_real3_length(reach.flux) <= (rcity_real)(reach.power * 1.0001f));
                }
            }
            through *= radius_m * radius_m * (0.5 * PI / rings) * (PI / rings) / area_m2;
            assert_near(through, 1.0, 2e-3);
        }
    }
}

/* Lambertian, at places within two sides of the tile: the solid angle of the tile over pi, by fine elements. */
static void test_places_near_a_tile_see_all_of_it(void **state)
{
    (void)state;
    static const double places[][3] = {{0, 0, 2}, {4, 2, 1.5}, {7, 0, 2}, {-3, 5, 1}, {0, 0, 8}, {10, 5, 5}};
    rcity_tile_rough rough = make_rough(0);
    rcity_tile_glow glow = light(rough, flat, direction(PI, 0.0));
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        const double *at = places[k];
        double plain = 0.0;
        for (int i = 0; i < 300 * 300; i++) {
            double x = at[0] - 10.0 * ((i % 300 + 0.5) / 300.0 - 0.5);
            double y = at[1] - 6.0 * (floor(i / 300.0) + 0.5) / 300.0 + 3.0;
            double r = sqrt(x * x + y * y + at[2] * at[2]);
            plain += at[2] / (PI * r * r * r) * (60.0 / 9e4);
        }
        rcity_real3 to = rcity_real3_make((rcity_real)at[0], (rcity_real)at[1], (rcity_real)at[2]);
        rcity_tile_reach reach = rcity_tile_glow_reach(&glow, rough, flat, to);
        assert_near((double)reach.power / plain, 1.0, 0.03);
    }
}

/* A room of 40 x 30 x 20 m of tiles. */
enum { ROOM_MAX = 1400 };
typedef struct room {
    int count;
    double area_m2;
    rcity_tile tiles[ROOM_MAX];
} room;

static void add_wall(room *made, int axis, double at_m, int sign, const double size_m[3], double tile_m2)
{
    int other[2] = {(axis + 1) % 3, (axis + 2) % 3};
    int count[2];
    for (int k = 0; k < 2; k++) {
        count[k] = (int)floor(size_m[other[k]] / sqrt(tile_m2) + 0.5);
    }
    for (int i = 0; i < count[0] * count[1]; i++) {
        float centre[3], normal[3] = {0, 0, 0}, along[3] = {0, 0, 0};
        centre[axis] = (float)at_m;
        centre[other[0]] = (float)(size_m[other[0]] * (i % count[0] + 0.5) / count[0]);
        centre[other[1]] = (float)(size_m[other[1]] * (floor(i / (double)count[0]) + 0.5) / count[1]);
        normal[axis] = (float)sign;
        along[other[0]] = 1.0f;
        assert_true(made->count < ROOM_MAX);
        rcity_tile *tile = &made->tiles[made->count++];
        *tile = (rcity_tile){centre[0],
                             centre[1],
                             centre[2],
                             normal[0],
                             normal[1],
                             normal[2],
                             along[0],
                             along[1],
                             along[2],
                             (float)(0.5 * size_m[other[0]] / count[0]),
                             (float)(0.5 * size_m[other[1]] / count[1]),
                             0,
                             -RCITY_TILE_ENDLESS_M,
                             RCITY_TILE_ENDLESS_M,
                             -RCITY_TILE_ENDLESS_M,
                             RCITY_TILE_ENDLESS_M};
        made->area_m2 += 4.0 * (double)tile->half_u * (double)tile->half_v;
    }
}

static void make_room(double tile_m2, room *made)
{
    static const double size_m[3] = {40.0, 30.0, 20.0};
    memset(made, 0, sizeof *made);
    for (int axis = 0; axis < 3; axis++) {
        add_wall(made, axis, 0.0, 1, size_m, tile_m2);
        add_wall(made, axis, size_m[axis], -1, size_m, tile_m2);
    }
}

static double area_of(const rcity_tile *tile)
{
    return 4.0 * (double)tile->half_u * (double)tile->half_v;
}

/* Each tile is lit from the middle of the room and scatters; all of it must arrive on the others, also on those beside
   it around the corner. Over the room, and of the worst tile. */
static double spread_in_room(const room *made, int lobe, double *worst)
{
    rcity_tile_rough rough = make_rough(lobe);
    rcity_real3 middle = rcity_real3_make(20, 15, 5);
    double sum_m2 = 0.0;
    *worst = 0.0;
    for (int i = 0; i < made->count; i++) {
        const rcity_tile *from = &made->tiles[i];
        rcity_tile_glow glow =
            light(rough, *from, rcity_real3_unit(rcity_real3_subtract(rcity_tile_centre(*from), middle)));
        double arrived = 0.0;
        for (int k = 0; k < made->count; k++) {
            const rcity_tile *to = &made->tiles[k];
            rcity_real3 between = rcity_real3_subtract(rcity_tile_centre(*to), rcity_tile_centre(*from));
            if (rcity_real3_dot(between, rcity_tile_normal(*from)) > (rcity_real)0.01) {
                rcity_tile_reach reach = rcity_tile_glow_reach_tile(&glow, rough, *from, *to);
                arrived -= (double)rcity_real3_dot(reach.flux, rcity_tile_normal(*to)) * area_of(to);
            }
        }

        *worst = fmax(*worst, fabs(arrived / area_of(from) - 1.0));
        sum_m2 += arrived;
    }
    return sum_m2 / made->area_m2;
}

/* Within 2.5 % for any size of tiles, neighbours included, and within 3 % of each tile where scattering is Lambertian. Of
   a tile in a corner, whose narrow lobe meets one or two tiles around it, up to 15 % are lost or gained. */
static void test_rooms_get_all_the_power_whatever_the_tiles(void **state)
{
    (void)state;
    static const double areas_m2[] = {100.0, 25.0, 4.0};
    static room made;
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 3; i++) {
            if (i == 2 && lobes[k] % 4 != 0) {
                continue; /* a second each with sanitizers */
            }
            double worst;
            make_room(areas_m2[i], &made);
            double whole = spread_in_room(&made, lobes[k], &worst);
            print_message("lobe %d, tiles of %g m2: %.4f of the power arrives, worst tile off by %.1f %%\n", lobes[k],
                          areas_m2[i], whole, 100.0 * worst);
            assert_near(whole, 1.0, 0.025);
            assert_true(worst < (lobes[k] == 0 ? 0.03 : 0.15));
        }
    }
}

TEST_SUITE(tile_scatter)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tile_leaves_with_the_share_that_arrived),
        cmocka_unit_test(test_the_share_is_of_incident_or_reflected_power),
        cmocka_unit_test(test_patterns_hold_all_the_power),
        cmocka_unit_test(test_hemispheres_get_all_the_power),
        cmocka_unit_test(test_places_near_a_tile_see_all_of_it),
        cmocka_unit_test(test_rooms_get_all_the_power_whatever_the_tiles),
    };
    return cmocka_run_group_tests_name("tile_scatter", tests, NULL, NULL);
}
