/* Structs that cross the library's interface in the size that the caller knows: see docs/adr/0027. */
#ifndef RCITY_BASE_ABI_H
#define RCITY_BASE_ABI_H

#include "base/base.h"

/* Where a field ends. The last field of version 0.2.0 gives the smallest size of a struct. */
#define RCITY_END_OF(type, field) (offsetof(type, field) + sizeof(((const type *)0)->field))

/* Make `known`, in the size that this library knows, from options in the caller's size. Fields that the caller does not
   know get their defaults. `last` is the type's last field in version 0.2.0. Fails with a message for an invalid
   size. */
#define RCITY_TAKE(context, type, last, given, known)                                                                  \
    do {                                                                                                               \
        RCITY_NEED(context, given);                                                                                    \
        type##_init((known), sizeof(type));                                                                            \
        RCITY_TRY(rcity_take_options((context), #type, (given), RCITY_END_OF(type, last), sizeof(type), (known)));     \
    } while (0)
rcity_status rcity_take_options(rcity_context *context, const char *type, const void *given, size_t least_bytes,
                                size_t known_bytes, void *known);

/* Options inside other structs and in arrays do not grow; they have reserved words at their end. Fails with a message
   for another size, and for nonzero reserved words, which only a later version knows. */
#define RCITY_CHECK_FIXED(context, type, given)                                                                        \
    rcity_check_fixed((context), #type, (given)->struct_bytes, sizeof(type), (given)->reserved,                        \
                      sizeof(given)->reserved / sizeof(given)->reserved[0])
rcity_status rcity_check_fixed(rcity_context *context, const char *type, size_t struct_bytes, size_t known_bytes,
                               const uint64_t *reserved, size_t reserved_count);

/* The same for an array of `count`, which may be 0. */
#define RCITY_CHECK_FIXED_ALL(context, type, list, count)                                                              \
    do {                                                                                                               \
        RCITY_NEED_SOME(context, list, count);                                                                         \
        for (int i_ = 0; i_ < (count); i_++) {                                                                         \
            RCITY_TRY(RCITY_CHECK_FIXED(context, type, &(list)[i_]));                                                  \
        }                                                                                                              \
    } while (0)

/* Is this a valid size of a struct that the library knows? */
#define RCITY_CHECK_BYTES(context, type, bytes) RCITY_TRY(rcity_check_bytes((context), #type, (bytes), sizeof(type)))
rcity_status rcity_check_bytes(rcity_context *context, const char *type, size_t bytes, size_t known_bytes);

/* Make `known` from a struct of which the caller knows `bytes` bytes; the rest is 0. */
#define RCITY_TAKE_SIZED(context, type, given, bytes, known)                                                           \
    do {                                                                                                               \
        RCITY_NEED(context, given);                                                                                    \
        RCITY_CHECK_BYTES(context, type, bytes);                                                                       \
        rcity_copy_struct((given), (bytes), sizeof(type), (known));                                                    \
    } while (0)

/* Copy the bytes that both sides know; the rest of `to` becomes 0. */
void rcity_copy_struct(const void *from, size_t from_bytes, size_t to_bytes, void *to);

/* rcity_NAME_init(): give defaults to a caller who knows `bytes` bytes of them. */
void rcity_give_defaults(const void *made, size_t made_bytes, size_t bytes, void *given);

#endif
