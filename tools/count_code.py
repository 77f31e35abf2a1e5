#!/usr/bin/env python3
"""Prints the size of a checkout: files, lines, long functions, private headers that tests include, tests and their names.

  tools/count_code.py [ROOT] [--long]   ROOT: a git checkout, this one unless given; --long names the long functions
"""
import argparse
import os
import re
import subprocess

FOLDERS = ("src", "include", "cli", "bench", "tests")
LONGEST = 60  # lines of a function, from its first line to its closing brace


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def functions(text):
    """(first line, name, lines) of each function. clang-format puts the braces of functions, and only theirs, at column 0."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line != "{":
            continue
        first = number
        while first > 0 and re.match(r"(?! \*)[\w ]", lines[first - 1]):
            first -= 1
        last = next((i for i in range(number, len(lines)) if lines[i].startswith("}")), number)
        name = re.search(r"(\w+)\(", " ".join(lines[first:number]))
        yield first + 1, name[1] if name else "?", last - first + 1


def is_private(include, test_headers):
    return not include.startswith("radiocity/") and os.path.basename(include) not in test_headers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    tracked = subprocess.run(["git", "-C", arguments.root, "ls-files", "-z"], capture_output=True, text=True,
                             check=True).stdout.split("\0")
    files = [path for path in tracked if path and os.path.isfile(os.path.join(arguments.root, path))]
    code = {path: read(arguments.root, path) for path in files
            if path.endswith((".c", ".h", ".cl")) and path.split("/")[0] in FOLDERS}
    print(f"tracked files                        {len(files):7}")

    for folder in FOLDERS:
        of_folder = [text for path, text in code.items() if path.startswith(folder + "/")]
        print(f"lines of C in {folder + '/':<22} {sum(text.count(chr(10)) for text in of_folder):7}  in {len(of_folder)} files")
    print(f"lines of C in all of them            {sum(text.count(chr(10)) for text in code.values()):7}  in {len(code)} files")

    long = [(path, *function) for path, text in code.items() for function in functions(text) if function[2] > LONGEST]
    of_tests = sum(1 for path, *_ in long if path.startswith("tests/"))
    print(f"functions over {LONGEST} lines              {len(long):7}  {of_tests} of them in tests")
    if arguments.long:
        for path, line, name, count in long:
            print(f"    {path}:{line}: {name}, {count} lines")

    tests = {path: text for path, text in code.items() if path.startswith("tests/")}
    headers = {os.path.basename(path) for path in tests if path.endswith(".h")}
    private = {path: [name for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.M) if is_private(name, headers)]
               for path, text in tests.items()}
    print(f"includes of private headers in tests {sum(len(names) for names in private.values()):7}  "
          f"in {sum(1 for names in private.values() if names)} files")

    names = [name for text in tests.values() for name in re.findall(r"cmocka_unit_test\w*\(\s*(\w+)", text)]
    one_word = [name for name in names if "_" not in name.removeprefix("test_")]
    print(f"test cases                           {len(names):7}  {len(one_word)} with a name of one word")
    programs = [path for path, text in tests.items() if re.search(r"^int main\(", text, re.M)]
    fuzzers = [path for path, text in tests.items() if "int LLVMFuzzerTestOneInput(" in text]
    scripts = [path for path in files if path.startswith("tests/cli/test_") and path.endswith(".sh")]
    print(f"sources with a main in tests         {len(programs):7}  and {len(fuzzers)} fuzzers, {len(scripts)} scripts of tests/cli")


if __name__ == "__main__":
    main()
