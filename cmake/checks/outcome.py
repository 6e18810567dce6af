# Prints which tests were skipped, why, and what would make them run, and then the last lines of those that failed:
# outcome.py [--ci] [--lint RESULTS] RESULTS [PACKAGE...].
# RESULTS is ctest's JUnit report. With --lint, the report of the lint job is included in the count of the last line. A
# PACKAGE is one that could not be installed. With --ci, a skip that .ci/skips does not allow is a failure, with exit
# code 1.
import argparse
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PROGRAMS = ("nvcc",)  # not in a package that the launcher installs
LIST = Path(__file__).resolve().parents[2] / ".ci/skips"
LINES_OF_A_FAILURE = 40  # of each failed test
FAILURES_WITH_LINES = 10  # the end of a log must show why, even if many tests failed


def known_reasons(text):
    """The lines of .ci/skips as (when, reason, remedy)."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [tuple(part.strip() for part in line.split(" :: ")) for line in lines]


def reasons_of(output, known):
    """Why a test was skipped, a line for each reason: its own, gtest's, or else the first line that .ci/skips knows."""
    lines = [line.strip() for line in output.splitlines()]
    own = [line.removeprefix("skipped: ") for line in lines if line.startswith("skipped: ")]
    if own:
        return list(dict.fromkeys(own))
    for i, line in enumerate(lines):
        if line.endswith(": Skipped"):  # gtest; the reason follows
            return [next((after for after in lines[i + 1 :] if after), "no reason given")]
    found = [line for line in lines if any(re.search(expression, line) for _, expression, _ in known)]
    return [next((line for line in found + lines[::-1] if line), "no reason given")]


def skipped_tests(cases, known):
    """Names of skipped tests, by reason; a test may have several. Disabled tests are not included."""
    found = {}
    for case in cases:
        if case.find("skipped") is None or case.get("status") == "disabled":
            continue
        for reason in reasons_of(case.findtext("system-out") or "", known):
            found.setdefault(reason, []).append(case.get("name"))
    return found


def print_failures(cases):
    failed = [case for case in cases if case.find("failure") is not None]
    if failed:
        print(f"\nFailed: {len(failed)} tests. The end of what they printed:")
    for i, case in enumerate(failed):
        print(f"  {case.get('name')}")
        if i < FAILURES_WITH_LINES:
            for line in (case.findtext("system-out") or "").strip().splitlines()[-LINES_OF_A_FAILURE:]:
                print(f"    {line}")


def is_allowed(when, has_gpu, not_installed):
    if when in ("with a GPU", "without a GPU"):
        return has_gpu == (when == "with a GPU")
    name = when.removeprefix("without ")
    return when == "always" or name in not_installed or (name in PROGRAMS and shutil.which(name) is None)


def has_gpu():
    tool = shutil.which("nvidia-smi")
    return tool is not None and subprocess.run([tool, "-L"], capture_output=True).returncode == 0


def counted(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def print_sum(tests, checks):
    every = [*tests, *checks]
    failed = sum(case.find("failure") is not None for case in every)
    skipped = sum(case.find("skipped") is not None and case.get("status") != "disabled" for case in every)
    print(f"\n{counted(len(tests), 'test')} and {counted(len(checks), 'check')} of lint: {failed} failed, {skipped} skipped")


def cases_of(results):
    return list(ElementTree.parse(results).iter("testcase"))


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--ci", action="store_true")
    parser.add_argument("--lint")
    parser.add_argument("results")
    parser.add_argument("not_installed", nargs="*")
    given = parser.parse_args(arguments)
    in_ci, not_installed = given.ci, given.not_installed
    known = known_reasons(LIST.read_text(encoding="utf-8"))
    gpu = has_gpu()
    unexpected = set()
    tests = cases_of(given.results)
    checks = cases_of(given.lint) if given.lint else []
    cases = tests + checks
    found = skipped_tests(cases, known)
    if found:
        print(f"\nSkipped: {len(set().union(*found.values()))} tests. Why, and what would make them run:")
    for reason, names in sorted(found.items(), key=lambda item: -len(item[1])):
        matching = [(when, remedy) for when, expression, remedy in known if re.search(expression, reason)]
        allowed = any(is_allowed(when, gpu, not_installed) for when, _ in matching)
        unexpected.update([] if allowed else names)
        remedy = matching[0][1] if matching else f"see why: ctest --test-dir build -V -R '^{re.escape(names[0])}$'"
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        print(f"  {len(names)} x {reason}\n    {', '.join(names[:3])}{more}\n    {remedy}")
        if in_ci and not allowed:
            print("    UNEXPECTED: .ci/skips allows no such skip on this machine")
    for package in not_installed:
        print(f"  the package {package} could not be installed: apt-get update && apt-get install {package}")
    if in_ci and unexpected:
        print(f"{len(unexpected)} tests were skipped that could have run")
    print_failures(cases)
    if given.lint:
        print_sum(tests, checks)
    return 1 if in_ci and unexpected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
