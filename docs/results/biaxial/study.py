#!/usr/bin/env python3
"""Runs the studies of the biaxial test on small samples (about 800 grains) and writes results.csv and the pictures of this page.

    docs/results/biaxial/study.py [--talus PROGRAM] [--keep FOLDER] [--jobs N] [PART ...]

PART: tolerance, step, velocity, scale, shape, seeds. Runs that lie in FOLDER already are not made again; those that were stopped are resumed.
"""
import argparse, csv, json, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))

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
            yield "shape", f"{kind} spread {spread}", f"biaxial-small-{kind}", dict(BASE, shape_spread=spread)
    for vertices in (5, 8):
        yield "shape", f"{vertices} corners", "biaxial-shape", dict(BASE, vertices=vertices, longest=2)
    yield "shape", "aspect 1.5", "biaxial-shape", dict(BASE, aspect=1.5, longest=2)
    yield "shape", "sizes 0.5 to 1", "biaxial-shape", dict(BASE, smallest="0.5 m")
    for tolerance in (1e-2, 1e-4):
        yield "tolerance", f"tolerance {tolerance:g}", "biaxial-small-dense", dict(BASE, tolerance=tolerance)
    for name, dt in {"1/30 s": "33.333333333333336 ms", "1/60 s": "16.666666666666668 ms"}.items():
        yield "step", f"step {name}", "biaxial-small-dense", dict(BASE, dt=dt)
    yield "velocity", "velocity 2.5 mm/s", "biaxial-small-dense", dict(BASE, velocity="2.5 mm/s")
    # The same inertial number: stress and density four times as large.
    yield "scale", "stress and density x 4", "biaxial-small-dense", dict(
        BASE, confining="4 kPa", material__soil__density="20000 kg/m3", stage__confine__wall__cap__mass="1e6 kg", stage__roughen__wall__cap__mass="1e6 kg",
        dynamics__gravity='["0 m/s2", "-0.1 m/s2"]')


def folder_of(keep, name):
    return keep / name.replace(" ", "_").replace("/", "_")


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
            words = [a.talus, "run", str(HERE.parents[2] / "scenes" / f"{scene}.toml"), "--threads", "1", "--quiet", "--out", out.name, "--set", "output.vtk=false"]
            for key, value in settings.items():
                words += ["--set", f"{key.replace('__', '.')}={value}"]
            if out.exists() and not (out / "summary.json").exists():
                words = [a.talus, "resume", out.name, "--threads", "1", "--quiet"]
            if not (out / "summary.json").exists():
                done = subprocess.run(words, cwd=keep, capture_output=True, text=True)
                if done.returncode != 0:
                    print(f"{' '.join(words)}\n{done.stderr}", file=sys.stderr, flush=True)
                    return None
            summary = json.loads((out / "summary.json").read_text())
            row = dict(part=part, case=name, steps=summary["provenance"]["steps"], wall_s=round(summary["provenance"]["wall_time_s"], 1),
                       state_hash=summary["provenance"]["state_hash"])
            for figure in FIGURES:
                value = summary["figures"].get(figure, {}).get("value")
                row[figure] = "" if value is None else f"{value:.6g}"
            print(*(row[k] for k in ("part", "case", "wall_s", "phi_peak_deg", "phi_crit_deg", "e0", "e_rve")), sep="  ", flush=True)
            return row

        chosen = [c for c in cases() if not a.parts or c[0] in a.parts]
        with ThreadPoolExecutor(a.jobs) as pool:
            rows = [r for r in pool.map(run, chosen) if r]
        if not a.parts and len(rows) == len(chosen):
            with open(HERE / "results.csv", "w", newline="") as f:
                writer = csv.DictWriter(f, fieldnames=list(rows[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


if __name__ == "__main__":
    main()
