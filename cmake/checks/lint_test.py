# Tests of the whole lint job, and of the check that every test has a cost label.
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from checks_test import HERE, Tree
from tree import run_tests
from waiting import is_alive, wait_for


class LintTest(Tree):
    """The whole lint job on a small tree with a build folder."""

    def setUp(self):
        super().setUp()
        for name in (".clang-format", ".clang-tidy", ".editorconfig", ".gitignore"):
            self.write(name, (HERE.parent.parent / name).read_text())
        for pattern in ("scan", "sort"):
            self.write(f"kernels/{pattern}/kokkos.cpp", "// A port.\n")
            self.write(f"kernels/{pattern}/vendor.cu", "// A library.\n")
        self.build = self.root / "build"
        self.write("build/CMakeCache.txt", f"CMAKE_CXX_COMPILER:STRING={shutil.which('g++')}\nNVCC:FILEPATH=NVCC-NOTFOUND\n")
        command = f"{shutil.which('g++')} -std=c++20 -I{self.root} -c {self.root}/db/store/store.cpp"
        self.write("build/compile_commands.json", json.dumps(
            [{"directory": str(self.root), "file": f"{self.root}/db/store/store.cpp", "command": command}]))

    def lint(self, *more):
        command = [sys.executable, "-B", HERE / "lint.py", self.build, self.root, "--jobs", "2", "--results",
                   self.build / "lint.xml", *more]
        return subprocess.run(command, capture_output=True, text=True)

    def results(self):
        """The result of each check, by name."""
        cases = ElementTree.parse(self.build / "lint.xml").iter("testcase")
        return {case.get("name"): "failed" if case.find("failure") is not None else
                "skipped" if case.find("skipped") is not None else "clean" for case in cases}

    def test_a_clean_tree_passes_and_what_could_not_run_is_said(self):
        run = self.lint()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        results = self.results()
        self.assertRegex(run.stdout, rf"lint: {len(results)} checks, 0 failed, \d+ skipped, in \d+ s\n$")
        self.assertEqual(results["nvcc reads the headers of kernels/block together"], "skipped")
        self.assertIn("skipped: NVCC was not found", run.stdout)
        for name in ("includes go down the layers", "sources are formatted", "clang-tidy is content",
                     "g++ reads kernels/block/scan.cuh"):
            self.assertIn(results[name], ("clean", "skipped") if "clang" in name or "formatted" in name else ("clean",), name)

    def test_a_fault_of_every_kind_is_found_and_named(self):
        self.write("db/bad.cpp", '// A planted fault.\n#include "kernels/model/plan.hpp"\n')
        self.write("helpers/list.hpp", "// A list. \n")
        self.write("kernels/block/scan.cuh", "// A scan.\ninline int one(missing_type two) { return two; }\n")
        (self.root / "db/README.md").unlink()
        (self.root / "kernels/sort/kokkos.cpp").unlink()
        self.write("db/store/store.cpp", "// Keeps trials.\nint f(int unused) { return 1; }\n")
        self.write("db/long.hpp", "#pragma once\n")
        run = self.lint()
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        failed = {name for name, what in self.results().items() if what == "failed"}
        expected = {"includes go down the layers", "top-level folders are those of the design",
                    "every folder of code has a README", "sources say what they are, are ASCII and short",
                    "every pattern has a Kokkos port and a vendor's baseline", "files are written as .editorconfig says",
                    "g++ reads kernels/block/scan.cuh"}
        if shutil.which("clang-tidy"):
            expected.add("clang-tidy is content")
        if "sources are formatted: skipped" not in run.stdout:
            expected.add("sources are formatted")
        self.assertEqual(failed, expected, run.stdout)
        self.assertIn("g++ reads kernels/block/scan.cuh: failed\n", run.stdout)
        self.assertIn("missing_type", run.stdout)
        self.assertIn(f" checks, {len(failed)} failed, ", run.stdout)

    def test_nightly_runs_add_their_checks(self):
        if shutil.which("clang-tidy") is None:
            self.skipTest("clang-tidy is not installed")
        self.write("db/store/store.cpp", "// Keeps trials.\nstruct Big {\n  Big(const Big&);\n  int one;\n};\n"
                                   "int first(Big big) {\n  return big.one;\n}\n")
        self.assertEqual(self.lint().returncode, 0)
        run = self.lint("--slow")
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("performance-unnecessary-value-param", run.stdout)
        self.assertIn("every source compiles on its own", self.results())

    def test_when_stopped_it_also_ends_its_child_processes(self):
        fake = self.root / "bin/g++"
        self.write("bin/g++", f"#!/bin/sh\nmkfifo {self.root}/wait\necho $$ >{self.root}/pid\nread word <{self.root}/wait\n")
        fake.chmod(0o755)
        self.write("build/CMakeCache.txt", f"CMAKE_CXX_COMPILER:STRING={fake}\n")
        self.write("build/compile_commands.json", "[]")
        (self.root / "kernels/block/scan.cuh").unlink()
        run = subprocess.Popen([sys.executable, "-B", HERE / "lint.py", self.build, self.root], stdout=subprocess.DEVNULL)
        pid = wait_for(lambda: (self.root / "pid").exists() and (self.root / "pid").read_text().strip())
        run.terminate()
        self.assertEqual(run.wait(60), 130)
        self.assertTrue(wait_for(lambda: not is_alive(int(pid))))


class LabelsTest(unittest.TestCase):
    def complaints(self, **labels):
        with tempfile.TemporaryDirectory() as folder:
            lines = [f'add_test({name} true)\nset_tests_properties({name} PROPERTIES LABELS "{words}")\n'
                     for name, words in labels.items()]
            (Path(folder) / "CTestTestfile.cmake").write_text("".join(lines))
            run = subprocess.run([sys.executable, "-B", HERE / "labels.py", folder], capture_output=True, text=True)
            self.assertEqual(run.returncode, 1 if run.stdout.count("\n") > 1 else 0, run.stdout + run.stderr)
            return run.stdout.splitlines()[:-1]

    def test_every_test_has_one_cost(self):
        self.assertEqual(self.complaints(a="unit", b="db_test;integration;quick", c="slow;nightly", d="catalogue"), [])
        self.assertEqual(self.complaints(a="integration;quick", b="db_test"),
                         ["b: has of catalogue, integration, slow, unit none"])
        self.assertEqual(self.complaints(a="integration;quick", b="slow;unit"),
                         ["b: has of catalogue, integration, slow, unit slow and unit"])
        self.assertEqual(self.complaints(a="integration;quick", b="slow;quick;nightly"),
                         ["b: is of the nights and of the quick sample"])
        self.assertEqual(self.complaints(a="unit"), ["no test is of the quick sample"])


class SkippedTest(unittest.TestCase):
    def test_a_script_with_a_skipped_test_counts_as_skipped_and_says_why(self):
        script = """import sys, unittest\nsys.path.insert(0, %r)\nfrom tree import run_tests
class One(unittest.TestCase):
    def test_a(self): self.skipTest("the moon is full")
    def test_b(self): %s\nrun_tests()\n"""
        for body, code in (("pass", 77), ("self.fail()", 1)):
            done = subprocess.run([sys.executable, "-B", "-c", script % (str(HERE), body)], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (code, "skipped: the moon is full\n"), done.stderr)


if __name__ == "__main__":
    run_tests()
