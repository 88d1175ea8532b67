"""Monte Carlo: how far does a double pendulum land from where it was meant to, when nobody knows its masses exactly?

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/monte_carlo.py [MEMBERS]
"""
import sys

import livens
import numpy as np


def main():
    members = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    model = livens.Model("double-pendulum")
    uncertain = {"m1": {"normal": [1, 0.05]}, "m2": {"normal": [0.6, 0.03]}}
    sweep = model.sweep(uncertain, members=members, scheme="rattle", compose=4, step=0.02, until=5, series=True)
    ends = sweep["b"]  # one row per member
    print(f"{len(sweep)} members on {sweep.summary.threads} threads, {sweep.summary.failed} failed")
    print("mean end", np.round(ends.mean(axis=0), 3), "deviation", np.round(ends.std(axis=0), 3))
    worst = int(np.argmax(np.linalg.norm(ends - ends.mean(axis=0), axis=1)))
    print(f"farthest: member {worst} with m1 = {sweep['m1'][worst]:.4f}, m2 = {sweep['m2'][worst]:.4f}")
    print(f"largest error of the energy in any member: {sweep['E.deviation'].max():.1e}")

    # A member is a model of its own: the same bits, with all its rows.
    again = model.replace(m1=float(sweep["m1"][worst]), m2=float(sweep["m2"][worst]))
    alone = again.run("rattle", 0.02, 5, compose=4)
    assert alone["b"][-1].tolist() == ends[worst].tolist()


if __name__ == "__main__":
    main()
