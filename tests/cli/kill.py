#!/usr/bin/env python3
"""Runs that are killed at random moments, resumed, and killed again end with the same bits.

    kill.py PROGRAM SAME_ROWS

SAME_ROWS compares the rows of two files bit for bit. How long runs are is found by letting one go
for a while, so that slow machines and sanitizers have fewer steps to do, not less time.
"""

import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
KILLS = 24
INTERRUPTS = 6
RUNS = [  # with a past that the checkpoint must hold, and a step size
    ("pendulum3d --scheme rattle --every 50", 1e-5),
    ("four-particles --scheme lobatto --stages 3 --every 7", 1e-5),
    ("kepler --scheme gauss --every 11", 1e-5),
    (f"{FIXTURES}/third-leg.toml --scheme rattle --every 13", 1e-5),  # redundant constraints
    (f"{FIXTURES}/third-leg.toml --scheme em --every 13", 1e-5),
    (f"{FIXTURES}/empty-family.toml --every 17", 1e-6),  # channels without columns
]
WORK = 0.4  # seconds that a run takes undisturbed, about


class Tester:
    def __init__(self, program, same_rows, directory):
        self.program, self.same_rows = program, same_rows
        self.random = random.Random(20240607)
        self.directory = pathlib.Path(directory)
        self.kills = self.interrupts = self.finished = self.failed = 0

    def check(self, name, condition, detail=""):
        if not condition:
            self.failed += 1
            print(f"FAILED {name}: {detail}")

    def start(self, arguments):
        return subprocess.Popen([self.program, *arguments.split(), "--json"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process):
        """Exit code, object, messages; nothing takes longer than this unless it hangs."""
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
        return process.returncode, json.loads(out) if out else None, err.decode()

    def disturb(self, process, number):
        """Sends a signal at a random moment, also before the program can catch it. True if it was
        still there."""
        try:
            process.wait(self.random.uniform(0, WORK / 2))
            return False
        except subprocess.TimeoutExpired:
            process.send_signal(number)
            return True

    def steps_in(self, command, step):
        """How many steps a run does in the time that it is to take."""
        path = self.directory / "calibration.h5"
        process = self.start(f"run {command} --step {step!r} --until 1e6 -o {path}")
        while not path.exists() and process.poll() is None:
            time.sleep(0.005)
        time.sleep(WORK)
        process.send_signal(signal.SIGINT)
        code, result, err = self.finish(process)
        self.check(command, code == 130 and result["steps"] > 0, f"{code} {err}")
        return result["steps"]

    def compare(self, name, result, whole, path, reference):
        """The object but for the clock, and all rows."""
        clean = {"seconds": 0, "files": 0}
        same = {**result, **clean} == {**whole, **clean}
        self.check(f"{name}: summary", same, f"{result}\n{whole}")
        rows = subprocess.run([self.same_rows, path, reference], capture_output=True)
        self.check(f"{name}: rows", rows.returncode == 0, rows.stdout.decode())
        self.check(f"{name}: CSV", path.with_suffix(".csv").read_bytes()
                   == reference.with_suffix(".csv").read_bytes(), "differs")

    def torment(self, command, step, until, kills, interrupts):
        """Run, kill, resume, interrupt, resume, ... until there were enough of both."""
        reference, path = self.directory / "whole.h5", self.directory / "parts.h5"

        def begin(store):
            return (f"run {command} --step {step!r} --until {until!r} --flush 0.01 -o {store} "
                    f"--csv {store.with_suffix('.csv')}")

        code, whole, err = self.finish(self.start(begin(reference)))
        self.check(command, code == 0, err)
        signals = [signal.SIGKILL] * kills + [signal.SIGINT] * interrupts
        self.random.shuffle(signals)
        path.unlink(missing_ok=True)
        while True:
            number = signals[-1] if signals else None
            resumes = path.exists()
            process = self.start(f"resume {path}" if resumes else begin(path))
            struck = number is not None and self.disturb(process, number)
            code, result, err = self.finish(process)
            if struck and code in (-signal.SIGKILL, -signal.SIGINT, 130):
                signals.pop()
                self.kills += number == signal.SIGKILL
                self.interrupts += number == signal.SIGINT
            elif code == 0:
                self.finished += 1
                self.compare(command, result, whole, path, reference)
                if not signals:
                    return
                path.unlink()
            elif resumes and "no checkpoint" in err:
                path.unlink()  # killed between the first two writes
            else:
                self.check(command, False, f"{code} {err}")
                return


def main():
    with tempfile.TemporaryDirectory() as directory:
        tester = Tester(sys.argv[1], sys.argv[2], directory)
        for command, step in RUNS:
            until = tester.steps_in(command, step) * step
            tester.torment(command, step, until, KILLS // len(RUNS), INTERRUPTS // len(RUNS))
    tester.check("killed", tester.kills == KILLS, tester.kills)
    print(f"{tester.kills} kills, {tester.interrupts} interrupts, {tester.finished} runs compared, "
          f"{tester.failed} failures")
    return 1 if tester.failed else 0


if __name__ == "__main__":
    sys.exit(main())
