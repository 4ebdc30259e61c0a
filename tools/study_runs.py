"""Runs of a study: a folder for each case, made, resumed or left as it is; what their summaries say as rows of a table.

Used by the study.py of the pages under docs/results.
"""
import csv, json, re, shutil, subprocess, sys, time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def folder_of(keep, name):
    return keep / re.sub(r"[ /]", "_", name.replace(",", ""))


def is_done(folder):
    file = folder / "summary.json"
    return file.exists() and json.loads(file.read_text())["provenance"]["status"] == "done"


def run_case(talus, folder, scene, settings, until=None):
    """Runs a scene of scenes/ on one thread, or goes on with a run that was stopped. Whether it is done; says on stderr why not. At the time
    `until` (of time.monotonic) the run is told to stop: it saves itself and can be resumed."""
    if is_done(folder):
        return True
    words = [talus, "run", str(ROOT / "scenes" / f"{scene}.toml"), "--out", str(folder), "--threads", "1", "--quiet"]
    for key, value in settings.items():
        words += ["--set", f"{key.replace('__', '.')}={value}"]
    if any(folder.glob("checkpoint-*")):
        words = [talus, "resume", str(folder), "--threads", "1", "--quiet"]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        _, said = run.communicate(timeout=None if until is None else max(0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        run.terminate()
        _, said = run.communicate()
    if run.returncode != 0:
        print(f"{' '.join(words)}\n{said}", file=sys.stderr, flush=True)
    return run.returncode == 0


def copy_run(folder, target):
    """Scene, summary, hash chain of a run into a folder of a page; the command without the places of this machine."""
    target.mkdir(exist_ok=True)
    for file in ("scene.toml", "hash_chain.csv"):
        shutil.copyfile(folder / file, target / file)
    summary = re.sub(r' --out [^\s"]+', "", (folder / "summary.json").read_text())
    summary = re.sub(r'(talus run) [^\s"]*/([^\s"]+)\.toml', r"\1 \2", summary)
    summary = re.sub(r'(talus resume) [^\s"]*/([^\s"]+)', r"\1 \2", summary)
    json.loads(summary)
    (target / "summary.json").write_text(summary)


def copy_series(folder, target, kept=None, rows=None):
    """The series of a run into a folder of a page: those columns (without units; none named: all), and about so many rows, its last one among them."""
    with open(folder / "series.csv", newline="") as f:
        head, *lines = [line for line in csv.reader(f) if not line[0].startswith("#")]
    every = 1 if rows is None else max(1, len(lines) // rows)
    columns = [k for k, name in enumerate(head) if kept is None or name.split(" ")[0].split("[")[0] in kept]
    with open(target / "series.csv", "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([line[k] for k in columns] for line in [head] + lines[:-1:every] + lines[-1:])


def copy_picture(folder, target, name="sample.png"):
    if (folder / name).exists():
        shutil.copyfile(folder / name, target / name)


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
