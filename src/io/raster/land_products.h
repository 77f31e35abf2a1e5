/* Tables of classes for common land-cover products. */
#ifndef RCITY_IO_RASTER_LAND_PRODUCTS_H
#define RCITY_IO_RASTER_LAND_PRODUCTS_H

#include "radiocity/scene.h"

/* The classes of a product by its name ("worldcover", "corine", "nlcd"); NULL for a name that is none. */
const rcity_land_class *rcity_land_product_find(const char *name, int *class_count);

#endif
