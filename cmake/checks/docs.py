# Checks documentation pages: links, widths, options, paths and words. docs.py [ROOT [BIN [PAGE...]]], with the programs
# in BIN. PAGEs are not checked.
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

from tree import MAY_INCLUDE, report

WIDEST = 120  # columns of prose and code
WIDEST_TABLE = 240
WIDEST_OUTPUT = 200  # of blocks with the output of a program: ```text
LONGEST = {"README.md": 120, "CONTRIBUTING.md": 120}  # lines
LONGEST_OF_FOLDER = 10  # lines of text in the README of a folder of code, which says what lives there
TOP_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
WITHOUT_READMES = {"node_modules", "testdata"}
WITH_OLD_WORDS = ("docs/glossary.md", "docs/renames.md")  # pages about old words and names
PROGRAMS = ("tune", "conform", "tunedb", "report")
TOP_FOLDERS = (*MAY_INCLUDE, "docs", "cmake", ".ci", ".github")

# Patterns of words that are no longer used, and the words to use instead.
OLD_WORDS = {
    r"judg(?:e|es|ed|ing|e?ments?)": "check, checked, modelled; the simulator",
    r"unjudged": "not modelled",
    r"looked at": "searched, evaluated, checked",
    r"(?:SIMT|CPU|host) executor": "the simulator",
    r"the executor": "the simulator",
    r"host target": "the simulator",
    r"lenien(?:ce|cy)": "tolerated findings",
    r"opponents?|rivals?": "baseline",
    r"contests?": "problem",
    r"stand-ins?": "the simulator's headers",
    r"physical floor": "speed of light, ceiling",
    r"machine faults?": "environment fault",
    r"tun(?:e|ing) items?": "tuning task",
    r"workshops?|crews?|rigs?": "the new words of the glossary",
    r"whole propert(?:y|ies)": "full property",
    r"(?:best|exported) settings?": "best configurations",
}
ALL_OLD = "|".join(f"({pattern})" for pattern in OLD_WORDS).replace(" ", r"\s+")
OLD_WORD = re.compile(rf"\b(?:{ALL_OLD})\b", re.IGNORECASE)
SHOWS_COMMANDS = ("code", "sh", "bash", "console", "yaml", "text")  # kinds of blocks
FENCE = re.compile(r"^\s*```(\w*)")
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")
SPAN = re.compile(r"`([^`]+)`")
OPTION = re.compile(r"--[A-Za-z][\w-]*")
FROM_ROOT = re.compile(rf"(?:{'|'.join(map(re.escape, TOP_FOLDERS))})/[\w./*-]*")
A_FILE = re.compile(r"[\w./*-]+\.(?:cpp|hpp|cuh|py|md|mjs|cmake|css|sql)|[\w/-]+/")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


class Page:
    """A page: its lines, and the kind of each: "prose", "table", or the language of a code block."""

    def __init__(self, root, path):
        self.root, self.path = root, path
        self.name = str(path.relative_to(root))
        self.lines = path.read_text(encoding="utf-8").split("\n")
        self.kinds = []
        fence = None
        for line in self.lines:
            found = FENCE.match(line)
            if fence is None and found:
                fence = found.group(1) or "code"
                self.kinds.append("fence")
            elif fence is not None and found:
                fence = None
                self.kinds.append("fence")
            elif fence is not None:
                self.kinds.append(fence)
            else:
                self.kinds.append(self.kind_outside(line))

    def kind_outside(self, line):
        if line.lstrip().startswith("|"):
            return "table"
        after_prose = bool(self.kinds) and self.kinds[-1] == "prose" and self.lines[len(self.kinds) - 1].strip() != ""
        return "code" if line.startswith("    ") and not after_prose else "prose"

    def numbered(self):
        return zip(range(1, len(self.lines) + 1), self.kinds, self.lines)


def pages(root):
    """The pages of a tree: those at the top, all of docs/, and the READMEs in folders of code."""
    found = [root / name for name in TOP_PAGES] + sorted((root / "docs").rglob("*.md"))
    for folder in (*MAY_INCLUDE, "cmake"):
        found += sorted((root / folder).rglob("README.md"))
    return [Page(root, path) for path in found
            if path.is_file() and not WITHOUT_READMES & set(path.relative_to(root).parts)]


def about_widths(page):
    widest = {"table": WIDEST_TABLE, "text": WIDEST_OUTPUT, "log": WIDEST_OUTPUT}
    for number, kind, line in page.numbered():
        if len(line) > widest.get(kind, WIDEST):
            yield number, f"has {len(line)} columns, more than {widest.get(kind, WIDEST)}"
    lines = len(page.lines) - 1
    if lines > LONGEST.get(page.name, lines):
        yield lines, f"is line {lines}: the page may have {LONGEST[page.name]}"


def about_length(page):
    """READMEs of folders of code that say more than what lives there."""
    if not page.name.endswith("/README.md") or page.name.startswith("docs/"):
        return
    text = [number for number, kind, line in page.numbered()
            if line.strip() and not (kind == "prose" and line.startswith("#"))]
    if len(text) > LONGEST_OF_FOLDER:
        yield text[LONGEST_OF_FOLDER], f"has {len(text)} lines of text: the README of a folder may have {LONGEST_OF_FOLDER}"


def anchors_of(page):
    """The anchors of headings: small letters without punctuation, dashes for spaces."""
    seen = {}
    for kind, line in zip(page.kinds, page.lines):
        heading = re.match(r"#+\s+(.*)", line) if kind == "prose" else None
        if not heading:
            continue
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).strip().lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        yield slug if count == 0 else f"{slug}-{count}"


def about_links(page, anchors):
    for number, kind, line in page.numbered():
        if kind not in ("prose", "table"):
            continue
        for target in LINK.findall(SPAN.sub("", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.path.parent / name).resolve() if name else page.path
            if not file.exists():
                yield number, f"links to {target}, which is not there"
            elif anchor and anchor not in anchors(file):
                yield number, f"links to {target}, which has no such heading"


def old_words(text):
    """Pairs of a line and a complaint."""
    for found in OLD_WORD.finditer(text):
        instead = list(OLD_WORDS.values())[found.lastindex - 1]
        yield text.count("\n", 0, found.start()) + 1, f"says '{' '.join(found.group().split())}': say instead {instead}"


def about_words(page):
    if page.name in WITH_OLD_WORDS:
        return

    def shown_part(kind, line):
        if kind in ("cpp", "cuda", "json", "diff"):
            return ""
        return SPAN.sub(lambda span: OPTION.sub("", span.group()), line)

    shown = [shown_part(kind, line) for kind, line in zip(page.kinds, page.lines)]
    yield from old_words("\n".join(shown))


@cache
def names_in(root):
    """The names of all files and folders that pages may mention."""
    return {path.name for folder in TOP_FOLDERS for path in (root / folder).rglob("*")}


def is_there(where, name):
    """Whether it is a file, a folder, a pattern that matches one, or, like "conformance/case", the stem of one."""
    return any(where.glob(name)) or any(where.glob(name + ".*"))


def about_paths(page):
    """Repository paths in backticks that do not exist; in READMEs of folders also names of files and folders."""
    for number, kind, line in page.numbered():
        if kind not in ("prose", "table"):
            continue
        for span in SPAN.findall(line):
            name = span.rstrip("/")
            if FROM_ROOT.fullmatch(span):
                there = is_there(page.root, name)
            elif page.name.endswith("/README.md") and A_FILE.fullmatch(span):
                there = is_there(page.path.parent, name) or name in names_in(page.root)
            else:
                continue
            if not there:
                yield number, f"names {span}, which is not there"


class Help:
    """The options of each program, from its --help."""

    def __init__(self, root, folder):
        self.root, self.folder = root, folder

    @cache
    def said(self, *command):
        done = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=60, cwd=self.root)
        return done.stdout + done.stderr if done.returncode == 0 else ""

    @cache
    def options(self, *words):
        """The options of a program, perhaps with a sub-command, or of a script. None if it is not there."""
        name = words[0]
        if name == "fleet":
            fleet = self.root / "tuner/fleet/fleet"
            more = self.options(words[1]) if len(words) > 1 and words[1] in ("tune", "conform") else set()
            return set(OPTION.findall(self.said(str(fleet)))) | more if fleet.is_file() and more is not None else None
        if name.startswith(".ci/"):
            return set(OPTION.findall((self.root / name).read_text())) if (self.root / name).is_file() else None
        if not self.folder or not (self.folder / name).is_file():
            return None
        program = str(self.folder / name)
        text = self.said(program)
        if len(words) > 1 and re.fullmatch(r"[a-z][\w-]*", words[1]) and re.search(rf"\b{words[1]}\b", text):
            text += self.said(program, words[1])
        return set(OPTION.findall(text))


def commands_in(kind, line):
    """The commands in a line of code, or in backticks in a line of prose, as lists of words."""
    texts = SPAN.findall(line) if kind in ("prose", "table") else [line] if kind in SHOWS_COMMANDS else []
    for text in texts:
        text = re.sub(r"(^|\s)#\s.*", "", text).strip().removeprefix("$ ")
        for part in re.split(r"&&|\|\||[;|](?=\s)|\$\(|\brun: ", text):
            try:
                words = shlex.split(part.rstrip("\\"))
            except ValueError:  # a quote that another line closes
                words = part.split()
            while words and ASSIGNMENT.match(words[0]):
                words.pop(0)
            if words:
                yield words


def about_options(page, helped):
    """Options that the help of their program does not have. A command continues after a line that ends in '\\'."""
    open_command = None
    for number, kind, line in page.numbered():
        for words in commands_in(kind, line):
            if open_command and kind not in ("prose", "table"):
                words = [*open_command, *words]
            name = words[0].removeprefix("./") if words[0].startswith("./.ci/") else words[0]
            if name == "./warpwright":
                words = words[1:]
                name = words[0] if words else ""
            program = name if name == "fleet" or name.startswith(".ci/") else Path(name).name
            if program not in (*PROGRAMS, "fleet") and not program.startswith(".ci/"):
                continue
            known = helped.options(program, *[word for word in words[1:2] if not word.startswith("-")])
            if known is None:
                continue
            for word in words[1:]:
                option = OPTION.match(word)
                if option and option.group() not in known:
                    yield number, f"says {program} {option.group()}, which its --help does not know"
            open_command = words if line.endswith("\\") else None
        if not line.endswith("\\"):
            open_command = None


def complaints_about(root, folder):
    """All complaints about all pages, as lines "page:line: what"."""
    all_pages = pages(root)
    by_path = {page.path.resolve(): page for page in all_pages}
    helped = Help(root, folder)

    @cache
    def anchors(file):
        return set(anchors_of(by_path[file])) if file in by_path else set()

    for page in all_pages:
        for check in (about_widths, about_length, lambda one: about_links(one, anchors), about_words, about_paths,
                      lambda one: about_options(one, helped)):
            for number, what in check(page):
                yield f"{page.name}:{number}: {what}"
    for data in sorted((root / "docs/results").rglob("*.csv")):
        for number, what in old_words(data.read_text(encoding="utf-8")):
            yield f"{data.relative_to(root)}:{number}: {what}"


def left_after(complaints, left_out):
    """The complaints about other pages."""
    return [one for one in complaints if one.split(":")[0] not in left_out]


if __name__ == "__main__":
    tree = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    programs = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    report(left_after(complaints_about(tree, programs), sys.argv[3:]), len(pages(tree)))
