# For tests: waits for a condition, not for a fixed time.
import time
from pathlib import Path

A_MINUTE = 60  # a limit, so that no test hangs
PAUSE = 0.01


def wait_for(holds, seconds=A_MINUTE):
    """Waits until the condition returns something, and returns that. None after the limit."""
    for _ in range(int(seconds / PAUSE)):
        if found := holds():
            return found
        time.sleep(PAUSE)
    return None


def is_alive(pid):
    """Whether a process is running. A zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
