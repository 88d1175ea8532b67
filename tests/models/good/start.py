#!/usr/bin/env python3
"""Reference values for the shipped models at their start: writes start.csv.

    python3 start.py            write start.csv beside this file
    python3 start.py --check    also integrate and compare with published end states

The models are those of start_models.py, not of the TOML files. A reader that misunderstands
a model file, or a model file with a slip, therefore disagrees with start.csv. Models with bodies
are read from their TOML files by start_bodies.py.

Columns: model, n (scalar coordinates), holonomic and nonholonomic (scalar rows), mass
(constant, varying or singular), T, V, E = v.L_v - L, and upper bounds for max|g|,
max|G v + g_t| and max|Phi| (0 where there is no such row), and the rank of all constraints.

All derivatives are taken with complex steps of 1e-30, which gives them to rounding:
f'(x) = Im f(x + ih)/h. For this, formulas use the functions of cmath and no abs().
"""

import csv
import math
import os
import sys

import start_bodies
from start_models import (
    MODELS, andrews, appell_hamel, appell_hamel_at, car_axis, chaotic_nonholonomic,
    chaplygin_sleigh, cvt, dot, double_pendulum, four_particles, full_feature,
    henon_heiles, knife_edge, knife_edge_at, mass_spring_redundant,
    nonholonomic_particle, pendulum3d, pendulum_cartesian, pendulum_polar,
    penning_trap, rheonomic_pendulum, rolling_disc, rolling_disc_at, rolling_penny,
    rolling_penny_at, snakeboard, solve, spring_pendulum_spherical, torus,
    turntable_ball, turntable_ball_at, two_link_arm)

H = 1e-30


# --------------------------------------------------------------------------------------
# Values at the start.

def real(x):
    return x.real if isinstance(x, complex) else float(x)


def imag(x):
    return x.imag if isinstance(x, complex) else 0.0


def along(x, d):
    """x + i H d"""
    return [a + 1j * H * b for a, b in zip(x, d)]


def energy(m, q, v, t):
    """v.L_v - L, with v.L_v the derivative of L(q, (1 + s) v) at s = 0."""
    L = m.T(q, [x * (1 + 1j * H) for x in v]) - m.V(q, t)
    return imag(L) / H - real(L)


def bound(rows):
    """A round upper bound for residuals: 0 without rows, else at least 1e-14."""
    if not rows:
        return "0"
    size = max(abs(real(x)) for x in rows)
    return "1e-14" if size < 5e-15 else "1e%d" % math.ceil(math.log10(2 * size))


def row(m):
    q, v = m.q, m.v
    gdot = [imag(x) / H for x in m.g(along(q, v), 1j * H)]
    return [m.name, len(q), len(m.g(q, 0.0)), len(m.phi(q, v, 0.0)), m.mass,
            "%.17g" % real(m.T(q, v)), "%.17g" % real(m.V(q, 0.0)),
            "%.17g" % energy(m, q, v, 0.0),
            bound(m.g(q, 0.0)), bound(gdot), bound(m.phi(q, v, 0.0)),
            start_bodies.rank(jacobian(m, q, v, 0.0))]


def unit(n, *places):
    return [1.0 if i in places else 0.0 for i in range(n)]


def jacobian(m, q, v, t):
    """Rows of G, then of Phi_v."""
    n = len(q)
    dq = [along(q, unit(n, i)) for i in range(n)]
    dv = [along(v, unit(n, i)) for i in range(n)]
    G = zip(*[[imag(x) / H for x in m.g(x, t)] for x in dq])
    A = zip(*[[imag(x) / H for x in m.phi(q, x, t)] for x in dv])
    return [list(r) for r in [*G, *A]]


# Energies printed in the sources, or exact by hand.
PUBLISHED_ENERGY = {
    "pendulum3d": 0.5, "four-particles": 1.1764705882352942, "mass-spring-redundant": 1,
    "spring-pendulum-spherical": 1.4964843750, "nonholonomic-particle": 1.705,
    "cvt": 9 / 5, "chaotic-nonholonomic": 3.06, "pendulum-polar": 9.81,
    "pendulum-cartesian": 9.81, "kepler": -0.5, "chain": 0,
    "rod-chain": 0, "spring-net": 68, "steady-top": 5.669055190632946,
    "penning-trap": 0.375,
}


# --------------------------------------------------------------------------------------
# --check: integrate the index-reduced equations and compare with published end states.

def mass_matrix(m, q):
    """T is a quadratic form in v: its matrix by polarisation."""
    n = len(q)
    diag = [m.T(q, unit(n, i)) for i in range(n)]
    M = [[0.0] * n for _ in range(n)]
    for i in range(n):
        M[i][i] = 2 * diag[i]
        for j in range(i):
            M[i][j] = M[j][i] = m.T(q, unit(n, i, j)) - diag[i] - diag[j]
    return M


def accelerations(m, q, v, t):
    """Accelerations and multipliers: p' = L_q + f + G^T mu + Phi_v^T lambda."""
    n = len(q)
    dq = [along(q, unit(n, i)) for i in range(n)]
    M = mass_matrix(m, along(q, v))
    Mv = [imag(dot(r, v)) / H for r in M]               # d/dt M, times v
    rhs = [imag(m.T(x, v) - m.V(x, t)) / H + real(fk) - y
           for x, fk, y in zip(dq, m.f(q, v, t), Mv)]
    C = jacobian(m, q, v, t)
    holonomic = len(m.g(q, t))
    # d/dt (G v + g_t) with v frozen: a central difference of sixth order along the line
    # (q, t) + s (v, 1), applied to first derivatives from complex steps.
    def gdot(s):
        return [imag(x) / H for x in
                m.g([a + (s + 1j * H) * b for a, b in zip(q, v)], t + s + 1j * H)]
    e = 1e-3 / (1 + max(map(abs, v)))
    weights = [(k, c / (60 * e)) for k, c in ((1, 45), (2, -9), (3, 1))]
    second = [0.0] * holonomic
    for k, c in weights if holonomic else ():
        second = [x + c * (b - a) for x, a, b in zip(second, gdot(-k * e), gdot(k * e))]
    drift = [imag(x) / H for x in m.phi(along(q, v), v, t + 1j * H)]
    k = len(C)
    K = [[real(x) for x in r] + [-c[i] for c in C] for i, r in enumerate(M)]
    K += [c + [0.0] * k for c in C]
    x = solve(K, rhs + [-y for y in second + drift])
    return x[:n], x[n:]


def integrate(m, until, steps, columns=6):
    """Extrapolated explicit midpoint rule (Gragg, Bulirsch, Stoer) of order 2*columns."""
    n = len(m.q)
    def slope(y, t):
        return y[n:] + accelerations(m, y[:n], y[n:], t)[0]
    y, h = m.q + m.v, until / steps
    for step in range(steps):
        t, table = step * h, []
        for c in range(1, columns + 1):
            k, s = 2 * c, h / (2 * c)
            a, b = y, [x + s * d for x, d in zip(y, slope(y, t))]
            for i in range(1, k):
                a, b = b, [x + 2 * s * d for x, d in zip(a, slope(b, t + i * s))]
            end = [(x + z + s * d) / 2 for x, z, d in zip(a, b, slope(b, t + h))]
            line = [end]
            for j in range(1, c):
                w = (c / (c - j))**2 - 1
                line.append([x + (x - z) / w for x, z in zip(line[-1], table[-1][j - 1])])
            table.append(line)
        y = table[-1][-1]
    return y[:n], y[n:]


def momenta(m, q, v):
    return [real(dot(r, v)) for r in mass_matrix(m, q)]


# model, end time, steps, kind and values of the published end state, tolerance
PUBLISHED_END = [
    (pendulum3d(), 1, 20, "q",
     [-0.9061288904274, -0.3945814687971, -0.1524332588862], 1e-12),
    (four_particles(), 1, 60, "q", [
        0.0079843277234334095, 0.011392149426950005, 0.00041510286046706455,
        0.98572992065231099, 0.20688807258080377, 0.076539340382954759,
        0.24273202080835562, 0.97994057097269269, 0.088765457769869254,
        0.69208368380024454, 0.65534136446673265, 0.92106254301174669], 1e-12),
    (mass_spring_redundant(0.25), 10, 60, "x",
     [0.139791470904682, -0.203457909032904], 1e-11),
    (mass_spring_redundant(0.50), 10, 60, "x",
     [0.887797398914337, 0.265961504885484], 1e-11),
    (spring_pendulum_spherical(), 1, 30, "q",
     [1.023990836187801, 2.355977500928158, 1.541337346279490], 1e-12),
    (nonholonomic_particle(), 2, 10, "q",
     [1.29480436466913, -0.779865807277415, 0.737441159969887], 1e-12),
    (cvt(), 10, 120, "q",
     [-0.88090721434821023, 0.68319938828418165, -0.86713473870646569], 1e-12),
    (cvt(0.5, math.sqrt(8)), 10, 120, "q",
     [0.22216407343067416, 23.727905422224081, 0.76991541307751125], 1e-12),
    (chaotic_nonholonomic(), 10, 60, "q",
     [0.337239598667673, 0.590467343294308, 0.383531786662187, 0.159463126069128,
      0.416866866021619, -1.20455204689978, -1.45430765223889], 1e-11),
    (pendulum_polar(), 15, 200, "qp", [1.344697360172, 10.661467974], 1e-9),
    (pendulum_cartesian(), 15, 300, "qp",
     [1.949096664044, -0.448354986777, 1.195030583147, 5.19505791558], 2e-9),
    (henon_heiles(), 4, 16, "qp",
     [-0.3483438696341, -0.4520625733385, 0.1270757828474, -0.227892253953], 1e-12),
    (two_link_arm(), 1, 20, "qp",
     [-0.6812062496346, -0.1101210096002, -4.475589909411, -1.394455661822], 1e-11),
    (torus(), 1.6, 20, "qp",
     [1.945889717168, 1.978517416055, -0.6318743954577,
      -1.371962188426, -0.06978179986032, -1.241067029009], 1e-11),
    (double_pendulum(), 0.8, 20, "qp",
     [-0.2638540545115, -0.9645626148249, -0.7050436867576, -1.631909382554,
      -2.011873328997, 0.5503436758389, -2.168815510738, 0.9659900972099], 1e-11),
    (rheonomic_pendulum(), 1.2, 20, "qp",
     [-0.44591997708, -1.329050797068, -0.1866414587154, 0.06092144127158], 1e-11),
    (penning_trap(), 10, 100, "q",
     [0.47733911816273483, -0.5132236113388038, -0.4195357645382262], 1e-12),
    (car_axis(), 3, 300, "q",
     [0.0493455784275402809122, 0.496989460230171153861,
      1.04174252488542151681, 0.373911027265361256927], 1e-11),
    (full_feature(), 2, 16, "qp",
     [0.749253486566793, -0.331052131366697, 0.142544466808532, 0.669211090787982,
      -0.368356677277365, -0.519655092170886, 0.111759524883215, -0.086610036171312],
     1e-12),
    (andrews(), 0.03, 150, "q",
     [15.810771195153707, -15.756371058411839, 0.040822240119645805, -0.53473011634207959,
      0.52440996587995407, 0.53473011634207959, 1.0480807410419379], 1e-10),
    # Closed forms.
    (knife_edge(), 5, 60, "q", knife_edge_at(5), 1e-11),
    (rolling_penny(), 5, 40, "q", rolling_penny_at(5), 1e-11),
    (rolling_disc(), 5, 40, "q", rolling_disc_at(5), 1e-10),
    (appell_hamel(), 4, 20, "q", appell_hamel_at(4), 1e-11),
    (turntable_ball(), 5, 40, "head", turntable_ball_at(5), 1e-12),
    (turntable_ball(0.1), 5, 40, "head", turntable_ball_at(5, 0.1), 1e-12),
    # Not published: computed here with half the step.
    (chaplygin_sleigh(), 6, 60, "q",
     [-2.29378355538479, -4.21451117331394, 4.66708041857528], 1e-12),
    (appell_hamel(4.0), 4, 40, "q",
     [1.87840068315808, 2.33652642171751, -6.21663479536617], 1e-12),
    (snakeboard(), 10, 80, "q",
     [1.6745154841876, -0.041853714608, -0.095967767743, 0.7 * math.sin(20),
      0.3 * math.sin(20)], 1e-10),
]


def check():
    failures = 0
    # Multipliers of Andrews' mechanism at the start; the test set has the opposite sign.
    m = andrews()
    a, mu = accelerations(m, m.q, m.v, 0.0)
    want = [98.56687039624109, -6.122688344255663, 0, 0, 0, 0]
    error = max(abs(x + y) for x, y in zip(mu, want))
    print("%-28s lambda(0)  error %.1e" % (m.name, error))
    failures += error > 1e-10
    for m, until, steps, kind, want, tolerance in PUBLISHED_END:
        q, v = integrate(m, until, steps)
        have = {"q": lambda: q, "x": lambda: [q[0], q[2]], "head": lambda: q[:len(want)],
                "qp": lambda: q + momenta(m, q, v)}[kind]()
        error = max(abs(x - y) for x, y in zip(have, want))
        good = len(have) == len(want) and error < tolerance
        print("%-28s t = %-5g  error %.1e%s"
              % (m.name, until, error, "" if good else "  TOO LARGE"))
        failures += not good
    return failures


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "start.csv")
    rows = [row(make()) for make in MODELS] + start_bodies.rows()
    for r in rows:
        want = PUBLISHED_ENERGY.get(r[0])
        if want is not None and abs(float(r[7]) - want) > 1e-14 * (1 + abs(want)):
            sys.exit("%s: E = %s, published %.17g" % (r[0], r[7], want))
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow("model,n,holonomic,nonholonomic,mass,T,V,E,g_max,gdot_max,phi_max,"
                     "rank"
                     .split(","))
        out.writerows(rows)
    if "--check" in sys.argv[1:]:
        sys.exit(1 if check() else 0)


if __name__ == "__main__":
    main()
