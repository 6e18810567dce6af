# Compiles each source by itself, even if it is built in a unit: alone.py BUILD_FOLDER COMPILER [ROOT].
# Finds missing includes that another source of the unit has. Writes no object files.
import argparse
import concurrent.futures
import json
import os
import subprocess
from pathlib import Path

from tidy import command_of, sources_of
from tree import report


def commands(build, compiler, root):
    """For each source that is built in a unit: the command that compiles it alone, and its folder."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = command_of(entry, compiler)
        place = words.index("-o")
        kept = words[:place] + words[place + 2:]
        for path in sources_of(entry):
            if str(path) != entry["file"] and path.is_relative_to(root):
                yield [str(path) if word == entry["file"] else word for word in [*kept, "-fsyntax-only"]], entry["directory"]


def complaint_about(command):
    words, folder = command
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    return "" if run.returncode == 0 else run.stderr.strip() or f"{words[0]} failed"


def main(build, compiler, root):
    every = list(commands(build, compiler, root))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        report(list(filter(None, pool.map(complaint_about, every))), len(every))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("compiler")
    parser.add_argument("root", type=Path, nargs="?", default=Path("."))
    given = parser.parse_args()
    main(given.build.resolve(), given.compiler, given.root.resolve())
