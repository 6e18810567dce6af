# Runs clang-tidy on the sources of a compile database: tidy.py BUILD_FOLDER COMPILER [ROOT]; clean results are kept.
#
# A result is kept under a hash of all that decides it: the tool, the checks, the command, and the text of the source
# and of every file of the tree it includes. Left out: tests, which would cost a third of the time; precompiled headers,
# which are g++'s; and the bodies of fmt, which nothing is linked with here.
import concurrent.futures
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tree import MAY_INCLUDE, SKIPPED, closure, report

DROPPED_FLAGS = {"-Winvalid-pch", "-fpch-preprocess", "-DFMT_HEADER_ONLY=1"}


def command_for_clang(entry, compiler):
    """A database entry's command from the compiler on, less what clang-tidy does not understand or need."""
    words = entry.get("arguments") or shlex.split(entry["command"])
    words = words[words.index(compiler):]
    kept = []
    for word in words:
        if kept and kept[-1] == "-include":
            kept.pop()
        elif word not in DROPPED_FLAGS:
            kept.append(word)
    return kept


def read_database(build, compiler, root):
    """The entries of our own sources but tests, ready for clang-tidy, by path."""
    entries = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        inside = path.is_relative_to(root) and path.relative_to(root).parts[0] in {*MAY_INCLUDE, "cmake"}
        if inside and path.is_file() and not path.stem.endswith("_test"):
            arguments = command_for_clang(entry, compiler)
            entries[path] = {"directory": entry["directory"], "file": entry["file"], "arguments": arguments}
    return entries


class Tidy:
    """clang-tidy with its checks; knows which results it already has."""

    def __init__(self, program, build, compiler, root):
        self.program = program
        self.root = root
        self.folder = build / "tidy"
        self.folder.mkdir(exist_ok=True)
        self.entries = read_database(build, compiler, root)
        (self.folder / "compile_commands.json").write_text(json.dumps(list(self.entries.values()), indent=1))
        version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
        self.common = version + (root / ".clang-tidy").read_bytes()

    def stamp(self, path):
        digest = hashlib.sha256(self.common)
        digest.update(json.dumps(self.entries[path]).encode())
        for file in closure(self.root, path):
            digest.update(b"\0" + str(file).encode() + b"\0" + file.read_bytes())
        return self.folder / f"{digest.hexdigest()}.clean"

    def complaint_about(self, path):
        """What clang-tidy says about a source; empty when it is clean."""
        run = subprocess.run([self.program, "--quiet", "-p", str(self.folder), str(path)], cwd=self.root,
                             capture_output=True, text=True)
        return "" if run.returncode == 0 else (run.stdout.strip() or run.stderr.strip() or "clang-tidy failed")

    def check(self, path):
        stamp = self.stamp(path)
        complaint = "" if stamp.exists() else self.complaint_about(path)
        if not complaint:
            stamp.touch()
        return stamp, complaint

    def forget_all_but(self, stamps):
        for old in set(self.folder.glob("*.clean")) - set(stamps):
            old.unlink()


def main(build, compiler, root):
    program = shutil.which("clang-tidy")
    if program is None:
        print("skipped: clang-tidy is not installed")
        sys.exit(SKIPPED)
    tidy = Tidy(program, build, compiler, root)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(tidy.check, tidy.entries))
    tidy.forget_all_but(stamp for stamp, _ in results)
    report([complaint for _, complaint in results if complaint], len(results))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3] if len(sys.argv) > 3 else ".").resolve())
