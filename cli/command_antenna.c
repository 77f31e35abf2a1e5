/* radiocity antenna draw|info */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "json.h"
#include "outputs.h"
#include "session.h"
#include "shown_text.h"

#define HELP_EXAMPLE "Example: radiocity antenna draw panel.msi -o panel.png"

/* "projection" or "sum". @return 0, or EXIT_USAGE after a message. */
static int read_synthesis(const char *command, const char *word, rcity_antenna_synthesis *synthesis)
{
    bool is_sum = strcmp(word, "sum") == 0;
    if (!is_sum && strcmp(word, "projection") != 0) {
        return usage_error(command, "--pattern-synthesis is '%s', must be projection or sum", word);
    }
    *synthesis = is_sum ? RCITY_SYNTHESIS_SUM : RCITY_SYNTHESIS_PROJECTION;
    return 0;
}

static int antenna_draw(int count, char **words)
{
    const char *path = NULL;
    const char *synthesis_word = "projection";
    double electrical_tilt_deg = (double)NAN;
    int width_px = 1200;
    const cli_option table[] = {
        {"--electrical-tilt-deg", OPTION_NUMBER, &electrical_tilt_deg, "DEG",
         "whole electrical tilt, down positive; the pattern's own when not given"},
        {"--pattern-synthesis", OPTION_TEXT, &synthesis_word, "NAME",
         "how a file's two cuts make a pattern: projection (default) or sum"},
        {"--width", OPTION_COUNT, &width_px, "PIXELS", "width of the picture, 400 to 8000"},
        {"-o", OPTION_TEXT, &path, "FILE", "the picture (.png) to write"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "antenna draw",
        .usage = "Usage: radiocity antenna draw NAME|FILE [options] -o FILE.png",
        .about = "Draw the two cuts of an antenna as polar plots. NAME is isotropic, dipole or 3gpp; FILE is an\n"
                 "MSI/Planet file (.msi .pln .prn .txt) or two cuts as CSV (.csv).\n\n" HELP_EXAMPLE,
        .options = table,
        .positional_count = 1,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0) {
        result = arguments_require(&line, "antenna", path != NULL);
    }
    rcity_antenna_synthesis synthesis = RCITY_SYNTHESIS_PROJECTION;
    if (result == 0) {
        result = read_synthesis("antenna draw", synthesis_word, &synthesis);
    }
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    if (!path_ends_with(path, ".png")) {
        return usage_error("antenna draw", "the picture is PNG; let '%s' end in .png", path);
    }
    rcity_context *context = NULL;
    rcity_antenna *antenna = NULL;
    result = session_open(&context);
    if (result == 0) {
        result = output_check(context, "antenna draw", path, line.positional[0]);
    }
    if (result != 0) {
        session_close(&context);
        return result;
    }
    rcity_status status = rcity_antenna_open(context, line.positional[0], synthesis, &antenna);
    if (status == RCITY_OK) {
        status = rcity_antenna_draw(context, antenna, electrical_tilt_deg, width_px, path);
    }
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    } else {
        printf("%s\n", path);
    }
    rcity_antenna_destroy(&antenna);
    session_close(&context);
    return result;
}

static void print_json(const rcity_antenna_info *info)
{
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "name", info->name);
    json_text(&json, "kind", info->kind);
    json_number(&json, "gain_dbi", info->gain_dbi);
    json_number(&json, "horizontal_width_deg", info->horizontal_width_deg);
    json_number(&json, "vertical_width_deg", info->vertical_width_deg);
    json_number(&json, "front_to_back_db", info->front_to_back_db);
    json_number(&json, "electrical_tilt_deg", info->electrical_tilt_deg);
    json_number(&json, "frequency_mhz", info->frequency_hz * 1e-6);
    json_end_object(&json);
    json_end_line(&json);
}

static void print_width(const char *name, double width_deg)
{
    if (width_deg >= 360.0) {
        printf("%-16s all around\n", name);
    } else {
        printf("%-16s %.1f degrees between the -3 dB points\n", name, width_deg);
    }
}

static void print_text(const rcity_antenna_info *info)
{
    printf("%-16s %s\n", "name", shown(info->name));
    printf("%-16s %s\n", "kind", info->kind);
    printf("%-16s %.2f dBi (%.2f dBd)\n", "gain", info->gain_dbi, info->gain_dbi - RCITY_DIPOLE_GAIN_DBI);
    print_width("horizontal width", info->horizontal_width_deg);
    print_width("vertical width", info->vertical_width_deg);
    printf("%-16s %.1f dB\n", "front to back", info->front_to_back_db);
    printf("%-16s %.1f degrees, in the pattern; down is positive\n", "electrical tilt", info->electrical_tilt_deg);
    if (isnan(info->frequency_hz)) {
        printf("%-16s any\n", "frequency");
    } else {
        printf("%-16s %g MHz\n", "frequency", info->frequency_hz * 1e-6);
    }
}

static int antenna_info(int count, char **words)
{
    bool wants_json = false;
    const cli_option table[] = {
        {"--json", OPTION_FLAG, &wants_json, NULL, "one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "antenna info",
        .usage = "Usage: radiocity antenna info NAME|FILE [--json]",
        .about = "Say what an antenna is: gain, beam widths, front to back, tilt.\n\n"
                 "Example: radiocity antenna info panel.msi --json",
        .options = table,
        .positional_count = 1,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0) {
        result = arguments_require(&line, "antenna", true);
    }
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    rcity_context *context = NULL;
    rcity_antenna *antenna = NULL;
    result = session_open(&context);
    if (result != 0) {
        return result;
    }
    rcity_status status = rcity_antenna_open(context, line.positional[0], RCITY_SYNTHESIS_PROJECTION, &antenna);
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    } else {
        rcity_antenna_info info;
        rcity_antenna_describe(antenna, &info);
        (wants_json ? print_json : print_text)(&info);
    }
    rcity_antenna_destroy(&antenna);
    session_close(&context);
    return result;
}

int command_antenna(int count, char **words)
{
    bool wants_help = count > 0 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0);
    if (count == 0 || wants_help) {
        fprintf(wants_help ? stdout : stderr, "Usage: radiocity antenna ACTION ...\n\n"
                                              "  draw     draw the two cuts of an antenna as a picture\n"
                                              "  info     say what an antenna is\n\n"
                                              "'radiocity antenna ACTION --help' tells more.\n\n" HELP_EXAMPLE "\n");
        return wants_help ? EXIT_FINE : EXIT_USAGE;
    }
    if (strcmp(words[0], "draw") == 0) {
        return antenna_draw(count - 1, words + 1);
    }
    if (strcmp(words[0], "info") == 0) {
        return antenna_info(count - 1, words + 1);
    }
    fprintf(stderr, "radiocity: unknown action 'antenna %s'; 'radiocity antenna --help' lists them\n", words[0]);
    return EXIT_USAGE;
}
