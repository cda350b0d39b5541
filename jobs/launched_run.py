"""Runs of sunder that the scripts beside this file start: how many ranks, and what is said where one fails."""
import argparse
import os
import shlex
import subprocess
import sys

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def above_zero(text):
    """Type of an argument: a whole number."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, got '{text}'")
    return int(text)


def numbers_of_ranks(text):
    """Type of an argument such as 1,2,4."""
    return [above_zero(word) for word in text.split(",")]


def launch(command, timeout=None):
    """Ends this program with status 2 and a message if the command cannot be started, fails or takes too long."""
    environment = AS_ROOT | os.environ
    try:
        done = subprocess.run(command, env=environment, timeout=timeout, text=True, errors="replace", capture_output=True,
                              check=False)
        said = f"exit status {done.returncode}\n{done.stderr}" if done.returncode != 0 else ""
    except OSError as error:
        said = f"cannot start {command[0]}: {error.strerror}"
    except subprocess.TimeoutExpired:
        said = f"not done after {timeout:g} s (--timeout)"
    if said:
        print(f"{shlex.join(command)}\n{said}", file=sys.stderr)
        sys.exit(2)
