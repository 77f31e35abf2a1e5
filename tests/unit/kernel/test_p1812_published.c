/* The kernel of ITU-R P.1812 against the published profiles, every intermediate value of every case. Not committed;
   RADIOCITY_DATA names the folder that holds p1812/. */
#include "wave_test.h"

#include "kernel/terrain/p1812/p1812_loss.h"
#include "p1812_published.h"

/* In double precision what is left is that the profiles are read as floats and that the published values have the speed
   of light rounded. */
#define ALLOWED_DB   EITHER(0.001, 0.0005)
#define ALLOWED_M    EITHER(0.01, 0.0001)
#define ALLOWED_MRAD EITHER(0.001, 0.00001)
#define ALLOWED_KM   EITHER(0.01, 0.00001)
#define ALLOWED_PART EITHER(0.001, 0.00001)

static rcity_p1812_link published_link(const p1812_published *read)
{
    p1812_stretches stretches = p1812_stretches_of(read);
    rcity_p1812_link link = rcity_p1812_link_default();
    link.frequency_ghz = (rcity_real)p1812_get(read, "f (GHz)", NULL);
    link.tx_height_m = (rcity_real)p1812_get(read, "htg (m)", NULL);
    link.rx_height_m = (rcity_real)p1812_get(read, "hrg (m)", NULL);
    link.time_percent = (rcity_real)p1812_get(read, "p (%)", NULL);
    link.location_percent = (rcity_real)p1812_get(read, "pL (%)", NULL);
    link.gradient = (rcity_real)p1812_get(read, "DN", NULL);
    link.refractivity = (rcity_real)p1812_get(read, "N0", NULL);
    link.latitude_deg = (rcity_real)p1812_get(read, "phi (deg)", NULL);
    link.sea_share = (rcity_real)stretches.sea_share;
    link.land_km = (rcity_real)stretches.land_km;
    link.inland_km = (rcity_real)stretches.inland_km;
    link.tx_coast_km = (rcity_real)p1812_get(read, "dct (km)", NULL);
    link.rx_coast_km = (rcity_real)p1812_get(read, "dcr (km)", NULL);
    link.is_vertical = p1812_get(read, "pol", NULL) > 1.5;
    assert_near(stretches.sea_share, p1812_get(read, "w", NULL), 1e-6);
    assert_near(stretches.land_km, p1812_get(read, "dtm (km)", NULL), 1e-4);
    assert_near(stretches.inland_km, p1812_get(read, "dlm (km)", NULL), 1e-4);
    return link;
}

static rcity_ground_profile published_profile(const p1812_published *read)
{
    rcity_ground_profile ground;
    ground.height_m = read->height_m;
    ground.cover_m = read->cover_m;
    ground.distance_m = read->distance_m;
    ground.stride = 1;
    ground.count = read->count;
    ground.step_m = 0.0f;
    return ground;
}

typedef struct held {
    const char *name, *source;
    rcity_real actual;
    double tolerance;
} held;

/* The largest deviation among levels in dB; NAN where one is too large. */
static double hold(const p1812_published *read, const held *values, size_t count)
{
    double worst_db = 0.0;
    for (size_t i = 0; i < count; i++) {
        double expected = p1812_get(read, values[i].name, values[i].source);
        double error = fabs((double)values[i].actual - expected);
        if (!(error <= values[i].tolerance)) {
            print_error("%s: %s %s is %.9g, published %.9g, allowed %g\n", read->name, values[i].name,
                        values[i].source != NULL ? values[i].source : "", (double)values[i].actual, expected,
                        values[i].tolerance);
            worst_db = NAN;
        }
        if (values[i].tolerance == ALLOWED_DB) {
            worst_db = fmax(error, worst_db) + 0.0 * worst_db;
        }
    }
    return worst_db;
}

static double hold_shape(const p1812_published *read, const rcity_p1812_result *loss)
{
    const rcity_profile_shape *shape = &loss->shape;
    const rcity_p1812_horizons *at = &loss->horizons;
    const held values[] = {
        {"d (km)", NULL, shape->distance_km, ALLOWED_KM},
        {"dlt (km)", NULL, at->tx_km, ALLOWED_KM},
        {"dlr (km)", NULL, at->rx_km, ALLOWED_KM},
        {"th_t (mrad)", NULL, at->tx_mrad, ALLOWED_MRAD},
        {"th_r (mrad)", NULL, at->rx_mrad, ALLOWED_MRAD},
        {"th (mrad)", NULL, at->angle_mrad, ALLOWED_MRAD},
        {"hts (m)", NULL, shape->tx_m, ALLOWED_M},
        {"hrs (m)", NULL, shape->rx_m, ALLOWED_M},
        {"htc (m)", NULL, shape->tx_m, ALLOWED_M},
        {"hrc (m)", NULL, shape->rx_m, ALLOWED_M},
        {"b0 (%)", NULL, loss->beta0_percent, ALLOWED_PART},
        {"ae (km)", NULL, loss->radius_km, ALLOWED_KM},
        {"hst (m)", "Eq (85)", shape->fit_tx_m, ALLOWED_M},
        {"hsr (m)", "Eq (86)", shape->fit_rx_m, ALLOWED_M},
        {"hstd (m)", NULL, shape->tx_m - loss->smooth.tx_m, ALLOWED_M},
        {"hsrd (m)", NULL, shape->rx_m - loss->smooth.rx_m, ALLOWED_M},
        {"htc' (m)", NULL, loss->smooth.tx_m, ALLOWED_M},
        {"hrc' (m)", NULL, loss->smooth.rx_m, ALLOWED_M},
        {"hst (m)", "Eq (90a)", at->fit_tx_m, ALLOWED_M},
        {"hsr (m)", "Eq (90b)", at->fit_rx_m, ALLOWED_M},
        {"hte (m)", NULL, at->effective_tx_m, ALLOWED_M},
        {"hre (m)", NULL, at->effective_rx_m, ALLOWED_M},
        {"hm (m)", NULL, at->roughness_m, ALLOWED_M},
        {"Fi", NULL, loss->time_share, ALLOWED_PART},
        {"Fj", NULL, loss->path_share, ALLOWED_PART},
        {"Fk", NULL, loss->near_share, ALLOWED_PART},
    };
    return hold(read, values, sizeof values / sizeof values[0]);
}

static double hold_losses(const p1812_published *read, const rcity_p1812_result *loss)
{
    const held values[] = {
        {"Lbfs", NULL, loss->free_space_db, ALLOWED_DB},
        {"Lb0p", NULL, loss->sight_db, ALLOWED_DB},
        {"Lb0b", NULL, loss->sight_rare_db, ALLOWED_DB},
        {"Lbulla (dB)", NULL, loss->median.bullington_db, ALLOWED_DB},
        {"Lbulls (dB)", NULL, loss->median.smooth_db, ALLOWED_DB},
        {"Ldsph (dB)", NULL, loss->median.spherical_db, ALLOWED_DB},
        {"Ld50 (dB)", NULL, loss->median.loss_db, ALLOWED_DB},
        {"Ldb (dB)", NULL, loss->rare.loss_db, ALLOWED_DB},
        {"Ldp (dB)", NULL, loss->diffraction_db, ALLOWED_DB},
        {"Lbd50 (dB)", NULL, loss->median_diffracted_db, ALLOWED_DB},
        {"Lbd (dB)", NULL, loss->diffracted_db, ALLOWED_DB},
        {"Lminb0p (dB)", NULL, loss->least_sight_db, ALLOWED_DB},
        {"Lba (dB)", NULL, loss->ducting_db, ALLOWED_DB},
        {"Lminbap (dB)", NULL, loss->least_ducted_db, ALLOWED_DB},
        {"Lbda (dB)", NULL, loss->blended_db, ALLOWED_DB},
        {"Lbam (dB)", NULL, loss->modified_db, ALLOWED_DB},
        {"Lbs (dB)", NULL, loss->troposcatter_db, ALLOWED_DB},
        {"Lbc (dB)", NULL, loss->time_db, ALLOWED_DB},
        {"Lb (dB)", NULL, loss->loss_db, ALLOWED_DB},
        {"Ep (dBuV/m)", NULL, loss->field_dbuv_m, ALLOWED_DB},
    };
    return hold(read, values, sizeof values / sizeof values[0]);
}

static void test_every_published_value_is_met(void **state)
{
    (void)state;
    static char names[P1812_CASE_MAX][96];
    static p1812_published read;
    int count = p1812_list(names);
    bool is_met = count > 0;
    for (int i = 0; i < count; i++) {
        p1812_read(names[i], &read);
        rcity_p1812_result loss = rcity_p1812_loss(published_link(&read), published_profile(&read));
        double shape_db = hold_shape(&read, &loss);
        double worst_db = hold_losses(&read, &loss);
        double field_dbuv_m = (double)loss.field_dbuv_m + 10.0 * log10(p1812_get(&read, "Ptx (kW)", NULL));
        double last_db = fabs((double)loss.loss_db - p1812_get(&read, "Lb (dB)", NULL));
        print_message("%s, " PRECISION ": Lb within %.6f dB, all levels within %.6f dB\n", names[i], last_db, worst_db);
        assert_near(field_dbuv_m, p1812_get(&read, "Ep (dBuV/m) w.r.t. Ptx", NULL), ALLOWED_DB);
        is_met = is_met && !isnan(shape_db) && !isnan(worst_db);
    }
    print_message("%d published cases\n", count);
    assert_true(is_met);
}

TEST_SUITE(p1812_published)
{
    if (test_data("p1812") == NULL) {
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_published_value_is_met)};
    return cmocka_run_group_tests_name("P.1812 published", tests, NULL, NULL);
}
