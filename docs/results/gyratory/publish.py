#!/usr/bin/env python3
"""Lays a run of gyratory-small beside this page: scene, summary, hash chain, series, the void curve, the picture.

    docs/results/gyratory/publish.py RUN NAME     RUN: a run folder; NAME: of the folder here, as small-none-1
"""
import csv, shutil, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import copy_run
from svg_chart import chart

KEPT = ["step", "time", "gyration", "height", "voids", "platen_load", "base_force_z", "mould_force_z", "contact_area", "max_overlap", "solver_residual", "solver_sweeps", "solver_capped"]


def main():
    run, target = Path(sys.argv[1]), HERE / sys.argv[2]
    copy_run(run, target)
    with open(run / "series.csv", newline="") as f:
        head, *rows = [row for row in csv.reader(f) if not row[0].startswith("#")]
    columns = [k for k, name in enumerate(head) if name.split(" ")[0].split("[")[0] in KEPT]
    with open(target / "series.csv", "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([row[k] for k in columns] for row in [head] + rows)
    at = {head[k].split(" ")[0].split("[")[0]: k for k in columns}
    turns = [row for row in rows if row[at["gyration"]] not in ("", "nan")]
    chart(target / "voids.svg", "Voids of the specimen", "gyrations", "voids, %",
          [dict(x=[float(r[at["gyration"]]) for r in turns], y=[100 * float(r[at["voids"]]) for r in turns], label=sys.argv[2])])
    if (run / "sample.png").exists():
        shutil.copyfile(run / "sample.png", target / "sample.png")


main()
