#!/usr/bin/env python3
"""Hard grains near jamming, in a periodic cell: pressure of the independent model over that of multi-contact at the same solid fraction
above that of the sample when it just touches, which is at 1e-6 or 1e-5 E. Runs what is missing of hard.toml in FOLDER and writes hard_cell.csv.

    hard.py FOLDER [--talus ./talus]
"""
import argparse, csv, statistics, subprocess, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
YOUNG, MODELS, SEEDS = 1e5, ("independent", "multi-contact"), (1, 2, 3)
TOUCHING = (1e-6, 1e-5)  # of Young's modulus
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
    for touching in TOUCHING:
        for seed in SEEDS:
            for model in MODELS:
                out = a.folder / f"{touching:g}-{model}-{seed}"
                if not (out / "summary.json").exists():
                    subprocess.run([a.talus, "run", HERE / "hard.toml", "--quiet", "--threads", "1", "--set", f"model={model}", "--set", f"seed={seed}",
                                    "--set", f"touching={touching * YOUNG:g} Pa", "--set", "output.vtk=false", "--out", out], check=True)
    rows = []
    for touching in TOUCHING:
        curves = [[curve(a.folder / f"{touching:g}-{m}-{seed}") for m in MODELS] for seed in SEEDS]
        for level in LEVELS:
            ratios = []
            for plain, felt in curves:
                above = between([(p, x) for x, p in plain], level * YOUNG)
                other = None if above is None else between(felt, above)
                if other is None:
                    sys.exit(f"a run does not reach p/E = {level:g}")
                ratios.append(level * YOUNG / other)
            rows.append((touching, level, statistics.mean(ratios), min(ratios), max(ratios)))
            print("touching at {:g}, p/E {:g}: {:.3f} ({:.3f} to {:.3f})".format(*rows[-1]))
    with open(HERE / "hard_cell.csv", "w") as file:
        file.write("touching_p_over_E,p_over_E,independent_over_multicontact,least,most,seeds\n")
        file.writelines(f"{t:g},{p:g},{m:.4f},{lo:.4f},{hi:.4f},{len(SEEDS)}\n" for t, p, m, lo, hi in rows)


if __name__ == "__main__":
    main()
