/* Writes the file of delays that test_delay.sh reads: make_delays FILE.h5. A street of four cells: sight with two echoes, a
   tail that falls off exponentially, one bin, nothing. */
#include <stdio.h>

#include "result/delays_data.h"

#define TAIL_COUNT 40

static rcity_status fill(rcity_delays *delays)
{
    static const int32_t sight_bins[] = {0, 3, 10};
    static const float sight_gains[] = {1e-8f, 2e-9f, 1e-11f};
    static const int32_t single_bin[] = {25};
    static const float single_gain[] = {5e-13f};
    int32_t tail_bins[TAIL_COUNT];
    float tail_gains[TAIL_COUNT];
    float gain = 1e-10f;
    for (int i = 0; i < TAIL_COUNT; i++) {
        tail_bins[i] = 12 + i;
        tail_gains[i] = gain;
        gain *= 0.8f;
    }
    RCITY_TRY(rcity_notes_add(rcity_delays_notes(delays), "method", "made by hand"));
    RCITY_TRY(rcity_notes_add(rcity_delays_notes(delays), "frequency_mhz", "%d", 2100));
    RCITY_TRY(rcity_delays_add_cell(delays, 0, 3, sight_bins, sight_gains));
    RCITY_TRY(rcity_delays_add_cell(delays, 1, TAIL_COUNT, tail_bins, tail_gains));
    RCITY_TRY(rcity_delays_add_cell(delays, 2, 1, single_bin, single_gain));
    return rcity_delays_finish(delays);
}

int main(int argc, char **argv)
{
    static const rcity_raster raster = {4, 1, 100.0, 205.0, 5.0};
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    rcity_delays *delays = NULL;
    if (argc != 2 || rcity_context_create(&options, &context) != RCITY_OK) {
        return 1;
    }
    rcity_status status = rcity_delays_create(context, &raster, "EPSG:32632", 1.5, 1e-7, 2e-8, &delays);
    status = status == RCITY_OK ? fill(delays) : status;
    status = status == RCITY_OK ? rcity_delays_save_hdf5(context, delays, argv[1]) : status;
    if (status != RCITY_OK) {
        fprintf(stderr, "%s\n", rcity_context_message(context));
    }
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
    return status == RCITY_OK ? 0 : 1;
}
