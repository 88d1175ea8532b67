"""A controller: balances a pole on a cart. Every tenth step it sees the state and sets the force on the cart.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/cart_pole.py
"""
import livens
import numpy as np
from scipy.linalg import solve_continuous_are

CART_POLE = """name = "pole on a cart"
[parameters]
M = 1.0         # kg, cart
m = 0.2         # kg, at the end of the pole
l = 0.5         # m
g = 9.81        # m/s^2
[inputs]
u = 0           # N, on the cart
[coordinates]
x = 0
phi = 0.3       # rad, from upright
[energy]
kinetic = "(M + m)/2*x'^2 + m*l*x'*phi'*cos(phi) + m*l^2/2*phi'^2"
potential = "m*g*l*cos(phi)"
[forces.motor]
on = "x"
force = "u"
"""


def gains(p):
    """Of the linear-quadratic regulator, for the pole upright: u = -K (x, phi, x', phi')."""
    mass = np.array([[p["M"] + p["m"], p["m"] * p["l"]], [p["m"] * p["l"], p["m"] * p["l"] ** 2]])
    stiffness = np.array([[0, 0], [0, p["m"] * p["g"] * p["l"]]])
    a = np.block([[np.zeros((2, 2)), np.eye(2)], [np.linalg.solve(mass, stiffness), np.zeros((2, 2))]])
    b = np.concatenate([np.zeros(2), np.linalg.solve(mass, [1, 0])])[:, None]
    return (b.T @ solve_continuous_are(a, b, np.diag([1, 10, 1, 1.0]), np.eye(1)))[0]


def main():
    model = livens.Model(CART_POLE)
    k = gains(model.parameters)
    sim = model.simulate("gauss", 0.002)
    q, v = sim.q, sim.v  # views: they have the state after every step
    largest = 0.0
    while sim.t < 10:
        force = -(k[:2] @ q + k[2:] @ v)
        sim.set_input("u", force)
        largest = max(largest, abs(force))
        sim.step(10)
    print(f"after {sim.t:g} s: x = {q[0]:+.5f}, phi = {q[1]:+.5f}; largest force {largest:.2f} N")
    print(f"work of the motor {sum(sim.work[name] for name in sim.work):.4f} J, "
          f"energy less work within {abs(sim.balance):.0e} J")
    assert abs(q[0]) < 0.02 and abs(q[1]) < 1e-3


if __name__ == "__main__":
    main()
