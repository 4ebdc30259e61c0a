"""Runs of a study: a folder for each case, made, resumed or left as it is; what their summaries say as rows of a table.

Used by the study.py of the pages under docs/results.
"""
import csv, json, re, subprocess, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def folder_of(keep, name):
    return keep / re.sub(r"[ /]", "_", name.replace(",", ""))


def is_done(folder):
    file = folder / "summary.json"
    return file.exists() and json.loads(file.read_text())["provenance"]["status"] == "done"


def run_case(talus, folder, scene, settings):
    """Runs a scene of scenes/ on one thread, or goes on with a run that was stopped. Whether it is done; says on stderr why not."""
    if is_done(folder):
        return True
    words = [talus, "run", str(ROOT / "scenes" / f"{scene}.toml"), "--out", str(folder), "--threads", "1", "--quiet"]
    for key, value in settings.items():
        words += ["--set", f"{key.replace('__', '.')}={value}"]
    if any(folder.glob("checkpoint-*")):
        words = [talus, "resume", str(folder), "--threads", "1", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{' '.join(words)}\n{done.stderr}", file=sys.stderr, flush=True)
    return done.returncode == 0


def figures_of(folder):
    return {name: f["value"] for name, f in json.loads((folder / "summary.json").read_text())["figures"].items()}


def row_of(folder, names):
    """Steps, wall time, final hash, and figures to six digits; empty where a run has none."""
    provenance, found = json.loads((folder / "summary.json").read_text())["provenance"], figures_of(folder)
    row = dict(steps=provenance["steps"], wall_s=round(provenance["wall_time_s"], 1), state_hash=provenance["state_hash"])
    return row | {name: "" if found.get(name) is None else f"{found[name]:.6g}" for name in names}


def write_rows(path, rows):
    with open(path, "w", newline="") as f:
        writer = csv.DictWriter(f, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
