/* What the table of methods says of its rows beside their stages: the default, and the baselines of scores. */
#include "rcity_test.h"

#include <string.h>

#include "method/method.h"

static void test_default_is_a_row_and_the_requests(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const rcity_method *method = NULL;
    assert_int_equal(rcity_method_find(context, rcity_method_default_name(), &method), RCITY_OK);
    assert_string_equal(rcity_request_default().method, method->info.name);
    rcity_context_destroy(&context);
}

/* Every place has an answer at every frequency, without gaps between places; the first has one method alone. */
static void test_baseline_places_have_no_gap(void **state)
{
    (void)state;
    int place_count = rcity_method_baseline_count();
    assert_true(place_count >= 1 && place_count <= RCITY_BASELINE_PLACE_MAX);
    assert_null(rcity_method_get_baseline(1, 1));
    for (int place = 1; place <= place_count; place++) {
        double last_hz = 0.0;
        int count = 0;
        for (; rcity_method_get_baseline(place, count) != NULL; count++) {
            const rcity_method_baseline *baseline = &rcity_method_get_baseline(place, count)->baseline;
            bool is_last = rcity_method_get_baseline(place, count + 1) == NULL;
            assert_true(baseline->label != NULL && baseline->label[0] != '\0');
            assert_int_equal(is_last, baseline->frequency_max_hz == 0.0);
            assert_true(is_last || baseline->frequency_max_hz > last_hz);
            last_hz = baseline->frequency_max_hz;
        }
        assert_true(count > 0);
    }
}

static void test_baseline_follows_the_frequency(void **state)
{
    (void)state;
    assert_string_equal(rcity_method_choose_baseline(1, 60e9)->info.name, "free-space");
    assert_string_equal(rcity_method_choose_baseline(2, 900e6)->info.name, "hata");
    assert_string_equal(rcity_method_choose_baseline(2, 1500e6)->info.name, "hata"); /* limits are included */
    assert_string_equal(rcity_method_choose_baseline(2, 1500.001e6)->info.name, "cost231-hata");
    assert_string_equal(rcity_method_choose_baseline(2, 60e9)->info.name, "cost231-hata");
    assert_string_equal(rcity_method_choose_baseline(3, 60e9)->info.name, "walfisch-ikegami");
}

/* A row says that it serves what it has a stage for, and nothing else. */
static void test_rows_have_the_stages_they_serve_with(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_method_info info;
    char servers[256];
    char delay_servers[256];
    rcity_method_list_surface_servers(servers, sizeof servers);
    rcity_method_list_delay_servers(delay_servers, sizeof delay_servers);
    for (int i = 0; rcity_method_get(i, &info) == RCITY_OK; i++) {
        const rcity_method *method = NULL;
        assert_ok(context, rcity_method_find(context, info.name, &method));
        assert_int_equal((info.serves & RCITY_SERVES_RASTER) != 0, method->evaluate_raster != NULL);
        assert_int_equal((info.serves & RCITY_SERVES_POINTS) != 0, method->evaluate_points != NULL);
        assert_int_equal((info.serves & RCITY_SERVES_PATHS) != 0, method->find_paths != NULL);
        assert_int_equal((info.serves & RCITY_SERVES_SURFACES) != 0, method->evaluate_surfaces != NULL);
        assert_int_equal(method->evaluate_surfaces != NULL, method->count_tiles != NULL);
        assert_int_equal(method->evaluate_surfaces != NULL, strstr(servers, info.name) != NULL);
        assert_int_equal((info.serves & RCITY_SERVES_DELAYS) != 0, method->evaluate_delays != NULL);
        assert_int_equal(method->evaluate_delays != NULL, strstr(delay_servers, info.name) != NULL);
        assert_true(method->evaluate_delays == NULL || method->evaluate_raster != NULL); /* it fills a map beside */
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(method_table)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_is_a_row_and_the_requests),
        cmocka_unit_test(test_baseline_places_have_no_gap),
        cmocka_unit_test(test_baseline_follows_the_frequency),
        cmocka_unit_test(test_rows_have_the_stages_they_serve_with),
    };
    return cmocka_run_group_tests_name("method_table", tests, NULL, NULL);
}
