# Runs conform on the kernels of docs/checking.md: checking_page.py --check BIN, or --update BIN. A wrong kernel must
# give the message on the page, and the fixed kernel must pass. --update writes kernels, messages and fixes into the
# page.
import difflib
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/checking.md"
EXAMPLES = ROOT / "docs/examples/checking"
KINDS = ROOT / "kernels/core/verdict.cpp"
# "<!-- example: NAME OPTIONS -->", followed by "as a word" if numbers change from run to run. "refused" in place of
# options means that the job is refused before it runs.
EXAMPLE = re.compile(r"^<!-- example: (\w+)( [^\n>]*?)? -->\n(.*?)^<!-- end of example -->\n", re.MULTILINE | re.DOTALL)
LOOSE = "as a word"
REFUSED = "refused"
COLUMNS = 100  # like conform
LONGEST = 10  # lines of a kernel
# Small shapes, so that none is left out for its time on a busy machine, which would change later random draws.
SMALL = ("--max-steps", "2048", "--cases")
CASES, CASES_OF_CURED = "40", "15"
# Lines about how a case was drawn and shrunk, and the line that runs it again, which the page shows only once.
LEFT_OUT = re.compile(r"\s+(as drawn:|reproduce:|shrunk by|large edge cases left out|values were not checked:|"
                      r"\d+ more cases? drawn|\d+ large cases left out|[\d.]+ cases/s)")
# Lines that continue the one before. Numbered lines come from a compiler.
FURTHER = re.compile(r" {4}(  )?(?!\s*(\d+ )?\|)\S")


def conform(bin_folder, names, *options):
    """The exit code and the output of conform for these job files."""
    done = subprocess.run([bin_folder / "conform", *[f"{name}.json" for name in names], *options, "--cache",
                           bin_folder.parent / "docs_cache"], cwd=EXAMPLES, capture_output=True, text=True,
                          env={**os.environ, "NO_COLOR": "1"}, timeout=500)
    return done.returncode, done.stdout, done.stderr


def name_in(line):
    found = re.search(r"(\w+)\.(?:cu|json)\b", line) or re.search(r"job:(\w+)/", line)
    return found.group(1) if found else None


def joined(output):
    """The lines, each joined with its continuation lines."""
    lines = []
    for line in output.splitlines():
        if lines and lines[-1].strip() and FURTHER.match(line):
            lines[-1] = f"{lines[-1].removesuffix(chr(92)).rstrip()} {line.strip()}"
        else:
            lines.append(line)
    return lines


def messages(output):
    """Lines for each example, without rows of the table and lines that match LEFT_OUT."""
    found = {}
    name = None
    for line in joined(output):
        if not line.startswith(" "):
            name = name_in(line)
            if name is None or line.startswith("job:"):
                continue
        if name is None or LEFT_OUT.match(line):
            continue
        found.setdefault(name, []).append(re.sub(r"0x[0-9a-f]{9,}", "0x...", line.rstrip()))
    return found


def folded(lines):
    """The lines, wrapped at COLUMNS; continuations are indented."""
    made = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()))
        made += textwrap.wrap(line, COLUMNS, subsequent_indent=indent + "    ", break_long_words=False,
                              break_on_hyphens=False) or [""]
    return made


def code_of(name):
    """The kernel's source without the comment on top."""
    return (EXAMPLES / f"{name}.cu").read_text().partition("\n")[2].strip("\n")


def cure_of(name):
    """The fix as a diff of the source, or else of the job file, which then names the wrong kernel's source."""
    cured = EXAMPLES / f"{name}_cured.cu"
    suffix = ".cu" if cured.is_file() else ".json"
    before, after = ([line for line in (EXAMPLES / f"{one}{suffix}").read_text().splitlines()[1:]
                      if not line.startswith('  "file": ')] for one in (name, f"{name}_cured"))
    lines = list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]
    return f"{name}_cured{suffix}", [line.rstrip() for line in lines if not line.startswith("@@")]


def shown(name, options, lines):
    """The text between the marks of one example."""
    if options and options != REFUSED:
        return "\n".join([f"`conform {name}.json {options}` prints", "", "```text", *folded(lines), "```", ""])
    cured, cure = cure_of(name)
    return "\n".join(["```cuda", code_of(name), "```", "", f"`conform {name}.json` prints", "", "```text",
                      *folded(lines), "```", "", f"Fixed, `{cured}`:", "", "```diff", *cure, "```", ""])


def examples_of(page):
    """Every example as (name, options, exact, text)."""
    for found in EXAMPLE.finditer(page):
        options = (found.group(2) or "").strip()
        yield found.group(1), options.removesuffix(LOOSE).strip(), not options.endswith(LOOSE), found.group(3)


def words_of(text, exact):
    """The text for comparing: without the numbers of threads, which depend on how far a case was shrunk in its time; of
    one that is not exact the message's first line only, without numbers."""
    def without_numbers(found):
        return re.sub(r"[0-9]+(\.[0-9]+)?| \(bound: .*", "N", found.group().split("\n  ")[0])

    text = re.sub(r"(block|thread) \(\d+, \d+, \d+\)", r"\1 N", text)
    return text if exact else re.sub(r"```text\n.*?```", without_numbers, text, flags=re.DOTALL)


def complaints_about_files(page):
    shown_names = {name for name, *_ in examples_of(page)}
    for path in sorted(EXAMPLES.iterdir()):
        if path.stem.removesuffix("_cured") not in shown_names | {"answers"}:
            yield f"{path.relative_to(ROOT)} is on no page"
    for name in sorted(shown_names):
        if (lines := code_of(name).count("\n") + 1) > LONGEST:
            yield f"docs/examples/checking/{name}.cu has {lines} lines, more than {LONGEST}"
    kinds = re.search(r"kFindings\{.*?\.words = \{(.*?)\}", KINDS.read_text(), re.DOTALL).group(1)
    for kind in re.findall(r'"([^"]+)"', kinds):
        if kind != "no CPU model" and kind not in page:
            yield f"docs/checking.md says nothing of the finding '{kind}'"


def complaints_about_cured(bin_folder, names):
    code, out, err = conform(bin_folder, [f"{name}_cured" for name in names], *SMALL, CASES_OF_CURED)
    if code != 0:
        yield f"fixed kernels do not all pass: exit code {code}\n{out}{err}"


def main(arguments):
    mode, bin_folder = arguments[0], Path(arguments[1]).resolve()
    page = PAGE.read_text()
    examples = list(examples_of(page))
    plain = [name for name, options, *_ in examples if not options]
    code, out, err = conform(bin_folder, plain, *SMALL, CASES)
    if code != 2:  # one of them does not compile
        raise SystemExit(f"conform ends with {code} of wrong kernels:\n{out}{err}")
    of_plain = messages(out)
    made, complaints = {}, []
    for name, options, exact, text in examples:
        if options == REFUSED:
            code, _, err = conform(bin_folder, [name])
            lines = err.splitlines()
            if code != 2:
                complaints.append(f"conform ends with {code}, not with 2, of {name}.json, which it refuses")
        else:
            lines = of_plain.get(name, []) if not options else \
                messages(conform(bin_folder, [name], *options.split(), *SMALL, CASES)[1]).get(name, [])
        made[name, options] = shown(name, options, lines)
        if not lines:
            complaints.append(f"conform says nothing of {name} {options}")
        elif words_of(made[name, options], exact) != words_of(text, exact) and mode == "--check":
            difference = difflib.unified_diff(text.splitlines(), made[name, options].splitlines(), "the page", "now",
                                              lineterm="", n=0)
            complaints.append("\n".join([f"docs/checking.md: {name} {options}".rstrip(), *difference]))
    if mode == "--update":
        def renewed(found):
            options = (found.group(2) or "").strip().removesuffix(LOOSE).strip()
            head, _, _ = found.group().partition("\n")
            return f"{head}\n{made[found.group(1), options]}<!-- end of example -->\n"

        page = EXAMPLE.sub(renewed, page)
        PAGE.write_text(page)
    complaints += complaints_about_files(page)
    refused = [name for name, options, *_ in examples if options == REFUSED]
    complaints += complaints_about_cured(bin_folder, plain + refused)
    print("\n".join([*complaints, f"{len(complaints)} complaints, {len(examples)} examples"]))
    return 1 if complaints or not examples else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
