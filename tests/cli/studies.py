"""Studies: the shape of the JSON and of CSV, orders of the errors, advice that a run of its own confirms, exit codes."""

import csv
import io
import math
import pathlib
import tempfile

from harness import check, parse_json, within_width

KEYS = ["status", "model", "file", "asked", "until", "shortened", "step", "threads", "seconds", "failed",
        "reference", "methods", "refused", "advice"]
METHOD = ["method", "label", "scheme", "options", "own", "order", "observed", "asymptotic", "costs", "runs"]
RUN = ["step", "steps", "status", "message", "t", "error", "error_position", "error_momentum", "error_end",
       "below_floor", "seconds", "iterations", "energy", "momentum", "position", "velocity"]
ADVICE = ["tolerance", "method", "scheme", "step", "steps", "error", "seconds", "note"]


def shape(name, result):
    check(f"{name}: keys", list(result) == KEYS, str(list(result)))
    for method in result["methods"]:
        check(f"{name}: method", list(method) == METHOD, str(list(method)))
        steps = [run["step"] for run in method["runs"]]
        check(f"{name}: steps fall", steps == sorted(set(steps), reverse=True), str(steps))
        for run in method["runs"]:
            check(f"{name}: run", list(run) == RUN)
            check(f"{name}: what stops says why",
                  (run["status"] == "ok") == (run["message"] is None) == (run["error"] is not None), str(run))
    for advice in result["advice"]:
        check(f"{name}: advice", list(advice) == ADVICE and (advice["method"] is None) == (advice["note"] is not None))


def study_json(program):
    name = "study --json"
    code, out, err = program.run("livens study pendulum3d --until 1 --schemes rattle,lobatto:stages=3 --to 1e-5 --json")
    result = parse_json(name, out)
    check(f"{name}: exit code", code == 0 and err == "", err)
    shape(name, result)
    check(f"{name}: methods", [m["method"] for m in result["methods"]][0] == "rattle"
          and result["methods"][-1]["method"] == "lobatto:stages=3")
    advice = result["advice"][0]
    scheme, *options = advice["method"].split(":")
    line = " ".join("--" + option.replace("=", " ") for option in options)
    runs = []
    for step in advice["step"], advice["step"] / 8:
        code, out, err = program.run(f"livens run pendulum3d --until 1 --scheme {scheme} {line} --step {step!r} --json")
        runs.append(parse_json(name, out)["final"]["q"])
    (key, value), = runs[0].items()
    error = max(abs(a - b) for a, b in zip(value, runs[1][key]))
    check(f"{name}: advice", 0 < error < 1.1e-5, f"{error} with {advice}")


def study_csv(program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "study.csv"
        code, out, err = program.run(f"livens study knife-edge --until 1 --schemes lobatto:stages=3 "
                                     f"--steps 0.05,0.025,0.0125 --csv {path}")
        check("study --csv: exit code", code == 0 and err == "", err)
        rows = list(csv.DictReader(io.StringIO(path.read_text())))
        check("study --csv: columns", list(rows[0]) == ["method", "order"] + RUN[:3] + RUN[4:9] + RUN[10:] +
              ["below_floor", "message"], str(list(rows[0])))
        errors = [float(row["error"]) for row in rows]
        check("study --csv: steps that were given", [float(row["step"]) for row in rows] == [0.05, 0.025, 0.0125])
        check("study --csv: order", len(errors) == 3 and 3.7 < math.log2(errors[0] / errors[1]) < 4.3, str(errors))
        within_width("study", "\n".join(line for line in out.splitlines() if "livens run" not in line and "written" not in line))
        check("study --csv: says where", str(path) in out)
        nowhere = pathlib.Path(folder) / "none" / "study.csv"
        code, out, err = program.run(f"livens study knife-edge --until 1 --csv {nowhere}")
        check("study --csv: a path that cannot be written", code == 4 and out == "" and "cannot be written" in err, err)


def study_out_of_reach(program):
    code, out, err = program.run("livens study pendulum3d --until 1 --schemes rattle:compose=4 --steps 0.1 --to 1e-12")
    check("study: out of reach", code == 3 and "nothing: no run has so small an error" in out and err == "", out + err)


SUITES = [study_json, study_csv, study_out_of_reach]
