"""Shipped mechanisms: whole runs as their files wish, with outputs against closed forms and
independent computations."""

import json
import math

from harness import HERE, check, in_directory, read_csv, run_json, within_width

ANDREWS = [15.810771195153707, -15.756371058411839, 0.040822240119645805, -0.53473011634207959,
           0.52440996587995407, 0.53473011634207959, 1.0480807410419379]

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
    # Independent integrations of the equations in seven and in two angles.
    ("andrews-bodies", "angles", ANDREWS, 3e-6),
    ("andrews-bodies --scheme lobatto --stages 5", "angles", ANDREWS, 1e-11),
    ("double-rigid-pendulum --scheme lobatto --stages 4 --until 3", "tip",
     [-0.7394063850767927, 0.5832228738135815], 1e-8),
    # The balance of centrifugal force and gravity at the speed that the motor reaches.
    ("flyball-governor", "off", 0, 3e-4),
    ("flyball-governor --set w2=10 --scheme lobatto --stages 4 --step 0.01 --until 1", "theta",
     math.acos(0.6*9.81/(0.093*100)), 1e-7),  # stays in balance
]

def bennett():
    """From the corners A, B, C, D at the start."""
    def cross(u, v):
        return [u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]]

    def dot(u, v):
        return sum(x*y for x, y in zip(u, v))

    def twist(u, v, w):
        """Angle from the hinge between u and v to that between v and w, about v."""
        a, b = cross(u, v), cross(v, w)
        return math.atan2(dot(v, cross(a, b))/math.sqrt(dot(v, v)), dot(a, b))

    corners = [[0.3, 0, 0], [0.1, -0.4, -0.2], [-0.3, 0, 0], [-0.1, 0.4, -0.2]]
    da, ab, bc, cd = [[y - x for x, y in zip(corners[k - 1], corners[k])] for k in range(4)]
    alpha, beta = twist(da, ab, bc), twist(ab, bc, cd)
    return math.cos((alpha + beta)/2)/math.cos((alpha - beta)/2)


# Run, column, least and largest value on the way, tolerance.
RANGES = [
    ("steady-top-body", "top[3]", 0.0375, 0.0375, 2e-4),
    ("slider-crank", "off", 0, 0, 1e-14),
    ("slider-crank-spatial", "off", 0, 0, 1e-14),
    # Law of cosines where crank and coupler are in line.
    ("four-bar", "swing", math.acos(0.43/0.48), math.acos(0.03/0.48), 2e-6),
    # tan(A/2)*tan(B/2) = cos((a + b)/2)/cos((a - b)/2) with the twists a, b of the bars.
    ("bennett-linkage", "bennett", *[bennett()]*2, 1e-8),
]

# The slow mode of two uniform rods; a link of capsule shape that falls from the horizontal.
SLOW = (3 - 6/math.sqrt(7))*9.81/0.5
SHAPE = (1.5 - 4/3*(3 - 6/math.sqrt(7)))/((3 - 6/math.sqrt(7))/2)
LINK = (0.8*(0.1**2/4 + 0.8**2/12) + 0.4/3*(0.4*0.1**2 + 0.8**2/4 + 0.3*0.1))/(0.8 + 0.4/3) + 0.25
QUARTER = 1.8540746773013719*math.sqrt(LINK/(0.5*9.81))

# Run, column, times at which it changes its sign, tolerance.
ZEROS = [
    # K/lambda and odd multiples, Jacobi's elliptic functions.
    ("dzhanibekov-nut", "middle", [6.197756740923259, 18.593270222769777, 30.988783704616296],
     1e-2),
    ("dzhanibekov-nut --scheme lobatto --stages 3", "middle",
     [6.197756740923259, 18.593270222769777, 30.988783704616296], 1e-4),
    (f"double-rigid-pendulum --set a1=1e-4 --set a2={SHAPE*1e-4} --until 2", "tip[1]",
     [math.pi/math.sqrt(SLOW)*(k + 0.5) for k in range(2)], 1e-4),
    ("body-chain --set N=1 --scheme lobatto --stages 4", "tip[1]", [QUARTER, 3*QUARTER], 1e-5),
]


# Models whose constraints are dependent for good, and say so.
REDUNDANT = ["bennett-linkage"]


def far(value, exact):
    values, exacts = [x if isinstance(x, list) else [x] for x in (value, exact)]
    return max(abs(a - b) for a, b in zip(values, exacts, strict=True))


def columns(program, directory, command, *names):
    path = f"{directory}/way.csv"
    code, _, err = program.run(f"livens run {command} --quiet --csv {path}")
    check(f"run {command}", code == 0 and (err == "" or command in REDUNDANT), err)
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
              and (result["warnings"] == []) == (path.stem not in REDUNDANT), err or str(result.get("warnings")))
        code, out, _ = program.run(f"livens run {path.stem} --until 0.01")
        within_width(f"run {path.stem}", out)


SUITES = [ends, in_directory(ranges), in_directory(zeros), in_directory(same_top),
          whole_runs]
