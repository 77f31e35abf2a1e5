"""Read one JSON value `d` from a file of one line and try conditions on it: json_holds.py FILE CONDITION..."""
import json
import sys


def refuse(word):
    raise ValueError(f"{word} is not JSON")


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
if text.count("\n") != 1 or not text.endswith("\n"):
    sys.exit(f"expected one line, found {text.count(chr(10))}")
d = json.loads(text, parse_constant=refuse)
number = (int, float)
for condition in sys.argv[2:]:
    if not eval(condition, {"d": d, "number": number}):
        sys.exit(f"{condition} does not hold")
