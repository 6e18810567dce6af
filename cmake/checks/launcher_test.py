# Tests the launcher with fakes of every tool it calls, on machines that lack packages, rights, CUDA or a working build.
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

# Each fake notes its call in $FAKES/calls; what it answers lies in files of $FAKES.
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


def results_of(**outputs):
    """A JUnit report of ctest: one test that passed, and those that were skipped, with what they printed."""
    skipped = "".join(f'<testcase name="{name}" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>'
                      f"<system-out>{output}</system-out></testcase>" for name, output in outputs.items())
    return f'<testsuite><testcase name="fine" status="run"/>{skipped}</testsuite>'


class LauncherTest(unittest.TestCase):
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
        (self.bin / "python3").symlink_to(sys.executable)
        for name in ("node", "npm"):
            self.write_fake(name, "")
        self.answer(missing="", apt_exit="0", uid="0", sudo="allowed", ctest_exit="0", broken="", not_to_be_had="",
                    results=results_of())
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

    def test_a_program_gets_its_arguments_and_gives_its_exit_code(self):
        run = self.run_launcher("tune", "--arch", "sm 75")
        self.assertEqual((run.returncode, run.stdout), (1, "tune <--arch> <sm 75>\n"))

    def test_nothing_is_installed_where_nothing_is_missing(self):
        self.run_launcher("tune")
        self.assertEqual(self.calls("apt-get"), [])
        self.assertFalse((self.fakes / "apt_was_here").exists())

    def test_root_installs_what_is_missing_and_only_that(self):
        self.answer(missing="libxxhash-dev\nlibfmt-dev")
        run = self.run_launcher("tune")
        self.assertIn("missing Debian packages: libfmt-dev libxxhash-dev", run.stderr)
        self.assertEqual(self.calls("apt-get"), ["apt-get update", "apt-get install -y --no-install-recommends "
                                                 "libfmt-dev libxxhash-dev"])
        self.assertEqual(self.calls("sudo"), [])
        self.assertEqual(run.returncode, 1)

    def test_a_user_installs_through_sudo(self):
        self.answer(missing="libfmt-dev", uid="1000")
        self.run_launcher("tune")
        self.assertEqual(len(self.calls("sudo")), 2)
        self.assertEqual(len(self.calls("apt-get")), 2)

    def test_without_root_and_sudo_the_command_is_printed(self):
        self.answer(missing="libfmt-dev", uid="1000")
        (self.bin / "sudo").unlink()
        run = self.run_launcher("tune")
        self.assertEqual(run.returncode, 3)
        self.assertIn("  apt-get update && apt-get install -y --no-install-recommends libfmt-dev\n", run.stderr)
        self.assertEqual(self.calls("apt-get") + self.calls("cmake"), [])

    def test_where_sudo_refuses_the_command_is_printed(self):
        self.answer(missing="libfmt-dev", uid="1000", sudo="refused")
        run = self.run_launcher("tune")
        self.assertEqual(run.returncode, 3)
        self.assertIn("  sudo apt-get update && sudo apt-get install -y --no-install-recommends libfmt-dev\n", run.stderr)

    def test_a_failed_installation_ends_it(self):
        self.answer(missing="libfmt-dev", apt_exit="100")
        run = self.run_launcher("tune")
        self.assertEqual(run.returncode, 3)
        self.assertIn("install.log", run.stderr)
        self.assertEqual(self.calls("cmake"), [])

    def test_a_system_that_is_not_debian_is_told_the_packages(self):
        (self.bin / "dpkg-query").unlink()
        run = self.run_launcher("tune")
        self.assertEqual(run.returncode, 3)
        self.assertIn("librapidcheck-dev", run.stderr)

    def test_only_the_tests_need_the_tools_of_the_tests(self):
        self.answer(missing="clang-tidy")
        self.run_launcher("tune")
        self.assertEqual(self.calls("apt-get"), [])
        self.run_launcher("test")
        self.assertIn("apt-get install -y --no-install-recommends clang-tidy", self.calls("apt-get"))

    def test_the_tests_go_on_without_an_optional_package(self):
        no_kokkos = "skipped: no Kokkos is installed: install libtrilinos-kokkos-dev"
        self.answer(missing="libtrilinos-kokkos-dev\nchromium", not_to_be_had="libtrilinos-kokkos-dev",
                    results=results_of(ports=no_kokkos))
        for self.variables["CI"] in ("", "1"):  # what a mirror lacks does not break CI
            run = self.run_launcher("test")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("some tests are skipped: libtrilinos-kokkos-dev\n", run.stderr)
            self.assertIn("apt-get install libtrilinos-kokkos-dev", run.stdout)
            self.assertTrue((self.bin / "chromium").exists(), "one that cannot be had takes no other with it")
        self.assertNotIn("apt-get update", self.calls("apt-get"), "it is fast the second time")
        self.run_launcher("tune")
        self.assertEqual(self.calls("apt-get"), [])

    def test_a_tool_that_has_appeared_configures_again(self):
        self.answer(missing="chromium\nlibtrilinos-kokkos-dev")
        self.run_launcher("tune")
        self.run_launcher("test")
        calls = [line.split()[0] for line in (self.fakes / "calls").read_text().splitlines()]
        self.assertEqual(len([call for call in self.calls("cmake") if "--preset" in call]), 1)
        self.assertGreater(calls.index("cmake"), calls.index("apt-get"), "what is installed is there when it is looked for")
        for verb in ("tune", "test"):  # and both work again, in either order, without any set-up
            run = self.run_launcher(verb)
            self.assertEqual([call for call in self.calls("cmake") if "--preset" in call], [], verb)
            self.assertEqual(self.calls("apt-get"), [], verb)
        (self.bin / "chromium").unlink()
        self.run_launcher("tune")
        self.assertEqual(len([call for call in self.calls("cmake") if "--preset" in call]), 1)

    def test_a_program_from_elsewhere_needs_no_package(self):
        self.answer(missing="chromium\nnodejs\nnpm")
        self.write_fake("google-chrome", "")
        self.run_launcher("test")
        self.assertEqual(self.calls("apt-get"), [])

    def test_the_tests_end_with_what_was_skipped_and_why(self):
        gtest = "[ RUN      ] A.B\n/a/b_test.cpp:76: Skipped\nno GPU\n\n[  SKIPPED ] A.B (0 ms)"
        conform = "conform: no CUDA driver was found: install one\n--target host would do"
        self.answer(results=results_of(a=gtest, b=gtest, c="skipped: the moon is full", d=conform))
        run = self.run_launcher("test")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("Skipped: 4 tests.", run.stdout)
        self.assertIn("  2 x no GPU\n    a, b\n    on a machine with an NVIDIA GPU and its driver: ./warpwright test\n",
                      run.stdout)
        self.assertIn("  1 x the moon is full\n    c\n", run.stdout)
        self.assertIn("  1 x conform: no CUDA driver was found: install one\n    d\n    on a machine with", run.stdout)

    def test_the_tests_end_with_what_those_that_failed_printed(self):
        long = "\n".join(f"line {i}" for i in range(1000))
        failed = [f'<testcase name="test {i}" status="fail"><failure message=""/><system-out>{long}\nwhy {i}</system-out>'
                  "</testcase>" for i in range(12)]
        self.answer(ctest_exit="8", results=results_of(a="skipped: the moon is full").replace(
            "</testsuite>", "".join(failed) + "</testsuite>"))
        run = self.run_launcher("test")
        self.assertEqual(run.returncode, 8, run.stdout + run.stderr)
        self.assertIn("Skipped: 1 tests.", run.stdout)
        self.assertIn("Failed: 12 tests. The end of what they printed:\n  test 0\n    line 961\n", run.stdout)
        self.assertIn("    line 999\n    why 9\n  test 10\n  test 11\n", run.stdout)

    def test_in_ci_only_what_could_not_run_may_be_skipped(self):
        self.variables["CI"] = "1"
        for reason, gpu, code in (("no GPU", False, 0), ("no GPU", True, 1), ("no recorded spaces here", False, 0),
                                  ("chromium was not found", False, 1), ("the moon is full", False, 1)):
            self.answer(results=results_of(a=f"skipped: {reason}"))
            self.write_fake("nvidia-smi", "exit 0" if gpu else "exit 9")
            run = self.run_launcher("test")
            self.assertEqual(run.returncode, code, reason + run.stdout)
            self.assertEqual("UNEXPECTED" in run.stdout, code == 1, reason)
        self.answer(ctest_exit="8")
        self.assertEqual(self.run_launcher("test").returncode, 8)

    def test_baselines_are_built_for_the_architecture_that_is_named(self):
        run = self.run_launcher("baselines", "--arch", "sm_90")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(self.calls("cmake")[-1].endswith("--target baselines_sm_90"))
        self.assertIn("Kokkos: left out", run.stderr)

    def test_tune_builds_baselines_only_when_it_is_asked_to(self):
        self.run_launcher("tune", "--arch=sm_75", "--baselines")
        self.assertTrue(any("baselines_sm_75" in call for call in self.calls("cmake")))
        self.run_launcher("tune", "--arch", "sm_75")
        self.assertFalse(any("baselines_" in call for call in self.calls("cmake")))

    def test_baselines_without_an_architecture_say_what_to_do(self):
        for arguments in ((), ("--arch", "turing"), ("--arch",)):
            run = self.run_launcher("baselines", *arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertIn("--arch sm_90", run.stderr)
        (self.bin / "head").symlink_to(shutil.which("head"))
        run = self.run_launcher("baselines", "--arch", "native")
        self.assertEqual(run.returncode, 3)
        self.assertIn("nvidia-smi", run.stderr)

    def test_native_baselines_are_for_the_gpu_of_the_machine(self):
        for tool in ("head", "tr"):
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.write_fake("nvidia-smi", "echo 8.6")
        self.run_launcher("baselines", "--arch", "native")
        self.assertTrue(self.calls("cmake")[-1].endswith("--target baselines_sm_86"))

    def test_without_the_toolkit_it_says_what_to_do(self):
        self.variables = {"CUDA_HOME": "/nowhere"}
        run = self.run_launcher("tune")
        self.assertEqual(run.returncode, 3)
        self.assertIn("export CUDA_HOME=", run.stderr)
        self.assertEqual(self.calls("cmake"), [])

    def test_the_toolkit_is_found_beside_nvcc(self):
        (self.cuda / "bin/nvcc").write_text("#!/bin/bash\n")
        (self.cuda / "bin/nvcc").chmod(0o755)
        (self.bin / "nvcc").symlink_to(self.cuda / "bin/nvcc")
        self.variables = {}
        run = self.run_launcher("tune")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(f"-DCUDA_INCLUDE={self.cuda}/include", self.calls("cmake")[0])

    def test_a_wrong_cuda_home_is_mentioned(self):
        self.variables = {"CUDA_HOME": "/nowhere", "CUDA_PATH": str(self.cuda)}
        run = self.run_launcher("tune")
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"CUDA_HOME=/nowhere holds no CUDA toolkit; using {self.cuda}", run.stderr)

    def test_it_configures_once_and_says_nothing_the_second_time(self):
        self.run_launcher("tune")
        self.assertEqual(len(self.calls("cmake")), 2)
        run = self.run_launcher("tune")
        self.assertEqual(len(self.calls("cmake")), 1)
        self.assertEqual(run.stderr, "")

    def test_another_toolkit_or_newer_presets_configure_again(self):
        self.run_launcher("tune")
        other = self.cuda.with_name("other-cuda")
        shutil.copytree(self.cuda, other)
        self.variables = {"CUDA_HOME": str(other)}
        self.run_launcher("tune")
        self.assertEqual(len(self.calls("cmake")), 2)
        later = (self.root / "build/build.ninja").stat().st_mtime + 5
        os.utime(self.root / "CMakePresets.json", (later, later))
        self.run_launcher("tune")
        self.assertEqual(len(self.calls("cmake")), 2)

    def test_a_failing_build_shows_the_end_of_its_log(self):
        self.answer(broken="always")
        for verb, code in (("tune", 3), ("build", 3), ("test", 1)):
            run = self.run_launcher(verb)
            self.assertEqual(run.returncode, code, verb)
            self.assertIn("expected unqualified-id", run.stderr)
            self.assertIn(f"{self.root}/build/build.log", run.stderr)
        self.assertEqual(self.calls("ctest"), [])

    def test_a_new_warning_stops_the_tests_but_no_program(self):
        self.answer(broken="strict")
        run = self.run_launcher("tune")
        self.assertEqual(run.stdout, "tune <> <>\n")
        self.assertIn("[-Werror=new-warning]", run.stderr)
        self.run_launcher("tune")
        self.assertEqual(len(self.calls("cmake")), 1)
        self.assertEqual(self.run_launcher("test").returncode, 1)
        self.assertEqual(self.calls("ctest"), [])

    def test_the_tests_end_with_the_words_and_the_code_of_ctest(self):
        self.answer(ctest_exit="8")
        run = self.run_launcher("test", "-R", "reduce")
        self.assertEqual(run.returncode, 8)
        self.assertTrue(run.stdout.endswith("0 tests failed out of 7\n"))
        self.assertRegex(self.calls("ctest")[0], r"^ctest --preset ci --parallel \d+ --output-junit .* -R reduce$")

    def test_completion_is_that_of_the_programs_and_of_the_launcher(self):
        run = self.run_launcher("completion", "bash")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.splitlines(), [f"complete -F _{name}_complete {name}" for name in
                                                   ("tune", "conform", "tunedb", "report", "warpwright")])
        self.assertEqual(self.run_launcher("completion").returncode, 2)

    def test_a_fleet_has_what_it_runs_built_first(self):
        fleet = self.root / "tuner/fleet/fleet"
        fleet.parent.mkdir(parents=True)
        fleet.write_text('#!/bin/bash\necho "$WARPWRIGHT_BIN: $*"\nexit 1\n')
        fleet.chmod(0o755)
        run = self.run_launcher("fleet", "status")
        self.assertEqual((run.returncode, run.stdout), (1, f"{self.root}/build/bin: status\n"))
        self.assertEqual(self.calls("cmake") + self.calls("dpkg-query"), [], "looking needs nothing")
        run = self.run_launcher("fleet", "tune", "--arch", "sm_75", "--local", "2")
        self.assertEqual((run.returncode, run.stdout), (1, f"{self.root}/build/bin: tune --arch sm_75 --local 2\n"))
        self.assertTrue(self.calls("cmake")[-1].endswith("--target tune worker tunedb report"))
        self.run_launcher("fleet", "merge")
        self.assertEqual(self.calls("cmake"), [], "what is there is enough")
        self.assertEqual(self.run_launcher("--complete", "fleet", "st").stdout, f"{self.root}/build/bin: --complete st\n")

    def test_words_are_completed_by_the_launcher_and_then_by_the_program(self):
        self.assertEqual(self.run_launcher("--complete", "tun").stdout, "tune\ntunedb\n")
        self.assertIn("test\n", self.run_launcher("--complete").stdout)
        self.assertEqual(self.run_launcher("--complete", "tune", "--a").stdout, "")  # it is not built yet
        self.run_launcher("tune")
        self.assertEqual(self.run_launcher("--complete", "tune", "--a").stdout, "tune <--complete> <--a>\n")
        self.assertEqual(self.calls("cmake") + self.calls("dpkg-query"), [])

    def test_no_verb_and_an_unknown_verb_are_usage_errors(self):
        self.assertEqual(self.run_launcher().returncode, 2)
        self.assertEqual(self.run_launcher("tun").returncode, 2)
        self.assertEqual(self.run_launcher("help").returncode, 0)
        self.assertEqual(self.calls("dpkg-query") + self.calls("cmake"), [])


if __name__ == "__main__":
    unittest.main()
