/* Levels of `cubes` in whole cities beside those of `images`, which are exact, and of `shadow`: two reflections, one
   diffraction of each kind, receivers in the streets. */
#include "munich.h"
#include "tiles_trial.h"

#define PLACE_MAX 500

static const uint64_t seed = 20271120;

/* A city, its transmitter and the receivers in its streets. */
typedef struct cubes_city {
    const char *name;
    rcity_context *context;
    rcity_scene *scene;
    double tx_m[3];
    double xyh_m[3 * PLACE_MAX];
    int place_count;
    double east_m, north_m, side_m; /* the square in which places are drawn */
} cubes_city;

/* The strongest path of `images`. */
enum { DIRECT, REFLECTED, VERTICAL, ROOF, CLASS_COUNT, ALL = CLASS_COUNT, KIND_COUNT };
static const char *const kind_name[KIND_COUNT] = {"direct", "reflected", "vertical edge", "roof", "all"};

/* Differences in dB, the method less images. */
typedef struct cubes_spread {
    int count, missed, extra;
    double sum_db, square_sum_db2;
} cubes_spread;

static void spread_add(cubes_spread *s, double made_db, double exact_db)
{
    s->missed += isnan(made_db) && !isnan(exact_db);
    s->extra += isnan(exact_db) && !isnan(made_db);
    if (!isnan(made_db) && !isnan(exact_db)) {
        s->count++;
        s->sum_db += made_db - exact_db;
        s->square_sum_db2 += (made_db - exact_db) * (made_db - exact_db);
    }
}

static double spread_sd_db(const cubes_spread *s)
{
    double mean_db = s->sum_db / s->count;
    return sqrt(fmax(s->square_sum_db2 / s->count - mean_db * mean_db, 0.0));
}

static void draw_place(const cubes_city *city, double margin_m, double height_m, uint64_t *next, double *xyh_m)
{
    rcity_cover cover;
    do {
        xyh_m[0] = city->east_m + test_uniform(seed, (*next)++, margin_m, city->side_m - margin_m);
        xyh_m[1] = city->north_m + test_uniform(seed, (*next)++, margin_m, city->side_m - margin_m);
        xyh_m[2] = height_m;
        assert_ok(city->context, rcity_scene_get_cover(city->context, city->scene, xyh_m[0], xyh_m[1], &cover));
    } while (cover.is_covered);
}

static void draw_places(cubes_city *city, int count)
{
    uint64_t next = 0;
    city->place_count = count;
    draw_place(city, 0.4 * city->side_m, 10.0, &next, city->tx_m);
    for (int i = 0; i < count; i++) {
        draw_place(city, 10.0, 1.5, &next, &city->xyh_m[3 * i]);
    }
}

static void open_core(int count, cubes_city *city)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_CORE;
    options.seed = 3;
    options.area_km2 = 0.25;
    *city = (cubes_city){.name = "core", .context = test_context(0), .side_m = 500.0};
    assert_ok(city->context, rcity_city_make(city->context, &options, &city->scene));
    draw_places(city, count);
}

static void open_munich(int count, cubes_city *city)
{
    rcity_scene *whole = NULL;
    *city = (cubes_city){.name = "munich", .context = test_munich_open(0, &whole), .side_m = 500.0};
    city->scene = test_munich_crop(city->context, whole, city->side_m, &city->east_m, &city->north_m);
    rcity_scene_destroy(&whole);
    draw_places(city, count);
}

static ask ask_city(const cubes_city *city, const char *method)
{
    ask made;
    memset(&made, 0, sizeof made);
    made.method = method;
    made.tx = rcity_transmitter_default();
    made.tx.x_m = city->tx_m[0];
    made.tx.y_m = city->tx_m[1];
    made.tx.height_m = city->tx_m[2];
    made.tx.frequency_hz = 1e9;
    return made;
}

/* The loss of `images` at each place, and the class of its strongest path. */
static void find_exact(const cubes_city *city, float *exact_db, int *kind)
{
    ask asked = ask_city(city, "images");
    ask_set(&asked, "ground", "off");
    ask_set(&asked, "roofs", "off");
    ask levels = asked;
    ask_set(&levels, "sum", "power");
    ask_points(city->context, city->scene, &levels, city->place_count, city->xyh_m, exact_db, NULL);
    rcity_rays *rays = ask_rays(city->context, city->scene, &asked, city->place_count, city->xyh_m);
    for (int64_t i = 0; i < city->place_count; i++) {
        rcity_receiver_summary at;
        assert_int_equal(rcity_rays_get_receiver(rays, i, &at), RCITY_OK);
        kind[i] = DIRECT;
        if (at.path_count > 0) {
            rcity_path path;
            assert_int_equal(rcity_rays_get_path(rays, at.path_first, &path), RCITY_OK);
            for (int e = 0; e < path.event_count; e++) {
                int is = path.events[e].kind == RCITY_EVENT_REFLECTION       ? REFLECTED
                         : path.events[e].place == RCITY_PLACE_VERTICAL_EDGE ? VERTICAL
                                                                             : ROOF;
                kind[i] = is > kind[i] ? is : kind[i];
            }
        }
    }
    rcity_rays_destroy(&rays);
}

/* Hold a method's losses against the exact ones. @return the standard deviation of all. */
static double compare(const cubes_city *city, const ask *asked, const char *name, const float *exact_db,
                      const int *kind)
{
    static float made_db[PLACE_MAX];
    cubes_spread spread[KIND_COUNT];
    memset(spread, 0, sizeof spread);
    ask_points(city->context, city->scene, asked, city->place_count, city->xyh_m, made_db, NULL);
    for (int i = 0; i < city->place_count; i++) {
        spread_add(&spread[kind[i]], (double)made_db[i], (double)exact_db[i]);
        spread_add(&spread[ALL], (double)made_db[i], (double)exact_db[i]);
    }
    for (int k = 0; k < KIND_COUNT; k++) {
        print_message("%-8s %-14s %-14s %4d in both, %3d missed, %3d extra, mean %6.2f dB, sd %5.2f dB\n", city->name,
                      name, kind_name[k], spread[k].count, spread[k].missed, spread[k].extra,
                      spread[k].sum_db / spread[k].count, spread_sd_db(&spread[k]));
    }
    return spread_sd_db(&spread[ALL]);
}

static void check_city(cubes_city *city)
{
    static float exact_db[PLACE_MAX];
    static int kind[PLACE_MAX];
    find_exact(city, exact_db, kind);
    ask shadow = ask_city(city, "shadow");
    ask_set(&shadow, "map-doubt", "0");
    ask_set(&shadow, "diffuse-db", "80");
    compare(city, &shadow, "shadow", exact_db, kind);
    static const char *const edges[] = {"5", "2"};
    for (int i = 0; i < 2; i++) {
        ask cubes = ask_city(city, "cubes");
        char name[32];
        snprintf(name, sizeof name, "cubes %s m", edges[i]);
        ask_set(&cubes, "surroundings", "off");
        ask_set(&cubes, "sum", "power");
        ask_set(&cubes, "cube-edge-m", edges[i]);
        double sd_db = compare(city, &cubes, name, exact_db, kind);
        assert_true(sd_db < 12.0);
    }
    test_close(&city->context, &city->scene, NULL);
}

static void test_core(void **state)
{
    cubes_city city;
    (void)state;
    open_core(test_is_called_with("long") ? PLACE_MAX : 60, &city);
    check_city(&city);
}

static void test_munich(void **state)
{
    cubes_city city;
    (void)state;
    if (!test_is_called_with("long")) {
        skip();
    }
    open_munich(PLACE_MAX, &city);
    check_city(&city);
}

TEST_SUITE(cubes_cities)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_core),
        cmocka_unit_test(test_munich),
    };
    return cmocka_run_group_tests_name("cubes_cities", tests, NULL, NULL);
}
