"""What a user sees and does while the program works: signals, progress."""

import json
import pathlib
import signal
import time

from harness import (check, has_terminals, in_directory, parse_json, read_csv, run_json, start, start_long,
                     wait_for, within_width)

LARGE = ["--set", "N=200000"]  # formulas of the chain are prepared for seconds


def interrupts(program, directory):
    table, store = f"{directory}/long.csv", f"{directory}/long.h5"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        name = signal.Signals(number).name
        for path in (table, store):
            pathlib.Path(path).unlink(missing_ok=True)
        process = start_long(program, ["--csv", table, "-o", store, "--every", "1000", "--json"])
        check(f"{name}: it runs", wait_for(store))
        time.sleep(0.3)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
        check(f"{name}: exit code", process.returncode == 130, str(process.returncode))
        report = parse_json(f"{name}: JSON", out.decode())
        check(f"{name}: status", report["status"] == "interrupted" and err == b"", err.decode())
        check(f"{name}: it came some way", 0 < report["final"]["t"] < 1000)
        header, rows = read_csv(table)
        check(f"{name}: rows", rows[-1][0] <= report["final"]["t"]
              and len(rows) == report["steps"] // 1000 + 1, f"{len(rows)} {report['steps']}")

        # What is resumed is the uninterrupted run.
        until = (report["steps"] + 500) * 1e-6
        _, out, err = program.run(f"livens resume {store} --until {until!r} --json")
        resumed = parse_json(f"{name}: resume", out)
        _, whole, _ = run_json(program, f"pendulum3d --scheme rattle --step 1e-6 --until {until!r}")
        check(f"{name}: resumed to the same bits", resumed["final"] == whole["final"], err)

    process = start_long(program, [])
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    check("the summary says so", process.returncode == 130 and b"interrupted at t = " in out)
    within_width("interrupted", out.decode())

    # While it waits for a reader, one signal is remembered, a second one kills.
    process = start_long(program, ["--csv", "-"])
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    check("it waits for its reader", process.poll() is None)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    check("a second signal kills", process.returncode == -signal.SIGINT, str(process.returncode))

    # Who has set the signal to be ignored, as nohup does, is not interrupted.
    code, out, _ = program.run("(trap '' INT; exec timeout --foreground -s INT 0.3 livens run kepler -q)")
    check("an ignored signal stays ignored", code in (0, 124))
    process = start_long(program, ["--json"], preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.5)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    check("a terminal that is closed leaves such a run alone", process.poll() is None)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    check("which can still be ended", process.returncode == 130, str(process.returncode))

    # Who closes a terminal sends SIGHUP more than once: files become complete all the same.
    pathlib.Path(store).unlink(missing_ok=True)
    process = start_long(program, ["-o", store, "--json"])
    check("it runs", wait_for(store))
    time.sleep(0.3)
    for _ in range(5):
        process.send_signal(signal.SIGHUP)
    out, err = process.communicate(timeout=30)
    check("several SIGHUP", process.returncode == 130 and json.loads(out)["status"] == "interrupted",
          f"{process.returncode} {err.decode()}")


def progress(program):
    long = "timeout --foreground -s INT 0.7 livens run pendulum3d --scheme rattle --step 1e-6 --until 1000"
    if not has_terminals():
        return
    seen = program.terminal(long)
    bars = [part for part in seen.split("\r") if "%" in part and "step" in part]
    check("a bar on a terminal", 1 <= len(bars) <= 8 and all(len(bar) < 80 for bar in bars), seen)
    check("the bar shows what is left", all(" left" in bar for bar in bars), seen)
    before = seen[:seen.find("pendulum in space")]
    check("the bar is cleared", before.endswith((" \r\033[1m", " \r")), seen)
    check("no bar with --quiet", program.terminal(f"{long} -q") == "")
    _, _, err = program.run(long)
    check("no bar in a pipe", err == "", err)


def early(program, directory):
    """A signal while formulas are still prepared stops the program at once; there are no files yet."""
    store, table = pathlib.Path(directory) / "early.h5", pathlib.Path(directory) / "early.csv"
    sweep = pathlib.Path(directory) / "sweep.toml"
    _, text, _ = program.run("livens show chain")
    sweep.write_text(text + "\n[sweep]\nmembers = 2\n[sweep.set]\ng = \"9 + j\"\n")
    for command in (["run", "chain"], ["check", "chain"], ["sweep", str(sweep)]):
        files = [] if command[0] == "check" else ["-o", str(store), "--csv", str(table)]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            name = f"{signal.Signals(number).name} while {command[0]} prepares"
            process = start(program, [*command, *LARGE, *files])
            time.sleep(0.25)
            check(f"{name}: it is busy", process.poll() is None and not store.exists() and not table.exists())
            process.send_signal(number)
            sent = time.monotonic()
            process.communicate(timeout=60)
            check(f"{name}: it is killed", process.returncode == -number,
                  f"{process.returncode} after {time.monotonic() - sent:.2f} s")
            check(f"{name}: no files", not store.exists() and not table.exists())


def long_check(program):
    """What a check of many coordinates is doing, in one line that goes away."""
    if not has_terminals():
        return
    seen = program.terminal("livens check chain --set N=20000", NO_COLOR="1")
    lines = [part.rstrip() for part in seen.split("\r\n")[0].split("\r")]
    phases = [line for line in lines if line.startswith("check: ")]
    check("phases of a long check", [phase[-12:] for phase in phases] == ["(1 of 3) ...", "(2 of 3) ...", "(3 of 3) ..."]
          and all(len(phase) < 80 for phase in phases), seen[:600])
    check("their line is cleared", lines[-2:-1] == [""] and lines[-1] and "check: " not in lines[-1]
          and "no warnings" in seen, seen[:600])
    check("none for a short check", "check: " not in program.terminal("livens check chain", NO_COLOR="1"))
    _, out, err = program.run("livens check chain --set N=20000")
    check("none in a pipe", err == "" and "check: " not in out, err)


SUITES = [in_directory(interrupts), progress, in_directory(early), long_check]
