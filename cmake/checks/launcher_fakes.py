# For tests of the launcher: a machine with fakes of all tools, which may lack packages, rights, CUDA or a working
# build.
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAUNCHER = ROOT / "warpwright"
REAL_TOOLS = ("bash", "sh", "env", "readlink", "dirname", "grep", "tail", "tee", "mkdir", "cat", "nproc", "touch", "chmod",
              "rm")

# Each fake records its calls in $FAKES/calls, and gets its answers from files in $FAKES.
FAKES = {
    "dpkg-query": 'for name; do grep -qsxF -- "$name" $FAKES/missing || echo "$name installed"; done',
    "apt-get": r"""
touch $FAKES/apt_was_here
code=$(cat $FAKES/apt_exit)
for name; do
  if grep -qsxF -- "$name" $FAKES/not_to_be_had; then code=100; fi
done
if [ $code = 0 ] && [ "$1" = install ]; then
  left=$(for name in $(cat $FAKES/missing); do case " $* " in *" $name "*) ;; *) echo $name ;; esac; done)
  echo "$left" >$FAKES/missing
  case " $* " in *" chromium "*) printf '#!/bin/bash\n' >$BIN/chromium; chmod +x $BIN/chromium ;; esac
fi
exit $code""",
    "id": "cat $FAKES/uid",
    # Ignores the priority: on a busy machine, a process of the lowest priority would not end within a test's time.
    "nice": 'shift 2; exec "$@"',
    "sudo": '[ "$(cat $FAKES/sudo)" = allowed ] || exit 1; exec "$@"',
    "ctest": r"""
echo '100% tests passed, 0 tests failed out of 7'
while [ $# -gt 0 ]; do [ "$1" != --output-junit ] || cat $FAKES/results >"$2"; shift; done
exit $(cat $FAKES/ctest_exit)""",
    "cmake": r"""
case "$*" in
  *--preset*)
    mkdir -p $ROOT/build
    touch $ROOT/build/build.ninja
    case "$*" in *"--preset ci"*) strict=ON ;; *) strict=OFF ;; esac
    printf 'CUDA_INCLUDE:PATH=%s/include\nWARPWRIGHT_WERROR:BOOL=%s\n' "$CUDA_HOME" $strict >$ROOT/build/CMakeCache.txt
    ;;
  *--build*)
    if grep -q strict $FAKES/broken && grep -q =ON $ROOT/build/CMakeCache.txt; then
      echo 'a.cpp:1: error: new warning [-Werror=new-warning]'
      exit 1
    fi
    if grep -q always $FAKES/broken; then
      echo 'a.cpp:1: error: expected unqualified-id'
      exit 1
    fi
    case "$*" in *baselines_*) echo 'Kokkos: left out'; echo '[1/1] Linking' ;; esac
    mkdir -p $ROOT/build/bin
    for program in tune tunedb conform report; do
      printf '#!/bin/bash\n[ "$1" = --completion ] && echo "complete -F _%s_complete %s" && exit\necho "%s <$1> <$2>"\nexit 1\n' \
        $program $program $program >$ROOT/build/bin/$program
      chmod +x $ROOT/build/bin/$program
    done
    ;;
esac""",
}

# A fake lint.py: records its arguments, prints a given text, and writes a given report.
LINT = """import os, shutil, sys
fakes = os.environ["FAKES"]
print("lint", *sys.argv[1:], file=open(fakes + "/calls", "a"))
print(open(fakes + "/lint_says").read(), end="")
if "--results" in sys.argv:
    shutil.copy(fakes + "/lint_results", sys.argv[sys.argv.index("--results") + 1])
sys.exit(int(open(fakes + "/lint_exit").read()))
"""


def results_of(**outputs):
    """A JUnit report of ctest: one test that passed, and tests that were skipped, with their output."""
    skipped = "".join(f'<testcase name="{name}" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>'
                      f"<system-out>{output}</system-out></testcase>" for name, output in outputs.items())
    return f'<testsuite><testcase name="fine" status="run"/>{skipped}</testsuite>'


class Machine(unittest.TestCase):
    """The launcher in a tree of its own. Its PATH has only the fakes and a few real tools."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        base = Path(folder.name)
        self.root, self.fakes, self.bin, self.cuda = (base / name for name in ("root", "fakes", "bin", "cuda"))
        for path in (self.root, self.fakes, self.bin, self.cuda / "include", self.cuda / "bin"):
            path.mkdir(parents=True)
        (self.cuda / "include/cuda_occupancy.h").touch()
        launcher = LAUNCHER.read_text().replace("/usr/local/cuda", str(base / "usr-local-cuda"))
        (self.root / "warpwright").write_text(launcher)
        (self.root / "warpwright").chmod(0o755)
        (self.root / "CMakePresets.json").write_text("{}")
        for name in REAL_TOOLS:
            (self.bin / name).symlink_to(shutil.which(name))
        for name, body in FAKES.items():
            self.write_fake(name, body)
        for name in (".ci/skips", "cmake/checks/outcome.py"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        (self.root / "cmake/checks/lint.py").write_text(LINT)
        (self.bin / "python3").symlink_to(sys.executable)
        for name in ("node", "npm"):
            self.write_fake(name, "")
        self.answer(missing="", apt_exit="0", uid="0", sudo="allowed", ctest_exit="0", broken="", not_to_be_had="",
                    results=results_of(), lint_says="lint: 5 checks", lint_exit="0", lint_results=results_of())
        self.variables = {"CUDA_HOME": str(self.cuda)}

    def write_fake(self, name, body):
        (self.bin / name).write_text(f'#!/bin/bash\necho "{name} $*" >>$FAKES/calls\n{body}\n')
        (self.bin / name).chmod(0o755)

    def answer(self, **answers):
        for name, text in answers.items():
            (self.fakes / name).write_text(text + "\n" if text else "")

    def run_launcher(self, *arguments):
        (self.fakes / "calls").write_text("")
        environment = {"PATH": str(self.bin), "FAKES": str(self.fakes), "ROOT": str(self.root),
                       "BIN": str(self.bin), **self.variables}
        return subprocess.run([self.root / "warpwright", *arguments], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60)

    def calls(self, name):
        return [line for line in (self.fakes / "calls").read_text().splitlines() if line.split()[0] == name]
