"""Fits parameters to a measured motion with scipy: gravity and damping of a pendulum, from noisy angles.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/fit.py
"""
import livens
import numpy as np
from scipy.optimize import least_squares

PENDULUM = """name = "damped pendulum"
[parameters]
g = 9.81
c = 0
[coordinates]
phi = 1
[energy]
kinetic = "phi'^2/2"
potential = "-g*cos(phi)"
[forces.air]
on = "phi"
force = "-c*phi'"
"""


def angles(g, c):
    return livens.Model(PENDULUM, g=g, c=c).run("gauss", 0.02, 4, channels=["phi"])["phi"]


def main():
    truth = np.array([9.5, 0.3])
    measured = angles(*truth) + 0.01 * np.random.default_rng(1).standard_normal(201)
    found = least_squares(lambda x: angles(*x) - measured, x0=[8, 0.1], diff_step=1e-6)
    error = np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac))) * 0.01
    for name, value, sigma, true in zip("gc", found.x, error, truth):
        print(f"{name} = {value:.4f} +- {sigma:.4f}, truth {true}")
        assert abs(value - true) < 4 * sigma
    print(f"{found.nfev} evaluations")


if __name__ == "__main__":
    main()
