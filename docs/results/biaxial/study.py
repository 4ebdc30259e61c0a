#!/usr/bin/env python3
"""Runs the studies of the biaxial test on small samples (about 800 grains) and writes results.csv.

    docs/results/biaxial/study.py [--talus PROGRAM] [--keep FOLDER] [--jobs N] [PART ...]

PART: velocity, scale, shape, seeds; tolerance and step are those of convergence.py. Runs that lie in FOLDER already are not made again; those that were stopped are resumed.
"""
import argparse, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import folder_of, row_of, run_case, write_rows

BASE = dict(dt="66.66666666666667 ms", tolerance=1e-3)
FIGURES = ["phi_peak_deg", "phi_crit_deg", "e0", "e_rve", "dilation_rate_peak", "inertial_number_max", "penetration_max_rel", "residual_max",
           "cap_hits", "ray_force_ratio", "iterations_mean", "energy_balance_rel"]


def cases():
    """part, name, scene, settings"""
    for seed in (1, 2, 3):
        for kind in ("dense", "loose"):
            yield "seeds", f"{kind} seed {seed}", f"biaxial-small-{kind}", dict(BASE, seed=seed)
    for spread in (0, 0.5):
        for kind in ("dense", "loose"):
            yield "shape", f"{kind} spread {spread} seed 1", f"biaxial-small-{kind}", dict(BASE, shape_spread=spread)
    for seed in (1, 2, 3):
        for vertices in (5, 8):
            yield "shape", f"{vertices} corners seed {seed}", "biaxial-shape", dict(BASE, vertices=vertices, longest=2, seed=seed)
        yield "shape", f"aspect 1.5 seed {seed}", "biaxial-shape", dict(BASE, aspect=1.5, longest=2, zone="120 m", seed=seed)
        yield "shape", f"sizes 0.5 to 1 seed {seed}", "biaxial-shape", dict(BASE, size_ratio=2, seed=seed)
    yield "velocity", "velocity 2.5 mm/s", "biaxial-small-dense", dict(BASE, velocity="2.5 mm/s")
    # The same inertial number: stress and masses four times as large. All forces are then four times as large, to the last bit.
    yield "scale", "stress and density x 4", "biaxial-small-dense", dict(
        BASE, confining="4 kPa", material__soil__density="20000 kg/m3", stage__confine__wall__cap__mass="4e5 kg", stage__roughen__wall__cap__mass="4e5 kg")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talus", default=str(HERE.parents[2] / "build/bin/talus"))
    parser.add_argument("--keep", type=Path, help="run folders go there")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("parts", nargs="*")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        keep = (a.keep or Path(scratch)).resolve()
        keep.mkdir(parents=True, exist_ok=True)

        def run(case):
            part, name, scene, settings = case
            out = folder_of(keep, name)
            if not run_case(a.talus, out, scene, dict(settings, output__vtk="false")):
                return None
            row = dict(part=part, case=name) | row_of(out, FIGURES)
            print(*(row[k] for k in ("part", "case", "wall_s", "phi_peak_deg", "phi_crit_deg", "e0", "e_rve")), sep="  ", flush=True)
            return row

        chosen = [c for c in cases() if not a.parts or c[0] in a.parts]
        with ThreadPoolExecutor(a.jobs) as pool:
            rows = list(pool.map(run, chosen))
        if None in rows:
            sys.exit("not all runs are done")
        if not a.parts:
            write_rows(HERE / "results.csv", rows)


if __name__ == "__main__":
    main()
