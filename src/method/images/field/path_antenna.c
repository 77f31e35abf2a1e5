#define RCITY_REAL_IS_DOUBLE

#include "method/images/field/path_antenna.h"

#include "kernel/wave/space.h"
#include "result/rays_data.h"

/* Unit vector from one place to another; 0 where they are the same. */
static rcity_real3 unit_direction(rcity_place3 from, rcity_place3 to)
{
    rcity_real3 leg = rcity_real3_make(to.x - from.x, to.y - from.y, to.z - from.z);
    double length_m = rcity_real3_length(leg);
    return length_m > 0.0 ? rcity_real3_scale(leg, 1.0 / length_m) : leg;
}

rcity_path_course rcity_path_measure(const rcity_trace_path *path)
{
    rcity_path_course course;
    rcity_place3 first = path->event_count > 0 ? path->event[0].point : path->rx;
    rcity_place3 last = path->event_count > 0 ? path->event[path->event_count - 1].point : path->tx;
    rcity_real3 departure = unit_direction(path->tx, first);
    rcity_real3 back = unit_direction(path->rx, last);
    rcity_direction_angles(departure.x, departure.y, departure.z, &course.departure_azimuth_deg,
                           &course.departure_elevation_deg);
    rcity_direction_angles(back.x, back.y, back.z, &course.arrival_azimuth_deg, &course.arrival_elevation_deg);
    rcity_place3 from = path->tx;
    course.length_m = 0.0;
    for (int i = 0; i <= path->event_count; i++) {
        rcity_place3 to = i < path->event_count ? path->event[i].point : path->rx;
        course.length_m += rcity_real3_length(rcity_real3_make(to.x - from.x, to.y - from.y, to.z - from.z));
        from = to;
    }
    course.departure = (rcity_place3){departure.x, departure.y, departure.z};
    course.arrival = (rcity_place3){back.x, back.y, back.z};
    return course;
}
