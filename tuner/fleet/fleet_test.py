# Tests of a fleet without Slurm: what it refuses and prints, what a task keeps when it is stopped, and the same steps
# on one machine.
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cmake/checks"))
from waiting import wait_for  # noqa: E402

FLEET = Path(__file__).resolve().parent / "fleet"
TASK = FLEET.with_name("task")
SPACE = ["--arch", "sm_75", "--predict", "--pattern", "transpose/copy", "--with", "op=copy", "--type", "float"]
BIN = Path()


def contents(database):
    """(kernel, params, verdict, full property) of all trials, in order."""
    done = subprocess.run([BIN / "tunedb", "trials", "--limit", "0", "--json", "--db", database], capture_output=True,
                          text=True, check=True)
    return sorted((one["kernel"], one["params"], one["verdict"], one["full_property"]) for one in json.loads(done.stdout))


class FleetTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpwright fleet ")  # with spaces
        self.addCleanup(folder.cleanup)
        self.base = Path(folder.name)
        self.out = self.base / "out"
        self.environment = {**os.environ, "WARPWRIGHT_BIN": str(BIN), "WARPWRIGHT_FLEET_POLL": "0.2",
                            "TMPDIR": str(self.base), "WARPWRIGHT_CACHE": str(BIN.parent / "test_cache")}

    def run_fleet(self, *words, **more):
        return subprocess.run([str(word) for word in (FLEET, *words)], env={**self.environment, **more},
                              capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, cwd=self.base)

    def expect_refusal(self, words, *said, code=2):
        run = self.run_fleet(*words)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        for one in said:
            self.assertIn(one, run.stderr)
        self.assertFalse(self.out.exists(), words)

    def test_impossible_requests_are_refused_before_anything_starts(self):
        out = ["--out", self.out]
        self.expect_refusal(["tune", *SPACE, *out], "--local 4")
        self.expect_refusal(["tune", *SPACE, *out, "--local", "2", "--slurm", "-p gpu"], "one of them")
        self.expect_refusal(["tune", *SPACE, *out, "--local", "2", "--db", "x"], "tunedb merge --db YOURS")
        self.expect_refusal(["tune", *SPACE, *out, "--local", "2", "--shard", "1/2"], "--shard is not for a fleet")
        for wrong in ("0", "ten", "-1", "99999"):
            self.expect_refusal(["tune", *SPACE, *out, "--local", "2", "--shards", wrong], "from 1 to 10000", wrong)
        for wrong in ("17", "0", "5-3", "a"):
            self.expect_refusal(["tune", *SPACE, *out, "--local", "2", "--only", wrong], "--only")
        self.expect_refusal(["tune", "--arch", "sm_42", *out, "--local", "2"], "sm_75")
        self.expect_refusal(["conform", "nothing/*", *out, "--local", "2"], "nothing/*")
        self.expect_refusal(["dance"], "tune, conform, status or merge")
        self.expect_refusal(["status", self.out], "no such folder")
        self.expect_refusal(["status", "--all"], "status has no option --all")
        self.expect_refusal(["status", "--csv", "--json"], "one of them")
        self.expect_refusal(["tune", *SPACE, "--local"], "--local takes a value")
        self.expect_refusal(["tune", *SPACE, "--slurm", "-p gpu", "--out", "a%b"], "a%b")
        (self.base / "plain").symlink_to("it's")
        self.expect_refusal(["tune", *SPACE, "--slurm", "-p gpu", "--out", "plain"], "it's")
        self.expect_refusal(["tune", *SPACE, *out, "--slurm", "--comment='a b"], "a quote has no end: 'a b")
        for wrong in ("--array=1-4", "-p gpu -a 2"):
            self.expect_refusal(["tune", *SPACE, *out, "--slurm", wrong], "--only 3,7-9")
        self.expect_refusal(["tune", "--arch", "native", *out, "--local", "2", "--devices", "all"], "CUDA_VISIBLE_DEVICES=0,2")
        self.base.joinpath("empty").mkdir()
        self.expect_refusal(["merge", "empty"], "it holds no plan")

    def test_without_slurm_it_says_so(self):
        tools = self.base / "tools"
        tools.mkdir()
        for tool in ("bash", "dirname", "readlink", "realpath", "mkdir", "mv", "cat", "seq", "env"):
            (tools / tool).symlink_to(shutil.which(tool))
        run = self.run_fleet("tune", *SPACE, "--slurm", "-p gpu", "--out", self.out, PATH=str(tools))
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn("--local 4", run.stderr)

    def test_the_job_array_is_plain_text(self):
        run = self.run_fleet("tune", *SPACE, "--slurm", "--partition=gpu --gres=gpu:1", "--shards", "3", "--only", "1,3",
                             "--out", self.out, "--dry-run")
        self.assertEqual(run.returncode, 0, run.stderr)
        counts = [int(line.split()[1]) for line in run.stdout.splitlines() if line[1:4] == "/3:"]
        self.assertEqual((len(counts), sum(counts)), (3, 55))
        for line in ("#SBATCH --array=1,3", "#SBATCH --partition=gpu --gres=gpu:1", "#SBATCH --signal=B:TERM@60",
                     "#SBATCH --requeue", f'#SBATCH --output="{self.out}/logs/shard-%a.out"'):
            self.assertIn(line + "\n", run.stdout)
        self.assertFalse(self.out.exists())

    def test_each_shard_is_one_line_however_much_tune_prints(self):
        run = self.run_fleet("tune", "--arch", "sm_75", "--predict", "--pattern", "matmul", "convolution", "--shards", "2",
                             "--local", "1", "--dry-run")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([line[:5] for line in run.stdout.splitlines()], ["1/2: ", "2/2: "])

    def fake(self, name, text):
        """Writes a fake program in a folder of its own; returns that folder."""
        folder = self.base / "fakes"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("#!/bin/bash\n" + text)
        (folder / name).chmod(0o755)
        return folder

    def fake_slurm(self, merging):
        """Fakes sbatch: jobs are numbered by their scripts, which are kept; the merging job runs `merging`."""
        self.fake("squeue", "")
        return {"PATH": f"{self.fake('sbatch', f'case $2 in --dep*) {merging} ;; esac; echo 7')}:{os.environ['PATH']}"}

    def test_options_reach_sbatch_unchanged_and_merging_requests_no_gpu(self):
        (self.base / "here").touch()  # a glob would find it
        given = "-p gpu --gres gpu:1 -G 2 --gpus-per-task=1 --comment='a  b' -C \"x|y*\" * --exclusive --mem 3G\n-t 5"
        run = self.run_fleet("tune", *SPACE, "--out", self.out, f"--slurm={given}", **self.fake_slurm(":"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("#SBATCH " + given.replace("\n", " ") + "\n", (self.out / "array.sbatch").read_text())
        self.assertIn("#SBATCH -p gpu --comment='a  b' -C \"x|y*\" * --mem 3G -t 5\n", (self.out / "merge.sbatch").read_text())
        run = self.run_fleet("tune", *SPACE, "--out", self.out, "--slurm=-G1", **self.fake_slurm(":"))
        self.assertIn("#SBATCH --ntasks=1\n", (self.out / "merge.sbatch").read_text())

    def test_following_ends_with_the_code_of_the_merging_job(self):
        command = ["tune", *SPACE, "--shards", "2", "--out", self.out]
        run = self.run_fleet(*command, "--local", "2")
        self.assertEqual(run.returncode, 0, run.stderr)
        (self.out / "logs/merge.out").write_text("2 of 2 shards are whole\n")  # of an earlier run
        again = [*command, "--slurm", "-p gpu", "--only", "2", "--follow"]
        run = self.run_fleet(*again, **self.fake_slurm(":"))
        self.assertEqual((run.returncode, run.stdout), (3, ""), run.stderr)
        self.assertIn("fleet merge", run.stderr)
        works = self.fake_slurm(f'bash "$3" >"{self.out}/logs/merge.out" 2>&1')
        run = self.run_fleet(*again, **works)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("2 of 2 shards are whole", run.stdout)
        run = self.run_fleet(*again, **works, TMPDIR=str(self.base / "missing"))
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("set TMPDIR", run.stdout)

    def assert_given(self, gpus, *words, **more):
        """Runs three tasks on a machine with two GPUs of sm_90 and one of sm_75; checks that each task got one of
        `gpus`, and that as many ran at the same time as there are GPUs."""
        shutil.rmtree(self.out, ignore_errors=True)
        fakes = self.fake("nvidia-smi", "printf 'GPU-a, 9.0\\nGPU-b, 7.5\\nGPU-c, 9.0\\n'")
        for name in ("tune", "conform"):
            self.fake(name, f'[[ $* == *--list* || $* == *--dry-run* ]] && exit 3; '
                            f'echo "${{CUDA_VISIBLE_DEVICES-any}}" >>"{self.base}/seen"'
                            f"; until (($(wc -l <'{self.base}/seen') >= {len(gpus)})); do sleep 0.02; done; exit 3")
        (self.base / "seen").unlink(missing_ok=True)
        self.run_fleet(*words, "--local", "3", "--shards", "3", "--out", self.out, WARPWRIGHT_BIN=str(fakes),
                       PATH=f"{fakes}:{os.environ['PATH']}", **more)
        self.assertEqual(sorted(set((self.base / "seen").read_text().split())), gpus)

    def test_on_one_machine_each_task_that_measures_has_a_gpu_of_its_own(self):
        self.environment.pop("CUDA_VISIBLE_DEVICES", None)
        self.assert_given(["GPU-a", "GPU-b", "GPU-c"], "tune", "--arch", "native")
        self.assert_given(["GPU-a", "GPU-c"], "tune", "--arch=sm_90")
        self.assert_given(["any"], "tune", "--arch", "sm_90", "--predict")
        for target in (["--target=native"], ["--target", "native"]):
            self.assert_given(["GPU-a", "GPU-b", "GPU-c"], "conform", *target)
        for target in (["--target=host"], ["--target", "host/sm_90"], []):
            self.assert_given(["any"], "conform", *target)
        self.assert_given(["3", "5", "GPU-x"], "tune", "--arch", "native", CUDA_VISIBLE_DEVICES="3,GPU-x,5")
        self.assert_given(["2"], "tune", "--arch", "native", CUDA_VISIBLE_DEVICES="2,-1,1")

    def shards_on(self, gpus, shards, task):
        """The state of each shard after `task` ran them on GPUs of these names, by number; and the output."""
        fakes = self.fake("nvidia-smi", "")
        self.fake("tune", "[[ $* == *--dry-run* ]] && exit 0\n" + task)
        run = self.run_fleet("tune", "--arch", "native", "--local", "4", "--shards", shards, "--out", self.out,
                             CUDA_VISIBLE_DEVICES=gpus, WARPWRIGHT_BIN=str(fakes))
        states = {int(path.name[6:-6]): path.read_text().split()[0] for path in self.out.glob("shard-*.state")}
        return states, run.stderr

    def test_a_gpu_that_fails_leaves_its_shards_to_the_others(self):
        for name in ("tunedb", "report", "worker"):
            self.fake(name, f'exec "{BIN / name}" "$@"')
        works = f"""
while (($# > 0)); do [[ $1 == --db ]] && db=$2; [[ $1 == --shard ]] && shard=$2; shift; done
echo "$CUDA_VISIBLE_DEVICES $shard" >>"{self.base}/seen"
[[ $CUDA_VISIBLE_DEVICES != GPU-wrong* ]] || exit 3
until grep -q wrong1 "{self.base}/seen" && grep -q wrong2 "{self.base}/seen"; do sleep 0.02; done
[[ $shard != 8/8 ]] || exit 3
exec "{BIN}/tune" {" ".join(SPACE)} --evaluations 1 --no-report --shard $shard --db "$db" """
        states, said = self.shards_on("GPU-wrong1,GPU-a,GPU-wrong2,GPU-b", "8", works)
        seen = [line.split() for line in (self.base / "seen").read_text().splitlines()]
        for wrong in ("GPU-wrong1", "GPU-wrong2"):
            self.assertEqual(sum(gpu == wrong for gpu, _ in seen), 1, seen)
            self.assertIn(f"GPU {wrong} gets no more shards", said)
        self.assertNotIn("GPU GPU-", said.replace("GPU GPU-wrong", ""))
        self.assertEqual(states, {i: "failed" if i == 8 else "done" for i in range(1, 9)}, said)

    def test_a_shard_that_crashes_has_failed(self):
        fakes = self.fake("tune", "[[ $* == *--dry-run* ]] || kill -SEGV $$")
        run = self.run_fleet("tune", *SPACE, "--local", "1", "--shards", "1", "--out", self.out, WARPWRIGHT_BIN=str(fakes))
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertRegex((self.out / "shard-1.state").read_text(), r"^failed .*tune crashed or was killed \(SIGSEGV\)")

    def test_a_stopped_task_keeps_its_trials_and_continues_from_there(self):
        more = ["--size", "1024x1024..8192x8192:x2", "--type", "double", "--seed", str(time.time_ns() % 1000)]
        run = self.run_fleet("tune", *SPACE, *more, "--local", "1", "--shards", "1", "--out", self.out, "--only", "1",
                             "--evaluations", "1")  # creates the folder
        self.assertEqual(run.returncode, 0, run.stderr)
        plan = (self.out / "plan").read_text()
        (self.out / "plan").write_text(plan.replace(" --evaluations 1", ""))
        command = [TASK, self.out, "1"]
        task = subprocess.Popen(command, env={**self.environment, "WARPWRIGHT_FLEET_SAVE": "1"}, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        before = contents(self.out / "shard-1.db")
        # Waits until it has saved its trials by itself.
        wait_for(lambda: len(contents(self.out / "shard-1.db")) > len(before) or task.poll() is not None)
        task.send_signal(signal.SIGTERM)
        task.wait(60)
        state = (self.out / "shard-1.state").read_text()
        kept = contents(self.out / "shard-1.db")
        self.assertTrue(task.returncode == 130 and state.startswith("stopped") or state.startswith("done"), state)
        self.assertGreater(len(kept), len(before))
        if state.startswith("stopped"):
            run = self.run_fleet("merge", self.out)
            self.assertEqual(run.returncode, 1)
            self.assertIn("shard 1 stopped", run.stdout)
        subprocess.run(command, env=self.environment, check=True, capture_output=True)
        after = contents(self.out / "shard-1.db")
        self.assertLessEqual(set(kept), set(after))
        configurations = [one for one in after if not one[3]]
        self.assertEqual(len(configurations), 2 * 4 * 55, "each once")
        self.assertEqual([path for path in self.base.iterdir() if path != self.out], [], "nothing stays on local disk")

    def test_on_one_machine_a_fleet_stores_the_same_as_one_process_and_continues(self):
        one = self.base / "one.db"
        subprocess.run([BIN / "tune", *SPACE, "--no-report", "--db", one], env=self.environment, check=True,
                       capture_output=True)
        command = ["tune", *SPACE, "--local", "2", "--shards", "3", "--out", "out"]
        run = self.run_fleet(*command, "--only", "1-2")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("Not done: 3. Just those: ./warpwright fleet " + " ".join(command) + " --only 3\n", run.stdout)
        self.assertIn("2 of 3 shards done, 1 waiting", self.run_fleet("status", "out").stdout)
        rows = json.loads(self.run_fleet("status", "out", "--json").stdout)
        self.assertEqual(sorted(row["state"] for row in rows), ["done", "done", "waiting"])
        self.assertEqual([row["shard"] for row in rows], [1, 2, 3])
        lines = self.run_fleet("status", "--csv", "out").stdout.splitlines()
        self.assertEqual([lines[0], len(lines)], ["shard,state,detail", 4])
        earlier = (self.out / "shard-1.db").stat().st_mtime_ns
        run = self.run_fleet(*command)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual((self.out / "shard-1.db").stat().st_mtime_ns, earlier, "what is done is not done again")
        self.assertEqual([row for row in contents(self.out / "merged.db") if not row[3]],
                         [row for row in contents(one) if not row[3]])
        run = self.run_fleet(*command, "--seed", "2")
        self.assertEqual(run.returncode, 2)
        self.assertIn("holds another fleet", run.stderr)

        # If nothing can be written, the earlier merged file stays.
        merged = (self.out / "merged.db").read_bytes()
        limited = f"ulimit -f 64; exec '{FLEET}' merge '{self.out}'"
        run = subprocess.run(["bash", "-c", limited], env=self.environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertEqual((self.out / "merged.db").read_bytes(), merged)
        self.assertEqual([path.name for path in self.out.iterdir() if path.name.startswith(".merged")], [])

    def test_conform_works_in_the_same_way(self):
        self.out = self.base / 'it\'s "out"'
        run = self.run_fleet("conform", "transpose/copy", "transpose/tiled", "--cases", "2", "--points", "1", "--local", "2",
                             "--shards", "3", "--out", self.out)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        shown = subprocess.run([BIN / "tunedb", "runs", "--json", "--db", self.out / "merged.db"], capture_output=True,
                               text=True, check=True).stdout
        kernels = [kernel for run in json.loads(shown) for kernel in json.dumps(run).split('"')
                   if kernel.startswith("transpose/") and " " not in kernel]
        self.assertEqual(sorted(set(kernels)), ["transpose/copy", "transpose/tiled"], shown)

    def test_ctrl_c_ends_it_and_finished_shards_are_merged(self):
        process = subprocess.Popen([FLEET, "tune", *SPACE, "--local", "1", "--shards", "6", "--out", self.out],
                                   env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: (self.out / "shard-1.db").exists() or process.poll() is not None)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, said)
        self.assertIn(" of 6 shards are whole", said[0])

    def test_words_are_completed(self):
        complete = lambda *words: self.run_fleet("--complete", *words).stdout.split()
        self.assertEqual(complete("t"), ["tune"])
        self.assertIn("--slurm", complete("tune", "--s"))
        self.assertIn("--size", complete("tune", "--s"))


if __name__ == "__main__":
    BIN = Path(sys.argv.pop(1)).resolve()
    unittest.main()
