#!/usr/bin/env python3
"""Puts runs of the biaxial test beside this page: scene, summary, hash chain, thinned series, pictures, runs.csv and acceptance.csv.

    docs/results/biaxial/publish.py FOLDER    FOLDER/dense-1, loose-1 and so on, dense-1-half are run folders of `talus run biaxial-dense`, `biaxial-loose`
"""
import csv, math, shutil, statistics, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import copy_run, figures_of, is_done, row_of, write_rows
from svg_chart import chart

KEPT = ["step", "time", "stage", "sigma1", "sigma1_base", "sigma2", "phi_m", "eps_a", "eps_v", "void_ratio", "mean_width", "ray_force_ratio", "Z",
        "inertial_number", "max_overlap", "unbalanced", "solver_residual", "state_residual", "solver_sweeps", "solver_capped",
        "energy_residual_rel"]
THIN = 8
PICTURED = ("dense-1", "dense-2", "loose-1")
SKIN = 1.042  # area of a grain with the skin of the paper's engine over its own: see the page
FIGURES = ["phi_peak_deg", "strain_at_peak", "phi_crit_deg", "e0", "e_rve", "dilation_rate_peak", "inertial_number_max", "penetration_max_rel", "residual_max",
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


def is_far_enough(folder):
    """A run that is done, or on its way beyond 15 %."""
    return is_done(folder) or ((folder / "summary.json").exists() and figures_of(folder).get("phi_crit_deg") is not None)


def mean_angle(folder, low, high, over_first_width=False, axial="sigma1"):
    """Of stresses averaged between two axial strains; the force on the cap, or `sigma1_base`, over the width of the moment, or over that before shear."""
    rows, full = series(folder)
    sheared = [r for r in rows if r[full["eps_a"]] not in ("", "nan")]
    inside = [r for r in sheared if low <= float(r[full["eps_a"]]) <= high]
    width, first = full["mean_width"], float(sheared[0][full["mean_width"]])
    s1 = sum(float(r[full[axial]]) * (float(r[width]) / first if over_first_width else 1) for r in inside)
    s2 = sum(float(r[full["sigma2"]]) for r in inside)
    return math.degrees(math.asin((s1 - s2) / (s1 + s2)))


def share_of_work(folder, column):
    """Of what the boundary did in shear."""
    rows, full = series(folder)
    sheared = [r for r in rows if r[full["eps_a"]] not in ("", "nan") and float(r[full["eps_a"]]) > 0]
    gain = lambda name: float(sheared[-1][full[name]]) - float(sheared[0][full[name]])
    return gain(column) / gain("boundary_work")


def acceptance(source):
    """The bands of the full-size tests, what was obtained, and whether it is within."""
    names = sorted(p.name for p in source.iterdir() if is_far_enough(p))
    of = {n: figures_of(source / n) for n in names}
    dense, loose = ([n for n in names if n.startswith(kind) and not n.endswith("half")] for kind in ("dense-", "loose-"))
    if not dense or not loose:
        return []
    rows = []

    def ask(what, band, values, good, unit=""):
        text = ", ".join(f"{v:.4g}" for v in values)
        rows.append(dict(what=what, band=band, obtained=text + unit, met="yes" if all(map(good, values)) else "no"))

    def get(name, group):
        return [of[n][name] for n in group if of[n].get(name) is not None]

    def skin(values):
        return [(1 + e) * SKIN - 1 for e in values]

    crit = {kind: get("phi_crit_deg", group) for kind, group in (("dense", dense), ("loose", loose))}
    for kind, values in crit.items():
        ask(f"mean angle from 10 to 15 % of strain, {kind}", "21.5 ± 2°", values, lambda v: abs(v - 21.5) <= 2, "°")
    for kind, group in (("dense", dense), ("loose", loose)):
        ask(f"the same with the force on the cap over the width before shear, {kind}", "21.5 ± 2°", [mean_angle(source / n, 0.1, 0.15, True) for n in group],
            lambda v: abs(v - 21.5) <= 2, "°")
    ask("mean of the dense less mean of the loose", "below 1.5°", [abs(statistics.mean(crit["dense"]) - statistics.mean(crit["loose"]))], lambda v: v < 1.5, "°")
    ask("peak, dense", "29 ± 2.5°", get("phi_peak_deg", dense), lambda v: abs(v - 29) <= 2.5, "°")
    ask("strain at the peak, dense", "1 to 4 %", [100 * v for v in get("strain_at_peak", dense)], lambda v: 1 <= v <= 4, " %")
    ask("peak of the loose above its mean angle", "at most 1.5°", [p - c for p, c in zip(get("phi_peak_deg", loose), crit["loose"])], lambda v: v <= 1.5, "°")
    ask("void ratio before shear, dense, with the skin", "0.26 ± 0.025", skin(get("e0", dense)), lambda v: abs(v - 0.26) <= 0.025)
    ask("void ratio before shear, loose, with the skin", "0.31 ± 0.025", skin(get("e0", loose)), lambda v: abs(v - 0.31) <= 0.025)
    ask("loose less dense", "at least 0.035", [l - d for l, d in zip(get("e0", loose), get("e0", dense))], lambda v: v >= 0.035)
    whole = [(l, d) for l, d in zip(loose, dense) if of[l].get("e_rve") and of[d].get("e_rve")]
    ends = [(of[l]["e_rve"], of[d]["e_rve"]) for l, d in whole]
    ask("RVE, difference over the loose, each seed", "at most 0.03", [abs(l - d) / l for l, d in ends], lambda v: v <= 0.03)
    ask("RVE, mean of all, with the skin", "0.293 ± 0.025", skin([statistics.mean(e for pair in ends for e in pair)]), lambda v: abs(v - 0.293) <= 0.025)
    ask("whole sample at the end, difference over that in the RVE", "above 1",
        [abs(of[l]["e_end"] - of[d]["e_end"]) / abs(of[l]["e_rve"] - of[d]["e_rve"]) for l, d in whole], lambda v: v > 1)
    ask("volumetric strain at the end, dense", "dilates", [100 * v for v in get("eps_v_final", dense)], lambda v: v < 0, " %")
    ask("volumetric strain at the end, loose", "contracts", [100 * v for v in get("eps_v_final", loose)], lambda v: v > 0, " %")
    ask("strain between peak and largest dilation, dense", "at most 0.5 %",
        [100 * abs(a - b) for a, b in zip(get("strain_at_peak", dense), get("strain_at_dilation_max", dense))], lambda v: v <= 0.5, " %")
    ask("dilation at the peak, dense", "0.34 ± 0.1", get("dilation_rate_peak", dense), lambda v: abs(v - 0.34) <= 0.1)
    ask("largest inertial number", "below 0.001", get("inertial_number_max", names), lambda v: v < 1e-3)
    if {"dense-1-half", "dense-1"} <= set(names):
        ask("half the velocity, change of the mean angle from 4 to 8 %", "below 0.5°",
            [mean_angle(source / "dense-1-half", 0.04, 0.08) - mean_angle(source / "dense-1", 0.04, 0.08)], lambda v: abs(v) < 0.5, "°")
    ask("penetration over the diameter", "below 0.001", get("penetration_max_rel", names), lambda v: v < 1e-3)
    ask("energy-balance error", "below 1 %", get("energy_balance_rel", names), lambda v: v < 0.01)
    ask("work of the boundary that goes into friction", "above 99 %", [100 * share_of_work(source / n, "friction_work") for n in names], lambda v: v > 99, " %")
    ask("and into impacts", "the rest", [100 * share_of_work(source / n, "viscous_work") for n in names],
        lambda v: True, " %")
    return rows


def main():
    source = Path(sys.argv[1])
    runs = sorted(p for p in source.iterdir() if is_far_enough(p))
    angles, volumes, voids, rows_out = [], [], [], []
    for run in runs:
        rows, full = series(run)
        target = HERE / run.name
        copy_run(run, target)
        if run.name in PICTURED:
            shutil.copyfile(run / "turned.png", target / "turned.png")
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
        x, y = smooth(strain, [float(r[full["void_ratio"]]) for r in sheared])
        voids.append(dict(x=[100 * v for v in x], y=y, label=run.name))
        rows_out.append(dict(run=run.name, strain=f"{strain[-1]:.4f}") | row_of(run, FIGURES))
    chart(HERE / "phi.svg", "Mobilised angle of friction", "axial strain, %", "degrees", angles, None, (0, 35))
    chart(HERE / "volume.svg", "Volumetric strain (compression positive)", "axial strain, %", "%", volumes)
    chart(HERE / "voids.svg", "Void ratio of the whole sample", "axial strain, %", "void ratio", voids)
    write_rows(HERE / "runs.csv", rows_out)
    if judged := acceptance(source):
        write_rows(HERE / "acceptance.csv", judged)


if __name__ == "__main__":
    main()
