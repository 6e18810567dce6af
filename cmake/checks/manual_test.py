# Tests of the format of helps, and of the man pages and docs/command_line.md made from them: manual_test.py BIN.
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import command_line
from tree import run_tests

BIN = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
MOST_COLUMNS = 100
EXAMPLES = 3
# Programs that read a man page and print warnings: the command, and where it prints them.
READERS = {"groff": ["groff", "-man", "-ww", "-Tutf8", "-z"], "mandoc": ["mandoc", "-Tlint", "-Wwarning"],
           "man": ["man", "--warnings", "-E", "UTF-8", "-l"]}


def option_names(text):
    return set(re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", text))


@unittest.skipUnless(BIN and (BIN / "tune").exists(), "the programs are not built")
class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.helps = command_line.all_helps(BIN)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        command_line.write_pages(cls.helps, Path(cls.folder.name), "1.2.3")
        cls.pages = {page.stem: page for page in Path(cls.folder.name).iterdir()}

    def parts(self):
        return [part for one in self.helps for part in (one, *one.commands)]

    def test_lines_fit_a_terminal_and_there_are_three_examples(self):
        for part in self.parts():
            for line in part.text.split("\n"):
                self.assertLessEqual(len(line), MOST_COLUMNS, f"{part.name}: {line}")
            self.assertEqual(len(part.examples), EXAMPLES, part.name)
            self.assertNotIn("", [part.about, *part.usage], part.name)

    def test_every_option_stands_in_a_named_group_with_a_description(self):
        for part in self.parts():
            rows = [row for _, rows in part.groups for row in rows]
            self.assertNotIn("", [what for _, what in rows], part.name)
            self.assertNotIn("Options", [title for title, _ in part.groups], part.name)
            self.assertEqual({name for name in option_names(part.text)},
                             {re.search(r"--[\w-]+", name).group() for name, _ in rows if name.startswith("-")}, part.name)

    def test_sub_commands_are_listed(self):
        commands = {one.name: [command.name for command in one.commands] for one in self.helps}
        self.assertEqual(commands["tune"], ["tune init", "tune import-t1"])
        self.assertGreater(len(commands["tunedb"]), 10)

    def test_every_program_has_a_page_with_each_of_its_options(self):
        self.assertEqual(set(self.pages), {"tune", "conform", "tunedb", "report", "warpwright", "warpwright-fleet"})
        for one in self.helps:
            if one.name.startswith("."):
                continue
            page = self.pages[one.name.replace(" ", "-")].read_text().replace("\\-", "-")
            for part in (one, *one.commands):
                for name in option_names(part.text):
                    self.assertRegex(page, rf"(?m)^\.TP\n\\fB.*{name}\b", part.name)
            self.assertIn("\n.SH NAME\n", page)
            self.assertIn("EXIT STATUS", page)

    def test_readers_of_man_pages_have_nothing_to_warn_of(self):
        found = [name for name in READERS if shutil.which(name)]
        if not found:
            self.skipTest("none of these was found: " + ", ".join(READERS))
        for name in found:
            for page in self.pages.values():
                done = subprocess.run([*READERS[name], str(page)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                      env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MANWIDTH": "100"})
                complaints = done.stderr + (done.stdout if name == "mandoc" else "")
                self.assertEqual((done.returncode, complaints), (0, ""), f"{name} {page.name}")

    def test_a_reproducible_build_sets_the_date(self):
        os.environ["SOURCE_DATE_EPOCH"] = "86400"
        self.addCleanup(os.environ.pop, "SOURCE_DATE_EPOCH")
        self.assertIn('"1" "1970-01-02"', command_line.man_page(self.helps[0], self.helps, "1.2.3"))

    def test_a_planted_fault_is_warned_of(self):
        if not shutil.which("groff"):
            self.skipTest("groff was not found")
        page = Path(self.folder.name) / "wrong.7"
        page.write_text(".TH WRONG 7\n.SH NAME\n.NOTHING\n")
        done = subprocess.run([*READERS["groff"], str(page)], capture_output=True, text=True)
        page.unlink()
        self.assertIn("NOTHING", done.stderr)


class Parts(unittest.TestCase):
    TEXT = ("What it is.\n\nUsage: one [FILES...] [OPTIONS]\n       one SUB-COMMAND\n\nWhere:\n"
            "  --a-rather-long-one, --alias TEXT\n" + 28 * " " + "First\n" + 28 * " " + "second\n"
            "  -b, --bee                 Bee\n\nExamples:\n  one --bee   .dot\n\nA note\nthat goes on.\nExit codes: 0 done\n")

    def test_a_help_is_read_in_its_parts(self):
        one = command_line.Help("one", self.TEXT)
        self.assertEqual(one.about, "What it is.")
        self.assertEqual(one.usage, ["one [FILES...] [OPTIONS]", "one SUB-COMMAND"])
        self.assertEqual(one.groups, [("Where", [("--a-rather-long-one, --alias TEXT", "First second"), ("-b, --bee", "Bee")])])
        self.assertEqual(one.notes, ["A note that goes on.", "Exit codes: 0 done"])

    def test_the_page_of_the_documentation_is_compared(self):
        one = command_line.Help("one two", self.TEXT)
        text = command_line.markdown([one])
        self.assertIn("- [`one two`](#one-two): What it is.\n", text)
        self.assertIn("## one two\n\n```text\nWhat it is.", text)

    def test_text_is_no_command_of_troff(self):
        self.assertEqual(command_line.roff(".TH \\ a-b 'c'"), "\\&.TH \\e a\\-b \\(aqc\\(aq")


if __name__ == "__main__":
    run_tests()
