# Checks that includes follow the layers, and that no folders include each other: layering.py [ROOT].
import os
import re
import sys
from collections import defaultdict
from pathlib import Path, PurePosixPath

from tree import MAY_INCLUDE, includes, report, sources

# Short names of folders. The table below says which folders each may include besides itself, from the lowest layer up.
SHORT = {
    "core": "kernels/core", "system": "kernels/system", "model": "kernels/model", "block": "kernels/block",
    "runtime": "kernels/runtime", "common": "kernels/runtime/common", "cpu_model": "kernels/runtime/cpu_model",
    "cpu_headers": "kernels/runtime/cpu_headers", "cubin": "kernels/runtime/cubin",
    "host_steps": "kernels/runtime/host_steps", "results": "kernels/runtime/simulator/results",
    "module": "kernels/runtime/simulator/module", "state": "kernels/runtime/simulator/state",
    "trace": "kernels/runtime/simulator/trace", "races": "kernels/runtime/simulator/races",
    "engine": "kernels/runtime/simulator/engine", "simulator": "kernels/runtime/simulator",
    "messages": "kernels/runtime/messages", "cuda": "kernels/runtime/cuda", "client": "kernels/runtime/client",
    "build": "kernels/runtime/build", "worker": "kernels/runtime/worker", "baselines": "kernels/runtime/baselines",
    "job_text": "kernels/job/text", "job": "kernels/job", "cases": "conformance/cases",
    "checks": "conformance/checks", "properties": "conformance/properties", "mutants": "conformance/mutants",
    "known_bugs": "conformance/mutants/known_bugs", "suite": "conformance/suite", "conform": "conformance/program",
    "search": "tuner/search", "cost_model": "tuner/cost_model", "records": "tuner/records", "tasks": "tuner/tasks",
    "measuring": "tuner/measuring", "predicting": "tuner/predicting", "tune": "tuner/program", "store": "db/store",
    "query": "db/query", "maintenance": "db/maintenance",
    "exchange": "db/exchange", "lookup": "db/lookup", "tunedb": "db/program", "charts": "reports/charts",
    "reports": "reports",
}
LAYERS = {
    "core": "",
    "system": "core",
    "model": "core",
    "common": "",
    "cpu_model": "common",
    "runtime": "cpu_model common model",
    "cpu_headers": "runtime cpu_model",
    "cubin": "core model",
    "host_steps": "model",
    "results": "core model",
    "module": "host_steps cubin cpu_model model system core",
    "trace": "results cpu_model",
    "state": "trace cpu_model model core",
    "races": "state results cpu_model core",
    "engine": "races state trace results module cpu_model common model core",
    "simulator": "engine results module host_steps common model core",
    "messages": "results model system core",
    "cuda": "messages runtime cubin host_steps model system core",
    "client": "messages system core",
    "build": "client messages model system core",
    "worker": "simulator cuda messages module host_steps model system core",
    "baselines": "worker model system",
    "block": "runtime common model",
    "job_text": "runtime cpu_model common",
    "job": "job_text runtime common model core",
    "cases": "core model runtime",
    "checks": "core system model runtime cases client build messages results",
    "properties": "core system model checks cases",
    "mutants": "core system model runtime properties checks client build module store",
    "known_bugs": "runtime",
    "suite": "core system model mutants properties checks cases client build module store job",
    "conform": "core system model runtime suite mutants properties checks build messages store query job",
    "search": "system",
    "cost_model": "core model cubin",
    "records": "core model cost_model messages checks store query",
    "tasks": "core system model search cost_model records cubin build messages checks properties suite",
    "measuring": "core system model runtime cost_model records checks properties suite messages store tasks client",
    "predicting": "core system cost_model records cubin checks suite store query tasks",
    "tune": "core system model build checks suite messages store query tasks measuring predicting client job exchange",
    "store": "core",
    "query": "store core",
    "maintenance": "query store core",
    "exchange": "query store core system",
    "lookup": "core",
    "tunedb": "exchange maintenance query store core system",
    "charts": "core",
    "reports": "charts store query maintenance core system",
}
# The row of every folder of a pattern, and what its ports to libraries may include besides.
OF_PATTERNS, OF_PORTS, PORTS = "block model runtime common", " baselines", ("kokkos.cpp", "vendor.cu")
# Tests and their fixtures are in no program, so they may include what their top folder may.
FOR_TESTS = re.compile(r"_test\.|fixture|/testdata/|/built_in_tests/|/(fake_\w+|on_a_gpu|scripted_worker|waiting|ring_kernel|"
                        r"error_of|checked_jobs|text_kernel)\.")


def folder_of(path):
    return str(PurePosixPath(path).parent)


_NAMES = {folder: name for name, folder in SHORT.items()}


def allowed(source, target, file=""):
    """Whether that file of one folder may include files of the other. Paths are relative to the root."""
    if source == target:
        return True
    name = _NAMES.get(str(source))
    of_pattern = OF_PATTERNS + (OF_PORTS if file in PORTS else "") if source.startswith("kernels/") else ""
    row = LAYERS[name] if name else of_pattern
    return _NAMES.get(target) in row.split()


def objection(source, target):
    """Why `source` may not include `target`, or None. Paths are relative to the root."""
    if source.parts[0] not in MAY_INCLUDE:  # the checks themselves
        return None
    if source.suffix == ".cuh" and target.suffix != ".cuh":
        return "device code may include only device code"
    if source.parts[0] != target.parts[0] and target.parts[0] not in MAY_INCLUDE[source.parts[0]]:
        if not re.match(r"kernels/(core|system)/", str(target)):
            return f"{source.parts[0]} may not include {target.parts[0]}"
    if FOR_TESTS.search(f"/{source}") or allowed(folder_of(source), folder_of(target), source.name):
        return None
    return f"{folder_of(source)} may not include {folder_of(target)}"


def circle(edges):
    """Folders that include each other in a circle, or an empty list."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in done:
            return []
        path.append(folder)
        for target in sorted(edges[folder]):
            if found := visit(target):
                return found
        path.pop()
        done.add(folder)
        return []

    for folder in sorted(edges):
        if found := visit(folder):
            return found
    return []


def complaints(root):
    edges = set()
    for path in sources(root):
        source = path.relative_to(root)
        if "testdata" in source.parts:  # plays code that lies outside the tree
            continue
        for line, name, quoted in includes(path):
            target = PurePosixPath(name)
            if quoted and (".." in target.parts or not (root / target).is_file()):
                yield f'{source}:{line}: "{name}" is no file below the root: write includes from there, others in <>'
            elif quoted or target.parts[0] in MAY_INCLUDE:
                if reason := objection(source, target):
                    yield f"{source}:{line}: includes {name}, but {reason}"
                if source.parts[0] in MAY_INCLUDE and not FOR_TESTS.search(f"/{source}"):
                    edges.add((folder_of(source), folder_of(target)))
    for depth in range(1, max((len(Path(a).parts) for a, _ in edges), default=0) + 1):
        graph = defaultdict(set)
        for pair in edges:
            one, other = (os.sep.join(Path(folder).parts[:depth]) for folder in pair)
            if one != other:
                graph[one].add(other)
        if found := circle(graph):
            yield f"folders include each other: {' -> '.join(found)}"
            return


if __name__ == "__main__":
    tree_root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    report(list(complaints(tree_root)), len(sources(tree_root)))
