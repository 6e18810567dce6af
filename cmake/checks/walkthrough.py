# Runs the commands of docs/getting_started.md one after the other, like a reader: walkthrough.py --check BIN, or
# --update BIN, which writes their output into the page. A text block after a block of commands is their output.
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/getting_started.md"
# After this line only the exit code is compared, since the output depends on the machine.
VARIES = "<!-- varies -->\n"
STEP = re.compile(rf"^```sh\n(.*?)^```\n(?:\n({VARIES})?```(text|diff|json)\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def run(script, folder, bin_folder):
    """The exit code and output of some lines of shell. They run in the folder in which the lines before ended."""
    where = folder / ".where"
    start = where.read_text().strip() if where.exists() else str(folder)
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "NO_COLOR": "1", "COLUMNS": "100",
                   "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(bin_folder.parent / "docs_cache")}
    done = subprocess.run(["bash", "-c", f"cd {start}\n{script}\ncode=$?\npwd >{where}\nexit $code"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, timeout=500)
    home = str(Path.home())
    shown = done.stdout.replace(str(folder / "data"), "~/.local/share").replace(home, "~")
    shown = shown.replace(str(ROOT), "~/warpwright")
    shown = re.sub(r"0x[0-9a-f]{9,}", "0x...", shown)
    return done.returncode, "".join(line.rstrip() + "\n" for line in shown.splitlines())


def plain(text):
    """For comparing: the text without numbers and without widths of columns."""
    return [" ".join(re.sub(r"[0-9]+(\.[0-9]+)?", "N", line).split()) for line in text.splitlines()]


def main(arguments):
    mode, bin_folder = arguments[0], Path(arguments[1]).resolve()
    page = PAGE.read_text()
    complaints, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "docs/examples", folder / "docs/examples")

        def done(found):
            nonlocal count
            count += 1
            script, varies, language, shown = found.groups()
            code, out = run(script, folder, bin_folder)
            where = f"{PAGE.name}:{page.count(chr(10), 0, found.start()) + 2}"
            if code not in ((0,) if varies or language is None else (0, 1)):
                complaints.append(f"{where}: exit code {code}:\n{out}")
            if language is None:
                return found.group()
            if not varies and plain(out) != plain(shown) and mode == "--check":
                complaints.append("\n".join([where, *difflib.unified_diff(plain(shown), plain(out), "page", "now", n=0,
                                                                           lineterm="")]))
            return f"```sh\n{script}```\n\n{varies or ''}```{language}\n{out}```\n"

        made = STEP.sub(done, page)
    if mode == "--update":
        PAGE.write_text(made)
    print("\n".join([*complaints, f"{len(complaints)} complaints, {count} steps"]))
    return 1 if complaints or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
