"""Pictures as files."""
import argparse
import os
import sys

ENDINGS = (".png", ".pdf", ".svg")


def figure_path(text, endings=ENDINGS):
    """Type of an argument: where a picture can be written."""
    if not text.endswith(endings):
        raise argparse.ArgumentTypeError(f"expected a file that ends in {' or '.join(endings)}, got {text}")
    if not os.path.isdir(os.path.dirname(text) or "."):
        raise argparse.ArgumentTypeError(f"expected a folder that is there, got {os.path.dirname(text)}")
    return text


def save(figure, path, dpi):
    """A figure of matplotlib."""
    try:
        figure.savefig(path, dpi=dpi)
    except OSError as error:
        sys.exit(f"{path}: cannot write the picture: {error.strerror}")
