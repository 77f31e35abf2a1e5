/* radiocity devices */
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "json.h"
#include "session.h"

#define DEVICE_MAX 64

static void print_json(const rcity_device_info *infos, int count)
{
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "devices");
    for (int i = 0; i < count; i++) {
        const rcity_device_info *info = &infos[i];
        json_begin_object(&json, NULL);
        json_text(&json, "id", info->id);
        json_text(&json, "kind", info->kind);
        json_text(&json, "name", info->name);
        json_text(&json, "vendor", info->vendor);
        json_text(&json, "driver", info->driver);
        json_integer(&json, "compute_units", info->compute_units);
        json_integer(&json, "memory_bytes", (int64_t)info->memory_bytes);
        json_integer(&json, "buffer_max_bytes", (int64_t)info->buffer_max_bytes);
        json_boolean(&json, "has_fp64", info->has_fp64);
        json_boolean(&json, "has_int64_atomics", info->has_int64_atomics);
        json_boolean(&json, "is_usable", info->is_usable);
        json_boolean(&json, "is_default", info->is_default);
        json_text(&json, "refusal", info->is_usable ? NULL : info->refusal);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_end_line(&json);
}

static void print_text(const rcity_device_info *infos, int count)
{
    for (int i = 0; i < count; i++) {
        const rcity_device_info *info = &infos[i];
        if (!info->is_usable) {
            printf("%-10s %s%snot usable: %s\n", info->id, info->name, info->name[0] != '\0' ? ", " : "",
                   info->refusal);
            continue;
        }
        printf("%-10s %s (%s)%s\n", info->id, info->name, info->kind,
               info->is_default ? ", taken when none is named" : "");
        printf("           %d compute units, %.1f GB memory, largest buffer %.1f GB, double precision %s, "
               "64-bit atomics %s\n",
               info->compute_units, (double)info->memory_bytes * 1e-9, (double)info->buffer_max_bytes * 1e-9,
               info->has_fp64 ? "yes" : "no", info->has_int64_atomics ? "yes" : "no");
        if (info->driver[0] != '\0') {
            printf("           %s\n", info->driver);
        }
    }
}

int command_devices(int count, char **words)
{
    bool wants_json = false;
    const cli_option table[] = {
        {"--json", OPTION_FLAG, &wants_json, NULL, "one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "devices",
        .usage = "Usage: radiocity devices [--json]",
        .about = "List where kernels can run: the host, and every OpenCL device. What cannot be used says why.\n\n"
                 "Example: radiocity devices --json",
        .options = table,
    };
    int result = arguments_read(&line, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    static rcity_device_info infos[DEVICE_MAX];
    rcity_context *context = NULL;
    result = session_open(&context);
    if (result != 0) {
        return result;
    }
    int device_count = 0;
    rcity_status status = rcity_device_list(context, DEVICE_MAX, infos, &device_count);
    device_count = device_count < DEVICE_MAX ? device_count : DEVICE_MAX;
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    } else if (wants_json) {
        print_json(infos, device_count);
    } else {
        print_text(infos, device_count);
    }
    session_close(&context);
    return result;
}
