#!/usr/bin/env python3
"""Puts the studies on small samples into this page, from results.csv and from the run folders that study.py kept: the table, seed 1 beside the page, and the means
that the lines below the table speak of (printed: the lines are written by hand).

    docs/results/biaxial/small_page.py FOLDER     FOLDER: what study.py was given as --keep
"""
import csv, statistics, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "tools"), str(HERE)]
from publish import KEPT, series
from study_runs import copy_run, folder_of

THIN = 4
HEAD = "| case | peak | 10 to 15 % | e before |"


def line(r):
    number = lambda name, form: format(float(r[name]), form)
    return (f"| {r['case']} | {number('phi_peak_deg', '.1f')}° | {number('phi_crit_deg', '.1f')}° | {number('e0', '.3f')} | {number('e_rve', '.3f')} | "
            f"{number('dilation_rate_peak', '.2f')} | {number('inertial_number_max', '.1e')} | {number('penetration_max_rel', '.1e')} | "
            f"{number('iterations_mean', '.0f')} | {number('cap_hits', '.0f')} of {int(r['steps']):,} | {number('residual_max', '.2f')} |")


def renew_table(rows):
    page = HERE / "README.md"
    lines = page.read_text().split("\n")
    first = next(i for i, text in enumerate(lines) if text.startswith(HEAD)) + 2
    last = next(i for i in range(first, len(lines)) if not lines[i].startswith("|"))
    page.write_text("\n".join(lines[:first] + [line(r) for r in rows] + lines[last:]))


def lay_beside(keep, kind):
    run, target = folder_of(keep, f"{kind} seed 1"), HERE / f"small-{kind}-1"
    copy_run(run, target)
    rows, full = series(run)
    with open(target / "series.csv", "w", newline="") as f:
        names = [full[name] for name in KEPT]
        out = csv.DictWriter(f, names, extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        out.writerows(rows[::THIN])


def main():
    rows = list(csv.DictReader(open(HERE / "results.csv")))
    renew_table(rows)
    for kind in ("dense", "loose"):
        lay_beside(Path(sys.argv[1]), kind)
    for group in ("dense seed", "loose seed", "5 corners", "8 corners", "aspect 1.5", "sizes 0.5 to 1", "dense spread 0 ", "loose spread 0 ", "dense spread 0.5", "loose spread 0.5", "velocity", "stress"):
        of = [float(r["phi_crit_deg"]) for r in rows if r["case"].startswith(group)]
        print(f"{group:18} 10 to 15 %: {statistics.mean(of):.1f} ({min(of):.1f} to {max(of):.1f})")
    same = {tuple(v for k, v in r.items() if k.endswith(("deg", "e0", "e_rve"))) for r in rows if r["case"] in ("dense seed 1", "stress and density x 4")}
    print("stress and density x 4 is dense seed 1:", len(same) == 1)
    print("not converged, largest share:", max(float(r["cap_hits"]) / int(r["steps"]) for r in rows), "residual:", max(float(r["residual_max"]) for r in rows))


if __name__ == "__main__":
    main()
