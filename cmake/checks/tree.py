# Reads the source tree for the checks: the list of sources, and their includes.
import re
import sys
import unittest
from pathlib import Path

# The folders of code, from the highest layer down. Each may include only itself and the folders in its set.
MAY_INCLUDE = {
    "reports": {"db"},
    "tuner": {"conformance", "kernels", "db"},
    "conformance": {"kernels", "db"},
    "kernels": set(),
    "db": set(),
}
SOURCE_SUFFIXES = {".cpp", ".hpp", ".cuh", ".cu"}
SKIPPED = 77  # the exit code that ctest reports as "Skipped"

_RAW_STRING = re.compile(r'R"(?P<mark>[^ ()\\]{0,16})\(.*?\)(?P=mark)"', re.DOTALL)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def run_tests():
    """unittest.main() for ctest: if tests were skipped and none failed, says why and exits with SKIPPED."""
    result = unittest.main(exit=False).result
    for _, reason in result.skipped:
        print(f"skipped: {reason}")
    sys.exit(1 if not result.wasSuccessful() else SKIPPED if result.skipped else 0)


def sources(root):
    """The C++ and CUDA sources of the code folders and of cmake/, as sorted paths below root."""
    folders = [root / name for name in (*MAY_INCLUDE, "cmake")]
    return sorted(
        path for folder in folders for path in folder.rglob("*") if path.suffix in SOURCE_SUFFIXES and path.is_file()
    )


def includes(path):
    """The includes of a source as (line, name, quoted). Text inside raw strings is ignored."""

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
    """Prints the complaints and exits: 0 if there are none, otherwise 1."""
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaints, {checked} checked")
    sys.exit(1 if complaints or checked == 0 else 0)
