# Checks that every test in a build folder has exactly one cost label: labels.py BUILD_FOLDER
# (cmake/warpwright_tests.cmake).
import collections
import json
import subprocess
import sys
from pathlib import Path

from tree import report

COSTS = {"unit", "integration", "catalogue", "slow"}


def tests_of(build):
    """The labels of every test, by name. If a name occurs twice, so do its labels."""
    run = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    found = collections.defaultdict(list)
    for test in json.loads(run.stdout)["tests"]:
        for entry in test.get("properties", []):
            if entry["name"] == "LABELS":
                found[test["name"]] += entry["value"]
        found[test["name"]] += []
    return found


def complaints(tests):
    for name, labels in sorted(tests.items()):
        costs = [label for label in labels if label in COSTS]
        if len(costs) != 1:
            yield f"{name}: has of {', '.join(sorted(COSTS))} {' and '.join(costs) or 'none'}"
        elif "nightly" in labels and "quick" in labels:
            yield f"{name}: is of the nights and of the quick sample"
    if not any("quick" in labels for labels in tests.values()):
        yield "no test is of the quick sample"


if __name__ == "__main__":
    every = tests_of(Path(sys.argv[1]))
    report(list(complaints(every)), len(every))
