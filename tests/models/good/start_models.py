"""The shipped models a second time, by hand, from the formulas of their sources; start.py
computes with them.

Formulas are differentiated with complex steps: they use the functions of cmath and no abs().
"""

import math
from cmath import cos, sin, sqrt

PI = math.pi


class Model:
    """Energies, constraints and forces of one model, and its start.

    T(q, v), V(q, t), g(q, t), phi(q, v, t), f(q, v, t); g, phi and f give lists.
    """

    def __init__(self, name, mass, q, v, T, V, g=None, phi=None, f=None):
        self.name, self.mass = name, mass
        self.q, self.v = [float(x) for x in q], [float(x) for x in v]
        self.T, self.V = T, V
        self.g = g or (lambda q, t: [])
        self.phi = phi or (lambda q, v, t: [])
        self.f = f or (lambda q, v, t: [0.0] * len(q))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm2(a):
    return dot(a, a)


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def solve(A, b):
    """Gauss elimination with row pivoting."""
    n = len(b)
    A = [list(r) + [y] for r, y in zip(A, b)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(A[i][k]))
        A[k], A[p] = A[p], A[k]
        for i in range(k + 1, n):
            c = A[i][k] / A[k][k]
            if c:
                A[i] = [x - c * y for x, y in zip(A[i], A[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (A[k][n] - dot(A[k][k + 1:n], x[k + 1:])) / A[k][k]
    return x


# --------------------------------------------------------------------------------------
# The models. In each: the formulas of the source, then the start.


def pendulum3d():
    """Kinon, Betsch, Schneider 2023, (92), (93)."""
    m, l, grav = 1.0, 1.0, 9.81
    return Model(
        "pendulum3d", "constant", [1, 0, 0], [0, 1, 0],
        T=lambda q, v: m / 2 * norm2(v),
        V=lambda q, t: m * grav * q[2],
        g=lambda q, t: [(norm2(q) / l**2 - 1) / 2])


def four_particles():
    """Kinon, Betsch, Schneider 2023, (116), (117)."""
    mass = [1.0, 3.0, 2.3, 1.7]
    part = lambda q, k: q[3 * k - 3:3 * k]
    span = lambda q, a, b: norm2(minus(part(q, b), part(q, a)))
    return Model(
        "four-particles", "constant",
        [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], [0] * 11 + [2 / 1.7],
        T=lambda q, v: sum(m / 2 * norm2(part(v, k + 1)) for k, m in enumerate(mass)),
        V=lambda q, t: 50 / 2 * (span(q, 1, 3) - 1)**2 + 500 / 2 * (span(q, 2, 4) - 1)**2,
        g=lambda q, t: [(span(q, 1, 2) - 1) / 2, (span(q, 3, 4) - 1) / 2])


def steady_top():
    """Kinon, Betsch, Schneider 2023, section 6.2: coordinates phi, d1, d2, d3."""
    a, grav, wp, alpha = 0.1, 9.81, 10.0, PI / 3
    m, l = 2700 * PI * (a / 2)**2 * a / 3, 0.075
    inertia = 3 / 40 * m * a**2                         # the same about all axes
    s, c = math.sin(alpha), math.cos(alpha)
    axis = [0, -s, c]
    spin = m * grav * l / (inertia * wp) + m * l**2 / inertia * wp * c
    w = [spin * x + wp * y for x, y in zip(axis, [0, 0, 1])]
    q = [[l * x for x in axis], [1, 0, 0], [0, c, s], axis]
    v = [[w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2], w[0] * x[1] - w[1] * x[0]]
         for x in q]
    part = lambda q, k: q[3 * k:3 * k + 3]
    pairs = [(1, 1), (2, 2), (3, 3), (1, 2), (1, 3), (2, 3)]
    def g(q, t):
        rows = [dot(part(q, i), part(q, k)) for i, k in pairs]
        return ([(x - 1) / 2 for x in rows[:3]] + rows[3:]
                + [x / l - d for x, d in zip(part(q, 0), part(q, 3))])
    return Model(
        "steady-top", "constant", sum(q, []), sum(v, []),
        T=lambda q, v: m / 2 * norm2(part(v, 0)) + inertia / 4 * norm2(v[3:]),
        V=lambda q, t: m * grav * q[2], g=g)


def mass_spring_redundant(c=0.25):
    """Kinon, Betsch 2023 (Livens principle), (38), (39), (41)."""
    return Model(
        "mass-spring-redundant", "singular", [0, 1.1, 0], [1, 1, -1],
        T=lambda q, v: 2 / 2 * v[0]**2 + 1 / 2 * (v[1] + v[2])**2,
        V=lambda q, t: c * (1 * (q[0]**2 + q[0]**4) + 3 * (q[2]**2 + q[2]**4)),
        g=lambda q, t: [((q[1] - q[0])**2 - (1 + 0.1)**2) / 2])


def spring_pendulum_spherical():
    """Kinon, Betsch 2023 (Livens principle), (43)-(46)."""
    return Model(
        "spring-pendulum-spherical", "varying", [1.05, PI / 2, 0], [0, 1, 1],
        T=lambda q, v: (v[0]**2 + q[0]**2 * v[1]**2
                        + q[0]**2 * sin(q[1])**2 * v[2]**2) / 2,
        V=lambda q, t: 300 / 2 * ((q[0]**2 - 1) / 2)**2)


def nonholonomic_particle():
    """Martin de Diego, Sato Martin de Almagro 2018, section 7.1."""
    return Model(
        "nonholonomic-particle", "constant", [0.5, 1, 0], [1, -0.4, 1],
        T=lambda q, v: norm2(v) / 2,
        V=lambda q, t: (q[0]**2 + q[1]**2) / 2,
        phi=lambda q, v, t: [v[2] - q[1] * v[0]])


def cvt(eps=0.5, vy=3 * math.sqrt(10) / 5):
    """Martin de Diego, Sato Martin de Almagro 2018, section 7.2."""
    return Model(
        "cvt", "constant", [1, 0, 1], [0, vy, 0],
        T=lambda q, v: norm2(v) / 2,
        V=lambda q, t: (q[0]**2 + q[2]**2 - 2 * cos(q[1]) + eps * sin(2 * q[1])) / 2,
        phi=lambda q, v, t: [v[2] + sin(q[1]) * v[0]])


def chaotic_nonholonomic(j=20, J=40):
    """Martin de Diego, Sato Martin de Almagro 2018, section 7.3, with m = 3."""
    m, a = 3, j * PI / (2 * J)
    def V(q, t):
        at = lambda k: q[k - 1]
        return (norm2(q) + at(m + 2)**2 * at(m + 3)**2
                + sum(at(1 + i)**2 * at(m + 1 + i)**2 for i in range(1, m + 1))) / 2
    return Model(
        "chaotic-nonholonomic", "constant",
        [math.cos(a), 0.6, 0.4, 0.2, 1, 1, 1], [0, math.sin(a), 0, 0, 0, 0, 0],
        T=lambda q, v: norm2(v) / 2, V=V,
        phi=lambda q, v, t: [v[0] + sum(q[i] * v[i] for i in range(m + 1, 2 * m + 1))])


def pendulum_polar():
    """Muehlebach, Heimsch, Glocker 2016, (49), table I."""
    return Model(
        "pendulum-polar", "constant", [2 * PI / 3], [0],
        T=lambda q, v: 1 * 2**2 / 2 * v[0]**2,
        V=lambda q, t: -1 * 2 * 9.81 * cos(q[0]))


def pendulum_cartesian():
    """Muehlebach, Heimsch, Glocker 2016, (63), (64), table I."""
    a = math.radians(120)
    return Model(
        "pendulum-cartesian", "constant", [2 * math.sin(a), -2 * math.cos(a)], [0, 0],
        T=lambda q, v: norm2(v) / 2,
        V=lambda q, t: 9.81 * q[1],
        g=lambda q, t: [q[0]**2 + q[1]**2 - 4])


def henon_heiles():
    """Henon, Heiles 1964; own start."""
    return Model(
        "henon-heiles", "constant", [0.3, 0.2], [0.25, 0.35],
        T=lambda q, v: norm2(v) / 2,
        V=lambda q, t: (q[0]**2 + q[1]**2) / 2 + q[0]**2 * q[1] - q[1]**3 / 3)


def henon_heiles_ensemble():
    """Henon, Heiles 1964; the member that the file has without its sweep, of energy 1/8."""
    y, w = 0.3, 0.1
    return Model(
        "henon-heiles-ensemble", "constant", [0, y],
        [math.sqrt(2 * (0.125 - y**2 / 2 + y**3 / 3) - w**2), w],
        T=lambda q, v: norm2(v) / 2,
        V=lambda q, t: (q[0]**2 + q[1]**2) / 2 + q[0]**2 * q[1] - q[1]**3 / 3)


def kepler(e=0.6):
    """Hairer, Lubich, Wanner, Geometric Numerical Integration, I.2."""
    return Model(
        "kepler", "constant", [1 - e, 0], [0, math.sqrt((1 + e) / (1 - e))],
        T=lambda q, v: norm2(v) / 2,
        V=lambda q, t: -1 / sqrt(norm2(q)))


def double_pendulum():
    """Cartesian, masses 1 and 0.6, rods 1 and 0.8, released at the angles 0.8 and 1.3."""
    a = [math.sin(0.8), -math.cos(0.8)]
    b = [a[0] + 0.8 * math.sin(1.3), a[1] - 0.8 * math.cos(1.3)]
    return Model(
        "double-pendulum", "constant", a + b, [0] * 4,
        T=lambda q, v: (norm2(v[:2]) + 0.6 * norm2(v[2:])) / 2,
        V=lambda q, t: 9.81 * (q[1] + 0.6 * q[3]),
        g=lambda q, t: [(norm2(q[:2]) - 1) / 2,
                        (norm2(minus(q[2:], q[:2])) - 0.64) / 2])


def chain(N=10):
    """N masses 1/N on rods 1/N, horizontal and at rest."""
    part = lambda q, i: q[3 * i - 3:3 * i] if i > 0 else [0, 0, 0]
    return Model(
        "chain", "constant",
        [x for i in range(1, N + 1) for x in (i / N, 0, 0)], [0] * 3 * N,
        T=lambda q, v: norm2(v) / (2 * N),
        V=lambda q, t: 9.81 / N * sum(q[2::3]),
        g=lambda q, t: [norm2(minus(part(q, i), part(q, i - 1))) - 1 / N**2
                        for i in range(1, N + 1)])



def rod_chain():
    """The chain from particles and rods: constraints with the factor 1/2."""
    N, grav = 10, 9.81
    point = lambda q, i: q[3 * i:3 * i + 3]
    return Model(
        "rod-chain", "constant",
        [x for i in range(1, N + 1) for x in (i / N, 0, 0)], [0] * (3 * N),
        T=lambda q, v: norm2(v) / (2 * N),
        V=lambda q, t: sum(grav / N * point(q, i)[2] for i in range(N)),
        g=lambda q, t: [(norm2(minus(point(q, i), point(q, i - 1) if i else [0, 0, 0]))
                         - 1 / N**2) / 2 for i in range(N)])


def spring_net():
    """Beads on a grid: row 0, 1, 2, columns 1 to N, posts in the columns 0 and N + 1."""
    N, l, k, c, m, M, w = 5, 0.9, 200, 10, 0.1, 5, 4
    grid = [(row, i) for row in range(3) for i in range(1, N + 1)]
    mass = [M if node == (1, 3) else m for node in grid]
    def where(q, node):
        j = grid.index(node) if node in grid else -1
        return q[3 * j:3 * j + 3] if j >= 0 else [node[1], node[0] - 1, 0]
    springs = [((row, i), (row, i + 1)) for row in range(3) for i in range(N + 1)]
    springs += [((row, i), (row + 1, i)) for row in range(2) for i in range(1, N + 1)]
    def V(q, t):
        stretch = [sqrt(norm2(minus(where(q, b), where(q, a)))) - l for a, b in springs]
        return k / 2 * sum(x**2 for x in stretch) + sum(
            9.81 * mj * q[3 * j + 2] for j, mj in enumerate(mass))
    def f(q, v, t):
        out = [0.0] * len(q)
        for ends in springs:
            r = minus(*(where(q, e) for e in reversed(ends)))
            speed = [v[3 * grid.index(e):][:3] if e in grid else [0, 0, 0] for e in ends]
            rate = dot(r, minus(speed[1], speed[0])) / norm2(r)
            for sign, e in zip((1, -1), ends):
                for x in range(3 if e in grid else 0):
                    out[3 * grid.index(e) + x] += sign * c * rate * r[x]
        return out
    return Model(
        "spring-net", "constant",
        [x for row, i in grid for x in (i, row - 1, 0)],
        [x for node in grid for x in (0, 0, -w if node == (1, 3) else 0)],
        T=lambda q, v: sum(mj / 2 * norm2(v[3 * j:3 * j + 3])
                           for j, mj in enumerate(mass)),
        V=V, f=f)

def torus():
    """Degree four constraint; the start velocity is (0.4, 1.1, 0.5) made tangent."""
    R, r, a, b = 2, 1, 0.3, 0.7
    n = [math.cos(b) * math.cos(a), math.cos(b) * math.sin(a), math.sin(b)]
    u, n0 = [0.4, 1.1, 0.5], math.cos(b)
    v = [x - dot(u, n) * y for x, y in zip(u, n)]
    printed = [-0.2305859046087, 0.9049369212116, -0.05596660064963]
    assert max(map(abs, minus(v, printed))) < 1e-13
    return Model(
        "torus", "constant",
        [(R + r * n0) * math.cos(a), (R + r * n0) * math.sin(a), r * math.sin(b)], v,
        T=lambda q, v: norm2(v) / 2,
        V=lambda q, t: q[2],
        g=lambda q, t: [((norm2(q) + R**2 - r**2)**2
                         - 4 * R**2 * (q[0]**2 + q[1]**2)) / 8])


def two_link_arm():
    """M(q); the start is given by the momenta (0.3, -0.1)."""
    m1, m2, l1, l2, grav = 1, 0.6, 1, 0.8, 9.81
    def M(q):
        m12 = m2 * l2**2 + m2 * l1 * l2 * cos(q[1])
        return [[(m1 + m2) * l1**2 + m2 * l2**2 + 2 * m2 * l1 * l2 * cos(q[1]), m12],
                [m12, m2 * l2**2]]
    q = [0.8, 0.5]
    v = solve([[x.real if isinstance(x, complex) else x for x in row] for row in M(q)],
              [0.3, -0.1])
    return Model(
        "two-link-arm", "varying", q, v,
        T=lambda q, v: dot(v, [dot(row, v) for row in M(q)]) / 2,
        V=lambda q, t: (-(m1 + m2) * grav * l1 * cos(q[0])
                        - m2 * grav * l2 * cos(q[0] + q[1])))


def cart_pole():
    """A point mass on a rod of length l that stands on a cart; no force at the start."""
    M, m, l, grav = 1, 0.1, 0.5, 9.81
    return Model(
        "cart-pole", "varying", [0, 0.1], [0, 0],
        T=lambda q, v: ((M + m) * v[0]**2 + 2 * m * l * cos(q[1]) * v[0] * v[1]
                        + m * l**2 * v[1]**2) / 2,
        V=lambda q, t: m * grav * l * cos(q[1]))


def bouncing_ball():
    return Model(
        "bouncing-ball", "constant", [0, 1.1], [0.4, 0],
        T=lambda q, v: 0.1 * norm2(v) / 2, V=lambda q, t: 0.1 * 9.81 * q[1])


def rocking_block():
    """It stands on its left corner: its centre is R above it when the angle is a."""
    R, a = math.hypot(0.25, 1), math.atan(0.25)
    return Model(
        "rocking-block", "constant", [0.6 * a], [0],
        T=lambda q, v: 4 / 3 * 1000 * R**2 * v[0]**2 / 2,
        V=lambda q, t: 1000 * 9.81 * R * cos(a - q[0]))


def rheonomic_pendulum():
    """Moving pivot; the start velocity is (0.2, 0.3) made consistent along the rod."""
    pivot = lambda t: [0.3 * sin(3 * t), 0.2 * (cos(3 * t) - 1)]
    n = [math.sin(0.9), -math.cos(0.9)]
    slip = dot(minus([0.9, 0], [0.2, 0.3]), n)      # pivot velocity at t = 0: (0.9, 0)
    v = [0.2 + slip * n[0], 0.3 + slip * n[1]]
    printed = [0.7755978777743, -0.1567663566034]
    assert max(map(abs, minus(v, printed))) < 1e-13
    return Model(
        "rheonomic-pendulum", "constant", n, v,
        T=lambda q, v: norm2(v) / 2,
        V=lambda q, t: 9.81 * q[1],
        g=lambda q, t: [(norm2(minus(q, pivot(t))) - 1) / 2])


def andrews():
    """Test Set for IVP Solvers, Andrews' squeezing mechanism.

    The mechanism as a table of bodies. Each hangs on the end of another or on a fixed
    point; centre and end are given in its own axes, its direction is the sum of the
    angles named.
    """
    A, B, C = [-.06934, -.00227], [-.03635, .03273], [.014, .072]
    beta, theta, gamma, phi, delta, omega, epsilon = range(7)
    # body: on, direction, centre of mass, end, mass, inertia
    bodies = {
        "K1": ([0, 0], [beta], [92e-5, 0], [7e-3, 0], .04325, 2.194e-6),
        "K2": ("K1", [beta, theta], [-115e-4, 0], [-28e-3, 0], .00365, 4.410e-7),
        "K3": (B, [gamma], [1043e-5, -1874e-5], [0, -35e-3], .02373, 5.255e-6),
        "K5": (A, [delta], [2308e-5, 916e-5], [4e-2, 0], .07050, 1.169e-5),
        "K4": ("K5", [phi, delta], [0, -(2e-2 - 1421e-5)], [0, -2e-2], .00706, 5.667e-7),
        "K7": (A, [epsilon], [-449e-5, -1228e-5], [0, -4e-2], .05498, 1.912e-5),
        "K6": ("K7", [omega, epsilon], [2e-2 - 1421e-5, 0], [2e-2, 0], .00706, 5.667e-7),
    }
    spring_end, stiffness, length, torque = [2e-2, -18e-3], 4530, 7785e-5, 33e-3

    def turned(a, x):
        return [x[0] * cos(a) - x[1] * sin(a), x[0] * sin(a) + x[1] * cos(a)]

    def place(name, q, x=None):
        """A point x of a body, by default its end."""
        on, angles, _, end, _, _ = bodies[name]
        foot = place(on, q) if isinstance(on, str) else on
        arm = turned(sum(q[k] for k in angles), x or end)
        return [a + b for a, b in zip(foot, arm)]

    def speed(name, q, v, x=None):
        on, angles, _, end, _, _ = bodies[name]
        foot = speed(on, q, v) if isinstance(on, str) else [0, 0]
        arm = turned(sum(q[k] for k in angles), x or end)
        rate = sum(v[k] for k in angles)
        return [foot[0] - rate * arm[1], foot[1] + rate * arm[0]]

    def T(q, v):
        return sum(m / 2 * norm2(speed(name, q, v, centre))
                   + inertia / 2 * sum(v[k] for k in angles)**2
                   for name, (_, angles, centre, _, m, inertia) in bodies.items())

    def V(q, t):
        stretch = sqrt(norm2(minus(place("K3", q, spring_end), C))) - length
        return stiffness / 2 * stretch**2

    def g(q, t):
        P = place("K2", q)
        return [x for name in ("K3", "K4", "K6") for x in minus(P, place(name, q))]

    q = [-0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885,
         0.487364979543842550, -0.222668390165885885, 1.23054744454982119]
    return Model("andrews", "varying", q, [0] * 7, T, V, g,
                 f=lambda q, v, t: [torque, 0, 0, 0, 0, 0, 0])


def car_axis():
    """Test Set for IVP Solvers, car axis."""
    eps, M, L, L0, r, w, grav = 1e-2, 10, 1, 0.5, 0.1, 10, 1
    k = M * eps**2 / 2
    def foot(t):
        y = r * sin(w * t)
        return sqrt(L**2 - y**2), y
    def V(q, t):
        xb, yb = foot(t)
        left, right = sqrt(q[0]**2 + q[1]**2), sqrt((q[2] - xb)**2 + (q[3] - yb)**2)
        return (left - L0)**2 / 2 + (right - L0)**2 / 2 + k * grav * (q[1] + q[3])
    def g(q, t):
        xb, yb = foot(t)
        return [xb * q[0] + yb * q[1], (q[0] - q[2])**2 + (q[1] - q[3])**2 - L**2]
    return Model("car-axis", "constant", [0, 0.5, 1, 0.5], [-0.5, 0, -0.5, 0],
                 T=lambda q, v: k / 2 * norm2(v), V=V, g=g)


def penning_trap():
    """Brown, Gabrielse 1986; w_c = 5, w_z = 1. The Lorentz force as a force."""
    return Model(
        "penning-trap", "constant", [1, 0, 0.5], [0, -1, 0],
        T=lambda q, v: norm2(v) / 2,
        V=lambda q, t: (2 * q[2]**2 - q[0]**2 - q[1]**2) / 4,
        f=lambda q, v, t: [5 * v[1], -5 * v[0], 0.0])


def knife_edge():
    """Neimark, Fufaev 1972; the slope along x."""
    a = 9.81 * math.sin(PI / 6)
    return Model(
        "knife-edge", "constant", [0, 0, 0], [0, 0, 2],
        T=lambda q, v: (v[0]**2 + v[1]**2) / 2 + 0.1 / 2 * v[2]**2,
        V=lambda q, t: -a * q[0],
        phi=lambda q, v, t: [sin(q[2]) * v[0] - cos(q[2]) * v[1]])


def knife_edge_at(t):
    """u0 = 0: a cycloid."""
    a, w = 9.81 * math.sin(PI / 6), 2.0
    return [a / (2 * w * w) * math.sin(w * t)**2,
            a / (2 * w * w) * (w * t - math.sin(2 * w * t) / 2), w * t]


def chaplygin_sleigh():
    """Chaplygin 1911: q is the centre of mass, 0.2 ahead of the blade, and the heading."""
    a = 0.2
    return Model(
        "chaplygin-sleigh", "constant", [0, 0, 0], [-1, a * 0.1, 0.1],
        T=lambda q, v: (v[0]**2 + v[1]**2) / 2 + 0.05 / 2 * v[2]**2,
        V=lambda q, t: 0.0,
        phi=lambda q, v, t: [cos(q[2]) * (v[1] - a * cos(q[2]) * v[2])
                             - sin(q[2]) * (v[0] + a * sin(q[2]) * v[2])])


def rolling_penny():
    """Bloch 2003: q is the point of contact, heading, rolling."""
    R, w, W = 0.5, 1.0, 2.0
    return Model(
        "rolling-penny", "constant", [0, 0, 0, 0], [R * W, 0, w, W],
        T=lambda q, v: (v[0]**2 + v[1]**2 + R**2 / 4 * v[2]**2 + R**2 / 2 * v[3]**2) / 2,
        V=lambda q, t: 0.0,
        phi=lambda q, v, t: [v[0] - R * cos(q[2]) * v[3], v[1] - R * sin(q[2]) * v[3]])


def rolling_penny_at(t):
    return [math.sin(t), 1 - math.cos(t), t, 2 * t]


def rolling_disc():
    """The penny on a slope, its heading a unit vector."""
    R, w, W, a = 0.5, 1.0, 2.0, 9.81 * math.sin(0.2)
    return Model(
        "rolling-disc", "constant", [0, 0, 1, 0, 0], [R * W, 0, 0, w, W],
        T=lambda q, v: (norm2(v[:2]) + R**2 / 4 * norm2(v[2:4]) + R**2 / 2 * v[4]**2) / 2,
        V=lambda q, t: -a * q[0],
        g=lambda q, t: [(norm2(q[2:4]) - 1) / 2],
        phi=lambda q, v, t: [v[0] - R * v[4] * q[2], v[1] - R * v[4] * q[3]])


def rolling_disc_at(t):
    """(I + m R^2) psi'' = m a R cos(w t), with I = m R^2/2 and w = 1."""
    R, W, a = 0.5, 2.0, 9.81 * math.sin(0.2)
    k = 2 * a / (3 * R)
    s, c = math.sin(t), math.cos(t)
    return [R * (W * s + k / 2 * s * s), R * (W * (1 - c) + k / 2 * (t - s * c)),
            c, s, W * t + k * (1 - c)]


def appell_hamel(k=0.0):
    """Appell 1911, Hamel 1949; a spring to the origin is ours."""
    return Model(
        "appell-hamel", "constant", [0.5, 0, 0], [0.8, 0.6, -0.5],
        T=lambda q, v: (v[0]**2 + v[1]**2) / 2 + 0.5 / 2 * v[2]**2,
        V=lambda q, t: 0.5 * 9.81 * q[2] + k / 2 * (q[0]**2 + q[1]**2),
        phi=lambda q, v, t: [(v[2]**2 - 0.25 * (v[0]**2 + v[1]**2)) / 2])


def appell_hamel_at(t):
    way = t + 0.5 * 9.81 * 0.5 / (1 + 0.5 * 0.25) * t * t / 2
    return [0.5 + 0.8 * way, 0.6 * way, -0.5 * way]


def turntable_ball(slope=0.0):
    """Earnshaw 1844: q is the point of contact and three angles, v[2:] the angular velocity."""
    r, W, a = 0.1, 3.5, 9.81 * math.sin(slope)
    return Model(
        "turntable-ball", "constant", [0.3, 0.1, 0, 0, 0],
        [0.05, 0.2, (W * 0.3 - 0.2) / r, (W * 0.1 + 0.05) / r, 1],
        T=lambda q, v: (norm2(v[:2]) + 2 / 5 * r**2 * norm2(v[2:])) / 2,
        V=lambda q, t: -a * q[0],
        # the ball's velocity where it touches, x' + w x (-r e3), less the table's
        phi=lambda q, v, t: [v[0] - r * v[3] + W * q[1], v[1] + r * v[2] - W * q[0]])


def turntable_ball_at(t, slope=0.0):
    """x'' = k e3 x x' + 5/7 a e1: v less the drift turns at k = 2/7 W = 1 rad/s."""
    drift = 5 / 7 * 9.81 * math.sin(slope)
    u, s, c = [0.05, 0.2 - drift], math.sin(t), math.cos(t)
    return [0.3 + s * u[0] - (1 - c) * u[1],
            0.1 + s * u[1] + (1 - c) * u[0] + drift * t]


def snakeboard():
    """Ostrowski, Lewis, Murray, Burdick 1994; q = x, y, theta, psi, phi."""
    m, l, Jr, Jw, A, B, w = 6.0, 0.2, 0.1, 0.01, 0.7, 0.3, 2.0
    J = m * l**2 - Jr - 2 * Jw
    def wheels(q, v, side):
        """Velocity of a pair of wheels across its direction; side +1: in front."""
        x = v[0] - side * l * sin(q[2]) * v[2]
        y = v[1] + side * l * cos(q[2]) * v[2]
        angle = q[2] + side * q[4]
        return -sin(angle) * x + cos(angle) * y
    return Model(
        "snakeboard", "constant", [0] * 5, [0, 0, 0, A * w, B * w],
        T=lambda q, v: (m * (v[0]**2 + v[1]**2) + J * v[2]**2 + Jr * (v[2] + v[3])**2
                        + Jw * ((v[2] + v[4])**2 + (v[2] - v[4])**2)) / 2,
        V=lambda q, t: 0.0,
        g=lambda q, t: [q[3] - A * sin(w * t), q[4] - B * sin(w * t)],
        phi=lambda q, v, t: [wheels(q, v, 1), wheels(q, v, -1)])


def full_feature():
    """Artificial problem with every feature."""
    return Model(
        "full-feature", "varying",
        [0.532907648268561, 0.331602031432774, -0.446994343252351, 0.70818660674127],
        [0.473453690179386, -0.132241778625625, 0.423016168467605, 0.109958162806123],
        T=lambda q, v: ((2 + 0.5 * sin(q[1])) * v[0]**2 + 0.6 * cos(q[2]) * v[0] * v[1]
                        + 1.5 * v[1]**2 + 1.2 * v[2]**2
                        + (1 + 0.25 * q[2]**2) * v[3]**2) / 2,
        V=lambda q, t: norm2(q) / 2 + 0.4 * q[2] * q[3] + 0.1 * q[0]**2 * q[3],
        g=lambda q, t: [(norm2(q) - 1) / 2 + 0.2 * q[0] * q[2] - 0.1 * sin(t)],
        phi=lambda q, v, t: [v[3] - 0.3 * v[0] * v[1] - 0.2 * v[2]**2 - 0.1 * q[0] * v[1]
                             - 0.1 + 0.2 * sin(0.7 * t) * (1 + 0.3 * v[1])],
        f=lambda q, v, t: [-0.15 * v[0] + 0.2 * cos(1.3 * t), -0.1 * q[2] * v[1],
                           -0.15 * v[2] + 0.1 * v[0],
                           -0.1 * v[3]**3 - 0.1 * v[0] * v[3]])


def unlike_chain():
    """Five points on rods of their own length, along e1, turning about e3."""
    l, m, w = [0.3, 0.25, 0.2, 0.15, 0.1], [0.5, 0.4, 0.3, 0.2, 0.1], 2
    x = [sum(l[:i + 1]) for i in range(5)]
    point = lambda q, i: q[3 * i:3 * i + 3] if i >= 0 else [0, 0, 0]
    return Model(
        "unlike-chain", "constant",
        [c for i in range(5) for c in (x[i], 0, 0)],
        [c for i in range(5) for c in (0, w * x[i], 0)],
        T=lambda q, v: sum(m[i] / 2 * norm2(point(v, i)) for i in range(5)),
        V=lambda q, t: sum(9.81 * m[i] * point(q, i)[2] for i in range(5)),
        g=lambda q, t: [norm2(minus(point(q, i), point(q, i - 1))) - l[i]**2
                        for i in range(5)])


MODELS = [andrews, appell_hamel, bouncing_ball, car_axis, cart_pole, chain, chaotic_nonholonomic, chaplygin_sleigh,
          cvt, double_pendulum, four_particles, full_feature, henon_heiles,
          henon_heiles_ensemble, kepler, knife_edge, mass_spring_redundant,
          nonholonomic_particle, pendulum_cartesian, pendulum_polar, pendulum3d,
          penning_trap, rheonomic_pendulum, rocking_block, rod_chain, rolling_disc,
          rolling_penny,
          snakeboard, spring_net, spring_pendulum_spherical, steady_top, torus,
          turntable_ball, two_link_arm, unlike_chain]
