# Checks that files follow .editorconfig, and that .editorconfig agrees with .clang-format:
# editorconfig.py [ROOT [FILE...]] (FILEs below ROOT; default: all that git has or would add).
import fnmatch
import os
import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

from tree import report


def sections(root):
    """The sections of .editorconfig as (patterns, properties), in order. Later ones take precedence."""
    parser = ConfigParser()
    parser.read_string("[top]\n" + (root / ".editorconfig").read_text())
    for name in parser.sections()[1:]:
        braces = re.fullmatch(r"(.*)\{(.*)\}(.*)", name)
        patterns = [braces[1] + word + braces[3] for word in braces[2].split(",")] if braces else [name]
        yield patterns, dict(parser[name])


def properties(root):
    """A function that returns the properties for a path."""
    known = list(sections(root))

    def of(path):
        found = {}
        for patterns, values in known:
            if any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns):
                found |= values
        return {name: value for name, value in found.items() if value != "unset"}

    return of


def about_file(name, data, wanted):
    """What in a file's bytes violates the properties."""
    if wanted.get("charset") == "utf-8":
        try:
            data.decode()
        except UnicodeDecodeError as error:
            yield f"{name}: is no UTF-8: {error.reason} at byte {error.start}"
            return
    if wanted.get("end_of_line") == "lf" and b"\r" in data:
        yield f"{name}:{data[:data.index(bytes([13]))].count(bytes([10])) + 1}: has a carriage return"
    if wanted.get("insert_final_newline") == "true" and data and not data.endswith(b"\n"):
        yield f"{name}: does not end with a new line"
    for number, line in enumerate(data.split(b"\n"), 1):
        if wanted.get("trim_trailing_whitespace") == "true" and line != line.rstrip(b" \t"):
            yield f"{name}:{number}: has blanks at its end"
        if wanted.get("indent_style") == "space" and line[:len(line) - len(line.lstrip())].count(b"\t"):
            yield f"{name}:{number}: is indented with a tab"


def about_settings(root, of):
    """The differences between .editorconfig and .clang-format."""
    style = (root / ".clang-format").read_text()
    limit = re.search(r"^ColumnLimit: (\d+)$", style, re.MULTILINE)[1]
    for suffix in ("cpp", "hpp", "cu", "cuh"):
        wanted = of(Path(f"x.{suffix}"))
        if wanted.get("max_line_length") != limit:
            yield f".editorconfig: lines of *.{suffix} may have {wanted.get('max_line_length')} columns, .clang-format says {limit}"
        if "BasedOnStyle: Google" in style and (wanted.get("indent_style"), wanted.get("indent_size")) != ("space", "2"):
            yield f".editorconfig: *.{suffix} is not indented by two spaces, as .clang-format does"


def taken(root):
    """Every file that git has or would add."""
    run = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         capture_output=True, text=True)
    if run.returncode == 0:
        return [name for name in run.stdout.split("\0") if name]
    # No clone but an unpacked archive, as GitHub's checkout makes it where there is no git.
    ignored = [line.strip("/") for line in (root / ".gitignore").read_text().splitlines() if line.startswith("/")]
    tops = [path for path in root.iterdir() if not any(path.match(one) for one in (".git", *ignored))]
    return [str(path.relative_to(root)) for top in tops for path in (top, *top.rglob("*"))]


if __name__ == "__main__":
    tree_root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    names = sys.argv[2:] or taken(tree_root)
    files = [tree_root / name for name in names if os.path.isfile(tree_root / name) and not os.path.islink(tree_root / name)]
    wanted_of = properties(tree_root)
    complaints = list(about_settings(tree_root, wanted_of))
    for path in files:
        complaints += about_file(path.relative_to(tree_root), path.read_bytes(), wanted_of(path))
    report(complaints, len(files))
