# Tests of docs/results: tables from a database, the rules for rows, pages, and a session within its time. Usage:
# results_test.py BIN_FOLDER, which has tunedb.
import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import measure
import rows

HERE = Path(__file__).resolve().parent
TUNEDB = None  # set by main
PLAN = {
    "arch": "sm_90",
    "problems": [
        {"problem": "convolution[border=zero,form=any,filter=5.0,data=uniform,float,4096x4096]",
         "kernels": [{"configurations": 28000}, {"configurations": 452}]},
        {"problem": "sort[items=keys,data=uniform,unsigned int,16777216]", "kernels": [{"configurations": 9408}]},
        {"problem": "transpose[op=transpose,data=uniform,float,8192x8192]", "kernels": [{"configurations": 448}]},
    ],
}
LIST = {"patterns": [{"name": "convolution", "numbers": [{"name": "filter", "preferred": 5}],
                      "variants": {"border": ["clamp", "zero"], "form": ["any", "separable"]}, "data": ["uniform"]}]}
# Stands in for tune: says the plan, writes its arguments down, and leaves a database behind; exits as told.
FAKE_TUNE = """#!/usr/bin/env python3
import json, shutil, sys
from pathlib import Path
here, arguments = Path(__file__).parent, sys.argv[1:]
if "--list" in arguments:
    print((here / "list.json").read_text())
elif "--dry-run" in arguments:
    plan = json.loads((here / "plan.json").read_text())
    if "--pattern" in arguments:
        asked = arguments[arguments.index("--pattern") + 1]
        plan["problems"] = [one for one in plan["problems"] if one["problem"].startswith(asked + "[")]
    print(json.dumps(plan))
else:
    with open(here / "runs", "a") as file:
        file.write(json.dumps(arguments) + "\\n")
    shutil.copy(here / "h100.db", arguments[arguments.index("--db") + 1])
    asked = arguments[arguments.index("--pattern") + 1]
    sys.exit(int((here / f"exit_{asked}").read_text()) if (here / f"exit_{asked}").exists() else 0)
"""


def database(path):
    """The stored part of a real session."""
    with sqlite3.connect(path) as connection:
        for part in (HERE.parents[1] / "db/store/schema.sql", HERE / "testdata/h100.sql"):
            connection.executescript(part.read_text(encoding="utf-8"))
    connection.close()


def table(folder, name):
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_script(self, name, *arguments):
        return subprocess.run([sys.executable, "-B", HERE / name, *map(str, arguments)], capture_output=True, text=True,
                              check=False)


class FromDatabase(Folder):
    def setUp(self):
        super().setUp()
        database(self.folder / "h100.db")
        (self.folder / "plan.json").write_text(json.dumps(PLAN))
        (self.folder / "list.json").write_text(json.dumps(LIST))
        run = self.run_script("from_database.py", "--db", self.folder / "h100.db", "--arch", "sm_90", "--tunedb",
                              TUNEDB, "--out", self.folder / "out", "--spaces", self.folder / "plan.json", "--list",
                              self.folder / "list.json", "--source", "a test")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr, "")
        self.tables = self.folder / "out/2026-11-24_h100_80gb_hbm3"

    def test_a_row_has_what_the_database_knows(self):
        problems = {row["pattern"]: row for row in table(self.tables, "problems")}
        self.assertEqual(sorted(problems), ["convolution", "sort", "transpose"])
        row = problems["convolution"]
        said = {name: row[name] for name in ("problem", "data", "types", "size", "kernel", "time_us", "low_us",
                                             "high_us", "ceiling", "library", "library_us", "ratio", "default_ratio",
                                             "space")}
        self.assertEqual(said, {"problem": "border=zero", "data": "", "types": "float", "size": "4096x4096",
                                "kernel": "register_tiled", "time_us": "51.47", "low_us": "51.23", "high_us": "52.03",
                                "ceiling": "copy", "library": "cudnn/forward 9.19.0", "library_us": "354.46",
                                "ratio": "6.866", "default_ratio": "1.94", "space": "28452"})
        # Two of four tables of bytes over the rate that the session measured.
        self.assertAlmostEqual(float(row["of_ceiling"]), 2 * 4 * 4096 * 4096 / 3098.63e9 / 51.472e-6, delta=0.002)
        self.assertTrue(row["certainty"].startswith("certified (200 cases"))
        self.assertEqual(problems["sort"]["library"], "")
        self.assertEqual(problems["sort"]["size"], "2^24")

    def test_a_session_has_its_machine_and_its_command(self):
        (row,) = table(self.tables, "sessions")
        self.assertEqual((row["date"], row["machine"], row["driver"]),
                         ("2026-11-24", "NVIDIA H100 80GB HBM3", "580.159.04"))
        self.assertEqual(row["command"], "tune --arch native --baselines")

    def test_every_kernel_is_listed_with_its_best(self):
        sort = [row["kernel"] for row in table(self.tables, "kernels") if row["pattern"] == "sort"]
        self.assertEqual(sort, ["radix_onesweep", "bitonic"])

    def test_its_rows_are_sane_and_make_a_page(self):
        run = self.run_script("make_pages.py", "--root", self.folder / "out")
        self.assertEqual((run.returncode, run.stdout), (0, "1 pages, 0 complaints\n"))
        page = (self.folder / "out/2026-11-24_h100_80gb_hbm3.md").read_text()
        self.assertIn("| 51.47 [51.23, 52.03] |", page)
        self.assertIn("| cudnn/forward 9.19.0 (354.46 us) | 6.866 [6.812, 6.919] |", page)
        self.assertEqual(self.run_script("make_pages.py", "--check", "--root", self.folder / "out").returncode, 0)
        (self.folder / "out/2026-11-24_h100_80gb_hbm3.md").write_text(page.replace("51.47", "41.47"))
        run = self.run_script("make_pages.py", "--check", "--root", self.folder / "out")
        self.assertEqual(run.returncode, 1)
        self.assertIn("2026-11-24_h100_80gb_hbm3.md is not what its data says", run.stdout)


class Rows(Folder):
    GOOD = {"session": "1", "pattern": "sort", "types": "float", "size": "2^24", "kernel": "k", "time_us": "100",
            "low_us": "99", "high_us": "101", "ceiling": "copy", "of_ceiling": "0.9", "library": "CUB", "library_us": "150",
            "ratio": "1.5", "ratio_low": "1.4", "ratio_high": "1.6", "bar": "1.2", "bar_of": "ratio",
            "configurations": "3", "space": "4"}

    def complaints(self, name="problems", **changes):
        folder = self.folder / "2026-11-24_x"
        folder.mkdir(exist_ok=True)
        rows.write(folder / f"{name}.csv", [{**(self.GOOD if name == "problems" else {}), **changes}])
        return [text.split(": ", 1)[1] for text in rows.complaints_about(folder / f"{name}.csv", {"1"})]

    def test_a_sane_row_passes(self):
        self.assertEqual(self.complaints(), [])

    def test_impossible_rows_are_found(self):
        for changes, complaint in (
                ({"ratio": "1.4", "ratio_low": ""}, "ratio 1.4 is not library_us 150 over time_us 100"),
                ({"time_us": "102"}, "time_us 102 is not between 99 and 101"),
                ({"ratio_low": "1.55"}, "ratio 1.5 is not between 1.55 and 1.6"),
                ({"of_ceiling": "1.2"}, "of_ceiling is 1.2: a share is at most 1"),
                ({"ceiling": ""}, "ceiling and of_ceiling go together"),
                ({"time_us": "fast"}, "time_us is 'fast', which is no number"),
                ({"low_us": "-1"}, "low_us is -1"),
                ({"time_us": "", "library_us": ""}, "time_us is missing"),
                ({"library": ""}, "a ratio without its library"),
                ({"bar_of": ""}, "bar_of is '' beside the bar '1.2'"),
                ({"configurations": "5"}, "5 configurations of a space of 4"),
                ({"session": "2"}, "there is no session '2' in sessions.csv")):
            with self.subTest(complaint):
                self.assertIn(complaint, self.complaints(**changes))

    def test_times_at_the_power_cap_may_be_further_from_paired_ones(self):
        for note, ratio, is_sane in (("", "1.4", False), ("clocks held back by the power cap", "1.4", True),
                                     ("clocks held back by the power cap", "1.3", False)):
            with self.subTest(f"{note}, {ratio}"):
                complaints = self.complaints(note=note, ratio=ratio, ratio_low="", bar="")
                self.assertEqual(any("is not library_us" in text for text in complaints), not is_sane)

    def test_a_measurement_lies_in_its_interval(self):
        row = {"session": "1", "topic": "a", "what": "b", "value": "3", "unit": "s"}
        self.assertEqual(self.complaints("measurements", **row), [])
        self.assertEqual(self.complaints("measurements", **row, low="4"), ["value 3 is not between 4 and "])

    def test_a_duplicate_row_is_found(self):
        path = self.folder / "problems.csv"
        rows.write(path, [self.GOOD, self.GOOD])
        self.assertIn("the row stands there twice", "\n".join(rows.complaints_about(path)))

    def test_a_bar_is_met_or_not_by_the_data(self):
        row = dict.fromkeys(rows.COLUMNS["problems"], "") | self.GOOD
        self.assertIs(rows.is_met(row), True)
        self.assertIs(rows.is_met(row | {"bar": "1.55"}), True)  # within its interval
        self.assertIs(rows.is_met(row | {"bar": "1.65"}), False)
        self.assertIsNone(rows.is_met(row | {"bar": "", "bar_of": ""}))


class Measure(Folder):
    def setUp(self):
        super().setUp()
        (self.folder / "tune").write_text(FAKE_TUNE)
        (self.folder / "tune").chmod(0o755)
        (self.folder / "tunedb").symlink_to(TUNEDB)
        (self.folder / "plan.json").write_text(json.dumps(PLAN))
        (self.folder / "list.json").write_text(json.dumps(LIST))
        database(self.folder / "h100.db")

    def measure(self, *arguments):
        return self.run_script("measure.py", self.folder / "out", "--bin", self.folder, *arguments)

    def runs(self):
        lines = (self.folder / "runs").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def test_every_problem_has_its_run_and_its_row(self):
        (self.folder / "exit_sort").write_text("1")  # a wrong configuration is no reason to stop
        run = self.measure("--seconds", "100", "--source", "a test")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        asked = [words[words.index("--pattern"):] for words in self.runs()]
        self.assertEqual(asked[1], ["--pattern", "sort", "--type", "unsigned int", "--size", "16777216", "--with",
                                    "items=keys,data=uniform"])
        self.assertEqual([words[1] for words in asked], ["convolution", "sort", "transpose"])
        budgets = [int(words[words.index("--budget") + 1][:-1]) for words in self.runs()]
        self.assertLessEqual(budgets[0], round(95 * 6 / 16))  # it has 2 of 4 kernels; whole seconds
        self.assertLessEqual(budgets[-1], 95)
        self.assertGreater(min(budgets), 20)
        problems = table(self.folder / "out/2026-11-24_h100_80gb_hbm3", "problems")
        self.assertEqual([row["space"] for row in problems], ["28452", "9408", "448"])
        self.assertTrue((self.folder / "out/2026-11-24_h100_80gb_hbm3.md").is_file())

    def test_runs_of_tune_that_failed_are_reported(self):
        (self.folder / "exit_transpose").write_text("3")
        run = self.measure("--seconds", "100")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"tune --arch native .*transpose.* ended with 3: see .*tune_3.log")

    def test_the_end_of_the_time_is_reported(self):
        run = self.measure("--seconds", "6")
        self.assertEqual(run.returncode, 1)
        self.assertIn("not measured, the time was over", run.stderr)

    def test_a_file_chooses_the_problems(self):
        (self.folder / "asked").write_text("# of two lines\n--pattern transpose --size 8192x8192 --with 'a=b'\n")
        run = self.measure("--seconds", "100", "--problems", self.folder / "asked")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        (words,) = self.runs()
        self.assertEqual(words[words.index("--pattern"):],
                         ["--pattern", "transpose", "--size", "8192x8192", "--with", "a=b"])

    def test_a_run_that_does_not_end_is_killed(self):
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.SIG_IGN))
        with unittest.mock.patch.multiple(measure, PATIENCE=0.1, LAST_PATIENCE=0.1):
            self.assertEqual(measure.run_tune(["sleep", "600"], self.folder / "log", 0), -signal.SIGKILL)


if __name__ == "__main__":
    TUNEDB = os.path.abspath(os.path.join(sys.argv.pop(1), "tunedb"))
    unittest.main()
