/* Two rays over flat ground: against the sum of both written out, and against what textbooks make of it far away. */
#include "wave_test.h"

#include "kernel/wave/two_ray.h"

#define SEED 38u

static rcity_two_ray make_link(double plan_m, double tx_height_m, double rx_height_m, double wavelength_m,
                               double complex permittivity)
{
    rcity_two_ray link;
    link.plan_m = (rcity_real)plan_m;
    link.tx_height_m = (rcity_real)tx_height_m;
    link.rx_height_m = (rcity_real)rx_height_m;
    link.wavenumber_per_m = (rcity_real)(2.0 * PI / wavelength_m);
    link.ground.permittivity = to_kernel(permittivity);
    link.ground.thickness_m = 0;
    link.ground.is_conductor = 0;
    link.ground.rough_loss = 0;
    return link;
}

/* Both fields with their own distances and phases over the first one; the coefficients by the grazing angle psi, as
   textbooks have them (Parsons, The Mobile Radio Propagation Channel, 2nd ed., section 2.3). */
static double complex sum_of_rays(rcity_two_ray link, bool is_vertical)
{
    double k = (double)link.wavenumber_per_m;
    double plan_m = (double)link.plan_m;
    double h1 = (double)link.tx_height_m, h2 = (double)link.rx_height_m;
    double direct_m = hypot(plan_m, h1 - h2);
    double ground_m = hypot(plan_m, h1 + h2);
    double psi = atan2(h1 + h2, plan_m);
    double complex eta = from_kernel(link.ground.permittivity);
    double complex root = csqrt(eta - cos(psi) * cos(psi));
    double complex rho =
        is_vertical ? (eta * sin(psi) - root) / (eta * sin(psi) + root) : (sin(psi) - root) / (sin(psi) + root);
    double complex direct = cexp(-J * k * direct_m) / direct_m;
    return (direct + rho * cexp(-J * k * ground_m) / ground_m) / direct;
}

static void test_field_is_the_sum_of_both_rays(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < 2000; i++) {
        rcity_two_ray link =
            make_link(pow(10.0, test_uniform(SEED, 6 * i, 0.0, 4.3)), test_uniform(SEED, 6 * i + 1, 2.0, 60.0),
                      test_uniform(SEED, 6 * i + 2, 0.5, 20.0), test_uniform(SEED, 6 * i + 3, 0.1, 2.0),
                      CMPLX(test_uniform(SEED, 6 * i + 4, 2.0, 30.0), -test_uniform(SEED, 6 * i + 5, 0.0, 8.0)));
        rcity_face_response field = rcity_two_ray_field(link);
        worst = fmax(worst, cabs(from_kernel(field.te) - sum_of_rays(link, false)));
        worst = fmax(worst, cabs(from_kernel(field.tm) - sum_of_rays(link, true)));
    }
    print_message("two rays within %.2g (seed %u)\n", worst, SEED);
    assert_true(worst <= EITHER(5e-4, 1e-9)); /* the written-out phases have 1e-11 of 1e6 radians */
}

/* Over a conductor horizontal fields cancel and vertical ones add: 2 sin and 2 cos of half the phase between the rays,
   where the paths are nearly of one length. */
static void test_conducting_ground_gives_textbook_interference(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        double plan_m = test_uniform(SEED, 3 * i, 3000.0, 20000.0);
        double h1 = test_uniform(SEED, 3 * i + 1, 5.0, 60.0);
        double h2 = test_uniform(SEED, 3 * i + 2, 1.0, 10.0);
        rcity_two_ray link = make_link(plan_m, h1, h2, 0.3, 1.0);
        link.ground.is_conductor = 1;
        double complex te = from_kernel(rcity_two_ray_field(link).te);
        double complex tm = from_kernel(rcity_two_ray_field(link).tm);
        double swing = 2.0 * PI * h1 * h2 / (0.3 * plan_m);
        assert_near(cabs(te), fabs(2.0 * sin(swing)), 3e-3);
        assert_near(cabs(tm), fabs(2.0 * cos(swing)), 3e-3);
    }
}

/* Far beyond the breakpoint power falls with the fourth power of distance, (h1 h2 / d^2)^2, whatever the frequency. */
static void test_plane_earth(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double wavelength_m = i == 0 ? 0.3 : 1.0;
        rcity_two_ray link = make_link(1e5, 20.0, 2.0, wavelength_m, CMPLX(15.0, -1.0));
        double field = cabs(from_kernel(rcity_two_ray_field(link).te));
        double power = field * field * pow(wavelength_m / (4.0 * PI * 1e5), 2.0);
        assert_near(10.0 * log10(power), 20.0 * log10(20.0 * 2.0 / 1e10), 0.05);
    }
}

/* Exchanging the ends changes nothing; on the ground itself the rays are one, and the receiver gets 1 + R. */
static void test_exchanged_ends_have_the_same_field(void **state)
{
    (void)state;
    rcity_two_ray link = make_link(300.0, 25.0, 1.5, 0.3, CMPLX(8.0, -0.7));
    rcity_two_ray back = make_link(300.0, 1.5, 25.0, 0.3, CMPLX(8.0, -0.7));
    assert_complex_near(rcity_two_ray_field(link).te, from_kernel(rcity_two_ray_field(back).te), EITHER(1e-6, 1e-14));
    assert_complex_near(rcity_two_ray_field(link).tm, from_kernel(rcity_two_ray_field(back).tm), EITHER(1e-6, 1e-14));
    link.rx_height_m = 0;
    rcity_face_response face =
        rcity_face_reflect(link.ground, link.wavenumber_per_m, (rcity_real)(25.0 / hypot(300.0, 25.0)));
    assert_complex_near(rcity_two_ray_field(link).tm, 1.0 + from_kernel(face.tm), EITHER(1e-6, 1e-14));
}

TEST_SUITE(two_ray)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_field_is_the_sum_of_both_rays),
        cmocka_unit_test(test_conducting_ground_gives_textbook_interference),
        cmocka_unit_test(test_plane_earth),
        cmocka_unit_test(test_exchanged_ends_have_the_same_field),
    };
    return cmocka_run_group_tests_name("two rays", tests, NULL, NULL);
}
