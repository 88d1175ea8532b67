#!/usr/bin/env python3
"""Runs the program on the cases in cases/ and checks properties that all its output has.

    run.py PROGRAM [--update]

A case is a file: a shell command that calls `livens`, the exit code, and what is printed.

    $ livens check typo.toml
    --- exit 1
    --- stdout
    --- stderr
    typo.toml:5:1: error: ...

Commands run in fixtures/. The version in the output is written as VERSION, what the clock says as
CLOCK. --update writes the expectations anew: read the differences before you believe them.
"""

import json
import math
import re
import shutil
import sys
import tempfile

import certificates
import events
import formats
import joins
import mechanisms
import pages
import reports
import runs
import shells
import signals
import studies
import sweeps
from harness import (HERE, ROOT, Program, check, flatten, has_terminals, parse_json, results,
                     within_width)

COMMANDS = ["run", "resume", "sweep", "check", "verify", "reproduce", "list", "explain", "show", "help"]
TOPICS = ["model", "functions", "schemes", "commands"]

# ---- golden outputs


def read_case(path):
    """Command and expected (code, stdout, stderr)."""
    text = path.read_text()
    match = re.fullmatch(r"\$ (.*?)\n(?:--- exit (\d+)\n--- stdout\n(.*?)--- stderr\n(.*))?",
                         text, re.S)
    if not match:
        raise SystemExit(f"{path}: not a case")
    command, code, out, err = match.groups()
    return command, (int(code or 0), out or "", err or "")


def write_case(path, command, result):
    code, out, err = result
    path.write_text(f"$ {command}\n--- exit {code}\n--- stdout\n{out}--- stderr\n{err}")


def neutral(text, version):
    """The output without what differs from call to call."""
    text = text.replace(version, "VERSION")
    text = re.sub(r"(wall time +)\S.*", r"\1CLOCK", text)
    return re.sub(r'("seconds": )[^,\n]*', r"\1CLOCK", text)


def golden(program, update):
    for path in sorted((HERE / "cases").glob("*.txt")):
        command, expected = read_case(path)
        code, out, err = program.run(command)
        got = (code, neutral(out, program.version), neutral(err, program.version))
        if update:
            write_case(path, command, got)
        elif got == expected:
            check(path.stem, True)
        else:
            check(path.stem, False, f"$ {command}\nexpected {expected[0]}\n"
                  f"{expected[1]}{expected[2]}got {got[0]}\n{got[1]}{got[2]}")


# ---- properties


def check_object(name, report):
    """The object of `livens check --json` agrees with itself."""
    numbers = sum(g["count"] * max(1, g["length"]) for g in report["groups"])
    check(f"{name}: groups", numbers == report["coordinates"])
    for key in ("q", "v"):
        state = report["start"][key]
        flat = flatten(state.values())
        check(f"{name}: start.{key}", list(state) == [g["name"] for g in report["groups"]]
              and len(flat) == numbers)
        check(f"{name}: finite", all(map(math.isfinite, flat)))
    constraints = report["constraints"]
    check(f"{name}: rank",
          constraints["rank"] <= constraints["holonomic"] + constraints["nonholonomic"])
    check(f"{name}: freedom", report["freedom"] == report["coordinates"] - constraints["rank"])
    momenta = {m["name"] for m in report["momentum"]}
    check(f"{name}: schemes", all(set(s["momentum_inexact"]) <= momenta
                                  for s in report["schemes"]))
    energy = report["energy"]
    check(f"{name}: energy", energy["lagrangian"] or math.isclose(
        energy["initial"], energy["kinetic"] + energy["potential"], abs_tol=1e-12))


def shipped_models(program):
    code, out, _ = program.run("livens list models --json")
    listed = parse_json("list models --json", out)
    check("list models", code == 0 and listed["status"] == "ok")
    files = {path.stem: path for path in (ROOT / "models").glob("*.toml")}
    check("all models are listed", {m["name"] for m in listed["models"]} == set(files))
    for model in listed["models"]:
        name = model["name"]
        code, out, err = program.run(f"livens check {name}")
        check(f"check {name}", code == 0 and err == "", err)
        within_width(f"check {name}", out)
        code, out, err = program.run(f"livens check {name} --json")
        report = parse_json(f"check {name} --json", out)
        if report:
            check(f"{name}: status", code == 0 and err == "" and report["status"] == "ok")
            check(f"{name}: title", report["model"] == model["title"] != "")
            check_object(name, report)
        code, out, _ = program.run(f"livens show {name}")
        check(f"show {name}", code == 0 and out == files[name].read_text())
        _, piped, _ = program.run(f"livens show {name} | livens check - --json")
        check(f"{name} from a pipe", {**json.loads(piped), "file": name} == report)


def schemes(program):
    """Every scheme is listed and explained."""
    _, table, _ = program.run("livens list schemes")
    within_width("list schemes", table)
    listed = parse_json("list schemes --json", program.run("livens list schemes --json")[1])
    for scheme in listed["schemes"]:
        name = scheme["name"]
        code, page, err = program.run(f"livens explain {name}")
        check(f"explain {name}", code == 0 and err == "" and page.startswith(name))
        within_width(f"explain {name}", page)
        check(f"{name} in the table", re.search(rf"^  {re.escape(name)} ", table, re.M))
        equations(program, scheme)
        stages = scheme["stages"]
        check(f"{name}: stages", stages["least"] <= stages["default"] <= stages["most"])
        check(f"{name}: options", ("stages" in scheme["options"]) == (stages["least"] < stages["most"])
              and ("compose" in scheme["options"]) == scheme["composable"])


def equations(program, scheme):
    """A scheme as equations, also with the most stages, and what follows for a model that it takes."""
    name, stages = scheme["name"], scheme["stages"]
    model = "steady-top" if name == "bs99" else "torus" if scheme["holonomic"] else "kepler"
    lines = [f"livens explain {name} --equations", f"livens explain {name} --equations --model {model}"]
    if "stages" in scheme["options"]:
        lines.append(f"{lines[1]} --stages {min(stages['most'], 6)}")
        lines.append(f"{lines[0]} --stages {stages['most']}")
    for line in lines:
        code, page, err = program.run(line)
        check(line, code == 0 and err == "" and page.startswith(f"{name}: the equations"), err)
        within_width(line, page)
        check(f"{line}: solved", "--model" not in line or "what follows for" in page, page)
    _, reference, _ = program.run("livens help schemes")
    _, page, _ = program.run(lines[0])
    check(f"{name}: equations in the reference", page.splitlines()[2] in reference)


def parts(program):
    """Every part is listed and explained with all its keys, by its section and by what one is
    called; so are the other sections."""
    _, table, _ = program.run("livens list parts")
    within_width("list parts", table)
    _, model, _ = program.run("livens help model")
    listed = parse_json("list parts --json", program.run("livens list parts --json")[1])["parts"]
    check("there are parts", {"particles", "springs", "rods"} <= {p["name"] for p in listed})
    for part in listed:
        name = part["name"]
        code, page, err = program.run(f"livens explain {name}")
        check(f"explain {name}", code == 0 and err == "" and page.startswith(f"[{name}]"), err)
        check(f"explain {part['one']}", program.run(f"livens explain {part['one']}")[1] == page)
        within_width(f"explain {name}", page)
        check(f"{name} in the table", re.search(rf"^{re.escape(name)} ", table, re.M))
        for key in part["keys"]:
            check(f"{name}: {key['name']}", re.search(rf"^  {key['name']} ", page, re.M))
        check(f"{name}: example", all(f"    {line}" in page for line in
                                      part["example"].splitlines()), page)
    for word in ("revolute", "spherical", "prismatic", "point_on_plane", "box", "disc", "quadratic"):
        code, page, err = program.run(f"livens explain {word}")
        check(f"explain {word}", code == 0 and err == "" and page.startswith(f"{word}, a "), err)
        within_width(f"explain {word}", page)
    for name in re.findall(r"^\[(\w+)\]", model, re.M):
        code, page, err = program.run(f"livens explain {name}")
        check(f"explain {name}", code == 0 and err == "" and page.splitlines()[2] in model, err)


def statuses(program):
    for status in ("ok", "memory", "limit", "syntax", "model", "domain", "numeric", "usage", "io"):
        code, page, err = program.run(f"livens explain {status}")
        check(f"explain {status}", code == 0 and err == "" and "ends with code" in page)
        within_width(f"explain {status}", page)


def fixtures(program):
    for path in sorted((HERE / "fixtures").glob("*.toml")):
        code, out, err = program.run(f"livens check {path.name}")
        within_width(f"check {path.name}", out)
        json_code, out, json_err = program.run(f"livens check --json {path.name}")
        report = parse_json(f"check --json {path.name}", out)
        check(f"{path.name}: the same with --json", (code, err) == (json_code, json_err))
        check(f"{path.name}: status", report and (report["status"] == "ok") == (code == 0))
        check(f"{path.name}: a message if it fails", (code == 0) == (err == ""))


def help_pages(program):
    manual = (ROOT / "man/livens.1").read_text().replace("\\-", "-")
    for name in COMMANDS:
        _, page, err = program.run(f"livens help {name}")
        check(f"help {name}", page != "" and err == "")
        check(f"{name} --help", program.run(f"livens {name} --help") == (0, page, ""))
        check(f"{name} -h", program.run(f"livens {name} -h") == (0, page, ""))
        for option in re.findall(r"--[a-z-]+", page):
            check(f"the manual has {option}", option in manual)
        check(f"the manual has {name}", re.search(rf"^\.B livens {name}$", manual, re.M))
    check("the manual has the version", f"livens {program.version}" in manual)
    for name in COMMANDS + TOPICS + [""]:
        code, page, err = program.run(f"livens help {name}")
        check(f"help {name}", code == 0 and err == "")
        within_width(f"help {name}", page)
        code, page, err = program.run(f"livens help --markdown {name}")
        check(f"help --markdown {name}", code == 0 and err == "" and page.startswith("# "))
        check(f"help {name}: fences", page.count("```") % 2 == 0)
    for topic in TOPICS:
        page = ROOT / f"docs/reference/{topic}.md"
        if page.exists():
            _, fresh, _ = program.run(f"livens help --markdown {topic}")
            check(f"{page.name} is up to date", page.read_text() == fresh)


def lost_output(program):
    for command in ("list functions", "check kepler", "check kepler --json", "help model",
                    "show kepler", "--version"):
        for where in ("> /dev/full", ">&-"):
            code, _, err = program.run(f"livens {command} {where}")
            check(f"{command} {where}", code == 4 and "cannot be written" in err, err)
    check("no stderr", program.run("livens check nothing 2>&-")[0] == 4)
    check("no stdin", program.run("livens check - <&-")[0] == 4)


def colours(program):
    red = "\033[1;31merror:\033[0m"
    if not has_terminals():
        return
    check("red on a terminal", red in program.terminal("livens check typo.toml"))
    check("no colour with NO_COLOR",
          "\033" not in program.terminal("livens check typo.toml", NO_COLOR="1"))
    check("no colour on a dumb terminal",
          "\033" not in program.terminal("livens check typo.toml", TERM="dumb"))
    check("no colour in a pipe", "\033" not in program.run("livens check typo.toml")[2])
    check("the title is bold", "\033[1mKepler problem\033[0m" in program.terminal(
        "livens check kepler"))
    check("JSON is never coloured", "\033" not in program.terminal(
        "livens check kepler --json"))
    check("escapes in a model do not reach the terminal",
          "\033[31m" not in program.terminal("livens check escape.toml"))


def odd_input(program):
    """Inputs that must give a message, whatever it says."""
    texts = [b"", b"\0", b"\xff\xfe", b"[", b"name = 1\n", b"x" * 100000, b"[coordinates]\n" * 2]
    for text in texts:
        code, out, err = program.run("livens check - --json", stdin=text)
        report = parse_json(f"stdin {text[:20]}", out)
        check(f"stdin {text[:20]}", code == 1 and "error: " in err and report["message"], err)
    for command in ("check /", "check ''", "check --set", "check --set = kepler", "'' x",
                    "check --set ecc= kepler", "check $(printf '\\377').toml --json",
                    "list '' --json", "show ../kepler", "help ''", "-", "--", "check -- --json"):
        code, out, err = program.run(f"livens {command}")
        check(f"livens {command}", code in (1, 2, 4) and "error: " in err, err)
        if out:
            parse_json(f"livens {command}", out)


def main():
    program_path, update = sys.argv[1], "--update" in sys.argv[2:]
    directory = tempfile.mkdtemp()
    try:
        program = Program(program_path, directory)
        golden(program, update)
        for suite in (shipped_models, fixtures, schemes, parts, statuses, help_pages, lost_output, colours,
                      odd_input, *runs.SUITES, *mechanisms.SUITES, *signals.SUITES, *sweeps.SUITES, *joins.SUITES, *certificates.SUITES, *studies.SUITES, *pages.SUITES,
                      *events.SUITES, *formats.SUITES,
                      *reports.SUITES, *shells.SUITES):
            suite(program)
    finally:
        shutil.rmtree(directory)
    print(f"{results['passed']} passed, {results['failed']} failed")
    return 1 if results["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
