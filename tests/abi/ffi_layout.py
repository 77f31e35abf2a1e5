"""Prints a C program that prints every size, offset and constant of radiocity_ffi.h: ffi_layout.py RADIOCITY_FFI_H"""
import sys

from ffi_header import Header

header = Header(sys.argv[1])
print("#include <stddef.h>\n#include <stdio.h>\n#include HEADER\nint main(void)\n{")
for name, fields in header.fields.items():
    print(f'    printf("{name} %zu\\n", sizeof({name}));')
    for field, _ in fields:
        print(f'    printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));')
for name in header.enums:
    print(f'    printf("{name} %d\\n", (int){name});')
for name, text in header.constants.items():
    print(f'    printf("{name} %s\\n", {name});' if text[0] == '"' else f'    printf("{name} %.17g\\n", (double){name});')
print("    return 0;\n}")
