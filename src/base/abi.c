/* Structs in the size that the caller knows: taking, checking and returning them. */

#include <string.h>

#include "base/abi.h"

static rcity_status fail_size(rcity_context *context, const char *type, size_t bytes, size_t known_bytes)
{
    return rcity_fail(
        context, RCITY_ERR_ARGUMENT,
        "a %s of %zu bytes is not one of radiocity %s, which knows %zu; start from %s_default() and build the "
        "program against this version or an older one",
        type, bytes, rcity_version(), known_bytes, type);
}

rcity_status rcity_take_options(rcity_context *context, const char *type, const void *given, size_t least_bytes,
                                size_t known_bytes, void *known)
{
    size_t bytes;
    memcpy(&bytes, given, sizeof bytes);
    if (bytes < least_bytes || bytes > known_bytes) {
        return fail_size(context, type, bytes, known_bytes);
    }
    memcpy(known, given, bytes);
    memcpy(known, &known_bytes, sizeof known_bytes);
    return RCITY_OK;
}

rcity_status rcity_check_fixed(rcity_context *context, const char *type, size_t struct_bytes, size_t known_bytes,
                               const uint64_t *reserved, size_t reserved_count)
{
    if (struct_bytes != known_bytes) {
        return fail_size(context, type, struct_bytes, known_bytes);
    }
    for (size_t i = 0; i < reserved_count; i++) {
        RCITY_CHECK(
            context, reserved[i] == 0, RCITY_ERR_ARGUMENT,
            "a reserved word of a %s is not 0: radiocity %s does not know what it says; start from %s_default()", type,
            rcity_version(), type);
    }
    return RCITY_OK;
}

rcity_status rcity_check_bytes(rcity_context *context, const char *type, size_t bytes, size_t known_bytes)
{
    RCITY_CHECK(
        context, bytes > 0 && bytes <= known_bytes, RCITY_ERR_ARGUMENT,
        "a %s of %zu bytes is not one of radiocity %s, which knows %zu; build the program against this version or "
        "an older one",
        type, bytes, rcity_version(), known_bytes);
    return RCITY_OK;
}

void rcity_copy_struct(const void *from, size_t from_bytes, size_t to_bytes, void *to)
{
    size_t common = from_bytes < to_bytes ? from_bytes : to_bytes;
    memcpy(to, from, common);
    memset((char *)to + common, 0, to_bytes - common);
}

void rcity_give_defaults(const void *made, size_t made_bytes, size_t bytes, void *given)
{
    if (given == NULL || bytes < sizeof bytes) {
        return;
    }
    rcity_copy_struct(made, made_bytes, bytes, given);
    memcpy(given, &bytes, sizeof bytes);
}
