"""Damage a compiled scene on purpose: damage_rcity.py FILE OUT ACT [VALUE]

flip OFFSET     turn one bit of the byte at OFFSET
version N       say that the scene has version N, with a right header checksum
layout N        the same for the version of the file layout
kind NAME       the same for what the file holds
truncate BYTES  keep the first BYTES bytes; a negative number leaves off that many
offsets         print offsets worth flipping: header, table, and three bytes of every block

The layout of the file stands at the top of src/store/store_layout.h.
"""
import struct
import sys
import zlib

HEADER_CRC = 52  # offset of the header's checksum, which covers the bytes before it


def offsets(data):
    block_count = struct.unpack_from("<I", data, 12)[0]
    found = [0, 9, 13, 17, 33, 37, 41, 49, HEADER_CRC, 64, 64 + 48 * block_count - 1]
    for i in range(block_count):
        _, offset, count, size = struct.unpack_from("<16sQQI", data, 64 + 48 * i)
        if count > 0:
            found += [offset, offset + count * size // 2, offset + count * size - 1]
    return sorted(set(found))


def main():
    path, out, act = sys.argv[1:4]
    data = bytearray(open(path, "rb").read())
    if act == "offsets":
        print(*offsets(data))
        return
    value = sys.argv[4]
    if act == "flip":
        data[int(value)] ^= 0x10
    elif act == "truncate":
        del data[int(value):]
    elif act == "version":
        struct.pack_into("<I", data, 32, int(value))
    elif act == "layout":
        struct.pack_into("<I", data, 8, int(value))
    elif act == "kind":
        struct.pack_into("16s", data, 16, value.encode())
    if act in ("version", "layout", "kind"):
        struct.pack_into("<I", data, HEADER_CRC, zlib.crc32(data[:HEADER_CRC]))
    open(out, "wb").write(data)


main()
