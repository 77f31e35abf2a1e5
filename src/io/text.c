/* Small text files. */
#include <string.h>

#include "base/file.h"
#include "radiocity/io.h"

rcity_status rcity_text_save(rcity_context *context, const char *path, const char *text)
{
    return rcity_file_save(context, path, text, strlen(text));
}
