#!/usr/bin/env python3
"""Puts runs of the biaxial test beside this page: scene, summary, hash chain, thinned series, pictures, and runs.csv.

    docs/results/biaxial/publish.py FOLDER    FOLDER/dense-1 and so on are run folders of `talus run biaxial-dense`, `biaxial-loose`
"""
import csv, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import copy_run, row_of, write_rows
from svg_chart import chart

KEPT = ["step", "time", "stage", "sigma1", "sigma1_base", "sigma2", "phi_m", "eps_a", "eps_v", "void_ratio", "mean_width", "ray_force_ratio", "Z",
        "inertial_number", "max_overlap", "unbalanced", "solver_residual", "state_residual", "solver_sweeps", "solver_capped",
        "energy_residual_rel"]
THIN = 4
FIGURES = ["phi_peak_deg", "phi_crit_deg", "e0", "e_rve", "dilation_rate_peak", "inertial_number_max", "penetration_max_rel", "residual_max",
           "cap_hits", "ray_force_ratio", "iterations_mean", "energy_balance_rel"]


def series(folder):
    with open(folder / "series.csv") as f:
        rows = list(csv.DictReader(f))
    full = {name.split(" ")[0]: name for name in rows[0]}
    return rows, full


def smooth(strain, value, width=0.001):
    """Means over 0.1 % of strain."""
    out = {}
    for x, y in zip(strain, value):
        out.setdefault(int(x / width), []).append((x, y))
    return [[sum(p[k] for p in v) / len(v) for v in out.values()] for k in (0, 1)]


def main():
    source = Path(sys.argv[1])
    runs = sorted(p for p in source.iterdir() if (p / "series.csv").exists())
    angles, volumes, rows_out = [], [], []
    for run in runs:
        rows, full = series(run)
        target = HERE / run.name
        copy_run(run, target)
        with open(target / "series.csv", "w", newline="") as f:
            writer = csv.writer(f, lineterminator="\n")
            writer.writerow(full[k] for k in KEPT)
            writer.writerows([r[full[k]] for k in KEPT] for r in rows[::THIN])
        last = rows[-1][full["stage"]]
        sheared = [r for r in rows if r[full["stage"]] == last and float(r[full["eps_a"]]) > 0]
        strain = [float(r[full["eps_a"]]) for r in sheared]
        x, y = smooth(strain, [float(r[full["phi_m"]]) for r in sheared])
        angles.append(dict(x=[100 * v for v in x], y=y, label=run.name))
        x, y = smooth(strain, [float(r[full["eps_v"]]) for r in sheared])
        volumes.append(dict(x=[100 * v for v in x], y=[100 * v for v in y], label=run.name))
        if (run / "summary.json").exists():
            rows_out.append(dict(run=run.name, strain=f"{strain[-1]:.4f}") | row_of(run, FIGURES))
    chart(HERE / "phi.svg", "Mobilised angle of friction", "axial strain, %", "degrees", angles, None, (0, 35))
    chart(HERE / "volume.svg", "Volumetric strain (compression positive)", "axial strain, %", "%", volumes)
    if rows_out:
        write_rows(HERE / "runs.csv", rows_out)


if __name__ == "__main__":
    main()
