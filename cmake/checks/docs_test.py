# Tests of the check of pages: each plants a fault in a small tree and expects a complaint.
import unittest

import docs
from checks_test import Tree

HELP = """#!/bin/sh
case "$*" in
  --help) echo 'Options:\n  --arch TEXT\n  --budget TEXT\nSubcommands:\n  best  Best configurations' ;;
  'best --help') echo '  --board TEXT' ;;
  *) exit 2 ;;
esac
"""
PAGES = {
    "README.md": "# A project\n\nSee [the pages](docs/README.md) and [how to begin](docs/tuning.md#the-first-run).\n",
    "CONTRIBUTING.md": "# Contributing\n",
    "CHANGELOG.md": "# Changelog\n",
    "docs/README.md": "# Pages\n\n- [tuning](tuning.md#the-first-run-1), [the top](#pages)\n"
                      "- [a site](https://example.org/x#y)\n",
    "docs/tuning.md": "# Tuning\n\n## The first run\n\nSay `tune --arch sm_90`, see `db/store/store.hpp` and `db/store`.\n\n"
                      "## The first run\n\n```sh\nX=1 ./warpwright tune --budget 2m | less --quiet  # --nothing\n"
                      "build/bin/tunedb best --board 'A --strange one' && ls --all\n```\n",
    "docs/glossary.md": "# Glossary\n\n| older | now |\n|---|---|\n| judge | simulator |\n",
    "docs/renames.md": "# Renamed files\n\n| before | now |\n|---|---|\n| host/judge.cpp | `db/store/store.hpp` |\n",
    "kernels/README.md": "# kernels: what runs\n\nWhat lives there: `model/`, `plan.hpp` and `model/plan.hpp`.\n"
                         "[Docs](../docs/README.md)\n",
}


class DocsTest(Tree):
    """The pages of a small tree, with fake programs that print their options."""

    def setUp(self):
        super().setUp()
        for name, text in PAGES.items():
            self.write(name, text)
        for program in ("tune", "tunedb"):
            self.write(f"bin/{program}", HELP)
            (self.root / "bin" / program).chmod(0o755)

    def complaints(self):
        return list(docs.complaints_about(self.root, self.root / "bin"))

    def assert_found(self, about, page, text, line=None):
        """Expects one complaint, about that line of the page; without a number, about its last one."""
        with self.subTest(text):
            whole = PAGES[page] + text
            self.write(page, whole)
            found = self.complaints()
            self.assertEqual(len(found), 1, found)
            self.assertTrue(found[0].startswith(f"{page}:{whole.count(chr(10)) + (line or 0)}: "), found)
            self.assertIn(about, found[0])
            self.write(page, PAGES[page])

    def assert_right(self, page, text):
        with self.subTest(text):
            self.write(page, PAGES[page] + text)
            self.assertEqual(self.complaints(), [])
            self.write(page, PAGES[page])

    def test_good_pages_pass_and_others_do_not(self):
        self.assertEqual(self.complaints(), [])
        self.assert_clean("docs.py")
        self.write("docs/tuning.md", "# Tuning\n\nThe judge.\n")
        self.assert_complains("docs/tuning.md:3: ", "docs.py")
        both = ["README.md:1: x", "docs/README.md:2: y"]
        self.assertEqual(docs.left_after(both, ["README.md"]), both[1:])

    def test_a_link_to_no_file_is_found(self):
        self.assert_found("links to gone.md", "docs/README.md", "\nSee [this](gone.md).\n")
        self.assert_found("links to gone.png", "README.md", "\n![A picture](gone.png)\n")
        self.assert_right("docs/README.md", "\n```text\n[this](gone.md)\n```\n")

    def test_a_link_to_no_heading_is_found(self):
        self.assert_found("no such heading", "docs/README.md", "\nSee [this](tuning.md#the-third-run).\n")
        self.assert_found("no such heading", "docs/README.md", "\nSee [this](#nothing).\n")

    def test_wide_lines_are_found(self):
        wide = "word " * 24 + "a"
        self.assert_found("121 columns", "docs/README.md", f"\n{wide}\n")
        self.assert_right("docs/README.md", f"\n{wide[:-1]}\n")
        self.assert_found("125 columns", "docs/README.md", f"\n    {wide}\n")
        self.assert_right("docs/README.md", f"\n| {wide} |\n")
        self.assert_right("docs/README.md", f"\n```text\n{wide}\n```\n")

    def test_pages_that_are_too_long_are_found(self):
        for page in ("README.md", "CONTRIBUTING.md"):
            lines = PAGES[page].count("\n")
            self.assert_found("may have 120", page, "\n" * (120 - lines) + "The last one.\n")
            self.assert_right(page, "\n" * (119 - lines) + "The last one.\n")
        self.assert_right("docs/README.md", "\n" * 200)

    def test_readmes_of_folders_that_are_too_long_are_found(self):
        self.assert_found("has 11 lines of text", "kernels/README.md", "\n" + "- `model/`\n" * 9)
        self.assert_found("has 11 lines of text", "kernels/README.md", "\n" + "| a | b |\n" * 9)
        self.assert_right("kernels/README.md", "\n## More\n\n" + "- `model/`\n\n" * 8)
        self.assert_right("docs/README.md", "\n" + "- one\n" * 30)

    def test_an_option_that_no_help_has_is_found(self):
        self.assert_found("tune --colour", "docs/tuning.md", "\n    tune --arch sm_90 --colour\n")
        red = "\n```sh\n./warpwright tune --colour=red\n```\n"
        self.assert_found("tune --colour", "docs/tuning.md", red, line=-1)
        self.assert_found("tune --colour", "docs/tuning.md", "\nSay `tune --colour`.\n")
        self.assert_found("tunedb --board", "docs/tuning.md", "\n```sh\ntunedb --board H200\n```\n", line=-1)
        over_two_lines = "\n```sh\ntune --arch sm_90 \\\n  --colour\n```\n"
        self.assert_found("tune --colour", "docs/tuning.md", over_two_lines, line=-1)
        self.assert_right("docs/tuning.md", "\n```sh\ntunedb best --arch sm_90 --board H200\nnvcc --colour\n```\n")

    def test_a_path_that_is_not_there_is_found(self):
        self.assert_found("names db/stores.hpp", "docs/tuning.md", "\nIt is in `db/stores.hpp`.\n")
        self.assert_found("names cmake/none/", "docs/tuning.md", "\nIt is in `cmake/none/`.\n")
        self.assert_found("names plans.hpp", "kernels/README.md", "\nIt is in `plans.hpp`.\n")
        self.assert_found("names modal/", "kernels/README.md", "\nIt is in `modal/`.\n")
        self.assert_right("docs/tuning.md", "\nFiles: `db/store/*.hpp`, `mine/kernel.cu`, `reduce/tree`.\n")

    def test_an_old_word_is_found(self):
        for text in ("The judge says so.", "It was looked at.", "Not Judged: no model.", "An opponent's time.",
                     "The host target runs it.", "`not judged`"):
            self.assert_found("say instead", "docs/tuning.md", f"\n{text}\n")
            self.assert_found("say instead", "CHANGELOG.md", f"\n{text}\n")
        self.assert_found("say instead", "docs/tuning.md", "\nIt was looked\nat.\n", line=-1)
        self.write("docs/results/board/problems.csv", "problem,certainty\n1,certified\n2,20 cases judged\n")
        self.assertIn("docs/results/board/problems.csv:3: says 'judged'", self.complaints()[0])
        self.write("docs/results/board/problems.csv", "problem,certainty\n1,certified\n")
        self.assert_right("docs/tuning.md", "\nOriginal and rigorous, `tune --arch sm_90`, `--unjudged`.\n")
        self.assert_right("docs/tuning.md", '\n```json\n{"judge": [[1], [33]]}\n```\n')
        self.assert_right("docs/glossary.md", "\nThe judge was looked at.\n")
        self.assert_right("docs/renames.md", "\n| judge.cpp | `db/store` |\n")


if __name__ == "__main__":
    unittest.main()
