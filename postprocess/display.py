"""A display to draw on: the X server that DISPLAY names if it answers, a virtual one of our own if not."""
import ctypes
import os
import subprocess
import sys
import tempfile
import time


def open_display():
    """Call it before the first window: VTK aborts without an X server.

    The connection that shows the server to answer stays open as long as this program lives, and a server of our own ends
    with its last connection: nothing is left behind, whatever becomes of the program.
    """
    if connects():
        return
    # A number chosen here: servers that choose one themselves (-displayfd) take no lock, and one that ends removes the
    # socket of another that has just begun with the same number.
    first = 100 + os.getpid() % 50000
    for number in range(first, first + 5):
        os.environ["DISPLAY"] = f":{number}"
        if why_not := start_server(number):
            continue
        return
    sys.exit(f"no display, and Xvfb :{number} does not start: {why_not}")


def connects():
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    return x11.XOpenDisplay(None) is not None


def start_server(number, seconds=60):
    """Returns why it does not answer, an empty text if it does."""
    with tempfile.TemporaryFile() as messages:
        try:
            server = subprocess.Popen(["Xvfb", f":{number}", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-terminate"],
                                      stdout=subprocess.DEVNULL, stderr=messages)
        except FileNotFoundError:
            sys.exit("no display and no Xvfb: apt-get install xvfb")
        end = time.monotonic() + seconds
        while server.poll() is None and time.monotonic() < end:
            if connects():
                return ""
            time.sleep(0.05)
        server.kill()
        messages.seek(0)
        return messages.read().decode(errors="replace").strip() or f"no answer within {seconds} s"
