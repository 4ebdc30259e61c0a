"""The program under test, as the scenarios use it: run it, read what it wrote, count faults."""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

TALUS = pathlib.Path(os.environ.get("TALUS", "build/bin/talus")).resolve()
SOURCE = pathlib.Path(os.environ.get("TALUS_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
# Threads that wait must not spin: tests run side by side, some with more threads than there are cores.


def command(*arguments, program=TALUS):
    return [str(program), *(str(a) for a in arguments)]


def talus(*arguments, program=TALUS, folder=None, limit=600, **more):
    """Runs the program to its end; .returncode, .stdout, .stderr. A negative code is a signal, None: it took too long."""
    words = command(*arguments, program=program)
    try:
        return subprocess.run(words, cwd=folder, timeout=limit, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, capture_output=True, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, None, "", f"was still running after {limit} s")


def sets(**values):
    """Arguments --set name=value; an underscore pair stands for the dot of a path: dynamics__skin."""
    return [part for name, value in values.items() for part in ("--set", f"{name.replace('__', '.')}={value}")]


def done(*arguments, **more):
    """Runs the program and insists that it succeeds."""
    result = talus(*arguments, **more)
    if result.returncode != 0:
        sys.exit(f"talus {' '.join(map(str, arguments))}\nexit {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def time_of_step(folder, step, *arguments):
    """Simulated time of a step of a run, for --until: the run is watched through its series and stopped there."""
    process = subprocess.Popen(command("run", *arguments, "--quiet", "--out", folder, *sets(probes__every=100)),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    series = pathlib.Path(folder) / "series.csv"
    while True:
        is_over = process.poll() is not None
        rows = series.read_text().split("\n")[1:-1] if series.exists() else []  # without a line that is being written
        for row in rows:
            fields = row.split(",")
            if int(fields[0]) >= step:
                process.terminate()
                process.wait()
                return fields[1]
        if is_over:
            sys.exit(f"the run ended before step {step}")
        time.sleep(0.5)


def summary(folder):
    return json.loads((pathlib.Path(folder) / "summary.json").read_text())


def state_hash(folder):
    return summary(folder)["provenance"]["state_hash"]


def figures(folder):
    return {name: figure["value"] for name, figure in summary(folder)["figures"].items()}


def files_in(folder):
    """Every file below a folder with a digest of its bytes."""
    folder = pathlib.Path(folder)
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def scratch():
    """A temporary folder that goes away with the `with` block."""
    return tempfile.TemporaryDirectory(prefix="talus-scenario-")


class Faults:
    """Collects what is wrong, so that one run of a script tells everything."""

    def __init__(self):
        self.list = []

    def check(self, is_true, *words):
        if not is_true:
            self.list.append(" ".join(str(word) for word in words))
            print("FAULT", self.list[-1], flush=True)
        return bool(is_true)

    def near(self, name, value, expected, tolerance):
        """|value - expected| <= tolerance |expected|, or tolerance where 0 is expected."""
        off = None if value is None else abs(value - expected) / (abs(expected) or 1)
        print(f"{name}: {value}, expected {expected}, off by {'-' if off is None else f'{off:.1e}'}"
              f" (allowed {tolerance:.0e})", flush=True)
        return self.check(off is not None and off <= tolerance, name, "is", value, "instead of", expected)

    def finish(self):
        if self.list:
            sys.exit(f"{len(self.list)} faults:\n  " + "\n  ".join(self.list))
        print("no faults")


# A biaxial test of sixty grains, through all of its stages in seconds.
TINY_BIAXIAL = sets(
    grains=60, width="6 m", height="8 m", zone="22 m", strain_max=0.004,
    stage__drop__min_time="20 s", stage__drop__unbalanced=0.01,
    stage__lighten__ramp_time="5 s", stage__lighten__max_time="5 s",
    stage__confine__increments=2, stage__confine__unbalanced=0.01,
    stage__roughen__ramp_time="5 s", stage__roughen__max_time="10 s")

# A few aggregates that fall, are pressed and kneaded a little.
TINY_GYRATORY = sets(
    aggregates=24, diameter="40 mm", gravity="-98.1 m/s2", gyrations=0.05, stage__gyrate__tilt_time="0.2 s", stage__settle__max_time="3 s",
    stage__compress__max_time="1.5 s")

# Figures that tell of the machine.
OF_THE_MACHINE = ("particle_steps_per_s", "ms_per_step", "wall_s", "peak_rss_mb", "t_cell_s", "t_replicate_s", "t_gen_s")
