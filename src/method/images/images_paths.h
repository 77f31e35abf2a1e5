/* All paths from the transmitter of a search to one place, with their fields and without antennas. */
#ifndef RCITY_METHOD_IMAGES_PATHS_H
#define RCITY_METHOD_IMAGES_PATHS_H

#include "method/images/images_kept.h"
#include "method/images/roofs/roof_chains.h"

/* Working memory of a thread, for any number of places. */
typedef struct rcity_path_finder {
    rcity_searcher searcher;
    rcity_path_list list;
    rcity_roof_chains chains;
} rcity_path_finder;

/* On failure call rcity_path_finder_deinit() as well. */
rcity_status rcity_path_finder_init(rcity_context *context, const rcity_search *search, rcity_path_finder *finder);
void rcity_path_finder_deinit(rcity_context *context, rcity_path_finder *finder);

/* Replace the found paths by those to a place. */
rcity_status rcity_path_finder_run(rcity_context *context, const rcity_search *search, bool goes_over_roofs,
                                   rcity_place3 rx, rcity_path_finder *finder, rcity_found_paths *found);

#endif
