"""Structure certificates: the shape of the JSON, verdicts, and the text within the width."""

import math

from harness import check, parse_json, within_width

KEYS = ["status", "model", "file", "scheme", "options", "order", "step", "until", "t", "steps",
        "threads", "seconds", "kept", "broken", "open", "not_promised", "findings", "convergence",
        "drift"]
FINDING = ["property", "name", "promise", "measured", "noise", "bound", "verdict", "note"]
CONVERGENCE = ["t", "reference_error", "steps", "errors", "orders", "asymptotic", "asymptotic_step"]
VERDICTS = ["kept", "broken", "not_promised", "open"]
PROPERTIES = ["order", "symplecticity", "reversibility", "energy", "balance", "invariant",
              "momentum", "position", "velocity", "nonholonomic", "repeat", "threads", "resume"]

# The command, properties that it has, and verdicts besides `kept`.
CASES = [
    ("pendulum3d", {"energy", "momentum", "position", "velocity"}, {}),
    ("pendulum3d --scheme em --step 0.1", {"energy", "momentum"}, {"symplecticity": "not_promised"}),
    ("pendulum3d --scheme rattle --compose 4", {"order"}, {}),
    ("kepler --until 20", {"energy", "momentum"}, {}),
    ("nonholonomic-particle", {"nonholonomic"},
     {"symplecticity": "not_promised", "energy": "not_promised"}),
    ("steady-top --scheme bs99", {"invariant"}, {"reversibility": "not_promised"}),
    ("verify-false.toml", {"momentum"}, {"momentum": "not_promised"}),
    ("kepler --scheme rattle --step 0.5", {"order"}, {"order": "open", "energy": "open"}),
]


def shape(name, result):
    check(f"{name}: keys", list(result) == KEYS, str(list(result)))
    check(f"{name}: convergence", list(result["convergence"]) == CONVERGENCE)
    for finding in result["findings"]:
        check(f"{name}: finding", list(finding) == FINDING and finding["verdict"] in VERDICTS
              and finding["property"] in PROPERTIES and finding["note"], str(finding))
        check(f"{name}: what is kept was promised",
              (finding["promise"] is None) == (finding["verdict"] == "not_promised"), str(finding))
    order = [PROPERTIES.index(finding["property"]) for finding in result["findings"]]
    check(f"{name}: order of the findings", order == sorted(order))
    for verdict in VERDICTS:
        count = sum(finding["verdict"] == verdict for finding in result["findings"])
        check(f"{name}: number of {verdict}", result[verdict] == count)


def slopes(name, result):
    """Orders are those of the errors."""
    c = result["convergence"]
    found = [math.log(c["errors"][k] / c["errors"][k + 1]) / math.log(c["steps"][k] / c["steps"][k + 1])
             for k in range(len(c["errors"]) - 1)]
    check(f"{name}: orders", len(found) == len(c["orders"]) and
          all(abs(a - b) < 1e-9 for a, b in zip(found, c["orders"])))


def certificates(program):
    for command, properties, verdicts in CASES:
        code, out, err = program.run(f"livens verify {command} --json")
        name = f"verify {command}"
        result = parse_json(name, out)
        check(f"{name}: exit code", code == 0 and err == "", err)
        shape(name, result)
        slopes(name, result)
        found = {finding["property"]: finding["verdict"] for finding in result["findings"]}
        check(f"{name}: properties", properties <= set(found), str(found))
        for property_name, verdict in found.items():
            check(f"{name}: {property_name}", verdict == verdicts.get(property_name, "kept"), verdict)
        within_width(name, program.run(f"livens verify {command}")[1])


def kepler(t, e=0.6):
    """Position and velocity of the shipped orbit, a = 1: Kepler's equation."""
    anomaly = t
    for _ in range(100):
        anomaly -= (anomaly - e * math.sin(anomaly) - t) / (1 - e * math.cos(anomaly))
    b, rate = math.sqrt(1 - e * e), 1 / (1 - e * math.cos(anomaly))
    return ([math.cos(anomaly) - e, b * math.sin(anomaly)],
            [-math.sin(anomaly) * rate, b * math.cos(anomaly) * rate])


def estimates(program):
    """Errors of --estimate are those against the motion in closed form."""
    q, v = kepler(2)
    for scheme in ("rattle --step 0.005", "rattle --compose 4 --step 0.02", "gauss --stages 2 --step 0.02"):
        code, out, err = program.run(f"livens run kepler --scheme {scheme} --until 2 --estimate --json")
        result = parse_json(scheme, out)
        final, estimate = result["final"], result["estimate"]
        check(f"{scheme}: half the step", estimate["step"] == result["step"] / 2)
        true = [a - b for a, b in zip(final["q"]["r"] + final["v"]["r"], q + v)]
        said = estimate["q"]["r"] + estimate["v"]["r"]
        size = max(map(abs, true))
        check(f"{scheme}: errors", code == 0 and
              all(abs(abs(a) - b) < 0.05 * size for a, b in zip(true, said)), f"{true} {said}")
    without = program.run("livens run kepler --until 2 --json")[1]
    check("no estimate unless it is asked for", "estimate" not in parse_json("run", without))
    out = program.run("livens run kepler --until 2 --estimate")[1]
    check("a summary with errors", "errors at the end" in out and "of velocity" in out, out)
    within_width("a summary with errors", out)


SUITES = [certificates, estimates]
