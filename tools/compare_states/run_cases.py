"""Runs the commands of cases.txt with one program and keeps what they write: FOLDER/CASE/ and FOLDER/logs/CASE.*.

A case is run again only when its command line, its inputs or a case it needs changed.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

from cases import read_cases, select
from renames import Renames

LIMIT_S = 600


def digest_of_files(folder):
    digest = hashlib.sha256()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            digest.update(name.encode() + b"\0" + file.read())
    return digest.hexdigest()


def find_opencl(program, environment):
    """The first usable OpenCL device, or None."""
    made = subprocess.run([program, "devices", "--json", "--quiet"], capture_output=True, env=environment, check=False)
    if made.returncode:
        return None
    devices = json.loads(made.stdout)["devices"]
    return next((d["id"] for d in devices if d["id"].startswith("opencl:") and d["is_usable"]), None)


class Runner:
    def __init__(self, arguments):
        self.program = os.path.abspath(arguments.program)
        self.folder = os.path.abspath(arguments.folder)
        self.fresh = arguments.fresh
        self.renames = Renames() if arguments.renamed else None
        self.inputs = os.path.relpath(arguments.inputs, os.path.join(self.folder, "case"))
        self.inputs_digest = digest_of_files(arguments.inputs)
        self.data = os.environ.get("RADIOCITY_DATA", "")
        self.logs = os.path.join(self.folder, "logs")
        os.makedirs(self.logs, exist_ok=True)
        cache = os.path.join(os.path.dirname(self.folder), "cache")
        # Kernels are compiled once for all cases and programs, which find them by their source; threads that wait leave the core
        # to the case beside them.
        self.environment = dict(os.environ, RADIOCITY_CACHE_DIR=os.path.join(cache, "programs"),
                                POCL_CACHE_DIR=os.path.join(cache, "pocl"), OMP_WAIT_POLICY="passive")
        os.makedirs(self.environment["POCL_CACHE_DIR"], exist_ok=True)
        self.opencl = find_opencl(self.program, self.environment)
        self.futures = {}

    def words_of(self, case):
        """The command line as it is run, or the reason why it cannot be."""
        words = list(case.words)
        if case.device == "opencl" and not self.opencl:
            return None, "no usable OpenCL device"
        if case.device:
            words += ["--device", self.opencl if case.device == "opencl" else case.device]
        if self.renames:
            words = self.renames.command(words, case.method())
        made = []
        for word in words:
            if "$DATA/" in word:
                path = word[word.index("$DATA/") + 6:].split(",")[0]
                if not self.data or not os.path.exists(os.path.join(self.data, path)):
                    return None, f"no {path} (set RADIOCITY_DATA to the folder of the real data)"
            word = word.replace("$DATA/", self.data + "/").replace("$INPUT/", self.inputs + "/")
            made.append("../" + word[1:] if word.startswith("@") else word)
        return made, None

    def run(self, case):
        """Run a case, or take what is kept. Returns its record."""
        needed = [self.futures[name].result() for name in case.needs]
        words, reason = self.words_of(case)
        skipped = next((record for record in needed if record["skipped"]), None)
        if skipped:
            reason = f"needs {skipped['name']}: {skipped['skipped']}"
        text = json.dumps([words, reason, self.inputs_digest, [record["digest"] for record in needed]])
        record = {"name": case.name, "digest": hashlib.sha256(text.encode()).hexdigest(), "command": words,
                  "skipped": reason, "status": None, "wall_s": 0.0, "is_kept": True}
        log = os.path.join(self.logs, case.name)
        if not self.fresh and os.path.exists(log + ".json"):
            with open(log + ".json", encoding="utf-8") as file:
                kept = json.load(file)
            if kept["digest"] == record["digest"]:
                return dict(kept, is_kept=True)
        if not reason:
            self.run_now(case, words, record, log)
        with open(log + ".json", "w", encoding="utf-8") as file:
            json.dump(dict(record, is_kept=False), file)
        return dict(record, is_kept=False)

    def run_now(self, case, words, record, log):
        final = os.path.join(self.folder, case.name)
        work = final + ".part"
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        start = time.monotonic()
        with open(log + ".stdout", "wb") as out, open(log + ".stderr", "wb") as errors:
            try:
                record["status"] = subprocess.run([self.program] + words, cwd=work, stdin=subprocess.DEVNULL, stdout=out,
                                                  stderr=errors, env=self.environment, timeout=LIMIT_S,
                                                  check=False).returncode
            except subprocess.TimeoutExpired:
                record["status"] = f"no end after {LIMIT_S} s"
        record["wall_s"] = round(time.monotonic() - start, 2)
        shutil.rmtree(final, ignore_errors=True)
        os.rename(work, final)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--renamed", action="store_true", help="the program has the new names of renames.txt")
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("inputs")
    arguments = parser.parse_args()
    runner = Runner(arguments)
    cases = select(read_cases(), arguments.only)
    start = time.monotonic()
    # Cases on OpenCL one after the other, beside the rest: no two compile the same kernel at once.
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs - 1)) as pool, \
            concurrent.futures.ThreadPoolExecutor(1) as opencl_pool:
        for case in cases:  # in order: what a case needs has begun before it
            chosen = opencl_pool if case.device == "opencl" and arguments.jobs > 1 else pool
            runner.futures[case.name] = chosen.submit(runner.run, case)
        records = [runner.futures[case.name].result() for case in cases]
    version = subprocess.run([runner.program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    with open(os.path.join(runner.logs, "version"), "w", encoding="utf-8") as file:
        file.write(version)
    ran = [record for record in records if not record["is_kept"] and not record["skipped"]]
    skipped = sum(1 for record in records if record["skipped"])
    print(f"{arguments.program}: {len(records)} cases, {len(ran)} run in {time.monotonic() - start:.0f} s, {skipped} skipped, "
          "the rest kept from before", file=sys.stderr)


if __name__ == "__main__":
    main()
