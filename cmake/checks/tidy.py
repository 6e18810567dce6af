# Runs clang-tidy on the sources of a compile database: tidy.py BUILD_FOLDER COMPILER [ROOT]; clean results are kept.
#
# A result is kept under a hash of all that decides it: the tool, the checks, the command, and the text of the source
# and of every file of the tree it includes. Left out: tests, which would cost a third of the time; precompiled headers,
# which are g++'s; and shadowing, which g++ judges file by file.
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

DROPPED_FLAGS = {"-Winvalid-pch", "-Wshadow", "-fpch-preprocess"}


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


def batches_of(entries):
    """The sources that are checked together: those of one folder with the same command; programs by themselves."""
    batches = {}
    for path, entry in sorted(entries.items()):
        alone = path.name if path.stem.endswith("_main") else ""
        flags = [word for word in entry["arguments"] if not word.endswith((path.name, path.name + ".o", ".o.d"))]
        batches.setdefault((path.parent, alone, *flags), []).append(path)
    return list(batches.values())


class Tidy:
    """clang-tidy with its checks; knows which results it already has.

    The sources of a folder are read as one translation unit, which costs an eighth of the time of one after the other:
    most of it goes into the headers that they share. Where that unit does not compile (two files use one name for
    different things) they are read singly.
    """

    def __init__(self, program, build, compiler, root):
        self.program = program
        self.root = root
        self.folder = build / "tidy"
        self.folder.mkdir(exist_ok=True)
        self.entries = read_database(build, compiler, root)
        self.batches = batches_of(self.entries)
        units = [self.unit_entry(batch) for batch in self.batches if len(batch) > 1]
        (self.folder / "compile_commands.json").write_text(json.dumps([*self.entries.values(), *units], indent=1))
        version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
        self.common = version + (root / ".clang-tidy").read_bytes() + Path(__file__).read_bytes()

    def unit(self, batch):
        name = "_".join(batch[0].parent.relative_to(self.root).parts)
        return self.folder / f"{name}_{batch[0].stem}.cpp"

    def unit_entry(self, batch):
        unit = self.unit(batch)
        unit.write_text("".join(f'#include "{path}"\n' for path in batch))
        first = self.entries[batch[0]]
        arguments = [str(unit) if word == first["file"] else word for word in first["arguments"]]
        return {"directory": first["directory"], "file": str(unit), "arguments": arguments}

    def stamp(self, batch):
        digest = hashlib.sha256(self.common)
        for path in batch:
            digest.update(json.dumps(self.entries[path]).encode())
            for file in closure(self.root, path):
                digest.update(b"\0" + str(file).encode() + b"\0" + file.read_bytes())
        return self.folder / f"{digest.hexdigest()}.clean"

    def complaint_about(self, *paths):
        """What clang-tidy says about sources; empty when they are clean."""
        run = subprocess.run([self.program, "--quiet", "-p", str(self.folder), *map(str, paths)], cwd=self.root,
                             capture_output=True, text=True)
        return "" if run.returncode == 0 else (run.stdout.strip() or run.stderr.strip() or "clang-tidy failed")

    def check(self, batch):
        stamp = self.stamp(batch)
        complaint = ""
        if not stamp.exists():
            complaint = self.complaint_about(self.unit(batch) if len(batch) > 1 else batch[0])
            if len(batch) > 1 and "[clang-diagnostic-error]" in complaint:
                complaint = self.complaint_about(*batch)
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
        results = list(pool.map(tidy.check, tidy.batches))
    tidy.forget_all_but(stamp for stamp, _ in results)
    report([complaint for _, complaint in results if complaint], len(tidy.entries))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3] if len(sys.argv) > 3 else ".").resolve())
