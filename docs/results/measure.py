#!/usr/bin/env python3
# Measures the catalogue and the libraries on this machine's GPU within a time limit, and writes tables as in
# docs/results: measure.py OUT [--seconds 420] [--bin build/bin] [--problems FILE]. It needs python3 and the programs.
import argparse
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Seconds kept at the end for reading the database and writing the tables.
FOR_TABLES = 5
# The least seconds per problem: with less time, finalists would have to be measured before a search has begun.
LEAST = 4
# Seconds beyond its budget after which a run is interrupted, like by Ctrl-C, and then killed.
PATIENCE, LAST_PATIENCE = 60, 20


def run_json(command, file):
    """Runs a program that prints JSON, keeps that in a file, and returns it."""
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"measure.py: {shlex.join(command)} ended with {run.returncode}: see above")
    file.write_text(run.stdout, encoding="utf-8")
    return json.loads(run.stdout)


def arguments_for(problem):
    """The options of tune that ask for one problem, by its name: reduce[op=sum,data=uniform,float,67108864]."""
    pattern, parts = re.fullmatch(r"([^\[]+)\[(.*)\]", problem).groups()
    *settings, types, shape = parts.split(",")
    with_settings = ["--with", ",".join(settings)] if settings else []
    return ["--pattern", pattern, "--type", types, "--size", shape, *with_settings]


class Work:
    """One run of tune: its problem and its share of the time."""

    def __init__(self, tune, arch, words, file):
        self.words = words
        plan = run_json([tune, "--arch", arch, "--dry-run", "--json", *words], file)
        self.arch, self.file = plan["arch"], file
        self.names = [problem["problem"] for problem in plan["problems"]]
        self.weight = sum(4 + len(problem["kernels"]) for problem in plan["problems"])


def ask(tune, arch, out, problems_file):
    """The runs: one for each line of the file, or one for the default problem of every pattern."""
    if problems_file:
        lines = [line.split("#")[0].strip() for line in problems_file.read_text(encoding="utf-8").splitlines()]
        asked = [shlex.split(line) for line in lines if line]
    else:
        survey = run_json([tune, "--arch", arch, "--dry-run", "--json"], out / "plan.json")
        asked = [arguments_for(problem["problem"]) for problem in survey["problems"]]
    return [Work(tune, arch, words, out / f"plan_{i}.json") for i, words in enumerate(asked, 1)]


def run_tune(command, log, seconds):
    """Runs tune with its output in a log, and returns its exit code. A run that does not end is interrupted, then
    killed."""
    with open(log, "w", encoding="utf-8") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        for patience, end in ((seconds + PATIENCE, signal.SIGINT), (LAST_PATIENCE, signal.SIGKILL)):
            try:
                return process.wait(patience)
            except subprocess.TimeoutExpired:
                process.send_signal(end)
        return process.wait()


def measure(works, tune, arch, out, deadline):
    """Gives every run its share of the remaining time, and returns the complaints."""
    wrong = []
    for i, work in enumerate(works):
        left = deadline - time.monotonic()
        share = left * work.weight / sum(other.weight for other in works[i:])
        budget = max(LEAST, round(share))
        if left < LEAST:
            wrong.append(f"{', '.join(work.names)}: not measured, the time was over")
            continue
        command = [tune, "--arch", arch, "--budget", f"{budget}s", "--no-report", "--db", str(out / "results.db"),
                   *work.words]
        begin = time.monotonic()
        code = run_tune(command, out / f"tune_{i + 1}.log", budget)
        took = time.monotonic() - begin
        print(f"{took:6.1f} s of {budget} s, exit {code}: {', '.join(work.names)}", flush=True)
        # Exit code 1: a configuration is wrong. It has its row in the database, and the best of the others is still
        # valid.
        if code not in (0, 1):
            wrong.append(f"{shlex.join(command)} ended with {code}: see {out}/tune_{i + 1}.log")
    return wrong


def main():
    parser = argparse.ArgumentParser(description="Measures the catalogue and writes tables of docs/results.")
    parser.add_argument("out", type=Path, help="folder for the database, the logs and the tables")
    parser.add_argument("--seconds", type=float, default=420, help="time for all of it")
    parser.add_argument("--bin", type=Path, default=Path("build/bin"), help="folder of the programs")
    parser.add_argument("--problems", type=Path, help="a file: options of tune, a line a run; default: every pattern")
    parser.add_argument("--arch", default="native", help="native, or an architecture whose GPU is here")
    parser.add_argument("--machine", default="", help="the machine in words; default: the board")
    parser.add_argument("--source", default="", help="what the rows say they are from; default: this commit's id")
    arguments = parser.parse_args()
    deadline = time.monotonic() + arguments.seconds - FOR_TABLES
    out, tune = arguments.out.resolve(), str(arguments.bin / "tune")
    out.mkdir(parents=True, exist_ok=True)
    run_json([tune, "--list", "--json", "--arch", arguments.arch], out / "list.json")
    works = ask(tune, arguments.arch, out, arguments.problems)
    wrong = measure(works, tune, arguments.arch, out, deadline)
    source = arguments.source
    if not source:
        git = subprocess.run(["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                             check=False)
        source = f".ci/gpu_session at {git.stdout.strip()}" if git.returncode == 0 else ".ci/gpu_session"
    command = [sys.executable, "-B", str(HERE / "from_database.py"), "--db", str(out / "results.db"), "--arch",
               works[0].arch, "--tunedb", str(arguments.bin / "tunedb"), "--out", str(out), "--list",
               str(out / "list.json"), "--machine", arguments.machine, "--source", source]
    for work in works:
        command += ["--spaces", str(work.file)]
    if subprocess.run(command, check=False).returncode != 0:
        wrong.append("no tables were written")
    elif subprocess.run([sys.executable, "-B", str(HERE / "make_pages.py"), "--root", str(out)],
                        check=False).returncode != 0:
        wrong.append("the rows are not sane: see above")
    for complaint in wrong:
        print(f"measure.py: {complaint}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
