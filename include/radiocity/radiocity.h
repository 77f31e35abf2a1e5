/** @file radiocity.h  The whole public interface. */
#ifndef RADIOCITY_RADIOCITY_H
#define RADIOCITY_RADIOCITY_H

#include "radiocity/bench.h"
#include "radiocity/city.h"
#include "radiocity/context.h"
#include "radiocity/device.h"
#include "radiocity/io.h"
#include "radiocity/map.h"
#include "radiocity/method.h"
#include "radiocity/radio.h"
#include "radiocity/scene.h"
#include "radiocity/status.h"

#endif
