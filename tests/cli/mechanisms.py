"""Shipped mechanisms: whole runs as their files wish, with outputs against closed forms and
independent computations."""

import cmath
import json
import math
import pathlib

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
    # An inverted pendulum on a free wheel.
    ("unicycle --set k=0 --set c=0 --set turn=0 --set lean0=1e-5 --until 0.5", "lean_angle",
     1e-5*math.cosh(0.5*math.sqrt(63*9.81/(66.7 - 63**2/80))), 1e-11),
    ("unicycle", "lean_angle", 0, 1e-6),
]

def elliptic(k):
    """The complete integral K by the arithmetic-geometric mean."""
    a, b = 1, math.sqrt(1 - k*k)
    while abs(a - b) > 1e-15:
        a, b = (a + b)/2, math.sqrt(a*b)
    return math.pi/(a + b)


def disc_circle():
    m, r, d, g, theta, rate = 0.5, 0.2, 0.02, 9.81, 1.2, 2
    across, along = m*(r**2/4 + d**2/12), m*r**2/2
    lean = across*rate**2*math.sin(theta) - m*g*r
    spin = math.cos(theta)*lean/((along + m*r**2)*rate*math.sin(theta))
    return abs(spin)*r/rate


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
    # The outer dead centre: mass times acceleration of the slider, ms*w^2*r*(1 + r/l).
    ("slider-crank", "B.force[1]", -2*20**2*0.1*(1 + 0.1/0.3), None, 1e-9),
    ("slider-crank-spatial", "off", 0, 0, 1e-14),
    # Law of cosines where crank and coupler are in line.
    ("four-bar", "swing", math.acos(0.43/0.48), math.acos(0.03/0.48), 2e-6),
    # Steady rolling by Routh.
    ("rolling-disc-body", "radius", *[disc_circle()]*2, 1e-9),
    ("rolling-disc-body", "height", *[0.2*math.sin(1.2)]*2, 1e-9),
    ("ball-in-bowl", "about", 0, 0, 1e-8),
    ("gyroscope", "dip", -2*0.0105*0.2*9.81*0.1/(0.004*300)**2, 0, 5e-5),  # nods: 2 Jz M/(C s)^2
    # tan(A/2)*tan(B/2) = cos((a + b)/2)/cos((a - b)/2) with the twists a, b of the bars.
    ("bennett-linkage", "bennett", *[bennett()]*2, 1e-8),
]

# The slow mode of two uniform rods; a link of capsule shape that falls from the horizontal.
SLOW = (3 - 6/math.sqrt(7))*9.81/0.5
SHAPE = (1.5 - 4/3*(3 - 6/math.sqrt(7)))/((3 - 6/math.sqrt(7))/2)
LINK = (0.8*(0.1**2/4 + 0.8**2/12) + 0.4/3*(0.4*0.1**2 + 0.8**2/4 + 0.3*0.1))/(0.8 + 0.4/3) + 0.25
QUARTER = 1.8540746773013719*math.sqrt(LINK/(0.5*9.81))
# A pendulum of length 7/5*(R - r) from the angle 0.8; K by Gauss.
BALL = math.sqrt(1.4*0.45/9.81)*elliptic(math.sin(0.4))

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
    ("ball-in-bowl --set v=0 --until 2.2", "ball[1]", [BALL, 3*BALL, 5*BALL], 1e-5),
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


def bicycle(program, directory):
    """Lean and steer are sums of the published modes at 5 m/s (Meijaard et al. 2007, table 2): they
    obey the recurrence whose roots are exp(eigenvalue*0.2), to the size of the neglected squares."""
    modes = [-0.32286642900409, -14.07838969279822, -0.77534188219585 + 4.46486771378823j,
             -0.77534188219585 - 4.46486771378823j]
    factors = [1]
    for mode in modes:
        root = cmath.exp(mode*0.2)
        factors = [a - root*b for a, b in zip([*factors, 0], [0, *factors])]
    for values in columns(program, directory, "bicycle --set kick=0.001 --until 2", "lean", "steer"):
        way = values[::10]
        left = max(abs(sum(f*x for f, x in zip(factors, way[k + 4::-1] if k == 0 else
                                               way[k + 4:k - 1:-1])))
                   for k in range(len(way) - 4))
        check(f"bicycle: modes, {left} of {max(map(abs, way))}",
              len(way) == 11 and left < 1e-6*max(map(abs, way)))
    lean, = columns(program, directory, "bicycle --set v=2 --until 1.8", "lean")
    check(f"a slow bicycle falls: {max(map(abs, lean))}", max(map(abs, lean)) > 0.5)


def gyroscope(program, directory):
    """Precession at mw g d/(C s)."""
    times, angles = columns(program, directory, "gyroscope", "t", "precession")
    check(f"gyroscope: precession {angles[-1]}",
          abs(angles[-1]/times[-1]/(0.2*9.81*0.1/(0.004*300)) - 1) < 2e-3)


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
              and (result["warnings"] == []) == (path.stem not in REDUNDANT),
              err or str(result.get("warnings")))
        code, out, _ = program.run(f"livens run {path.stem} --until 0.01")
        within_width(f"run {path.stem}", out)


def carried_multipliers(program):
    """A smaller step does not help where carried multipliers leave the motion: the hint says what does."""
    code, _, err = program.run("livens run bicycle --scheme rattle")
    check("bicycle, carried multipliers: hint", code == 3 and "multipliers = motion" in err, err)
    _, result, _ = run_json(program, "bicycle --scheme rattle --multipliers motion")
    check("bicycle, those of the motion", result["energy"]["relative"] < 1e-5,
          str(result["energy"]))


RODS = """
[rods.stay]             # keeps what the rigidity of the link keeps
for = "i = 1..N"
between = ["point(link_i, [0, 0, l/4])", "point(link_i, [l/4, 0, 0])"]

[outputs]"""


def dependent_rods(program, directory):
    """Rods within bodies, which depend on the rigidity of these, disturb nothing."""
    path, store = f"{directory}/rods.toml", f"{directory}/rods.h5"
    chain = (HERE.parent.parent / "models/body-chain.toml").read_text()
    pathlib.Path(path).write_text(chain.replace("[outputs]", RODS))
    for scheme in ("multistep", "lobatto --stages 3", "em"):
        options = f"--scheme {scheme} --until"
        ways = [run_json(program, f"{name} --set N=30 {options} 0.02")[1]
                for name in (path, "body-chain")]
        check(f"rods in a chain, {scheme}: runs", all(w["status"] == "ok" for w in ways))
        tips = [w["final"]["outputs"]["tip"] for w in ways]
        check(f"rods in a chain, {scheme}: tips {tips}", far(*tips) < 1e-11)
        whole = run_json(program, f"{path} {options} 0.02")[1]
        pathlib.Path(store).unlink(missing_ok=True)
        program.run(f"livens run {path} {options} 0.01 -q -o {store}")
        _, out, _ = program.run(f"livens resume {store} --until 0.02 --json")
        check(f"rods in a chain, {scheme}: resumed to the same bits",
              json.loads(out)["final"] == whole["final"])


def loop_of_plates(thickness):
    """Four plates on five hinges along their thickness: three constraints depend on others."""
    corners = [(-math.cos(math.pi*k/4), -0.7*math.sin(math.pi*k/4)*(1 + 0.13*math.sin(3*k)))
               for k in range(5)]
    text = "[gravity]\nacceleration = [0, 0, -9.81]\n"
    for k, ((x, z), (u, w)) in enumerate(zip(corners, corners[1:])):
        mass = 1 + 0.1*k
        along, across, thin = (mass*a**2/12
                               for a in (math.hypot(u - x, w - z), 0.1, thickness))
        text += f"""
[bodies.plate{k + 1}]
mass = {mass}
inertia = [{across + thin!r}, {along + across!r}, {along + thin!r}]
position = [{(x + u)/2:.15g}, 0, {(z + w)/2:.15g}]
rotation = [0, {-math.atan2(w - z, u - x):.15g}, 0]
"""
    for k, (x, z) in enumerate(corners):
        ends_of = [f"plate{i}" if 0 < i < 5 else "ground" for i in (k, k + 1)]
        text += f"""
[joints.hinge{k}]
type = "revolute"
between = {json.dumps(ends_of)}
at = [{x:.15g}, 0, {z:.15g}]
axis = [0, 1, 0]
"""
    return text


def thin_plates(program, directory):
    """Rounding errors of inertias that nearly vanish are not taken for constraints."""
    path = f"{directory}/plates.toml"
    for thickness in (1e-2, 1e-4):
        pathlib.Path(path).write_text(loop_of_plates(thickness))
        for scheme in ("multistep", "lobatto --stages 3", "em"):
            _, result, err = run_json(program, f"{path} --scheme {scheme} --step 0.002 --until 0.12")
            check(f"loop of plates {thickness}, {scheme}", result["status"] == "ok"
                  and result["newton"]["mean"] < 4, err or str(result.get("newton")))


SUITES = [ends, carried_multipliers, in_directory(ranges), in_directory(zeros), in_directory(same_top),
          in_directory(bicycle), in_directory(gyroscope),
          in_directory(dependent_rods), in_directory(thin_plates),
          whole_runs]
