#!/usr/bin/env python3
"""Scenes that are replaced in place, as by cp, while others read them: every reader ends well or with a sentence and a status of
the documentation, never by a signal."""
import os
import threading
import time

import abuse

random = abuse.seeded()
abuse.folder()
abuse.make_city("a.rcity", 1)
abuse.make_city("b.rcity", 4, seed=3)
small, large = open("a.rcity", "rb").read(), open("b.rcity", "rb").read()
is_over = False


def write_in_place(path, contents):
    while not is_over:
        for bytes_ in contents:
            with open(path, "wb") as file:  # truncates, as cp does
                for first in range(0, len(bytes_), 65536):
                    file.write(bytes_[first:first + 65536])
            time.sleep(random.uniform(0.0, 0.01))


def read(path, count, *words):
    for _ in range(count):
        ended = abuse.run(*words, "--quiet")
        abuse.expect("readers end well or in a sentence", ended.status in (0, 2, 4, 5) and (ended.status == 0 or ended.err.startswith("radiocity: ")),
                     path, ended)


writer = threading.Thread(target=write_in_place, args=("s.rcity", [small, large]))
writer.start()
time.sleep(0.1)
read("s.rcity", 400 if abuse.IS_LONG else 60, "scene", "info", "s.rcity")
is_over = True
writer.join()

if abuse.IS_LONG:  # above 64 MiB files are mapped
    hills = abuse.run("scene", "make", "--kind", "hills", "--area-km2", "2500", "--terrain-cell-m", "20", "-o", "h.rcity", "--quiet")
    abuse.expect("a large scene is made", hills.status == 0 and os.path.getsize("h.rcity") > 2**26, hills)
    is_over = False
    whole = open("h.rcity", "rb").read()
    writer = threading.Thread(target=write_in_place, args=("h.rcity", [whole[:len(whole) // 3], whole]))
    writer.start()
    read("h.rcity", 60, "scene", "info", "h.rcity")
    is_over = True
    writer.join()
abuse.finish()
