# Compares what the programs print and export with stored examples of the promised versions (docs/stability.md).
# stability_test.py BIN_FOLDER [--update]: --update adds new members to the examples, and keeps the others.
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VERSION = int(re.search(r"json_version = (\d+);", (ROOT / "kernels/system/json_text.hpp").read_text()).group(1))
FORMAT = int(re.search(r"export_format = (\d+);", (ROOT / "kernels/core/vocabulary.hpp").read_text()).group(1))
EXAMPLES = HERE / f"testdata/json_{VERSION}"
SETTINGS = HERE / f"testdata/settings_{FORMAT}"
A_RUN = """INSERT INTO conformance_run (identity, uid, command, target, glob, seed, started_at, ended_at, cases,
             failures, cases_per_second, program_version, updated_at, refused, ended_how, progress)
           VALUES ('a', 'a', 'conform', 'host/sm_90', 'reduce/*', 1, '2026-11-24T00:00:00.000Z',
             '2026-11-24T00:00:09.000Z', 40, 0, 4.5, '0.1.0', '2026-11-24T00:00:09.000Z', 0, 'complete',
             '[{"kernel": "reduce/naive", "cases": 40, "verdict": "passed"}]')"""
# Commands that exit with 1, since they find a wrong kernel.
FINDS = {"conform_race"}
# Objects whose members are named after params, settings or boards, which may change.
MAPS = {"axes", "params", "variants", "costs"}
BIN, UPDATE = Path(), False  # set below
# What to run for each stored example, on the database of one board or of two.
COMMANDS = {
    "tunedb_best": "tunedb best --arch sm_90 --json --db one.db",
    "tunedb_trials": "tunedb trials --json --db one.db",
    "tunedb_runs": "tunedb runs --json --db one.db",
    "tunedb_show": "tunedb show {trial} --json --db one.db",
    "tunedb_across": "tunedb across --json --db two.db",
    "tunedb_export": "tunedb export --format json --db one.db",
    "tune_list": "tune --list --json --pattern reduce --arch sm_90",
    "tune_dry_run": "tune --dry-run --json --pattern transpose/tiled --size 64x64 --arch sm_90 --predict",
    "conform_list": "conform --list --json transpose/tiled",
    "conform_run": "conform --json transpose/tiled --cases 2 --cache cache",
    "conform_mutants": "conform --mutants --mutants-limit 2 --json transpose/copy --cache cache",
    "conform_race": "conform --json race.json --cases 40 --cache cache",
}


def kind_of(value):
    """The JSON type: 1 and 1.5 are both numbers."""
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


def missing(stored, today, where="$"):
    """Members of the example that today's document lacks, or has with another type. In lists, the first elements are
    compared."""
    if stored is None or today is None:
        return
    if kind_of(stored) != kind_of(today):
        yield f"{where} is a {kind_of(today)}, and was a {kind_of(stored)}"
    elif isinstance(stored, dict):
        for key, value in stored.items():
            if key not in today:
                yield f"{where}.{key} is gone"
            elif not (key in MAPS and isinstance(value, dict) and isinstance(today[key], dict)):
                yield from missing(value, today[key], f"{where}.{key}")
    elif isinstance(stored, list) and stored:
        if not today:
            yield f"{where} is empty"
        else:
            yield from missing(stored[0], today[0], f"{where}[0]")


def objects_in(document):
    """Every object of the document."""
    if isinstance(document, dict):
        yield document
    for value in document.values() if isinstance(document, dict) else document if isinstance(document, list) else []:
        yield from objects_in(value)


def shortened(document):
    """The document with only the first element of each list, as an example of its shape."""
    if isinstance(document, dict):
        return {key: shortened(value) for key, value in document.items()}
    return [shortened(document[0])] if isinstance(document, list) and document else document


def united(stored, today):
    """The stored document, with new members of today's."""
    if isinstance(stored, dict) and isinstance(today, dict):
        return {**{key: united(value, today.get(key)) for key, value in stored.items()},
                **{key: value for key, value in today.items() if key not in stored}}
    if isinstance(stored, list) and isinstance(today, list) and stored and today:
        return [united(stored[0], today[0])]
    return today if stored is None or stored == [] else stored


class Stored(unittest.TestCase):
    """A folder with a database of one board, part of a real session, and a database of two boards."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.make_database(cls.folder / "one.db")
        checking = ROOT / "docs/examples/checking"
        shutil.copy(checking / "answers.cpp", cls.folder)
        shutil.copy(checking / "race_in_shared_memory.cu", cls.folder / "race.cu")
        shutil.copy(checking / "race_in_shared_memory.json", cls.folder / "race.json")
        trial = json.loads(cls.run_program("tunedb best --arch sm_90 --pattern transpose --json --db one.db"))[0]
        cls.trial = trial["winner"]["id"]
        recording = json.loads(cls.run_program(
            "tunedb export --format kernel-tuner --pattern transpose --kernel tiled_vector --db one.db"))
        for board in ("H100 SXM", "A100 80GB PCIe"):
            (cls.folder / "recording.json").write_text(json.dumps({**recording, "device_name": board}))
            cls.run_program("tunedb import recording.json --db two.db")

    @staticmethod
    def make_database(path):
        connection = sqlite3.connect(path)
        for part in ("db/store/schema.sql", "docs/results/testdata/h100.sql"):
            connection.executescript((ROOT / part).read_text(encoding="utf-8"))
        connection.execute(A_RUN)
        connection.commit()
        connection.close()

    @classmethod
    def run_program(cls, line, code=0):
        program, *arguments = line.format(trial=getattr(cls, "trial", "")).split()
        run = subprocess.run([BIN / program, *arguments], cwd=cls.folder, capture_output=True, text=True, check=False)
        if run.returncode != code:
            raise AssertionError(f"{line} ended with {run.returncode}: {run.stderr}")
        return run.stdout

    def test_stored_examples_match_what_is_printed_today(self):
        for name, line in COMMANDS.items():
            with self.subTest(line):
                today = json.loads(self.run_program(line, int(name in FINDS)))
                file = EXAMPLES / f"{name}.json"
                if UPDATE:
                    EXAMPLES.mkdir(exist_ok=True)
                    stored = json.loads(file.read_text()) if file.exists() else None
                    file.write_text(json.dumps(united(stored, shortened(today)), indent=1) + "\n")
                self.assertEqual(list(missing(json.loads(file.read_text()), today)), [])

    def test_each_object_at_the_top_says_its_version(self):
        for name, line in COMMANDS.items():
            with self.subTest(line):
                document = json.loads(self.run_program(line, int(name in FINDS)))
                for one in document if isinstance(document, list) else [document]:
                    if "export" in line:
                        self.assertEqual((one["format"], "json_version" in one), (FORMAT, False))
                    else:
                        self.assertEqual(one["json_version"], VERSION)

    def test_axes_have_every_param_as_a_plain_value(self):
        compared = 0
        for name, line in COMMANDS.items():
            for one in objects_in(json.loads(self.run_program(line, int(name in FINDS)))):
                if isinstance(one.get("params"), str):
                    named = set(re.findall(r"\.(\w+) = ", one["params"]))
                    self.assertEqual((line, set(one.get("axes", []))), (line, named))
                    self.assertTrue(all(isinstance(value, (int, str)) for value in one["axes"].values()), one["axes"])
                    compared += 1
        self.assertGreater(compared, 5)

    def test_no_example_is_left_without_its_command(self):
        self.assertEqual({path.stem for path in EXAMPLES.iterdir()}, set(COMMANDS))

    def test_code_written_for_the_format_compiles_with_its_header_and_with_todays(self):
        stored = SETTINGS / "settings.hpp"
        today = self.run_program("tunedb export --format hpp --pattern transpose --db one.db")
        if UPDATE and not stored.exists():
            stored.write_text(today)
        for name, header in (("stored", stored.read_text()), ("today", today)):
            with self.subTest(name):
                (self.folder / "settings.hpp").write_text(header)
                self.assertEqual(self.compile((SETTINGS / "uses.cpp").read_text()), "")
        self.assertIn("no_such_constant", self.compile((SETTINGS / "uses.cpp").read_text() +
                                                       "static_assert(warpwright::settings::no_such_constant);"))

    def test_headers_of_two_formats_are_refused_together(self):
        header = (SETTINGS / "settings.hpp").read_text()
        (self.folder / "settings.hpp").write_text(header)
        text = f"#define WARPWRIGHT_SETTINGS_FORMAT {FORMAT + 1}\n#include \"settings.hpp\"\n"
        self.assertIn("export both with one tunedb", self.compile(text))

    def compile(self, text):
        (self.folder / "uses.cpp").write_text(text)
        compiler = shutil.which("c++") or shutil.which("g++")
        command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I.", f"-I{SETTINGS}"]
        run = subprocess.run([*command, "uses.cpp"], cwd=self.folder, capture_output=True, text=True, check=False)
        return run.stderr


class Comparison(unittest.TestCase):
    STORED = {"a": 1, "list": [{"b": "text", "c": None}], "none": None}

    def found(self, today):
        return list(missing(self.STORED, today))

    def test_new_members_and_nulls_are_no_change(self):
        self.assertEqual(self.found({"a": 1.5, "list": [{"b": "other", "c": 7, "new": 1}], "none": [], "more": {}}), [])
        self.assertEqual(self.found({"a": None, "list": [{"b": None, "c": None}], "none": 1}), [])

    def test_missing_members_and_changed_types_are_found(self):
        self.assertEqual(self.found({"list": [{"b": 3, "c": 0}], "none": 0}),
                         ["$.a is gone", "$.list[0].b is a number, and was a str"])
        self.assertEqual(self.found({"a": True, "list": {}, "none": 0}),
                         ["$.a is a bool, and was a number", "$.list is a dict, and was a list"])
        self.assertEqual(self.found({"a": 0, "list": [], "none": 0}), ["$.list is empty"])

    def test_params_may_come_and_go(self):
        self.assertEqual(list(missing({"axes": {"tile": 1}}, {"axes": {"block": "a"}})), [])
        self.assertEqual(list(missing({"axes": {"tile": 1}}, {"axes": []})), ["$.axes is a list, and was a dict"])

    def test_an_update_keeps_members_that_are_gone(self):
        self.assertEqual(united(self.STORED, {"list": [{"b": "x", "new": 1}], "none": 2}),
                         {"a": 1, "list": [{"b": "text", "c": None, "new": 1}], "none": 2})


if __name__ == "__main__":
    UPDATE = "--update" in sys.argv
    arguments = [argument for argument in sys.argv if argument != "--update"]
    BIN = Path(arguments.pop(1)).resolve()
    unittest.main(argv=arguments)
