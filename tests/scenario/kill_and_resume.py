#!/usr/bin/env python3
"""A run that is stopped at any moment, in any way, and resumed ends with the same bits as one that was never stopped:
state hash, hash chain, series, figures, pictures."""
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from program import OF_THE_MACHINE, TINY_BIAXIAL, TINY_GYRATORY, Faults, command, done, files_in, scratch, sets, state_hash, summary, talus

SEED = 20240229
SCENE = sys.argv[1] if len(sys.argv) > 1 else "triaxial"
# Checkpoints, rows and links of the chain fall on different steps.
SIZES = {"triaxial": sets(grains=150, strain_max=0.002), "rowe": sets(strain_max=0.08),
         "hydrogel": sets(cycles=1, dropped=0, levels=1, plate_travel="10 mm", unbalanced=0.1),
         "gyratory-small": TINY_GYRATORY, "gyratory-small-burgers": TINY_GYRATORY + sets(law="burgers"),
         "dam-break": sets(spacing="7.62 mm", time="0.5 s"), "rings": sets(spacing="4 mm"),
         "biaxial-small-dense": TINY_BIAXIAL + sets(tolerance=1e-3), "compounds": sets(grains=20, stage__0__max_time="40 s"),
         "polygons-dem": sets(method="dem", restitution=0.2, dynamics__restitution_error=0.3, grains=60)}
FILE = SCENE.removesuffix("-dem").removesuffix("-burgers")
# Pictures by the progress of the test, as every run has them; where nothing shears, also by steps.
PICTURES = {} if SCENE in ("triaxial", "rowe", "gyratory-small", "gyratory-small-burgers") else {"output__vtk": "true", "output__vtk_every": 1000}
SETTINGS = [*SIZES[SCENE], *sets(output__checkpoint_every=300, output__hash_every=100, probes__every=250, **PICTURES)]


def start(out, *words):
    words = words or ("run", FILE, "--out", out, *SETTINGS)
    return subprocess.Popen(command(*words, "--threads", 1), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def wait_until(process, is_true):
    """Looks until something is there; False when the process ended before."""
    while not is_true():
        if process.poll() is not None:
            return False
        time.sleep(0.001)
    return True


def stop(process, which):
    """Sends a signal; exit code and message."""
    process.send_signal(which)
    _, message = process.communicate(timeout=120)
    return process.returncode, message


def checkpoints(folder):
    return sorted(path.name for path in folder.glob("checkpoint-*.h5"))


class Comparison:
    def __init__(self, folder, faults):
        self.folder, self.faults = folder, faults
        self.reference = folder / "reference"
        begin = time.monotonic()
        done("run", FILE, "--quiet", "--threads", 1, "--out", self.reference, *SETTINGS)
        self.duration = time.monotonic() - begin

    def figures(self, run):
        return {name: figure for name, figure in summary(run)["figures"].items() if name not in OF_THE_MACHINE}

    def same(self, run, name):
        check, reference = self.faults.check, self.reference
        status = summary(run)["provenance"]["status"]
        if not check(status == "done", f"{name}: the run is {status}"):
            return
        check(state_hash(run) == state_hash(reference), f"{name}: state hash", state_hash(run), "instead of",
              state_hash(reference))
        for file in ("scene.toml", "hash_chain.csv", "series.csv"):
            mine, other = (run / file).read_text().splitlines(), (reference / file).read_text().splitlines()
            if mine == other:
                continue
            first = next((pair for pair in zip(mine, other) if pair[0] != pair[1]), (len(mine), len(other)))
            if file == "series.csv" and isinstance(first[0], str):
                columns = zip(mine[0].split(","), *(row.split(",") for row in first))
                first = [first[0].split(",")[0], *(c for c in columns if c[1] != c[2])]
            check(False, f"{name}: {file} differs, first at", first)
        check(self.figures(run) == self.figures(reference), f"{name}: other figures")
        check(files_in(run / "vtk") == files_in(reference / "vtk"), f"{name}: other pictures")
        check((run / "report.html").is_file(), f"{name}: there is no report")

    def resume(self, run, name):
        result = talus("resume", run, "--quiet", "--threads", 1)
        if self.faults.check(result.returncode == 0, f"{name}: resume exits {result.returncode}:", result.stderr):
            self.same(run, name)
        shutil.rmtree(run)


def kills(test, moments):
    """SIGKILL at random moments; some runs are killed again after they were resumed."""
    killed = 0
    for round_ in range(20):
        if killed >= 4:
            return
        run = test.folder / f"killed-{round_}"
        process = start(run)
        for again in range(2):
            moment = moments.uniform(0, 0.9) * test.duration
            try:
                process.communicate(timeout=moment)
                print(f"the run ended before {moment:.3f} s", flush=True)
                test.faults.check(process.returncode == 0, f"round {round_}: exit {process.returncode}")
                test.same(run, f"round {round_}")
                shutil.rmtree(run)
                break
            except subprocess.TimeoutExpired:
                stop(process, signal.SIGKILL)
            print(f"killed after {moment:.3f} s with {checkpoints(run)}", flush=True)
            if not (run / "scene.toml").exists():
                break  # killed before the run had begun
            killed += 1
            if again or moments.random() < 0.5:
                test.resume(run, f"killed, round {round_}")
                break
            process = start(run, "resume", run)
        if process.poll() is None:
            stop(process, signal.SIGKILL)
    test.faults.check(killed >= 3, "only", killed, "runs could be killed on their way")


def early_kill(test):
    run = test.folder / "killed-early"
    process = start(run)
    wait_until(process, (run / "series.csv").exists)
    stop(process, signal.SIGKILL)
    print("killed early with", checkpoints(run), flush=True)
    test.resume(run, "killed before the first checkpoint")


def signals(test):
    for which, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)):
        name = which.name
        run = test.folder / name
        process = start(run)
        # In the middle of the protocol, not at a checkpoint of its own.
        wait_until(process, lambda: len(checkpoints(run)) == 2)
        got, message = stop(process, which)
        print(f"{name}: exit {got}, {checkpoints(run)}", flush=True)
        test.faults.check(got == code, f"{name}: exit {got} instead of {code}: {message}")
        test.faults.check("talus resume" in message, f"{name}: the message does not say how to go on: {message}")
        test.faults.check(checkpoints(run), f"{name}: there is no checkpoint")
        kind = "particles" if (run / "vtk/particles.pvd").exists() else "grains"
        last = re.findall(rf'file="({kind}-[^"]*)"', (run / f"vtk/{kind}.pvd").read_text())[-1:]
        test.faults.check(last and (run / "vtk" / last[0]).exists() and (re.search(r"[0-9]{12}", last[0]).group() == checkpoints(run)[-1][11:23]),
                          f"{name}: no picture of where it was stopped: {last}, {checkpoints(run)}")
        test.faults.check(summary(run)["provenance"]["status"] == "interrupted", f"{name}: summary does not tell")
        test.resume(run, name)


def slow_steps(test):
    """A signal is heard between two steps. A hundred of this large pack, between two looks at stop rules, last far longer."""
    run = test.folder / "slow"
    rows = "-".join(str(20 - k % 2) for k in range(31))
    process = start(run, "run", "rowe", "--quiet", "--out", run, *sets(layout=rows))
    wait_until(process, lambda: (run / "series.csv").exists() and (run / "series.csv").read_text().count("\n") > 1)
    time.sleep(1)
    begin = time.monotonic()
    got, message = stop(process, signal.SIGTERM)
    took = time.monotonic() - begin
    print(f"slow steps: exit {got} {took:.2f} s after SIGTERM", flush=True)
    # A quarter of a second of steps, one more, checkpoint and summary make 2 s; as much again for a machine that does other things too.
    test.faults.check(got == 143 and took < 4, f"slow steps: exit {got} after {took:.1f} s: {message}")
    test.faults.check(checkpoints(run), "slow steps: there is no checkpoint")
    shutil.rmtree(run)


def two_at_once(test):
    """A run that is still going cannot be resumed, and does not suffer from the attempt."""
    run = test.folder / "twice"
    process = start(run)
    wait_until(process, lambda: checkpoints(run))
    process.send_signal(signal.SIGSTOP)
    result = talus("resume", run, "--quiet", "--threads", 1)
    process.send_signal(signal.SIGCONT)
    _, message = process.communicate(timeout=600)
    test.faults.check(result.returncode == 2 and "another process" in result.stderr, "a run that is going is resumed:", result.stderr)
    test.faults.check(process.returncode == 0, "the run that was to be resumed exits", process.returncode, message)
    test.same(run, "to be resumed while it runs")


def until(test):
    run = test.folder / "until"
    end = summary(test.reference)["provenance"]["time_s"]
    done("run", FILE, "--quiet", "--threads", 1, "--out", run, "--until", 0.613 * end, *SETTINGS)
    print("--until left", checkpoints(run), flush=True)
    test.faults.check(summary(run)["provenance"]["status"] != "done", "--until: the run claims to be done")
    test.resume(run, "--until")


def lost_series(test):
    """Figures that are read off the series are not made from what is left of it."""
    run = test.folder / "lost"
    end = summary(test.reference)["provenance"]["time_s"]
    done("run", FILE, "--quiet", "--threads", 1, "--out", run, "--until", 0.8 * end, *SETTINGS)
    (run / "series.csv").unlink()
    result = talus("resume", run, "--threads", 1)
    test.faults.check(result.returncode == 0 and "series.csv is gone" in result.stderr, "resume without a series:", result.returncode, result.stderr)
    whole, rest = (summary(f)["figures"] for f in (test.reference, run))
    lost = [name for name, f in rest.items() if "has lost its rows" in f.get("reason", "")]
    print("without the series:", *lost, flush=True)
    is_of_grains = "porosity_final" in whole
    test.faults.check(not is_of_grains or rest["porosity_final"]["value"] is not None, "figures of the end are gone too")
    test.faults.check(("max_overlap" if is_of_grains else "compression_max") in lost, "no figure says that the series was lost")
    for name, figure in rest.items():
        value = figure["value"]
        test.faults.check(value is None or value == whole[name]["value"] or name in OF_THE_MACHINE,
                          f"without the first rows {name} is {value} instead of {whole[name]['value']}")
    shutil.rmtree(run)


def finished(test):
    run = test.folder / "finished"
    shutil.copytree(test.reference, run)
    before = files_in(run)
    result = talus("resume", run, "--threads", 1)
    test.faults.check(result.returncode == 0, "resume of a finished run exits", result.returncode)
    test.faults.check("complete" in result.stderr, "resume of a finished run does not say so:", result.stderr)
    test.faults.check(files_in(run) == before, "resume of a finished run changes its files")
    # Killed between the last checkpoint and the summary.
    (run / "summary.json").unlink()
    (run / "report.html").unlink()
    test.resume(run, "killed before the summary")
    # Its last checkpoint is gone: the end is made again. All are gone: it is left as it is.
    shutil.copytree(test.reference, run)
    (run / checkpoints(run)[-1]).unlink()
    test.resume(run, "finished, without its last checkpoint")
    shutil.copytree(test.reference, run)
    for name in checkpoints(run):
        (run / name).unlink()
    before = files_in(run)
    result = talus("resume", run, "--threads", 1)
    test.faults.check(result.returncode == 2 and "checkpoints of this run are gone" in result.stderr, "without checkpoints:", result.returncode, result.stderr)
    test.faults.check(files_in(run) == before, "a run without checkpoints loses files")
    shutil.rmtree(run)


# Grains from a file in a folder beside the scene; a stage whose figures no later stage can tell.
OTHER_FILES = """\
[material.sand]
density = 2650
young = "20 MPa"
friction = 0.3

[grains.sand]
place = { kind = "file", file = "data/grains.csv" }

[cell]
size = ["2 mm", "2 mm", "2 mm"]

[dynamics]
local_damping = 0.5

[[stage]]
kind = "evaluate"

[[stage]]
kind = "deform"
rate = [-10, 0, 0, 0, -10, 0, 0, 0, -10]
steps = 400
"""


def other_files(test):
    """A run folder stands alone: what the scene referred to may be gone when the run is resumed."""
    home = test.folder / "home"
    (home / "data").mkdir(parents=True)
    (home / "scene.toml").write_text(OTHER_FILES)
    points = [(x, y, z) for x in (0.5, 1.5) for y in (0.5, 1.5) for z in (0.5, 1.5)]
    (home / "data/grains.csv").write_text("x [mm],y [mm],z [mm],diameter [mm]\n" +
                                          "".join(f"{x},{y},{z},1.001\n" for x, y, z in points))
    whole, part, again = (test.folder / name for name in ("whole", "part", "once-more"))
    done("run", home / "scene.toml", "--quiet", "--threads", 1, "--out", whole)
    half = summary(whole)["provenance"]["time_s"] / 2
    done("run", home / "scene.toml", "--quiet", "--threads", 1, "--out", part, "--until", half)
    shutil.rmtree(home)
    for name, arguments in {"resume": ["resume", part], "run": ["run", whole / "scene.toml", "--out", again]}.items():
        result = talus(*arguments, "--quiet", "--threads", 1)
        test.faults.check(result.returncode == 0, f"{name} without the files of the scene:", result.stderr)
    for run in (part, again):
        if (run / "summary.json").exists():
            test.faults.check(state_hash(run) == state_hash(whole), f"{run.name}: another hash")
            test.faults.check(test.figures(run) == test.figures(whole), f"{run.name}: other figures than at once")


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    print(SCENE, "seed", seed)
    faults = Faults()
    with scratch() as folder:
        test = Comparison(pathlib.Path(folder), faults)
        print(f"reference: {state_hash(test.reference)} in {test.duration:.2f} s", flush=True)
        finished(test)
        early_kill(test)
        signals(test)
        if SCENE == "rowe":
            slow_steps(test)
        two_at_once(test)
        until(test)
        lost_series(test)
        other_files(test)
        kills(test, random.Random(seed))
    faults.finish()


if __name__ == "__main__":
    main()
