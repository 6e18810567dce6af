# Tests warpwright_add_job: the example repository is configured with the package's files, and ctest checks its job and
# finds a bug that is planted in it. job_project_test.py BUILD_FOLDER
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1]).resolve()
sys.argv[1:] = []


def run(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=100)


class JobProjectTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base = Path(folder.name)
        # The package as it is installed, with the programs of the build.
        package = self.base / "prefix/lib/cmake/warpwright"
        package.mkdir(parents=True)
        for file in (BUILD / "warpwrightConfig.cmake", BUILD / "warpwrightConfigVersion.cmake",
                     ROOT / "cmake/warpwright_add_job.cmake"):
            shutil.copy(file, package)
        (self.base / "prefix/bin").mkdir()
        (self.base / "prefix/bin/conform").symlink_to(BUILD / "bin/conform")
        shutil.copytree(ROOT / "docs/examples/repository", self.base / "project")

    def configure(self, prefix="prefix"):
        return run("cmake", "-S", self.base / "project", "-B", self.base / "made",
                   f"-Dwarpwright_DIR={self.base / prefix / 'lib/cmake/warpwright'}")

    def test_a_job_is_a_test_that_finds_what_is_wrong(self):
        configured = self.configure()
        self.assertEqual(configured.returncode, 0, configured.stdout)
        right = run("ctest", "--test-dir", self.base / "made", "--output-on-failure")
        self.assertEqual(right.returncode, 0, right.stdout)
        self.assertIn("conform scale", right.stdout)
        source = self.base / "project/kernels/scale.cu"
        source.write_text(source.read_text().replace("if (i < n) y[i] = 2", "y[i] = 2"))
        wrong = run("ctest", "--test-dir", self.base / "made", "--output-on-failure")
        self.assertNotEqual(wrong.returncode, 0, wrong.stdout)
        self.assertRegex(wrong.stdout, r"scale\.cu:\d+:\d+: out of bounds")

    def test_the_conform_of_another_package_is_used_and_one_that_is_gone_is_named(self):
        self.assertEqual(self.configure().returncode, 0)
        (self.base / "prefix").rename(self.base / "other")
        other = self.configure("other")
        self.assertEqual(other.returncode, 0, other.stdout)
        listed = run("ctest", "--test-dir", self.base / "made", "-N", "-V")
        self.assertIn(str(self.base / "other/bin/conform"), listed.stdout)
        (self.base / "other/bin/conform").unlink()
        gone = self.configure("other")
        self.assertNotEqual(gone.returncode, 0)
        self.assertIn("other/bin/conform: install warpwright again", gone.stdout.replace("\n  ", " "))

    def test_a_job_that_does_not_exist_is_named(self):
        (self.base / "project/kernels/scale.json").unlink()
        configured = self.configure()
        self.assertNotEqual(configured.returncode, 0)
        self.assertIn("there is no file", configured.stdout)


if __name__ == "__main__":
    unittest.main()
