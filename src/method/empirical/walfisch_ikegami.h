/* COST 231-Walfisch-Ikegami. */
#ifndef RCITY_METHOD_WALFISCH_IKEGAMI_H
#define RCITY_METHOD_WALFISCH_IKEGAMI_H

#include "method/empirical/empirical_run.h"

extern const rcity_empirical rcity_walfisch_ikegami_method;

#endif
