#!/usr/bin/env python3
"""Scenes are stopped with --until at several points and resumed with another number of threads, measured every 50 steps: series, chain
of hashes, state and figures have the bits of a run that was never stopped.

    until_anywhere.py                   some scenes, two points
    until_anywhere.py --full            every scene of the repository, five points
    until_anywhere.py hydrogel rowe     these"""
import pathlib
import shutil
import sys
import time

from counts import side_by_side
from suite import IS_FULL, Suite, difference, done, result_of, scratch, sets, talus
from program import SOURCE, TINY_BIAXIAL, TINY_GYRATORY
from wall_tests import SMALL as WALL_TESTS


def measured_here(size):
    """Settings without how often they measure."""
    return [word for pair in zip(size[::2], size[1::2]) if not pair[1].startswith("probes.every=") for word in pair]


CELL = sets(side="1 mm", porosity=0.40)
DISCS, SPHERES = sets(discs_per_cell=120), sets(discs_per_cell=110, cu=1.2)
CHAMBER_CELL = sets(height="90 mm")
CHAMBER = sets(height="90 mm", diameter="60 mm", analysis__boxes="[1, 1, 8]", analysis__rings="[3, 3]")
CHAMBER_SMALL = sets(height="90 mm", diameter="60 mm", cell_height="42 mm", cone_start="110 mm", stage__rest__max_time="0.001 s")
FLEXIBLE = sets(diameter="6 mm", height="8 mm", columns=6, rows=3)
SHEAR = sets(grains=60, width="6 m", zone="22 m", strain_max=0.002)
# Small enough for seconds, through all stages; --until where a scene cannot be made smaller.
SIZES = {
    "triaxial": sets(grains=100, strain_max=0.001), "lattice": [], "impact": [], "box": sets(grains=60), "three-laws": ["--until", 0.0003],
    "rowe": sets(strain_max=0.03), "polygons": sets(grains=30, stage__0__max_time="8 s"),
    "compounds": sets(grains=12, stage__0__max_time="8 s"),
    "hydrogel": sets(cycles=1, dropped=0, levels=1, plate_travel="10 mm", unbalanced=0.2),
    "hydrogel-1921": ["--until", 0.12],
    **{f"biaxial-{kind}": TINY_BIAXIAL + sets(tolerance=1e-3) for kind in ("dense", "loose", "small-dense", "small-loose", "shape")},
    **{f"biaxial-dem-{kind}": TINY_BIAXIAL for kind in ("dense", "loose", "small-dense", "small-loose")},
    "dam-break": ["--until", 0.02], "hydrostatic": ["--until", 0.05], "gyratory-small": TINY_GYRATORY,
    "gyratory": sets(aggregates=24, diameter="40 mm") + ["--until", 0.4],
    "pcrm-cell": CELL, **{f"pcrm-{kind}": CELL + sets(shear_to=0.001) for kind in ("s", "m", "l", "crs-s", "crs-m", "crs-s-dd", "crs-s-vini")},
    "pcrm-s-star": CELL + sets(shear_to=0.001, Z=0), "pcrm-mixed": CELL, "pcrm-column": [], "pcrm-column-cell": [], "centrifuge-cell": DISCS, "centrifuge-3d-cell": SPHERES,
    "centrifuge": DISCS + sets(depth="0.12 m", width="0.12 m") + ["--until", 0.002],
    "centrifuge-3d": SPHERES + sets(depth="0.1 m", width="0.09 m", analysis__boxes="[3, 3, 8]") + ["--until", 0.002],
    "chamber-cell-a": CHAMBER_CELL + sets(cell_height="50 mm"), "chamber-a": CHAMBER + sets(cell_height="50 mm") + ["--until", 0.002],
    "chamber-cell-b": CHAMBER_CELL + sets(cell_height="42 mm", diameter="60 mm"), "chamber-b": CHAMBER + sets(cell_height="42 mm") + ["--until", 0.002],
    "chamber-sedimentation": sets(cloud_height="70 mm", diameter="60 mm", cloud_porosity=0.8) + ["--until", 0.004], "centrifuge-pluviation": sets(cloud_height="0.05 m", width="0.06 m") + ["--until", 0.004],
    **{f"prepare-{kind}": sets(grains=80) for kind in ("isotropic", "thornton", "fixed-points")}, "prepare-layers": sets(grains=250, stage__layers__porosity="[0.62, 0.60, 0.58]"),
    "chamber-cone": CHAMBER_SMALL + ["--until", 0.004], "triaxial-flexible": FLEXIBLE + ["--until", 0.006],
    "chamber-cloud": sets(diameter="50 mm", cloud_height="150 mm") + ["--until", 0.01],
    "burgers-check": [], "burgers-chain": sets(grains=4, duration="0.1 s"), "coat-pair": [], "sieve": [], "triaxial-element": [], "shear-element": [],
    **{name: ["--until", 0.03] for name in ("bars", "jelly", "landslide", "pile", "rings", "slope", "spinning-cube")},
    **{name: ["--until", 0.004] for name in ("cantilever", "sand-column", "sand-column-2d", "water-on-plate")}, **{name: measured_here(size) for name, size in WALL_TESTS.items()},
    "biaxial-sample": SHEAR + sets(tolerance=1e-3), "biaxial-dem-sample": SHEAR,
}
SMALL = ["impact", "hydrogel", "polygons"]
OUTPUT = sets(probes__every=50, output__hash_every=100, output__vtk="false")


def sample(home):
    """Places of a sample for the scenes that begin with one."""
    file = home / "sample.csv"
    if not file.exists():
        done("run", "biaxial-small-dense", "--quiet", "--out", home / "sample", *sets(tolerance=1e-3),
             *(word.replace("strain_max=0.004", "strain_max=0.0001") for word in TINY_BIAXIAL))
        done("sample", home / "sample", "--out", file)
    return sets(sample=file)


def until_of(words):
    return words[words.index("--until") + 1] if "--until" in words else None


def stop_and_go_on(suite, home, scene, places, points, threads):
    size = SIZES[scene] + places
    end_words = ["--until", until_of(size)] if until_of(size) else []
    settings = [w for w in size if w not in end_words] + OUTPUT
    whole, part = home / f"{scene}-whole", home / f"{scene}-part"
    begin = time.monotonic()
    first = talus("run", scene, "--quiet", "--threads", threads[0], "--out", whole, *settings, *end_words)
    if first.returncode != 0:
        return suite.fail(scene, "does not run:", first.stderr[:400])
    reference = result_of(whole)
    end = reference["summary.json"][2]["time_s"]
    print(f"{scene}: {reference['summary.json'][2]['steps']} steps in {time.monotonic() - begin:.1f} s", flush=True)
    for k, point in enumerate(points if end > 0 else ()):  # a scene without steps cannot be stopped
        case = f"{scene} stopped at {point:.3f} of its time, resumed with {threads[(k + 1) % len(threads)]} threads"
        done("run", scene, "--quiet", "--threads", threads[k % len(threads)], "--out", part, *settings, "--until", point * end)
        result = talus("resume", part, "--quiet", "--threads", threads[(k + 1) % len(threads)], *end_words)
        if result.returncode != 0:
            suite.fail(case, f"resume exits {result.returncode}:", result.stderr[:300])
        else:
            spare = [name for name in {*result_of(part), *reference} if name.startswith("checkpoint-")]  # at other steps
            suite.equal(case, first_difference(part, whole) or difference(part, reference, but=spare))
        shutil.rmtree(part)
    return shutil.rmtree(whole)


def first_difference(part, whole):
    """Which columns of which row of the series differ, in words."""
    mine, other = ((run / "series.csv").read_text().splitlines() for run in (part, whole))
    for a, b in zip(mine, other):
        if a != b:
            names = mine[0].split(",")
            return "series at step " + a.split(",")[0] + ": " + ", ".join(
                f"{n} {x} instead of {y}" for n, x, y in zip(names, a.split(","), b.split(",")) if x != y)[:400]
    return "" if len(mine) == len(other) else f"the series has {len(mine)} rows instead of {len(other)}"


def main():
    named = [word for word in sys.argv[1:] if not word.startswith("--")]
    scenes = sorted(path.stem for path in (SOURCE / "scenes").glob("*.toml"))
    suite = Suite("until_anywhere")
    for scene in scenes:
        if scene not in SIZES:
            suite.fail(scene, "has no size here")
    with scratch() as name:
        home = pathlib.Path(name)
        chosen = named or ([s for s in scenes if s in SIZES] if IS_FULL else SMALL)
        points = (0.07, 0.21, 0.43, 0.68, 0.93) if IS_FULL or named else (0.37, 0.83)
        samples = {s: sample(home) for s in chosen if s.endswith("-sample")}
        side_by_side(lambda scene: stop_and_go_on(suite, home, scene, samples.get(scene, []), points, (1, 2, 3)), chosen, share=0.5)
    suite.finish()


if __name__ == "__main__":
    main()
