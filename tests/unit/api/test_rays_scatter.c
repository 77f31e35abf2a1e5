/* Diffuse scattering through the public interface: against a plain sum over tiny elements, as energy, both ways, from
   place to place, with tiles of all sizes. */
#include "random_number.h"
#include "rays_trial.h"

#define LIGHT 299792458.0
#define S     0.4

typedef struct scatter_trial {
    trial base;
    const char *model, *coefficient, *of, *exponent, *range_m, *tile_m, *near_m, *near;
    rcity_polarization tx_polarization;
    const char *rx_polarization;
} scatter_trial;

static scatter_trial open_scatter(int thread_count)
{
    scatter_trial t = {open_trial(), "lambertian", "0.4", "incident", "4",
                       "1000",       "10",         "0",   "both",     RCITY_POLARIZATION_VERTICAL,
                       "vertical"};
    if (thread_count != 2) {
        rcity_scene_destroy(&t.base.scene);
        rcity_context_destroy(&t.base.context);
        t.base.context = test_context(thread_count);
        rcity_scene_options options = rcity_scene_options_default();
        options.gap_m = 0.0;
        assert_ok(t.base.context, rcity_scene_create(t.base.context, &options, &t.base.scene));
    }
    t.base.diffractions = "0";
    t.base.tx[2] = 10.0;
    return t;
}

static rcity_rays *find_scattered(scatter_trial *t, int64_t count, const double *points)
{
    const char *names[] = {"max-reflections",
                           "max-diffractions",
                           "over-roofs",
                           "ground",
                           "scattering",
                           "scattering-of",
                           "scattering-exponent",
                           "scattering-range-m",
                           "scattering-coefficient",
                           "scattering-tile-m",
                           "scattering-near-m",
                           "scattering-near",
                           "rx-polarization"};
    const char *values[] = {
        t->base.reflections, t->base.diffractions, t->base.over_roofs, t->base.ground, t->model,  t->of,
        t->exponent,         t->range_m,           t->coefficient,     t->tile_m,      t->near_m, t->near,
        t->rx_polarization};
    rcity_request request = rcity_request_default();
    request.method = "images";
    request.transmitter.x_m = t->base.tx[0];
    request.transmitter.y_m = t->base.tx[1];
    request.transmitter.height_m = t->base.tx[2];
    request.transmitter.frequency_hz = t->base.frequency_hz;
    request.transmitter.polarization = t->tx_polarization;
    request.receivers.point_count = count;
    request.receivers.xyh_m = points;
    request.option_count = 13;
    request.option_name = names;
    request.option_value = values;
    rcity_rays *rays = NULL;
    assert_ok(t->base.context, rcity_rays_find(t->base.context, t->base.scene, NULL, &request, &rays));
    return rays;
}

static double scattered_gain(scatter_trial *t, const double point[3])
{
    rcity_receiver_summary at;
    rcity_rays *rays = find_scattered(t, 1, point);
    assert_ok(t->base.context, rcity_rays_get_receiver(rays, 0, &at));
    rcity_rays_destroy(&rays);
    return isnan(at.scattered_gain_db) ? 0.0 : pow(10.0, 0.1 * at.scattered_gain_db);
}

/* A wall in plan, its air to the right of a -> b, and whether a box of the plan hides a line. */
typedef struct plain_wall {
    double ax, ay, bx, by, height;
} plain_wall;

static bool is_hidden(const double box[4], const double p[2], const double q[2])
{
    double first = 0.0;
    double last = 1.0;
    for (int k = 0; k < 2; k++) {
        double step = q[k] - p[k];
        double a = (box[k] - p[k]) / step;
        double b = (box[k + 2] - p[k]) / step;
        first = fmax(first, fmin(a, b));
        last = fmin(last, fmax(a, b));
    }
    return first < last - 1e-9; /* a line that ends on the box is free */
}

/* The sum over elements of `size_m`, straight from the model: (lambda / 4 pi)^2 S^2 cos cos' dA / (pi r^2 r'^2) for
   Lambert's law; Degli-Esposti's lobe with its integral by quadrature over the half-space for the other. */
static double lobe_integral(double cos_in, int exponent)
{
    const int rings = 60;
    double sum = 0.0;
    double sin_in = sqrt(1.0 - cos_in * cos_in);
    for (int i = 0; i < rings; i++) {
        double theta = (i + 0.5) * 0.5 * PI / rings;
        for (int k = 0; k < 2 * rings; k++) {
            double phi = (k + 0.5) * PI / rings;
            double along = sin(theta) * cos(phi) * sin_in + cos(theta) * cos_in;
            sum += pow(0.5 * (1.0 + along), exponent) * sin(theta) * (0.5 * PI / rings) * (PI / rings);
        }
    }
    return sum;
}

static double plain_sum(const scatter_trial *t, int wall_count, const plain_wall *walls, const double *screen,
                        const double rx[3], double size_m, int exponent)
{
    double wave_m = LIGHT / t->base.frequency_hz / (4.0 * PI);
    const double *tx = t->base.tx;
    double sum = 0.0;
    for (int w = 0; w < wall_count; w++) {
        double length = hypot(walls[w].bx - walls[w].ax, walls[w].by - walls[w].ay);
        double ux = (walls[w].bx - walls[w].ax) / length;
        double uy = (walls[w].by - walls[w].ay) / length;
        int columns = (int)ceil(length / size_m);
        int rows = (int)ceil(walls[w].height / size_m);
        for (int i = 0; i < columns * rows; i++) {
            double along = (i / rows + 0.5) * length / columns;
            double p[3] = {walls[w].ax + ux * along, walls[w].ay + uy * along,
                           (i % rows + 0.5) * walls[w].height / rows};
            double in[3] = {tx[0] - p[0], tx[1] - p[1], tx[2] - p[2]};
            double out[3] = {rx[0] - p[0], rx[1] - p[1], rx[2] - p[2]};
            double r1 = sqrt(in[0] * in[0] + in[1] * in[1] + in[2] * in[2]);
            double r2 = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
            double cos_in = (in[0] * uy - in[1] * ux) / r1;
            double cos_out = (out[0] * uy - out[1] * ux) / r2;
            if (cos_in <= 0.0 || cos_out <= 0.0 ||
                (screen != NULL && (is_hidden(screen, tx, p) || is_hidden(screen, rx, p)))) {
                continue;
            }
            double pattern = cos_out / PI;
            if (exponent > 0) {
                double between = (in[0] * out[0] + in[1] * out[1] + in[2] * out[2]) / (r1 * r2);
                double from_specular = 2.0 * cos_in * cos_out - between;
                pattern = pow(0.5 * (1.0 + from_specular), exponent) / lobe_integral(cos_in, exponent);
            }
            double area = length / columns * walls[w].height / rows;
            sum += wave_m * wave_m * S * S * cos_in * pattern * area / (r1 * r1 * r2 * r2);
        }
    }
    return sum;
}

/* One wall; an L of two; the L with a pillar before it, which hides parts of it and scatters itself; the directive
   lobe. */
static void test_scattering_equals_the_plain_sum(void **state)
{
    (void)state;
    static const plain_wall walls[6] = {{0, 0, 60, 0, 20},      {60, 0, 60, -50, 20},   {24, -14, 30, -14, 40},
                                        {30, -14, 30, -11, 40}, {30, -11, 24, -11, 40}, {24, -11, 24, -14, 40}};
    static const double pillar[4] = {24, -14, 30, -11};
    static const int wall_counts[4] = {1, 2, 6, 2};
    static const double receivers[4][3] = {{45, -12, 1.5}, {10, -30, 12}, {50, -3, 5}, {5, -60, 18}};
    for (int turn = 0; turn < 4; turn++) {
        scatter_trial t = open_scatter(2);
        add_box(&t.base, 0, 0, 61, 1, 20);
        if (turn >= 1) {
            add_box(&t.base, 60, -50, 61, 0, 20);
        }
        if (turn == 2) {
            add_box(&t.base, pillar[0], pillar[1], pillar[2], pillar[3], 40);
        }
        assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
        t.base.tx[0] = 20;
        t.base.tx[1] = -25;
        t.model = turn == 3 ? "directive" : "lambertian";
        double worst = 0.0;
        for (int i = 0; i < 4; i++) {
            double made = scattered_gain(&t, receivers[i]);
            double plain = plain_sum(&t, wall_counts[turn], walls, turn == 2 ? pillar : NULL, receivers[i],
                                     turn == 3 ? 1.0 : 0.25, turn == 3 ? 4 : 0);
            worst = fmax(worst, fabs(made / plain - 1.0));
        }
        print_message("%s, %d walls: within %.1f %% of the plain sum\n", t.model, wall_counts[turn], 100.0 * worst);
        assert_true(worst < (turn == 2 ? 0.06 : 0.015)); /* tiles half behind a pillar count whole or not at all */
        close_trial(&t.base);
    }
}

/* A narrow, tall tower lit from 3 m: what arrives on a half-sphere around it is the stated share of what falls on it,
   and the reflected ray has what is left. */
static void test_scattered_and_reflected_power_add_up(void **state)
{
    (void)state;
    enum { RINGS = 16 };
    static double points[3 * 2 * RINGS * RINGS];
    for (int turn = 0; turn < 3; turn++) {
        scatter_trial t = open_scatter(2);
        add_box_of(&t.base, -1, 0, 1, 2, 600, "metal");
        assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
        t.base.tx[1] = -3;
        t.base.tx[2] = 300;
        t.model = turn == 0 ? "lambertian" : "directive";
        t.of = turn == 2 ? "reflected" : "incident"; /* metal reflects all */
        t.base.reflections = "1";
        const double radius = 250.0;
        int count = 0;
        for (int i = 0; i < RINGS; i++) {
            for (int k = 0; k < 2 * RINGS; k++) {
                double theta = (i + 0.5) * 0.5 * PI / RINGS; /* from the wall's normal, -y */
                double phi = (k + 0.5) * PI / RINGS;
                points[3 * count] = radius * sin(theta) * cos(phi);
                points[3 * count + 1] = -radius * cos(theta);
                points[3 * count++ + 2] = 300.0 + radius * sin(theta) * sin(phi);
            }
        }
        rcity_rays *rays = find_scattered(&t, count, points);
        double wavelength_m = LIGHT / t.base.frequency_hz;
        double power = 0.0; /* of isotropic antennas: no vertical dipole spoils the sphere */
        for (int i = 0; i < count; i++) {
            rcity_receiver_summary at;
            assert_ok(t.base.context, rcity_rays_get_receiver(rays, i, &at));
            double theta = (i / (2 * RINGS) + 0.5) * 0.5 * PI / RINGS;
            double area = radius * radius * sin(theta) * (0.5 * PI / RINGS) * (PI / RINGS);
            power += pow(10.0, -0.1 * at.scattered_loss_db) * area * 4.0 * PI / (wavelength_m * wavelength_m);
        }
        double incident = 0.0; /* the solid angle of the tower over that of the sphere */
        for (int i = 0; i < 40 * 4000; i++) {
            double x = -1.0 + (i % 40 + 0.5) * 0.05;
            double z = -300.0 + (i / 40 + 0.5) * 0.15;
            double r = sqrt(x * x + 9.0 + z * z);
            incident += 3.0 / (r * r * r) * 0.05 * 0.15 / (4.0 * PI);
        }
        print_message("%s of the %s field: %.4f of what falls on the wall is scattered\n", t.model, t.of,
                      power / incident);
        assert_near(power / incident, S * S, 0.03 * S * S);
        rcity_rays_destroy(&rays);
        close_trial(&t.base);
    }
}

/* The strongest path's gain, a reflection: without scattering, and with it. */
static void test_reflected_ray_loses_what_is_scattered(void **state)
{
    (void)state;
    double gain_db[2];
    for (int turn = 0; turn < 2; turn++) {
        static const double point[3] = {20, -20, 1.5};
        scatter_trial t = open_scatter(2);
        add_box(&t.base, -100, 0, 100, 1, 20);
        assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
        t.base.tx[1] = -20;
        t.base.reflections = "1";
        t.model = turn == 0 ? "off" : "lambertian";
        rcity_rays *rays = find_scattered(&t, 1, point);
        rcity_path path;
        assert_int_equal(rcity_rays_path_count(rays), 2);
        assert_ok(t.base.context, rcity_rays_get_path(rays, 1, &path));
        assert_int_equal(path.event_count, 1);
        gain_db[turn] = path.gain_db;
        rcity_receiver_summary at;
        assert_ok(t.base.context, rcity_rays_get_receiver(rays, 0, &at));
        assert_true(turn == 0 ? isnan(at.scattered_gain_db) : at.scattered_gain_db < at.gain_db);
        if (turn == 1) { /* the sums contain it */
            rcity_path direct;
            assert_ok(t.base.context, rcity_rays_get_path(rays, 0, &direct));
            double sum =
                pow(10.0, 0.1 * path.gain_db) + pow(10.0, 0.1 * direct.gain_db) + pow(10.0, 0.1 * at.scattered_gain_db);
            assert_near(at.gain_db, 10.0 * log10(sum), 1e-9);
            assert_near(at.grouped_gain_db, 10.0 * log10(sum), 1e-9);
        }
        rcity_rays_destroy(&rays);
        close_trial(&t.base);
    }
    assert_near(gain_db[1] - gain_db[0], 10.0 * log10(1.0 - S * S), 1e-9);
}

static void add_town(trial *t)
{
    add_box(t, 0, 0, 30, 20, 15);
    add_box(t, 45, -5, 70, 25, 22);
    add_box(t, 0, 40, 50, 55, 12);
    add_box(t, 65, 45, 90, 60, 18);
    assert_ok(t->context, rcity_scene_commit(t->scene));
}

/* Both ways, with any number of threads, and with receivers that no path reaches. */
static void test_scattering_is_the_same_both_ways(void **state)
{
    (void)state;
    static const double ends[3][3] = {{37, 30, 10}, {57, 35, 1.5}, {-8, 33, 14}};
    double one_thread = 0.0;
    for (int threads = 1; threads <= 3; threads += 2) {
        scatter_trial t = open_scatter(threads);
        add_town(&t.base);
        for (int i = 0; i < 3; i++) {
            const double *a = ends[i];
            const double *b = ends[(i + 1) % 3];
            memcpy(t.base.tx, a, sizeof t.base.tx);
            double there = scattered_gain(&t, b);
            memcpy(t.base.tx, b, sizeof t.base.tx);
            double back = scattered_gain(&t, a);
            assert_true(there > 0.0);
            assert_near(there / back, 1.0, 1e-9);
            one_thread = i == 0 && threads == 1 ? there : one_thread;
            assert_true(i > 0 || there == one_thread);
        }
        close_trial(&t.base);
    }
}

/* Along a street, and with finer and finer tiles. */
static void test_scattering_is_continuous_and_converges(void **state)
{
    (void)state;
    enum { COUNT = 301 };
    static double points[3 * COUNT];
    static double level_db[2][COUNT];
    for (int turn = 0; turn < 2; turn++) {
        scatter_trial t = open_scatter(2);
        add_town(&t.base);
        t.base.tx[0] = 37;
        t.base.tx[1] = 30;
        t.tile_m = turn == 0 ? "10" : "1";
        for (int i = 0; i < COUNT; i++) {
            points[3 * i] = -10.0 + 0.25 * i;
            points[3 * i + 1] = 33.0;
            points[3 * i + 2] = 1.5;
        }
        rcity_rays *rays = find_scattered(&t, COUNT, points);
        double step_db = 0.0;
        for (int i = 0; i < COUNT; i++) {
            rcity_receiver_summary at;
            assert_ok(t.base.context, rcity_rays_get_receiver(rays, i, &at));
            level_db[turn][i] = at.scattered_gain_db;
            step_db = fmax(step_db, i > 0 ? fabs(level_db[turn][i] - level_db[turn][i - 1]) : 0.0);
        }
        print_message("tiles of %s m: largest step of 25 cm %.2f dB\n", t.tile_m, step_db);
        assert_true(step_db < 0.5);
        rcity_rays_destroy(&rays);
        close_trial(&t.base);
    }
    double worst_db = 0.0;
    for (int i = 0; i < COUNT; i++) {
        worst_db = fmax(worst_db, fabs(level_db[0][i] - level_db[1][i]));
    }
    print_message("tiles of 10 m against those of 1 m: %.2f dB\n", worst_db);
    assert_true(worst_db < 0.3);
}

/* A wall that only a reflection off another lights, a screen between: the plain sum from the image of the transmitter,
   less what the mirror scatters away itself. With the ends exchanged the wall scatters near the transmitter, and the
   reflection follows. */
static void test_scattering_beside_a_reflection_equals_the_plain_sum(void **state)
{
    (void)state;
    static const plain_wall wall = {40, -10, 40, -30, 20};
    static const double far_end[3] = {-30, -20, 10};
    static const double near_ends[2][3] = {{30, -20, 5}, {32, -14, 9}};
    for (int threads = 1; threads <= 3; threads += 2) {
        scatter_trial t = open_scatter(threads);
        add_box_of(&t.base, -100, 0, 100, 1, 30, "metal");
        add_box(&t.base, 40, -30, 41, -10, 20);
        add_box(&t.base, 0, -40, 1, -12, 60);
        assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
        t.base.reflections = "1";
        t.tile_m = "2";
        static double one_thread[8];
        for (int i = 0; i < 8; i++) {
            const double *near_end = near_ends[i / 2 % 2];
            bool is_before = i % 2 == 1; /* the wall scatters before the reflection */
            bool is_directive = i >= 4;  /* not the same both ways */
            double image[3] = {far_end[0], -far_end[1], far_end[2]};
            memcpy(t.base.tx, is_before ? near_end : far_end, sizeof t.base.tx);
            t.model = is_directive ? "directive" : "lambertian";
            t.near = is_before ? "transmitter" : "receiver";
            t.near_m = "0";
            double once = scattered_gain(&t, is_before ? far_end : near_end);
            t.near_m = "26"; /* not as far as the screen */
            double made = scattered_gain(&t, is_before ? far_end : near_end) - once;
            scatter_trial plain = t;
            memcpy(plain.base.tx, is_before ? near_end : image, sizeof plain.base.tx);
            double sum = plain_sum(&plain, 1, &wall, NULL, is_before ? image : near_end, is_directive ? 1.0 : 0.25,
                                   is_directive ? 4 : 0);
            double share = made / (sum * (1.0 - S * S));
            print_message("%s, %s a reflection: %.4f of the plain sum\n", t.model, is_before ? "before" : "after",
                          share);
            assert_near(share, 1.0, 0.02);
            one_thread[i] = threads == 1 ? made : one_thread[i];
            assert_true(made == one_thread[i]);
        }
        close_trial(&t.base);
    }
}

/* A made block of towers and roofs; a place in its streets or above its roofs. */
static void add_random_block(trial *t)
{
    for (int i = 0; i < 9; i++) {
        double x = 30.0 * (i % 3) + random_number(0.0, 5.0);
        double y = 30.0 * (i / 3) + random_number(0.0, 5.0);
        add_box(t, x, y, x + random_number(10.0, 18.0), y + random_number(10.0, 18.0), random_number(5.0, 20.0));
    }
    assert_ok(t->context, rcity_scene_commit(t->scene));
}

static void draw_end(double end[3])
{
    bool is_above = random_number(0.0, 1.0) < 0.3;
    end[0] = is_above ? random_number(0.0, 80.0) : 25.5 + 30.0 * (int)random_number(0.0, 3.0);
    end[1] = random_number(-5.0, 85.0);
    end[2] = is_above ? random_number(21.0, 30.0) : random_number(1.5, 20.0);
}

typedef struct polarized_end {
    rcity_polarization sent;
    const char *received;
} polarized_end;

static const polarized_end polarized[3] = {{RCITY_POLARIZATION_VERTICAL, "vertical"},
                                           {RCITY_POLARIZATION_SLANT, "slant"},
                                           {RCITY_POLARIZATION_HORIZONTAL, "horizontal"}};

/* Scattering at either end of all kinds of paths: what precedes them one way follows them the other. */
static void test_scattering_at_both_ends_is_the_same_both_ways(void **state)
{
    (void)state;
    enum { CITIES = 6, LINKS = 4 }; /* all pairs of polarizations */
    random_state = 2029;
    double worst = 0.0;
    int with_before = 0;
    for (int city = 0; city < CITIES; city++) {
        scatter_trial t = open_scatter(2);
        add_random_block(&t.base);
        t.base.reflections = "1";
        t.base.diffractions = "1";
        t.base.over_roofs = "on";
        t.base.ground = "on";
        for (int i = 0; i < LINKS; i++) {
            double a[3], b[3], gain[2][3];
            draw_end(a);
            draw_end(b);
            const polarized_end *first = &polarized[i % 3];
            const polarized_end *second = &polarized[(city + i) % 3];
            for (int k = 0; k < 3; k++) {
                t.near_m = "25";
                t.near = k == 0 ? "both" : k == 1 ? "transmitter" : "receiver";
                t.tx_polarization = first->sent;
                t.rx_polarization = second->received;
                memcpy(t.base.tx, a, sizeof a);
                gain[0][k] = scattered_gain(&t, b);
                t.near = k == 0 ? "both" : k == 1 ? "receiver" : "transmitter";
                t.tx_polarization = second->sent;
                t.rx_polarization = first->received;
                memcpy(t.base.tx, b, sizeof b);
                gain[1][k] = scattered_gain(&t, a);
                if (gain[0][k] > 0.0 || gain[1][k] > 0.0) {
                    worst = fmax(worst, fabs(gain[0][k] / gain[1][k] - 1.0));
                }
            }
            t.near_m = "0";
            double once = scattered_gain(&t, a);
            with_before += gain[0][1] > once * 1.001;
            assert_true(gain[0][1] >= once && gain[0][2] >= once); /* each end adds its own */
            assert_true(fabs(gain[0][1] + gain[0][2] - once - gain[0][0]) <= 1e-9 * gain[0][0]);
        }
        close_trial(&t.base);
    }
    print_message("scattering at both ends: both ways within %.1e; %d of %d links have some before other paths\n",
                  worst, with_before, CITIES * LINKS);
    assert_true(worst < 1e-9);
    assert_true(with_before > CITIES * LINKS / 2);
}

/* A tower lit from 3 m beside a large metal wall at x = 12: half of what the tower scatters goes to that wall, and all
   but its own share of scattering comes back from it. Only parts of the tower within 8 m count. */
static void test_scattering_before_a_reflection_keeps_the_power(void **state)
{
    (void)state;
    enum { RINGS = 12 };
    static double points[3 * 2 * RINGS * RINGS];
    scatter_trial t = open_scatter(2);
    add_box_of(&t.base, -1, 0, 1, 2, 600, "metal");
    add_box_of(&t.base, 12, -240, 13, 20, 600, "metal");
    assert_ok(t.base.context, rcity_scene_commit(t.base.scene));
    t.base.tx[0] = 0;
    t.base.tx[1] = -3;
    t.base.tx[2] = 300;
    t.base.reflections = "1";
    t.tile_m = "0.5";
    t.range_m = "8";
    t.near = "transmitter";
    const double radius = 250.0;
    int count = 0;
    for (int i = 0; i < RINGS; i++) { /* the quarter of a sphere before the tower and left of the metal wall */
        for (int k = 0; k < 2 * RINGS; k++) {
            double theta = (i + 0.5) * 0.5 * PI / RINGS; /* from -y */
            double phi = 0.5 * PI + (k + 0.5) * 0.5 * PI / RINGS;
            points[3 * count] = 12.0 + radius * sin(theta) * cos(phi);
            points[3 * count + 1] = -radius * cos(theta);
            points[3 * count++ + 2] = 300.0 + radius * sin(theta) * sin(phi);
        }
    }
    double power[2];
    for (int turn = 0; turn < 2; turn++) {
        t.near_m = turn == 0 ? "0" : "8";
        rcity_rays *rays = find_scattered(&t, count, points);
        double wavelength_m = LIGHT / t.base.frequency_hz;
        power[turn] = 0.0;
        for (int i = 0; i < count; i++) {
            rcity_receiver_summary at;
            assert_ok(t.base.context, rcity_rays_get_receiver(rays, i, &at));
            double theta = (i / (2 * RINGS) + 0.5) * 0.5 * PI / RINGS;
            double area = radius * radius * sin(theta) * (0.5 * PI / RINGS) * (0.5 * PI / RINGS);
            power[turn] += pow(10.0, -0.1 * at.scattered_loss_db) * area * 4.0 * PI / (wavelength_m * wavelength_m);
        }
        rcity_rays_destroy(&rays);
    }
    double incident = 0.0; /* on the patches of 50 cm whose middles lie within 8 m, in elements of 5 cm */
    for (int i = 0; i < 40 * 400; i++) {
        double x = -1.0 + (i % 40 + 0.5) * 0.05;
        double z = -10.0 + (i / 40 + 0.5) * 0.05;
        double middle_x = 0.5 * floor(x / 0.5) + 0.25;
        double middle_z = 0.5 * floor(z / 0.5) + 0.25;
        double r = sqrt(x * x + 9.0 + z * z);
        bool counts = middle_x * middle_x + 9.0 + middle_z * middle_z <= 64.0;
        incident += counts ? 3.0 / (r * r * r) * 0.05 * 0.05 / (4.0 * PI) : 0.0;
    }
    double share = (power[1] - power[0]) / (incident * S * S * (1.0 - S * S));
    print_message("scattered before a reflection: %.4f of the power comes back from the metal wall\n", share);
    assert_true(share > 0.46 && share < 0.505);
    close_trial(&t.base);
}

TEST_SUITE(rays_scatter)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scattering_equals_the_plain_sum),
        cmocka_unit_test(test_scattered_and_reflected_power_add_up),
        cmocka_unit_test(test_reflected_ray_loses_what_is_scattered),
        cmocka_unit_test(test_scattering_is_the_same_both_ways),
        cmocka_unit_test(test_scattering_is_continuous_and_converges),
        cmocka_unit_test(test_scattering_beside_a_reflection_equals_the_plain_sum),
        cmocka_unit_test(test_scattering_at_both_ends_is_the_same_both_ways),
        cmocka_unit_test(test_scattering_before_a_reflection_keeps_the_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
