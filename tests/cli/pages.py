"""Pages of docs/tutorial do what they say.

In blocks ```console a line "$ command" is run, and what it prints has to be what follows; a line "..."
stands for any lines. A block ```toml behind the words "Save this as `NAME`" is saved for the commands."""

import re

from harness import ROOT, check, in_directory

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)
SAVED = re.compile(r"Save this as\s+`([\w.-]+)`:\s*\Z")


def commands(block):
    """Pairs of a command and the lines that it should print."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def printed(expected):
    """A pattern for the lines, "..." being any of them."""
    return "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in expected)


def run_block(program, directory, name, block):
    for command, expected in commands(block):
        _, out, err = program.run(f"cd {directory} && {command}")
        check(f"{name}: {command}", re.fullmatch(printed(expected), out + err), out + err)


def pages(program, directory):
    runs = 0
    for page in sorted((ROOT / "docs/tutorial").glob("*.md")):
        text = page.read_text()
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
