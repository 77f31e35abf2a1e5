/* The speed of light in vacuum, in double precision, which phases over kilometres need. */
#ifndef RCITY_BASE_LIGHT_H
#define RCITY_BASE_LIGHT_H

#define RCITY_LIGHT_EXACT_M_PER_S 299792458.0

#endif
