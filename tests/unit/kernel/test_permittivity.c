/* The kernel's permittivity is the library's: every built-in material, inside its range and outside. */
#include "wave_test.h"

#include "kernel/wave/permittivity.h"

static void test_kernel_and_library_permittivity_agree(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int m = 0; m < rcity_material_count(); m++) {
        rcity_material material;
        assert_int_equal(rcity_material_get(m, &material), RCITY_OK);
        rcity_material_law law;
        law.a = (rcity_real)material.a;
        law.b = (rcity_real)material.b;
        law.c = (rcity_real)material.c;
        law.d = (rcity_real)material.d;
        law.min_ghz = (rcity_real)(material.frequency_min_hz * 1e-9);
        law.max_ghz = (rcity_real)(material.frequency_max_hz * 1e-9);
        for (int i = 0; i <= 100; i++) {
            double frequency_ghz = (double)(rcity_real)(0.01 * pow(10.0, 0.05 * i));
            rcity_permittivity truth = rcity_material_evaluate(&material, frequency_ghz * 1e9);
            rcity_complex value = rcity_material_law_at(law, (rcity_real)frequency_ghz);
            worst = fmax(worst, fabs((double)value.re / truth.real - 1.0));
            double imaginary = truth.imaginary > 0.0 ? -(double)value.im / truth.imaginary - 1.0 : (double)value.im;
            worst = fmax(worst, fabs(imaginary));
        }
    }
    print_message("%d materials within %.2g in %s precision\n", rcity_material_count(), worst, PRECISION);
    assert_true(worst <= EITHER(3e-6, 1e-11));
}

TEST_SUITE(permittivity)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernel_and_library_permittivity_agree)};
    return cmocka_run_group_tests_name("permittivity", tests, NULL, NULL);
}
