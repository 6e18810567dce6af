# Makes docs/command_line.md and the man pages from the output of the programs' --help.
"""command_line.py docs BIN [--check]: writes docs/command_line.md; with --check it prints what differs (exit code 1).
command_line.py man BIN OUT VERSION: writes the man pages OUT/*.1."""
import datetime
import difflib
import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs/command_line.md"
PROGRAMS = ("tune", "conform", "tunedb", "report")
NAME_COLUMNS = 28  # where descriptions begin: kernels/system/help.cpp
COMMANDS = "Sub-commands, each with its own --help"
SHELL = {"warpwright": [ROOT / "warpwright", "help"], "warpwright fleet": [ROOT / "tuner/fleet/fleet", "--help"],
         ".ci/nightly": [ROOT / ".ci/nightly", "--help"]}


@dataclass
class Help:
    """The parts of a help."""
    name: str  # "tunedb best"
    text: str
    about: str = ""
    usage: list = field(default_factory=list)
    groups: list = field(default_factory=list)  # (title, [(names, description)])
    examples: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # paragraphs
    commands: list = field(default_factory=list)  # Help of each sub-command

    def __post_init__(self):
        blocks = [block.split("\n") for block in self.text.strip("\n").split("\n\n")]
        self.about = " ".join(blocks[0])
        for block in blocks[1:]:
            if block[0].startswith("Usage: "):
                self.usage = [line[len("Usage: "):] for line in block]
            elif block[0] == "Examples:":
                self.examples = block[1:]
            elif block[0].endswith(":") and len(block) > 1 and block[1].startswith("  "):
                self.groups.append((block[0][:-1], entries(block[1:])))
            else:
                for line in block:  # each sentence with a subject begins a paragraph
                    if not self.notes or line == block[0] or re.match(r"(Exit codes: |Results are )", line):
                        self.notes.append(line)
                    else:
                        self.notes[-1] += " " + line


def entries(lines):
    """The names and descriptions in lines of two columns."""
    found = []
    for line in lines:
        if line[2:3].strip():  # a name
            name, what = (line[2:NAME_COLUMNS], line[NAME_COLUMNS:]) if line[NAME_COLUMNS - 2:NAME_COLUMNS] == "  " else (line[2:], "")
            found.append([name.strip(), what.strip()])
        else:
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return [tuple(entry) for entry in found]


def help_of(name, command):
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=env, check=True)
    return Help(name, done.stdout)


def all_helps(binaries):
    """The helps of the launcher, the fleet and the nightly script, and those of the programs with their
    sub-commands."""
    helps = [help_of(name, command) for name, command in SHELL.items()]
    for program in PROGRAMS:
        one = help_of(program, [binaries / program, "--help"])
        for title, rows in one.groups:
            if title == COMMANDS:
                one.commands = [help_of(f"{program} {command}", [binaries / program, command, "--help"]) for command, _ in rows]
        helps.append(one)
    return helps


def anchor(name):
    return re.sub(r"[^a-z0-9 -]", "", name.lower()).replace(" ", "-")


def entry_of_contents(mark, one):
    text = f"[`{one.name}`](#{anchor(one.name)}): {one.about}"
    return textwrap.wrap(text, 118, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)


def markdown(helps):
    lines = ["# Command line", "",
             "Made from every program's `--help` by `python3 cmake/command_line.py docs build/bin`; a test compares it.", ""]
    for one in helps:
        lines += entry_of_contents("- ", one)
        for command in one.commands:
            lines += entry_of_contents("  - ", command)
    for one in helps:
        for part, mark in [(one, "##"), *((command, "###") for command in one.commands)]:
            lines += ["", f"{mark} {part.name}", "", "```text", part.text.strip("\n"), "```"]
    return "\n".join(lines) + "\n"


def roff(text):
    """Text for troff: escaped, so that no line begins with a control character."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("~", "\\(ti").replace("^", "\\(ha")
    text = text.replace("`", "\\(ga")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def roff_rows(rows):
    return [line for name, what in rows for line in (".TP", f"\\fB{roff(name)}\\fR", roff(what) or "\\&")]


def roff_paragraphs(notes):
    return [line for note in notes for line in (".PP", roff(note))][1:]


def roff_verbatim(lines):
    return [".nf", *(roff(line) for line in lines), ".fi"]


def roff_part(one, heading):
    """The usage, options and examples of one help, below headings of that level."""
    lines = []
    for title, rows in one.groups:
        lines += [f'{heading} "{roff(title)}"', *roff_rows(rows)]
    if one.examples:
        lines += [f"{heading} Examples", *roff_verbatim(one.examples)]
    return lines


def date():
    """Today, or the day that a reproducible build sets."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc) if seconds.isdecimal() else None
    return (moment or datetime.datetime.now(datetime.timezone.utc)).strftime("%Y-%m-%d")


def man_page(one, helps, version):
    page = one.name.replace(" ", "-")
    lines = [f'.\\" Made from --help by cmake/command_line.py.',
             f'.TH "{page.upper()}" "1" "{date()}" "warpwright {version}" "warpwright"',
             ".SH NAME", f"{roff(page)} \\- {roff(one.about.rstrip('.'))}", ".SH SYNOPSIS", *roff_verbatim(one.usage)]
    general = [note for note in one.notes if not note.startswith("Exit codes: ")]
    if general:
        lines += [".SH DESCRIPTION", *roff_paragraphs(general)]
    lines += [".SH OPTIONS", *roff_part(one, ".SS")] if not one.commands else roff_part(one, ".SH")
    for command in one.commands:
        lines += [f'.SH "{roff(command.name)}"', roff(command.about), *roff_verbatim(command.usage), *roff_part(command, ".SS")]
        lines += [line for note in command.notes for line in (".PP", roff(note))]
    for note in one.notes:
        if note.startswith("Exit codes: "):
            lines += ['.SH "EXIT STATUS"', roff(note.removeprefix("Exit codes: "))]
    others = [other.name.replace(" ", "-") for other in helps if other is not one and not other.name.startswith(".")]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{roff(other)}\\fR(1)" for other in others)]
    return "\n".join(lines) + "\n"


def write_pages(helps, folder, version):
    folder.mkdir(parents=True, exist_ok=True)
    for one in helps:
        if not one.name.startswith("."):  # what lies only in the source tree has no page
            (folder / f"{one.name.replace(' ', '-')}.1").write_text(man_page(one, helps, version))


def main(words):
    if len(words) >= 2 and words[0] == "docs":
        text = markdown(all_helps(Path(words[1]).resolve()))
        if words[2:] != ["--check"]:
            DOCS.parent.mkdir(exist_ok=True)
            DOCS.write_text(text)
            return 0
        there = DOCS.read_text() if DOCS.is_file() else ""
        sys.stdout.writelines(difflib.unified_diff(there.splitlines(True), text.splitlines(True), "docs/command_line.md", "--help"))
        if there != text:
            print(f"docs/command_line.md is not what --help says. Write it again:\n  python3 cmake/command_line.py docs {words[1]}")
        return 0 if there == text else 1
    if len(words) == 4 and words[0] == "man":
        write_pages(all_helps(Path(words[1]).resolve()), Path(words[2]), words[3])
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
