#!/usr/bin/env python3
"""One allocation fails while a picture is drawn, in whichever library: the run ends well or in a sentence, never by a signal, and
leaves nothing behind. Names with control characters and HTML come out as text."""
import csv
import os
import re
import signal
import zipfile

import abuse

random = abuse.seeded()
abuse.folder()
abuse.make_city("city.rcity", 0.1)
LIBRARY = os.path.join(os.environ.get("RADIOCITY_BUILD", "build/release"), "tests", "libfail_malloc.so")
DRAW = ["scene", "draw", "city.rcity", "-o", "city.png", "--width", "400", "--quiet", "--threads", "1"]
if abuse.WITH_CAIRO and os.path.exists(LIBRARY) and not abuse.IS_SANITIZED:
    environment = dict(os.environ, LD_PRELOAD=LIBRARY, FAIL_COUNT=os.path.abspath("count.txt"))
    abuse.run(*DRAW, env=environment)
    count = int(open("count.txt").read())
    for i in range(2000 if abuse.IS_LONG else 40):
        at = random.randrange(1, count + 1)
        started = abuse.start(*DRAW, env=dict(os.environ, LD_PRELOAD=LIBRARY, FAIL_AT=str(at)))
        ended = abuse.ended(started, 30)
        abuse.expect("an allocation that fails ends well or in a sentence", ended.status == 0 or (ended.status in (1, 3, 4, 5, 7) and
                     "radiocity: " in ended.err), at, ended)
        abuse.expect("and leaves nothing hidden", not abuse.leftovers(), at, abuse.leftovers())

EVIL = "A\x1b[31m\x07\u009b31m<b onclick=x>&\"'"
with open("sites.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["name", "x", "y", "height_m", "frequency_mhz", "eirp_dbm"])
    table.writerow([EVIL, 150, 150, 40, 900, 50])
with open("points.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["name", "x", "y"])
    table.writerow([EVIL, 100, 100])
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f]")
runs = [["predict", "--scene", "city.rcity", "--sites", "sites.csv", "--method", "free-space", "--device", "host", "--cell", "20", "--png", "map.png"],
        ["predict", "--scene", "city.rcity", "--tx", "150,150,40", "--frequency-mhz", "900", "--points", "points.csv", "--method", "free-space", "--device", "host",
         "-o", "points_out.csv"]]
for words in runs:
    ended = abuse.run(*words)
    abuse.expect("names do not control the terminal", not CONTROL.search(ended.out + ended.err), words, repr(ended.out + ended.err)[-400:])
    for path in ("points_out.csv",):
        if os.path.exists(path):
            abuse.expect("names do not control it from tables", not CONTROL.search(open(path).read()), open(path).read()[-300:])
abuse.finish()
