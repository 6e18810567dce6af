# Checks that every include goes down the layers: layering.py [ROOT].
import sys
from pathlib import Path, PurePosixPath

from tree import MAY_INCLUDE, includes, report, sources

# What each folder of kernels/ may include besides itself; the others are patterns, and may include all of these.
KERNELS_MAY_INCLUDE = {"model": set(), "runtime": {"model"}, "block": {"runtime", "model"}}


def part(path):
    """Where a path lies for the rules: its top folder and, inside kernels, its second folder too."""
    parts = path.parts
    return parts[0], parts[1] if parts[0] == "kernels" and len(parts) > 2 else ""


def objection(source, target):
    """Why the file `source` may not include `target` (both below the root), or None."""
    source_top, source_inner = part(source)
    target_top, target_inner = part(target)
    if source_top not in MAY_INCLUDE:  # the checks themselves
        return None
    if source.suffix == ".cuh" and target.suffix != ".cuh":
        return "device code may include only device code"
    if source_top != target_top:
        return None if target_top in MAY_INCLUDE[source_top] else f"{source_top} may not include {target_top}"
    if source_inner == target_inner or target_inner in KERNELS_MAY_INCLUDE.get(source_inner, KERNELS_MAY_INCLUDE):
        return None
    return f"kernels/{source_inner} may not include kernels/{target_inner}"


def complaints(root):
    for path in sources(root):
        source = path.relative_to(root)
        if "testdata" in source.parts:  # plays code that lies outside the tree
            continue
        for line, name, quoted in includes(path):
            target = PurePosixPath(name)
            if quoted and (".." in target.parts or not (root / target).is_file()):
                yield f'{source}:{line}: "{name}" is no file below the root: write includes from there, others in <>'
            elif (quoted or target.parts[0] in MAY_INCLUDE) and (reason := objection(source, target)):
                yield f"{source}:{line}: includes {name}, but {reason}"


if __name__ == "__main__":
    tree_root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    report(list(complaints(tree_root)), len(sources(tree_root)))
