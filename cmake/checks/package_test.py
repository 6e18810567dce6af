# Tests the Debian packages: installs them by dpkg into a clean root, without the source tree, build folder and toolkit,
# and runs the programs. package_test.py BUILD_FOLDER [--development]: also the CMake package.
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tree import SKIPPED, run_tests

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ("tune", "conform", "tunedb", "report")
DEVELOPMENT = "--development" in sys.argv
BUILD = Path(next((word for word in sys.argv[1:] if not word.startswith("-")), "build")).resolve()
sys.argv[1:] = []

# Run in a mount namespace: installs $PACKAGES into $BASE/installed, mounts that over /usr, and runs $SCRIPT in a root
# that has only /etc, /proc and /dev of this machine besides. Then removes the packages.
ENTER = r"""
set -e
installed=$BASE/installed root=$BASE/root
mkdir -p $installed/var/lib/dpkg/{info,updates} $root/{usr,etc,proc,dev,tmp,home}
touch $installed/var/lib/dpkg/status
# The package's scripts only call ldconfig. There is no shell in the folder, and this machine's cache is left alone.
mkdir $BASE/called && printf '#!/bin/sh\n' >$BASE/called/ldconfig && chmod +x $BASE/called/ldconfig
export PATH=$BASE/called:$PATH
manage="dpkg --root=$installed --force-depends --force-not-root --force-script-chrootless --log=/dev/null"
$manage --install $PACKAGES >$BASE/dpkg.log 2>&1 || { cat $BASE/dpkg.log; exit 1; }
$manage --verify
mount -t overlay overlay -o lowerdir=$installed/usr:/usr $root/usr
mount -t tmpfs none $root/usr/local
for folder in bin sbin lib lib32 lib64 libx32; do
  [ ! -L /$folder ] || ln -s "$(readlink /$folder)" $root/$folder
  [ -L /$folder ] || [ ! -d /$folder ] || { mkdir $root/$folder && mount --bind /$folder $root/$folder; }
done
for folder in etc proc dev; do mount --rbind /$folder $root/$folder; done
cd /
chroot $root /usr/bin/env -i HOME=/home PATH=/usr/bin:/bin TMPDIR=/tmp /bin/bash -c "$SCRIPT"
umount $root/usr/local $root/usr
$manage --purge warpwright $REMOVE_FIRST >$BASE/dpkg.log 2>&1 || { cat $BASE/dpkg.log; exit 1; }
echo "left behind: $(find $installed/usr ! -type d 2>/dev/null | wc -l)"
"""


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **more)


def namespace():
    """The command that starts a namespace in which this user may mount; None if there is none."""
    for options in (["--mount", "--propagation", "private"], ["--user", "--map-root-user", "--mount"]):
        command = ["unshare", *options, "bash", "-c"]
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "low").mkdir()
            if run(*command, f"mount -t overlay o -o lowerdir={folder}/low:/usr {folder}/low").returncode == 0:
                return command
    return None


def why_not():
    """What this machine lacks; empty if nothing."""
    for tool in ("cpack", "dpkg", "dpkg-deb", "dpkg-shlibdeps", "unshare"):
        if not shutil.which(tool):
            return f"{tool} was not found"
    return "" if namespace() else "nobody may mount in a namespace of their own here"


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.base = Path(folder.name)
        components = "runtime;development" if DEVELOPMENT else "runtime"
        made = run("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", cls.base / "made",
                   "-D", f"CPACK_COMPONENTS_ALL={components}")
        assert made.returncode == 0, made.stdout + made.stderr
        cls.packages = {path.name.split("_")[0]: path for path in (cls.base / "made").glob("*.deb")}
        assert set(cls.packages) == {"warpwright", *(["warpwright-dev"] if DEVELOPMENT else [])}, cls.packages

    def field(self, name, package="warpwright"):
        return run("dpkg-deb", "--field", self.packages[package], name).stdout.strip()

    def inside(self, script):
        """The output of a script in the clean root with the packages installed. It must not fail or leave files
        behind."""
        base = self.base / re.sub(r"\W", "_", self.id())
        base.mkdir()
        done = run(*namespace(), ENTER, env={
            "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", "BASE": str(base), "SCRIPT": "set -e\n" + script,
            "PACKAGES": " ".join(map(str, self.packages.values())),
            "REMOVE_FIRST": "warpwright-dev" if DEVELOPMENT else ""})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith("left behind: 0\n"), done.stdout)
        return done.stdout

    def test_the_programs_run_where_there_is_neither_tree_nor_toolkit(self):
        said = self.inside(f"""
            [ ! -e {ROOT} ] && [ ! -e {BUILD} ] && [ ! -e /usr/local/cuda ] && [ -z "$(ls -A /home)" ] && echo clean
            tune --list | head -n 1
            cd /usr/share/warpwright/examples
            conform softmax.json --cases 2 --db /home/results.db
            tunedb check --db /home/results.db
            tunedb runs --db /home/results.db
            report --db /home/results.db --out /home/report
            mkdir /home/wrong && cp softmax* /home/wrong && cd /home/wrong
            sed -i "s/__syncthreads();//" softmax.cu
            code=0; conform softmax.json --cases 2 || code=$?; echo "exit code of a wrong kernel: $code"
            python3 -c 'import ctypes; print(ctypes.CDLL("libwarpwright_lookup.so.1").warpwright_lookup_version())'
            test -s /home/report/index.html && test -s /usr/share/warpwright/job.schema.json && echo report""")
        self.assertIn("clean\n", said)
        self.assertRegex(said, r"\d+ patterns, \d+ kernels, ")
        self.assertRegex(said, r"softmax .*passed")
        self.assertIn("/home/results.db: sound", said)
        self.assertTrue("\n1\nreport\n" in said, said)
        self.assertIn("exit code of a wrong kernel: 1\n", said)
        self.assertRegex(said, r"softmax\.cu:\d+")

    def test_man_pages_and_completion_are_where_they_are_looked_for(self):
        said = self.inside("""
            for program in tune conform tunedb report; do
              if command -v man >/dev/null; then man -w $program; else ls /usr/share/man/man1/$program.1*; fi
              if [ -f /usr/share/bash-completion/bash_completion ]; then
                source /usr/share/bash-completion/bash_completion
                _completion_loader $program || [ $? = 124 ]
              else
                source /usr/share/bash-completion/completions/$program
              fi
              complete -p $program
              if command -v zsh >/dev/null; then
                zsh -f -c "fpath=(/usr/share/zsh/vendor-completions \\$fpath); autoload -Uz compinit; compinit -D
                           echo zsh \\$_comps[$program]"
              fi
              test -s /usr/share/fish/vendor_completions.d/$program.fish
            done
            COMP_WORDS=(conform --targ) COMP_CWORD=1
            _conform_complete
            echo "offered: ${COMPREPLY[*]}" """)
        for program in PROGRAMS:
            self.assertRegex(said, rf"/usr/share/man/man1/{program}\.1")
            self.assertRegex(said, rf"complete .*-F _{program}_complete {program}\n")
        self.assertIn("offered: --target\n", said)
        self.assertEqual(re.findall(r"^zsh .*$", said, re.MULTILINE),
                         [f"zsh _{program}" for program in PROGRAMS] if shutil.which("zsh") else [])

    def test_it_depends_on_a_compiler_and_only_suggests_the_toolkit(self):
        depends = self.field("Depends")
        self.assertRegex(depends, r"(^|, )g\+\+ \(>= [\d:]+\)")
        self.assertRegex(depends, r"(^|, )libc6 \(>= ")
        self.assertNotRegex(depends + self.field("Recommends"), r"cuda|nvidia")
        self.assertIn("nvidia-cuda-toolkit", self.field("Suggests"))
        self.assertRegex(self.field("Description"), r"^\S.{10,79}\n")
        for group in depends.split(", "):  # what these programs were just built with must do
            self.assertTrue(any(self.is_here(*re.match(r"(\S+)(?: \((\S+) (\S+)\))?", word).groups())
                                for word in group.split(" | ")), group)

    def is_here(self, package, relation, version):
        here = run("dpkg-query", "--show", "--showformat", "${Version}", package)
        return here.returncode == 0 and here.stdout != "" and (
            relation is None or run("dpkg", "--compare-versions", here.stdout, relation, version).returncode == 0)

    def test_the_documentation_has_what_debian_and_readers_ask_for(self):
        names = {line.split()[5] for line in run("dpkg-deb", "--contents", self.packages["warpwright"]).stdout.splitlines()}
        docs = "./usr/share/doc/warpwright/"
        for name in ("copyright", "changelog.gz", "LICENSE", "README.md", "CHANGELOG.md", "docs/README.md"):
            self.assertIn(docs + name, names)
        self.assertIn("./usr/libexec/warpwright/worker", names)
        self.assertEqual([name for name in names if "testdata" in name or name.endswith((".a", ".py", "_test.cpp"))], [])

    if DEVELOPMENT:

        def test_cmake_finds_the_development_package(self):
            text = (ROOT / "tuner/testdata/CMakeLists.txt").read_text()
            said = self.inside(f"""
                mkdir /home/project && cd /home/project && mkdir -p kernels
                cat >CMakeLists.txt <<'END'\n{text}\nEND
                cmake -S . -B build -G Ninja && cmake --build build --target outside_conform
                build/outside/conform transpose/tiled --cases 2""")
            self.assertRegex(said, r"transpose/tiled .*passed")


if __name__ == "__main__":
    if reason := why_not():
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    run_tests()
