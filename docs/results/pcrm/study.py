#!/usr/bin/env python3
"""Runs the samples of the cell-replication paper and writes their figures beside the printed ones.

    docs/results/pcrm/study.py --out FOLDER [NAME ...]    runs what FOLDER does not have yet (all, or those named), then writes results.csv; rows of other samples stay
    docs/results/pcrm/study.py --out FOLDER --table       writes it and prints the tables, and runs nothing
    docs/results/pcrm/study.py --out FOLDER --csv FILE    results elsewhere than beside this script
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
TALUS = pathlib.Path(os.environ.get("TALUS", HERE.parents[2] / "build/bin/talus")).resolve()

# Scene and settings; then what the paper prints (tables 1 and 3): n_int, n, Z_int, Z, Np, minutes. Cells with the paper's Z are searched for.
RUNS = {
    "S": ("pcrm-s", {"Z": "2.53"}, (0.373, 0.376, 2.84, 2.53, 1465, "4")),
    "M": ("pcrm-m", {"Z": "2.30"}, (0.375, 0.387, 2.37, 2.30, 5036, "31")),
    "L": ("pcrm-l", {"Z": "2.34"}, (0.378, 0.388, 2.43, 2.34, 40326, "160")),
    "S*": ("pcrm-s-star", {}, (0.372, 0.376, 3.45, 3.23, 1465, "4")),
    "L-CRS(S)": ("pcrm-crs-s", {"Z": "2.53"}, (0.379, 0.377, 2.51, 2.53, 39555, "4+8")),
    "L-CRS(M)": ("pcrm-crs-m", {"Z": "2.30"}, (0.387, 0.387, 2.74, 2.44, 40288, "31+6")),
    "L-CRS(S) dD 0.75 %": ("pcrm-crs-s-dd", {"Z": "2.53"}, (0.378, 0.376, 2.42, 2.35, 39555, "4+8+60")),
    "L-CRS(S) dD 0.1 %": ("pcrm-crs-s-dd", {"Z": "2.53", "dD": "0.001"}, None),
    "L-CRS(S) dD 0.0001 %": ("pcrm-crs-s-dd", {"Z": "2.53", "dD": "0.000001"}, None),
    "L-CRS(S) v_ini": ("pcrm-crs-s-vini", {"Z": "2.53"}, None),
    "S as it comes": ("pcrm-s", {}, None),
    "M as it comes": ("pcrm-m", {}, None),
    "L as it comes": ("pcrm-l", {}, None),
    "L-CRS(S) as it comes": ("pcrm-crs-s", {}, None),
    "L-CRS(M) as it comes": ("pcrm-crs-m", {}, None),
}
# What is compared, and the band that it is to lie in.
PAIRS = (("L-CRS(M)", "L", "q plateau within 5 %"), ("L-CRS(M) as it comes", "L as it comes", "q plateau within 5 %"), ("S", "L", "q plateau"), ("L-CRS(S)", "S", "q plateau"))
FIGURES = ("np", "n0", "n0_int", "Z0", "Z0_int", "contacts", "pressure", "shear_stress_rel", "equilibrium_ratio", "steps_to_equilibrium", "branch_error_rel",
           "net_force_max_rel", "t_cell_s", "t_replicate_s", "t_gen_s", "q_end", "eps_v_end", "q_peak", "q_plateau", "q_fluctuation", "replica_correlation")
EARLY = 0.004  # axial strain at which samples are compared before their plateaus: q_04, Pa


def folder_of(out, name):
    return out / "".join(c if c.isalnum() or c in "-." else "_" for c in name)


def run(out, name, options):
    scene, settings, _ = RUNS[name]
    folder = folder_of(out, name)
    words = ["resume", folder] if (folder / "scene.toml").exists() else [
        "run", scene, "--out", folder, *(w for k, v in settings.items() for w in ("--set", f"{k}={v}"))]
    if words[0] == "run":
        words += [w for s in options.set for w in ("--set", s)]
    code = subprocess.run([TALUS, *map(str, words), *(["--threads", str(options.threads)] if options.threads else []), *(["--device", options.device] if options.device else [])], cwd=out).returncode
    if code == 3:
        print(f"{name}: not made, as said above", flush=True)
    elif code:
        raise SystemExit(code)


def found(out):
    for name in RUNS:
        path = folder_of(out, name) / "summary.json"
        if path.exists():
            summary = json.loads(path.read_text())
            figures = {k: summary["figures"].get(k, {}).get("value") for k in FIGURES}
            yield name, {**figures, "q_04": at_strain(out, name, EARLY), "wall_s": summary["provenance"]["wall_time_s"], "hash": summary["provenance"]["state_hash"]}


def text(value, digits):
    return "–" if value is None else f"{value:.{digits}f}"


def at_strain(out, name, strain):
    """q in Pa at an axial strain of the stage that shears."""
    with open(folder_of(out, name) / "series.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    column = {key.split(" ")[0]: key for key in rows[0]}
    last = max(float(r[column["stage"]]) for r in rows)
    sheared = [(float(r[column["axial_strain"]]), float(r[column["q"]])) for r in rows if float(r[column["stage"]]) == last]
    before = [x for x in sheared if x[0] <= strain]
    after = [x for x in sheared if x[0] > strain]
    if not before or not after:
        return None
    (a, qa), (b, qb) = before[-1], after[0]
    return qa + (strain - a) / (b - a) * (qb - qa)


def all_rows(out, path):
    """What the file has, and what is in the folder instead of it; in the order of RUNS."""
    rows = dict(found(out))
    if path.exists():
        with open(path, newline="") as file:
            for line in csv.DictReader(file):
                name = line.pop("sample")
                known = {k: v if k == "hash" else float(v) if v else None for k, v in line.items()}
                rows.setdefault(name, {k: known.get(k) for k in (*FIGURES, "q_04", "wall_s", "hash")})
    return {name: rows[name] for name in RUNS if name in rows}


def write(rows, path):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["sample", *next(iter(rows.values()))])
        for name, figures in rows.items():
            writer.writerow([name, *figures.values()])


def table(rows):
    print("Tables 1 and 3: this program / paper\n")
    print("| sample | grains | n | n inside | Z | Z inside | generation, s / min | of the cell, s |")
    print("|" + "---|" * 8)
    for name, f in rows.items():
        p = RUNS[name][2] or (None,) * 6
        both = [(f["np"], p[4], 0), (f["n0"], p[1], 4), (f["n0_int"], p[0], 4), (f["Z0"], p[3], 2), (f["Z0_int"], p[2], 2)]
        cells = [f"{text(mine, digits)} / {text(theirs, min(digits, 3))}" for mine, theirs, digits in both]
        print(f"| {name} | {' | '.join(cells)} | {text(f['t_gen_s'], 1)} / {p[5] or '–'} | {text(f['t_cell_s'], 1)} |")
    print("\nTriaxial compression at 100 kPa; the paper's plateau is 260 kPa, band 25 kPa\n")
    print("| sample | q at 0.4 % strain, kPa | q plateau, kPa | less 260 | scatter of q, kPa | volumetric strain at the end | correlation at 0.2 % |")
    print("|" + "---|" * 7)
    for name, f in rows.items():
        kilo = {k: None if f[k] is None else f[k] / 1e3 for k in ("q_plateau", "q_fluctuation")}
        early = f["q_04"]
        less = None if kilo["q_plateau"] is None else kilo["q_plateau"] - 260
        print(f"| {name} | {text(early and early / 1e3, 1)} | {text(kilo['q_plateau'], 1)} | {text(less, 1)} | {text(kilo['q_fluctuation'], 2)} | {text(f['eps_v_end'], 4)} | "
              f"{text(f['replica_correlation'], 3)} |")
    print()
    for a, b, what in PAIRS:
        if a in rows and b in rows and rows[a]["q_plateau"] and rows[b]["q_plateau"]:
            print(f"* {what}: {a} over {b} {rows[a]['q_plateau'] / rows[b]['q_plateau']:.3f}")
    if "S" in rows and "S*" in rows:
        low, high = rows["S"]["q_04"], rows["S*"]["q_04"]
        if low and high:
            print(f"* q at 0.4 % strain at least 15 % higher: S* over S {high / low:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=", ".join(RUNS))
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--csv", type=pathlib.Path, default=HERE / "results.csv")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="of every run, as of talus run")
    parser.add_argument("--threads", type=int, help="of each run; left out: all processors")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="where to run; the same bits")
    options = parser.parse_args()
    out = options.out.resolve()
    for name in options.names:
        if name not in RUNS:
            parser.error(f"no sample {name!r}; there are {', '.join(RUNS)}")
    if not options.table:
        out.mkdir(parents=True, exist_ok=True)
        for name in options.names or RUNS:
            run(out, name, options)
    rows = all_rows(out, options.csv)
    write(rows, options.csv)
    table(rows)


if __name__ == "__main__":
    main()
