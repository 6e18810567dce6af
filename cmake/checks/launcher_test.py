# Tests the launcher with fakes of every tool it calls, on machines that lack packages, rights, CUDA or a working build.
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

LAUNCHER = Path(__file__).resolve().parents[2] / "warpwright"
REAL_TOOLS = ("bash", "sh", "env", "readlink", "dirname", "grep", "tail", "tee", "mkdir", "cat", "nproc", "touch", "chmod")

# Each fake notes its call in $FAKES/calls; what it answers lies in files of $FAKES.
FAKES = {
    "dpkg-query": 'for name; do grep -qsxF -- "$name" $FAKES/missing || echo "$name installed"; done',
    "apt-get": "touch $FAKES/apt_was_here; exit $(cat $FAKES/apt_exit)",
    "id": "cat $FAKES/uid",
    "sudo": '[ "$(cat $FAKES/sudo)" = allowed ] || exit 1; exec "$@"',
    "ctest": "echo '100% tests passed, 0 tests failed out of 7'; exit $(cat $FAKES/ctest_exit)",
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
        self.answer(missing="", apt_exit="0", uid="0", sudo="allowed", ctest_exit="0", broken="")
        self.variables = {"CUDA_HOME": str(self.cuda)}

    def write_fake(self, name, body):
        (self.bin / name).write_text(f'#!/bin/bash\necho "{name} $*" >>$FAKES/calls\n{body}\n')
        (self.bin / name).chmod(0o755)

    def answer(self, **answers):
        for name, text in answers.items():
            (self.fakes / name).write_text(text + "\n" if text else "")

    def run_launcher(self, *arguments):
        (self.fakes / "calls").write_text("")
        environment = {"PATH": str(self.bin), "FAKES": str(self.fakes), "ROOT": str(self.root), **self.variables}
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
        self.answer(missing="libtrilinos-kokkos-dev", apt_exit="100")
        run = self.run_launcher("test")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("some tests are skipped: libtrilinos-kokkos-dev", run.stderr)
        self.run_launcher("tune")
        self.assertEqual(self.calls("apt-get"), [])

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
        self.assertRegex(self.calls("ctest")[0], r"^ctest --preset ci --parallel \d+ -R reduce$")

    def test_completion_is_that_of_the_programs_and_of_the_launcher(self):
        run = self.run_launcher("completion", "bash")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.splitlines(), [f"complete -F _{name}_complete {name}" for name in
                                                   ("tune", "conform", "tunedb", "report", "warpwright")])
        self.assertEqual(self.run_launcher("completion").returncode, 2)

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
