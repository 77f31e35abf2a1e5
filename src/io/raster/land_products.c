/* Classes of land-cover products. Heights are the representative clutter heights of Recommendation ITU-R P.1812-6,
   table 2, for the category that is most like the class; which one is our choice. What has no like there, such as
   orchards, scrub and crops, counts as open. No class adds a loss by itself. */
#include "io/raster/land_products.h"

#include <stddef.h>
#include <strings.h>

/* ITU-R P.1812-6, table 2, in metres. */
#define WATER       0.0
#define OPEN        0.0
#define SUBURBAN    10.0
#define URBAN_TREES 15.0
#define DENSE_URBAN 20.0

/* ESA WorldCover 10 m, 2020 and 2021: its product user manual lists the codes. Built-up is one class there. */
static const rcity_land_class worldcover[] = {
    {0, "no data", OPEN, 0.0},
    {10, "tree cover", URBAN_TREES, 0.0},
    {20, "shrubland", OPEN, 0.0},
    {30, "grassland", OPEN, 0.0},
    {40, "cropland", OPEN, 0.0},
    {50, "built-up", SUBURBAN, 0.0},
    {60, "bare or sparse vegetation", OPEN, 0.0},
    {70, "snow and ice", OPEN, 0.0},
    {80, "permanent water", WATER, 0.0},
    {90, "herbaceous wetland", OPEN, 0.0},
    {95, "mangroves", URBAN_TREES, 0.0},
    {100, "moss and lichen", OPEN, 0.0},
};

/* CORINE Land Cover, rasters of 100 m: they number the 44 classes (111 to 523) from 1 on; 48 is no data. */
static const rcity_land_class corine[] = {
    {1, "continuous urban fabric", DENSE_URBAN, 0.0},
    {2, "discontinuous urban fabric", SUBURBAN, 0.0},
    {3, "industrial or commercial", SUBURBAN, 0.0},
    {4, "road and rail", OPEN, 0.0},
    {5, "ports", SUBURBAN, 0.0},
    {6, "airports", OPEN, 0.0},
    {7, "mineral extraction", OPEN, 0.0},
    {8, "dumps", OPEN, 0.0},
    {9, "construction sites", OPEN, 0.0},
    {10, "green urban areas", URBAN_TREES, 0.0},
    {11, "sport and leisure", OPEN, 0.0},
    {12, "non-irrigated arable land", OPEN, 0.0},
    {13, "irrigated land", OPEN, 0.0},
    {14, "rice fields", OPEN, 0.0},
    {15, "vineyards", OPEN, 0.0},
    {16, "fruit trees and berries", OPEN, 0.0},
    {17, "olive groves", OPEN, 0.0},
    {18, "pastures", OPEN, 0.0},
    {19, "annual with permanent crops", OPEN, 0.0},
    {20, "complex cultivation", OPEN, 0.0},
    {21, "farmland with nature", OPEN, 0.0},
    {22, "agro-forestry", OPEN, 0.0},
    {23, "broad-leaved forest", URBAN_TREES, 0.0},
    {24, "coniferous forest", URBAN_TREES, 0.0},
    {25, "mixed forest", URBAN_TREES, 0.0},
    {26, "natural grassland", OPEN, 0.0},
    {27, "moors and heath", OPEN, 0.0},
    {28, "sclerophyllous vegetation", OPEN, 0.0},
    {29, "transitional woodland", OPEN, 0.0},
    {30, "beaches, dunes, sand", OPEN, 0.0},
    {31, "bare rock", OPEN, 0.0},
    {32, "sparse vegetation", OPEN, 0.0},
    {33, "burnt areas", OPEN, 0.0},
    {34, "glaciers and snow", OPEN, 0.0},
    {35, "inland marshes", OPEN, 0.0},
    {36, "peat bogs", OPEN, 0.0},
    {37, "salt marshes", OPEN, 0.0},
    {38, "salines", OPEN, 0.0},
    {39, "intertidal flats", OPEN, 0.0},
    {40, "water courses", WATER, 0.0},
    {41, "water bodies", WATER, 0.0},
    {42, "coastal lagoons", WATER, 0.0},
    {43, "estuaries", WATER, 0.0},
    {44, "sea and ocean", WATER, 0.0},
    {48, "no data", OPEN, 0.0},
};

/* USGS National Land Cover Database, the legend of 2001 and later. Single houses are most of "low" and "medium". */
static const rcity_land_class nlcd[] = {
    {0, "no data", OPEN, 0.0},
    {11, "open water", WATER, 0.0},
    {12, "perennial ice and snow", OPEN, 0.0},
    {21, "developed, open space", OPEN, 0.0},
    {22, "developed, low intensity", SUBURBAN, 0.0},
    {23, "developed, medium intensity", SUBURBAN, 0.0},
    {24, "developed, high intensity", URBAN_TREES, 0.0},
    {31, "barren land", OPEN, 0.0},
    {41, "deciduous forest", URBAN_TREES, 0.0},
    {42, "evergreen forest", URBAN_TREES, 0.0},
    {43, "mixed forest", URBAN_TREES, 0.0},
    {51, "dwarf scrub", OPEN, 0.0},
    {52, "shrub and scrub", OPEN, 0.0},
    {71, "grassland", OPEN, 0.0},
    {72, "sedge", OPEN, 0.0},
    {73, "lichens", OPEN, 0.0},
    {74, "moss", OPEN, 0.0},
    {81, "pasture and hay", OPEN, 0.0},
    {82, "cultivated crops", OPEN, 0.0},
    {90, "woody wetlands", URBAN_TREES, 0.0},
    {95, "herbaceous wetlands", OPEN, 0.0},
    {250, "no data", OPEN, 0.0},
};

static const struct {
    const char *name;
    const rcity_land_class *classes;
    size_t count;
} products[] = {
    {"worldcover", worldcover, sizeof worldcover / sizeof worldcover[0]},
    {"corine", corine, sizeof corine / sizeof corine[0]},
    {"nlcd", nlcd, sizeof nlcd / sizeof nlcd[0]},
};

const rcity_land_class *rcity_land_product_find(const char *name, int *class_count)
{
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        if (strcasecmp(name, products[i].name) == 0) {
            *class_count = (int)products[i].count;
            return products[i].classes;
        }
    }
    return NULL;
}
