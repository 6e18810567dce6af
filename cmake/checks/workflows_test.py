# Tests of the workflows and their scripts: each script and option in them exists, inputs of callers are never executed,
# and kernels of another project are checked as such a workflow does. workflows_test.py [BIN]: with the programs in BIN.
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import editorconfig
import layout
from tree import run_tests

try:
    import yaml
except ImportError:
    yaml = None

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / ".ci/check_kernels"
BIN = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
SCRIPTS = sorted(path.name for path in (ROOT / ".ci").iterdir() if path.is_file() and os.access(path, os.X_OK))


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **more)


def workflow(name):
    text = yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text())
    return {"on" if key is True else key: value for key, value in text.items()}  # YAML 1.1 reads "on" as true


def steps_of(text):
    return [step for job in text["jobs"].values() for step in job["steps"]]


@unittest.skipUnless(yaml, "PyYAML was not found")
class WorkflowsTest(unittest.TestCase):
    NAMES = sorted(path.stem for path in (ROOT / ".github/workflows").glob("*.yml"))

    def test_they_start_when_they_should(self):
        self.assertEqual(self.NAMES, ["check-kernels", "ci", "nightly"])
        self.assertEqual(set(workflow("ci")["on"]), {"push", "pull_request"})
        self.assertEqual(set(workflow("check-kernels")["on"]), {"workflow_call"})

    def test_they_may_only_read(self):
        for name in self.NAMES:
            text = workflow(name)
            self.assertEqual(text["permissions"], {"contents": "read"}, name)
            for job in text["jobs"].values():
                self.assertNotIn("permissions", job)
                self.assertGreater(job["timeout-minutes"], 0)

    def test_actions_are_named_with_a_version(self):
        for name in self.NAMES:
            for step in steps_of(workflow(name)):
                self.assertTrue("uses" in step or "run" in step, step)
                self.assertRegex(step.get("uses", "actions/x@v1"), r"^actions/[\w-]+@v\d+$")

    def test_nothing_is_pasted_into_a_script(self):
        for name in self.NAMES:
            for step in steps_of(workflow(name)):
                self.assertNotIn("${{", step.get("run", ""), name)

    def test_every_script_and_option_exists(self):
        called = set()
        for name in self.NAMES:
            for step in steps_of(workflow(name)):
                for line in re.findall(r"[\w./-]*\.ci/[\w-]+[^|\n]*", step.get("run", "")):
                    words = shlex.split(line)
                    script = ROOT / words[0].removeprefix("../warpwright/")
                    self.assertTrue(os.access(script, os.X_OK), script)
                    called.add(script.name)
                    text = run(script, "--help").stdout
                    for option in (word for word in words[1:] if word.startswith("-")):
                        self.assertRegex(text, rf"(?m)^\s+{option}\b|\[{option}\b", f"{name}: {line}")
        self.assertEqual(called, {"quick", "lint", "docs", "package", "nightly", "check_kernels"})

    def test_every_input_of_the_reusable_one_reaches_the_script(self):
        text = workflow("check-kernels")
        step = next(step for step in steps_of(text) if step.get("name") == "check")
        words = shlex.split(step["run"])
        given = {words[i + 1]: word for i, word in enumerate(words) if word.startswith("--")}
        inputs = text["on"]["workflow_call"]["inputs"]
        for name in set(inputs) - {"warpwright", "ref"}:
            variable = next(key for key, value in step["env"].items() if value == "${{ inputs.%s }}" % name)
            self.assertEqual(given["$" + variable], f"--{name}")
        self.assertTrue(all(value["type"] == "string" and value["description"] for value in inputs.values()))
        kept = next(step for step in steps_of(text) if "upload-artifact" in step.get("uses", ""))
        self.assertEqual(kept["if"], "always()")
        self.assertIn(f"--out ../{kept['with']['path']}", step["run"])

    def test_files_that_they_write_are_ignored_by_git_and_by_lint(self):
        kept = [line.strip() for name in ("ci", "nightly") for step in steps_of(workflow(name))
                for line in step.get("with", {}).get("path", "").splitlines()]
        self.assertIn(".ccache", kept)
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder)
            shutil.copy(ROOT / ".gitignore", tree)
            for path in kept:
                (tree / path.replace("*", "x") / "below").mkdir(parents=True, exist_ok=True)
                (tree / path.replace("*", "x") / "below/file").write_text("written by a workflow")
            (tree / "page.md").touch()
            files = {name for name in editorconfig.taken(tree) if (tree / name).is_file()}
            self.assertEqual(files, {".gitignore", "page.md"})
            self.assertEqual(layout.folders(tree)[0], [])

    def test_every_script_says_how_it_is_used(self):
        self.assertLess({"run", "gpu_session", "abuse", "nightly"}, set(SCRIPTS))
        for name in SCRIPTS:
            done = run(ROOT / ".ci" / name, "--help")
            self.assertEqual(done.returncode, 0, name)
            self.assertIn(f"usage: .ci/{name}", done.stdout.lower())
            self.assertEqual(run(ROOT / ".ci" / name, "--no-such-option").returncode, 2, name)


class CheckKernelsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = Path(folder.name) / "project"
        (self.project / "jobs").mkdir(parents=True)
        self.cache = Path(folder.name) / "cache"
        self.fake = Path(folder.name) / "conform"
        self.fake.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit ${CODE:-0}\n')
        self.fake.chmod(0o755)

    def check(self, *arguments, conform=None, **variables):
        return run(CHECK, *arguments, "--conform", conform or self.fake, cwd=self.project, env={**os.environ, **variables})

    def test_arguments_reach_conform_and_its_exit_code_the_caller(self):
        for name in ("jobs/a.json", "jobs/b c.json", "jobs/deep/d.json", "other.json"):
            (self.project / name).parent.mkdir(exist_ok=True)
            (self.project / name).touch()
        reports = ["--sarif", "out/conform.sarif", "--junit", "out/conform.xml"]
        done = self.check("--out", "out", "--cases", "", "--as", "sm_75", "--fail-on", "not-modelled", CODE="1")
        self.assertEqual(done.stdout.splitlines()[:-1], ["jobs/a.json", "jobs/b c.json", *reports, "--as", "sm_75",
                                                         "--fail-on", "not-modelled"])
        self.assertEqual(done.returncode, 1)
        self.assertEqual((self.project / "out/conform.log").read_text().splitlines(), done.stdout.splitlines()[:-1])
        done = self.check("--jobs", "**/*.json", "--out", "out", "--cases", "7", "--minutes", "2", CODE="3")
        self.assertEqual(done.stdout.splitlines()[:-1], ["jobs/a.json", "jobs/b c.json", "jobs/deep/d.json", "other.json",
                                                         *reports, "--cases", "7", "--minutes", "2"])
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.check("other.json").returncode, 0)

    def test_a_check_of_nothing_is_an_error(self):
        done = self.check()
        self.assertEqual(done.returncode, 2)
        self.assertIn("no job file is named 'jobs/*.json'", done.stderr)
        self.assertEqual(run(CHECK, "--jobs").returncode, 2)

    def test_inputs_of_callers_are_never_executed(self):
        self.assertEqual(self.check("--jobs", "$(touch here); *.json").returncode, 2)
        self.assertFalse((self.project / "here").exists())

    @unittest.skipUnless(BIN and (BIN / "conform").exists(), "the programs are not built")
    def test_kernels_of_another_project_are_checked_and_a_wrong_one_is_found(self):
        for path in (ROOT / "kernels/job/examples").glob("softmax*"):
            shutil.copy(path, self.project / "jobs")
        variables = {"WARPWRIGHT_CACHE": str(self.cache), "WARPWRIGHT_DB": str(self.cache / "warpwright.db")}
        options = ("--cases", "4", "--out", "results")
        done = self.check(*options, conform=BIN / "conform", **variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.findings(), 0)

        # Plants a bug: the sum of a row is read before it is complete.
        source = self.project / "jobs/softmax.cu"
        text = source.read_text()
        self.assertIn("__syncthreads();", text)
        source.write_text(text.replace("__syncthreads();", ";"))
        done = self.check(*options, conform=BIN / "conform", **variables)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertGreater(self.findings(), 0)
        self.assertIn("softmax.cu:", done.stdout)

    def findings(self):
        """The number of results in the SARIF report. The JUnit report must agree on whether there are any."""
        results = [result for part in json.loads((self.project / "results/conform.sarif").read_text())["runs"]
                   for result in part["results"]]
        suite = ElementTree.parse(self.project / "results/conform.xml").getroot()
        self.assertEqual(bool(results), any(case.find("failure") is not None for case in suite.iter("testcase")))
        return len(results)


if __name__ == "__main__":
    run_tests()
