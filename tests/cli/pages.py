"""Pages of docs/tutorial do what they say.

In blocks ```console a line "$ command" is run, and what it prints has to be what follows; a line "..."
stands for any lines. Numbers may differ by a ten-thousandth, or both be tiny: pages are no golden outputs of
rounding errors. A block ```toml behind the words "Save this as `NAME`" is saved for the commands."""

import re
import sys
import tempfile

from harness import ROOT, Program, check, in_directory, results

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)
OTHER = re.compile(r"^<!-- program (\S+) -->$", re.M)
SAVED = re.compile(r"Save this as\s+`([\w.-]+)`:\s*\Z")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def commands(block):
    """Pairs of a command and the lines that it should print."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def alike(said, printed):
    """Two lines, up to blanks and small differences of numbers."""
    if NUMBER.sub("#", said).split() != NUMBER.sub("#", printed).split():
        return False
    pairs = zip(map(float, NUMBER.findall(said)), map(float, NUMBER.findall(printed)))
    return all(abs(a - b) <= 1e-4 * abs(a) or max(abs(a), abs(b)) < 1e-8 for a, b in pairs)


def all_alike(said, printed):
    return len(said) == len(printed) and all(map(alike, said, printed))


def matches(said, printed):
    """Do the lines fit, "..." being any of them?"""
    if "..." not in said:
        return all_alike(said, printed)
    first = said.index("...")
    if not all_alike(said[:first], printed[:first]):
        return False
    rest, lines = said[first + 1:], printed[first:]
    return not rest or any(matches(rest, lines[k:]) for k in range(len(lines)))


def run_block(program, directory, name, block):
    for command, said in commands(block):
        _, out, err = program.run(f"cd {directory} && {command}")
        check(f"{name}: {command}", matches(said, (out + err).splitlines()), out + err)


def pages(program, directory, other=None):
    """Those of the program, or those of another one, which they name."""
    runs = 0
    for page in sorted((ROOT / "docs/tutorial").glob("*.md")):
        text = page.read_text()
        named = OTHER.search(text)
        if (named and named.group(1)) != other:
            continue
        for match in BLOCK.finditer(text):
            kind, block = match.groups()
            saved = SAVED.search(text[:match.start()])
            if kind == "toml" and saved:
                with open(f"{directory}/{saved.group(1)}", "w") as file:
                    file.write(block)
            elif kind == "console":
                run_block(program, directory, page.name, block)
                runs += 1
    check("pages have commands", runs > 0)


SUITES = [in_directory(pages)]


def main():
    """pages.py PROGRAM DIRECTORY: pages that are about the program that is built in this directory."""
    with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryDirectory() as path:
        pages(Program(sys.argv[1], path), directory, sys.argv[2])
    print(f"{results['passed']} passed, {results['failed']} failed")
    return 1 if results["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
