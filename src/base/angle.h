/* Degrees are used at the library's interface only; inside, angles are radians. */
#ifndef RCITY_BASE_ANGLE_H
#define RCITY_BASE_ANGLE_H

#define RCITY_RAD_PER_DEG 0.017453292519943295

static inline double rcity_angle_rad(double angle_deg)
{
    return angle_deg * RCITY_RAD_PER_DEG;
}

static inline double rcity_angle_deg(double angle_rad)
{
    return angle_rad / RCITY_RAD_PER_DEG;
}

#endif
