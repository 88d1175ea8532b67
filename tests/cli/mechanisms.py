"""Shipped mechanisms: whole runs as their files wish, with outputs against closed forms and
independent computations."""

import json
import math

from harness import HERE, check, in_directory, read_csv, run_json, within_width

# Run, output, its value at the end, tolerance.
ENDS = [
    # Euler's equations about the pivot and quaternions, Runge-Kutta, steps of 2e-5.
    ("heavy-top", "height", -0.6876953098, 1e-6),
    ("heavy-top --step 0.00025", "height", -0.6876953098, 1e-8),
    ("heavy-top --set J=[0.234375,0.46875,0.234375] --step 0.00025", "height",
     -0.67302226956044410, 1e-8),
    # One angle describes the linkage; 128-bit arithmetic.
    ("n-four-bar", "B0", [0.32845811154081538, 0.94451853817860096], 3e-5),
    ("n-four-bar --scheme em", "B0", [0.32845811154081538, 0.94451853817860096], 2e-5),
    ("n-four-bar --scheme lobatto --stages 3 --until 1", "B0",
     [-0.19502030194943509, -0.98079920566217383], 1e-9),
    ("n-four-bar --scheme lobatto --stages 3", "B0",
     [0.32845811154081538, 0.94451853817860096], 1e-9),
]

# Run, column, least and largest value on the way, tolerance.
RANGES = [
    ("steady-top-body", "top[3]", 0.0375, 0.0375, 2e-4),
    ("slider-crank", "off", 0, 0, 1e-14),
    ("slider-crank-spatial", "off", 0, 0, 1e-14),
    # Law of cosines where crank and coupler are in line.
    ("four-bar", "swing", math.acos(0.43/0.48), math.acos(0.03/0.48), 2e-6),
]

# Run, column, times at which it changes its sign, tolerance.
ZEROS = [
    # K/lambda and odd multiples, Jacobi's elliptic functions.
    ("dzhanibekov-nut", "middle", [6.197756740923259, 18.593270222769777, 30.988783704616296],
     1e-2),
    ("dzhanibekov-nut --scheme lobatto --stages 3", "middle",
     [6.197756740923259, 18.593270222769777, 30.988783704616296], 1e-4),
]


def far(value, exact):
    values, exacts = [x if isinstance(x, list) else [x] for x in (value, exact)]
    return max(abs(a - b) for a, b in zip(values, exacts, strict=True))


def columns(program, directory, command, *names):
    path = f"{directory}/way.csv"
    code, _, err = program.run(f"livens run {command} --quiet --csv {path}")
    check(f"run {command}", (code, err) == (0, ""), err)
    head, rows = read_csv(path)
    return [[row[head.index(name)] for row in rows] for name in names]


def ends(program):
    for command, output, exact, tolerance in ENDS:
        _, result, err = run_json(program, command)
        got = result["final"]["outputs"][output] if result and result["status"] == "ok" else None
        check(f"run {command}: {output} = {got}", got is not None and far(got, exact) < tolerance,
              err)


def ranges(program, directory):
    for command, name, least, most, tolerance in RANGES:
        values, = columns(program, directory, command, name)
        check(f"run {command}: {name} from {min(values)} to {max(values)}",
              (least is None or abs(min(values) - least) < tolerance)
              and (most is None or abs(max(values) - most) < tolerance))


def zeros(program, directory):
    for command, name, exact, tolerance in ZEROS:
        times, values = columns(program, directory, command, "t", name)
        found = [t0 + (t1 - t0)*v0/(v0 - v1) for t0, t1, v0, v1
                 in zip(times, times[1:], values, values[1:]) if v0*v1 < 0]
        check(f"run {command}: {name} is zero at {found}",
              len(found) == len(exact) and far(found, exact) < tolerance)


def same_top(program, directory):
    """A cone from shape and density moves as the one from formulas."""
    body, formulas = [run_json(program, name)[1]["energy"]["initial"]
                      for name in ("steady-top-body", "steady-top")]
    check("steady tops: energy", abs(body - formulas) < 1e-14 and
          abs(body - 5.669055190632946) < 1e-14, f"{body} {formulas}")
    a = columns(program, directory, "steady-top-body", "top[1]", "top[2]", "top[3]", "top'[1]",
                "top'[2]")
    b = columns(program, directory, "steady-top", "phi[1]", "phi[2]", "phi[3]", "phi'[1]",
                "phi'[2]")
    check("steady tops: way", max(far(x, y) for x, y in zip(a, b)) < 1e-11)


def whole_runs(program):
    """Models of bodies run to their end, and without a word of warning."""
    for path in sorted((HERE.parent.parent / "models").glob("*.toml")):
        if "[bodies." not in path.read_text():
            continue
        code, out, err = program.run(f"livens run {path.stem} --json")
        result = json.loads(out)
        check(f"run {path.stem} to its end", (code, err) == (0, "") and result["status"] == "ok"
              and result["warnings"] == [], err or str(result.get("warnings")))
        code, out, _ = program.run(f"livens run {path.stem} --until 0.01")
        within_width(f"run {path.stem}", out)


SUITES = [ends, in_directory(ranges), in_directory(zeros), in_directory(same_top),
          whole_runs]
