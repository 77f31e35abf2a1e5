#!/usr/bin/env python3
"""Geometry nobody builds: thousands of boxes on one place, overlapping, nested. The time of an import grows with what comes out,
within the power that is stated for each kind; a kind that is worse than linear says so here."""
import math

import abuse

random = abuse.seeded()
abuse.folder()


def write(path, boxes):
    with open(path, "w") as file:
        for i, (x0, y0, x1, y1, height) in enumerate(boxes):
            for a, b, c, d in ((x0, y0, x1, y0), (x1, y0, x1, y1), (x1, y1, x0, y1), (x0, y1, x0, y0)):
                file.write("%g %g %g %g %g %d 1 0\n" % (a, b, c, d, height, i + 1))


def same(count):
    return [(0, 0, 50, 50, 10)] * count


def overlapping(count):
    """As dense for any count."""
    side = 10.0 * math.sqrt(count)
    made = []
    for _ in range(count):
        x, y = random.uniform(0, side), random.uniform(0, side)
        made.append((x, y, x + random.uniform(5, 100), y + random.uniform(5, 100), random.uniform(5, 30)))
    return made


def nested(count):
    return [(i * 0.02, i * 0.02, 1000 - i * 0.02, 1000 - i * 0.02, 10 + i % 7) for i in range(count)]


# What the power of the count may be; every box of the nested ones has all others around it, which is compared with each.
KINDS = [("same", same, 1.5), ("overlapping", overlapping, 1.5), ("nested", nested, 2.3)]
for name, make, power in KINDS:
    times = []
    for count in (1000, 4000, 16000) if abuse.IS_LONG and name != "nested" else (1000, 4000):
        write("boxes.res", make(count))
        times.append(min(abuse.run("scene", "import", "boxes.res", "-o", "boxes.rcity", "--quiet").cpu_s for _ in range(2)))
    grown = math.log(times[-1] / max(times[0], 0.05)) / math.log(4 ** (len(times) - 1))
    print("%-12s %s s, power %.2f" % (name, " ".join("%.2f" % t for t in times), grown))
    abuse.expect("the import of %s boxes grows as stated" % name, grown <= power or abuse.IS_SANITIZED, times)
abuse.finish()
