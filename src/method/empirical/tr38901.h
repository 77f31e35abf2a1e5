/* 3GPP TR 38.901, urban macrocell and microcell. */
#ifndef RCITY_METHOD_TR38901_H
#define RCITY_METHOD_TR38901_H

#include "method/empirical/empirical_run.h"

extern const rcity_empirical rcity_3gpp_uma_method;
extern const rcity_empirical rcity_3gpp_umi_method;

#endif
