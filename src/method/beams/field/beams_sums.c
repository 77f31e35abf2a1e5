/* Fields of paths by the physics of `images`, and their sums in a fixed order. */
#include "method/beams/field/beams_sums.h"

#include <math.h>
#include <string.h>

#include "method/beams/field/beams_histogram.h"
#include "method/images/path/path_check.h"
#include "radiocity/mechanism.h"
#include "result/rays_data.h"

#define FOUR_PI 12.56637061435917295385
#define TWO_PI  6.28318530717958647692

void rcity_beams_sums_deinit(rcity_beams_sums *sums)
{
    rcity_release(sums->context, sums->weighted);
    rcity_release(sums->context, sums->groups);
    rcity_release(sums->context, sums->items);
    memset(sums, 0, sizeof *sums);
}

rcity_beams_beside rcity_beams_beside_none(void)
{
    rcity_beams_beside none;
    memset(&none, 0, sizeof none);
    none.ground = 1.0;
    return none;
}

rcity_beams_level rcity_beams_level_none(void)
{
    return (rcity_beams_level){0.0, 0.0, (double)NAN, (double)NAN, (double)NAN, (double)NAN, -1, 0};
}

void rcity_beams_level_forget_spread(rcity_beams_level *level)
{
    level->delay_spread_s = level->excess_delay_s = (double)NAN;
}

int rcity_beams_mechanism(int kind)
{
    static const int mechanisms[RCITY_BEAMS_CLASS_COUNT] = {
        [RCITY_BEAMS_DIRECT] = RCITY_MECHANISM_DIRECT,
        [RCITY_BEAMS_REFLECTED] = RCITY_MECHANISM_REFLECTION,
        [RCITY_BEAMS_DIFFRACTED] = RCITY_MECHANISM_DIFFRACTION,
        [RCITY_BEAMS_ROOFS] = RCITY_MECHANISM_ROOF,
    };
    return mechanisms[kind];
}

double rcity_beams_form_power(double form[RCITY_BEAMS_CLASS_COUNT][RCITY_BEAMS_CLASS_COUNT],
                              const double factor[RCITY_BEAMS_CLASS_COUNT])
{
    double sum = 0.0;
    for (int i = 0; i < RCITY_BEAMS_CLASS_COUNT; i++) {
        for (int k = 0; k <= i; k++) {
            sum += form[i][k] * sqrt(factor[i] * factor[k]);
        }
    }
    return fmax(sum, 0.0);
}

/* What happened on a path: diffraction outranks reflection. */
typedef struct path_events {
    int kind; /* the class of the path */
    int reflection_count, diffraction_count, transmission_count;
    bool meets_ground;
    double inside_m;
} path_events;

static path_events read_path(const rcity_facet_table *world, const rcity_trace_path *path)
{
    path_events found = {RCITY_BEAMS_DIRECT, 0, 0, 0, false, 0.0};
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind == RCITY_EVENT_DIFFRACTION) {
            found.kind = RCITY_BEAMS_DIFFRACTED;
            found.diffraction_count++;
            continue;
        }
        if (path->event[i].kind == RCITY_EVENT_TRANSMISSION) {
            found.transmission_count++;
            continue;
        }
        found.reflection_count++;
        rcity_mirror mirror;
        rcity_trace_mirror(world, path->event[i].object, &mirror);
        found.meets_ground = found.meets_ground || mirror.kind == RCITY_MIRROR_GROUND;
        found.kind = found.kind == RCITY_BEAMS_DIRECT ? RCITY_BEAMS_REFLECTED : found.kind;
    }
    found.inside_m = found.transmission_count > 0 ? rcity_path_inside_m(world, path) : 0.0;
    return found;
}

static path_events read_events(const rcity_ray_event *events, int count, double inside_m)
{
    path_events found = {RCITY_BEAMS_DIRECT, 0, 0, 0, false, 0.0};
    for (int i = 0; i < count; i++) {
        if (events[i].kind == RCITY_EVENT_DIFFRACTION) {
            found.kind = RCITY_BEAMS_DIFFRACTED;
            found.diffraction_count++;
            continue;
        }
        if (events[i].kind == RCITY_EVENT_TRANSMISSION) {
            found.transmission_count++;
            continue;
        }
        found.reflection_count++;
        found.meets_ground = found.meets_ground || events[i].place == RCITY_PLACE_GROUND;
        found.kind = found.kind == RCITY_BEAMS_DIRECT ? RCITY_BEAMS_REFLECTED : found.kind;
    }
    found.inside_m = inside_m;
    return found;
}

static rcity_status add_item(rcity_beams_sums *sums, const rcity_beams_item *item)
{
    RCITY_TRY(rcity_reserve(sums->context, sums->item_count + 1, sizeof *sums->items, &sums->item_capacity,
                            "paths to a place", &sums->items));
    sums->items[sums->item_count++] = *item;
    return RCITY_OK;
}

static rcity_status add_group(rcity_beams_sums *sums, const rcity_group_item *group)
{
    RCITY_TRY(rcity_reserve(sums->context, sums->group_count + 1, sizeof *sums->groups, &sums->group_capacity,
                            "groups of paths", &sums->groups));
    sums->groups[sums->group_count++] = *group;
    return RCITY_OK;
}

static rcity_status add_shares(rcity_beams_sums *sums, const rcity_group_shares *shares,
                               const rcity_path_course *course, const rcity_beams_item *item)
{
    double factor = sqrt(item->isotropic / item->power);
    for (int k = 0; k < shares->count; k++) {
        double share = shares->share[k].factor;
        rcity_group_item group = {
            shares->share[k].group,
            sums->item_count,
            {share * item->amplitude.re, share * item->amplitude.im},
            {share * item->cross_amplitude.re, share * item->cross_amplitude.im},
            factor,
            course->departure,
            course->arrival,
        };
        RCITY_TRY(add_group(sums, &group));
    }
    return RCITY_OK;
}

double rcity_beams_paper_loss_db(const rcity_beams_paper *paper, const rcity_beams_item *item)
{
    return 10.0 * paper->exponent * log10(item->length_m) + paper->constant_db +
           item->reflection_count * paper->reflection_db + item->diffraction_count * paper->diffraction_db +
           item->transmission_count * paper->transmission_db;
}

/* What the metres inside buildings do beside their walls: waves lose there, and are late. */
static void go_inside(const rcity_beams_rules *rules, double wavelength_m, rcity_beams_item *item)
{
    double late_m = rules->inside_slower * item->inside_m;
    double share = pow(10.0, -0.05 * rules->inside_db_per_m * item->inside_m);
    double turn_rad = -TWO_PI * fmod(late_m, wavelength_m) / wavelength_m;
    double re = share * cos(turn_rad);
    double im = share * sin(turn_rad);
    rcity_phasor a = item->amplitude;
    rcity_phasor b = item->cross_amplitude;
    item->amplitude = (rcity_phasor){re * a.re - im * a.im, re * a.im + im * a.re};
    item->cross_amplitude = (rcity_phasor){re * b.re - im * b.im, re * b.im + im * b.re};
    item->isotropic *= share * share;
    item->power *= share * share;
    item->delay_s += late_m / RCITY_LIGHT_EXACT_M_PER_S;
}

/* A path as it is received. @return false where antennas or polarizations leave nothing. */
static bool make_item(const rcity_facet_table *world, const rcity_path_ends *ends, const rcity_beams_rules *rules,
                      const rcity_path_course *course, const rcity_channel *channel, const path_events *events,
                      rcity_beams_item *item)
{
    rcity_path_weight weight = rcity_path_weigh(ends, course, channel);
    *item = (rcity_beams_item){weight.amplitude,
                               weight.cross_amplitude,
                               weight.gain,
                               weight.isotropic_gain,
                               weight.gain / weight.isotropic_gain,
                               course->length_m / RCITY_LIGHT_EXACT_M_PER_S,
                               course->length_m,
                               events->inside_m,
                               events->kind,
                               events->reflection_count,
                               events->diffraction_count,
                               events->transmission_count};
    if (rules->is_paper && weight.gain > 0.0) {
        item->isotropic = pow(10.0, -0.1 * rcity_beams_paper_loss_db(&rules->paper, item));
        item->power = item->isotropic * item->directivity;
    }
    if (item->inside_m > 0.0) {
        go_inside(rules, world->wavelength_m, item);
    }
    return weight.gain > 0.0;
}

rcity_status rcity_beams_sums_add(void *user, const rcity_trace_path *path)
{
    rcity_beams_sums *sums = user;
    path_events events = read_path(sums->world, path);
    if (sums->rules->has_law && events.meets_ground) {
        return RCITY_OK;
    }
    rcity_channel channel = rcity_path_channel(sums->world, path);
    rcity_path_course course = rcity_path_measure(path);
    rcity_beams_item item;
    if (!make_item(sums->world, sums->ends, sums->rules, &course, &channel, &events, &item)) {
        return RCITY_OK;
    }
    rcity_group_shares shares = rcity_path_group(sums->world, path);
    RCITY_TRY(add_shares(sums, &shares, &course, &item));
    return add_item(sums, &item);
}

rcity_status rcity_beams_sums_add_found(rcity_beams_sums *sums, const rcity_found_path *path,
                                        const rcity_ray_event *events)
{
    path_events read = read_events(events, path->event_count, path->inside_m);
    rcity_beams_item item;
    if ((sums->rules->has_law && read.meets_ground) ||
        !make_item(sums->world, sums->ends, sums->rules, &path->course, &path->channel, &read, &item)) {
        return RCITY_OK;
    }
    RCITY_TRY(add_shares(sums, &path->groups, &path->course, &item));
    return add_item(sums, &item);
}

/* Its polarization is as the transmitter sends it. */
bool rcity_beams_over_item(const rcity_facet_table *world, const rcity_path_ends *ends, const rcity_beams_rules *rules,
                           const rcity_beams_beside *beside, rcity_beams_item *item)
{
    rcity_channel channel;
    memset(&channel, 0, sizeof channel);
    double field = world->wavelength_m / (FOUR_PI * beside->course.length_m) * sqrt(beside->over);
    channel.transfer[0][0].re = channel.transfer[1][1].re = field;
    const path_events events = {.kind = RCITY_BEAMS_ROOFS};
    return make_item(world, ends, rules, &beside->course, &channel, &events, item);
}

static void add_pair(rcity_beams_form *form, int a, int b, double power, double isotropic)
{
    form->power[a > b ? a : b][a > b ? b : a] += power;
    form->isotropic[a > b ? a : b][a > b ? b : a] += isotropic;
}

/* The fields of all paths added; with and without the gains of antennas. */
static void add_fields(const rcity_beams_sums *sums, rcity_beams_form *form)
{
    rcity_phasor sum[RCITY_BEAMS_RAY_CLASSES][2] = {{{0.0, 0.0}, {0.0, 0.0}}};
    rcity_phasor isotropic[RCITY_BEAMS_RAY_CLASSES][2] = {{{0.0, 0.0}, {0.0, 0.0}}};
    for (size_t i = 0; i < sums->item_count; i++) {
        const rcity_beams_item *item = &sums->items[i];
        double factor = sqrt(item->isotropic / item->power);
        const rcity_phasor port[2] = {item->amplitude, item->cross_amplitude};
        for (int k = 0; k < 2; k++) {
            sum[item->kind][k].re += port[k].re;
            sum[item->kind][k].im += port[k].im;
            isotropic[item->kind][k].re += factor * port[k].re;
            isotropic[item->kind][k].im += factor * port[k].im;
        }
    }
    for (int a = 0; a < RCITY_BEAMS_RAY_CLASSES; a++) {
        for (int b = 0; b <= a; b++) {
            double times = a == b ? 1.0 : 2.0;
            for (int k = 0; k < 2; k++) {
                add_pair(form, a, b, times * (sum[a][k].re * sum[b][k].re + sum[a][k].im * sum[b][k].im),
                         times * (isotropic[a][k].re * isotropic[b][k].re + isotropic[a][k].im * isotropic[b][k].im));
            }
        }
    }
}

/* The powers of groups. Where the direct ray has what a knife edge leaves, its group has nothing else. */
static void add_groups(const rcity_beams_sums *sums, bool leaves_direct_out, rcity_beams_form *form)
{
    rcity_groups_sort(sums->groups, sums->group_count);
    for (size_t first = 0, next; first < sums->group_count; first = next) {
        uint64_t group = sums->groups[first].group;
        for (next = first + 1; next < sums->group_count && sums->groups[next].group == group;) {
            next++;
        }
        if (leaves_direct_out && group == RCITY_GROUP_DIRECT) {
            continue;
        }
        for (size_t i = first; i < next; i++) {
            const rcity_group_item *a = &sums->groups[i];
            for (size_t k = first; k <= i; k++) {
                const rcity_group_item *b = &sums->groups[k];
                double part = rcity_groups_pair(a, b);
                add_pair(form, sums->items[a->order].kind, sums->items[b->order].kind, part,
                         part * a->isotropic_factor * b->isotropic_factor);
            }
        }
    }
}

static void add_powers(const rcity_beams_sums *sums, bool leaves_direct_out, rcity_beams_form *form)
{
    for (size_t i = 0; i < sums->item_count; i++) {
        const rcity_beams_item *item = &sums->items[i];
        bool is_left_out = leaves_direct_out && item->kind != RCITY_BEAMS_REFLECTED;
        if (!is_left_out) {
            add_pair(form, item->kind, item->kind, item->power, item->isotropic);
        }
    }
}

/* The powers of all rays. With the law, a direct ray stands for itself and what edges beside it diffract. */
static void add_rays(const rcity_beams_sums *sums, const rcity_beams_item *direct, const rcity_beams_beside *beside,
                     rcity_beams_form *form)
{
    const rcity_beams_rules *rules = sums->rules;
    bool leaves_direct_out = rules->has_law && direct != NULL;
    if (rules->sum == RCITY_IMAGES_GROUPED) {
        add_groups(sums, leaves_direct_out, form);
    } else if (rules->sum == RCITY_IMAGES_POWER) {
        add_powers(sums, leaves_direct_out, form);
    } else {
        add_fields(sums, form);
    }
    if (leaves_direct_out) {
        add_pair(form, RCITY_BEAMS_DIRECT, RCITY_BEAMS_DIRECT, direct->power, direct->isotropic);
    }
    for (int a = 0; a < RCITY_BEAMS_RAY_CLASSES; a++) {
        for (int b = 0; b <= a; b++) {
            form->power[a][b] *= beside->ground;
            form->isotropic[a][b] *= beside->ground;
        }
    }
}

/* The powers of single paths as they count for delays. */
static void weigh_items(rcity_beams_sums *sums, const rcity_beams_beside *beside, bool has_direct)
{
    const rcity_beams_rules *rules = sums->rules;
    for (size_t i = 0; i < sums->item_count; i++) {
        rcity_beams_item *item = &sums->items[i];
        double kept = item->kind == RCITY_BEAMS_ROOFS ? 1.0 : beside->ground;
        if (rules->has_law && has_direct && rules->sum == RCITY_IMAGES_POWER && item->kind == RCITY_BEAMS_DIFFRACTED) {
            kept = 0.0;
        }
        item->power *= kept * rules->factor[item->kind];
    }
}

/* Delays and the share of the strongest path, by the powers of all paths. */
static void measure(const rcity_beams_sums *sums, rcity_beams_level *level)
{
    double total = 0.0;
    double strongest = 0.0;
    double by_kind[RCITY_BEAMS_CLASS_COUNT] = {0.0};
    bool goes_straight_through = false;
    for (size_t i = 0; i < sums->item_count; i++) {
        const rcity_beams_item *item = &sums->items[i];
        sums->weighted[i] = (rcity_weighted){item->delay_s, item->power};
        total += item->power;
        strongest = fmax(strongest, item->power);
        by_kind[item->kind] += item->power;
        level->path_count += item->power > 0.0;
        goes_straight_through =
            goes_straight_through || (item->kind == RCITY_BEAMS_DIRECT && item->transmission_count > 0);
    }
    double least = strongest * pow(10.0, -0.1 * sums->rules->threshold_db);
    double first_s = HUGE_VAL;
    double last_s = -HUGE_VAL;
    for (size_t i = 0; i < sums->item_count; i++) {
        const rcity_beams_item *item = &sums->items[i];
        first_s = item->power >= least ? fmin(first_s, item->delay_s) : first_s;
        last_s = item->power >= least ? fmax(last_s, item->delay_s) : last_s;
    }
    level->delay_spread_s = rcity_spread_plain(sums->weighted, sums->item_count, &level->mean_delay_s);
    level->excess_delay_s = last_s - first_s;
    level->k_factor_db = level->path_count > 1 ? 10.0 * log10(strongest / (total - strongest)) : (double)NAN;
    int kind = 0;
    for (int i = 1; i < RCITY_BEAMS_CLASS_COUNT; i++) {
        kind = by_kind[i] > by_kind[kind] ? i : kind;
    }
    level->mechanism =
        kind == RCITY_BEAMS_DIRECT && goes_straight_through ? RCITY_MECHANISM_WALLS : rcity_beams_mechanism(kind);
}

/* Leave out the paths that are weaker than the rules count, whatever the weights of their classes; the path over roofs is
   among those they are held against. @return the least power that counts. */
static double leave_out_weak(rcity_beams_sums *sums, double over_power)
{
    double strongest = over_power;
    for (size_t i = 0; i < sums->item_count; i++) {
        strongest = fmax(strongest, sums->items[i].power);
    }
    double least = sums->rules->range * strongest;
    size_t item_count = 0;
    size_t group_count = 0;
    size_t group = 0;
    for (size_t i = 0; i < sums->item_count; i++) { /* groups are in the order of paths */
        bool counts = sums->items[i].power >= least;
        for (; group < sums->group_count && sums->groups[group].order == i; group++) {
            if (counts) {
                sums->groups[group_count] = sums->groups[group];
                sums->groups[group_count++].order = item_count;
            }
        }
        if (counts) {
            sums->items[item_count++] = sums->items[i];
        }
    }
    sums->item_count = item_count;
    sums->group_count = group_count;
    return least;
}

/* The ray through the air. */
static rcity_beams_item *find_direct(const rcity_beams_sums *sums)
{
    for (size_t i = 0; i < sums->item_count; i++) {
        if (sums->items[i].kind == RCITY_BEAMS_DIRECT && sums->items[i].transmission_count == 0) {
            return &sums->items[i];
        }
    }
    return NULL;
}

rcity_status rcity_beams_sums_close(rcity_beams_sums *sums, const rcity_beams_beside *beside, rcity_beams_level *level,
                                    rcity_beams_form *form)
{
    const rcity_beams_rules *rules = sums->rules;
    rcity_beams_form own;
    rcity_beams_item over;
    memset(&own, 0, sizeof own);
    *level = rcity_beams_level_none();
    bool has_over = find_direct(sums) == NULL && rules->goes_over_roofs && beside->over > 0.0 &&
                    rcity_beams_over_item(sums->world, sums->ends, rules, beside, &over);
    double least = leave_out_weak(sums, has_over ? over.power : 0.0);
    rcity_beams_item *direct = find_direct(sums);
    if (direct != NULL && rules->has_law && beside->over > 0.0) {
        direct->power *= beside->over;
        direct->isotropic *= beside->over;
    }
    add_rays(sums, direct, beside, &own);
    if (has_over && over.power >= least) {
        add_pair(&own, RCITY_BEAMS_ROOFS, RCITY_BEAMS_ROOFS, over.power, over.isotropic);
        RCITY_TRY(add_item(sums, &over));
    }
    if (form != NULL) {
        *form = own;
    }
    if (sums->item_count > 0) {
        RCITY_TRY(rcity_reserve(sums->context, sums->item_count, sizeof *sums->weighted, &sums->weighted_capacity,
                                "paths to a place", &sums->weighted));
        weigh_items(sums, beside, direct != NULL);
        measure(sums, level);
        if (sums->item_count == 1 && sums->items[0].kind == RCITY_BEAMS_ROOFS) {
            rcity_beams_level_forget_spread(level);
        }
        level->gain = rcity_beams_form_power(own.power, rules->factor);
        level->isotropic_gain = rcity_beams_form_power(own.isotropic, rules->factor);
    }
    if (sums->histogram != NULL) {
        RCITY_TRY(rcity_beams_histogram_add(sums->context, sums, sums->bin_s, sums->histogram));
    }
    sums->closed_count = sums->item_count;
    sums->item_count = 0;
    sums->group_count = 0;
    return RCITY_OK;
}
