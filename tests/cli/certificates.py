"""Structure certificates: the shape of the JSON, verdicts, and the text within the width."""

import json
import math
import re

from harness import check, parse_json, within_width

KEYS = ["status", "model", "file", "scheme", "options", "order", "step", "until", "t", "steps",
        "threads", "seconds", "kept", "broken", "open", "not_promised", "findings", "convergence",
        "drift", "warnings"]
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


def warnings(program):
    """A certificate repeats what the run warns of, and one about no step is none."""
    for model in ("bennett-linkage", "verify-false.toml"):
        run = parse_json(model, program.run(f"livens run {model} --until 0.5 --json")[1])
        certificate = parse_json(model, program.run(f"livens verify {model} --until 0.5 --json")[1])
        check(f"{model}: warnings", run["warnings"] and run["warnings"] == certificate["warnings"],
              str(certificate["warnings"]))
    code, out, err = program.run("livens verify bicycle --until 0")
    check("nothing is shown by no step", code == 2 and out == "" and "no whole step" in err, out + err)


def turned(a, b):
    """The angle between two rotations, nine numbers row by row: that of R^T S, by its trace."""
    trace = sum(x * y for x, y in zip(a, b))
    skew = [sum(a[3 * k + i] * b[3 * k + j] - a[3 * k + j] * b[3 * k + i] for k in range(3))
            for i, j in ((0, 1), (1, 2), (2, 0))]
    return math.atan2(math.hypot(*skew), trace - 1)


def body_estimates(program):
    """Errors of bodies have their names: differences of two runs, divided by 1 - 2^-order."""
    for options in ("--scheme rattle", "--scheme rattle --rotations exp"):
        command = f"livens run dzhanibekov-nut {options} --until 1 --json --step"
        coarse, fine = (parse_json(options, program.run(f"{command} {step}")[1]) for step in (0.01, 0.005))
        result = parse_json(options, program.run(f"{command} 0.01 --estimate")[1])
        check(f"{options}: no coordinates of the formulation", result["estimate"]["q"] == {})
        for name, said in result["estimate"]["bodies"].items():
            a, b = (run["final"]["bodies"][name] for run in (coarse, fine))
            true = {key: [abs(x - y) * 4 / 3 for x, y in zip(a[key], b[key])]
                    for key in ("position", "velocity", "angular_velocity")}
            true["orientation"] = [turned(a["rotation"], b["rotation"]) * 4 / 3]
            check(f"{options}: {name}", sorted(said) == sorted(true), str(said))
            for key, numbers in true.items():
                own = said[key] if isinstance(said[key], list) else [said[key]]
                size = max(numbers)
                check(f"{options}: {key} of {name}", all(abs(x - y) <= 1e-6 * size + 1e-15
                      for x, y in zip(own, numbers)), f"{own} {numbers}")
        check(f"{options}: bodies", list(result["estimate"]["bodies"]) == list(coarse["final"]["bodies"]))
    out = program.run("livens run bicycle --until 0.1 --estimate")[1]
    check("errors by the names of bodies", "in the orientation of" in " ".join(out.split()) and ".e1" not in out, out)
    within_width("errors of bodies", out)


def page(program, options):
    """The data of the page of a command."""
    code, out, err = program.run(f"livens {options} --report -")
    found = re.search(r'id="livens-data">(.*?)</script>', out, re.S)
    check(f"{options}: a page", code == 0 and found, err)
    return json.loads(found.group(1))


def pages(program):
    """Pages of runs and of certificates have one source of bounds: what both have measured has the same verdict."""
    for model in ("pendulum3d", "four-particles", "rolling-disc", "steady-top --scheme bs99"):
        run = page(program, f"run {model} --until 5")["runs"][0]["certificate"]
        data = page(program, f"verify {model} --until 5")["runs"][0]
        shown = {(f["property"], f.get("name")): f for f in run}
        alike = [f for f in data["certificate"] if f["property"] in
                 ("momentum", "position", "velocity", "nonholonomic", "invariant", "balance")]
        check(f"{model}: findings", len(alike) > 0)
        for f in alike:
            other = shown[f["property"], f.get("name")]
            same = f["verdict"] == other["verdict"] and f["promise"] == other["promise"]
            near = f["bound"] is None or 0.2 < f["bound"] / other["bound"] < 5
            check(f"{model}: {f['property']}", same and near, f"{f} {other}")
        result = parse_json(model, program.run(f"livens verify {model} --until 5 --json")[1])
        check(f"{model}: the page has the certificate",
              [(f["property"], f["verdict"], f["note"]) for f in result["findings"]] ==
              [(f["property"], f["verdict"], f["note"]) for f in data["certificate"]])
        check(f"{model}: convergence", data["convergence"]["errors"] == result["convergence"]["errors"])
    size = len(program.run("livens run four-particles --report -")[1])
    check("a page of four particles is below 200 kB", size < 200000, str(size))
    bicycle = page(program, "run bicycle --rotations exp --until 0.1")["runs"][0]
    check("bodies are counted", (bicycle["bodies"], bicycle["coordinates"]) == (4, 0), str(bicycle["coordinates"]))
    check("constraints of bodies are not", bicycle["constraints"] ==
          page(program, "run bicycle --until 0.1")["runs"][0]["constraints"] < 24, str(bicycle["constraints"]))


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


SUITES = [certificates, warnings, estimates, body_estimates, pages]
