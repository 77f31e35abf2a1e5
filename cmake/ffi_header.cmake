# Writes radiocity_ffi.h, the public interface as plain declarations, for foreign-function interfaces that read C but no
# preprocessor: constants, enums, structs, exported functions. No macros beside numbers and texts, no inline functions.
#   cmake -DCOMPILER=cc -DINCLUDE=include -DWORK=folder -DOUTPUT=radiocity_ffi.h -P ffi_header.cmake
foreach(name stdbool stddef stdint) # their contents are not ours to repeat
    file(WRITE ${WORK}/${name}.h "")
endforeach()
# Without the marks of a compiler the declarations are bare.
set(command ${COMPILER} -E -std=c11 -nostdinc -U__GNUC__ -I${WORK} -I${INCLUDE})
execute_process(COMMAND ${command} -P -x c ${INCLUDE}/radiocity/radiocity.h OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${command} -dM -x c ${INCLUDE}/radiocity/radiocity.h OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[ \t]*static inline [^{]*{[^}]*}" "" text "${text}")
string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
string(REGEX REPLACE "\n\n+" "\n" text "${text}")
string(REGEX REPLACE "\n                    +" " " text "${text}") # declarations of many lines
string(REGEX REPLACE "\n ([a-z])" "\n\\1" text "${text}")
string(REGEX REPLACE "^\n" "" text "${text}")
string(REGEX MATCHALL "#define RCITY_[A-Z0-9_]+ (-?[0-9][^\n]*|\\(-[0-9.]+\\)|\"[^\n]*\")\n" constants "${macros}")
list(SORT constants)
string(REPLACE ";" "" constants "${constants}")
file(WRITE ${OUTPUT} "/* The interface of radiocity as plain declarations, for foreign-function interfaces. Made by the build from
   include/radiocity, where every sentence about it stands. A struct of options is made by its _init() with its size;
   functions ending in _sized take the size of the struct that follows. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

${constants}
${text}")
