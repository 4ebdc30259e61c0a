#!/usr/bin/env python3
"""Hard grains near jamming, in a periodic cell: pressure of the independent model over that of multi-contact at the same solid fraction
above that of the sample at 1e-5 E. Runs what is missing of hard.toml in FOLDER and writes hard_cell.csv.

    hard.py FOLDER [--talus ./talus]
"""
import argparse, csv, statistics, subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
YOUNG, MODELS, SEEDS = 1e5, ("independent", "multi-contact"), (1, 2, 3)
LEVELS = (3e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 3e-3)


def curve(folder):
    """Solid fraction above that at the end of stage "touching", and pressure."""
    with open(folder / "series.csv") as file:
        rows = list(csv.reader(file))
    at = {name.split(" [")[0]: k for k, name in enumerate(rows[0])}
    seen = [(int(r[at["stage"]]), 1 - float(r[at["porosity"]]), float(r[at["p"]])) for r in rows[1:]]
    first = [r for r in seen if r[0] == 2][-1]
    return [(r[1] - first[1], r[2]) for r in [first, *(r for r in seen if r[0] == 3)]]


def between(points, x):
    """The first value of y where the line through the points passes x."""
    for (a, u), (b, v) in zip(points, points[1:]):
        if a <= x <= b:
            return u + (v - u) * (x - a) / (b - a)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--talus", default="talus")
    a = parser.parse_args()
    for seed in SEEDS:
        for model in MODELS:
            out = a.folder / f"{model}-{seed}"
            if not (out / "summary.json").exists():
                subprocess.run([a.talus, "run", HERE / "hard.toml", "--quiet", "--threads", "1", "--set", f"model={model}", "--set", f"seed={seed}",
                                "--set", "output.vtk=false", "--out", out], check=True)
    rows = []
    for level in LEVELS:
        ratios = []
        for seed in SEEDS:
            plain, felt = (curve(a.folder / f"{m}-{seed}") for m in MODELS)
            above = between([(p, x) for x, p in plain], level * YOUNG)
            ratios.append(level * YOUNG / between(felt, above))
        rows.append((level, statistics.mean(ratios), min(ratios), max(ratios)))
        print(f"p/E {level:.0e}: {rows[-1][1]:.3f} ({rows[-1][2]:.3f} to {rows[-1][3]:.3f})")
    with open(HERE / "hard_cell.csv", "w") as file:
        file.write("p_over_E,independent_over_multicontact,least,most,seeds\n")
        file.writelines(f"{p:g},{m:.4f},{lo:.4f},{hi:.4f},{len(SEEDS)}\n" for p, m, lo, hi in rows)


if __name__ == "__main__":
    main()
