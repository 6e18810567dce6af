# Tests of the launcher with fakes of all tools, on machines that lack packages, rights, CUDA or a working build.
import os
import shutil
import unittest

from launcher_fakes import Machine, results_of


class LauncherTest(Machine):
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
                                  ("this GPU has no energy counter", True, 0), ("bulk copies need sm_90", True, 0),
                                  ("this GPU has no energy counter", False, 1), ("chromium was not found", False, 1),
                                  ("the moon is full", False, 1)):
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

    def test_lint_runs_beside_all_tests_and_what_it_found_counts(self):
        run = self.run_launcher("test")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(self.calls("lint")[0], rf"^lint {self.root}/build {self.root} --results ")
        self.assertTrue(self.calls("nice")[0].startswith("nice -n 19 python3 "), self.calls("nice"))
        self.assertIn("0 tests failed out of 7\nlint: 5 checks\n", run.stdout)
        self.assertTrue(run.stdout.endswith("\n1 test and 1 check of lint: 0 failed, 0 skipped\n"), run.stdout)
        failed = results_of().replace("</testsuite>", '<testcase name="tidy" status="fail"><failure message=""/><system-out>'
                                                      "a.cpp:1: shadowed</system-out></testcase></testsuite>")
        self.answer(lint_exit="1", lint_results=failed)
        run = self.run_launcher("test")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("  tidy\n    a.cpp:1: shadowed\n", run.stdout)
        self.assertIn("1 test and 2 checks of lint: 1 failed, 0 skipped\n", run.stdout)
        self.answer(ctest_exit="8")
        self.assertEqual(self.run_launcher("test").returncode, 8)

    def test_a_check_that_lint_skips_needs_a_reason_in_ci_too(self):
        self.answer(lint_results=results_of(a="skipped: the moon is full"))
        self.assertEqual(self.run_launcher("test").returncode, 0)
        self.variables["CI"] = "1"
        run = self.run_launcher("test")
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("UNEXPECTED", run.stdout)
        self.assertIn("1 test and 2 checks of lint: 0 failed, 1 skipped\n", run.stdout)

    def test_some_of_the_tests_run_without_lint(self):
        for arguments, preset in ((("--quick",), "quick"), (("--nightly", "-R", "a"), "nightly"), (("-R", "a"), "ci")):
            self.run_launcher("test", *arguments)
            self.assertIn(f"ctest --preset {preset} --parallel ", self.calls("ctest")[0])
            self.assertNotIn("--quick", self.calls("ctest")[0])
            self.assertEqual(self.calls("lint"), [], arguments)
            built = self.calls("cmake")[-1].split("--target ")[1].split()
            self.assertEqual(built, ["all", "nightly"] if preset == "nightly" else ["all"])

    def test_lint_alone_needs_nothing_compiled(self):
        self.answer(lint_exit="1")
        for arguments in ((), ("--slow",)):
            run = self.run_launcher("lint", *arguments)
            self.assertEqual((run.returncode, run.stdout), (1, "lint: 5 checks\n"), run.stderr)
            self.assertEqual(self.calls("lint"), [" ".join(("lint", f"{self.root}/build", str(self.root), *arguments))])
            self.assertNotIn("all", " ".join(self.calls("cmake")).split())
        self.assertEqual(self.run_launcher("lint", "--fast").returncode, 2)

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
        self.assertEqual(self.run_launcher("fleet", "tune", "-h").stdout, f"{self.root}/build/bin: --help\n")
        self.assertEqual(self.calls("cmake") + self.calls("dpkg-query"), [], "its help is that of the script")
        self.assertEqual(self.run_launcher("--complete", "fleet", "st").stdout, f"{self.root}/build/bin: --complete st\n")

    def test_words_are_completed_by_the_launcher_and_then_by_the_program(self):
        self.assertEqual(self.run_launcher("--complete", "tun").stdout, "tune\ntunedb\n")
        self.assertIn("test\n", self.run_launcher("--complete").stdout)
        self.assertEqual(self.run_launcher("--complete", "tune", "--a").stdout, "")  # not built yet
        self.run_launcher("tune")
        self.assertEqual(self.run_launcher("--complete", "tune", "--a").stdout, "tune <--complete> <--a>\n")
        self.assertEqual(self.calls("cmake") + self.calls("dpkg-query"), [])

    def test_help_is_given_before_any_set_up(self):
        self.answer(missing="libfmt-dev")
        self.variables = {}
        for verb in ("tune", "conform", "tunedb", "report"):
            run = self.run_launcher(verb, "--arch", "sm_75", "--help")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertTrue(run.stdout.startswith(f"  {verb} ARGUMENTS "), run.stdout)
            self.assertIn("docs/command_line.md", run.stdout)
        self.assertIn("  tune ARGUMENTS            Find the fastest correct configuration of CUDA kernels. --baselines\n"
                      "                            first runs ./warpwright baselines\n"
                      "Its own --help", self.run_launcher("tune", "-h").stdout)
        for verb, said in (("baselines", "WARPWRIGHT_KOKKOS"), ("test", "--nightly"), ("lint", "--slow"),
                           ("build", "set up"), ("completion", "zsh")):
            run = self.run_launcher(verb, "--help")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertTrue(run.stdout.startswith(f"  {verb} "), run.stdout)
            self.assertIn(said, run.stdout)
            self.assertNotIn("\n  help ", run.stdout)
            self.assertTrue(run.stdout.endswith("All commands: ./warpwright help\n"), run.stdout)
            self.assertEqual(self.calls("dpkg-query") + self.calls("apt-get") + self.calls("cmake"), [], verb)

    def test_help_is_that_of_a_program_that_is_built(self):
        self.run_launcher("tune")
        run = self.run_launcher("tune", "init", "--help")
        self.assertEqual((run.returncode, run.stdout), (1, "tune <init> <--help>\n"))  # the fake one ends with 1
        self.assertEqual(self.calls("cmake") + self.calls("dpkg-query"), [])

    def test_no_verb_and_an_unknown_verb_are_usage_errors(self):
        self.assertEqual(self.run_launcher().returncode, 2)
        self.assertEqual(self.run_launcher("tun").returncode, 2)
        self.assertEqual(self.run_launcher("help").returncode, 0)
        self.assertEqual(self.calls("dpkg-query") + self.calls("cmake"), [])


if __name__ == "__main__":
    unittest.main()
