# Tests of the checks of the tree: each plants a fault in a small tree and expects a complaint.
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest.mock
from pathlib import Path

import layering
import tidy
from tree import run_tests

HERE = Path(__file__).resolve().parent
CLEAN_TREE = {
    "db/store/store.hpp": "// Keeps trials.\n",
    "db/store/store.cpp": '// Keeps trials.\n#include "db/store/store.hpp"\n\n#include <vector>\n',
    "kernels/model/plan.hpp": "// A plan as data.\n",
    "kernels/runtime/device.cuh": "// What device code includes.\n",
    "kernels/runtime/run.cpp": '// Runs plans.\n#include "kernels/model/plan.hpp"\n',
    "kernels/block/scan.cuh": '// A scan by one block.\n#include "kernels/runtime/device.cuh"\n',
    "kernels/scan/pattern.cpp": '// The scan pattern.\n#include "kernels/block/scan.cuh"\n',
    "kernels/sort/pattern.cpp": '// The sort pattern.\n#include "kernels/model/plan.hpp"\n',
    "conformance/mutants/check.hpp": '// Checks kernels.\n#include "db/store/store.hpp"\n#include "kernels/model/plan.hpp"\n',
    "tuner/program/tune.cpp": '// Tunes kernels.\n#include "db/store/store.hpp"\n',
    "reports/page.cpp": '// Writes pages.\n#include "db/store/store.hpp"\n',
}
README = "# A folder\n\n" + "What lives there and what may touch it.\n" * 3


class Tree(unittest.TestCase):
    """A small clean tree in a folder of its own; the checks run on it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name, text in CLEAN_TREE.items():
            self.write(name, text)
        for name in ("kernels", "conformance", "tuner", "db", "reports"):
            self.write(f"{name}/README.md", README)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_check(self, script, *arguments):
        command = [sys.executable, "-B", HERE / script, *arguments, self.root]
        return subprocess.run(command, capture_output=True, text=True)

    def assert_clean(self, *check):
        run = self.run_check(*check)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def assert_complains(self, about, *check):
        run = self.run_check(*check)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn(about, run.stdout)
        return run.stdout


class LayeringTest(Tree):
    def assert_forbidden(self, source, target):
        with self.subTest(source=source, target=target):
            self.write(source, f'// A planted fault.\n\n#include "{target}"\n')
            self.assert_complains(f"{source}:3: ", "layering.py")
            (self.root / source).unlink()

    def test_a_tree_that_keeps_the_layers_passes(self):
        self.assert_clean("layering.py")

    def test_an_upward_include_between_top_folders_is_found(self):
        self.assert_forbidden("db/bad.cpp", "kernels/model/plan.hpp")
        self.assert_forbidden("kernels/runtime/bad.hpp", "db/store/store.hpp")
        self.assert_forbidden("kernels/scan/bad.cuh", "conformance/mutants/check.hpp")
        self.assert_forbidden("conformance/bad_test.cpp", "tuner/program/tune.cpp")
        self.assert_forbidden("reports/bad.cpp", "kernels/model/plan.hpp")
        self.assert_forbidden("tuner/bad.cpp", "reports/page.cpp")

    def test_an_upward_include_inside_kernels_is_found(self):
        self.assert_forbidden("kernels/model/bad.hpp", "kernels/runtime/device.cuh")
        self.assert_forbidden("kernels/runtime/client/bad.cpp", "kernels/block/scan.cuh")
        self.assert_forbidden("kernels/runtime/bad.cpp", "kernels/scan/pattern.cpp")
        self.assert_forbidden("kernels/block/bad.cuh", "kernels/scan/pattern.cpp")
        self.assert_forbidden("kernels/sort/bad.cpp", "kernels/scan/pattern.cpp")

    def test_each_row_of_the_table_forbids_what_is_not_in_it(self):
        folders = [*layering.SHORT.values(), "kernels/scan"]  # patterns have a row together
        for folder in folders:
            self.write(f"{folder}/planted.cuh", "// What somebody includes.\n")
        pairs = [(one, other) for one in folders for other in folders if not layering.allowed(one, other)]
        self.assertEqual({one for one, _ in pairs}, set(folders), "each row forbids something")
        for i, (one, other) in enumerate(pairs):
            self.write(f"{one}/bad_{i}.cuh", f'// A planted fault.\n\n#include "{other}/planted.cuh"\n')
        found = self.assert_complains("may not include", "layering.py")
        for i, (one, other) in enumerate(pairs):
            self.assertIn(f"{one}/bad_{i}.cuh:3: includes {other}/planted.cuh, but ", found)

    def test_the_table_has_no_circle(self):
        self.assertEqual(layering.circle({name: set(row.split()) for name, row in layering.LAYERS.items()}), [])
        self.assertEqual(set(layering.SHORT), set(layering.LAYERS))

    def test_folders_that_include_each_other_are_found(self):
        self.write("kernels/scan/kokkos.cpp", '// A port.\n#include "kernels/runtime/baselines/range.hpp"\n')
        self.write("kernels/runtime/baselines/range.hpp", "// Ranges.\n")
        self.assert_clean("layering.py")
        self.assert_forbidden("kernels/scan/bad.cpp", "kernels/runtime/baselines/range.hpp")
        self.write("kernels/runtime/baselines/range.hpp", '// Ranges.\n#include "kernels/scan/pattern.cpp"\n')
        self.assert_complains("folders include each other: ", "layering.py")

    def test_device_code_that_includes_host_code_is_found(self):
        self.assert_forbidden("kernels/block/bad.cuh", "kernels/model/plan.hpp")
        self.assert_forbidden("kernels/scan/bad.cuh", "kernels/model/plan.hpp")
        self.write("kernels/block/plans.hpp", '// Plans of blocks.\n#include "kernels/model/plan.hpp"\n')
        self.assert_clean("layering.py")

    def test_an_include_that_is_not_written_from_the_root_is_found(self):
        self.assert_forbidden("db/bad.cpp", "store.hpp")
        self.assert_forbidden("db/bad.cpp", "../db/store.hpp")
        self.assert_forbidden("db/bad.cpp", "db/../kernels/model/plan.hpp")

    def test_angle_brackets_hide_no_upward_include(self):
        self.write("db/bad.cpp", "// A planted fault.\n#  include <kernels/model/plan.hpp>\n")
        self.assert_complains("db may not include kernels", "layering.py")

    def test_an_include_inside_a_raw_string_is_text(self):
        self.write("db/text_test.cpp", '// Text.\nconst char* text = R"(\n#include "toy/toy.cuh"\n)";\n')
        self.assert_clean("layering.py")

    def test_test_data_stands_for_code_outside_the_tree(self):
        self.write("tuner/testdata/kernels/toy/toy.cpp", '// A toy.\n#include "toy/toy.cuh"\n')
        self.assert_clean("layering.py")
        self.write("tuner/bad.cpp", '// A planted fault.\n#include "toy/toy.cuh"\n')
        self.assert_complains("tuner/bad.cpp:2", "layering.py")

    def test_a_tree_without_sources_fails(self):
        with tempfile.TemporaryDirectory() as empty:
            self.root = Path(empty)
            self.assert_complains("0 checked", "layering.py")


class LayoutTest(Tree):
    def test_a_tidy_tree_passes(self):
        for check in ("folders", "readmes", "sources"):
            self.assert_clean("layout.py", check)

    def test_an_unknown_top_level_folder_is_found(self):
        self.write("helpers/list.hpp", "// A list.\n")
        self.assert_complains("helpers/", "layout.py", "folders")

    def test_docs_is_a_top_level_folder_without_code(self):
        self.write("docs/README.md", README)
        for check in ("folders", "readmes", "sources"):
            self.assert_clean("layout.py", check)

    def test_dot_and_build_folders_are_left_alone(self):
        self.write(".ci/run", "#!/bin/bash\n")
        self.write("build-asan/notes.txt", "\n")
        self.assert_clean("layout.py", "folders")

    def test_a_missing_readme_is_found(self):
        (self.root / "tuner/README.md").unlink()
        self.assert_complains("tuner/README.md", "layout.py", "readmes")

    def test_an_empty_readme_is_found(self):
        self.write("reports/README.md", "# reports\n")
        self.assert_complains("reports/README.md", "layout.py", "readmes")

    def test_a_source_without_a_comment_on_top_is_found(self):
        self.write("db/bad.hpp", "#pragma once\n")
        self.assert_complains("db/bad.hpp:1", "layout.py", "sources")

    def test_a_character_beyond_ascii_is_found(self):
        self.write("db/bad.hpp", "// A bad header.\n\n// 3 \N{MICRO SIGN}s\n")
        self.assert_complains("db/bad.hpp:3", "layout.py", "sources")

    def test_a_pattern_without_its_baselines_is_found(self):
        for pattern in ("scan", "sort"):
            self.write(f"kernels/{pattern}/kokkos.cpp", "// A port.\n")
            self.write(f"kernels/{pattern}/vendor.cu", "// A library.\n")
        self.assert_clean("layout.py", "baselines")
        for name in ("kokkos.cpp", "vendor.cu"):
            (self.root / "kernels/sort" / name).unlink()
            self.assert_complains(f"kernels/sort/{name}", "layout.py", "baselines")
            self.write(f"kernels/sort/{name}", "// Back again.\n")

    def test_a_pattern_may_say_why_no_vendor_solves_it(self):
        for pattern in ("scan", "sort"):
            self.write(f"kernels/{pattern}/kokkos.cpp", "// A port.\n")
            self.write(f"kernels/{pattern}/vendor.cu", "// A library.\n")
        self.write("kernels/sort/pattern.cpp", "// A pattern.\n// No vendor baseline: nobody has one.\n")
        self.assert_complains("kernels/sort/vendor.cu is there", "layout.py", "baselines")
        (self.root / "kernels/sort/vendor.cu").unlink()
        self.assert_clean("layout.py", "baselines")
        self.write("kernels/sort/pattern.cpp", "// A pattern.\n// No vendor baseline:\n")
        self.assert_complains("kernels/sort/vendor.cu", "layout.py", "baselines")

    def test_400_lines_are_allowed_and_401_are_not(self):
        self.write("db/long.cpp", "// A long file.\n" + "\n" * 399)
        self.assert_clean("layout.py", "sources")
        self.write("db/long.cpp", "// A long file.\n" + "\n" * 400)
        self.assert_complains("401 lines", "layout.py", "sources")


class FormattingTest(Tree):
    def setUp(self):
        super().setUp()
        self.write(".clang-format", (HERE.parent.parent / ".clang-format").read_text())
        if self.run_check("formatting.py").returncode == 77:
            self.skipTest("clang-format is not installed")

    def test_a_formatted_tree_passes(self):
        self.assert_clean("formatting.py")

    def test_a_badly_spaced_line_is_found(self):
        self.write("db/bad.cpp", "// A bad line.\nint  f( ) ;\n")
        self.assert_complains("db/bad.cpp:2", "formatting.py")


class TidyTest(Tree):
    def setUp(self):
        super().setUp()
        self.write(".clang-tidy", (HERE.parent.parent / ".clang-tidy").read_text())
        self.write("db/one.cpp", '// Includes the header.\n#include "db/one.hpp"\nint two() { return one(); }\n')
        self.write("db/one.hpp", "// One, inline.\n#pragma once\ninline int one() { return 1; }\n")
        self.build = self.root / "build"
        self.build.mkdir()
        command = f"/usr/bin/ccache g++ -std=c++20 -fpch-preprocess -include pch.hxx -I{self.root} -c {self.root}/db/one.cpp"
        entries = []
        for name in ("one", "other"):
            entries.append({"directory": str(self.root), "file": f"{self.root}/db/{name}.cpp",
                            "command": command.replace("one.cpp", f"{name}.cpp")})
        self.write("db/other.cpp", "// Says three.\nint three() { return 3; }\n")
        (self.build / "compile_commands.json").write_text(json.dumps(entries))
        if self.run_check("tidy.py", self.build, "g++").returncode == 77:
            self.skipTest("clang-tidy is not installed")

    def stamps(self):
        return sorted(path.name for path in (self.build / "tidy").glob("*.clean"))

    def test_a_clean_source_passes_and_is_remembered(self):
        self.assert_clean("tidy.py", self.build, "g++")
        kept = self.stamps()
        self.assertEqual(len(kept), 1)
        self.assert_clean("tidy.py", self.build, "g++")
        self.assertEqual(self.stamps(), kept)

    def test_a_fault_in_a_header_of_the_tree_is_found_and_not_remembered(self):
        self.write("db/one.hpp", "// One, inline.\n#pragma once\ninline int one(const int unused) { return 1; }\n"
                                 "inline int one() { return one(2); }\n")
        for _ in range(2):
            self.assert_complains("misc-unused-parameters", "tidy.py", self.build, "g++")
        self.assertEqual(self.stamps(), [])

    def test_faults_of_every_source_of_a_folder_are_found(self):
        self.write("db/other.cpp", "// Says three.\nint three(int unused) { return 3; }\n")
        self.write("db/one.cpp", "// Says two.\nint two(char left_alone) { return 2; }\n")
        complaint = self.assert_complains("left_alone", "tidy.py", self.build, "g++")
        self.assertIn("parameter 'unused'", complaint)

    def test_the_sources_of_a_unity_build_are_read(self):
        self.write("db/hidden.cpp", "// Within a unit.\nint hidden(int unused) { return 1; }\n")
        unit = self.build / "Unity/unity_0_cxx.cxx"
        unit.parent.mkdir()
        unit.write_text(f'#include "{self.root}/db/hidden.cpp"\n')
        database = self.build / "compile_commands.json"
        database.write_text(json.dumps([*json.loads(database.read_text()), {
            "directory": str(self.root), "file": str(unit), "command": f"g++ -std=c++20 -o unit.o -c {unit}"}]))
        self.assert_complains("misc-unused-parameters", "tidy.py", self.build, "g++")

    def test_sources_that_use_one_name_twice_are_read_singly(self):
        self.write("db/other.cpp", "// Another two.\n#include \"db/one.hpp\"\nstatic double two() { return one(); }\n"
                                   "double four() { return 2 * two(); }\n")
        self.assert_clean("tidy.py", self.build, "g++")
        self.write("db/other.cpp", "// Another two.\nstatic double two(int unused) { return 2; }\n"
                                   "double four() { return 2 * two(1); }\n")
        self.assert_complains("misc-unused-parameters", "tidy.py", self.build, "g++")

    def add_source(self, name, text):
        database = self.build / "compile_commands.json"
        entries = json.loads(database.read_text())
        path = self.root / name
        entries.append({"directory": str(self.root), "file": str(path),
                        "command": f"/usr/bin/ccache g++ -std=c++20 -I{self.root} -c {path}"})
        database.write_text(json.dumps(entries))
        self.write(name, text)

    def sources_of_batches(self, *names):
        tidy.declared_names.cache_clear()
        entries = {self.root / name: {"arguments": ["g++", name]} for name in names}
        return [sorted(path.name for path in batch) for batch in tidy.batches_of(entries, self.root)]

    def test_a_source_and_a_header_that_it_does_not_include_share_no_name(self):
        pairs = (("struct Node {};", "using Node = int;", "db"), ("int node(int);", "struct node {};", "db"),
                 ("constexpr int kMost{1}, kLeast{2};", "int kLeast() { return 3; }", "db"),
                 ("enum class Form { text };", "struct Form {};", "db::inner"))  # which hides the header's
        for of_header, of_source, space in pairs:
            with self.subTest(of_source):
                self.write("db/one.hpp", f"// One.\nnamespace db {{\n{of_header}\n}}  // namespace db\n")
                text = f"namespace {space} {{\nnamespace {{\n{of_source}\n}}  // namespace\n}}  // namespace {space}\n"
                self.write("db/other.cpp", f"// Another.\n{text}")
                self.assertEqual(self.sources_of_batches("db/one.cpp", "db/other.cpp"), [["one.cpp"], ["other.cpp"]])
                self.write("db/other.cpp", f'// Another.\n#include "db/one.hpp"\n{text}')
                self.assertEqual(self.sources_of_batches("db/one.cpp", "db/other.cpp"), [["one.cpp", "other.cpp"]])

    def test_two_headers_with_one_type_are_not_read_together(self):
        for of_header, together in (("enum class layout { dense };", False), ("struct layout;", True), ("void layout();", True)):
            with self.subTest(of_header):
                self.write("db/one.hpp", f"// One.\nnamespace db {{\n{of_header}\n}}  // namespace db\n")
                self.write("db/two.hpp", "// Two.\nnamespace db {\nstruct layout {\n  int rows;\n};\n}  // namespace db\n")
                self.write("db/other.cpp", '// Another.\n#include "db/two.hpp"\n')
                self.assertEqual(len(self.sources_of_batches("db/one.cpp", "db/other.cpp")), 1 if together else 2)

    def test_sources_with_errors_are_checked_alone_and_the_others_again_together(self):
        self.write("db/words.hpp", "// Two words.\n#pragma once\nnamespace words {\nstruct Word {};\n}  // namespace words\n")
        for number in range(6):
            self.add_source(f"db/source_{number}.cpp", f"// A source.\nint number_{number}() {{ return {number}; }}\n")
        self.add_source("db/struct.cpp", "// A word.\nnamespace {\nstruct Word {};\n}  // namespace\n"
                                         "int word() { return sizeof(Word); }\n")
        self.add_source("db/using.cpp", '// Another one.\n#include "db/words.hpp"\nusing words::Word;\n'
                                        "int another() { return sizeof(Word); }\n")
        real = shutil.which("clang-tidy")
        fake = self.root / "bin/clang-tidy"
        self.write("bin/clang-tidy", f"#!/bin/sh\necho \"$@\" >>{self.root}/runs\nexec {real} \"$@\"\n")
        fake.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, PATH=f"{fake.parent}:{os.environ['PATH']}"):
            self.assert_clean("tidy.py", self.build, "g++")
        runs = [line for line in (self.root / "runs").read_text().splitlines() if "--version" not in line]
        self.assertEqual(len(runs), 3, "all, those without the error, and that with it")


class UnitsTest(Tree):
    """Two sources that are compiled as one."""

    def setUp(self):
        super().setUp()
        self.write("db/one.hpp", "// One, inline.\n#pragma once\ninline int one() { return 1; }\n")
        self.write("db/first.cpp", '// Includes it.\n#include "db/one.hpp"\nint two() { return one() + 1; }\n')
        self.write("db/second.cpp", '// So does this.\n#include "db/one.hpp"\nint three() { return one() + 2; }\n')
        self.build = self.root / "build"
        self.unit = self.build / "Unity/unity_0_cxx.cxx"
        self.unit.parent.mkdir(parents=True)
        self.unit.write_text("".join(f'#include "{self.root}/db/{name}.cpp"\n' for name in ("first", "second")))
        self.command = ["g++", "-Werror", "-Wshadow", f"-I{self.root}", "-MD", "-MT", "unit.o", "-MF", "unit.o.d",
                        "-o", "unit.o", "-c", str(self.unit)]

    def compile(self):
        return subprocess.run([HERE.parent / "compile_unit", *self.command], cwd=self.build, capture_output=True, text=True)

    def assert_made(self):
        symbols = subprocess.run(["nm", "-C", "unit.o"], cwd=self.build, capture_output=True, text=True, check=True).stdout
        self.assertIn("T two()", symbols)
        self.assertIn("T three()", symbols)
        depends = (self.build / "unit.o.d").read_text()
        for name in ("db/first.cpp", "db/second.cpp", "db/one.hpp"):
            self.assertIn(name, depends)
        self.assertEqual(sorted(path.name for path in self.build.glob("unit*")), ["unit.o", "unit.o.d"])

    def test_sources_without_conflicts_are_compiled_as_one(self):
        run = self.compile()
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        self.assert_made()

    def test_sources_with_conflicts_are_compiled_one_by_one(self):
        for name, function in (("first", "two"), ("second", "three")):
            self.write(f"db/{name}.cpp", f'// Both know it.\n#include "db/one.hpp"\nstatic const int mine = 1;\n'
                                         f'int {function}() {{ return one() + mine; }}\n')
        run = self.compile()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("compiled one by one", run.stdout)
        self.assertIn("redefinition", run.stdout)
        self.assert_made()

    def test_an_error_in_a_unit_is_reported_for_its_own_source(self):
        self.write("db/second.cpp", '// It names what is not there.\nint three() { return four(); }\n')
        run = self.compile()
        self.assertEqual(run.returncode, 1)
        self.assertIn("second.cpp:2", run.stderr)
        self.assertEqual(run.stderr.count("error:"), 1, run.stderr)

    def test_a_command_of_one_source_is_left_as_it_is(self):
        self.command[-1] = str(self.root / "db/second.cpp")
        self.assertEqual(self.compile().returncode, 0)
        self.write("db/second.cpp", '// It names what is not there.\nint three() { return four(); }\n')
        run = self.compile()
        self.assertEqual(run.returncode, 1)
        self.assertIn("four", run.stderr)

    def test_an_include_that_only_another_source_of_the_unit_has_is_found_missing(self):
        (self.build / "compile_commands.json").write_text(json.dumps([{
            "directory": str(self.root), "file": str(self.unit), "arguments": self.command}]))
        self.assert_clean("alone.py", self.build, "g++")
        self.write("db/second.cpp", "// This forgets to.\nint three() { return one() + 2; }\n")
        self.assert_complains("second.cpp", "alone.py", self.build, "g++")


if __name__ == "__main__":
    run_tests()
