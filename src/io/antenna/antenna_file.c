/* Antennas from files: MSI/Planet, or two cuts as CSV. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "io/antenna/antenna_file.h"
#include "io/antenna/msi.h"
#include "io/antenna/pattern_cut.h"
#include "io/csv.h"
#include "scene/antenna_data.h"

/* The note "# key: value" as a number; `*value` is unchanged when there is none. */
static rcity_status read_note(rcity_context *context, const rcity_csv *csv, const char *key, double limit,
                              double *value)
{
    const char *text = rcity_csv_note(csv, key);
    if (*text == '\0') {
        return RCITY_OK;
    }
    double read = 0.0;
    RCITY_CHECK(context, rcity_csv_read_number(text, true, &read), RCITY_ERR_FORMAT,
                "'%s': the line '# %s: %.40s' holds no number", rcity_csv_name(csv), key, text);
    RCITY_CHECK(context, fabs(read) <= limit, RCITY_ERR_FORMAT, "'%s': %s is %g, must be within %g",
                rcity_csv_name(csv), key, read, limit);
    *value = read;
    return RCITY_OK;
}

static rcity_status read_cut(rcity_context *context, const rcity_csv *csv, int angle_column, int loss_column,
                             const char *what, float loss_db[360])
{
    rcity_pattern_cut cut = {0};
    rcity_status status = RCITY_OK;
    for (int64_t row = 0; row < rcity_csv_row_count(csv); row++) {
        double angle_deg = (double)NAN;
        double value_db = (double)NAN;
        RCITY_TRY_DONE(rcity_csv_number(context, csv, row, angle_column, &angle_deg));
        RCITY_TRY_DONE(rcity_csv_number(context, csv, row, loss_column, &value_db));
        if (isnan(angle_deg)) {
            status = rcity_fail(context, RCITY_ERR_FORMAT, "'%s' line %lld has no angle_deg", rcity_csv_name(csv),
                                (long long)rcity_csv_line(csv, row));
            goto done;
        }
        if (!isnan(value_db)) { /* the other cut may have an angle that this one has not */
            RCITY_TRY_DONE(rcity_pattern_cut_add(context, &cut, rcity_csv_name(csv), what, rcity_csv_line(csv, row),
                                                 angle_deg, value_db));
        }
    }
    RCITY_TRY_DONE(rcity_pattern_cut_finish(context, &cut, rcity_csv_name(csv), what, loss_db));
done:
    rcity_release(context, cut.point);
    return status;
}

static rcity_status read_cuts(rcity_context *context, const rcity_csv *csv, rcity_antenna_synthesis synthesis,
                              rcity_antenna **antenna)
{
    const char *name = rcity_csv_name(csv);
    int angle_column = rcity_csv_find_column(csv, "angle_deg|angle");
    int horizontal_column = rcity_csv_find_column(csv, "horizontal_loss_db|horizontal");
    int vertical_column = rcity_csv_find_column(csv, "vertical_loss_db|vertical");
    RCITY_CHECK(context, angle_column >= 0 && horizontal_column >= 0 && vertical_column >= 0, RCITY_ERR_FORMAT,
                "'%s' has no column %s; an antenna needs angle_deg, horizontal_loss_db and vertical_loss_db", name,
                angle_column < 0        ? "angle_deg"
                : horizontal_column < 0 ? "horizontal_loss_db"
                                        : "vertical_loss_db");
    rcity_antenna_cuts cuts;
    memset(&cuts, 0, sizeof cuts);
    cuts.gain_dbi = cuts.electrical_tilt_deg = cuts.frequency_hz = (double)NAN;
    cuts.synthesis = synthesis;
    RCITY_TRY(read_note(context, csv, "gain_dbi", RCITY_ANTENNA_GAIN_MAX_DBI, &cuts.gain_dbi));
    RCITY_CHECK(context, !isnan(cuts.gain_dbi), RCITY_ERR_FORMAT,
                "'%s' states no gain; add a line such as '# gain_dbi: 17.5' at its top", name);
    RCITY_TRY(read_note(context, csv, "electrical_tilt_deg", 90.0, &cuts.electrical_tilt_deg));
    double frequency_mhz = (double)NAN;
    RCITY_TRY(read_note(context, csv, "frequency_mhz", 1e6, &frequency_mhz));
    RCITY_CHECK(context, !(frequency_mhz <= 0.0), RCITY_ERR_FORMAT, "'%s': frequency_mhz is %g, must be above 0", name,
                frequency_mhz);
    cuts.frequency_hz = frequency_mhz * 1e6;
    RCITY_TRY(read_cut(context, csv, angle_column, horizontal_column, "horizontal", cuts.horizontal_loss_db));
    RCITY_TRY(read_cut(context, csv, angle_column, vertical_column, "vertical", cuts.vertical_loss_db));
    const char *slash = strrchr(name, '/');
    const char *stated_name = rcity_csv_note(csv, "name");
    cuts.name = *stated_name != '\0' ? stated_name : slash != NULL ? slash + 1 : name;
    return rcity_pattern_make(context, name, &cuts, antenna);
}

rcity_status rcity_cuts_csv_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                  rcity_antenna_synthesis synthesis, rcity_antenna **antenna)
{
    rcity_csv *csv = NULL;
    RCITY_TRY(rcity_csv_parse(context, name, bytes, byte_count, &csv));
    rcity_status status = read_cuts(context, csv, synthesis, antenna);
    rcity_csv_destroy(&csv);
    return status;
}

static bool is_csv(const char *path)
{
    size_t length = strlen(path);
    const char *ending = length >= 4 ? path + length - 4 : path;
    return strcmp(ending, ".csv") == 0 || strcmp(ending, ".CSV") == 0;
}

rcity_status rcity_antenna_load(rcity_context *context, const char *path, rcity_antenna_synthesis synthesis,
                                rcity_antenna **antenna)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    RCITY_NEED(context, antenna);
    char *text = NULL;
    size_t byte_count = 0;
    RCITY_TRY(rcity_file_load(context, path, &text, &byte_count));
    rcity_antenna *made = NULL;
    rcity_status status = is_csv(path) ? rcity_cuts_csv_parse(context, path, text, byte_count, synthesis, &made)
                                       : rcity_msi_parse(context, path, text, byte_count, synthesis, &made);
    rcity_release(context, text);
    RCITY_TRY(status);
    status = rcity_copy_text(context, path, &made->path);
    if (status != RCITY_OK) {
        rcity_antenna_destroy(&made);
        return status;
    }
    *antenna = made;
    return RCITY_OK;
}

rcity_status rcity_antenna_open(rcity_context *context, const char *name_or_path, rcity_antenna_synthesis synthesis,
                                rcity_antenna **antenna)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, name_or_path);
    RCITY_NEED(context, antenna);
    rcity_status status = rcity_antenna_create(context, name_or_path, antenna);
    if (status != RCITY_ERR_ARGUMENT) {
        return status;
    }
    status = rcity_antenna_load(context, name_or_path, synthesis, antenna);
    if (status == RCITY_ERR_FILE) {
        return rcity_fail_prefix(
            context, status, "'%.100s' is no built-in antenna (isotropic, dipole, 3gpp) and no file: ", name_or_path);
    }
    return status;
}
