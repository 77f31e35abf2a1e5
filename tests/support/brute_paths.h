/* Paths the slow way: every sequence of surfaces and edges of a small city is tried, whatever it looks like. Shares no
   code with the tracer: surfaces come from the outlines, images are mirrored in space, edges are found by halving.
   Buildings must stand apart, corners and heights on the scene's grid. */
#ifndef BRUTE_PATHS_H
#define BRUTE_PATHS_H

#include <stdbool.h>

#define BRUTE_CORNERS   12
#define BRUTE_BUILDINGS 8
#define BRUTE_EVENTS    6

typedef struct brute_building {
    int corner_count; /* counter-clockwise */
    double x[BRUTE_CORNERS], y[BRUTE_CORNERS];
    double height;
} brute_building;

typedef struct brute_city {
    double units_per_m; /* of the scene's grid */
    int building_count;
    brute_building building[BRUTE_BUILDINGS];
} brute_city;

typedef struct brute_path {
    int event_count;
    bool is_edge[BRUTE_EVENTS]; /* else a mirror */
    double point[BRUTE_EVENTS][3];
} brute_path;

/* Is the line between two points of the scene's grid free? */
typedef bool (*brute_sight)(void *user, const double from[3], const double to[3]);

/* Hears each path. */
typedef void (*brute_listener)(void *user, const brute_path *path);

/* Try all sequences of up to so many mirrors and diffracting edges. */
void brute_paths_find(const brute_city *city, const double tx[3], const double rx[3], int max_mirrors, int max_edges,
                      brute_sight sight, void *sight_user, brute_listener listener, void *listener_user);

#endif
