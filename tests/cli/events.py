"""Events of runs: counts, rows, work, ends, resumed runs, rows between steps."""

import math
import pathlib

from harness import check, in_directory, parse_json, read_csv, within_width


def impacts(count, e=0.8):
    """Times at which a ball that falls from 1 m hits the floor."""
    fall, times = math.sqrt(2/9.81), []
    time, flight = fall, 2*fall
    for _ in range(count):
        times.append(time)
        flight *= e
        time += flight
    return times


def recorded(program, directory):
    table = f"{directory}/ball.csv"
    code, out, err = program.run(f"livens run bouncing-ball --csv {table} --json")
    result = parse_json("bouncing-ball", out)
    times = impacts(6)
    check("the ball bounces", code == 0 and result["events"]["floor"]["count"] == 6
          and abs(result["events"]["floor"]["first"] - times[0]) < 1e-12
          and abs(result["events"]["floor"]["last"] - times[-1]) < 1e-12, f"{out} {err}")
    check("nothing ended it", result["stopped_by"] is None)
    check("what impacts take is work", abs(result["work"]["floor"] + 0.1*9.81*(1 - 0.64**6)) < 1e-12
          and result["balance"]["max_deviation"] < 1e-13, str(result["work"]))
    header, rows = read_csv(table)
    column = header.index("events.floor")
    counts = [int(row[column]) for row in rows]
    seen = [float(row[0]) for k, row in enumerate(rows) if k > 0 and counts[k] > counts[k - 1]]
    check("a row for every impact", len(rows) == 151 + 6 and len(seen) == 6
          and all(abs(a - b) < 1e-12 for a, b in zip(seen, times)), str(seen))
    code, out, _ = program.run("livens run bouncing-ball")
    check("a table of events", "\n  event  times " in out and "\n  floor      6  0.451523640986 " in out, out)
    within_width("events", out)
    code, _, err = program.run("livens run bouncing-ball --until 5")
    check("impacts that accumulate", code == 3 and "event 'floor' accumulates" in err
          and "after = N" in err, err)


def ended(program, directory):
    model = pathlib.Path(f"{directory}/end.toml")
    code, text, _ = program.run("livens show bouncing-ball")
    model.write_text(text.replace("record = true", "stop = true\nafter = 3"))
    code, out, err = program.run(f"livens run {model} --json --csv {directory}/end.csv")
    result = parse_json("an end", out)
    check("an event ends the run", code == 0 and result["stopped_by"] == "floor"
          and abs(result["final"]["t"] - impacts(3)[-1]) < 1e-12, f"{out} {err}")
    rows = read_csv(f"{directory}/end.csv")[1]
    check("the last row is there", float(rows[-1][0]) == result["final"]["t"]
          and float(rows[-2][0]) < float(rows[-1][0]))
    code, out, _ = program.run(f"livens run {model}")
    check("it is said", "ended by event" in out, out)


def resumed(program, directory):
    whole, parts, store = (f"{directory}/{name}" for name in ("whole.csv", "parts.csv", "events.h5"))
    for options in ("", "--scheme lobatto --sample 0.013", "--scheme em --compose 4"):
        base = f"livens run bouncing-ball {options}"
        code, out, err = program.run(f"{base} --csv {whole} --json")
        result = parse_json(base, out)
        check(f"{base}: runs", code == 0 and result["events"]["floor"]["count"] == 6, f"{out} {err}")
        pathlib.Path(store).unlink(missing_ok=True)
        program.run(f"{base} --until 1.18 --csv {parts} -o {store} -q")
        code, out, err = program.run(f"livens resume {store} --until 3 --json")
        again = parse_json("resume", out)
        check(f"{base}: resumed to the same bits", again["events"] == result["events"]
              and again["work"] == result["work"] and again["final"] == result["final"]
              and [row for row in read_csv(parts)[1] if float(row[0]) > 1.181]
              == [row for row in read_csv(whole)[1] if float(row[0]) > 1.181], f"{out} {err}")


def failed(program, directory):
    """Rows of events in a step that fails are recorded again by a run that goes on."""
    table, store = f"{directory}/failed.csv", f"{directory}/failed.h5"
    code, _, err = program.run(f"livens run bouncing-ball --until 5 --csv {table} -o {store} -q")
    check("impacts accumulate", code == 3, err)
    before = pathlib.Path(table).read_text()
    code, _, err = program.run(f"livens resume {store} -q")
    times = [float(row[0]) for row in read_csv(table)[1]]
    check("a run that fails again has the same rows", code == 3 and pathlib.Path(table).read_text() == before
          and times == sorted(times), err)


def certified(program):
    code, out, err = program.run("livens verify bouncing-ball")
    check("certificates are of the motion between events", code == 0
          and "warning: events are left out" in out, f"{out} {err}")


SUITES = [in_directory(recorded), in_directory(ended), in_directory(resumed), in_directory(failed), certified]
