#!/usr/bin/env python3
"""A sweep runs every combination, goes on where it was stopped, names the run that fails and ends with one table and one page; two of
its folders can be compared."""
import csv
import pathlib
import shutil

from program import Faults, done, files_in, figures, scratch, sets, talus

faults = Faults()
check = faults.check

VARY = ["--vary", "restitution=0.4,0.8", "--vary", "speed=0.1m/s:0.3m/s:3"]


def rows(folder):
    with open(folder / "sweep.csv", newline="") as file:
        return list(csv.DictReader(file))


def whole(folder):
    study = folder / "study"
    words = ["sweep", "impact", *VARY, "--seeds", 2, "--jobs", 2, "--threads", 1, "--out", study]
    told = done(*words, folder=folder)
    check("12 of 12 runs done" in told.stdout and "verdict: " in told.stdout.splitlines()[3], "a sweep tells", told.stdout)
    table = rows(study)
    check(len(table) == 12, "the table has", len(table), "rows")
    check([(r["restitution [1]"], r["speed [m/s]"], r["seed"]) for r in table[:3]]
          == [("0.4", "0.1", "1"), ("0.4", "0.1", "2"), ("0.4", "0.2", "1")], "the table begins with", table[:3])
    one = study / "restitution=0.8,speed=0.2m" / "s"  # no folder inside a folder
    check(not one.exists() and (study / "restitution=0.8,speed=0.2m+s/seed-1").is_dir(), "a value with a slash makes folders")
    for r in table:
        value = figures(study / r["run"])["restitution"]
        check(float(r["restitution_result [1]"]) == float(f"{value:.10g}"), "the table tells of", r["run"], r["restitution_result [1]"], "instead of", value)
        # The dashpot's rebound is within 1 % of what is asked for (dynamics.restitution_error).
        check(abs(value - float(r["restitution [1]"])) < 0.01, r["run"], "rebounds with", value)
    page = (study / "report.html").read_text()
    for words in ("sweep over restitution and speed", "Figures against speed", "restitution 0.4"):
        check(words in page, "the page does not tell", words)

    # It goes on: what is there stays as it is, what is gone is made again with the same result.
    before = files_in(study)
    gone = study / "restitution=0.4,speed=0.3m+s/seed-2"
    hash_before = before[str((gone / "hash_chain.csv").relative_to(study))]
    shutil.rmtree(gone)
    done("resume", study, "--quiet", folder=folder)
    after = files_in(study)
    check(set(before) == set(after), "a resumed sweep has other files:", set(before) ^ set(after))
    check(after[str((gone / "hash_chain.csv").relative_to(study))] == hash_before, "a run that was made again has another hash")
    kept = [name for name in before if "/" in name and not name.startswith(str(gone.relative_to(study)))]
    check(all(before[name] == after[name] for name in kept), "a resumed sweep has made runs again that were done")
    other = talus("sweep", "impact", "--vary", "restitution=0.4", "--out", study, folder=folder)
    check(other.returncode == 2 and "another sweep" in other.stderr, "another sweep into its folder:", other.returncode, other.stderr)
    return study


def failing(folder):
    """An impact so fast that the overlap stops the run."""
    study = folder / "failing"
    result = talus("sweep", "impact", "--vary", "speed=0.1m/s,900m/s,0.2m/s", "--threads", 1, "--out", study, folder=folder)
    check(result.returncode == 3 and "speed=900m+s/seed-1 failed" in result.stderr and "overlap" in result.stderr, "a failing run:",
          result.returncode, result.stderr)
    check([r["status"].split(":")[0] for r in rows(study)] == ["done", "failed", "done"], "the table of a sweep with a failing run")
    check("speed=900m+s" in (study / "report.html").read_text(), "the page does not name the run that failed")


def compared(folder, study):
    a, b = study / "restitution=0.4,speed=0.1m+s", study / "restitution=0.8,speed=0.1m+s"
    done("report", a, b, "--out", folder / "two.html", folder=folder)
    page = (folder / "two.html").read_text()
    for words in ("restitution 0.4 against restitution 0.8", "Difference", "More than chance?"):
        check(words in page, "the comparison does not tell", words)


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        study = whole(folder)
        failing(folder)
        compared(folder, study)
    faults.finish()


main()
