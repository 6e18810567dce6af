#!/usr/bin/env python3
# Writes the tables of docs/results from a database of tune, from the output of `tunedb ... --json`: from_database.py
# --db FILE --arch sm_90 --source TEXT --out FOLDER. FOLDER gets one folder per day and board, such as 2026-11-24_h200.
import argparse
import json
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import rows


def size_text(shape):
    """A shape in a readable form: 67108864 is 2^26."""
    def one(text):
        value = int(text)
        return f"2^{value.bit_length() - 1}" if value >= 1 << 16 and value & (value - 1) == 0 else text
    return "x".join(one(extent) for extent in shape.split("x"))


def settings_of(view):
    """The settings of a problem without its data, by name."""
    parts = [part for part in f"{view['variant']},{view['numbers']}".split(",") if part]
    return dict(part.split("=", 1) for part in parts)


def same(a, b):
    """Whether two values of a setting are equal: 5 and 5.0 are."""
    try:
        return float(a) == float(b)
    except ValueError:
        return a == b


class Spaces:
    """The number of configurations of each problem, from the output of `tune --dry-run --json`."""

    def __init__(self, files):
        self.known = []
        for file in files:
            for problem in json.loads(Path(file).read_text(encoding="utf-8"))["problems"]:
                pattern, parts = re.fullmatch(r"([^\[]+)\[(.*)\]", problem["problem"]).groups()
                *settings, types, shape = parts.split(",")
                count = sum(kernel["configurations"] for kernel in problem["kernels"])
                self.known.append((pattern, dict(part.split("=", 1) for part in settings), types, shape, count))

    def of(self, view):
        own = {**settings_of(view), "data": view["data"]}
        for pattern, settings, types, shape, count in self.known:
            alike = (pattern, types, shape) == (view["pattern"], view["types"], view["shape"])
            if alike and all(name in own and same(own[name], value) for name, value in settings.items()):
                return count
        return None


class Usual:
    """What settings and data are where nobody says them, by `tune --list --json`."""

    def __init__(self, file):
        self.values = {}
        if file:
            for pattern in json.loads(Path(file).read_text(encoding="utf-8"))["patterns"]:
                for one in pattern["numbers"]:
                    self.values[pattern["name"], one["name"]] = one["preferred"]
                for name, options in [*pattern["variants"].items(), ("data", pattern["data"])]:
                    if options:
                        self.values[pattern["name"], name] = options[0]

    def leaves_out(self, pattern, name, value):
        return same(str(self.values.get((pattern, name), "")), value)

    def text(self, view):
        return ",".join(f"{name}={value}" for name, value in settings_of(view).items()
                        if not self.leaves_out(view["pattern"], name, value))

    def data(self, view):
        return "" if self.leaves_out(view["pattern"], "data", view["data"]) else view["data"]


def number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def command_text(command):
    """The command as a user types it: without the program's folder and the paths of this run's files."""
    words = shlex.split(command)
    words[0] = Path(words[0]).name
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("--db", "--cache"):
            skip = True
        elif not word.startswith(("--db=", "--cache=")) and word not in ("--no-report", "--json"):
            kept.append(word)
    return shlex.join(kept)


def bare(params):
    """Params without namespaces."""
    return re.sub(r"\b\w+::", "", params)


def libraries_of(best):
    """The columns for the fastest library, and for the better Kokkos idiom with default and with tuned knobs."""
    found = {}
    others = [one for one in best["compared_with"] if one["times_as_fast"] > 0]
    vendors = [one for one in others if one["implementation"] != "kokkos"]
    if vendors:
        fastest = min(vendors, key=lambda one: one["times_as_fast"])
        found.update(library=f"{fastest['implementation']}/{fastest['idiom']} {fastest['version']}".strip(),
                     library_us=number(fastest["median_us"], 2), ratio=number(fastest["times_as_fast"], 3),
                     ratio_low=number(fastest["low"], 3), ratio_high=number(fastest["high"], 3))
    kokkos = [one for one in others if one["implementation"] == "kokkos"]
    for name, among in (("default", [one for one in kokkos if one["is_default"]]), ("tuned", kokkos)):
        if among:
            fastest = min(among, key=lambda one: one["times_as_fast"])
            found[f"kokkos_{name}_us"] = number(fastest["median_us"], 2)
            found[f"kokkos_{name}_ratio"] = number(fastest["times_as_fast"], 3)
    return found


def problem_key(view):
    return tuple(view[name] for name in ("board", "pattern", "variant", "numbers", "types", "shape", "data"))


class Database:
    """The measurements of one architecture in a database."""

    def __init__(self, arguments):
        self.ask = [arguments.tunedb, "--db", str(arguments.db)]
        self.best = self.json("best", "--arch", arguments.arch)
        self.best = [one for one in self.best if one["winner"]["provenance"] == "measured"]
        self.seen, self.fastest = defaultdict(set), defaultdict(dict)
        for view in self.json("trials", "--arch", arguments.arch, "--provenance", "measured", "--limit", "0"):
            self.seen[problem_key(view)].add((view["kernel"], view["params"]))
            times = self.fastest[problem_key(view)]
            if view["verdict"] == "passed" and view["median_us"]:
                times[view["kernel"]] = min(view["median_us"], times.get(view["kernel"], view["median_us"]))

    def json(self, *arguments):
        run = subprocess.run([*self.ask, *arguments, "--json"], stdout=subprocess.PIPE, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"from_database.py: {shlex.join([*self.ask, *arguments])} ended with {run.returncode}")
        return json.loads(run.stdout)


def tables_of(database, spaces, usual, arguments):
    """Folder names, and their tables by name."""
    folders = defaultdict(lambda: defaultdict(list))
    session_numbers = defaultdict(dict)
    for best in sorted(database.best, key=lambda one: (one["session"]["started_at"], one["winner"]["pattern"])):
        view, session, environment = best["winner"], best["session"], best["environment"] or {}
        model = re.sub(r"^NVIDIA\s+", "", view["board"])
        date = session["started_at"][:10]
        folder = f"{date}_{re.sub(r'[^a-z0-9]+', '_', model.lower())}"
        tables, numbers = folders[folder], session_numbers[folder]
        if session["started_at"] not in numbers:
            numbers[session["started_at"]] = str(len(numbers) + 1)
            tables["sessions"].append({
                "session": numbers[session["started_at"]], "date": date, "machine": arguments.machine or view["board"],
                "driver": environment.get("driver", ""), "cuda": environment.get("cuda", ""),
                "command": command_text(session["command"]), "source": arguments.source})
        ceiling = best["ceiling"] or {}
        common = {"session": numbers[session["started_at"]], "pattern": view["pattern"], "problem": usual.text(view),
                  "data": usual.data(view), "types": view["types"], "size": size_text(view["shape"]),
                  "ceiling": ceiling.get("name", "")}
        count = len(database.seen[problem_key(view)])
        space = spaces.of(view) or best.get("searched", {}).get("configurations")
        tables["problems"].append({
            **common, "kernel": view["kernel"], "params": bare(view["params"]),
            "time_us": number(view["median_us"], 2), "low_us": number(view["low_us"], 2),
            "high_us": number(view["high_us"], 2), "of_ceiling": number(ceiling.get("share"), 3),
            "default_ratio": number(best["speedup_over_default"], 2), **libraries_of(best),
            "certainty": view["certainty"], "configurations": count, "space": space or ""})
        for kernel, time in sorted(database.fastest[problem_key(view)].items(), key=lambda pair: pair[1]):
            share = {"ceiling": ceiling["name"], "of_ceiling": number(ceiling["us"] / time, 3)} if ceiling else {}
            tables["kernels"].append({**common, "kernel": kernel, "time_us": number(time, 2), **share})
    return folders


def main():
    parser = argparse.ArgumentParser(description="Writes the tables of docs/results from a database of tune.")
    parser.add_argument("--db", type=Path, required=True, help="the database")
    parser.add_argument("--arch", required=True, help="the architecture, e.g. sm_90")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write into")
    parser.add_argument("--tunedb", default="build/bin/tunedb", help="the program tunedb")
    parser.add_argument("--spaces", action="append", default=[], help="what `tune --dry-run --json` printed; again")
    parser.add_argument("--list", help="what `tune --list --json` printed: settings that have their default are left out")
    parser.add_argument("--machine", default="", help="the machine in words; default: the board")
    parser.add_argument("--source", required=True, help="where the database is from, e.g. tune at 8849d09")
    arguments = parser.parse_args()
    database = Database(arguments)
    if not database.best:
        sys.exit(f"from_database.py: {arguments.db} has measured nothing on {arguments.arch}")
    for name, tables in tables_of(database, Spaces(arguments.spaces), Usual(arguments.list), arguments).items():
        folder = arguments.out / name
        folder.mkdir(parents=True, exist_ok=True)
        for table, lines in tables.items():
            rows.write(folder / f"{table}.csv", lines)
        print(folder)


if __name__ == "__main__":
    main()
