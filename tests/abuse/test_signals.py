#!/usr/bin/env python3
"""Signals at random moments, to every command that works for a while: the program ends in half a second, with the status that
is documented; files are those of before, and nothing hidden is left. What was ignored at the start stays ignored; signals that
end a process do, with drivers in it that take signals over."""
import os
import shutil
import signal
import subprocess
import time

import abuse

STOP_S = 0.5
random = abuse.seeded()
abuse.folder()
AREA_KM2 = 36 if abuse.IS_LONG else 4 if abuse.IS_SANITIZED else 16
abuse.make_city("city.rcity", AREA_KM2)
abuse.make_city("small.rcity", 1)
SIDE_M = int(1000 * AREA_KM2**0.5)
TX = ["--tx", "%d,%d,40" % (SIDE_M // 2, SIDE_M // 2), "--frequency-mhz", "2100"]
HOST = ["--device", "host"]
OUTPUTS = ["map.tif", "map.png", "city.gpkg", "new.rcity", "rays.csv"]


def commands():
    """Commands that take seconds, and the file each would write."""
    city = ["predict", "--scene", "city.rcity", *TX, *HOST]
    made = [("scene make", ["scene", "make", "--area-km2", "100", "-o", "new.rcity"])]
    if not abuse.WITH_GDAL:
        return made
    export = abuse.run("scene", "export", "city.rcity", "-o", "buildings.gpkg")
    abuse.expect("export for the import", export.status == 0, export)
    made += [("scene export", ["scene", "export", "city.rcity", "-o", "city.gpkg"]),
             ("scene import", ["scene", "import", "buildings.gpkg", "--crs", "none", "-o", "new.rcity"]),
             ("shadow", [*city, "--cell", "1", "-o", "map.tif"]),
             ("shadow by default", [*city, "--cell", "5", "-o", "map.tif"]),
             ("free-space in sight", [*city, "--method", "free-space", "--line-of-sight", "exact", "--cell", "1", "-o", "map.tif"]),
             ("walfisch-ikegami", [*city, "--method", "walfisch-ikegami", "--extrapolate", "--cell", "1", "-o", "map.tif"]),
             ("images", ["predict", "--scene", "small.rcity", "--tx", "500,500,15", "--frequency-mhz", "2100", *HOST, "--method", "images",
                         "--max-reflections", "4", "-o", "map.tif"]),
             ("beams", ["predict", "--scene", "small.rcity", "--tx", "500,500,15", "--frequency-mhz", "2100", *HOST, "--method", "beams",
                        "--max-reflections", "6", "-o", "map.tif"]),
             ("tiles", ["predict", "--scene", "small.rcity", "--tx", "500,500,15", "--frequency-mhz", "2100", *HOST, "--method", "tiles",
                        "--cell", "2", "-o", "map.tif"])]
    if abuse.WITH_CAIRO:
        made.append(("scene draw", ["scene", "draw", "city.rcity", "-o", "map.png", "--width", "4000"]))
    return made


def stop(name, words, number):
    for path in OUTPUTS:
        with open(path, "w") as file:
            file.write("old")
    started = abuse.start(*words, "--quiet")
    time.sleep(random.uniform(0.05, 1.5 if not abuse.IS_SANITIZED else 4.0))
    if started.poll() is not None:
        started.begin_s = time.monotonic()
        return
    sent_s = time.monotonic()
    abuse.send(started, number)
    ended = abuse.ended(started)
    took_s = time.monotonic() - sent_s
    what = "%s: %s after %.2f s" % (name, number.name, took_s)
    if ended.status == 0:
        return  # it had ended before, but for the report
    abuse.expect("ends with status 9", ended.status == 9 or (ended.status == -number and sent_s - started.begin_s < 0.2), what, ended)
    abuse.expect("ends in half a second", took_s <= STOP_S or abuse.IS_SANITIZED, what, ended)
    changed = [path for path in OUTPUTS if open(path, "rb").read() != b"old"]
    abuse.expect("leaves the old files", not changed, what, changed)
    abuse.expect("leaves nothing hidden", not abuse.leftovers(), what, abuse.leftovers())
    for path in abuse.leftovers():
        os.unlink(path)


def twice():
    """A second Ctrl-C ends the program by that signal, and keeps the promise too."""
    if not abuse.WITH_GDAL:
        return
    with open("map.tif", "w") as file:
        file.write("old")
    started = abuse.start("predict", "--scene", "city.rcity", *TX, *HOST, "--cell", "1", "-o", "map.tif", "--quiet")
    time.sleep(0.6)
    abuse.send(started, signal.SIGINT)
    time.sleep(0.15)
    abuse.send(started, signal.SIGINT)
    ended = abuse.ended(started)
    abuse.expect("a second Ctrl-C ends at once", ended.status in (-signal.SIGINT, 9), ended)
    abuse.expect("a second Ctrl-C leaves the old file", open("map.tif").read() == "old" and not abuse.leftovers(), abuse.leftovers())


def ignored(number):
    """nohup, and jobs in the background of a script."""
    started = subprocess.Popen([abuse.PROGRAM, "predict", "--overwrite", "--scene", "small.rcity", "--tx", "500,500,40", "--frequency-mhz", "2100", *HOST,
                                "--cell", "1", "--png" if abuse.WITH_CAIRO else "-o", "map.png" if abuse.WITH_CAIRO else "map.tif", "--quiet"],
                               preexec_fn=lambda: signal.signal(number, signal.SIG_IGN), stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    time.sleep(0.2)
    abuse.send(started, number)
    errors = started.communicate()[1]
    abuse.expect("a signal that was ignored stays ignored", started.returncode == 0, number.name, started.returncode, errors)


def fatal(number, device):
    started = abuse.start("predict", "--scene", "city.rcity", *TX, "--device", device, "--cell", "2", "--png", "map.png", "--quiet")
    time.sleep(1.5 if device != "host" else 0.4)
    sent_s = time.monotonic()
    abuse.send(started, number)
    ended = abuse.ended(started, 60)
    took_s = time.monotonic() - sent_s
    abuse.expect("signals that end a process end this one", ended.status == -number, device, number.name, ended)
    abuse.expect("and at once, leaving nothing", (took_s < STOP_S or abuse.IS_SANITIZED) and not abuse.leftovers(), device, number.name, took_s)


for name, words in commands():
    for i in range(12 if abuse.IS_LONG else 1):
        stop(name, words, random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
twice()
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    ignored(number)
devices = ["host"]
listed = abuse.run("devices", "--json", "--quiet").out
if '"opencl:0"' in listed and not abuse.IS_SANITIZED:
    devices.append("opencl:0")
for device in devices:
    for number in (signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE):
        if abuse.WITH_CAIRO:
            fatal(number, device)
abuse.finish()
