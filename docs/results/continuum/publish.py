#!/usr/bin/env python3
"""Lays runs of continuum particles beside this page: scene, summary, hash chain, thinned series, picture; then writes results.csv from all that lie here.

    docs/results/continuum/publish.py FOLDER...    run folders; each goes into a folder of the same name
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import copy_picture, copy_run, copy_series, figures_of, is_done, row_of, write_rows

FIGURES = ["particles", "ms_per_step", "dt_mean", "mass_drift_rel", "momentum_drift_rel", "energy_residual_rel", "wall_crossings", "compression_max", "error", "tolerance"]
ROWS = 100  # of a series


def main():
    for run in map(Path, sys.argv[1:]):
        if not is_done(run):
            sys.exit(f"{run}: the run is not done")
        target = HERE / run.name
        copy_run(run, target)
        copy_series(run, target, rows=ROWS)
        copy_picture(run, target, "pressure.png")
    folders = sorted(folder for folder in HERE.iterdir() if (folder / "summary.json").exists())
    write_rows(HERE / "results.csv", [dict(run=folder.name) | row_of(folder, FIGURES) for folder in folders])


main()
