"""A Slurm of one's own, on this machine alone: munged, slurmctld and slurmd in a folder, without systemd."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

CONF = """\
ClusterName=local
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={next_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/munge.socket,cred_expire=5
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=pmix
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
JobRequeue=1
ReturnToService=2
KillWait=5
MinJobAge=300
AccountingStorageType=accounting_storage/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=2000 State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """What of it this machine lacks; nothing if it can be started."""
    programs = [p for p in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(p, path=os.environ["PATH"] +
                                                                                             ":/usr/sbin")]
    return programs or ([] if os.geteuid() == 0 else ["the rights of root"])


class Slurm:
    """Ends with its scope, whatever happens in it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ("munge", "state", "spool", "log", "run"):
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        key = self.folder / "munge/munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        host = socket.gethostname().split(".")[0]
        port = self.free_port()
        conf = self.folder / "slurm.conf"
        conf.write_text(CONF.format(host=host, port=port, next_port=port + 1, folder=self.folder, cpus=os.cpu_count()))
        self.environment = os.environ | {"SLURM_CONF": str(conf), "PATH": os.environ["PATH"] + ":/usr/sbin",
                                         "PMIX_MCA_gds": "hash"}

    @staticmethod
    def free_port():
        for port in range(26817, 27817, 2):
            with socket.socket() as a, socket.socket() as b:
                if a.connect_ex(("127.0.0.1", port)) and b.connect_ex(("127.0.0.1", port + 1)):
                    return port
        raise RuntimeError("no free ports")

    def __enter__(self):
        munge = self.folder / "munge"
        self.call("munged", "--force", f"--key-file={munge}/munge.key", f"--socket={munge}/munge.socket",
                  f"--pid-file={munge}/munged.pid", f"--log-file={munge}/munged.log", f"--seed-file={munge}/munged.seed")
        self.call("slurmctld", "-c")
        self.call("slurmd")
        self.wait_for(lambda: "idle" in self.call("sinfo", "-h", "-o", "%T"), 30, "an idle node")
        return self

    def __exit__(self, *_):
        subprocess.run(["scancel", "--user=root", "--full"], env=self.environment, check=False)
        for pid in ("run/slurmd.pid", "run/slurmctld.pid", "munge/munged.pid"):
            try:
                number = int((self.folder / pid).read_text())
                os.kill(number, signal.SIGTERM)
                for _ in range(100):
                    os.kill(number, 0)
                    time.sleep(0.1)
            except (OSError, ValueError):
                pass

    def call(self, *command):
        done = subprocess.run(command, env=self.environment, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
        return done.stdout

    def state(self, job):
        """Of a job or of all tasks of an array."""
        lines = self.call("scontrol", "show", "job", "-o", str(job)).splitlines()
        fields = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]
        return fields

    def wait_for(self, condition, seconds, what):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(f"waited {seconds} s for {what}")
            time.sleep(0.3)
