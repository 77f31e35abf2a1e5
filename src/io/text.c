/* Small text files, and the check whether a file can be written. */
#include <string.h>

#include "base/file.h"
#include "radiocity/io.h"

rcity_status rcity_text_save(rcity_context *context, const char *path, const char *text)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    RCITY_NEED(context, text);
    return rcity_file_save(context, path, text, strlen(text));
}

rcity_status rcity_output_check(rcity_context *context, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    rcity_new_file *file = NULL;
    RCITY_TRY(rcity_new_file_open(context, path, &file));
    rcity_new_file_discard(&file);
    return RCITY_OK;
}
