/** @file status.h  The status that every function that can fail returns, and the macros of public declarations. */
#ifndef RADIOCITY_STATUS_H
#define RADIOCITY_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RCITY_API        __attribute__((visibility("default")))
#define RCITY_MUST_CHECK __attribute__((warn_unused_result))
#else
#define RCITY_API
#define RCITY_MUST_CHECK
#endif

/** Structs may grow in later versions of the library, and programs built against an older version keep running
 *  (docs/adr/0027). A struct of options starts with its size. rcity_NAME_default() sets it to the size that the program
 *  was compiled with, by calling rcity_NAME_init(). Functions NAME_sized() take the size of a struct before it; NAME()
 *  calls them with the size that the program was compiled with. */
#define RCITY_DEFAULT_OF(type)                                                                                         \
    static inline type type##_default(void)                                                                            \
    {                                                                                                                  \
        type made;                                                                                                     \
        type##_init(&made, sizeof made);                                                                               \
        return made;                                                                                                   \
    }

/** Every status in one list: name, value, sentence. */
#define RCITY_STATUS_LIST(X)                                                                                           \
    X(RCITY_OK, 0, "success")                                                                                          \
    X(RCITY_ERR_ARGUMENT, -1, "an argument is outside its range")                                                      \
    X(RCITY_ERR_MEMORY, -2, "out of memory")                                                                           \
    X(RCITY_ERR_FILE, -3, "a file cannot be read or written")                                                          \
    X(RCITY_ERR_FORMAT, -4, "a file does not follow its format")                                                       \
    X(RCITY_ERR_NO_DEVICE, -5, "no usable device")                                                                     \
    X(RCITY_ERR_UNSUPPORTED, -6, "not offered by this build or device")                                                \
    X(RCITY_ERR_STATE, -7, "called in the wrong order")                                                                \
    X(RCITY_ERR_GEOMETRY, -8, "a shape in the scene is not valid")                                                     \
    X(RCITY_ERR_CANCELLED, -9, "stopped by the caller")

typedef enum rcity_status {
#define RCITY_STATUS_ENUM(name, value, text) name = (value),
    RCITY_STATUS_LIST(RCITY_STATUS_ENUM)
#undef RCITY_STATUS_ENUM
} rcity_status;

/** Name of a status, such as "RCITY_ERR_FILE"; never NULL. */
RCITY_API const char *rcity_status_name(rcity_status status);

/** One general sentence for a status; rcity_context_message() gives the message with values. Never NULL. */
RCITY_API const char *rcity_status_text(rcity_status status);

#ifdef __cplusplus
}
#endif

#endif
