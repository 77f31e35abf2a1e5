/* The vector steps of an import. */
#ifndef RCITY_IO_IMPORT_IMPORT_VECTORS_H
#define RCITY_IO_IMPORT_IMPORT_VECTORS_H

#include "io/import/vector/polygons.h"

/* Read options->building_paths into the scene. */
rcity_status rcity_import_buildings(rcity_import *import);

/* Read options->vegetation_path into the scene. */
rcity_status rcity_import_vegetation(rcity_import *import);

/* Bounds of one source: they start empty, while `before` keeps those of the sources read so far; each feature widens
   them; after the source is read they are joined with `before`. Joining fails with RCITY_ERR_ARGUMENT if the source
   lies farther than `reach_m` from the others. */
void rcity_import_begin_bounds(rcity_import *import, double before[4]);
void rcity_import_widen_bounds(rcity_import *import, const double box[4]);
rcity_status rcity_import_join_bounds(rcity_import *import, const char *path, double reach_m, const double before[4]);

#endif
