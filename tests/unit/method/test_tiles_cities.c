/* Levels of `tiles` in whole cities against those of `images`, which are exact: three interactions, tiles of 25 m2, 300
   receivers in the streets and 300 tiles; and what scattering adds. */
#include "munich.h"
#include "tiles_missed.h"

#define PLACES      300
#define NEAR_M      0.05 /* off a tile, where `images` has a receiver that stands for it */
#define TILE_M2     "25"
#define TILE_SIDE_M 5.0

static const uint64_t seed = 20270117;

/* A city, its transmitter and the receivers in its streets. */
typedef struct city_trial {
    const char *name;
    rcity_context *context;
    rcity_scene *scene;
    double tx_m[3];
    double xyh_m[3 * PLACES];
    double east_m, north_m, side_m; /* the square in which places are drawn */
} city_trial;

/* Differences in dB, tiles less images. */
typedef struct spread {
    int count, missed, extra; /* with a path in both, in images alone, in tiles alone */
    double sum_db, square_sum_db2;
} spread;

static void spread_add(spread *s, double made_db, double exact_db)
{
    bool is_made = made_db > -HUGE_VAL;
    bool is_exact = exact_db > -HUGE_VAL;
    s->missed += is_exact && !is_made;
    s->extra += is_made && !is_exact;
    if (is_made && is_exact) {
        s->count++;
        s->sum_db += made_db - exact_db;
        s->square_sum_db2 += (made_db - exact_db) * (made_db - exact_db);
    }
}

static double spread_mean_db(const spread *s)
{
    return s->sum_db / s->count;
}

static double spread_sd_db(const spread *s)
{
    double mean_db = spread_mean_db(s);
    return sqrt(fmax(s->square_sum_db2 / s->count - mean_db * mean_db, 0.0));
}

/* A point over the ground of a city, outside of its houses. */
static bool is_in_the_open(rcity_context *context, const rcity_scene *scene, const double *xyh_m)
{
    rcity_cover cover;
    assert_ok(context, rcity_scene_get_cover(context, scene, xyh_m[0], xyh_m[1], &cover));
    return !cover.is_covered;
}

static void draw_place(const city_trial *trial, double margin_m, double height_m, uint64_t *next, double *xyh_m)
{
    do {
        xyh_m[0] = trial->east_m + test_uniform(seed, (*next)++, margin_m, trial->side_m - margin_m);
        xyh_m[1] = trial->north_m + test_uniform(seed, (*next)++, margin_m, trial->side_m - margin_m);
        xyh_m[2] = height_m;
    } while (!is_in_the_open(trial->context, trial->scene, xyh_m));
}

static void draw_places(city_trial *trial)
{
    uint64_t next = 0;
    draw_place(trial, 0.4 * trial->side_m, 10.0, &next, trial->tx_m);
    for (int i = 0; i < PLACES; i++) {
        draw_place(trial, 10.0, 1.5, &next, &trial->xyh_m[3 * i]);
    }
}

static void open_made_city(rcity_city_kind kind, city_trial *trial)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.seed = 3;
    options.area_km2 = 0.1;
    *trial = (city_trial){.name = rcity_city_kind_name(kind), .context = test_context(0), .side_m = 316.0};
    assert_ok(trial->context, rcity_city_make(trial->context, &options, &trial->scene));
    draw_places(trial);
}

/* The buildings of Munich around its middle. */
static void open_munich(city_trial *trial)
{
    rcity_scene *whole = NULL;
    *trial = (city_trial){.name = "munich", .context = test_munich_open(0, &whole), .side_m = 350.0};
    trial->scene = test_munich_crop(trial->context, whole, trial->side_m, &trial->east_m, &trial->north_m);
    rcity_scene_destroy(&whole);
    draw_places(trial);
}

static ask ask_city(const city_trial *trial, const char *method, const char *reflections, const char *diffractions)
{
    ask made = ask_make(method, trial->tx_m[0], trial->tx_m[1], trial->tx_m[2], 1e9);
    ask_orders(&made, "3", reflections, diffractions);
    if (strcmp(method, "tiles") == 0) {
        ask_set(&made, "tile-area-m2", TILE_M2);
    }
    return made;
}

/* The power at each place of all paths of at most three interactions. Where the place is on a tile (`normal` then), its
   own surface does not reflect. */
static void add_exact(const city_trial *trial, const ask *asked, const double *xyh_m, bool are_on_tiles,
                      int least_reflections, double *power)
{
    rcity_rays *rays = ask_rays(trial->context, trial->scene, asked, PLACES, xyh_m);
    for (int64_t i = 0; i < PLACES; i++) {
        rcity_receiver_summary at;
        assert_int_equal(rcity_rays_get_receiver(rays, i, &at), RCITY_OK);
        for (int64_t k = 0; k < at.path_count; k++) {
            rcity_path path;
            assert_int_equal(rcity_rays_get_path(rays, at.path_first + k, &path), RCITY_OK);
            bool is_own = are_on_tiles && is_off_own_tile(&path, at.position);
            int reflections = 0;
            for (int e = 0; e < path.event_count; e++) {
                reflections += path.events[e].kind == RCITY_EVENT_REFLECTION;
            }
            if (!is_own && path.event_count <= 3 && reflections >= least_reflections) {
                power[i] += pow(10.0, 0.1 * path.gain_db);
            }
        }
    }
    rcity_rays_destroy(&rays);
}

/* Three reflections; two and a diffraction. */
static void find_exact_db(const city_trial *trial, const double *xyh_m, bool are_on_tiles, double *exact_db)
{
    double power[PLACES] = {0.0};
    ask bent = ask_city(trial, "images", "2", "1");
    ask reflected = ask_city(trial, "images", "3", "0");
    add_exact(trial, &bent, xyh_m, are_on_tiles, 0, power);
    add_exact(trial, &reflected, xyh_m, are_on_tiles, 3, power);
    for (int i = 0; i < PLACES; i++) {
        exact_db[i] = power[i] > 0.0 ? 10.0 * log10(power[i]) : -HUGE_VAL;
    }
}

static double to_level_db(float loss_db)
{
    return isnan(loss_db) ? -HUGE_VAL : -(double)loss_db;
}

static void print_spread(const city_trial *trial, const char *what, const spread *s)
{
    print_message("%s, %s, tiles of " TILE_M2
                  " m2: mean %+.2f dB, standard deviation %.2f dB over %d with a path in both; %d "
                  "have one in images alone, %d in tiles alone\n",
                  trial->name, what, spread_mean_db(s), spread_sd_db(s), s->count, s->missed, s->extra);
}

static void check_receivers(const city_trial *trial)
{
    static float made_db[PLACES];
    double exact_db[PLACES];
    spread s = {0, 0, 0, 0.0, 0.0};
    ask tiles = ask_city(trial, "tiles", "3", "1");
    ask_points(trial->context, trial->scene, &tiles, PLACES, trial->xyh_m, made_db, NULL);
    find_exact_db(trial, trial->xyh_m, false, exact_db);
    for (int i = 0; i < PLACES; i++) {
        spread_add(&s, to_level_db(made_db[i]), exact_db[i]);
    }
    print_spread(trial, "receivers", &s);
    assert_true(spread_sd_db(&s) < 4.0 && fabs(spread_mean_db(&s)) < 1.5);
    assert_true(s.count > PLACES / 3 && s.missed < PLACES / 10 && s.extra < PLACES / 50);
}

/* Tiles drawn among those with a path. */
static void draw_tiles(const city_trial *trial, const rcity_surfaces *surfaces, const float *loss_db, int64_t *numbers)
{
    uint64_t next = 5000;
    for (int i = 0; i < PLACES;) {
        rcity_surface_tile tile;
        double ground_m;
        int64_t number = (int64_t)(test_random(seed, next++) % (uint64_t)rcity_surfaces_tile_count(surfaces));
        assert_int_equal(rcity_surfaces_get_tile(surfaces, number, &tile), RCITY_OK);
        if (!isnan(loss_db[number]) && rcity_scene_get_ground(trial->context, trial->scene, tile.centre.x_m,
                                                              tile.centre.y_m, &ground_m) == RCITY_OK) {
            numbers[i++] = number;
        }
    }
}

/* Places so far off the tiles, in the air. */
static void place_off_tiles(const city_trial *trial, const rcity_surfaces *surfaces, const int64_t *numbers,
                            double off_m, double *xyh_m)
{
    for (int i = 0; i < PLACES; i++) {
        rcity_surface_tile tile;
        double ground_m;
        assert_int_equal(rcity_surfaces_get_tile(surfaces, numbers[i], &tile), RCITY_OK);
        double x = tile.centre.x_m + off_m * (double)tile.normal[0];
        double y = tile.centre.y_m + off_m * (double)tile.normal[1];
        assert_ok(trial->context, rcity_scene_get_ground(trial->context, trial->scene, x, y, &ground_m));
        xyh_m[3 * i] = x;
        xyh_m[3 * i + 1] = y;
        xyh_m[3 * i + 2] = fmax(tile.centre.z_m + off_m * (double)tile.normal[2] - ground_m, 0.0);
    }
}

/* The strongest path of at most three interactions that some rays have and others have not. */
typedef struct missed_path {
    rcity_path path;
    double share; /* of the power of the receiver; 0: there is none */
} missed_path;

static bool has_path(const rcity_rays *rays, int64_t receiver, const rcity_path *wanted)
{
    rcity_receiver_summary at;
    bool is_found = false;
    assert_int_equal(rcity_rays_get_receiver(rays, receiver, &at), RCITY_OK);
    for (int64_t k = 0; k < at.path_count && !is_found; k++) {
        rcity_path path;
        assert_int_equal(rcity_rays_get_path(rays, at.path_first + k, &path), RCITY_OK);
        is_found = is_same_path(&path, wanted, 0.1);
    }
    return is_found;
}

static void find_missed(const rcity_rays *rays, const rcity_rays *const *others, int other_count, int64_t receiver,
                        double whole_db, missed_path *missed)
{
    rcity_receiver_summary at;
    assert_int_equal(rcity_rays_get_receiver(rays, receiver, &at), RCITY_OK);
    for (int64_t k = 0; k < at.path_count; k++) {
        rcity_path path;
        bool is_known = false;
        assert_int_equal(rcity_rays_get_path(rays, at.path_first + k, &path), RCITY_OK);
        double share = pow(10.0, 0.1 * (path.gain_db - whole_db));
        for (int i = 0; i < other_count && path.event_count <= 3 && share > missed->share; i++) {
            is_known = is_known || has_path(others[i], receiver, &path);
        }
        if (path.event_count <= 3 && share > missed->share && !is_known) {
            *missed = (missed_path){path, share};
        }
    }
}

#define WORST 10

static void find_worst(const double *made_db, const double *exact_db, int *number)
{
    bool is_taken[PLACES] = {false};
    for (int w = 0; w < WORST; w++) {
        double largest_db = -1.0;
        for (int i = 0; i < PLACES; i++) {
            double off_db = fabs(made_db[i] - exact_db[i]);
            if (!is_taken[i] && isfinite(off_db) && off_db > largest_db) {
                largest_db = off_db;
                number[w] = i;
            }
        }
        is_taken[number[w]] = true;
    }
}

/* What the places where tiles and images differ most are compared by. */
typedef struct worst_places {
    int number[WORST]; /* of 300 */
    double xyh_m[3 * WORST];
    float fine_db[WORST]; /* losses with tiles of 4 m2 */
    rcity_rays *made, *bent, *reflected;
    rcity_point transmitter;
} worst_places;

static void open_worst(const city_trial *trial, const double *xyh_m, const double *made_db, const double *exact_db,
                       worst_places *worst)
{
    double ground_m = 0.0;
    ask tiles = ask_city(trial, "tiles", "3", "1");
    ask bent = ask_city(trial, "images", "2", "1");
    ask reflected = ask_city(trial, "images", "3", "0");
    find_worst(made_db, exact_db, worst->number);
    for (int w = 0; w < WORST; w++) {
        memcpy(worst->xyh_m + 3 * w, xyh_m + 3 * worst->number[w], 3 * sizeof *xyh_m);
    }
    worst->made = ask_rays(trial->context, trial->scene, &tiles, WORST, worst->xyh_m);
    worst->bent = ask_rays(trial->context, trial->scene, &bent, WORST, worst->xyh_m);
    worst->reflected = ask_rays(trial->context, trial->scene, &reflected, WORST, worst->xyh_m);
    ask_set(&tiles, "tile-area-m2", "4");
    ask_points(trial->context, trial->scene, &tiles, WORST, worst->xyh_m, worst->fine_db, NULL);
    assert_ok(trial->context,
              rcity_scene_get_ground(trial->context, trial->scene, trial->tx_m[0], trial->tx_m[1], &ground_m));
    worst->transmitter = (rcity_point){trial->tx_m[0], trial->tx_m[1], trial->tx_m[2] + ground_m};
}

static void close_worst(worst_places *worst)
{
    rcity_rays_destroy(&worst->reflected);
    rcity_rays_destroy(&worst->bent);
    rcity_rays_destroy(&worst->made);
}

/* The places where tiles and images differ most: the strongest path that one of them lacks, on which of its legs
   centres of tiles do not see each other, and the difference with tiles of 4 m2. */
static void print_worst(const city_trial *trial, const rcity_surfaces *surfaces, const double *xyh_m,
                        const double *made_db, const double *exact_db)
{
    worst_places worst;
    open_worst(trial, xyh_m, made_db, exact_db, &worst);
    const rcity_rays *const exact[] = {worst.bent, worst.reflected};
    const rcity_rays *const made[] = {worst.made};
    for (int w = 0; w < WORST; w++) {
        rcity_receiver_summary at;
        missed_path missed = {.share = 0.0};
        char word[RCITY_PATH_WORD_BYTES] = "none";
        char reason[200] = "";
        double made_here_db = made_db[worst.number[w]];
        double exact_here_db = exact_db[worst.number[w]];
        bool is_too_high = made_here_db > exact_here_db;
        assert_int_equal(rcity_rays_get_receiver(worst.made, w, &at), RCITY_OK);
        if (is_too_high) {
            find_missed(worst.made, exact, 2, w, made_here_db, &missed);
        } else {
            find_missed(worst.bent, made, 1, w, exact_here_db, &missed);
            find_missed(worst.reflected, made, 1, w, exact_here_db, &missed);
        }
        if (missed.share > 0.0) {
            rcity_path_describe(&missed.path, word);
            missed_explain(trial->context, trial->scene, surfaces, worst.transmitter, at.position, TILE_SIDE_M,
                           &missed.path, reason, sizeof reason);
        }
        print_message("%s, worst %2d: %+.1f dB, with tiles of 4 m2 %+.1f dB, images %.1f dB; %s lacks %s, %.0f %% of "
                      "the power; %s\n",
                      trial->name, w + 1, made_here_db - exact_here_db, to_level_db(worst.fine_db[w]) - exact_here_db,
                      exact_here_db, is_too_high ? "images" : "tiles", word, 100.0 * missed.share, reason);
    }
    close_worst(&worst);
}

/* Receivers 1 m off 300 tiles; and these tiles themselves, each kind of surface apart. Tiles have no reflections off
   their own surface, and along it another field than `images` just above it (test_tiles_faces.c): roofs are reached
   mostly so, and are not asked for. */
static void check_tiles(const city_trial *trial)
{
    static float off_db[PLACES];
    double near_m[3 * PLACES];
    double off_m[3 * PLACES];
    double near_db[PLACES];
    double off_exact_db[PLACES];
    double off_made_db[PLACES];
    int64_t numbers[PLACES];
    spread off = {0, 0, 0, 0.0, 0.0};
    spread own[RCITY_SURFACE_COUNT];
    ask tiles = ask_city(trial, "tiles", "3", "1");
    rcity_surfaces *surfaces = ask_surfaces(trial->context, trial->scene, &tiles);
    const float *loss_db = surface_band(surfaces, "path_loss");
    memset(own, 0, sizeof own);
    draw_tiles(trial, surfaces, loss_db, numbers);
    place_off_tiles(trial, surfaces, numbers, 1.0, off_m);
    place_off_tiles(trial, surfaces, numbers, NEAR_M, near_m);
    find_exact_db(trial, near_m, true, near_db);
    find_exact_db(trial, off_m, false, off_exact_db);
    ask_points(trial->context, trial->scene, &tiles, PLACES, off_m, off_db, NULL);
    for (int i = 0; i < PLACES; i++) {
        rcity_surface_tile tile;
        assert_int_equal(rcity_surfaces_get_tile(surfaces, numbers[i], &tile), RCITY_OK);
        spread_add(&own[tile.kind], to_level_db(loss_db[numbers[i]]), near_db[i]);
        spread_add(&off, to_level_db(off_db[i]), off_exact_db[i]);
        off_made_db[i] = to_level_db(off_db[i]);
    }
    print_spread(trial, "1 m off 300 tiles", &off);
    print_worst(trial, surfaces, off_m, off_made_db, off_exact_db);
    rcity_surfaces_destroy(&surfaces);
    for (int kind = 0; kind < RCITY_SURFACE_COUNT; kind++) {
        print_spread(trial, rcity_surface_name((rcity_surface)kind), &own[kind]);
    }
    assert_true(spread_sd_db(&off) < 4.0 && fabs(spread_mean_db(&off)) < 1.5);
    assert_true(off.count > PLACES * 9 / 10);
    assert_true(spread_sd_db(&own[RCITY_SURFACE_GROUND]) < 5.0);
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Scattering only adds power, and brings it to places without any path. */
static void check_scattering(const city_trial *trial)
{
    static float smooth_db[PLACES];
    static float rough_db[PLACES];
    double gain_db[PLACES];
    int reached = 0;
    int both = 0;
    ask tiles = ask_city(trial, "tiles", "3", "1");
    ask_points(trial->context, trial->scene, &tiles, PLACES, trial->xyh_m, smooth_db, NULL);
    ask_set(&tiles, "scattering", "lambertian");
    ask_points(trial->context, trial->scene, &tiles, PLACES, trial->xyh_m, rough_db, NULL);
    for (int i = 0; i < PLACES; i++) {
        assert_true(isnan(smooth_db[i]) || !isnan(rough_db[i]));
        reached += isnan(smooth_db[i]) && !isnan(rough_db[i]);
        if (!isnan(smooth_db[i])) {
            gain_db[both++] = (double)(smooth_db[i] - rough_db[i]);
        }
    }
    qsort(gain_db, (size_t)both, sizeof *gain_db, compare_doubles);
    print_message(
        "%s: scattering changes levels by %+.1f dB (lowest tenth), %+.1f dB (median), %+.1f dB (highest tenth) "
        "at %d receivers, and reaches %d more\n",
        trial->name, gain_db[both / 10], gain_db[both / 2], gain_db[both * 9 / 10], both, reached);
    assert_true(gain_db[both / 2] > 0.0 && gain_db[0] > -3.0); /* the specular share is sqrt(1 - S^2) a reflection */
}

static void check_city(city_trial *trial)
{
    check_receivers(trial);
    check_tiles(trial);
    check_scattering(trial);
    test_close(&trial->context, &trial->scene, NULL);
}

static void test_core(void **state)
{
    (void)state;
    city_trial trial;
    open_made_city(RCITY_CITY_CORE, &trial);
    check_city(&trial);
}

static void test_highrise(void **state)
{
    (void)state;
    city_trial trial;
    open_made_city(RCITY_CITY_HIGHRISE, &trial);
    check_city(&trial);
}

static void test_munich(void **state)
{
    (void)state;
    city_trial trial;
    open_munich(&trial);
    check_city(&trial);
}

TEST_SUITE(tiles_cities)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_core),
        cmocka_unit_test(test_highrise),
        cmocka_unit_test(test_munich),
    };
    if (!test_is_called_with("long")) {
        print_message("skipped: whole cities take minutes; call with `long`\n");
        return 0;
    }
    return cmocka_run_group_tests_name("tiles_cities", tests, NULL, NULL);
}
