# Tests of a fleet on a real Slurm of this machine: tasks killed, a node drained, a disk full, a task twice; nothing is
# lost or doubled.
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from slurm_cluster import Cluster, missing_programs

FLEET = Path(__file__).resolve().parent / "fleet"
TASK = FLEET.with_name("task")
SKIPPED = 77
SHARDS = 16
SPACE = ["--arch", "sm_75", "--predict", "--pattern", "transpose/copy", "--with", "op=copy", "--type", "float"]
BIN = Path()


def run(*command, env=None, seconds=120):
    done = subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True, timeout=seconds,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def asked(*question):
    code, text, said = run(BIN / "tunedb", *question, "--json")
    assert code == 0, said
    return json.loads(text)


def verdicts(database):
    """(kernel, params, verdict), in order, of all trials except those that checked the full property of a best
    configuration again."""
    return sorted((one["kernel"], one["params"], one["verdict"])
                  for one in asked("trials", "--limit", "0", "--db", database) if not one["full_property"])


def best(database):
    return [(one["winner"]["kernel"], one["winner"]["params"], one["winner"]["predicted_us"], sorted(one["tied"]))
            for one in asked("best", "--arch", "sm_75", "--db", database)]


class FleetOnSlurm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpwright_slurm_", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.base = Path(folder.name)
        self.fleet = self.base / "a fleet"
        self.cluster = Cluster(self.base / "slurm")
        self.cluster.environment.update(WARPWRIGHT_BIN=str(BIN), WARPWRIGHT_FLEET_POLL="0.2", TMPDIR=str(self.base),
                                        WARPWRIGHT_CACHE=str(BIN.parent / "test_cache"))

    def command(self, *more):
        return run(FLEET, "tune", *SPACE, "--shards", SHARDS, "--slurm", "--partition gpu --gres gpu:1 -J '* of all'", "--out", self.fleet,
                   *more, env=self.cluster.environment)

    def state(self, shard):
        file = self.fleet / f"shard-{shard}.state"
        return file.read_text().strip() if file.exists() else "waiting"

    def wait(self, holds, what):
        self.cluster.wait(holds, f"{what}: {[self.state(i + 1) for i in range(SHARDS)]}", 90)

    def is_over(self):
        return not self.cluster.queued()

    def test_nothing_is_lost_or_doubled(self):
        one = self.base / "one.db"
        code, _, said = run(BIN / "tune", *SPACE, "--no-report", "--db", one, env=self.cluster.environment)
        self.assertEqual(code, 0, said)
        expected = verdicts(one)
        self.assertGreater(len(expected), SHARDS)
        with self.cluster as slurm:
            code, _, said = self.command()
            self.assertEqual(code, 0, said)
            array, merging = (self.fleet / "jobs").read_text().split()
            self.assertEqual(set(slurm.run("squeue", "-h", "-o", "%j").splitlines()), {"* of all"})
            self.assertIn("gpu:1", slurm.run("scontrol", "show", "job", array))
            self.assertNotIn("gpu:1", slurm.run("scontrol", "show", "job", merging))
            # Killed before they began, while they run, and by the loss of a node.
            slurm.run("scancel", f"{array}_15", f"{array}_16")
            self.wait(lambda: any(self.state(i + 1).startswith("running") for i in range(SHARDS)), "no task began")
            running = [one.split()[0] for one in slurm.queued() if one.endswith("RUNNING")]
            for task in running[:1]:
                slurm.run("scancel", "--signal=KILL", "--full", task, check=False)
            slurm.run("scontrol", "update", "nodename=node2", "state=down", "reason=test")
            slurm.run("scontrol", "update", "nodename=node2", "state=resume", check=False)
            slurm.run("scontrol", "update", "nodename=node1", "state=drain", "reason=test")
            self.wait(self.is_over, "the jobs do not end")
            slurm.run("scontrol", "update", "nodename=node1", "state=resume", check=False)
            merged = (self.fleet / "logs/merge.out").read_text()
            self.assertRegex(merged, r"1\d of 16 shards are whole|[1-9] of 16 shards are whole")
            self.assertRegex(merged, r"Not done: .*1[56].* Just those: ./warpwright fleet tune .* --only ")
            self.assertEqual(slurm.run("squeue", "-h"), "")
            first = verdicts(self.fleet / "merged.db")
            self.assertLessEqual(set(first), set(expected))
            self.assertEqual(len(set(first)), len(first), "some twice")

            # Like a full disk: a task may write files of at most 64 KB, so its database does not fit.
            limited = f"ulimit -f 64; exec '{TASK}' '{self.fleet}' 15"
            code, _, said = run("bash", "-c", limited, env=slurm.environment)
            self.assertEqual(code, 3, said)
            self.assertIn("failed", self.state(15))
            self.assertFalse((self.fleet / "shard-15.db").exists())

            # The printed command runs just those, one of them twice at the same time.
            only = merged.split("--only ")[1].split()[0]
            code, shown, said = self.command("--only", only, "--follow")
            self.assertEqual(code, 0, shown + said)
            self.assertIn("16 of 16 shards are whole", shown)
            both = [subprocess.Popen([TASK, self.fleet, "16"], env=slurm.environment, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, text=True)
                    for _ in range(2)]
            said = [one.communicate(timeout=60)[1] for one in both]
            self.assertEqual([one.returncode for one in both], [0, 0], said)
        self.expect_as_one_process(one, expected)

        # A damaged shard is named, its trials are still in the earlier merged file, and the command makes it again.
        whole = (self.fleet / "shard-3.db").read_bytes()
        (self.fleet / "shard-3.db").write_bytes(whole[:len(whole) // 2])
        code, shown, said = run(FLEET, "merge", self.fleet, env=self.cluster.environment)
        self.assertEqual(code, 1, shown + said)
        self.assertRegex(shown, r"shard 3 damaged")
        self.assertIn("--only 3\n", shown)
        code, shown, said = run(TASK, self.fleet, "3", env=self.cluster.environment)
        self.assertEqual(code, 0, said)
        self.assertTrue((self.fleet / "shard-3.db.damaged").exists())

    def expect_as_one_process(self, one, expected):
        for _ in range(2):  # merging again changes nothing
            code, shown, said = run(FLEET, "merge", self.fleet, env=self.cluster.environment)
            self.assertEqual(code, 0, shown + said)
            self.assertEqual(verdicts(self.fleet / "merged.db"), expected)
            self.assertEqual(best(self.fleet / "merged.db"), best(one))
            self.assertEqual(run(BIN / "tunedb", "check", "--db", self.fleet / "merged.db")[0], 0)


if __name__ == "__main__":
    BIN = Path(sys.argv.pop(1)).resolve()
    if missing := missing_programs():
        print(f"skipped: Slurm is not installed: {missing[0]} was not found")
        sys.exit(SKIPPED)
    unittest.main()
