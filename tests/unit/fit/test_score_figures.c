/* Figures of a score against the formulas of the paper, written plainly, and their groups. */
#include "fit/score/score_data.h"
#include "fit_items.h"
#include "rcity_test.h"

#define POINT_COUNT 401

static int compare(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0.0) - (difference < 0.0);
}

/* Equations 21 to 23 of Rick and Kuhlen; Pearson's correlation from raw sums; the middle of the sorted errors. */
static rcity_score_figures plain_figures(int64_t count, const double *measured_db, const double *predicted_db)
{
    rcity_score_figures made = {.count = 0};
    double *errors = calloc((size_t)count, sizeof *errors);
    assert_non_null(errors);
    long double sum = 0.0L;
    long double squares = 0.0L;
    long double m = 0.0L;
    long double p = 0.0L;
    long double mm = 0.0L;
    long double pp = 0.0L;
    long double mp = 0.0L;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(measured_db[i]) || isnan(predicted_db[i])) {
            continue;
        }
        long double error = (long double)measured_db[i] - (long double)predicted_db[i];
        sum += error;
        squares += error * error;
        m += (long double)measured_db[i];
        p += (long double)predicted_db[i];
        mm += (long double)measured_db[i] * (long double)measured_db[i];
        pp += (long double)predicted_db[i] * (long double)predicted_db[i];
        mp += (long double)measured_db[i] * (long double)predicted_db[i];
        errors[made.count++] = fabs((double)error);
    }
    long double n = (long double)made.count;
    qsort(errors, (size_t)made.count, sizeof *errors, compare);
    made.mean_db = (double)(sum / n);
    made.rmse_db = (double)sqrtl(squares / n);
    made.standard_deviation_db = (double)sqrtl((squares - sum * sum / n) / (n - 1.0L));
    made.median_absolute_db = 0.5 * (errors[(made.count - 1) / 2] + errors[made.count / 2]);
    made.correlation = (double)((n * mp - m * p) / sqrtl((n * mm - m * m) * (n * pp - p * p)));
    free(errors);
    return made;
}

static void assert_same(rcity_score_figures actual, rcity_score_figures expected)
{
    assert_int_equal(actual.count, expected.count);
    assert_near(actual.mean_db, expected.mean_db, 1e-9);
    assert_near(actual.rmse_db, expected.rmse_db, 1e-9);
    assert_near(actual.standard_deviation_db, expected.standard_deviation_db, 1e-9);
    assert_near(actual.median_absolute_db, expected.median_absolute_db, 1e-9);
    assert_near(actual.correlation, expected.correlation, 1e-9);
}

static void fill_random(uint64_t seed, double *measured_db, double *predicted_db)
{
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        bool is_gap = test_random(seed, 5 * i) % 10 == 0;
        measured_db[i] = test_uniform(seed, 5 * i + 1, 60.0, 160.0);
        predicted_db[i] = is_gap ? (double)NAN : 0.7 * measured_db[i] + test_uniform(seed, 5 * i + 2, 20.0, 50.0);
    }
}

static void test_figures_follow_the_plain_formulas(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    double measured_db[POINT_COUNT];
    double predicted_db[POINT_COUNT];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        print_message("seed %llu\n", (unsigned long long)seed);
        fill_random(seed, measured_db, predicted_db);
        for (int64_t count = POINT_COUNT; count > POINT_COUNT - 2; count--) { /* odd and even medians */
            rcity_score_figures figures;
            assert_ok(context, rcity_score_figures_make(context, count, measured_db, predicted_db, &figures));
            assert_same(figures, plain_figures(count, measured_db, predicted_db));
        }
    }
    rcity_context_destroy(&context);
}

static void test_sign_and_edges(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const double measured_db[] = {103.0, 113.0, 123.0};
    const double predicted_db[] = {100.0, 110.0, 120.0};
    const double constant_db[] = {100.0, 100.0, 100.0};
    rcity_score_figures figures;
    assert_ok(context, rcity_score_figures_make(context, 3, measured_db, predicted_db, &figures));
    assert_near(figures.mean_db, 3.0, 1e-12); /* more was lost than predicted: the model is too bright */
    assert_near(figures.rmse_db, 3.0, 1e-12);
    assert_near(figures.standard_deviation_db, 0.0, 1e-6);
    assert_near(figures.correlation, 1.0, 1e-12);
    assert_ok(context, rcity_score_figures_make(context, 3, measured_db, constant_db, &figures));
    assert_true(isnan(figures.correlation));
    assert_ok(context, rcity_score_figures_make(context, 1, measured_db, predicted_db, &figures));
    assert_int_equal(figures.count, 1);
    assert_true(isnan(figures.standard_deviation_db));
    assert_ok(context, rcity_score_figures_make(context, 0, NULL, NULL, &figures));
    assert_int_equal(figures.count, 0);
    assert_true(isnan(figures.mean_db) && isnan(figures.rmse_db) && isnan(figures.median_absolute_db));
    rcity_context_destroy(&context);
}

/* A score of random values with groups by remainder; those left out count in the group, not in its figures. */
static rcity_score *make_score(rcity_context *context, uint64_t seed, int32_t *key, rcity_status *status)
{
    static const char *const names[] = {"none of them", "some", "others", "nobody"};
    rcity_score *score = NULL;
    double *first_db = NULL;
    double *second_db = NULL;
    *status = rcity_score_open(context, POINT_COUNT, &score);
    *status = *status != RCITY_OK ? *status : rcity_score_add_model(score, "first", "", &first_db);
    *status = *status != RCITY_OK ? *status : rcity_score_add_model(score, "second", "elsewhere", &second_db);
    for (uint64_t i = 0; *status == RCITY_OK && i < POINT_COUNT; i++) {
        score->measured_db[i] = test_uniform(seed, 10 * i, 60.0, 160.0);
        first_db[i] = test_uniform(seed, 10 * i + 1, 60.0, 160.0);
        second_db[i] = test_uniform(seed, 10 * i + 2, 60.0, 160.0);
        score->points[i].left_out = test_random(seed, 10 * i + 3) % 7 == 0 ? "no path" : "";
        key[i] = (int32_t)(test_random(seed, 10 * i + 4) % 3) - 1;
        key[i] = key[i] == 0 ? 2 : key[i]; /* -1, 1, 2 */
    }
    *status = *status != RCITY_OK ? *status : rcity_score_add_groups(score, "kind", 4, names, key);
    *status = *status != RCITY_OK ? *status : rcity_score_warn(score, "beware of %d", 7);
    return score;
}

static void test_group_figures_cover_their_members_only(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        int32_t key[POINT_COUNT];
        rcity_status status;
        rcity_score *score = make_score(context, seed, key, &status);
        assert_int_equal(status, RCITY_OK);
        assert_int_equal(rcity_score_group_count(score), 2); /* empty ones are left out */
        assert_string_equal(score_group_at(score, 0).name, "some");
        assert_string_equal(score_group_at(score, 1).name, "others");
        for (int group = 0; group < 2; group++) {
            for (int model = 0; model < 2; model++) {
                double measured_db[POINT_COUNT];
                double predicted_db[POINT_COUNT];
                int64_t member_count = 0;
                int64_t count = 0;
                for (int i = 0; i < POINT_COUNT; i++) {
                    bool is_member = key[i] == group + 1;
                    member_count += is_member;
                    if (is_member && score->points[i].left_out[0] == '\0') {
                        measured_db[count] = rcity_score_measured_db(score)[i];
                        predicted_db[count++] = rcity_score_predicted_db(score, model)[i];
                    }
                }
                assert_int_equal(score_group_at(score, group).count, member_count);
                assert_same(score_figures_at(score, model, group), plain_figures(count, measured_db, predicted_db));
            }
        }
        assert_string_equal(rcity_score_warning(score, 0), "beware of 7");
        assert_null(rcity_score_warning(score, 1));
        assert_null(rcity_score_remark(score, 0));
        rcity_score_destroy(&score);
        assert_null(score);
    }
    rcity_context_destroy(&context);
}

static void test_drop_model(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_score *score = NULL;
    assert_ok(context, rcity_score_open(context, 3, &score));
    assert_ok(context, rcity_score_add_model(score, "a", "", NULL));
    assert_ok(context, rcity_score_add_model(score, "b", "", NULL));
    assert_ok(context, rcity_score_add_model(score, "c", "here", NULL));
    rcity_score_drop_model(score, 1);
    assert_int_equal(rcity_score_model_count(score), 2);
    assert_string_equal(score_model_at(score, 1).name, "c");
    assert_string_equal(score_model_at(score, 1).fitted_on, "here");
    assert_true(isnan(rcity_score_predicted_db(score, 1)[2]));
    rcity_score_destroy(&score);
    rcity_context_destroy(&context);
}

/* Every allocation may fail; nothing is lost then. */
static void test_score_survives_failed_allocations(void **state)
{
    (void)state;
    bool is_done = false;
    for (long fail_at = 1; !is_done; fail_at++) {
        failing_allocator failing = {fail_at, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        int32_t key[POINT_COUNT];
        rcity_status status;
        rcity_score *score = make_score(context, 1, key, &status);
        is_done = failing.call_count < fail_at;
        assert_int_equal(status, is_done ? RCITY_OK : RCITY_ERR_MEMORY);
        rcity_score_destroy(&score);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    }
}

TEST_SUITE(score_figures)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_follow_the_plain_formulas),      cmocka_unit_test(test_sign_and_edges),
        cmocka_unit_test(test_group_figures_cover_their_members_only), cmocka_unit_test(test_drop_model),
        cmocka_unit_test(test_score_survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
