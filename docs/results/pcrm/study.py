#!/usr/bin/env python3
"""Runs the samples of the cell-replication paper and writes their figures beside the printed ones.

    docs/results/pcrm/study.py --out FOLDER [NAME ...]    runs what FOLDER does not have yet (all, or those named), then writes results.csv
    docs/results/pcrm/study.py --out FOLDER --table       prints the table of what is there
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
TALUS = pathlib.Path(os.environ.get("TALUS", HERE.parents[2] / "build/bin/talus")).resolve()

# Scene and settings; then what the paper prints (tables 1 and 3): n_int, n, Z_int, Z, Np, minutes.
RUNS = {
    "S": ("pcrm-s", {}, (0.373, 0.376, 2.84, 2.53, 1465, "4")),
    "M": ("pcrm-m", {}, (0.375, 0.387, 2.37, 2.30, 5036, "31")),
    "L": ("pcrm-l", {}, (0.378, 0.388, 2.43, 2.34, 40326, "160")),
    "L-CRS(S)": ("pcrm-crs-s", {}, (0.379, 0.377, 2.51, 2.53, 39555, "4+8")),
    "L-CRS(M)": ("pcrm-crs-m", {}, (0.387, 0.387, 2.74, 2.44, 40288, "31+6")),
    "L-CRS(S) dD 0.75 %": ("pcrm-crs-s", {"dD": "0.0075"}, (0.378, 0.376, 2.42, 2.35, 39555, "4+8+60")),
    "L-CRS(S) dD 0.1 %": ("pcrm-crs-s", {"dD": "0.001"}, None),
    "L-CRS(S) dD 0.0001 %": ("pcrm-crs-s", {"dD": "0.000001"}, None),
    "L-CRS(S) v_ini": ("pcrm-crs-s", {"v_ini": "0.01 m/s"}, None),
}
FIGURES = ("np", "n0", "n0_int", "Z0", "Z0_int", "contacts", "pressure", "shear_stress_rel", "equilibrium_ratio", "steps_to_equilibrium", "branch_error_rel",
           "net_force_max_rel", "t_cell_s", "t_replicate_s", "t_gen_s", "q_end", "eps_v_end", "q_peak", "q_plateau", "q_fluctuation", "replica_correlation")


def folder_of(out, name):
    return out / "".join(c if c.isalnum() or c in "-." else "_" for c in name)


def run(out, name):
    scene, settings, _ = RUNS[name]
    folder = folder_of(out, name)
    words = ["resume", folder] if (folder / "scene.toml").exists() else [
        "run", scene, "--out", folder, *(w for k, v in settings.items() for w in ("--set", f"{k}={v}"))]
    subprocess.run([TALUS, *map(str, words)], check=True, cwd=out)


def found(out):
    for name in RUNS:
        path = folder_of(out, name) / "summary.json"
        if path.exists():
            summary = json.loads(path.read_text())
            figures = {k: summary["figures"].get(k, {}).get("value") for k in FIGURES}
            yield name, {**figures, "wall_s": summary["provenance"]["wall_time_s"], "hash": summary["provenance"]["state_hash"]}


def text(value, digits):
    return "–" if value is None else f"{value:.{digits}f}"


def table(out):
    print("| sample | Np | n | n inside | Z | Z inside | paper: Np, n, n inside, Z, Z inside | generation, s | paper, min | q plateau, kPa | scatter of q, kPa | correlation |")
    print("|" + "---|" * 12)
    for name, f in found(out):
        p = RUNS[name][2]
        printed = f"{p[4]:,}, {p[1]}, {p[0]}, {p[3]}, {p[2]}" if p else "–"
        kilo = {k: None if f[k] is None else f[k] / 1e3 for k in ("q_plateau", "q_fluctuation")}
        print(f"| {name} | {f['np']:,.0f} | {text(f['n0'], 4)} | {text(f['n0_int'], 4)} | {text(f['Z0'], 2)} | {text(f['Z0_int'], 2)} | {printed} | {text(f['t_gen_s'], 1)} | "
              f"{p[5] if p else '–'} | {text(kilo['q_plateau'], 1)} | {text(kilo['q_fluctuation'], 2)} | {text(f['replica_correlation'], 3)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=", ".join(RUNS))
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    out = options.out.resolve()
    if options.table:
        return table(out)
    for name in options.names:
        if name not in RUNS:
            parser.error(f"no sample {name!r}; there are {', '.join(RUNS)}")
    out.mkdir(parents=True, exist_ok=True)
    for name in options.names or RUNS:
        run(out, name)
    rows = list(found(out))
    with open(HERE / "results.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["sample", *rows[0][1]])
        for name, figures in rows:
            writer.writerow([name, *figures.values()])
    table(out)


if __name__ == "__main__":
    main()
