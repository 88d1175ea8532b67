"""Runs: end states against references, files, failures, interrupts."""

import csv
import json
import math
import os
import pathlib
import random
import re
import signal
import struct

from harness import (HERE, check, flatten, in_directory, parse_json, read_csv, run_json, start_long,
                     wait_for, within_width)

KEYS = ["status", "model", "scheme", "options", "order", "step", "steps", "seconds", "start", "final",
        "energy", "momentum", "constraints", "newton", "shown", "files", "warnings"]

# Exact motions, from closed forms or 128-bit arithmetic: command, kind, numbers, tolerance.
SPHERE_Q = [0.2186113380002105, 0.046728350139105571, -0.97469253828632282]
SPHERE_V = [-1.2558010304061791, 4.3058996772858327, -0.07522860066619707]
REFERENCES = [
    ("pendulum3d --scheme rattle --compose 8 --step 0.01 --until 10", "q", SPHERE_Q, 1e-11),
    ("pendulum3d --scheme rattle --compose 8 --step 0.01 --until 10", "v", SPHERE_V, 1e-10),
    ("pendulum3d --scheme rattle --compose 6 --step 0.005 --until 10", "q", SPHERE_Q, 1e-9),
    ("pendulum3d --scheme lobatto --stages 5 --step 0.05 --until 10", "v", SPHERE_V, 1e-9),
    ("pendulum3d --scheme lobatto --stages 3 --compose 8 --step 0.1 --until 10", "q", SPHERE_Q,
     1e-6),
    ("four-particles --scheme lobatto --stages 4 --step 0.01 --until 1", "q",
     [0.0079843277234334095, 0.011392149426950005, 0.00041510286046706455,
      0.98572992065231099, 0.20688807258080377, 0.076539340382954759,
      0.24273202080835562, 0.97994057097269269, 0.088765457769869254,
      0.69208368380024454, 0.65534136446673265, 0.92106254301174669], 1e-9),
    ("andrews --scheme lobatto --stages 5 --step 1e-4", "q",
     [15.810771195153707, -15.756371058411839, 0.040822240119645805, -0.53473011634207959,
      0.52440996587995407, 0.53473011634207959, 1.0480807410419379], 1e-7),
    ("andrews --scheme lobatto --stages 5 --step 1e-4", "lambda",
     [-199.1753481045386, 29.75530997497176, -23.06654361162215, -31.45272527577114,
      -22.64249478639438, -11.61739235261126], 1e-3),
    ("car-axis --scheme lobatto --stages 5 --step 0.005", "q",
     [0.0493455784275402809122, 0.496989460230171153861, 1.04174252488542151681,
      0.373911027265361256927], 1e-9),
    ("kepler --scheme gauss --stages 6 --step 0.05 --until 6.283185307179586 --set ecc=0.5", "q",
     [0.5, 0], 1e-10),
    ("penning-trap --stages 5", "q",
     [0.47733911816273483, -0.5132236113388038, -0.4195357645382262], 1e-10),
    ("penning-trap --stages 5", "p",
     [2.0924956167034203, 0.8926187414197901, 0.2720105554446849], 1e-10),
]


def references(program):
    known = {}
    for command, kind, exact, tolerance in REFERENCES:
        if command not in known:
            known[command] = run_json(program, command)
        code, result, err = known[command]
        check(f"run {command}", code == 0 and err == "", err)
        got = flatten(result["final"][kind].values()) if result else []
        error = max((abs(a - b) for a, b in zip(got, exact)), default=math.inf)
        check(f"{command}: {kind}", len(got) == len(exact) and error <= tolerance,
              f"error {error:.2e}")


def contract(program):
    """The object has exactly the promised keys, the names of the model, and agrees with check."""
    commands = ["pendulum3d --scheme rattle --until 1", "chain --set N=4 --scheme rattle --until 0.1",
                "four-particles --scheme lobatto --until 0.1", "kepler --until 1", "vectors.toml"]
    for command in commands:
        code, result, err = run_json(program, command)
        check(f"{command}: ends well", code == 0 and err == "" and result["status"] == "ok", err)
        check(f"{command}: keys", list(result) == KEYS, str(list(result)))
        check(f"{command}: final", list(result["final"]) == [
            "t", "q", "v", "p", "lambda", "lambda_scheme", "gamma", "outputs"])
        check(f"{command}: energy", list(result["energy"]) == ["initial", "final", "max_deviation",
                                                               "relative"])
        check(f"{command}: options", list(result["options"]) == ["stages", "compose"])
        check(f"{command}: newton", list(result["newton"]) == ["mean", "max"])
        check(f"{command}: constraints", list(result["constraints"]) == [
            "position_max", "velocity_max", "nonholonomic_max", "undetermined_rows",
            "carried_max", "legendre_max"])
        model = " ".join(w for w in command.split() if not w.startswith("--"))
        setting = command[command.find("--set"):].split()[:2] if "--set" in command else []
        _, out, _ = program.run(f"livens check {model.split()[0]} {' '.join(setting)} --json")
        report = json.loads(out)
        for kind in "qvp":
            names = list(result["final"][kind])
            check(f"{command}: names of {kind}", names == list(report["start"]["q"]))
            check(f"{command}: shapes of {kind}",
                  shape(result["final"][kind]) == shape(report["start"]["q"]))
        check(f"{command}: energy as in check",
              result["energy"]["initial"] == report["energy"]["initial"])
        check(f"{command}: momenta", [m["name"] for m in result["momentum"]]
              == [m["name"] for m in report["momentum"]])
        rows = len(flatten(result["final"]["lambda"].values()))
        check(f"{command}: lambda", rows == report["constraints"]["holonomic"])
    _, result, _ = run_json(program, "chain --set N=4 --scheme rattle --until 0.1")
    check("a family is an array of its members", len(result["final"]["q"]["q"]) == 4
          and all(len(member) == 3 for member in result["final"]["q"]["q"]))
    check("multipliers of a family",
          list(result["final"]["lambda"]) == ["first", "link_2", "link_3", "link_4"])
    _, result, _ = run_json(program, "vectors.toml")
    check("shapes of multipliers", shape(result["final"]["lambda"])
          == {"pin": [0, 0], "single": [0], "height": 0})


def own_multipliers(program):
    """Multipliers of the schemes have the sign of those at the nodes, and tend to them."""
    for scheme in ("em", "em-g", "livens", "vi-s", "vi-a", "vi-b2"):
        _, result, _ = run_json(program, f"pendulum3d --scheme {scheme} --step 0.001 --until 1")
        at_node, own = (result["final"][key]["rod"] for key in ("lambda", "lambda_scheme"))
        check(f"{scheme}: own multiplier", abs(own - at_node) <= 0.01 * abs(at_node),
              f"{own} and {at_node}")
    for scheme in ("rattle", "lobatto", "dpg"):
        _, result, _ = run_json(program, f"pendulum3d --scheme {scheme} --until 0.1")
        check(f"{scheme}: no own multipliers", result["final"]["lambda_scheme"] == {})


def shape(value):
    """Names and lengths without the numbers."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else 0


NAMES = """
[coordinates]
x = { value = 1, velocity = 0.5 }
y = { value = [0, 1], velocity = [1, 0] }
[energy]
kinetic = "x'^2/2 + dot(y', y')/2"
potential = "norm2(y)/2"
[constraints.rod]
holonomic = "norm2(y) - 1"
[outputs]
angle = "x + t"
twice = "2*y"
[run]
scheme = "rattle"
step = 0.1
until = 0.35
"""


def names(program, directory):
    """JSON says what the last row of a CSV file says, by the same names."""
    model, table = f"{directory}/names.toml", f"{directory}/names.csv"
    store = f"{directory}/names.hdf5"
    pathlib.Path(model).write_text(NAMES)
    code, result, err = run_json(program, f"{model} --csv {table} -o {store}")
    check("names: run", code == 0 and err == "", err)
    header, rows = read_csv(table)
    last = dict(zip(header, rows[-1]))
    first = dict(zip(header, rows[0]))
    check("momenta", {m["name"]: m["final"] for m in result["momentum"]}
          == {k: v for k, v in last.items() if k.startswith("J.")} != {}, str(result["momentum"]))
    check("momenta at the start", all(m["initial"] == first[m["name"]] for m in result["momentum"]))
    check("outputs", result["final"]["outputs"] == {
        "angle": last["angle"], "twice": [last["twice[1]"], last["twice[2]"]]},
        str(result["final"]["outputs"]))
    check("outputs are those of the final state", last["angle"] == last["x"] + 0.35)
    check("outputs without a file", run_json(program, model)[1]["final"] == result["final"])
    check("order", result["order"] == 2)
    check("files", result["files"] == [
        {"format": "hdf5", "path": store, "rows": 5, "t": 0.35},
        {"format": "csv", "path": table, "rows": 5, "t": 0.35}], str(result["files"]))
    _, out, _ = program.run(f"livens check {model} --json")
    check("momenta in check", [m["name"] for m in parse_json("check", out)["momentum"]]
          == [m["name"] for m in result["momentum"]])


SPOILT = """
[coordinates]
a = { value = [1, 0, 0], velocity = [0, 1, 0.5] }
[energy]
kinetic = "norm2(a')/2"
[energy.weight]
potential = "9.81*a[3]"
[forces.drag]
dissipation = "-0.1*norm2(a')"
[symmetries.spin]
on = "a"
generator = "cross([0, 1, 0], a)"
[run]
scheme = "gauss"
step = 0.01
until = 0.1
"""

DAMPED = """
[particles.a]
mass = 1
position = [1, 0]
[springs.s]
between = [[0, 0], "a"]
stiffness = 1
damping = 0.5
"""

DEAD = """
[coordinates]
x = { value = -30, velocity = 1 }
[energy]
kinetic = "x'^2/2"
potential = "0.4*exp(-x^2/0.05)"
"""


def declared(program, directory):
    """A declared symmetry that is none is said to be none, at the line of its generator."""
    model = f"{directory}/spoilt.toml"
    pathlib.Path(model).write_text(SPOILT)
    words = f"{model}:12:13: 'spin' is no symmetry: the potential 'weight' ({model}:7:13)"
    drives = f"the dissipation 'drag' ({model}:9:15) is negative"
    code, out, _ = program.run(f"livens check {model} --json")
    report = parse_json("spoilt", out)
    check("spoilt in check", code == 0 and len(report["warnings"]) == 2
          and report["warnings"][0].startswith(drives) and report["warnings"][1].startswith(words)
          and report["momentum"][0]["spoilt"] == report["warnings"][1], out)
    for scheme in ("gauss", "rattle", "livens", "em"):
        code, result, _ = run_json(program, f"{model} --scheme {scheme}")
        check(f"spoilt in run, {scheme}", code == 0
              and sum(w.startswith(words) for w in result["warnings"]) == 1
              and not any("order of its error" in w or "should keep" in w
                          for w in result["warnings"]), str(result["warnings"]))
    pathlib.Path(model).write_text(DAMPED)
    _, out, _ = program.run(f"livens check {model}")
    check("springs with damping may change the energy", "may change: forces" in out, out)
    pathlib.Path(model).write_text(DEAD)
    _, out, _ = program.run(f"livens check {model} --json")
    check("no momentum of a term that underflows", parse_json("dead", out)["momentum"] == [], out)


def nothing(program):
    """What does not exist is null, not 0."""
    _, result, _ = run_json(program, "kepler --until 0")
    check("no constraints, no steps", list(result["constraints"].values()) == [None] * 6
          and result["newton"] == {"mean": None, "max": None}, str(result))
    _, result, _ = run_json(program, "pendulum3d --scheme rattle --until 0.1")
    constraints = result["constraints"]
    check("holonomic constraints", constraints["position_max"] >= 0 <= constraints["velocity_max"]
          and constraints["nonholonomic_max"] is constraints["carried_max"] is None)
    _, result, _ = run_json(program, "nonholonomic-particle --until 0.1")
    constraints = result["constraints"]
    check("nonholonomic constraints", constraints["position_max"] is None
          and constraints["velocity_max"] is None and constraints["nonholonomic_max"] >= 0
          and constraints["carried_max"] is not None, str(constraints))


def endings(program, directory):
    """The ending of -o says what is written."""
    base = "livens run kepler --until 0.1 -q"
    for ending, begin in ((".h5", b"\x89HDF"), (".hdf5", b"\x89HDF"), (".CSV", b"t,r[1]"),
                          (".csv", b"t,r[1]"), ("", b"\x89HDF")):
        path = pathlib.Path(directory) / f"ending{ending}"
        code, _, err = program.run(f"{base} -o {path}")
        check(f"-o {path.name}", code == 0 and path.read_bytes().startswith(begin), err)
    for options, words in (("-o a.dat", "the ending of 'a.dat'"), ("-o a.b/c.xls", "'a.b/c.xls'"),
                           ("-o a.csv --csv b.csv", "are both CSV"),
                           ("--csv a.h5", "would write CSV into"), ("-o -", "--csv -"),
                           ("--csv x/a.HDF5", "would write CSV into")):
        code, _, err = program.run(f"{base} {options}")
        check(f"run {options}", code == 2 and words in err, err)
    path = pathlib.Path(directory) / "members.csv"
    code, _, err = program.run(f"livens sweep grid.toml -q -o {path}")
    check("sweep -o members.csv", code == 0 and path.read_bytes().startswith(b"member,"), err)
    code, _, err = program.run("livens sweep grid.toml -q -o members.txt")
    check("sweep -o members.txt", code == 2 and "the ending of" in err, err)
    code, _, err = program.run("livens sweep grid.toml -q --series members.h5")
    check("sweep --series members.h5", code == 2 and "would write CSV into" in err, err)


def chosen(program, directory):
    """--channels chooses columns, and a resumed run goes on with them."""
    table, store, whole = (f"{directory}/{name}" for name in ("c.csv", "c.h5", "w.csv"))
    base = "livens run four-particles --scheme em --step 0.01 -q"
    program.run(f"{base} --until 1 --csv {whole}")
    code, _, err = program.run(f"{base} --until 0.5 --channels E,q2,\"q1'[3]\" --csv {table} -o {store}")
    check("--channels", code == 0, err)
    code, _, err = program.run(f"livens resume {store} --until 1 -q")
    header, rows = read_csv(table)
    check("the chosen columns", code == 0 and header == ["t", "q2[1]", "q2[2]", "q2[3]", "q1'[3]", "E"],
          f"{header} {err}")
    names, all_rows = read_csv(whole)
    places = [names.index(name) for name in header]
    check("the same numbers", rows == [[row[k] for k in places] for row in all_rows])
    code, _, err = program.run(f"{base} --until 1 --channels E,q1[4] --csv -")
    unfiled, _, nowhere = program.run(f"{base} --until 1 --channels E")
    check("columns of no file", unfiled == 2 and "--csv FILE" in nowhere, nowhere)
    check("an unknown column", code == 2 and "a run records nothing called 'q1[4]'" in err
          and "did you mean 'q1[1]'?" in err, err)


def work(program, directory):
    """The work of forces and of what depends on time: columns, summary, resumed runs, rows between steps."""
    whole, parts, store = (f"{directory}/{name}" for name in ("work.csv", "parts.csv", "work.h5"))
    for options in ("em --step 0.01", "rattle --step 0.01", "rattle --compose 4 --step 0.01",
                    "lobatto --step 0.02 --sample 0.003"):
        base = f"livens run balance.toml --scheme {options}"
        code, out, err = program.run(f"{base} --until 1 --csv {whole} --json")
        result = parse_json(base, out)
        check(f"{base}: runs", code == 0, err)
        check(f"{base}: work", list(result["work"]) == ["energy", "drive", "drag", "load"]
              and list(result["balance"]) == ["final", "max_deviation", "relative"], str(result))
        check(f"{base}: balance", 0 < result["balance"]["max_deviation"] < 2e-3, str(result["balance"]))
        header, rows = read_csv(whole)
        first = header.index("work.energy")
        check(f"{base}: columns", header[first:first + 5] == [
            "work.energy", "work.drive", "work.drag", "work.load", "balance"], str(header))
        last = [float(x) for x in rows[-1][first:first + 5]]
        check(f"{base}: the last row", last == list(result["work"].values()) + [result["balance"]["final"]])
        energies = [float(row[header.index("E")]) for row in rows]
        check(f"{base}: the balance of every row", all(
            abs(e - energies[0] - sum(float(x) for x in row[first:first + 4]) - float(row[first + 4])) < 1e-13
            and abs(float(row[first + 4])) < 2e-3 for e, row in zip(energies, rows)))
        pathlib.Path(store).unlink(missing_ok=True)
        program.run(f"{base} --until 0.46 --csv {parts} -o {store} -q")
        code, out, err = program.run(f"livens resume {store} --until 1 --json")
        resumed = parse_json("resume", out)
        check(f"{base}: resumed to the same bits", resumed["work"] == result["work"]
              and resumed["balance"] == result["balance"]
              and [row for row in read_csv(parts)[1] if float(row[0]) > 0.461]
              == [row for row in rows if float(row[0]) > 0.461], f"{out} {err}")
    code, out, _ = program.run("livens run balance.toml --scheme em --step 0.01 --until 1")
    check("the work in the text", all(f"\n  {name} " in out for name in ("work.drag", "balance")), out)
    within_width("work", out)
    code, out, _ = program.run("livens run balance.toml --scheme em --step 0.1 --until 1 --channels work.drag,balance "
                               "--csv - -q")
    check("--channels work.drag", out.startswith("t,work.drag,balance\n"), out)
    code, out, _ = program.run("livens run pendulum3d --scheme rattle --until 0.1 --json")
    result = parse_json("pendulum3d", out)
    check("no work, no balance", "work" not in result and "balance" not in result, out)


def csv_goes_on(program, directory):
    """A resumed run goes on with its CSV file, too, from wherever it is called."""
    whole, table = f"{directory}/whole.csv", f"{directory}/part.csv"
    store = f"{directory}/part.h5"
    options = "four-particles --scheme em --step 0.01 --every 3"
    program.run(f"livens run {options} --until 1 --csv {whole} -q")
    code, _, err = program.run(f"cd {directory} && livens run {options} --until 0.6 --csv part.csv "
                               "-o part.h5 -q")
    check("the first part", code == 0, err)
    expected = pathlib.Path(whole).read_bytes()
    part = pathlib.Path(table).read_bytes()
    with open(table, "ab") as file:  # rows that no checkpoint knows of, the last one cut
        file.write(expected[len(part):len(part) + 1000])
    code, out, err = program.run(f"livens resume {store} --until 1 --json")
    result = parse_json("resume", out)
    check("it is resumed", code == 0 and err == "" and result["files"][1]["path"].endswith("part.csv")
          and result["files"][1]["rows"] == 35, f"{err} {result}")
    check("to the same bytes", pathlib.Path(table).read_bytes() == expected)

    def refused(name, data, words):
        pathlib.Path(table).write_bytes(data)
        code, _, err = program.run(f"livens resume {store} --until 2")
        check(name, code == 4 and words in err and pathlib.Path(table).read_bytes() == data, err)

    lines = expected.splitlines(keepends=True)
    refused("another header", b"s" + expected[1:], "its first line differs")
    refused("too few rows", b"".join(lines[:-1]), "rows are missing")
    refused("a row cut", expected[:-1], "rows are missing")
    refused("another last row", b"".join(lines[:-1]) + lines[3], "the numbers of its rows differ")
    refused("nothing in it", b"", "its first line differs")
    pathlib.Path(table).unlink()
    code, out, err = program.run(f"livens resume {store} --until 2")
    check("without the CSV file", code == 0 and "is not there any more" in " ".join(out.split()), out + err)
    check("it is not made again", not pathlib.Path(table).exists())


def csv_moves(program, directory):
    """Both files in one directory, which is moved or copied; one that was elsewhere and is now beside."""
    def lines(path):
        return len(pathlib.Path(path).read_text().splitlines())

    here, there, copy = (pathlib.Path(directory) / name for name in ("here", "there", "copy"))
    here.mkdir()
    command = "kepler --scheme gauss --step 0.1 --until 1"
    program.run(f"cd {here} && livens run {command} -o a.h5 --csv a.csv -q")
    program.run(f"cp -r {here} {copy} && mv {here} {there}")
    code, out, err = program.run(f"livens resume {there}/a.h5 --until 2 --json")
    check("moved", code == 0 and json.loads(out)["warnings"] == [] and lines(there / "a.csv") == 22, out + err)
    code, out, err = program.run(f"cd {copy} && livens resume a.h5 --until 3")
    check("copied: its own file", code == 0 and lines(copy / "a.csv") == 32 and lines(there / "a.csv") == 22
          and "not there" not in out, out + err)
    program.run(f"livens run {command} -o {copy}/b.h5 --csv {there}/b.csv -q")
    code, out, err = program.run(f"livens resume {copy}/b.h5 --until 2")
    check("elsewhere", code == 0 and lines(there / "b.csv") == 22, out + err)
    program.run(f"mv {there}/b.csv {copy}/b.csv")
    code, out, err = program.run(f"livens resume {copy}/b.h5 --until 3")
    check("now beside", code == 0 and lines(copy / "b.csv") == 32, out + err)


def csv_files(program, directory):
    path = f"{directory}/a.csv"
    command = f"pendulum3d --scheme rattle --step 0.1 --until 1.05 --csv {path}"
    code, result, err = run_json(program, command)
    check("run with --csv", code == 0 and err == "", err)
    header, rows = read_csv(path)
    check("header", header == [
        "t", "q[1]", "q[2]", "q[3]", "q'[1]", "q'[2]", "q'[3]", "p.q[1]", "p.q[2]", "p.q[3]",
        "lambda.rod", "T", "V", "E", "J.vertical", "g.max", "gdot.max", "newton",
        "undetermined"], str(header))
    check("a row per step and the start", len(rows) == result["steps"] + 1 == 12)
    check("the last step ends the run", rows[-1][0] == 1.05 == result["final"]["t"])
    check("the last row is the final state", rows[-1][1:4] == result["final"]["q"]["q"]
          and rows[-1][4:7] == result["final"]["v"]["q"]
          and rows[-1][10] == result["final"]["lambda"]["rod"])
    check("the energy", rows[0][13] == 0.5 and rows[-1][13] == result["energy"]["final"])

    # Recording less often changes the rows, not the motion.
    _, sparse, _ = run_json(program, command + " --every 4")
    check("the same bits for another --every", sparse["final"] == result["final"]
          and sparse["energy"] == result["energy"])
    check("every fourth row and the last", [r[0] for r in read_csv(path)[1]]
          == [rows[k][0] for k in (0, 4, 8, 11)])

    # On standard output the rows are alone.
    code, out, err = program.run("livens run " + command.split(" --csv")[0] + " --csv -")
    check("--csv -", code == 0 and out.startswith("t,q[1]") and len(out.splitlines()) == 13)
    check("the summary moves to stderr", "final state" in err)
    within_width("summary beside --csv -", err)
    code, _, err = program.run("livens run pendulum3d --csv - --quiet > /dev/full")
    check("--csv - > /dev/full", code == 4 and "cannot write to standard output: " in err, err)
    code, _, err = program.run("livens run pendulum3d --scheme rattle --csv /dev/full --json")
    check("--csv /dev/full", code == 4 and "error: " in err, err)


def hdf5_files(program, directory):
    whole, parts = f"{directory}/whole.h5", f"{directory}/parts.h5"
    options = "four-particles --scheme lobatto --stages 4 --compose 8 --step 0.01 --every 7"
    code, result, err = run_json(program, f"{options} --until 1 -o {whole}")
    check("run with -o", code == 0 and err == "", err)
    code, _, err = program.run(f"livens run {options} --until 0.3 --output {parts} --quiet")
    check("--quiet says nothing", code == 0 and err == "", err)
    code, out, err = program.run(f"livens resume {parts} --until 1 --json")
    resumed = parse_json("resume --json", out)
    check("resume", code == 0 and err == "", err)
    for key in KEYS:
        check(f"resumed to the same bits: {key}",
              key in ("seconds", "files") or resumed[key] == result[key])
    code, out, err = program.run(f"livens resume {parts}")
    check("nothing left to do", code == 0 and "for the last 0 steps" in out, out + err)
    within_width("resume", out.replace(parts, "parts.h5"))
    check("resume --until needs a number", program.run(f"livens resume {parts} --until x")[0] == 2)
    code, _, err = program.run(f"livens resume {parts} --until 0.5")
    check("resume to an earlier end", code == 2 and "already at t = 1, beyond t = 0.5" in err, err)
    code, _, err = program.run(f"livens resume {directory}")
    check("resume a directory", code == 4 and err.count("\n") == 1 and "Is a directory" in err, err)
    damaged = f"{directory}/damaged.h5"
    data = pathlib.Path(whole).read_bytes()
    for size in (0, 100, len(data) // 2):
        pathlib.Path(damaged).write_bytes(data[:size])
        code, _, err = program.run(f"livens resume {damaged}")
        check(f"resume {size} bytes of a file", code == 4 and "error: " in err, err)
    wrong = data.replace(struct.pack("<d", 7 * 0.01), struct.pack("<d", 0.08))
    pathlib.Path(damaged).write_bytes(wrong)
    code, _, err = program.run(f"livens resume {damaged} --until 2")
    check("resume with a wrong row", code == 4 and "the numbers of row 2" in err
          and "left as it is" in err and pathlib.Path(damaged).read_bytes() == wrong, err)
    damages(program, damaged, data)


def damages(program, path, data):
    """No byte that is wrong makes the program crash, and names in it do not reach the terminal."""
    chance = random.Random(1)
    for _ in range(60):
        broken = bytearray(data)
        for _ in range(chance.choice((1, 1, 200))):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        pathlib.Path(path).write_bytes(broken)
        code, _, err = program.run(f"livens resume {path} -q")
        check("resume a damaged file", code in (0, 4), f"{code}: {err}")
        check("messages are printable", err.replace("\n", "").isprintable(), repr(err))



def unprintable(program):
    """Names on the command line may hold any bytes."""
    for name in (r"\x9b31m", r"\xff", r"\xc2\x9b", r"\x1b[31m", r"\xe2\x82"):
        code, _, err = program.run(f"livens resume \"$(printf '%b' '{name}')\"")
        check(f"{name} in a message", code == 4 and f"cannot read '{name}': " in err, repr(err))


def one_writer(program, directory):
    """Outputs of a run that is going on are not taken by another one."""
    table, store = f"{directory}/busy.csv", f"{directory}/busy.h5"
    process = start_long(program, ["--csv", table, "-o", store, "--every", "1000", "--json"])
    check("it runs", wait_for(store) and wait_for(table))
    for command in (f"run kepler -o {store}", f"run kepler --csv {table}", f"resume {store}",
                    f"run kepler --csv {table} -o {directory}/other.h5",
                    f"run kepler --csv {directory}/other.csv -o {store}",
                    f"sweep grid.toml -o {store}", f"sweep grid.toml --csv {table}",
                    f"sweep grid.toml --series {table}"):
        code, _, err = program.run(f"livens {command}")
        check(f"{command} beside a run", code == 4 and "is being written by another run" in err,
              f"{code}: {err}")
    check("nothing else was touched", sorted(os.listdir(directory)) == ["busy.csv", "busy.h5"],
          str(os.listdir(directory)))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    steps = parse_json("the first run", out.decode())["steps"]
    check("the first run has all its rows", len(read_csv(table)[1]) == steps // 1000 + 1, err)
    code, _, err = program.run(f"livens run kepler --until 0.1 --csv {table} -o {store}")
    check("when it has ended, its files are free", code == 0, err)


def full_disk(program, directory):
    """The summary counts what is in the files, not what was meant to be."""
    store, table = f"{directory}/full.h5", f"{directory}/full.csv"
    limited = "(ulimit -f {}; livens run four-particles --scheme em --step 0.001"
    small, large = limited.format(300), limited.format(4000)
    code, out, err = program.run(f"{small} --csv {table} --json)")
    header, rows = read_csv(table)
    kept = parse_json("full disk", out)["csv"]
    check("rows in the CSV file", code == 4 and kept == {"rows": len(rows), "t": rows[-1][0]},
          f"{kept} {len(rows)} {err}")
    check("the message says so", f"results up to t = {rows[-1][0]:.10g} ({len(rows)} rows)" in err,
          err)
    code, out, err = program.run(f"{small} --csv {table})")
    check("and the summary", re.search(rf"{re.escape(table)} +{len(rows)}  \d+ more", out) is not None
          and "more could not be written" in out, out)

    code, out, err = program.run(f"{large} --until 20 --flush 1e-4 -o {store} --json)")
    kept = parse_json("full disk", out)["hdf5"]
    check("rows in the HDF5 file", code == 4 and kept["rows"] > 1
          and abs(kept["t"] - 0.001 * (kept["rows"] - 1)) < 1e-9, f"{kept} {err}")
    check("how to go on", f"livens resume {store}" in err, err)
    code, out, err = program.run(f"livens resume {store} --json")
    _, whole, _ = run_json(program, "four-particles --scheme em --step 0.001 --until 20")
    check("what is resumed is the whole run", code == 0
          and parse_json("resumed", out)["final"] == whole["final"], err)


FAILURES = [  # command, exit code, status, words of the message
    ("run pendulum3d --scheme nothing", 1, "model", "there is no scheme 'nothing'"),
    ("run pendulum3d --scheme ratle", 1, "model", "there is no scheme 'ratle'"),
    ("run pendulum3d --scheme gauss", 1, "model", "does not take holonomic constraints"),
    ("run nonholonomic-particle --scheme gauss", 1, "model", "nonholonomic"),
    ("run beside.toml", 1, "model", "violates constraint 'rod'"),
    ("run pendulum3d --scheme rattle --step 3", 3, "numeric", "stopped at step 1, t = 0"),
    ("run pendulum3d --scheme rattle -o nowhere/out.h5", 4, "io", "nowhere/out.h5"),
    ("run pendulum3d --scheme rattle --csv nowhere/out.csv", 4, "io", "nowhere/out.csv"),
    ("run pendulum3d --scheme rattle -o /", 4, "io", "/"),
    ("run kepler --stages 21", 2, "usage", "a whole number from 1 to 20"),
    ("run kepler --stages 99", 2, "usage", "whole number from 1 to 20"),
    ("run kepler --scheme verlet --compose 5", 1, "model", "to order 4, 6 or 8, not to 5"),
    ("run kepler --scheme rattle --theta 0.5", 1, "model", "'rattle' has no option 'theta'"),
    ("run kepler --compose 4", 1, "model", "order"),
    ("run kepler --scheme radau --compose 4", 1, "model", "cannot be composed"),
    ("run kepler --step 1e-300", 2, "usage", "too many steps"),
    ("run lagrangian.toml --scheme gauss --until 1", 1, "model", "no step size"),
    ("run lagrangian.toml --scheme gauss", 1, "model", "no end of the run and no step size is given"),
    ("run lagrangian.toml --scheme gauss --step 0.1", 1, "model", "no end"),
    ("run typo.toml", 1, "model", "kinetik"),
    ("run nothing", 4, "io", "nothing"),
    ("run", 2, "usage", "needs MODEL"),
    ("run kepler -o -", 2, "usage", "standard output"),
    ("run kepler --csv x --output x", 2, "usage", "same file"),
    ("run kepler --csv -", 2, "usage", "both write"),
    ("run typo.toml --csv ./typo.toml", 1, "model", "kinetik"),
    ("run beside.toml --csv ./beside.toml", 2, "usage", "replace the model"),
    ("resume", 2, "usage", "needs OUT.h5"),
    ("resume nothing.h5", 4, "io", "nothing.h5"),
    ("resume typo.toml", 4, "io", "typo.toml"),
    ("explain nothing", 2, "usage", "'nothing'"),
]

BAD_NUMBERS = ["", "x", "0", "-1", "+-1", "1x", "1 ", " 1", "0x10", "inf", "nan", "1e400", "1e-400",
               "0,1", "1e", ".", "--", "1..2"]
BAD_WHOLES = ["", "x", "0", "-1", "1.5", "1e3", " 2", "99999999999"]


def failures(program):
    before = {p: p.read_bytes() for p in (HERE / "fixtures").iterdir()}
    for command, expected, status, words in FAILURES:
        code, out, err = program.run(f"livens {command} --json"
                                     if "explain" not in command else f"livens {command}")
        check(f"{command}: code", code == expected, f"{code}: {err}")
        check(f"{command}: message", "error: " in err and words in err, err)
        if "explain" in command:
            continue
        report = parse_json(f"{command} --json", out)
        check(f"{command}: status", report["status"] == status, report["status"])
        check(f"{command}: keys", list(report)[:5] == ["status", "message", "file", "line",
                                                       "column"])
        check(f"{command}: t and steps", ("t" in report and "steps" in report)
              == (status == "numeric"))
    for option, texts in (("step", BAD_NUMBERS), ("until", BAD_NUMBERS), ("flush", BAD_NUMBERS), ("every", BAD_WHOLES),
                          ("stages", BAD_WHOLES), ("compose", ["", "x", "4.0", "44"]),
                          ("theta", ["", "x", "-0.1", "1.5", "nan", "0,5"]),
                          ("half-kick", ["", "yes", "1"]), ("continuity", ["", "lr", "LL"]),
                          ("initial", ["", "projekt", "yes"])):
        few = {"until": ["", "x", "-1"], "flush": BAD_NUMBERS[:3]}
        for text in few.get(option, texts):
            code, _, err = program.run(f"livens run kepler --{option}='{text}'")
            check(f"--{option}='{text}'", code == 2 and f"--{option} wants" in err, err)
    check("no fixture was touched",
          before == {p: p.read_bytes() for p in (HERE / "fixtures").iterdir()})


def stopped(program, directory):
    """A run that fails on its way says how far it came and keeps its rows."""
    path = f"{directory}/stopped.csv"
    command = f"stops.toml --csv {path}"
    code, out, err = program.run(f"livens run {command}")
    check("stopped", code == 3 and "stops.toml: error: stopped at step" in err, err)
    check("where the results are", "   results up to t = " in err and path in err, err)
    check("the short summary", "wanted t = 10" in out and "final state" not in out, out)
    within_width("summary of a stopped run", out.replace(path, "out.csv"))
    _, rows = read_csv(path)
    code, report, _ = run_json(program, command)
    check("how far it came", code == 3 and report["t"] == rows[-1][0] > 0
          and report["steps"] == len(rows) - 1, str(report))


NO_GENERATOR = """
[coordinates]
x = { value = 1, velocity = -1 }
y = { value = 0, velocity = 1 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "y"
[symmetries.s]
on = "x"
generator = "%s"
"""


def generators(program, directory):
    """x = 1 - t: generators that have no value at the start, or at the end, where x is -1."""
    model = pathlib.Path(directory) / "generator.toml"
    for generator, when in (("1/(x - 1)", "the start"), ("sqrt(x - 2)", "the start"), ("log(x)", "t = 2")):
        model.write_text(NO_GENERATOR % generator)
        command = f"{model} --scheme gauss --step 0.1 --until 2"
        code, report, err = run_json(program, command)
        check(f"{generator}: --json", code == 0 and err == "" and report["final"]["q"].keys() == {"x", "y"}, err)
        text_code, text, _ = program.run(f"livens run {command}")
        check(f"{generator}: as the text", text_code == 0 and "not finite" in text, text)
        momentum = report["momentum"][0]
        check(f"{generator}: null", momentum["name"] == "J.s"
              and momentum["initial" if when == "the start" else "final"] is None, str(momentum))
        check(f"{generator}: it is said", any(f"J.s is not finite at {when}: " in warning
                                              for warning in report["warnings"]), str(report["warnings"]))


def single(program, directory):
    """The only constraint cannot follow from others."""
    model = pathlib.Path(directory) / "single.toml"
    model.write_text("[coordinates]\nx = 0\ny = 1\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
                     "[constraints.c]\nnonholonomic = \"x*y'\"\n")
    code, report, err = run_json(program, f"{model} --scheme rattle --step 0.1 --until 1")
    check("a single constraint without gradient", code == 0 and report["final"]["lambda"] == {"c": 0}
          and [w for w in report["warnings"] if w.startswith("the gradient of constraint 'c' vanishes")]
          and "others" not in str(report["warnings"]), f"{err} {report}")


def redundant(program, directory):
    """Multipliers of dependent constraints depend on those before: resumed runs have the same bits."""
    store = f"{directory}/redundant.h5"
    _, out, _ = program.run("livens check third-leg.toml --json")
    report = parse_json("redundant", out)
    check("one constraint is redundant", report["constraints"]["rank"] == 5, out)
    schemes = [scheme["name"] for scheme in report["schemes"]]
    check("schemes take redundant constraints", len(schemes) >= 10, str(schemes))
    for scheme in schemes:
        command = f"third-leg.toml --scheme {scheme} --step 0.01"
        _, whole, _ = run_json(program, f"{command} --until 1.5")
        program.run(f"livens run {command} --until 0.2 -o {store}")
        for until in (0.21, 0.9, 1.5):
            code, out, err = program.run(f"livens resume {store} --until {until} --json")
            check(f"{scheme}: resumed to {until}", code == 0, err)
        resumed = parse_json(f"{scheme}: resumed", out)
        for key in ("final", "energy", "constraints", "newton", "steps", "warnings"):
            check(f"{scheme}: {key} of a resumed run", resumed[key] == whole[key],
                  f"{resumed[key]} {whole[key]}")


def projected(program):
    """A start beside the constraints is moved onto them."""
    code, result, err = run_json(program, "beside.toml --initial project")
    check("--initial project", code == 0 and err == "", err)
    start = result["start"]
    check("it says how far it moved", start["projected"]
          and start["position"]["coordinate"] == "q[1]" and start["velocity"]["coordinate"] == "q[1]"
          and abs(start["position"]["max"] - (1 - 1 / math.hypot(1, 0.1))) < 1e-12
          and start["velocity"]["max"] > 0.09, str(start))
    _, out, _ = program.run("livens run beside.toml --initial project")
    check("the summary says how far", re.search(r"start +moved onto the constraints: positions by at "
          r"most 0.00496\s+\(q\[1\]\),\s+velocities by at most 0.099 \(q\[1\]\)", out), out)
    _, untouched, _ = run_json(program, "kepler --until 1")
    check("a start that is left alone says so", untouched["start"] == {
        "projected": False, "position": None, "velocity": None})
    check("it stays on the circle", abs(math.hypot(*result["final"]["q"]["q"]) - 1) < 1e-14
          and result["constraints"]["position_max"] < 1e-14)


def undefined(program, directory):
    """Outputs that are not finite: x = t, 1/x at 0, sqrt(0.55 - x) from 0.6 on."""
    store = f"{directory}/undefined.h5"
    _, whole, _ = run_json(program, "undefined.toml")
    expected = ["output 'inverse' (undefined.toml:12:12) is not finite in 1 of 11 rows, first at t = 0, "
                "where it is inf",
                "output 'root' (undefined.toml:13:19) is not finite in 5 of 11 rows, first at t = 0.6, "
                "where it is nan"]
    check("outputs that are not finite", whole["warnings"] == expected, str(whole["warnings"]))
    _, out, _ = program.run(f"livens run undefined.toml --until 0.8 -o {store} --json")
    check("until then", "in 3 of 9 rows" in out, out)
    _, out, _ = program.run(f"livens resume {store} --until 1 --json")
    check("a resumed run knows of all rows", json.loads(out)["warnings"] == expected, out)
    _, sampled, _ = run_json(program, "undefined.toml --scheme lobatto --sample 0.05")
    check("between steps", any("in 9 of 21 rows, first at t = 0.6" in w or "first at t = 0.55" in w
                               for w in sampled["warnings"]), str(sampled["warnings"]))
    _, out, _ = program.run("livens sweep undefined.toml --json")
    sweep = json.loads(out)
    column = sweep["columns"].index("warnings")
    check("members", [row[column] for row in sweep["rows"]] == [2, 1] and sweep["warned"] == 2, out)
    _, _, err = program.run("livens run undefined.toml -q")
    check("quiet runs warn", err.count("warning: output") == 2, err)


def consistent(program):
    """check --json has all values of a start that would be consistent, and check says what a run says."""
    code, out, _ = program.run("livens check beside.toml --json")
    report = json.loads(out)
    q = report["start"]["consistent"]["q"]["q"]
    check("consistent values", code == 1 and report["status"] == "model"
          and abs(math.hypot(*q) - 1) < 1e-14 and abs(q[1] / q[0] - 0.1) < 1e-14, out)
    for model in ("beside", "dreams", "flat", "no-scheme", "misfit", "off-start"):
        code, _, told = program.run(f"livens check {model}.toml")
        refused, _, err = program.run(f"livens run {model}.toml --step 0.1 --until 0.1")
        check(f"check refuses {model} as run does", code == refused == 1
              and err.split("error: ")[1].splitlines()[0] in told, f"{told}\n{err}")


def shipped_runs(program):
    """Every shipped model runs as it wishes or is refused with a reason; summaries fit."""
    _, out, _ = program.run("livens list models --json")
    for model in json.loads(out)["models"]:
        name = model["name"]
        code, out, err = program.run(f"livens run {name} --until 0.01")
        check(f"run {name}", (code, err) == (0, "") or (code == 1 and "scheme" in err), err)
        within_width(f"run {name}", out)


SUITES = [references, contract, own_multipliers, in_directory(names), in_directory(declared),
          nothing, in_directory(endings), in_directory(csv_files), in_directory(chosen), in_directory(work),
          in_directory(csv_goes_on), in_directory(csv_moves),
          in_directory(hdf5_files), unprintable, in_directory(one_writer), in_directory(full_disk), failures,
          in_directory(stopped), in_directory(redundant), in_directory(single), in_directory(generators), projected,
          in_directory(undefined), consistent, shipped_runs]
