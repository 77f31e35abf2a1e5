"""The commands of a page: lines of its blocks of shell that start with `radiocity`, continued lines joined.

    page_commands.py PAGE            one command a line
    page_commands.py --shown PAGE    what the page shows of output: its indented blocks, a line each, spaces squeezed
"""
import re
import sys


def blocks(text, indented):
    if indented:
        without_code = re.sub(r"```.*?```", "", text, flags=re.S)
        return re.findall(r"(?:^ {4}.*\n)+", without_code, flags=re.M)
    return re.findall(r"^```sh\n(.*?)^```", text, flags=re.M | re.S)


def main(words):
    is_shown = words[0] == "--shown"
    with open(words[-1]) as page:
        text = page.read()
    for block in blocks(text, is_shown):
        lines = block.replace("\\\n", " ").splitlines()
        for line in lines:
            line = " ".join(line.split())
            if is_shown or line.startswith("radiocity "):
                print(line)


main(sys.argv[1:])
