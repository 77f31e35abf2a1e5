/* Naming a file from the folder of another. */
#ifndef RCITY_IO_EXPORT_RELATIVE_PATH_H
#define RCITY_IO_EXPORT_RELATIVE_PATH_H

#include <stdbool.h>

#define RCITY_RELATIVE_PATH_BYTES 8192

/* The path of `target` as seen from the folder in which the file `from` lies or will lie, such as "../patterns/a.msi";
   an absolute `target` is kept. @return false where one of them is not there. */
bool rcity_relative_path(const char *from, const char *target, char path[RCITY_RELATIVE_PATH_BYTES]);

#endif
