"""What the programs of tests/abuse share: the program under test, a folder of its own, counted tries, timed runs."""
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["RADIOCITY"]
IS_LONG = "long" in sys.argv[1:]
# Sanitizers slow everything down, the end of the process included: times are not held there.
IS_SANITIZED = os.environ.get("RADIOCITY_SANITIZE", "") != ""
WITH_GDAL = os.environ.get("RADIOCITY_WITH_GDAL", "1") == "1"
WITH_CAIRO = os.environ.get("RADIOCITY_WITH_CAIRO", "1") == "1"

_tries = {}
_failures = []


def folder():
    """A folder that goes when the program ends; it becomes the current one."""
    made = tempfile.mkdtemp(prefix="radiocity-abuse-")
    os.chdir(made)
    import atexit

    atexit.register(shutil.rmtree, made, True)
    return made


def skip(reason):
    print("SKIPPED:", reason)
    sys.exit(77)


def seeded():
    """A generator of random numbers from a printed seed; --seed=N repeats a run."""
    seed = next((int(a[7:]) for a in sys.argv if a.startswith("--seed=")), random.SystemRandom().randrange(10**6))
    print("seed", seed)
    return random.Random(seed)


def run(*words, **more):
    """Run the program to its end. Gives status, seconds, stdout, stderr, and the peak of its memory in bytes."""
    return ended(start(*words, **more))


def start(*words, program=None, limits=None, **more):
    """Start the program, with signals as a terminal's shell would. Its older files may be replaced."""
    if not program and "--overwrite" not in words:
        words = (*words, "--overwrite")

    def prepare():
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        if limits:
            limits()

    started = subprocess.Popen([program or PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=open(".stdout.txt", "w+b"),
                               stderr=open(".stderr.txt", "w+b"), preexec_fn=prepare, **more)
    started.begin_s = time.monotonic()
    return started


class Ended:
    def __init__(self, started, status, usage):
        self.status = status
        self.seconds = time.monotonic() - started.begin_s
        self.peak_bytes = usage.ru_maxrss * 1024
        self.cpu_s = usage.ru_utime + usage.ru_stime
        with open(".stdout.txt", "rb") as file:
            self.out = file.read().decode(errors="replace")
        with open(".stderr.txt", "rb") as file:
            self.err = file.read().decode(errors="replace")

    def __repr__(self):
        return "status %d after %.2f s, stderr: %s" % (self.status, self.seconds, self.err[-300:])


def ended(started, timeout_s=600):
    limit = time.monotonic() + timeout_s
    while started.returncode is None:
        pid, status, usage = os.wait4(started.pid, os.WNOHANG)
        if pid:
            started.returncode = os.waitstatus_to_exitcode(status)
            return Ended(started, started.returncode, usage)
        if time.monotonic() > limit:
            started.kill()
        time.sleep(0.002)
    return Ended(started, started.returncode, resource.getrusage(resource.RUSAGE_SELF))


def send(started, number):
    """Unlike send_signal() this does not take the status of a process that has ended."""
    os.kill(started.pid, number)


def expect(kind, is_met, *why):
    """Count one try of a kind; what does not hold is printed."""
    _tries.setdefault(kind, [0, 0])
    _tries[kind][0] += 1
    if not is_met:
        _tries[kind][1] += 1
        _failures.append(kind)
        print("FAILED: %s:" % kind, *why)


def leftovers():
    """Hidden files in the folder, but for those of the runs above."""
    return sorted(name for name in os.listdir(".") if name.startswith(".") and name not in (".stdout.txt", ".stderr.txt"))


def finish():
    for kind, (tries, failures) in _tries.items():
        print("%-60s %5d tries %5d failures" % (kind, tries, failures))
    sys.exit(1 if _failures or not _tries else 0)


def make_city(path, area_km2, kind="core", seed=7):
    made = run("scene", "make", "--kind", kind, "--area-km2", area_km2, "--seed", seed, "-o", path, "--quiet")
    if made.status != 0:
        print("cannot make the scene:", made)
        sys.exit(1)
