"""Runs scenes of solver lattice, with meshes that are made once: for the tests in this folder."""
import json
import pathlib
import subprocess

from small_case import ENVIRONMENT, meshed

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PLANK, POT = SOURCE / "config/scenes/plank.yaml", SOURCE / "config/scenes/pot.yaml"


class Runner:
    """Runs a scene with settings of its own for all runs. size: of the elements of the mesh, coarser than the scene's."""

    def __init__(self, sunder, mpiexec, folder, body, size, settings):
        self.sunder, self.mpiexec = sunder, mpiexec
        self.mesh = {f"bodies.{body}.mesh": f"{{file: {meshed(sunder, folder, body, size)}}}"}
        self.settings = settings

    def __call__(self, scene, out, ranks, *more, expected=0, settings=None, own_mesh=False):
        """own_mesh: the mesh that the scene asks for. Returns the summary, or what was said where the run has to fail."""
        sets = {**({} if own_mesh else self.mesh), **self.settings, **(settings or {})}
        words = [word for key, value in sets.items() for word in ("--set", f"{key}={value}")]
        done = subprocess.run([self.mpiexec, "-n", str(ranks), "--oversubscribe", "--bind-to", "none", self.sunder, "run",
                               str(scene), "-o", str(out), "--quiet", *words, *more],
                              env=ENVIRONMENT, text=True, errors="replace", capture_output=True, check=False)
        assert done.returncode == expected, f"expected exit status {expected}, got {done.returncode}:\n{done.stderr}"
        return json.loads((out / "summary.json").read_text()) if expected == 0 else done.stderr
