#!/usr/bin/env python3
"""Runs the study of Rowe's pack and writes results.csv and the curves of this page: some ten minutes on two cores.

    docs/results/rowe/study.py [--talus PROGRAM] [--keep FOLDER] [--jobs N] [NAME ...]

NAME selects parts to run: limit, plain, layouts, curves, solver, explicit. The page is made when none is given; with some, only their rows of
results.csv are made anew, and the runs of part limit put beside the page. Runs that lie in FOLDER already are not made again.
"""
import argparse, csv, shutil, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import copy_run, folder_of, row_of, run_case, write_rows
from svg_chart import chart

FIVE_FOUR, SIX_SEVEN, FOUR_THREE, FOUR = "5-4-5-4-5-4-5", "6-7-6-7-6", "4-3-4-3-4-3-4-3-4", "4-4-4-4-4-4-4-4"
PACKS = [(FIVE_FOUR, "locked"), (FIVE_FOUR, "free"), (SIX_SEVEN, "free")]
FIGURES = ["ratio_peak", "ratio_theory_peak", "ratio_peak_over_theory", "angle_peak_over_theory", "ratio_limit", "ratio_peak_over_limit",
           "rms_error_to_055", "crossing_strain", "platen_force_mismatch", "max_penetration_rel", "residual_max", "cap_hits",
           "iterations_mean"]


def cases():
    """part, name, settings of scenes/rowe.toml"""
    for layout, rotation in PACKS:
        for phi in (5, 10, 15, 20, 25):  # friction rises from 0 while the platen moves
            yield "limit", f"rising {layout} {rotation} {phi} deg", dict(layout=layout, rotation=rotation, phi_mu=f"{phi} deg", velocity="0.01 mm/s", strain_max=0.0004,
                                                                        friction_ramp="15 s")
    for layout, rotation in PACKS:
        for phi in (5, 10, 15, 20, 25):
            yield "plain", f"{layout} {rotation} {phi} deg", dict(layout=layout, rotation=rotation, phi_mu=f"{phi} deg", velocity="0.1 mm/s", strain_max=0.01)
    for layout in (FOUR_THREE, FOUR):
        for rotation in ("locked", "free"):
            for phi in (5, 10, 15, 20):
                yield "layouts", f"{layout} {rotation} {phi} deg", dict(layout=layout, rotation=rotation, phi_mu=f"{phi} deg", strain_max=0.02)
    for layout, rotation in PACKS:
        yield "curves", f"{layout} {rotation}", dict(layout=layout, rotation=rotation, probes__every=25)
    base = dict(layout=SIX_SEVEN, probes__every=25)
    for tolerance in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9):
        yield "solver", f"tolerance {tolerance:g}", dict(base, tolerance=tolerance)
    for iterations in (10, 30, 100, 300, 1000):
        yield "solver", f"box2d-like {iterations}", dict(base, solver="box2d-like", iterations=iterations)
    for name, more in {"dt 15 ms": dict(dt="15 ms"), "dt 60 ms": dict(dt="60 ms"), "velocity 0.5 mm/s": dict(velocity="0.5 mm/s"),
                       "velocity 2 mm/s": dict(velocity="2 mm/s")}.items():
        for layout, rotation in PACKS:
            yield "solver", f"{name} {layout} {rotation}", dict(layout=layout, rotation=rotation, probes__every=25, **more)
    for layout, rotation in PACKS:
        for stiffness in ("1 kPa", "10 kPa", "100 kPa", "1 MPa"):
            yield "explicit", f"{stiffness} {layout} {rotation}", dict(layout=layout, rotation=rotation, method="dem", stiffness=stiffness, restitution=1,
                                                                      strain_max=0.02, probes__every=100)
    yield "explicit", f"100 kPa {FIVE_FOUR} free, whole curve", dict(layout=FIVE_FOUR, rotation="free", method="dem", restitution=1, probes__every=5000)


KEPT = ["step", "time", "stage", "rowe_strain", "platen_speed", "ratio", "ratio_top", "Z", "max_overlap", "solver_residual", "solver_sweeps", "solver_capped"]


def publish_limit(keep):
    """Scene, summary, hash chain and the columns of the series that matter, of the runs of part limit up to 20 degrees."""
    for part, name, settings in cases():
        phi = settings["phi_mu"].split()[0] if part == "limit" else "25"
        if phi == "25":
            continue
        run, target = folder_of(keep, name), HERE / "limit" / f"{settings['layout']}-{settings['rotation']}-{phi}"
        target.parent.mkdir(exist_ok=True)
        copy_run(run, target)
        with open(run / "series.csv") as f:
            rows = list(csv.DictReader(f))
        full = {name.split(" ")[0]: name for name in rows[0]}
        with open(target / "series.csv", "w", newline="") as f:
            writer = csv.writer(f, lineterminator="\n")
            writer.writerow(full[k] for k in KEPT)
            writer.writerows([r[full[k]] for k in KEPT] for r in rows)


def columns(folder, *names):
    """Columns of a series, of the rows in which the platen moves."""
    with open(folder / "series.csv") as f:
        rows = list(csv.DictReader(f))
    full = {name.split(" ")[0]: name for name in rows[0]}
    moving = [r for r in rows if float(r[full["platen_speed"]]) > 0]
    return [[float(r[full[name]]) for r in moving] for name in names]


def publish(keep, rows):
    """The files and pictures of this page."""
    curves = []
    for layout, rotation in PACKS:
        run, name = folder_of(keep, f"{layout} {rotation}"), f"{layout}-{rotation}"
        copy_run(run, HERE / name)
        shutil.copyfile(run / "series.csv", HERE / name / "series.csv")
        x, y = columns(run, "rowe_strain", "ratio")
        curves.append(dict(x=x, y=y, label=f"{layout}, {rotation}"))
    x, y = columns(folder_of(keep, f"{FIVE_FOUR} locked"), "rowe_strain", "ratio_theory")
    curves.append(dict(x=x, y=y, label="Rowe 1962, equation (16)", dash=True))
    x, y = columns(folder_of(keep, f"100 kPa {FIVE_FOUR} free, whole curve"), "rowe_strain", "ratio")
    curves.append(dict(x=x, y=y, label="explicit method, 5-4, free", dash=True))
    chart(HERE / "ratio.svg", "Ratio of stresses, angle of friction 10°", "way of the platen / pitch of rows",
          "vertical over horizontal stress", curves, (0, 0.65), (0.5, 5))
    found = {r["case"]: r for r in rows}
    tolerances = [c[1] for c in cases() if c[1].startswith("tolerance")]
    counts = [c[1] for c in cases() if c[1].startswith("box2d-like")]
    at = lambda names, figure: [abs(float(found[n][figure]) - 1) if "over" in figure else float(found[n][figure]) for n in names]
    chart(HERE / "tolerance.svg", "Accurate solver: error of the peak load (6-7, free)", "tolerance", "|peak / limit load - 1|",
          [dict(x=[float(n.split()[1]) for n in tolerances], y=at(tolerances, "ratio_peak_over_limit"), label="peak load", dots=True)],
          (1e-9, 1e-2), (1e-4, 1), log_x=True, log_y=True)
    chart(HERE / "iterations.svg", "Game engine's solver: error of the peak load (6-7, free)", "velocity sweeps per step",
          "|peak / limit load - 1|",
          [dict(x=[float(n.split()[1]) for n in counts], y=at(counts, "ratio_peak_over_limit"), label="peak load", dots=True)],
          (10, 1000), (1e-4, 1), log_x=True, log_y=True)


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
            part, name, settings = case
            out = folder_of(keep, name)
            if not run_case(a.talus, out, "rowe", dict(settings, output__vtk="false")):
                return None
            row = dict(part=part, case=name) | row_of(out, FIGURES)
            print(*(row[k] for k in ("part", "case", "wall_s", "ratio_peak", "ratio_peak_over_limit", "crossing_strain", "rms_error_to_055")), sep="  ", flush=True)
            return row

        chosen = [c for c in cases() if not a.parts or c[0] in a.parts]
        with ThreadPoolExecutor(a.jobs) as pool:
            rows = list(pool.map(run, chosen))
        if None in rows:
            sys.exit("not all runs are done")
        if not a.parts or "limit" in a.parts:
            publish_limit(keep)
        if not a.parts:
            publish(keep, rows)
        else:
            with open(HERE / "results.csv") as f:
                old = {r["case"]: r for r in csv.DictReader(f)}
            old |= {r["case"]: r for r in rows}
            rows = [old[name] for _, name, _ in cases() if name in old]
        write_rows(HERE / "results.csv", rows)


if __name__ == "__main__":
    main()
