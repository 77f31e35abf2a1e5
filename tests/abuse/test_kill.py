#!/usr/bin/env python3
"""Runs with four files over older ones, killed with SIGKILL at random moments, most of them while files are written: all files
are new or all are old, and what a dead run left hidden is removed by the next one, even if that writes something else. What a
living run has hidden stays."""
import os
import signal
import time

import abuse

if not (abuse.WITH_GDAL and abuse.WITH_CAIRO):
    abuse.skip("this build has no GDAL or no Cairo")
random = abuse.seeded()
abuse.folder()
abuse.make_city("city.rcity", 1)
PREDICT = ["predict", "--scene", "city.rcity", "--tx", "500,500,40", "--frequency-mhz", "2100", "--eirp-dbm", "50", "--device", "host", "--cell", "1",
           "--quiet", "-o", "map.tif", "--png", "map.png", "--geojson", "map.geojson", "--thresholds", "-80,-90"]
FILES = ["map.tif", "map.qml", "map.png", "map.geojson"]


def write_old():
    for path in FILES:
        with open(path, "w") as file:
            file.write("old")


def count_new():
    return sum(1 for path in FILES if not os.path.exists(path) or open(path, "rb").read() != b"old")


write_old()
whole = abuse.run(*PREDICT)
abuse.expect("an undisturbed run writes all", whole.status == 0 and count_new() == len(FILES) and not abuse.leftovers(), whole, abuse.leftovers())
length_s = whole.seconds
left_count = 0
for i in range(300 if abuse.IS_LONG else 12):
    write_old()
    started = abuse.start(*PREDICT)
    time.sleep(length_s * random.uniform(0.3, 1.05))
    abuse.send(started, signal.SIGKILL)
    ended = abuse.ended(started)
    new = count_new()
    abuse.expect("killed: all files are new or all are old", new in (0, len(FILES)), ended, new)
    left_count += len(abuse.leftovers())
    if abuse.leftovers():
        other = abuse.run("scene", "make", "--area-km2", "0.1", "-o", "other.rcity", "--quiet")
        abuse.expect("the next run removes what is left", other.status == 0 and not abuse.leftovers(), other, abuse.leftovers())
print("hidden files that killed runs left: %d" % left_count)

# A run that lives, though stopped, keeps its files while others end in the same folder.
write_old()
started = abuse.start(*PREDICT)
limit = time.monotonic() + 60
while not abuse.leftovers() and started.poll() is None and time.monotonic() < limit:
    time.sleep(0.001)
abuse.send(started, signal.SIGSTOP)
before = abuse.leftovers()
abuse.run("scene", "make", "--area-km2", "0.1", "-o", "other.rcity", "--quiet")
abuse.expect("files of a living run stay", before and abuse.leftovers() == before, before, abuse.leftovers())
abuse.send(started, signal.SIGCONT)
ended = abuse.ended(started)
abuse.expect("and the living run ends well", ended.status == 0 and count_new() == len(FILES) and not abuse.leftovers(), ended, abuse.leftovers())

# Names that only look like ours are nobody's business.
foreign = [".map.tif.part-1", ".map.tif.radiocity-part-x-1", ".map.tif.radiocity-part-1", "map.tif.radiocity-part-999999-1"]
for path in foreign:
    open(path, "w").close()
abuse.run("scene", "make", "--area-km2", "0.1", "-o", "other.rcity", "--quiet")
abuse.expect("files of others stay", all(os.path.exists(path) for path in foreign))
for path in foreign:
    os.unlink(path)

# A file that cannot be put in its place in the last step: nothing changes.
write_old()
started = abuse.start(*PREDICT)
time.sleep(0.05)
os.unlink("map.png")
os.mkdir("map.png")
ended = abuse.ended(started)
os.rmdir("map.png")
FILES.remove("map.png")
abuse.expect("a step that fails restores all", ended.status in (2, 4) and count_new() == 0 and not abuse.leftovers(), ended, abuse.leftovers())

# Who took away the right to write wants to keep a file.
write_old()
os.chmod("map.tif", 0o444)
kept = abuse.run(*PREDICT)
abuse.expect("a read-only file is not replaced", kept.status == 4 and "read-only" in kept.err and count_new() == 0, kept)
abuse.finish()
