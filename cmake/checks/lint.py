# The lint job: lint.py BUILD_FOLDER [ROOT] [--jobs N] [--results FILE] [--slow]. It needs no built programs.
# Checks layers, layout, clang-format and clang-tidy, and compiles every device header with g++, and with nvcc together
# with those of its folder. Faults are printed as they are found, and at the end the number of checks. --results writes
# a JUnit report like ctest's. --slow, for nightly runs, adds a slow check of clang-tidy, and compiles every source by
# itself.
import argparse
import concurrent.futures
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from tidy import Tidy
from tree import SKIPPED

HERE = Path(__file__).resolve().parent
SLOW_CHECK = "performance-unnecessary-value-param"
CPU_MODEL = ("kernels/runtime/cpu_model/", "kernels/runtime/cpu_headers/", "kernels/runtime/host_steps/")  # stands in for CUDA: no CUDA compiler reads it
SCRIPTS = {
    "includes go down the layers": ("layering.py",),
    "top-level folders are those of the design": ("layout.py", "folders"),
    "every folder of code has a README": ("layout.py", "readmes"),
    "sources say what they are, are ASCII and short": ("layout.py", "sources"),
    "every pattern has a Kokkos port and a vendor's baseline": ("layout.py", "baselines"),
    "sources are formatted": ("formatting.py",),
    "files are written as .editorconfig says": ("editorconfig.py",),
}


@dataclasses.dataclass
class Result:
    """The result of one check."""

    name: str
    code: int  # 0: clean; SKIPPED; else a fault
    output: str
    seconds: float = 0


def cached(build, name):
    """A variable in the cache of the build folder; empty if it is not set or nothing was found."""
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return "" if found is None or found.group(1).endswith("-NOTFOUND") else found.group(1)


class Lint:
    """All checks of a tree, run by a pool of threads. The units of clang-tidy are separate tasks."""

    def __init__(self, build, root, slow):
        self.build = build
        self.root = root
        self.slow = slow
        self.compiler = cached(build, "CMAKE_CXX_COMPILER")
        self.units = build / "lint"
        self.units.mkdir(exist_ok=True)

    def command(self, name, command):
        """Runs a command as a check."""
        begin = time.monotonic()
        run = subprocess.run([str(word) for word in command], cwd=self.root, capture_output=True, text=True)
        return Result(name, run.returncode, run.stdout + run.stderr, time.monotonic() - begin)

    def scripts(self):
        for name, (script, *arguments) in SCRIPTS.items():
            yield name, [sys.executable, "-B", HERE / script, *arguments, self.root]
        if self.slow:
            yield "every source compiles on its own", [sys.executable, "-B", HERE / "alone.py", self.build, self.compiler,
                                                       self.root]

    def unit(self, name, headers):
        """Writes a file that includes these headers."""
        path = self.units / (re.sub(r"\W", "_", name) + ".cu")
        path.write_text("".join(f'#include "{header}"\n' for header in headers))
        return path

    def headers(self):
        """Compiles each device header with g++ by itself, and those of a folder together with nvcc."""
        folders = {}
        for path in sorted((self.root / "kernels").rglob("*.cuh")):
            header = path.relative_to(self.root).as_posix()
            yield f"g++ reads {header}", [self.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                                          "-Wno-unknown-pragmas", f"-I{self.root}", "-x", "c++", self.unit(header, [header])]
            if not header.startswith(CPU_MODEL):
                folders.setdefault(header.rpartition("/")[0], []).append(header)
        nvcc = cached(self.build, "NVCC")
        for folder, headers in folders.items():
            unit = self.unit(folder, headers)
            command = [nvcc, "-std=c++20", "-arch=sm_75", "-ptx", "-Werror", "all-warnings", f"-I{self.root}", "-ccbin",
                       self.compiler, unit, "-o", unit.with_suffix(".ptx")]
            if not nvcc:
                command = ["sh", "-c", f"echo skipped: NVCC was not found && exit {SKIPPED}"]
            yield f"nvcc reads the headers of {folder} together", command

    def run(self, jobs):
        """Yields results as they arrive. The longest tasks start first: the units of clang-tidy, then those of nvcc."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            begin = time.monotonic()
            running = [pool.submit(self.command, *check) for check in self.scripts()]
            program = shutil.which("clang-tidy")
            name = "clang-tidy is content" + (" with its slow check too" if self.slow else "")
            tidy = Tidy(program, self.build, self.compiler, self.root, [SLOW_CHECK] if self.slow else []) if program else None
            units = [pool.submit(tidy.check, batch) for batch in tidy.batches] if tidy else []
            running += [pool.submit(self.command, *check)
                        for check in sorted(self.headers(), key=lambda check: check[0], reverse=True)]
            for done in concurrent.futures.as_completed(running):
                yield done.result()
            if tidy is None:
                yield Result(name, SKIPPED, "skipped: clang-tidy is not installed")
                return
            found = [unit.result() for unit in units]
            tidy.forget_all_but(stamp for stamp, _ in found)
            complaints = [complaint for _, complaint in found if complaint]
            empty = [] if tidy.entries else ["no source was read"]
            yield Result(name, 1 if complaints or empty else 0, "\n".join(complaints + empty), time.monotonic() - begin)


def write_report(results, path):
    """Writes the results in the format of ctest."""
    suite = ElementTree.Element("testsuite", name="lint", tests=str(len(results)))
    for result in results:
        case = ElementTree.SubElement(suite, "testcase", name=result.name, classname="lint", time=f"{result.seconds:.3f}",
                                      status={0: "run", SKIPPED: "notrun"}.get(result.code, "fail"))
        if result.code == SKIPPED:
            ElementTree.SubElement(case, "skipped", message=f"SKIP_RETURN_CODE={SKIPPED}")
        elif result.code != 0:
            ElementTree.SubElement(case, "failure", message="")
        ElementTree.SubElement(case, "system-out").text = re.sub(r"[^\t\n -~]", "?", result.output)
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def end_with_children(*_):
    """On a signal, also ends all child processes."""
    for children in Path("/proc/self/task").glob("*/children"):
        for pid in children.read_text().split():
            os.kill(int(pid), signal.SIGTERM)
    os._exit(130)


def main(build, root, jobs, results_file, slow):
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end_with_children)
    begin = time.monotonic()
    results = []
    for result in Lint(build, root, slow).run(jobs):
        results.append(result)
        if result.code not in (0, SKIPPED):
            print(f"{result.name}: failed\n{result.output.rstrip()}\n", flush=True)
        elif result.code == SKIPPED:
            print(f"{result.name}: {result.output.strip()}", flush=True)
    if results_file is not None:
        write_report(results, results_file)
    failed = sum(result.code not in (0, SKIPPED) for result in results)
    skipped = sum(result.code == SKIPPED for result in results)
    print(f"lint: {len(results)} checks, {failed} failed, {skipped} skipped, in {time.monotonic() - begin:.0f} s")
    sys.exit(1 if failed or not results else 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("root", type=Path, nargs="?", default=Path("."))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path)
    parser.add_argument("--slow", action="store_true")
    given = parser.parse_args()
    main(given.build.resolve(), given.root.resolve(), given.jobs, given.results, given.slow)
