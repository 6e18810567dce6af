# Tests the hook .ci/pre-commit in a small tree with the real checks, and the check of .editorconfig with planted
# faults.
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import editorconfig  # noqa: E402
from formatting import tool  # noqa: E402
from tree import MAY_INCLUDE, run_tests  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROPERTIES = editorconfig.properties(ROOT)


def about(name, data):
    return [line.split(": ", 1)[1] for line in editorconfig.about_file(name, data, PROPERTIES(Path(name)))]


class EditorconfigTest(unittest.TestCase):
    def test_it_finds_planted_faults(self):
        self.assertEqual(about("a.cpp", b"int a;\n"), [])
        self.assertEqual(about("a.cpp", b"int a;"), ["does not end with a new line"])
        self.assertEqual(about("a.md", b"a \n"), ["has blanks at its end"])
        self.assertEqual(about("a.py", b"\tpass\n"), ["is indented with a tab"])
        self.assertEqual(about("a.txt", b"a\r\n"), ["has a carriage return"])
        self.assertEqual(about("a.txt", b"\xff\n"), ["is no UTF-8: invalid start byte at byte 0"])
        self.assertEqual(about("a.png", b"\xff\t\r \n\t"), [])

    def test_indents_are_those_of_the_tree(self):
        self.assertEqual((PROPERTIES(Path("a.py"))["indent_size"], PROPERTIES(Path("a.cuh"))["indent_size"]), ("4", "2"))

    def test_it_says_what_clang_format_does(self):
        self.assertEqual(list(editorconfig.about_settings(ROOT, PROPERTIES)), [])
        with tempfile.TemporaryDirectory() as folder:
            style = (ROOT / ".clang-format").read_text()
            (Path(folder) / ".clang-format").write_text(style.replace("ColumnLimit: 120", "ColumnLimit: 100"))
            self.assertEqual(len(list(editorconfig.about_settings(Path(folder), PROPERTIES))), 4)


class HookTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.clone = Path(folder.name) / "clone"
        cls.environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        cls.environment |= {"HOME": folder.name, "GIT_CONFIG_NOSYSTEM": "1"}
        for name in (".ci/pre-commit", ".clang-format", ".editorconfig", ".gitignore"):
            (cls.clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, cls.clone / name)
        shutil.copytree(ROOT / "cmake/checks", cls.clone / "cmake/checks", ignore=shutil.ignore_patterns("__pycache__", "*.cpp"))
        for folder_of_code in MAY_INCLUDE:
            cls.write(f"{folder_of_code}/README.md", f"# {folder_of_code}\n\n" + "What lives here. " * 8 + "End.\n")
            cls.write(f"{folder_of_code}/here.hpp", "// A header that includes nothing.\n#pragma once\n")
        for name in ("pattern.cpp", "kokkos.cpp", "vendor.cu"):
            cls.write(f"kernels/toy/{name}", "// A file of a pattern.\n")
        cls.git("init", "--quiet", "-b", "main")
        cls.git("add", "--all")
        cls.git("commit", "--quiet", "-m", "all")
        cls.git("config", "core.hooksPath", ".ci")

    @classmethod
    def write(cls, name, text):
        (cls.clone / name).parent.mkdir(parents=True, exist_ok=True)
        (cls.clone / name).write_text(text)

    @classmethod
    def git(cls, *arguments, code=0):
        run = subprocess.run(["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-C", cls.clone, *arguments],
                             capture_output=True, text=True, env=cls.environment, timeout=60)
        assert run.returncode == code, (arguments, run.returncode, run.stdout, run.stderr)
        return run.stderr

    def commit(self, files, code):
        """Stages these files and commits them. Returns the hook's output."""
        for name, text in files.items():
            self.write(name, text)
        self.git("add", "--all")
        said = self.git("commit", "--quiet", "-m", "a change", code=code)
        if code:
            self.assertIn("pre-commit: nothing was committed", said)
            self.git("reset", "--quiet", "--hard")
            self.git("clean", "--quiet", "-fd")
        return said

    def test_what_is_right_is_committed(self):
        self.assertEqual(self.commit({"db/extra.hpp": "// A header that is right.\n#pragma once\n"}, code=0), "")
        self.git("reset", "--quiet", "--hard", "HEAD~1")

    @unittest.skipUnless(tool(), "clang-format is not installed")
    def test_what_clang_format_would_change_is_named(self):
        said = self.commit({"db/extra.hpp": "// A header that is laid out badly.\n#pragma once\nint   a ;\n"}, code=1)
        self.assertIn("db/extra.hpp:3", said)

    def test_layers_sources_and_scripts_are_checked(self):
        upward = '// A header that includes upward.\n#pragma once\n#include "tuner/here.hpp"\n'
        self.assertIn("db may not include tuner", self.commit({"db/extra.hpp": upward}, code=1))
        self.assertIn("begins with no comment", self.commit({"db/extra.cpp": "int a;\n"}, code=1))
        self.assertIn("syntax error", self.commit({".ci/extra": "#!/usr/bin/env bash\nif true\n"}, code=1))
        self.assertIn("SyntaxError", self.commit({"db/extra.py": "# A script that is none.\ndef\n"}, code=1))
        self.assertIn("extra/ is a top-level folder", self.commit({"extra/a.txt": "a\n"}, code=1))

    def test_what_is_staged_counts_and_not_what_lies_in_the_folder(self):
        path = self.clone / "db/README.md"
        right = path.read_text()
        path.write_text(right + "blanks \n")
        self.git("add", "--all")
        path.write_text(right)  # fixed, but not staged
        self.assertIn("has blanks at its end", self.git("commit", "--quiet", "-m", "a change", code=1))
        self.git("reset", "--quiet", "--hard")
        path.write_text(right + "more blanks \n")  # wrong, and not staged
        (self.clone / "db/extra.txt").write_text("right\n")
        self.git("add", "db/extra.txt")
        self.git("commit", "--quiet", "-m", "a change")
        self.git("reset", "--quiet", "--hard", "HEAD~1")

    def test_help_says_how_it_is_switched_on(self):
        run = subprocess.run([ROOT / ".ci/pre-commit", "--help"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0)
        self.assertIn("git config core.hooksPath .ci", run.stdout)
        self.assertEqual(subprocess.run([ROOT / ".ci/pre-commit", "--fast"], capture_output=True).returncode, 2)


if __name__ == "__main__":
    run_tests()
