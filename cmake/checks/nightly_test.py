# Tests of the files for nightly runs: the commands in them can be parsed, their options exist, and the systemd units
# are valid. nightly_test.py [BIN]: with the programs in BIN, options are also looked up in their helps.
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tree import run_tests

ROOT = Path(__file__).resolve().parents[2]
NIGHTLY = ROOT / ".ci/nightly"
FILES = ROOT / ".ci/nightly.d"
WORKFLOW = ROOT / ".github/workflows/nightly.yml"
BIN = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, **more)


def calls_of_nightly(text):
    """The arguments of each call of .ci/nightly in a text, split like a shell does."""
    return [shlex.split(found.group(1).replace('"$MINUTES"', "60").replace('"$ASAN_MINUTES"', "90"))
            for found in re.finditer(r"\.ci/nightly((?: --?[\w-]+(?: [^\s>]+)?)+)", text)]


class NightlyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def commands(self, *arguments, has_gpu):
        """The output of a dry run, on a machine with or without a GPU."""
        (self.folder / "nvidia-smi").write_text(f"#!/bin/sh\nexit {0 if has_gpu else 1}\n")
        (self.folder / "nvidia-smi").chmod(0o755)
        path = f"{self.folder}:{os.environ['PATH']}"
        done = run(NIGHTLY, *arguments, "--dry-run", env={"PATH": path, "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return [shlex.split(line) for line in done.stdout.splitlines()]

    def test_the_host_always_and_a_gpu_where_there_is_one(self):
        cases = lambda lines: [line for line in lines if "--junit" in line and "--mutants" not in line]
        without = self.commands(has_gpu=False)
        self.assertEqual(len(cases(without)), 2)
        self.assertTrue(all("--nightly" in line for line in cases(without)))
        self.assertEqual([line[line.index("--as") + 1] for line in cases(without) if "--as" in line], ["sm_75"])
        share = shlex.split("./warpwright conform --nightly --mutants --mutants-tier nightly --nights")
        for nights, lines in (("7", without), ("1", self.commands("--nights", "1", has_gpu=False))):
            mutants = [line for line in lines if line[:len(share)] == share]
            self.assertEqual([line[len(share)] for line in mutants], [nights])
            self.assertIn("--junit", mutants[0])
        on_gpu = cases(self.commands("--minutes", "5", has_gpu=True))
        self.assertEqual(len(on_gpu), 3)
        self.assertEqual(on_gpu[2][on_gpu[2].index("--target") + 1], "native")
        self.assertEqual(len({line[line.index("--junit") + 1] for line in on_gpu}), 3)
        self.assertEqual(list(self.folder.iterdir()), [self.folder / "nvidia-smi"])

    @unittest.skipUnless(BIN and (BIN / "conform").exists(), "the programs are not built")
    def test_every_flag_exists(self):
        for line in self.commands(has_gpu=True):
            if line[:2] in (["./warpwright", "lint"], ["./warpwright", "test"]):  # the launcher's own
                continue
            words = line[1:] if line[0] == "./warpwright" else [Path(line[0]).name, *line[1:]]
            program = ROOT / line[0] if line[0].startswith(".ci/") else BIN / words[0]
            text = run(program, "--help").stdout
            for flag in (word for word in words if word.startswith("--")):
                self.assertRegex(text, rf"(?m)^\s+{flag}\b", words[0])

    def test_everything_together_keeps_to_the_minutes(self):
        # Time that a step does not use is left to later steps. Here the first step ends at once, and the others use
        # their shares.
        tree = self.folder / "tree"
        (tree / ".ci").mkdir(parents=True)
        shutil.copy(NIGHTLY, tree / ".ci/nightly")
        (tree / "warpwright").write_text(
            '#!/bin/bash\nset -- "$@" end\nwhile (($# > 1)); do\n  if [ "$1" = --minutes ]; then\n'
            '    echo "$2" >>calls\n    if [ "$(wc -l <calls)" != 1 ]; then\n'
            '      python3 -c "print($(<clock) + round($2 * 60))" >clock.new\n      mv clock.new clock\n    fi\n  fi\n  shift\n'
            'done\n')
        (tree / "warpwright").chmod(0o755)
        (tree / "clock").write_text("0\n")
        text = NIGHTLY.read_text().replace("minutes * 60 - SECONDS", "minutes * 60 - $(<clock)")  # the test's clock
        self.assertNotEqual(text, NIGHTLY.read_text())
        (tree / ".ci/nightly").write_text(text)
        run(tree / ".ci/nightly", "--minutes", "60", "--asan-minutes", "0", "--out", self.folder / "out")
        shares = [float(line) for line in (tree / "calls").read_text().split()]
        self.assertEqual(shares, [20, 30, 30], "cases, cases as the oldest architecture, mutants")
        self.assertEqual((tree / "clock").read_text(), "3600\n")

    def test_an_interrupted_step_ends_the_night(self):
        tree = self.folder / "tree"
        (tree / ".ci").mkdir(parents=True)
        shutil.copy(NIGHTLY, tree / ".ci/nightly")
        (tree / "warpwright").write_text('#!/bin/sh\necho "$@" >>calls\ncase "$*" in build|lint*|test*) ;; *) exit 130 ;; esac\n')
        (tree / "warpwright").chmod(0o755)
        self.assertEqual(run(tree / ".ci/nightly", "--asan-minutes", "0", "--out", self.folder / "out").returncode, 130)
        self.assertEqual((tree / "calls").read_text().count("--minutes"), 1)

    def test_the_sanitizers_have_minutes_of_their_own_and_can_be_left_out(self):
        asan = lambda *arguments: [line for line in self.commands(*arguments, has_gpu=False) if line[0] == ".ci/asan"]
        self.assertEqual([line[1:3] for line in asan()], [["--minutes", "90"]])
        self.assertEqual([line[1:3] for line in asan("--minutes", "5", "--asan-minutes", "7")], [["--minutes", "7"]])
        self.assertEqual(asan("--asan-minutes", "0"), [])
        tree = self.folder / "tree"
        (tree / ".ci").mkdir(parents=True)
        shutil.copy(NIGHTLY, tree / ".ci/nightly")
        for codes, expected in ((("0", "1"), 1), (("4", "0"), 4), (("1", "4"), 1), (("0", "0"), 0)):
            for name, code in zip(("warpwright", ".ci/asan"), codes):
                (tree / name).write_text(f'#!/bin/sh\ncase "$*" in build|lint*) ;; *) exit {code} ;; esac\n')
                (tree / name).chmod(0o755)
            self.assertEqual(run(tree / ".ci/nightly", "--out", self.folder / "out").returncode, expected, codes)

    def test_the_tests_under_sanitizers_end_with_the_code_of_what_happened(self):
        # Fakes of cmake --build and ctest. "wait" takes longer than a minute, which is one second here.
        tree = self.folder / "tree"
        (tree / ".ci").mkdir(parents=True)
        (tree / ".ci/asan").write_text((ROOT / ".ci/asan").read_text().replace("minutes * 60", "minutes * 1"))
        (tree / ".ci/asan").chmod(0o755)
        failed = "echo '1/2 Test #1: a ...***Failed 0.1 sec'"
        for build, test, expected in (("true", "true", 0), ("exit 1", "true", 3), ("true", f"{failed}; exit 8", 1),
                                      ("true", "exec sleep 60", 4), ("true", f"{failed}; exec sleep 60", 1),
                                      ("exec sleep 60", "true", 4), ("true", "exit 8", 1)):
            for name, text in (("cmake", f'case "$1" in --build) {build} ;; esac'), ("ctest", test)):
                (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
                (self.folder / name).chmod(0o755)
            done = run(tree / ".ci/asan", "--minutes", "1", "--out", self.folder / "out",
                       env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
            self.assertEqual(done.returncode, expected, (build, test, done.stdout, done.stderr))
        self.assertEqual(run(ROOT / ".ci/asan", "--minutes", "0").returncode, 2)

    def test_wrong_usage_is_exit_code_two(self):
        for arguments in (["--minutes"], ["--minutes", "soon"], ["--nights", "0"], ["--asan-minutes", "-1"], ["--colour"]):
            self.assertEqual(run(NIGHTLY, *arguments).returncode, 2, arguments)

    def test_the_worst_exit_code_is_kept(self):
        tree = self.folder / "tree"
        (tree / ".ci").mkdir(parents=True)
        shutil.copy(NIGHTLY, tree / ".ci/nightly")
        (tree / "warpwright").write_text('#!/bin/sh\necho "$@" >>calls\ncase "$*" in build|lint*|test*) ;; *) exit 1 ;; esac\n')
        (tree / "warpwright").chmod(0o755)
        done = run(tree / ".ci/nightly", "--asan-minutes", "0", "--out", self.folder / "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex((tree / "calls").read_text(), r"^build\nlint --slow\ntest --nightly\nconform --nightly --junit .* --minutes (20.00|19.\d\d)\n")
        self.assertTrue((self.folder / "out").is_dir())

    def test_the_end_of_the_minutes_is_no_failure_and_hides_none(self):
        tree = self.folder / "tree"
        (tree / ".ci").mkdir(parents=True)
        shutil.copy(NIGHTLY, tree / ".ci/nightly")
        program = tree / "warpwright"
        for codes, expected in (("0 4 0", 4), ("4 1 4", 1), ("1 4 4", 1), ("4 4 3", 3), ("3 1 4", 3), ("0 0 0", 0)):
            (tree / "codes").write_text(codes)
            program.write_text('#!/bin/bash\ncase "$*" in build|lint*|test*) exit 0 ;; esac\nread -ra codes <codes\n'
                               'echo "${codes[@]:1}" >codes\nexit "${codes[0]}"\n')
            program.chmod(0o755)
            done = run(tree / ".ci/nightly", "--asan-minutes", "0", "--out", self.folder / "out")
            self.assertEqual(done.returncode, expected, codes)

    def test_unit_cron_and_workflow_call_it_with_flags_that_it_takes(self):
        for file in (FILES / "warpwright-nightly.service", FILES / "crontab", WORKFLOW):
            calls = calls_of_nightly(file.read_text())
            self.assertTrue(calls, file)
            for arguments in calls:
                self.assertTrue(self.commands(*arguments, has_gpu=False), file)

    def test_the_cron_line_has_five_fields_of_time(self):
        lines = [line for line in (FILES / "crontab").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"^\d+ \d+ \* \* \* \$HOME/warpwright/\.ci/nightly ")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze was not found")
    def test_the_units_are_sound(self):
        (self.folder / "warpwright").symlink_to(ROOT)
        done = run("systemd-analyze", "--user", "verify", *FILES.glob("warpwright-nightly.*"),
                   env={**os.environ, "HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder)})
        complaints = [line for line in done.stderr.splitlines() if "warpwright-nightly" in line]
        self.assertEqual((done.returncode, complaints), (0, []), done.stderr)

    def test_the_workflow_is_yaml_and_runs_by_schedule_and_by_hand(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("PyYAML was not found")
        workflow = yaml.safe_load(WORKFLOW.read_text())
        triggers = workflow[True]  # YAML 1.1 reads "on" as true
        self.assertEqual(set(triggers), {"schedule", "workflow_dispatch"})
        self.assertEqual(set(workflow["jobs"]), {"host", "gpu"})
        for job in workflow["jobs"].values():
            self.assertTrue(any(".ci/nightly" in step.get("run", "") for step in job["steps"]))
            self.assertRegex(job["env"]["ASAN_MINUTES"], r"^\d+$|inputs\.asan_minutes")


if __name__ == "__main__":
    run_tests()
