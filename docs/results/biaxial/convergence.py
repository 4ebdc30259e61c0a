#!/usr/bin/env python3
"""Presses the same small samples (three dense ones of about 800 grains) with other tolerances, steps and solvers, and writes convergence.csv and
the pictures convergence_*.svg.

    docs/results/biaxial/convergence.py --keep FOLDER [--talus PROGRAM] [--jobs N] [--minutes M] [--parts tolerance,step]

Runs that lie in FOLDER already are not made again; after M minutes runs are stopped and saved, and the next call resumes them; rows are
written for those that are done.
"""
import argparse, csv, shutil, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from publish import mean_angle
from study_runs import ROOT, folder_of, row_of, run_case, write_rows
from svg_chart import chart

SEEDS = (1, 2, 3)
STEP = {n: f"{1000 / n!r} ms" for n in (15, 30, 60, 120, 240, 480)}
SMALL = dict(grains=830, width="19.2 m", zone="76 m")
FIGURES = ["phi_peak_deg", "strain_at_peak", "phi_crit_deg", "e_rve", "dilation_rate_peak", "inertial_number_max", "penetration_max_rel", "residual_max", "cap_hits",
           "iterations_mean", "energy_balance_rel"]
SWEEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
ACCELERATIONS = ("none", "momentum")


def cases():
    """part, value, seeds, settings"""
    for tolerance, seeds in ((1e-4, SEEDS), (1e-3, SEEDS), (1e-2, SEEDS), (1e-5, (1,))):  # the longest runs to 8 %
        yield "tolerance", f"{tolerance:g}", seeds, dict(dt=STEP[15], tolerance=tolerance, strain_max=0.15 if tolerance > 5e-5 else 0.08)
    for n in (480, 30, 60, 120, 240):
        yield "step", f"1/{n} s", SEEDS if n == 30 else (1,), dict(dt=STEP[n], tolerance=1e-3, strain_max=0.08 if n >= 240 else 0.15)
    for iterations, seeds in ((10, SEEDS), (100, (1,))):
        yield "box2d-like", f"{iterations}", seeds, dict(dt=STEP[60], solver="box2d-like", iterations=iterations)


def sample_of(talus, keep, seed):
    file = keep / f"dense-{seed}.csv"
    if not file.exists():
        made = keep / f"made-{seed}"
        settings = dict(seed=seed, dt=STEP[15], tolerance=1e-3, strain_max=1e-9, output__vtk="false")
        if not run_case(talus, made, "biaxial-small-dense", settings):
            sys.exit(f"no sample of seed {seed}")
        subprocess.run([talus, "sample", str(made), "--out", str(file)], check=True, stdout=subprocess.DEVNULL)
    return file


def residual_after(talus, keep, acceleration, sweeps):
    """Of the first step of `load` on sample 1, no impulses known before, given up after so many sweeps."""
    out = keep / f"first_step_{acceleration}_{sweeps}"
    if not (out / "summary.json").exists():
        shutil.rmtree(out, ignore_errors=True)
        settings = dict(SMALL, sample=keep / "dense-1.csv", seed=1, output__vtk="false", dt=STEP[15], tolerance=1e-10, impulse__max_sweeps=sweeps,
                        impulse__acceleration=acceleration, probes__every=1)
        words = [w for key, value in settings.items() for w in ("--set", f"{key.replace('__', '.')}={value}")]
        subprocess.run([talus, "run", str(ROOT / "scenes/biaxial-sample.toml"), "--out", str(out), "--threads", "1", "--quiet", "--until", "0.05"] + words, check=True)
    with open(out / "series.csv") as f:
        (row,) = [r for r in csv.DictReader(f) if r["step"] == "1"]
    assert float(row["solver_sweeps [1]"]) == sweeps
    return dict(part=f"first step, acceleration {acceleration}", value=sweeps, seed=1, steps=1, residual_max=f"{float(row['solver_residual [1]']):.6g}")


def draw_runs(rows):
    """Angle, void ratio and penetration against tolerance and step, a curve for each sample."""
    number = lambda text: float(text) if "/" not in text else 1 / float(text[2:-2])  # 1e-3, "1/30 s"
    base = [dict(r, part="step", value="1/15 s") for r in rows if r["part"] == "tolerance" and r["value"] == "0.001"]
    for part, label in (("tolerance", "tolerance of the residual"), ("step", "step, s")):
        mine = [r for r in rows + base if r["part"] == part]
        for figure, title, unit, log in (("phi_crit_deg", "Mean angle from 10 to 15 %", "degrees", False), ("phi_4_to_8_deg", "Mean angle from 4 to 8 %", "degrees", False), ("e_rve", "Void ratio in the RVE", "void ratio", False),
                                         ("penetration_max_rel", "Deepest overlap", "over the diameter", True)):
            curves = []
            for seed in SEEDS:
                points = sorted((number(r["value"]), float(r[figure])) for r in mine if int(r["seed"]) == seed and r[figure] != "")
                if points:
                    curves.append(dict(x=[p[0] for p in points], y=[p[1] for p in points], label=f"sample {seed}", dots=True))
            xs, ys = [x for c in curves for x in c["x"]], [y for c in curves for y in c["y"]]
            pad = 0.15 * (max(ys) - min(ys)) or 1
            y_range = (min(ys) / 2, 4 * max(ys)) if log else (min(ys) - pad, max(ys) + 3 * pad)
            chart(HERE / f"convergence_{part}_{figure}.svg", title, label, unit, curves, (min(xs) / 1.5, 1.5 * max(xs)), y_range, True, log)


def draw(sweeps):
    curves = [dict(x=[r["value"] for r in sweeps if r["part"].endswith(kind)], y=[float(r["residual_max"]) for r in sweeps if r["part"].endswith(kind)],
                   label={"none": "plain sweeps", "momentum": "with momentum (default)"}[kind], dots=True) for kind in ACCELERATIONS]
    chart(HERE / "convergence_residual.svg", "Residual of the first step, no impulses known before", "sweeps", "residual", curves, (0.8, 2e4), (1e-6, 10), True, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talus", default=str(HERE.parents[2] / "build/bin/talus"))
    parser.add_argument("--keep", type=Path, required=True, help="run folders go there")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, help="stop after so many")
    parser.add_argument("--parts", default="tolerance,step,box2d-like", help="which runs are made, with commas")
    a = parser.parse_args()
    until = None if a.minutes is None else time.monotonic() + 60 * a.minutes
    keep = a.keep.resolve()
    keep.mkdir(parents=True, exist_ok=True)

    def run(case):
        part, value, settings, seed = case
        out = folder_of(keep, f"{part} {value} seed {seed}")
        if not run_case(a.talus, out, "biaxial-sample", dict(SMALL, sample=keep / f"dense-{seed}.csv", seed=seed, output__vtk="false", **settings), until):
            return None
        return dict(part=part, value=value, seed=seed) | row_of(out, FIGURES) | dict(phi_4_to_8_deg=f"{mean_angle(out, 0.04, 0.08):.4f}")

    chosen = [(part, value, settings, seed) for part, value, seeds, settings in cases() for seed in seeds if part in a.parts.split(",")]
    with ThreadPoolExecutor(a.jobs) as pool:
        list(pool.map(lambda seed: sample_of(a.talus, keep, seed), SEEDS))
        sweeps = [residual_after(a.talus, keep, kind, n) for kind in ACCELERATIONS for n in SWEEPS]
        rows = list(pool.map(run, chosen))
    done = [r for r in rows if r is not None]
    print(f"{len(done)} of {len(rows)} runs are done")
    table = done + [dict.fromkeys(done[0], "") | r for r in sweeps]
    write_rows(keep / "convergence.csv", table)
    if len(done) == sum(len(seeds) for _, _, seeds, _ in cases()):
        write_rows(HERE / "convergence.csv", table)
        draw(sweeps)
        draw_runs(done)


if __name__ == "__main__":
    main()
