"""The program at work in a terminal: its width, hints, a steady progress line, completion in shells."""

import re
import shlex
import shutil
import subprocess

from harness import check, has_terminals, in_directory

def longest(text):
    """Columns of the longest line of words: rows of tables, and words that cannot be broken, are as long as
    they have to be."""
    words = [line for line in text.splitlines() if "  " not in line.strip() and " " in line.strip()
             and not line.strip().startswith("[--")]
    return max(len(line) for line in words)


def widths(program):
    """Sentences and tables follow the terminal between 60 and 120 columns; files and pipes do not."""
    if not has_terminals():
        return
    for columns, most in ((40, 60), (60, 60), (100, 100), (120, 120), (200, 120), (0, 79)):
        seen = program.terminal("livens explain lobatto", columns=columns, NO_COLOR="1")
        check(f"{columns} columns: at most {most}", longest(seen) <= most, seen)
        check(f"{columns} columns: used", longest(seen) > most - 15, seen)
    code, out, _ = program.run("livens explain lobatto")
    check("a pipe has 79 columns", code == 0 and 64 < longest(out) <= 79)
    for command in ("livens check four-particles", "livens list schemes", "livens help model",
                    "livens reproduce kinon-livens --list", "livens run pendulum3d --until 0.1"):
        seen = program.terminal(command, columns=60, NO_COLOR="1")
        check(f"{command} in 60 columns", longest(seen) <= 60, seen)


def hints(program):
    """Notes and hints are wrapped and indented; the line with the place is not."""
    _, _, err = program.run("livens run pendulum3d --scheme gauss")
    lines = err.splitlines()
    at = [k for k, line in enumerate(lines) if line.startswith("   hint: ")]
    check("a hint", len(at) == 1, err)
    check("no hint beyond the width", all(len(line) <= 79 for line in lines[at[0]:]), err)
    check("its lines are indented", all(line.startswith(" " * 9) for line in lines[at[0] + 1:]), err)


def steady(program):
    """Nothing moves in the progress line but digits."""
    if not has_terminals():
        return
    seen = program.terminal("timeout --foreground -s INT 1.5 livens run four-particles --step 1e-8 --until 20", columns=79)
    bars = [bar for bar in seen.split("\r") if "% [" in bar]
    check("progress is drawn", len(bars) > 2, seen[-500:])
    places = {(bar.index("step"), bar.index("t ="), bar.index("left")) for bar in bars}
    check("numbers stay where they are", len(places) == 1, str(places))
    check("within the terminal", all(len(bar) < 79 for bar in bars))


def complete(program, words):
    """What bash offers for the last word."""
    script = ("source <(livens help --completion bash)\n"
              f"COMP_WORDS=({' '.join(repr(word) for word in words)})\n"
              f"COMP_CWORD={len(words) - 1}\n_livens\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"")
    return program.run(f"bash -c {shlex.quote(script)}")[1].split()


@in_directory
def completion(program, directory):
    """Scripts that the shells accept, and that offer what there is."""
    check("commands", "sweep" in complete(program, ["livens", "s"]))
    check("options", complete(program, ["livens", "run", "--quad"]) == ["--quadrature"])
    check("words of options",
          complete(program, ["livens", "run", "pendulum3d", "--quadrature", "r"]) == ["radau", "rectangle"])
    check("schemes", complete(program, ["livens", "run", "--scheme", "em"]) == ["em-g", "em"])
    check("models", "four-particles" in complete(program, ["livens", "check", "four"]))
    check("papers", complete(program, ["livens", "reproduce", "kn"]) == ["knoll2025"])
    check("lists", complete(program, ["livens", "list", "p"]) == ["parts"])
    check("numbers are not guessed", complete(program, ["livens", "run", "--step", ""]) == [])
    for shell, syntax in (("bash", "bash -n"), ("zsh", "zsh -n"), ("fish", "fish -n")):
        path = f"{directory}/{shell}"
        program.run(f"livens help --completion {shell} > {path}")
        if shutil.which(shell):
            result = subprocess.run([*syntax.split(), path], capture_output=True, text=True)
            check(f"{shell} accepts its completion", result.returncode == 0, result.stderr)
        else:
            print(f"no {shell} here: its completion is not tested")
        _, options, _ = program.run("livens help run")
        text = open(path, encoding="utf-8").read()
        names = re.findall(r"^  (?:-., )?--([a-z-]+)", options, re.M)
        check(f"{shell} has all options of run", len(names) > 20 and
              all(re.search(rf"(--|-l ){name}\b", text) for name in names))
    code, _, err = program.run("livens help --completion tcsh")
    check("no completion for tcsh", code == 2 and "bash, zsh or fish" in err, err)


def lists(program):
    """`livens list` says what can be listed, and every name it prints can be."""
    code, out, _ = program.run("livens list")
    names = [line.split()[0] for line in out.splitlines()]
    check("list lists", code == 0 and len(names) >= 4, out)
    for name in names:
        check(f"list {name}", program.run(f"livens list {name}")[0] == 0)


SUITES = (widths, hints, steady, completion, lists)
