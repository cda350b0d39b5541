"""A display to draw on: the X server that DISPLAY names if it answers, a virtual one of our own if not."""
import ctypes
import os
import subprocess
import sys


def open_display():
    """Call it before the first window: VTK aborts without an X server.

    The connection that shows the server to answer stays open as long as this program lives, and a server of our own ends
    with its last connection: nothing is left behind, whatever becomes of the program.
    """
    if connects():
        return
    os.environ["DISPLAY"] = f":{start_server()}"
    if not connects():
        sys.exit(f"Xvfb was started as display {os.environ['DISPLAY']} and does not answer")


def connects():
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    return x11.XOpenDisplay(None) is not None


def start_server():
    """Its number. The server chooses a free one itself: one chosen for it may be taken by the time it starts."""
    ours, its = os.pipe()
    try:
        subprocess.Popen(["Xvfb", "-displayfd", str(its), "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-terminate"],
                         pass_fds=[its], stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        sys.exit("no display and no Xvfb: apt-get install xvfb")
    os.close(its)
    with os.fdopen(ours) as answer:
        number = answer.readline().strip()
    if not number:
        sys.exit("no display, and Xvfb does not start: try it by hand")
    return number
