# Reads the source tree for the checks: which files are sources, and what they include.
import re
import sys
from pathlib import Path

# The folders of code, in the order of their layers; each may include only itself and what stands beside it here.
MAY_INCLUDE = {
    "reports": {"db"},
    "tuner": {"conformance", "kernels", "db"},
    "conformance": {"kernels", "db"},
    "kernels": set(),
    "db": set(),
}
SOURCE_SUFFIXES = {".cpp", ".hpp", ".cuh", ".cu"}
SKIPPED = 77  # the exit code that ctest shows as "Skipped"

_RAW_STRING = re.compile(r'R"(?P<mark>[^ ()\\]{0,16})\(.*?\)(?P=mark)"', re.DOTALL)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def sources(root):
    """The C++ and CUDA sources of the code folders and of cmake/, as sorted paths below root."""
    folders = [root / name for name in (*MAY_INCLUDE, "cmake")]
    return sorted(
        path for folder in folders for path in folder.rglob("*") if path.suffix in SOURCE_SUFFIXES and path.is_file()
    )


def includes(path):
    """What a source includes, as (line, name, quoted); text inside raw strings is not its own."""

    def blank(raw):
        return '""' + "\n" * raw.group().count("\n")

    text = _RAW_STRING.sub(blank, path.read_text(encoding="utf-8", errors="replace"))
    for found in _INCLUDE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield line, found.group(1) or found.group(2), found.group(1) is not None


def closure(root, source):
    """The source and every file of the tree that it includes, directly or not."""
    seen = set()
    todo = [source]
    while todo:
        path = todo.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        todo += [root / name for _, name, quoted in includes(path) if quoted]
    return sorted(seen)


def report(complaints, checked):
    """Prints what is wrong and exits: 0 for nothing, 1 for something."""
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaints, {checked} checked")
    sys.exit(1 if complaints or checked == 0 else 0)
