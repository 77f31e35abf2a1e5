/** @file radiocity.h  The whole public interface. */
#ifndef RADIOCITY_RADIOCITY_H
#define RADIOCITY_RADIOCITY_H

#include "radiocity/antenna.h"
#include "radiocity/city.h"
#include "radiocity/context.h"
#include "radiocity/crs.h"
#include "radiocity/delays.h"
#include "radiocity/device.h"
#include "radiocity/fit.h"
#include "radiocity/import.h"
#include "radiocity/io.h"
#include "radiocity/map.h"
#include "radiocity/material.h"
#include "radiocity/measure.h"
#include "radiocity/mechanism.h"
#include "radiocity/method.h"
#include "radiocity/plan.h"
#include "radiocity/predictor.h"
#include "radiocity/profile.h"
#include "radiocity/radio.h"
#include "radiocity/rays.h"
#include "radiocity/scene.h"
#include "radiocity/sight.h"
#include "radiocity/site.h"
#include "radiocity/siting.h"
#include "radiocity/status.h"
#include "radiocity/surfaces.h"
#include "radiocity/tile_visibility.h"

#endif
