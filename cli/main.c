/* radiocity: radio coverage in cities and over terrain. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"
#include "radiocity/radiocity.h"

static const struct {
    const char *name;
    int (*run)(int count, char **words);
    const char *text;
} commands[] = {
    {"demo", command_demo, "make a city, predict it, and leave a picture"},
    {"scene", command_scene, "make, import, export, describe or draw a scene"},
    {"predict", command_predict, "predict the coverage of a transmitter and write maps"},
    {"plan", command_plan, "search where base stations should stand"},
    {"profile", command_profile, "show what stands between the ends of a link, its losses and its budget"},
    {"rays", command_rays, "find every path of a link, with its field, delay and angles"},
    {"delay", command_delay, "show when power arrives at a place, from a stored prediction"},
    {"visibility", command_visibility, "make the file of what the tiles of a scene see of each other"},
    {"score", command_score, "hold predictions against measurements, beside plain models"},
    {"calibrate", command_calibrate, "fit a method's coefficients to measurements"},
    {"map", command_map, "describe or compare maps, or say how much they cover"},
    {"antenna", command_antenna, "draw or describe an antenna pattern"},
    {"devices", command_devices, "list where kernels can run, and why something cannot"},
    {"bench", command_bench, "run benchmarks"},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void print_help(FILE *file)
{
    fprintf(file, "radiocity %s: radio coverage in cities and over terrain\n\nUsage: radiocity COMMAND ...\n\n",
            rcity_version());
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(file, "  %-10s %s\n", commands[i].name, commands[i].text);
    }
    fprintf(file,
            "\n'radiocity COMMAND --help' tells more. Start with:\n\n"
            "  radiocity demo\n"
            "  radiocity scene make --kind core --area-km2 1 --seed 7 -o city.rcity\n"
            "  radiocity predict --scene city.rcity --tx 500,500,30 --frequency-mhz 2100 -o map.tif --png map.png\n");
}

/* Output that could not be written to standard output is an error. */
static int end_output(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "radiocity: cannot write to standard output\n");
        return status == EXIT_FINE ? EXIT_FILE : status;
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return end_output(EXIT_FINE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("radiocity %s\n", rcity_version());
        return end_output(EXIT_FINE);
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return end_output(commands[i].run(argc - 2, argv + 2));
        }
    }
    fprintf(stderr, "radiocity: unknown command '%s'; 'radiocity --help' lists them\n", argv[1]);
    return EXIT_USAGE;
}
