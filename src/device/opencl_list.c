/* Asking every OpenCL platform for its devices, and judging them. */
#include "device/opencl_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "device/device_data.h"
#include "device/driver_signals.h"
#include "device/opencl_error.h"

#define VERSION_MIN   102 /* OpenCL 1.2 as 100 * major + minor */
#define NOT_FOUND_KHR (-1001)
#define ID_PREFIX     "opencl:"

/* Queries to one platform or device. The first error is kept; later answers are then zeros and empty texts. */
typedef struct inquiry {
    rcity_context *context;
    const rcity_opencl *cl;
    cl_platform_id platform;
    cl_device_id device; /* NULL asks the platform */
    char *text;          /* answer of the last ask_text() */
    cl_int error;
    const char *failed_name;
} inquiry;

static cl_int ask(const inquiry *about, cl_uint what, size_t bytes, void *value, size_t *needed)
{
    if (about->device != NULL) {
        return about->cl->clGetDeviceInfo(about->device, what, bytes, value, needed);
    }
    return about->cl->clGetPlatformInfo(about->platform, what, bytes, value, needed);
}

static void note_error(inquiry *about, cl_int error, const char *name)
{
    if (error != CL_SUCCESS && about->error == CL_SUCCESS) {
        about->error = error;
        about->failed_name = name;
    }
}

static rcity_status ask_text(inquiry *about, cl_uint what, const char *name)
{
    size_t bytes = 0;
    cl_int error = ask(about, what, 0, NULL, &bytes);
    bytes = error == CL_SUCCESS ? bytes : 0;
    RCITY_TRY(rcity_resize(about->context, bytes + 1, 1, "a description of an OpenCL device", &about->text));
    if (bytes > 0) {
        error = ask(about, what, bytes, about->text, NULL);
        bytes = error == CL_SUCCESS ? bytes : 0;
    }
    about->text[bytes] = '\0';
    note_error(about, error, name);
    return RCITY_OK;
}

#define ASK_NUMBER(about, what, number) ask_number((about), (what), #what, &(number), sizeof(number))

static void ask_number(inquiry *about, cl_uint what, const char *name, void *number, size_t bytes)
{
    memset(number, 0, bytes);
    note_error(about, ask(about, what, bytes, number, NULL), name);
}

/* Drivers pad names with spaces. */
static void copy_trimmed(const char *text, char *copy, size_t copy_bytes)
{
    text += strspn(text, " \t\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\n", text[length - 1]) != NULL) {
        length--;
    }
    snprintf(copy, copy_bytes, "%.*s", (int)(length < copy_bytes ? length : copy_bytes - 1), text);
}

/* "OpenCL C 1.2 pocl" after the prefix "OpenCL C " is 102; 0 when it cannot be read. */
static int parse_version(const char *text, const char *prefix)
{
    int major = 0;
    int minor = 0;
    size_t length = strlen(prefix);
    if (strncmp(text, prefix, length) != 0 || sscanf(text + length, "%3d.%2d", &major, &minor) != 2) {
        return 0;
    }
    return 100 * major + minor;
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *found = strstr(text, word); found != NULL; found = strstr(found + 1, word)) {
        if ((found == text || found[-1] == ' ') && (found[length] == ' ' || found[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static const char *kind_name(cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_GPU) {
        return "gpu";
    }
    if (type & CL_DEVICE_TYPE_CPU) {
        return "cpu";
    }
    return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "other";
}

static rcity_status add_entry(rcity_context *context, rcity_opencl_list *list, rcity_opencl_entry **entry)
{
    RCITY_TRY(rcity_reserve(context, list->count + 1, sizeof *list->entry, &list->capacity, "the list of devices",
                            &list->entry));
    *entry = &list->entry[list->count++];
    memset(*entry, 0, sizeof **entry);
    return RCITY_OK;
}

/* An entry that is no device but says why there is none. */
static rcity_status add_refusal(rcity_context *context, rcity_opencl_list *list, const char *name, const char *reason)
{
    rcity_opencl_entry *entry = NULL;
    RCITY_TRY(add_entry(context, list, &entry));
    snprintf(entry->info.id, sizeof entry->info.id, "opencl");
    snprintf(entry->info.kind, sizeof entry->info.kind, "loader");
    copy_trimmed(name, entry->info.name, sizeof entry->info.name);
    snprintf(entry->info.refusal, sizeof entry->info.refusal, "%s", reason);
    return RCITY_OK;
}

/* Why a device that answered cannot be used; no text means it can. One sentence for each reason. */
static rcity_status judge(inquiry *about, rcity_device_info *info)
{
    cl_bool is_available;
    cl_bool has_compiler;
    cl_bool is_little_endian;
    ASK_NUMBER(about, CL_DEVICE_AVAILABLE, is_available);
    ASK_NUMBER(about, CL_DEVICE_COMPILER_AVAILABLE, has_compiler);
    ASK_NUMBER(about, CL_DEVICE_ENDIAN_LITTLE, is_little_endian);
    RCITY_TRY(ask_text(about, CL_DEVICE_PROFILE, "CL_DEVICE_PROFILE"));
    bool is_full = strcmp(about->text, "FULL_PROFILE") == 0;
    RCITY_TRY(ask_text(about, CL_DEVICE_OPENCL_C_VERSION, "CL_DEVICE_OPENCL_C_VERSION"));
    bool is_c_new = parse_version(about->text, "OpenCL C ") >= VERSION_MIN;
    char c_version[64];
    copy_trimmed(about->text, c_version, sizeof c_version);
    RCITY_TRY(ask_text(about, CL_DEVICE_VERSION, "CL_DEVICE_VERSION"));
    bool is_new = parse_version(about->text, "OpenCL ") >= VERSION_MIN;
    char *refusal = info->refusal;
    size_t room = sizeof info->refusal;
    if (about->error != CL_SUCCESS) {
        snprintf(refusal, room, "the driver does not answer %s: %s; update it", about->failed_name,
                 rcity_opencl_error_name(about->error));
    } else if (!is_available) {
        snprintf(refusal, room, "the driver says the device is not available now; is another program holding it?");
    } else if (!has_compiler) {
        snprintf(refusal, room, "the driver has no compiler for OpenCL C; install the vendor's full driver");
    } else if (!is_new) {
        snprintf(refusal, room, "it offers '%.64s', OpenCL 1.2 is needed; update the driver", about->text);
    } else if (!is_c_new) {
        snprintf(refusal, room, "it compiles '%s', OpenCL C 1.2 is needed; update the driver", c_version);
    } else if (!is_little_endian) {
        snprintf(refusal, room, "it is big-endian; data would have to be swapped, which is not offered");
    } else if (!is_full) {
        snprintf(refusal, room, "it offers the embedded profile alone, in which 64-bit integers may be missing");
    } else if (info->buffer_max_bytes == 0 || info->compute_units < 1) {
        snprintf(refusal, room, "it says it has %d compute units and buffers of %llu bytes; update the driver",
                 info->compute_units, (unsigned long long)info->buffer_max_bytes);
    }
    info->is_usable = refusal[0] == '\0';
    return RCITY_OK;
}

static void describe_numbers(inquiry *about, rcity_device_info *info)
{
    cl_device_type type;
    cl_uint compute_units;
    cl_ulong memory_bytes;
    cl_ulong buffer_max_bytes;
    ASK_NUMBER(about, CL_DEVICE_TYPE, type);
    ASK_NUMBER(about, CL_DEVICE_MAX_COMPUTE_UNITS, compute_units);
    ASK_NUMBER(about, CL_DEVICE_GLOBAL_MEM_SIZE, memory_bytes);
    ASK_NUMBER(about, CL_DEVICE_MAX_MEM_ALLOC_SIZE, buffer_max_bytes);
    snprintf(info->kind, sizeof info->kind, "%s", kind_name(type));
    info->compute_units = (int)(compute_units & 0x7fffffff);
    info->memory_bytes = memory_bytes;
    info->buffer_max_bytes = buffer_max_bytes;
}

/* `identity` contains the platform already. */
static rcity_status describe_texts(inquiry *about, const char *platform_name, const char *platform_version,
                                   rcity_sha256 *identity, rcity_device_info *info)
{
    RCITY_TRY(ask_text(about, CL_DEVICE_NAME, "CL_DEVICE_NAME"));
    rcity_sha256_add(identity, about->text, strlen(about->text) + 1);
    copy_trimmed(about->text, info->name, sizeof info->name);
    RCITY_TRY(ask_text(about, CL_DEVICE_VENDOR, "CL_DEVICE_VENDOR"));
    copy_trimmed(about->text, info->vendor, sizeof info->vendor);
    RCITY_TRY(ask_text(about, CL_DRIVER_VERSION, "CL_DRIVER_VERSION"));
    rcity_sha256_add(identity, about->text, strlen(about->text) + 1);
    /* the platform's version comes last: PoCL's fills a line, and what is cut off is then the least useful part */
    snprintf(info->driver, sizeof info->driver, "%.60s, driver %.40s, %.80s", platform_name, about->text,
             platform_version);
    RCITY_TRY(ask_text(about, CL_DEVICE_EXTENSIONS, "CL_DEVICE_EXTENSIONS"));
    info->has_fp64 = has_word(about->text, "cl_khr_fp64");
    info->has_int64_atomics = has_word(about->text, "cl_khr_int64_base_atomics");
    return RCITY_OK;
}

/* What all devices of a platform share. */
typedef struct platform_texts {
    char name[128];
    char version[128];
    rcity_sha256 identity; /* of the whole texts */
} platform_texts;

static rcity_status describe_platform(rcity_context *context, const rcity_opencl *cl, cl_platform_id platform,
                                      platform_texts *texts)
{
    inquiry about = {.context = context, .cl = cl, .platform = platform};
    rcity_status status;
    rcity_sha256_init(&texts->identity);
    RCITY_TRY_DONE(ask_text(&about, CL_PLATFORM_NAME, "CL_PLATFORM_NAME"));
    rcity_sha256_add(&texts->identity, about.text, strlen(about.text) + 1);
    copy_trimmed(about.text, texts->name, sizeof texts->name);
    RCITY_TRY_DONE(ask_text(&about, CL_PLATFORM_VERSION, "CL_PLATFORM_VERSION"));
    rcity_sha256_add(&texts->identity, about.text, strlen(about.text) + 1);
    copy_trimmed(about.text, texts->version, sizeof texts->version);
done:
    rcity_release(context, about.text);
    return status;
}

static rcity_status add_device(rcity_context *context, const rcity_opencl *cl, const platform_texts *texts,
                               cl_platform_id platform, cl_device_id device, rcity_opencl_list *list)
{
    rcity_opencl_entry *entry = NULL;
    RCITY_TRY(add_entry(context, list, &entry));
    entry->platform = platform;
    entry->device = device;
    snprintf(entry->info.id, sizeof entry->info.id, "opencl:%d", list->device_count++);
    inquiry about = {.context = context, .cl = cl, .device = device};
    rcity_sha256 identity = texts->identity;
    rcity_status status;
    describe_numbers(&about, &entry->info);
    RCITY_TRY_DONE(describe_texts(&about, texts->name, texts->version, &identity, &entry->info));
    rcity_sha256_finish(&identity, entry->identity);
    RCITY_TRY_DONE(judge(&about, &entry->info));
done:
    rcity_release(context, about.text);
    return status;
}

static rcity_status add_platform(rcity_context *context, const rcity_opencl *cl, cl_platform_id platform,
                                 rcity_opencl_list *list)
{
    platform_texts texts;
    RCITY_TRY(describe_platform(context, cl, platform, &texts));
    char reason[256];
    cl_uint count = 0;
    cl_int error = cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (error == CL_DEVICE_NOT_FOUND || (error == CL_SUCCESS && count == 0)) {
        snprintf(reason, sizeof reason,
                 "the platform '%.100s' has no devices; is its hardware there and allowed to you?", texts.name);
        return add_refusal(context, list, texts.name, reason);
    }
    cl_device_id *devices = NULL;
    rcity_status status = RCITY_OK;
    if (error == CL_SUCCESS) {
        RCITY_TRY(rcity_alloc(context, count, sizeof(cl_device_id), "the list of devices", &devices));
        error = cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices, NULL);
    }
    if (error != CL_SUCCESS) {
        snprintf(reason, sizeof reason, "the platform '%.100s' does not list its devices: %s; update its driver",
                 texts.name, rcity_opencl_error_name(error));
        status = add_refusal(context, list, texts.name, reason);
        goto done;
    }
    for (cl_uint i = 0; i < count; i++) {
        RCITY_TRY_DONE(add_device(context, cl, &texts, platform, devices[i], list));
    }
done:
    rcity_release(context, devices);
    return status;
}

rcity_status rcity_opencl_list_build(rcity_context *context, const rcity_opencl *cl, rcity_opencl_list *list)
{
    cl_uint count = 0;
    cl_int error = cl->clGetPlatformIDs(0, NULL, &count);
    if (error == NOT_FOUND_KHR || (error == CL_SUCCESS && count == 0)) {
        return add_refusal(
            context, list, "OpenCL",
            "the OpenCL loader finds no platform; install a driver: the GPU vendor's or pocl-opencl-icd");
    }
    cl_platform_id *platforms = NULL;
    rcity_status status = RCITY_OK;
    if (error == CL_SUCCESS) {
        RCITY_TRY(rcity_alloc(context, count, sizeof(cl_platform_id), "the list of platforms", &platforms));
        error = cl->clGetPlatformIDs(count, platforms, NULL);
    }
    if (error != CL_SUCCESS) {
        char reason[256];
        snprintf(reason, sizeof reason, "the OpenCL loader does not list its platforms: %s; reinstall it",
                 rcity_opencl_error_name(error));
        status = add_refusal(context, list, "OpenCL", reason);
        goto done;
    }
    for (cl_uint i = 0; i < count; i++) {
        RCITY_TRY_DONE(add_platform(context, cl, platforms[i], list));
    }
done:
    rcity_release(context, platforms);
    return status;
}

rcity_status rcity_opencl_list_load(rcity_context *context, const char *const *library_names, rcity_opencl *cl,
                                    rcity_opencl_list *list)
{
    char reason[256];
    if (!rcity_opencl_load(library_names, cl, reason, sizeof reason)) {
        return add_refusal(context, list, "OpenCL", reason);
    }
    rcity_driver_signals before;
    rcity_driver_signals_note(&before);
    rcity_status status = rcity_opencl_list_build(context, cl, list);
    rcity_driver_signals_restore(&before);
    return status;
}

void rcity_opencl_list_deinit(rcity_context *context, rcity_opencl_list *list)
{
    rcity_release(context, list->entry);
    memset(list, 0, sizeof *list);
}

const rcity_opencl_entry *rcity_opencl_list_choose(const rcity_opencl_list *list)
{
    const rcity_opencl_entry *best = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const rcity_device_info *info = &list->entry[i].info;
        if (info->is_usable && strcmp(info->kind, "gpu") == 0 &&
            (best == NULL || info->compute_units > best->info.compute_units)) {
            best = &list->entry[i];
        }
    }
    return best;
}

bool rcity_opencl_list_is_id(const char *id)
{
    size_t prefix_length = strlen(ID_PREFIX);
    return strncmp(id, ID_PREFIX, prefix_length) == 0 && id[prefix_length] != '\0' &&
           id[prefix_length + strspn(id + prefix_length, "0123456789")] == '\0';
}

rcity_status rcity_opencl_list_find(rcity_context *context, const rcity_opencl_list *list, const char *id,
                                    const rcity_opencl_entry **entry)
{
    long number = strtol(id + strlen(ID_PREFIX), NULL, 10); /* clamped when huge: no such device exists either */
    long passed_count = 0;
    const rcity_opencl_entry *refused = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const rcity_opencl_entry *candidate = &list->entry[i];
        if (candidate->device == NULL) {
            refused = candidate;
        } else if (passed_count++ == number) {
            RCITY_CHECK(context, candidate->info.is_usable, RCITY_ERR_NO_DEVICE,
                        "device %s (%s) is refused: %s; " RCITY_DEVICE_ADVICE, id, candidate->info.name,
                        candidate->info.refusal);
            *entry = candidate;
            return RCITY_OK;
        }
    }
    RCITY_CHECK(context, list->device_count > 0 || refused == NULL, RCITY_ERR_NO_DEVICE,
                "there is no device %s: %s; " RCITY_DEVICE_ADVICE, id, refused->info.refusal);
    return rcity_fail(context, RCITY_ERR_NO_DEVICE,
                      "there is no device %s: %d OpenCL device%s found; " RCITY_DEVICE_ADVICE, id, list->device_count,
                      list->device_count == 1 ? " was" : "s were");
}
