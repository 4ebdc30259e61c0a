#!/usr/bin/env python3
"""Ways to load the three packs that are hardest to bring to their limit load, and what each gives: tried.csv. 58 settings, a quarter of an hour on two cores.

    docs/results/rowe/tried.py [--talus PROGRAM] [--keep FOLDER] [--jobs N]

Runs that lie in FOLDER already are not made again.
"""
import argparse, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import figures_of, folder_of, run_case, write_rows

HARD = [("6-7-6-7-6", "free", 20), ("5-4-5-4-5-4-5", "free", 15), ("5-4-5-4-5-4-5", "free", 20)]
PITCH = 866.0254037844386  # mm
CAP = 100000               # sweeps after which the scene gives a step up


def settings():
    """velocity in mm/s, ramp in s, step in ms, tolerance, sweeps at most, time in which friction rises from 0 in s (0: friction is there from the start),
    acceleration of sweeps (none when left out)"""
    for v in (0.1, 0.2, 0.3, 0.5, 1):
        yield v, 0.6, 30, 1e-8, CAP, 0
    for v in (0.02, 0.05):
        yield v, 0.6, 30, 1e-8, CAP, 0
    for v, ramp in ((0.1, 0.03), (0.1, 0.15), (0.1, 0.3), (0.1, 1.2), (0.1, 3), (0.2, 0.06), (0.2, 0.3), (0.2, 1.2), (0.05, 0.3)):
        yield v, ramp, 30, 1e-8, CAP, 0
    for v, dt in ((0.1, 10), (0.1, 15), (0.1, 20), (0.1, 40), (0.1, 60), (0.2, 10), (0.2, 15), (0.2, 60)):
        yield v, 0.6, dt, 1e-8, CAP, 0
    for tolerance in (1e-5, 1e-6, 3e-7, 1e-7, 1e-9):
        yield 0.1, 0.6, 30, tolerance, CAP, 0
    for v, ramp, dt, tolerance in ((0.2, 0.6, 30, 1e-6), (0.2, 1.2, 30, 1e-5), (0.2, 1.2, 30, 1e-6), (0.2, 1.2, 30, 1e-7), (0.1, 0.3, 30, 1e-6), (0.05, 0.3, 30, 1e-6),
                                   (0.05, 0.3, 30, 1e-7), (0.1, 0.6, 15, 1e-6), (0.1, 0.6, 20, 1e-6), (0.1, 0.6, 50, 1e-6), (0.1, 0.6, 60, 1e-6)):
        yield v, ramp, dt, tolerance, CAP, 0
    for cap in (20000, 50000, 200000):
        yield 0.1, 0.6, 30, 1e-8, cap, 0
    for v, ramp in ((0.1, 0.6), (1, 0.6), (1, 0.03)):
        yield v, ramp, 30, 1e-8, 20000000, 0
    for v, rise in ((0.1, 3), (0.1, 30), (0.02, 3), (0.02, 15), (0.01, 15), (0.01, 30)):
        yield v, 0.6, 30, 1e-8, CAP, rise
    for tolerance in (1e-8, 1e-6):
        yield 0.01, 0.6, 30, tolerance, 20000000, 15
    for acceleration in ("careful", "momentum"):
        yield 0.1, 0.6, 30, 1e-8, CAP, 0, acceleration
        yield 0.01, 0.6, 30, 1e-8, CAP, 15, acceleration


def run(a):
    talus, keep, (v, ramp, dt, tolerance, cap, rise, *more), (layout, rotation, phi) = a
    name = f"v {v} ramp {ramp} dt {dt} tolerance {tolerance:g} cap {cap} rise {rise} {layout} {rotation} {phi}" + "".join(f" {m}" for m in more)
    strain = round(0.0004 + v * (rise + ramp / 2) / PITCH, 6)  # a little beyond the ramps: the load only falls from there
    words = dict(layout=layout, rotation=rotation, phi_mu=f"{phi} deg", velocity=f"{v} mm/s", ramp=f"{ramp} s", dt=f"{dt} ms", tolerance=tolerance,
                 strain_max=strain, impulse__max_sweeps=cap, output__vtk="false")
    if more:
        words["impulse__acceleration"] = more[0]
    if rise:
        words["friction_ramp"] = f"{rise} s"
    out = folder_of(keep, name)
    return figures_of(out) if run_case(talus, out, "rowe", words) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talus", default=str(HERE.parents[2] / "build/bin/talus"))
    parser.add_argument("--keep", type=Path, help="run folders go there")
    parser.add_argument("--jobs", type=int, default=2)
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(a.jobs) as pool:
        keep = (a.keep or Path(scratch)).resolve()
        keep.mkdir(parents=True, exist_ok=True)
        jobs = [(s, [pool.submit(run, (a.talus, keep, s, case)) for case in HARD]) for s in settings()]
        rows = []
        for (v, ramp, dt, tolerance, cap, rise, *more), found in jobs:
            got = [f.result() for f in found]
            if None in got:
                sys.exit("not all runs are done")
            row = dict(velocity_mm_s=v, ramp_s=ramp, dt_ms=dt, tolerance=f"{tolerance:g}", max_sweeps=cap, friction_rises_s=rise, acceleration=more[0] if more else "none")
            for (layout, rotation, phi), f in zip(HARD, got):
                row |= {f"{layout[:3]} {phi} deg": f"{f['ratio_peak_over_limit']:.4f}", f"given up {layout[:3]} {phi} deg": int(f["cap_hits"])}
            row["within 1 %"] = "yes" if all(abs(f["ratio_peak_over_limit"] - 1) < 0.01 for f in got) else "no"
            rows.append(row)
            print(*row.values(), flush=True)
        write_rows(HERE / "tried.csv", rows)


if __name__ == "__main__":
    main()
