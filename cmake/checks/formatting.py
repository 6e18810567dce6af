# Checks the format of sources by clang-format: formatting.py [ROOT [FILE...]] (FILEs below ROOT; default: all). Skipped
# without the version that the project uses.
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tree import SKIPPED, report, sources

VERSION = 14  # other versions format some code differently


def tool():
    """The path of clang-format in the right version, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if path := shutil.which(name):
            words = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(rf"version {VERSION}\.", words):
                return path
    return None


if __name__ == "__main__":
    clang_format = tool()
    if clang_format is None:
        print(f"skipped: clang-format {VERSION} is not installed")
        sys.exit(SKIPPED)
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = sys.argv[2:] or [str(path.relative_to(root)) for path in sources(root)]
    run = subprocess.run([clang_format, "--dry-run", "-Werror", "--style=file", *files], cwd=root,
                         capture_output=True, text=True)
    per_line = [line for line in run.stderr.splitlines() if " error: " in line]
    names = sorted({line.split(":")[0] for line in per_line})
    if names:
        print("to mend it:", Path(clang_format).name, "-i", *names)
    report(per_line or ([run.stderr] if run.returncode else []), len(files))
