"""What the suites of faults around a run share: a run of a few milliseconds with everything in it, the library that lets system calls
go wrong, and the comparison of run folders. counts.py has the line at the end. Equal: every file of the folder is as in a run that
nothing happened to."""
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scenario"))
from program import OF_THE_MACHINE, TALUS, command, done, files_in, sets, talus  # noqa: E402, F401
from counts import FULL as IS_FULL, Counts, fault_of  # noqa: E402, F401

FAIL_AT = pathlib.Path(os.environ.get("TALUS_FAIL_AT", TALUS.parents[1] / "tests/fail_at.so")).resolve()

SCENE = """\
dimension = 2

[material.sand]
density = 2650
young = "20 MPa"
friction = 0.3

[contact]
law = "linear"
normal_stiffness = "1 MPa"

[grains.sand]
place = { kind = "file", file = "grains.csv" }

[cell]
size = ["2 mm", "2 mm"]

[dynamics]
local_damping = 0.5

[output]
checkpoint_every = 100
hash_every = 50
vtk_every = 100
film_frames = 4

[probes]
every = 20

[[stage]]
kind = "evaluate"

[[stage]]
kind = "deform"
rate = [-10, 0, 0, -10]
steps = 230

[[stage]]
kind = "deform"
rate = [10, 3, 0, -10]
steps = 230
"""


def scratch():
    """A temporary folder that goes away with the `with` block. In memory where that can be: a suite syncs thousands of times."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="talus-faults-", dir=memory)


def write_scene(folder):
    """Four grains from a file, three stages, 460 steps, some five checkpoints."""
    folder.mkdir(parents=True, exist_ok=True)
    points = [(x, y) for x in (0.5, 1.5) for y in (0.5, 1.5)]
    (folder / "grains.csv").write_text("x [mm],y [mm],diameter [mm]\n" + "".join(f"{x},{y},1.001\n" for x, y in points))
    (folder / "drop.toml").write_text(SCENE)
    return folder / "drop.toml"


def run_words(scene, out, *more):
    return ["run", scene, "--out", out, "--quiet", "--threads", 1, *more]


def with_faults(words, folder, **faults):
    """Runs the program with calls on this folder counted, and one of them going wrong."""
    environment = {f"FAIL_{name.upper()}": str(value) for name, value in faults.items()}
    return talus(*words, limit=60, env={**os.environ, "LD_PRELOAD": str(FAIL_AT), "FAIL_IN": str(folder), **environment})


def calls_of(words, folder, list_file):
    """The calls that the program makes on a folder, by name."""
    result = with_faults(words, folder, count=list_file)
    if result.returncode != 0 or not list_file.exists():
        sys.exit(f"cannot count the calls of {words}: exit {result.returncode}\n{result.stderr}")
    return list_file.read_text().split("\n")[:-1]


def every(count, cases):
    """Numbers from 1 to `count`, evenly spread when there are more than `cases`."""
    return list(range(1, count + 1)) if IS_FULL or count <= cases else sorted({1 + round(k * (count - 1) / (cases - 1)) for k in range(cases)})


def result_of(folder):
    """Everything in a run folder that may not depend on when, how often and by whom the run was stopped, by file."""
    out = {}
    for name, digest in files_in(folder).items():
        if name == "summary.json":
            summary = json.loads((folder / name).read_text())
            provenance = summary["provenance"]
            out[name] = [{k: v for k, v in summary["figures"].items() if k not in OF_THE_MACHINE}, summary.get("files"),
                         {k: provenance.get(k) for k in ("state_hash", "steps", "time_s", "status", "seed", "grains")}]
        elif name == "report.html" or re.fullmatch(r"checkpoint-\d+\.h5", name):
            out[name] = "there"  # they say when the run was made, by which command
        else:
            out[name] = digest
    return out


def difference(folder, reference, but=()):
    """The first file that differs from the result `reference`, in words; empty when there is none. `but`: names that do not count."""
    if not (folder / "summary.json").exists():
        return "there is no summary"
    mine, reference = result_of(folder), dict(reference)
    for result in (mine, reference):  # the summary has fingerprints of files
        figures, files, provenance = result["summary.json"]
        result["summary.json"] = [figures, {k: v for k, v in (files or {}).items() if k not in but}, provenance]
    for name in sorted(set(mine) | set(reference)):
        if name not in but and mine.get(name) != reference.get(name):
            return f"{name}: {str(mine.get(name))[:300]} instead of {str(reference.get(name))[:300]}"
    return ""


class Suite(Counts):
    def equal(self, case, why):
        """A case whose result must be equal: `why` is empty or says what differs."""
        self.add(case, why, "equal")

    def fail(self, case, *words):
        self.add(case, " ".join(str(word) for word in words), "")

    def refused(self, case, result, *words):
        """A refusal: exit 2, and a message that says one of the words."""
        is_clear = result.returncode == 2 and any(word in result.stderr for word in words)
        self.add(case, "" if is_clear else f"exit {result.returncode}: {result.stderr.strip()[:400]} | expected one of {words}", "refused")

    def ended(self, case, result):
        """Did the program end as it may, done, refused or stopped, and not without a word?"""
        why = fault_of(result, (0, 2, 3))
        if why:
            self.fail(case, why)
        return not why

    def resume(self, case, folder, reference, *more):
        """Goes on with what is left of a run: the same result, or no run had begun there."""
        result = talus("resume", folder, "--quiet", "--threads", 1, *more, limit=60)
        if not (folder / "scene.toml").exists():
            self.refused(case, result, "there is no such folder", "holds no scene.toml")
        elif result.returncode != 0:
            self.fail(case, f"resume exits {result.returncode}:", result.stderr.strip()[:400])
        else:
            self.equal(case, difference(folder, reference))
        shutil.rmtree(folder, ignore_errors=True)
