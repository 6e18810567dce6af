# A Slurm cluster of this one machine: its daemons on the loopback interface, with fake GPUs, in a folder of their own.
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cmake/checks"))
from waiting import wait_for  # noqa: E402

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")

CONFIGURATION = """
ClusterName=warpwright
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=6
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
GresTypes=gpu
KillWait=5
ReturnToService=2
{nodes}
PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing_programs():
    """What of Slurm is not installed; the daemons lie where users do not look."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    return [name for name in PROGRAMS if shutil.which(name) is None]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """Nodes node1, node2, ..., each with this many fake GPUs; ended with the object."""

    def __init__(self, folder, nodes=2, gpus=2):
        self.folder = Path(folder)
        self.nodes = [f"node{i + 1}" for i in range(nodes)]
        self.daemons = []
        (self.folder / "state").mkdir(parents=True)
        self.folder.chmod(0o755)
        ports = free_ports(nodes + 1)
        lines = [f"NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs=8 Gres=gpu:{gpus} State=UNKNOWN"
                 for name, port in zip(self.nodes, ports[1:])]
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.folder, user=pwd.getpwuid(os.getuid()).pw_name, controller_port=ports[0], nodes="\n".join(lines)))
        files = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random")[:gpus]
        (self.folder / "gres.conf").write_text("".join(
            f"NodeName={name} Name=gpu File={file}\n" for name in self.nodes for file in files))
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def start(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.begin("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                   f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                   f"--seed-file={self.folder}/munge.seed")
        self.wait(lambda: (self.folder / "munge.socket").exists(), "munged")
        self.begin("slurmctld", "-D", "-c")
        for name in self.nodes:
            self.begin("slurmd", "-D", "-N", name)
        self.wait(lambda: self.run("sinfo", "-h", "-t", "idle", "-o", "%D", check=False).strip() == str(len(self.nodes)),
                  "the nodes")

    def begin(self, *command):
        with open(self.folder / f"{command[0]}.{len(self.daemons)}.out", "wb") as log:
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                                 stderr=subprocess.STDOUT, start_new_session=True))

    def wait(self, holds, what, seconds=60):
        if not wait_for(holds, seconds):
            logs = "".join(f"--- {log.name}\n{log.read_text(errors='replace')[-1500:]}"
                           for log in sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")]))
            raise RuntimeError(f"{what}: not there after {seconds} s\n{logs}")

    def run(self, *command, check=True):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60)
        if check and done.returncode != 0:
            raise RuntimeError(f"{command}: {done.returncode}: {done.stderr}")
        return done.stdout

    def queued(self):
        """Jobs and tasks that are waiting or running."""
        return self.run("squeue", "-h", "-r", "-o", "%i %T", check=False).split("\n")[:-1]

    def end(self):
        if len(self.daemons) > 1:
            self.run("scancel", "-s", "KILL", "-f", f"--user={pwd.getpwuid(os.getuid()).pw_name}", check=False)
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
