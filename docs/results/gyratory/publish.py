#!/usr/bin/env python3
"""Lays a run of gyratory-small beside this page: scene, summary, hash chain, series, the void curve, the picture; then draws the curves of all runs here.

    docs/results/gyratory/publish.py RUN NAME     RUN: a run folder; NAME: of the folder here, as small-none-1
"""
import csv, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import copy_picture, copy_run, copy_series
from svg_chart import chart

KEPT = ["step", "time", "gyration", "height", "voids", "platen_load", "base_force_z", "mould_force_z", "contact_area", "max_overlap", "solver_residual", "solver_sweeps", "solver_capped", "law_residual", "coat_stiffness_ratio", "revolution_rate_top"]


def columns_of(path):
    """Columns by name without units, as numbers where they are."""
    with open(path, newline="") as f:
        head, *rows = [row for row in csv.reader(f) if not row[0].startswith("#")]
    return {name.split(" ")[0].split("[")[0]: [row[k] for row in rows] for k, name in enumerate(head)}


def curve(folder, name, factor=1):
    """Over gyrations, while the mould gyrates."""
    columns = columns_of(folder / "series.csv")
    points = [(float(x), factor * float(y)) for x, y in zip(columns["gyration"], columns.get(name, [])) if x not in ("", "nan") and y not in ("", "nan")]
    return dict(x=[x for x, _ in points], y=[y for _, y in points], label=folder.name)


def main():
    run, target = Path(sys.argv[1]), HERE / sys.argv[2]
    copy_run(run, target)
    copy_series(run, target, KEPT)
    chart(target / "voids.svg", "Voids of the specimen", "gyrations", "voids, %", [curve(target, "voids", 100)])
    folders = sorted(folder for folder in HERE.iterdir() if (folder / "series.csv").exists())
    chart(HERE / "voids.svg", "Voids of specimens with each law", "gyrations", "voids, %", [curve(folder, "voids", 100) for folder in folders])
    coated = [folder for folder in folders if curve(folder, "contact_area")["x"]]
    if coated:
        chart(HERE / "area.svg", "Mean area of contacts of mortar", "gyrations", "area, mm²", [curve(folder, "contact_area", 1e6) for folder in coated])
    copy_picture(run, target)


main()
