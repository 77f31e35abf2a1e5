/* Materials against values that others published for ITU-R P.2040-3. */
#include "rcity_test.h"

#include "scene/material.h"

static rcity_material find(const char *name)
{
    rcity_material material;
    if (!rcity_material_find(name, &material)) {
        print_error("no material '%s'\n", name);
        fail();
    }
    return material;
}

typedef struct published_value {
    const char *name;
    double real, conductivity_s_per_m;
} published_value;

/* The table that MathWorks prints for buildingMaterialPermittivity (P.2040-3) at 9 GHz; five digits. Floorboard, whose
   range starts at 50 GHz, is left out: there it extrapolates and we do not. */
static void test_materials_match_published_values(void **state)
{
    (void)state;
    static const published_value values[] = {
        {"vacuum", 1.0, 0.0},
        {"concrete", 5.24, 0.25766},
        {"brick", 3.91, 0.033826},
        {"plasterboard", 2.73, 0.066978},
        {"wood", 1.99, 0.049528},
        {"glass", 6.31, 0.068299},
        {"ceiling-board", 1.48, 0.011674},
        {"chipboard", 2.58, 0.12044},
        {"plywood", 2.71, 0.33},
        {"marble", 7.074, 0.04209},
        {"metal", 1.0, 1e7},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        rcity_material material = find(values[i].name);
        rcity_permittivity value = rcity_material_evaluate(&material, 9e9);
        assert_near(value.real, values[i].real, 1e-12);
        assert_near(value.conductivity_s_per_m, values[i].conductivity_s_per_m, 6e-5 * values[i].conductivity_s_per_m);
        assert_near(value.imaginary, 17.98 * values[i].conductivity_s_per_m / 9.0,
                    5e-4 * values[i].conductivity_s_per_m * 17.98 / 9.0);
        assert_false(value.is_extrapolated);
    }
}

/* Powers of ten and two by hand: at 1 GHz the factors stand alone, at 10 GHz the exponents are powers of ten. */
static void test_by_hand(void **state)
{
    (void)state;
    rcity_material ground = find("medium_dry_ground");
    rcity_permittivity value = rcity_material_evaluate(&ground, 1e9);
    assert_near(value.real, 15.0, 1e-12);
    assert_near(value.conductivity_s_per_m, 0.035, 1e-15);
    assert_near(value.imaginary, 0.035 * 17.9751, 1e-5);
    value = rcity_material_evaluate(&ground, 10e9);
    assert_near(value.real, 15.0 * 0.7943282347, 1e-8);
    assert_near(value.conductivity_s_per_m, 0.035 * 42.6579519, 1e-7);
    assert_false(value.is_extrapolated);
    rcity_material wet = find("wet_ground");
    value = rcity_material_evaluate(&wet, 10e9);
    assert_near(value.real, 30.0 * 0.3981071706, 1e-8);
    assert_near(value.conductivity_s_per_m, 0.15 * 19.95262315, 1e-7);
    rcity_material dry = find("very_dry_ground");
    value = rcity_material_evaluate(&dry, 10e9);
    assert_near(value.conductivity_s_per_m, 0.00015 * 331.1311215, 1e-8);
    rcity_material glass = find("glass_220_ghz");
    value = rcity_material_evaluate(&glass, 300e9);
    assert_near(value.real, 5.79, 1e-12);
    assert_near(value.conductivity_s_per_m, 0.0004 * exp(1.658 * log(300.0)), 1e-9);
}

static void test_outside_the_range(void **state)
{
    (void)state;
    rcity_material concrete = find("concrete");
    rcity_permittivity value = rcity_material_evaluate(&concrete, 450e6);
    assert_true(value.is_extrapolated);
    assert_near(value.real, 5.24, 1e-15);
    double conductivity_s_per_m = 0.0462 * exp(0.7822 * log(0.45)); /* its law goes on */
    assert_near(value.conductivity_s_per_m, conductivity_s_per_m, 1e-9);
    assert_near(value.imaginary, conductivity_s_per_m * 17.9751 / 0.45, 1e-4);
    rcity_material wet = find("wet_ground");
    rcity_permittivity above = rcity_material_evaluate(&wet, 28e9);
    rcity_permittivity end = rcity_material_evaluate(&wet, 10e9);
    assert_true(above.is_extrapolated);
    assert_near(above.real, end.real, 1e-12);
    assert_near(above.conductivity_s_per_m, end.conductivity_s_per_m, 1e-12);
    rcity_material board = find("floorboard"); /* from 50 GHz; at 2 GHz it is a dielectric, not a conductor */
    assert_true(rcity_material_evaluate(&board, 2e9).imaginary < 0.5);
    rcity_material wood = find("wood");
    assert_false(rcity_material_evaluate(&wood, 1e6).is_extrapolated);
    assert_true(rcity_material_evaluate(&wood, 0.99e6).is_extrapolated);
}

static void test_material_names_and_synonyms_are_found(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"timber", "wood"},          {"Steel", "metal"},
        {"ITU_Brick", "brick"},      {"itu-wet-ground", "wet_ground"},
        {"plaster", "brick"},        {"timber framing", "wood"},
        {"stone", "marble"},         {"cement_block", "concrete"},
        {"CONCRETE", "concrete"},    {"Mirror", "glass"},
        {"drywall", "plasterboard"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        rcity_material material = find(same[i][0]);
        assert_string_equal(material.name, same[i][1]);
    }
    rcity_material untouched;
    memset(&untouched, 7, sizeof untouched);
    rcity_material copy = untouched;
    assert_false(rcity_material_find("", &untouched));
    assert_false(rcity_material_find("unobtainium", &untouched));
    assert_false(rcity_material_find("bric", &untouched));
    assert_false(rcity_material_find("bricky", &untouched));
    assert_false(rcity_material_find("itu_", &untouched));
    assert_int_equal(rcity_material_get(-1, &untouched), RCITY_ERR_ARGUMENT);
    assert_int_equal(rcity_material_get(rcity_material_count(), &untouched), RCITY_ERR_ARGUMENT);
    assert_memory_equal(&untouched, &copy, sizeof copy);
    for (int surface = 0; surface < RCITY_SURFACE_COUNT; surface++) {
        find(rcity_surface_material((rcity_surface)surface));
    }
    assert_string_equal(rcity_surface_material(RCITY_SURFACE_GROUND), "medium_dry_ground");
    assert_null(rcity_surface_material(RCITY_SURFACE_COUNT));
}

/* Every built-in material passes the check that a user's has to pass, and no two share a name. */
static void test_built_in_materials_pass_the_check(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int i = 0; i < rcity_material_count(); i++) {
        rcity_material material;
        assert_int_equal(rcity_material_get(i, &material), RCITY_OK);
        assert_ok(context, rcity_material_check(context, &material));
        assert_string_equal(find(material.name).name, material.name);
    }
    assert_int_equal(rcity_material_count(), 17);
    rcity_context_destroy(&context);
}

static void test_wrong_materials_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_material good = find("brick");
    rcity_material bad = good;
    bad.name[0] = '\0';
    assert_status(context, rcity_material_check(context, &bad), RCITY_ERR_ARGUMENT);
    memset(bad.name, 'x', sizeof bad.name);
    assert_status(context, rcity_material_check(context, &bad), RCITY_ERR_ARGUMENT);
    bad = good;
    bad.name[1] = '\n';
    assert_status(context, rcity_material_check(context, &bad), RCITY_ERR_ARGUMENT);
    assert_message(context, "control character");
    double *const numbers[] = {
        &bad.a,           &bad.b,         &bad.c, &bad.d, &bad.frequency_min_hz, &bad.frequency_max_hz,
        &bad.thickness_m, &bad.scattering};
    static const double wrong[] = {-1.0, 11.0, -0.1, -11.0, 0.0, 1.0, 11.0, 1.01};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        for (int is_nan = 0; is_nan < 2; is_nan++) {
            bad = good;
            *numbers[i] = is_nan ? (double)NAN : wrong[i];
            assert_status(context, rcity_material_check(context, &bad), RCITY_ERR_ARGUMENT);
            assert_message(context, "brick");
        }
    }
    bad = good;
    bad.a = 0.5;
    assert_status(context, rcity_material_check(context, &bad), RCITY_ERR_ARGUMENT);
    assert_message(context, "permittivity 0.5");
    rcity_context_destroy(&context);
}

TEST_SUITE(material)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_materials_match_published_values),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_outside_the_range),
        cmocka_unit_test(test_material_names_and_synonyms_are_found),
        cmocka_unit_test(test_built_in_materials_pass_the_check),
        cmocka_unit_test(test_wrong_materials_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
