# Checks the layout of the tree: layout.py folders|readmes|sources|baselines [ROOT].
import re
import sys
from pathlib import Path

from tree import MAY_INCLUDE, report, sources

TOP_FOLDERS = {*MAY_INCLUDE, "cmake", "docs"}
DOCUMENTED = ("kernels", "conformance", "tuner", "db")
LONGEST_SOURCE = 400
COMMENT_MARKS = {".cpp": "//", ".hpp": "//", ".cuh": "//", ".cu": "//", ".py": "#", ".cmake": "#", ".txt": "#",
                 ".mutants": "#"}


def folders(root):
    """Unknown top-level folders, other than dot folders and build folders."""
    found = [path.name for path in root.iterdir() if path.is_dir() and not path.name.startswith((".", "build"))]
    wrong = [f"{name}/ is a top-level folder that the design does not know" for name in sorted(found)
             if name not in TOP_FOLDERS and any(path.is_file() for path in (root / name).rglob("*"))]
    return wrong, len(found)


def readmes(root):
    """Top folders of code without a README.md. Optional folders need one as soon as they have files."""
    expected = [*DOCUMENTED, *(name for name in MAY_INCLUDE if name not in DOCUMENTED and (root / name).is_dir())]
    wrong = [f"{name}/README.md is missing or nearly empty" for name in expected
             if not (root / name / "README.md").is_file() or (root / name / "README.md").stat().st_size < 100]
    return wrong, len(expected)


def about_source(path):
    """What is wrong with a source: no comment on top, non-ASCII characters, or too many lines."""
    lines = path.read_bytes().split(b"\n")
    mark = COMMENT_MARKS[path.suffix]
    first = lines[0].decode(errors="replace")
    if not first.startswith(mark + " ") or len(first.split()) < 3:
        yield f"{path}:1: begins with no comment that says what the file is"
    for number, line in enumerate(lines, 1):
        if not line.isascii():
            yield f"{path}:{number}: holds other characters than ASCII"
    if len(lines) - 1 > LONGEST_SOURCE:
        yield f"{path}: has {len(lines) - 1} lines, more than {LONGEST_SOURCE}"


def build_files(root):
    """The scripts of the build and of its checks."""
    found = [*root.glob("CMakeLists.txt"), *(root / "cmake").rglob("*.cmake"), *(root / "cmake").rglob("*.py")]
    for folder in TOP_FOLDERS:
        found += (root / folder).rglob("CMakeLists.txt")
    return found


def all_sources(root):
    files = sorted({*sources(root), *build_files(root), *(root / "kernels").rglob("*.mutants")})
    return [complaint.replace(f"{root}/", "") for path in files for complaint in about_source(path)], len(files)


def about_baselines(pattern):
    """What a pattern's folder lacks: the Kokkos port; the vendor's solution, or a line of pattern.cpp that says why there is
    none: "// No vendor baseline: REASON"."""
    if not (pattern / "kokkos.cpp").is_file():
        yield "kokkos.cpp is missing: a pattern comes with what it is compared with"
    has_vendor = (pattern / "vendor.cu").is_file()
    says_none = re.search(r"^// No vendor baseline: \w", (pattern / "pattern.cpp").read_text(), re.MULTILINE) is not None
    if not has_vendor and not says_none:
        yield 'vendor.cu is missing, and no line of pattern.cpp says "// No vendor baseline: REASON"'
    if has_vendor and says_none:
        yield "vendor.cu is there, and pattern.cpp says that there is none"


def baselines(root):
    """Patterns without a Kokkos port, or with neither a vendor baseline nor a reason for having none."""
    patterns = sorted(path.parent for path in (root / "kernels").glob("*/pattern.cpp") if path.parent.name != "model")
    return [f"kernels/{pattern.name}/{what}" for pattern in patterns for what in about_baselines(pattern)], len(patterns)


CHECKS = {"folders": folders, "readmes": readmes, "sources": all_sources, "baselines": baselines}

if __name__ == "__main__":
    report(*CHECKS[sys.argv[1]](Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()))
