/* The published profiles of ITU-R P.1812-6 with the values that a correct program finds on them, read from the files in
   p1812/ of the real data. */
#ifndef RCITY_TESTS_P1812_PUBLISHED_H
#define RCITY_TESTS_P1812_PUBLISHED_H

#define P1812_POINT_MAX 4096
#define P1812_VALUE_MAX 96
#define P1812_CASE_MAX  64

typedef struct p1812_value {
    char name[32], source[32]; /* such as "hst (m)" and "Eq (85)" */
    double value;
} p1812_value;

typedef struct p1812_published {
    char name[96];
    int count;
    float distance_m[P1812_POINT_MAX], height_m[P1812_POINT_MAX], cover_m[P1812_POINT_MAX];
    int zone[P1812_POINT_MAX]; /* 1 sea, 3 land near the coast, 4 inland */
    int value_count;
    p1812_value value[P1812_VALUE_MAX];
} p1812_published;

/* The names of all cases, sorted; how many there are. */
int p1812_list(char names[P1812_CASE_MAX][96]);

/* Read the case of that name: its profile, and the values of its results. The test fails where a file is amiss. */
void p1812_read(const char *name, p1812_published *read);

/* The value of a name; `source` tells two of one name apart and may be NULL. The test fails where there is none. */
double p1812_get(const p1812_published *read, const char *name, const char *source);

/* How much of the path lies over the sea, and its longest stretches over land and inland, in kilometres; a point stands
   for half the way to either neighbour. */
typedef struct p1812_stretches {
    double sea_share, land_km, inland_km;
} p1812_stretches;

p1812_stretches p1812_stretches_of(const p1812_published *read);

#endif
