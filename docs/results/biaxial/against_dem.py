#!/usr/bin/env python3
"""Contact dynamics against the explicit method on the same samples: curves over one another, dem.csv. The series of dense-1 and loose-1 are those
beside this page, thinned to every eighth row.

    docs/results/biaxial/against_dem.py FOLDER    FOLDER/dem-dense-1, dem-loose-1, dem-dense-1-stiff: runs of biaxial-dem-sample on the samples of dense-1 and loose-1
"""
import csv, math, re, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from publish import KEPT, mean_angle, series, share_of_work, smooth
from study_runs import copy_run, row_of, write_rows
from svg_chart import chart

FIGURES = ["phi_peak_deg", "strain_at_peak", "phi_crit_deg", "e0", "e_end", "e_rve", "eps_v_final", "dilation_rate_max", "strain_at_dilation_max",
           "inertial_number_max", "penetration_max_rel", "platen_force_mismatch", "energy_balance_rel"]
THIN = 2


def peak(folder, axial):
    """Largest angle of stresses averaged over 0.1 % of strain."""
    rows, full = series(folder)
    sheared = [r for r in rows if r[full["eps_a"]] not in ("", "nan") and float(r[full["eps_a"]]) > 0]
    strain = [float(r[full["eps_a"]]) for r in sheared]
    ones, twos = (smooth(strain, [float(r[full[name]]) for r in sheared])[1] for name in (axial, "sigma2"))
    return max(math.degrees(math.asin((a - b) / (a + b))) for a, b in zip(ones, twos))


def main():
    source = Path(sys.argv[1])
    angles, volumes, early, table = [], [], [], []
    for name in ("dense-1", "dem-dense-1", "dem-dense-1-stiff", "loose-1", "dem-loose-1"):
        run = source / name if name.startswith("dem") else HERE / name
        rows, full = series(run)
        if name.startswith("dem"):
            copy_run(run, HERE / name)
            for file in (HERE / name / "scene.toml", HERE / name / "summary.json"):  # without the places of this machine
                file.write_text(re.sub(r'(["=])/[^" ]*/([^"/ ]+\.csv)', r"\1\2", file.read_text()))
            kept = [k for k in KEPT if k in full]
            with open(HERE / name / "series.csv", "w", newline="") as f:
                writer = csv.writer(f, lineterminator="\n")
                writer.writerow(full[k] for k in kept)
                writer.writerows([r[full[k]] for k in kept] for r in rows[::THIN])
        last = rows[-1][full["stage"]]
        sheared = [r for r in rows if r[full["stage"]] == last and 0 < float(r[full["eps_a"]]) <= 0.15]
        strain = [float(r[full["eps_a"]]) for r in sheared]
        for into, column, scale, width in ((angles, "phi_m", 1, 0.002), (volumes, "eps_v", 100, 0.002), (early, "phi_m", 1, 0.001)):
            x, y = smooth(strain, [float(r[full[column]]) for r in sheared], width)
            into.append(dict(x=[100 * v for v in x], y=[scale * v for v in y], label=name))
        row = dict(run=name, strain=f"{strain[-1]:.4f}") | row_of(run, FIGURES)
        for of, axial in (("cap", "sigma1"), ("base", "sigma1_base")):
            row[f"peak_{of}"] = f"{peak(run, axial):.2f}"
            for what, low, high in (("4_to_8", 0.04, 0.08), ("10_to_15", 0.10, 0.1499)):
                row[f"angle_{what}_{of}"] = f"{mean_angle(run, low, high, axial=axial):.2f}" if strain[-1] >= 0.98 * high else ""
        row["angle_10_to_15_first_width"] = f"{mean_angle(run, 0.1, 0.15, True):.2f}" if strain[-1] > 0.148 else ""
        row["eps_v_15"] = next((r[full["eps_v"]] for r in sheared if float(r[full["eps_a"]]) >= 0.1485), "")
        row["shear_steps"] = int(sheared[-1][full["step"]]) - int(sheared[0][full["step"]])
        for what, column in (("friction", "friction_work"), ("dashpots", "viscous_work"), ("damping", "local_damping_work")):  # of rigid grains: acceptance.csv
            row[f"work_{what}"] = f"{share_of_work(run, column):.4f}" if column in full else ""
        table.append(row)
    for curve in early:
        inside = [k for k, x in enumerate(curve["x"]) if x <= 3]
        curve["x"], curve["y"] = ([curve[axis][k] for k in inside] for axis in "xy")
    chart(HERE / "dem_phi.svg", "Mobilised angle: rigid grains and springs (dem)", "axial strain, %", "degrees", angles, None, (0, 35))
    chart(HERE / "dem_peak.svg", "The same, up to 3 %", "axial strain, %", "degrees", early, None, (0, 35))
    chart(HERE / "dem_volume.svg", "Volumetric strain (compression positive)", "axial strain, %", "%", volumes)
    write_rows(HERE / "dem.csv", table)


if __name__ == "__main__":
    main()
