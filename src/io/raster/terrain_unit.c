/* The unit of the heights of rasters: metres, or feet of two kinds. */
#include "io/raster/terrain_unit.h"

#include <ctype.h>
#include <string.h>

#define FOOT_M        0.3048
#define SURVEY_FOOT_M (1200.0 / 3937.0)

/* Keep only letters, in lower case, so that "US survey foot" and "us_survey_foot" are equal. */
static void fold_unit(const char *text, char folded[32])
{
    size_t length = 0;
    for (; *text != '\0' && length < 31; text++) {
        if (isalpha((unsigned char)*text)) {
            folded[length++] = (char)tolower((unsigned char)*text);
        }
    }
    folded[length] = '\0';
}

/* Length of a unit in metres by one of its names; 0 if it is unknown. */
static double unit_in_metres(const char *name)
{
    static const struct {
        const char *name;
        double unit_m;
    } units[] = {{"", 1.0},
                 {"m", 1.0},
                 {"metre", 1.0},
                 {"metres", 1.0},
                 {"meter", 1.0},
                 {"meters", 1.0},
                 {"ft", FOOT_M},
                 {"foot", FOOT_M},
                 {"feet", FOOT_M},
                 {"internationalfoot", FOOT_M},
                 {"internationalfeet", FOOT_M},
                 {"usft", SURVEY_FOOT_M},
                 {"ftus", SURVEY_FOOT_M},
                 {"sft", SURVEY_FOOT_M},
                 {"ussurveyfoot", SURVEY_FOOT_M},
                 {"ussurveyfeet", SURVEY_FOOT_M},
                 {"surveyfoot", SURVEY_FOOT_M},
                 {"footus", SURVEY_FOOT_M},
                 {"footussurvey", SURVEY_FOOT_M}};
    char folded[32];
    fold_unit(name, folded);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(folded, units[i].name) == 0) {
            return units[i].unit_m;
        }
    }
    return 0.0;
}

/* The unit of heights that a raster states, in its band or else in a vertical CRS; "" if it states none. */
static const char *stated_unit(const rcity_raster_tile *tile)
{
    const char *unit = GDALGetRasterUnitType(tile->band);
    OGRSpatialReferenceH crs = GDALGetSpatialRef(tile->dataset);
    if ((unit == NULL || unit[0] == '\0') && crs != NULL && OSRIsCompound(crs)) {
        char *name = NULL;
        OSRGetTargetLinearUnits(crs, "VERT_CS", &name);
        unit = name;
    }
    return unit != NULL ? unit : "";
}

rcity_status rcity_terrain_settle_units(rcity_import *import, rcity_raster_set *set)
{
    const char *wanted = import->options->terrain_unit;
    double wanted_m = wanted != NULL && wanted[0] != '\0' ? unit_in_metres(wanted) : 0.0;
    RCITY_CHECK(import->context, wanted == NULL || wanted_m > 0.0, RCITY_ERR_ARGUMENT,
                "the unit of the terrain is '%.40s', must be m, ft or us-ft", wanted != NULL ? wanted : "");
    for (int i = 0; i < set->tile_count; i++) {
        rcity_raster_tile *tile = &set->tiles[i];
        const char *stated = stated_unit(tile);
        double stated_m = unit_in_metres(stated);
        RCITY_CHECK(import->context, wanted != NULL || stated_m == 1.0, RCITY_ERR_ARGUMENT,
                    "the heights of '%s' are in '%.40s', not in metres; say so with `terrain-unit=%s` to convert them",
                    tile->path, stated,
                    stated_m == FOOT_M ? "ft"
                    : stated_m > 0.0   ? "us-ft"
                                       : "m, ft or us-ft");
        if (wanted != NULL && stated[0] != '\0' && stated_m != wanted_m) {
            rcity_log(import->context, RCITY_LOG_WARNING, "'%s' says that its heights are in '%.40s'; taken as %s",
                      tile->path, stated, wanted);
        }
        tile->unit_m = wanted != NULL ? wanted_m : 1.0;
    }
    return RCITY_OK;
}
