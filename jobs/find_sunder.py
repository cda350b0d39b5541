"""The program that the scripts beside this file belong to: installed with them, built beside them, or on the PATH."""
import pathlib
import shutil


def default_program():
    """Its path; that of the build if there is none at all, so that an error names it."""
    here = pathlib.Path(__file__).resolve().parent
    built = here.parent / "build/bin/sunder"
    for program in (here.parents[2] / "bin/sunder", built, shutil.which("sunder")):
        if program and pathlib.Path(program).is_file():
            return pathlib.Path(program)
    return built
