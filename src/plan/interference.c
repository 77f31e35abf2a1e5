/* Sums of power by carrier, and the ratio of a signal to them and to noise. */
#include "plan/interference.h"

#include <assert.h>
#include <math.h>

#define NEPER_PER_DB      0.23025850929940456840 /* ln(10) / 10, of a power */
#define BOLTZMANN_J_PER_K 1.380649e-23           /* exact, SI 2019 */

/* The properties of one sector that are needed. */
typedef struct sector_share {
    int carrier_index;
    double load;
} sector_share;

struct rcity_interference {
    rcity_context *context;
    int carrier_count;
    double *carrier_hz; /* each frequency once */
    sector_share *sectors;
    double bandwidth_hz, noise_mw;
    int sum_count;
    double **sum_mw; /* carriers of the first height, then of the next; one value for each cell */
};

double rcity_thermal_noise_dbm(double bandwidth_hz, double noise_figure_db)
{
    return 10.0 * log10(1000.0 * BOLTZMANN_J_PER_K * RCITY_NOISE_TEMPERATURE_K * bandwidth_hz) + noise_figure_db;
}

static double mw_from_dbm(double level_dbm)
{
    return exp(NEPER_PER_DB * level_dbm);
}

rcity_status rcity_interference_check(rcity_context *context, const rcity_network_options *options)
{
    bool is_absent = options->bandwidth_hz == 0.0;
    RCITY_CHECK(context,
                is_absent || (options->bandwidth_hz >= RCITY_BANDWIDTH_MIN_HZ &&
                              options->bandwidth_hz <= RCITY_BANDWIDTH_MAX_HZ),
                RCITY_ERR_ARGUMENT, "the bandwidth is %.10g Hz, must be %g to %g Hz, or 0 for no SINR",
                options->bandwidth_hz, RCITY_BANDWIDTH_MIN_HZ, RCITY_BANDWIDTH_MAX_HZ);
    RCITY_CHECK(context, options->noise_figure_db >= 0.0 && options->noise_figure_db <= RCITY_NOISE_FIGURE_MAX_DB,
                RCITY_ERR_ARGUMENT, "the noise figure is %.10g dB, must be 0 to %g dB", options->noise_figure_db,
                RCITY_NOISE_FIGURE_MAX_DB);
    RCITY_CHECK(context, options->load >= 0.0 && options->load <= 1.0, RCITY_ERR_ARGUMENT,
                "the load is %.10g, must be 0 to 1", options->load);
    return RCITY_OK;
}

/* Is a sector's carrier that of an earlier sector? Networks have few carriers, so a linear search is fast. */
static bool has_known_carrier(int sector_index, const rcity_transmitter *sectors)
{
    for (int i = 0; i < sector_index; i++) {
        if (sectors[i].frequency_hz == sectors[sector_index].frequency_hz) {
            return true;
        }
    }
    return false;
}

static int count_carriers(int sector_count, const rcity_transmitter *sectors)
{
    int carrier_count = 0;
    for (int i = 0; i < sector_count; i++) {
        carrier_count += !has_known_carrier(i, sectors);
    }
    return carrier_count;
}

int64_t rcity_interference_cell_bytes(int sector_count, const rcity_transmitter *sectors,
                                      const rcity_network_options *options)
{
    return options->bandwidth_hz == 0.0 ? 0 : count_carriers(sector_count, sectors) * (int64_t)sizeof(double);
}

static int find_carrier(const rcity_interference *interference, double frequency_hz)
{
    int carrier = 0;
    while (carrier < interference->carrier_count && interference->carrier_hz[carrier] != frequency_hz) {
        carrier++;
    }
    return carrier;
}

/* The carriers in order of appearance, and the carrier of each sector. */
static rcity_status list_carriers(rcity_interference *made, int sector_count, const rcity_transmitter *sectors,
                                  double load)
{
    int carrier_count = count_carriers(sector_count, sectors);
    RCITY_TRY(
        rcity_alloc(made->context, (size_t)carrier_count, sizeof *made->carrier_hz, "carriers", &made->carrier_hz));
    RCITY_TRY(rcity_alloc(made->context, (size_t)sector_count, sizeof *made->sectors, "carriers", &made->sectors));
    for (int i = 0; i < sector_count; i++) {
        int carrier = find_carrier(made, sectors[i].frequency_hz);
        if (carrier == made->carrier_count) {
            made->carrier_hz[made->carrier_count++] = sectors[i].frequency_hz;
        }
        made->sectors[i].carrier_index = carrier;
        made->sectors[i].load = isnan(sectors[i].load) ? load : sectors[i].load;
    }
    return RCITY_OK;
}

rcity_status rcity_interference_create(rcity_context *context, int sector_count, const rcity_transmitter *sectors,
                                       const rcity_network_options *options, int64_t cell_count, int height_count,
                                       rcity_interference **interference)
{
    assert(sector_count >= 1 && options->bandwidth_hz > 0.0 && cell_count >= 1 && height_count >= 1);
    rcity_interference *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "interference", &made));
    made->context = context;
    made->bandwidth_hz = options->bandwidth_hz;
    made->noise_mw = mw_from_dbm(rcity_thermal_noise_dbm(options->bandwidth_hz, options->noise_figure_db));
    RCITY_TRY_DONE(list_carriers(made, sector_count, sectors, options->load));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)height_count * (size_t)made->carrier_count, sizeof *made->sum_mw,
                               "interference", &made->sum_mw));
    made->sum_count = height_count * made->carrier_count;
    for (int i = 0; i < made->sum_count; i++) {
        RCITY_TRY_DONE(
            rcity_alloc(context, (size_t)cell_count, sizeof *made->sum_mw[i], "interference", &made->sum_mw[i]));
    }
    *interference = made;
    made = NULL;
done:
    rcity_interference_destroy(&made);
    return status;
}

void rcity_interference_destroy(rcity_interference **interference)
{
    if (interference == NULL || *interference == NULL) {
        return;
    }
    rcity_interference *ended = *interference;
    for (int i = 0; i < ended->sum_count; i++) {
        rcity_release(ended->context, ended->sum_mw[i]);
    }
    rcity_release(ended->context, ended->sum_mw);
    rcity_release(ended->context, ended->sectors);
    rcity_release(ended->context, ended->carrier_hz);
    rcity_release(ended->context, ended);
    *interference = NULL;
}

void rcity_interference_add(rcity_interference *interference, int height_index, int64_t cell, int sector_index,
                            float level_dbm)
{
    sector_share share = interference->sectors[sector_index];
    double *sum_mw = interference->sum_mw[height_index * interference->carrier_count + share.carrier_index];
    sum_mw[cell] += share.load * mw_from_dbm((double)level_dbm);
}

/* The share of a channel's power in another channel of the same width, with the power spread evenly. */
static double overlap(const rcity_interference *interference, double first_hz, double second_hz)
{
    return fmax(0.0, 1.0 - fabs(first_hz - second_hz) / interference->bandwidth_hz);
}

float rcity_interference_sinr_db(const rcity_interference *interference, int height_index, int64_t cell,
                                 int server_index, float server_dbm)
{
    double *const *sum_mw = interference->sum_mw + height_index * interference->carrier_count;
    double server_hz = interference->carrier_hz[interference->sectors[server_index].carrier_index];
    double disturbing_mw = interference->noise_mw;
    for (int i = 0; i < interference->carrier_count; i++) {
        disturbing_mw += overlap(interference, server_hz, interference->carrier_hz[i]) * sum_mw[i][cell];
    }
    return (float)((double)server_dbm - log(disturbing_mw) / NEPER_PER_DB);
}
