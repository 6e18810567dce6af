# For tests: waits for a condition, never for a length of time.
import time
from pathlib import Path

A_MINUTE = 60  # only so that a test that hangs ends
PAUSE = 0.01


def wait_for(holds, seconds=A_MINUTE):
    """Waits until it holds, and gives what it says then; None where it never does."""
    for _ in range(int(seconds / PAUSE)):
        if found := holds():
            return found
        time.sleep(PAUSE)
    return None


def is_alive(pid):
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
