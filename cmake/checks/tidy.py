# Runs clang-tidy on the sources in a compile database: tidy.py BUILD_FOLDER COMPILER [ROOT] [--also CHECK] [--jobs N].
# Clean results are cached under a hash of everything that they depend on: the tool, the checks, the command, and the
# text of the source and of all files in the tree that it includes. It leaves out tests, which would take a third of the
# time; precompiled headers, which are in g++'s format; and the check of shadowing, which g++ does. --also names a check
# that is too slow for every run.
import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tree import MAY_INCLUDE, SKIPPED, closure, includes, report

# What clang-tidy does not know, what g++ checks, and what makes no difference to a reader of sources: with fewer commands
# there are fewer units.
DROPPED_FLAGS = {"-Winvalid-pch", "-Wshadow", "-fpch-preprocess", "-fPIC"}
DROPPED_BEGINNINGS = ("--param=", "-O")


def command_of(entry, compiler):
    """The command of a database entry, from the compiler on."""
    words = entry.get("arguments") or shlex.split(entry["command"])
    return words[words.index(compiler):]


def command_for_clang(entry, compiler):
    """The command without options that clang-tidy does not know or need."""
    kept = []
    for word in command_of(entry, compiler):
        if kept and kept[-1] == "-include":
            kept.pop()
        elif word not in DROPPED_FLAGS and not word.startswith(DROPPED_BEGINNINGS):
            kept.append(word)
    return kept


def sources_of(entry):
    """The sources that an entry compiles: its file, or those that CMake's unity build includes in it."""
    path = Path(entry["file"])
    if path.name.startswith("unity_") and path.is_file():
        return [Path(name) for _, name, quoted in includes(path) if quoted]
    return [path]


def read_database(build, compiler, root):
    """The entries for clang-tidy by path: our own sources without tests."""
    entries = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        arguments = command_for_clang(entry, compiler)
        for path in sources_of(entry):
            inside = path.is_relative_to(root) and path.relative_to(root).parts[0] in {*MAY_INCLUDE, "cmake"}
            if inside and path.is_file() and not path.stem.endswith("_test"):
                own = [str(path) if word == entry["file"] else word for word in arguments if not word.endswith(".o")]
                entries[path] = {"directory": entry["directory"], "file": str(path),
                                 "arguments": [word for word in own if word not in ("-o", "-c")]}
    return entries


# The simulator's headers have functions with names of the C library, so the two do not go into one unit.
DEVICE_MODEL = "kernels/runtime/cpu_model/simt.cuh"
MOST_SOURCES = 50  # per unit: two cores need several units, and a unit that does not compile is split

_TYPE = re.compile(r"(?:class|struct|union|enum(?: class)?) (\w+)|using (\w+) =|#define (\w+)")
_OTHER = re.compile(r"(?!.*\boperator\b)[^({=;]*?(?<!::)\b(\w+)(?:\[\w*\])?(?: =|[({;])")
_FURTHER = re.compile(r", (\w+)(?=[{,;]| =)")  # further names in one declaration


@functools.cache
def declared_names(path):
    """The names that a file declares, each with its namespace; and those of them that are types, aliases or macros.

    Reads the tree's format: declarations in a namespace begin in the first column, and a namespace ends with its
    comment.
    """
    names = set()
    types = set()
    spaces = []
    for line in path.read_text(encoding="utf-8").splitlines():
        space = "::".join(filter(None, spaces))
        if found := re.match(r"(?:inline )?namespace ?([\w:]*) ?\{$", line):
            spaces.append(found.group(1))
        elif line.startswith("}  // namespace"):
            spaces.pop()
        elif not line.startswith("#define") and not (spaces and re.match(r"\w", line)):
            continue
        elif found := _TYPE.match(line):
            name = next(filter(None, found.groups()))
            names.add((space, name))
            if not line.endswith(f" {name};"):  # which is announced, as others may do too
                types.add((space, name))
        elif found := _OTHER.match(line):
            further = [] if "(" in line else _FURTHER.findall(line)
            names |= {(space, name) for name in (found.group(1), *further)}
    return frozenset(names), frozenset(types)


def hidden_by(path):
    """The types of outer namespaces that those of a file would hide."""
    return {("::".join(space.split("::")[:depth]), name) for space, name in declared_names(path)[1]
            for depth in range(1, space.count("::") + 1)}


class Batch:
    """Sources that are read as one unit.

    No two of its sources declare the same name. No source declares a name of a header that it does not include itself.
    If two headers declare the same type, a source that includes one of them includes both. No source declares a type that
    would hide one of a header that it does not include itself.
    """

    def __init__(self):
        self.paths = []
        self.files = set()
        self.declared_by = {}
        self.hidden = set()

    def clashes(self, path, files):
        """Whether the source, or a header that only it includes, declares a name that the batch declares too."""
        for file in files - self.files:
            names, types = declared_names(file)
            for name in names & self.declared_by.keys():
                for other in self.declared_by[name] - files:
                    if file == path or other in self.paths or (name in types and name in declared_names(other)[1]):
                        return True
            if types & self.hidden:
                return True
        outer = hidden_by(path)
        return any(other not in files and name in declared_names(other)[1]
                   for name in outer for other in self.declared_by.get(name, ()))

    def add(self, path, files):
        for file in files - self.files:
            for name in declared_names(file)[0]:
                self.declared_by.setdefault(name, set()).add(file)
        self.paths.append(path)
        self.files |= files
        self.hidden |= hidden_by(path)


def batches_of(entries, root):
    """The sources that are checked together: with the same command, and without a conflict of names."""
    groups = {}
    for path, entry in sorted(entries.items()):
        flags = [word for word in entry["arguments"] if not word.endswith((path.name, ".o.d"))]
        files = set(closure(root, path))
        groups.setdefault((root / DEVICE_MODEL in files, *flags), []).append((path, files))
    batches = []
    for sources in groups.values():
        open_batches = []
        # Headers that call the C library come before the simulator's headers.
        for path, files in sorted(sources, key=lambda source: "#include <fmt/" not in source[0].read_text()):
            for batch in open_batches:
                if len(batch.paths) < MOST_SOURCES and not batch.clashes(path, files):
                    break
            else:
                batch = Batch()
                open_batches.append(batch)
            batch.add(path, files)
        batches += [batch.paths for batch in open_batches]
    # The largest start first, so that no core is left with a large one at the end.
    return sorted(batches, key=len, reverse=True)


class Tidy:
    """clang-tidy with its checks; knows which results it already has.

    Many sources are read as one translation unit. This takes an eighth of the time of reading them one by one, since
    most of it goes into shared headers. If the unit does not compile, the sources with errors are read alone.
    """

    def __init__(self, program, build, compiler, root, also):
        self.program = program
        self.root = root
        self.folder = build / ("tidy_slow" if also else "tidy")
        self.folder.mkdir(exist_ok=True)
        self.checks = [f"--checks={','.join(also)}"] if also else []
        self.entries = read_database(build, compiler, root)
        self.batches = batches_of(self.entries, root)
        version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
        self.common = (version + (root / ".clang-tidy").read_bytes() + Path(__file__).read_bytes() +
                       " ".join(self.checks).encode())

    def command(self, batch, unit):
        """Writes a unit of sources. Returns the command for it."""
        first = self.entries[batch[0]]
        unit.write_text("".join(
            f'#define main main_{number}\n#include "{path}"\n#undef main\n' if path.stem.endswith("_main") else
            f'#include "{path}"\n' for number, path in enumerate(batch)))
        arguments = [str(unit) if word == first["file"] else word for word in first["arguments"]]
        return [self.program, "--quiet", *self.checks, str(unit), "--", *arguments[1:]], first["directory"]

    def stamp(self, batch):
        digest = hashlib.sha256(self.common)
        for path in batch:
            digest.update(json.dumps(self.entries[path]).encode())
            for file in closure(self.root, path):
                digest.update(b"\0" + str(file).encode() + b"\0" + file.read_bytes())
        return self.folder / f"{digest.hexdigest()}.clean"

    def complaint_about(self, batch, unit):
        """The output of clang-tidy for these sources; empty if they are clean."""
        command, folder = self.command(batch, unit)
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        complaint = "" if run.returncode == 0 else (run.stdout.strip() or run.stderr.strip() or "clang-tidy failed")
        if len(batch) == 1 or "[clang-diagnostic-error]" not in complaint:
            return complaint
        errors = [line for line in complaint.splitlines() if "[clang-diagnostic-error]" in line]
        blamed = [path for path in batch if any(line.startswith(f"{path}:") for line in errors)]
        if not 0 < len(blamed) < len(batch):
            blamed = batch[:len(batch) // 2]
        others = [path for path in batch if path not in blamed]
        return "\n".join(filter(None, (self.complaint_about(part, unit) for part in (others, blamed))))

    def check(self, batch):
        stamp = self.stamp(batch)
        complaint = "" if stamp.exists() else self.complaint_about(batch, stamp.with_suffix(".cpp"))
        stamp.with_suffix(".cpp").unlink(missing_ok=True)
        if not complaint:
            stamp.touch()
        return stamp, complaint

    def forget_all_but(self, stamps):
        for old in set(self.folder.glob("*.clean")) - set(stamps):
            old.unlink()


def main(build, compiler, root, also, jobs):
    program = shutil.which("clang-tidy")
    if program is None:
        print("skipped: clang-tidy is not installed")
        sys.exit(SKIPPED)
    tidy = Tidy(program, build, compiler, root, also)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(tidy.check, tidy.batches))
    tidy.forget_all_but(stamp for stamp, _ in results)
    report([complaint for _, complaint in results if complaint], len(tidy.entries))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("compiler")
    parser.add_argument("root", type=Path, nargs="?", default=Path("."))
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    main(given.build.resolve(), given.compiler, given.root.resolve(), given.also, given.jobs)
