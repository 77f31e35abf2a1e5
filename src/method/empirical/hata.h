/* Okumura-Hata and COST 231-Hata. */
#ifndef RCITY_METHOD_HATA_H
#define RCITY_METHOD_HATA_H

#include "method/empirical/empirical_run.h"

extern const rcity_empirical rcity_hata_method;
extern const rcity_empirical rcity_cost231_hata_method;

#endif
