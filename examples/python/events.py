"""Events: the times of the impacts of a bouncing ball, beside their closed form.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/events.py
"""
import livens
import numpy as np


def main():
    model = livens.Model("bouncing-ball")
    p = model.parameters
    sim, times = model.simulate(), []
    sim.on_event(lambda s, name: times.append(s.t) if name == "floor" else None)
    sim.advance(2)
    fall = np.sqrt(2 * p["H"] / p["g"])
    exact = [fall * (1 + 2 * sum(p["e"] ** i for i in range(1, k + 1))) for k in range(len(times))]
    for found, right in zip(times, exact):
        print(f"impact at {found:.12f}, closed form {right:.12f}")
        assert abs(found - right) < 1e-11
    print("energy lost:", round(-sim.work.floor, 6))


if __name__ == "__main__":
    main()
