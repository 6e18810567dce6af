# Tests of finding Kokkos, with local repositories in place of the project's; nothing leaves this machine.
import os
import re
import shutil
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / "cmake"
TAG = "9.8.7"

# A fake Kokkos: its CMake accepts the options of a build, and compiles nothing.
SOURCE = """cmake_minimum_required(VERSION 3.25)
set(Kokkos_VERSION_MAJOR 9)
set(Kokkos_VERSION_MINOR 8)
set(Kokkos_VERSION_PATCH 7)
project(Kokkos LANGUAGES NONE)
set(text "#define KOKKOS_VERSION 90807\\n")
foreach(name ENABLE_CUDA ENABLE_SERIAL ARCH_HOPPER90)
  if(Kokkos_${name})
    string(APPEND text "#define KOKKOS_${name}\\n")
  endif()
endforeach()
file(WRITE ${CMAKE_BINARY_DIR}/KokkosCore_config.h "${text}")
file(WRITE ${CMAKE_BINARY_DIR}/libkokkoscore.a "")
install(FILES ${CMAKE_BINARY_DIR}/KokkosCore_config.h DESTINATION include)
install(FILES ${CMAKE_BINARY_DIR}/libkokkoscore.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
"""
USER = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "%s")
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH ON)
include(warpwright_kokkos)
warpwright_provide_kokkos(KOKKOS sm_90)
message(NOTICE "found: ${KOKKOS_FOUND} ${KOKKOS_INCLUDE}")
""" % MODULES


class KokkosTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.repository = self.folder / "repository"
        self.repository.mkdir()
        (self.folder / "user").mkdir()
        (self.folder / "user/CMakeLists.txt").write_text(USER)

    def git(self, *arguments):
        identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "init.defaultBranch=main"]
        return subprocess.run(["git", *identity, "-C", self.repository, *arguments], check=True, capture_output=True,
                              text=True, env={"PATH": os.environ["PATH"], "HOME": str(self.folder)}).stdout.strip()

    def make_repository(self):
        """Commits a fake Kokkos with the tag, and a later commit. Returns both ids."""
        self.git("init", "--quiet")
        (self.repository / "CMakeLists.txt").write_text(SOURCE)
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "a release")
        self.git("tag", "-a", "-m", "the release", TAG)
        self.git("commit", "--quiet", "--allow-empty", "-m", "work after it")
        return self.git("rev-parse", TAG + "^{commit}"), self.git("rev-parse", "HEAD")

    def provide(self, repository, commit="0" * 40, build="build", tag=TAG, **more):
        """The output."""
        variables = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "WARPWRIGHT_KOKKOS_REPOSITORY": str(repository),
                     "WARPWRIGHT_KOKKOS_TAG": tag, "WARPWRIGHT_KOKKOS_COMMIT": commit, **more}
        run = subprocess.run(["cmake", "-S", self.folder / "user", "-B", self.folder / build, "-G", "Ninja",
                              "--log-level=NOTICE"], capture_output=True, text=True, timeout=60, env=variables)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stderr

    def timeout_of_a_moment(self):
        """A folder with a timeout that writes its limits to the file asked, and waits much shorter."""
        folder = self.folder / "programs"
        folder.mkdir()
        script = folder / "timeout"
        script.write_text(f'#!/bin/sh\necho "$1 $2" > {self.folder}/asked\nshift 2\n'
                          f'exec {shutil.which("timeout")} --kill-after=1 0.1 "$@"\n')
        script.chmod(0o755)
        return folder

    def kept(self):
        folder = self.folder / ".cache/warpwright/kokkos"
        return sorted(path.name for path in folder.iterdir() if path.is_dir())

    def test_the_tag_is_fetched_built_and_kept(self):
        released, later = self.make_repository()
        url = self.repository.as_uri()
        said = self.provide(url, released)
        self.assertRegex(said, r"found: TRUE .*/9\.8\.7-cuda-sm_90/include")
        self.assertIn(f"Kokkos: fetching {TAG} from {url}\n", said)
        self.assertIn("Kokkos: its project's repository: Kokkos 9.8.7 (CUDA, SERIAL) in ", said)
        self.assertEqual(self.kept(), ["9.8.7-cuda-sm_90", f"source-{released}"])
        source = self.folder / f".cache/warpwright/kokkos/source-{released}"
        history = subprocess.run(["git", "-C", source, "log", "--format=%H"], capture_output=True, text=True, check=True)
        self.assertEqual(history.stdout.split(), [released], "fetched without history, and not the later " + later)
        # The next build no longer needs the repository.
        said = self.provide("http://127.0.0.1:9/gone", released, build="again")
        self.assertIn("Kokkos: one kept from before: Kokkos 9.8.7", said)
        self.assertRegex(said, "found: TRUE")

    def test_a_tag_that_names_another_commit_is_refused(self):
        released, later = self.make_repository()
        said = self.provide(self.repository.as_uri(), later)
        self.assertIn(f"tag {TAG} of {self.repository.as_uri()} is commit {released}, not {later}, which is pinned", said)
        self.assertIn("Kokkos: left out; everything else goes on", said)
        self.assertRegex(said, "found: FALSE")
        self.assertEqual(self.kept(), [], "nothing of it is kept")

    def test_a_repository_without_the_tag_is_named(self):
        released, _ = self.make_repository()
        said = self.provide(self.repository.as_uri(), released, tag="9.9.9")
        self.assertIn(f"{self.repository.as_uri()} has no tag 9.9.9", said)
        self.assertRegex(said, "found: FALSE")

    def test_where_nothing_listens_it_goes_on_without(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # bound and not listening: a connection is refused
            url = f"http://127.0.0.1:{taken.getsockname()[1]}/kokkos.git"
            said = self.provide(url)
        self.assertIn(f"{url} does not answer: ", said)
        self.assertIn("Kokkos: left out; everything else goes on", said)

    def test_a_server_that_never_answers_is_left_within_ten_seconds(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/kokkos.git"
            said = self.provide(url, PATH=f"{self.timeout_of_a_moment()}:{os.environ['PATH']}")
        self.assertIn(f"{url} did not answer within 8 s", said)
        self.assertIn("Kokkos: left out; everything else goes on", said)
        self.assertEqual((self.folder / "asked").read_text(), "--kill-after=1 8\n")

    def test_the_address_stands_in_one_place_with_a_tag_and_a_commit(self):
        text = (MODULES / "warpwright_kokkos.cmake").read_text()
        addresses = re.findall(r"https?://\S+", text)
        self.assertEqual(len(addresses), 1, addresses)
        self.assertIn(f"set(_kokkos_default_WARPWRIGHT_KOKKOS_REPOSITORY {addresses[0]}", text)
        self.assertRegex(text, r"set\(_kokkos_default_WARPWRIGHT_KOKKOS_TAG \d+\.\d+\.\d+\)")
        self.assertRegex(text, r"set\(_kokkos_default_WARPWRIGHT_KOKKOS_COMMIT [0-9a-f]{40}\)")
        for name in ("baselines/CMakeLists.txt", "warpwright_baselines.cmake"):
            self.assertNotRegex((MODULES / name).read_text(), r"https?://")


if __name__ == "__main__":
    unittest.main()
