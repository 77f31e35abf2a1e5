/* The sums over all paths to one place. */
#ifndef RCITY_METHOD_BEAMS_FIELD_BEAMS_SUMS_H
#define RCITY_METHOD_BEAMS_FIELD_BEAMS_SUMS_H

#include "method/images/field/path_antenna.h"
#include "method/images/field/path_groups.h"
#include "method/images/images_points.h"
#include "result/spread.h"

/* Classes of paths that have weights; those of rays first. */
#define RCITY_BEAMS_DIRECT      0 /* straight, through the air or through walls */
#define RCITY_BEAMS_REFLECTED   1
#define RCITY_BEAMS_DIFFRACTED  2 /* with or without reflections */
#define RCITY_BEAMS_RAY_CLASSES 3
#define RCITY_BEAMS_ROOFS       3
#define RCITY_BEAMS_CLASS_COUNT 4

/* One path, with antennas. */
typedef struct rcity_beams_item {
    rcity_phasor amplitude, cross_amplitude;
    double power;       /* relative to that into the transmitting antenna */
    double isotropic;   /* the same without the gains of both antennas */
    double directivity; /* the gains of both antennas along it */
    double delay_s;
    double length_m, inside_m; /* and how much of it lies inside buildings */
    int kind;                  /* its class */
    int reflection_count, diffraction_count, transmission_count;
} rcity_beams_item;

/* The paper's law, its equations 3 and 4: the loss of a path is 10 n log10(metres) + C and a loss at each wall and each
   edge that it meets. */
typedef struct rcity_beams_paper {
    double exponent, constant_db, reflection_db, diffraction_db, transmission_db;
} rcity_beams_paper;

/* Without what the metres inside buildings take. */
double rcity_beams_paper_loss_db(const rcity_beams_paper *paper, const rcity_beams_item *item);

/* How paths become levels. */
typedef struct rcity_beams_rules {
    rcity_images_sum sum;
    double threshold_db;                    /* paths weaker than this below the strongest have no excess delay */
    double range;                           /* paths weaker than this times the strongest do not count */
    double factor[RCITY_BEAMS_CLASS_COUNT]; /* of the power of each class; 1 unless calibrated */
    bool has_law;                           /* of the surroundings: no ray off the ground, and one wave is added once */
    bool goes_over_roofs;                   /* else what comes over roofs does not count */
    double inside_db_per_m;                 /* that paths lose inside buildings, beside their walls */
    double inside_slower;                   /* the refractive index there less 1 */
    bool is_paper;                          /* paths lose what the paper says, and their powers are added */
    rcity_beams_paper paper;
} rcity_beams_rules;

struct rcity_beams_histogram;

/* All paths to a place. Grows as needed, kept between places; zeroed before the first. */
typedef struct rcity_beams_sums {
    rcity_context *context; /* borrowed */
    const rcity_facet_table *world;
    const rcity_path_ends *ends;
    const rcity_beams_rules *rules;
    rcity_beams_item *items;
    size_t item_count, item_capacity;
    size_t closed_count; /* of the last place: its items are there until the next path is added */
    rcity_group_item *groups;
    size_t group_count, group_capacity;
    rcity_weighted *weighted;
    size_t weighted_capacity;
    struct rcity_beams_histogram *histogram; /* where each place is added when it is closed; NULL: nowhere */
    double bin_s;                            /* of it */
} rcity_beams_sums;

/* What comes to a place beside its beams. Where the transmitter sees it, `over` is the straight ray with what the nearest
   edge takes, which the law of the surroundings asks for; else the path over roofs. */
typedef struct rcity_beams_beside {
    rcity_path_course course; /* of `over` */
    double over;              /* the part of free-space power that it brings; 0: none */
    double ground;            /* the part of the power of rays that the ground law leaves; 1 without the law */
} rcity_beams_beside;

/* Powers as a form of the roots of the factors of classes: the sum of power[i][k] root_i root_k over k up to i. */
typedef struct rcity_beams_form {
    double power[RCITY_BEAMS_CLASS_COUNT][RCITY_BEAMS_CLASS_COUNT];
    double isotropic[RCITY_BEAMS_CLASS_COUNT][RCITY_BEAMS_CLASS_COUNT];
} rcity_beams_form;

/* What arrives at a place; NAN where nothing does. */
typedef struct rcity_beams_level {
    double gain, isotropic_gain; /* of the sum; 0 where nothing arrives */
    double mean_delay_s, delay_spread_s;
    double excess_delay_s; /* of the last path that is not much weaker than the strongest, after the first such path */
    double k_factor_db;    /* the strongest path over all others; NAN with one path */
    int mechanism;         /* of the class with most power; -1 where nothing arrives */
    int64_t path_count;
} rcity_beams_level;

/* Nothing arrives. */
rcity_beams_level rcity_beams_level_none(void);

/* Of a place where the path over roofs is the only one: what else arrives there is not known, so no spread is given. */
void rcity_beams_level_forget_spread(rcity_beams_level *level);

void rcity_beams_sums_deinit(rcity_beams_sums *sums);

/* Nothing comes beside beams. */
rcity_beams_beside rcity_beams_beside_none(void);

/* Add a path's field: an rcity_beams_listener. */
rcity_status rcity_beams_sums_add(void *sums, const rcity_trace_path *path);

/* Add a path that was found with its field and its events. */
rcity_status rcity_beams_sums_add_found(rcity_beams_sums *sums, const rcity_found_path *path,
                                        const rcity_ray_event *events);

/* What comes beside beams as a path over roofs. @return false where antennas or polarizations leave nothing. */
bool rcity_beams_over_item(const rcity_facet_table *world, const rcity_path_ends *ends, const rcity_beams_rules *rules,
                           const rcity_beams_beside *beside, rcity_beams_item *item);

/* The level of the paths added so far and of what comes beside them, which are then forgotten. `form` may be NULL: else
   the powers that factors weigh, its own applied to none of them. */
rcity_status rcity_beams_sums_close(rcity_beams_sums *sums, const rcity_beams_beside *beside, rcity_beams_level *level,
                                    rcity_beams_form *form);

/* The power that a form has with these factors of classes. */
double rcity_beams_form_power(double form[RCITY_BEAMS_CLASS_COUNT][RCITY_BEAMS_CLASS_COUNT],
                              const double factor[RCITY_BEAMS_CLASS_COUNT]);

/* The mechanism of a class. */
int rcity_beams_mechanism(int kind);

#endif
