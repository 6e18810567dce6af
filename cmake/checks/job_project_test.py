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

    def configure(self):
        return run("cmake", "-S", self.base / "project", "-B", self.base / "made",
                   f"-DCMAKE_PREFIX_PATH={self.base / 'prefix'}")

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

    def test_a_job_that_does_not_exist_is_named(self):
        (self.base / "project/kernels/scale.json").unlink()
        configured = self.configure()
        self.assertNotEqual(configured.returncode, 0)
        self.assertIn("there is no file", configured.stdout)


if __name__ == "__main__":
    unittest.main()
