#!/usr/bin/env python3
"""The bands of Rowe's pack, what the files of this page give, and whether it is within: acceptance.csv and a5.csv.

    docs/results/rowe/acceptance.py [FOLDER]    FOLDER: runs of study.py, for the other runs of a5.csv; without it that file stays as it is
"""
import csv, math, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import folder_of, write_rows

PACKS = {"5-4 locked": "5-4-5-4-5-4-5 locked", "5-4 free": "5-4-5-4-5-4-5 free", "6-7 free": "6-7-6-7-6 free"}
# An independent prototype's runs at 10 degrees: strain, ratio of 6-7 free, ratio of 5-4 free.
PROTOTYPE = [(0.0070, 4.691, 4.276), (0.0555, 3.714, 3.455), (0.1040, 3.077, 2.917), (0.1386, 2.762, 2.610), (0.2079, 2.294, 2.171), (0.3118, 1.805, 1.707),
             (0.4157, 1.437, 1.369), (0.5196, 1.148, 1.102), (0.5543, 1.063, 1.018)]
OTHERS = {"6-7 free": ["tolerance 1e-05", "tolerance 1e-07", "dt 60 ms 6-7-6-7-6 free", "velocity 0.5 mm/s 6-7-6-7-6 free", "velocity 2 mm/s 6-7-6-7-6 free"],
          "5-4 free": ["dt 60 ms 5-4-5-4-5-4-5 free", "velocity 2 mm/s 5-4-5-4-5-4-5 free"]}


def table(path):
    with open(path) as f:
        return list(csv.DictReader(f))


def curve(path):
    """Strain, ratio, Rowe's ratio of the rows at full speed."""
    rows = table(path)
    full = {name.split(" ")[0]: name for name in rows[0]}
    speed = max(float(r[full["platen_speed"]]) for r in rows) * (1 - 1e-9)
    return [tuple(float(r[full[k]]) for k in ("rowe_strain", "ratio", "ratio_theory")) for r in rows if float(r[full["platen_speed"]]) >= speed]


def at(points, strain):
    k = next(k for k, p in enumerate(points) if p[0] >= strain)
    (x0, y0, _), (x1, y1, _) = points[k - 1], points[k]
    return y0 + (strain - x0) / (x1 - x0) * (y1 - y0)


def against_prototype(folder):
    rows = []
    for column, pack in ((1, "6-7 free"), (2, "5-4 free")):
        runs = {"published": HERE / PACKS[pack].replace(" ", "-") / "series.csv"}
        if folder:
            runs |= {name: folder_of(folder, name) / "series.csv" for name in OTHERS[pack]}
        for name, path in runs.items():
            points = curve(path)
            off = [at(points, p[0]) / p[column] - 1 for p in PROTOTYPE]
            rows.append(dict(pack=pack, run=name) | {f"at {p[0]:.4f}": f"{100 * e:+.2f} %" for p, e in zip(PROTOTYPE, off)} | dict(largest=f"{100 * max(off, key=abs):+.2f} %"))
    return rows


def main():
    results = {(r["part"], r["case"]): r for r in table(HERE / "results.csv")}
    rows = []

    def ask(item, what, band, values, good, form="{:.4f}", unit=""):
        values = list(values)
        rows.append(dict(item=item, what=what, band=band, obtained=", ".join(form.format(v) for v in values) + unit, met="yes" if all(map(good, values)) else "no"))

    def get(part, name, figure):
        return float(results[part, name][figure])

    near = lambda v: abs(v - 1) <= 0.01
    packs = ", ".join(PACKS)
    peak = lambda part, phi, before="": [get(part, f"{before}{name} {phi} deg", "ratio_peak_over_limit") for name in PACKS.values()]
    ask("A6.1", f"peak over limit load at 10°, friction rising from 0: {packs}", "1 ± 0.01", peak("limit", 10, "rising "), near)
    ask("A6.1", "the same, friction from the start, 0.1 mm/s", "1 ± 0.01", peak("plain", 10), near)
    ask("A6.1", "the same, whole curve at 1 mm/s", "1 ± 0.01", [get("curves", name, "ratio_peak_over_limit") for name in PACKS.values()], near)
    for phi in (5, 15, 20, 25):
        ask("A6.1", f"at {phi}°, friction rising from 0", "1 ± 0.01" if phi < 25 else "1 ± 0.01 (to explore)", peak("limit", phi, "rising "), near)
    for phi in (5, 15, 20, 25):
        ask("A6.1", f"at {phi}°, friction from the start, 0.1 mm/s", "1 ± 0.01 (to explore)", peak("plain", phi), near)
    ask("A6.1", "largest of all these", "at most 1.01", [max(v for phi in (5, 10, 15, 20, 25) for v in peak("limit", phi, "rising ") + peak("plain", phi))], lambda v: v <= 1.01, "{:.5f}")

    locked = [p for p in curve(HERE / PACKS["5-4 locked"].replace(" ", "-") / "series.csv") if 0.02 <= p[0] <= 0.55]
    ask("A6.2", "5-4 locked against equation (16), strain 0.02 to 0.55, largest difference", "at most 2 %", [100 * max(abs(p[1] / p[2] - 1) for p in locked)], lambda v: v <= 2, "{:.2f}", " %")
    angle = [r for r in table(HERE / "beta.csv") if 0.02 <= float(r["strain"]) <= 0.55]
    ask("A6.2", f"the same against (16) at the measured angle of contacts that slide, {len(angle)} moments", "at most 0.7 %",
        [100 * max(abs(float(r["ratio"]) / float(r["ratio_at_beta"]) - 1) for r in angle)], lambda v: v <= 0.7, "{:.3f}", " %")

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if folder:
        write_rows(HERE / "a5.csv", against_prototype(folder))
    own = {r["pack"]: float(r["largest"].split()[0]) for r in against_prototype(None)}
    ask("A6.3", "6-7 free against the prototype's curve, largest difference", "at most 2 %", [own["6-7 free"]], lambda v: abs(v) <= 2, "{:+.2f}", " %")
    ask("A6.3", "6-7 free, strain at which the ratio falls below 1", "0.58 ± 0.015", [get("curves", PACKS["6-7 free"], "crossing_strain")], lambda v: abs(v - 0.58) <= 0.015)
    ask("A6.3", "5-4 free against the prototype's curve, largest difference", "at most 3 %", [own["5-4 free"]], lambda v: abs(v) <= 3, "{:+.2f}", " %")

    ask("A6.4", f"forces on the platens differ by: {packs}", "below 0.001", [get("curves", n, "platen_force_mismatch") for n in PACKS.values()], lambda v: v < 1e-3, "{:.1e}")
    ask("A6.4", "overlap over the diameter", "below 1e-6", [get("curves", n, "max_penetration_rel") for n in PACKS.values()], lambda v: v < 1e-6, "{:.1e}")
    for what, before in (("step", "dt 15 ms"), ("velocity", "velocity 0.5 mm/s")):
        for figure, label in (("ratio_peak", "peak"), ("crossing_strain", "strain at which the ratio falls below 1")):
            ask("A6.4", f"half the {what}, change of the {label}", "below 1 %",
                [100 * (get("solver", f"{before} {n}", figure) / get("curves", n, figure) - 1) for n in PACKS.values()], lambda v: abs(v) < 1, "{:+.3f}", " %")

    def falling(item, what, names):
        errors = [abs(get("solver", n, "ratio_peak_over_limit") - 1) for n in names]
        good = all(b <= a * (1 + 1e-6) for a, b in zip(errors, errors[1:]))
        rows.append(dict(item=item, what=what, band="falls to a plateau", obtained=", ".join(f"{e:.5f}" for e in errors), met="yes" if good else "no"))

    falling("A6.5", "error of the peak, tolerance 1e-3 to 1e-9 (6-7 free)", [f"tolerance {10.0 ** -k:g}" for k in range(3, 10)])
    falling("A6.5", "error of the peak, 10, 30, 100, 300 sweeps of the game engine's solver", [f"box2d-like {n}" for n in (10, 30, 100, 300)])
    write_rows(HERE / "acceptance.csv", rows)
    for r in rows:
        print("|", " | ".join(r.values()), "|")


if __name__ == "__main__":
    main()
