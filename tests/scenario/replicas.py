#!/usr/bin/env python3
"""Samples made of copies of a cell: the cell is made once and kept or searched for, copies have its forces, threads and interruptions change no bit.
And what is refused."""
import csv
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from program import SOURCE, Faults, command, done, figures, scratch, sets, state_hash, summary, talus

# A cell of about 90 grains, copied eight times, to the first strains of shear.
SMALL = [*sets(side="1 mm", porosity=0.40, replicas="2x2x1", shear_to=0.003, output__vtk="false", output__hash_every=100)]
# The scene of the cell in this folder: stages that end sooner.
QUICK = {'steps = 8000': 'steps = 2000', 'unbalanced = 1e-4': 'unbalanced = 5e-4'}


def scenes(folder):
    """Copies of the scenes that run in seconds, beside each other."""
    for name in ("pcrm-cell", "pcrm-mixed", "pcrm-crs-m"):
        text = (SOURCE / "scenes" / f"{name}.toml").read_text()
        for old, new in QUICK.items():
            text = text.replace(old, new)
        (folder / f"{name}.toml").write_text(text)


def run(folder, out, *more, threads=1, **keywords):
    return talus("run", "pcrm-crs-m.toml", "--quiet", "--threads", threads, "--out", out, *SMALL, *more, folder=folder, **keywords)


def must(result):
    if result.returncode != 0:
        sys.exit(f"{result.args}\nexit {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def cells(folder):
    return sorted((folder / "runs/cells").glob("*"))


def threads(faults, folder):
    must(run(folder, "one"))
    made = cells(folder)
    faults.check(len(made) == 1, "the cell lies in", made)
    stamp = (made[0] / "summary.json").stat().st_mtime_ns
    hashes = {1: (state_hash(folder / "one"), (folder / "one/hash_chain.csv").read_text())}
    for n in (2, 3, 7):
        must(run(folder, f"t{n}", threads=n))
        hashes[n] = state_hash(folder / f"t{n}"), (folder / f"t{n}/hash_chain.csv").read_text()
        faults.check(hashes[n] == hashes[1], n, "threads: another hash", hashes[n][0], hashes[1][0])
    faults.check(len(hashes[1][1].splitlines()) > 10, "the chain is short")
    faults.check((made[0] / "summary.json").stat().st_mtime_ns == stamp and len(cells(folder)) == 1, "the cell was made again")
    # The cell itself does not depend on threads either.
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    scenes(elsewhere)
    must(run(elsewhere, "two", threads=2))
    faults.check(state_hash(elsewhere / "two") == hashes[1][0], "cell made by 2 threads: another hash")
    return hashes[1]


def figures_of(faults, folder):
    cell, all = figures(cells(folder)[0]), figures(folder / "one")
    print({k: all[k] for k in ("np", "n0", "Z0", "contacts", "net_force_max_rel", "branch_error_rel", "replica_correlation")})
    faults.check(all["np"] == 4 * cell["np"], "grains", all["np"], cell["np"])
    faults.near("porosity of copies and cell", all["n0"], cell["n0"], 1e-4)
    with open(folder / "one/series.csv") as file:
        start = next(csv.DictReader(file))
    faults.near("contacts per grain of copies before step 1", float(start["Z [1]"]), cell["Z0"], 1e-12)  # the same contacts, one division
    faults.check(all["branch_error_rel"] < 1e-12, "branches differ by", all["branch_error_rel"])
    faults.check(all["replica_correlation"] > 0.9, "copies differ: correlation", all["replica_correlation"])
    for name in ("t_cell_s", "t_replicate_s", "t_gen_s", "q_end", "eps_v_end", "pressure", "Z0_int", "n0_int", "steps_to_equilibrium"):
        faults.check(all[name] is not None, name, "is missing:", summary(folder / "one")["figures"][name])
    faults.check(all["t_gen_s"] >= all["t_cell_s"], "t_gen_s", all["t_gen_s"], "t_cell_s", all["t_cell_s"])
    faults.near("pressure", all["pressure"], 1e4, 0.005)
    # Before step 1 the copies are balanced as well as the cell was: its last row, by another mean of the same forces.
    faults.check(all["net_force_max_rel"] < 0.05, "net force at the start", all["net_force_max_rel"])


def interrupted(faults, folder, whole):
    # Killed while the cell is made: the same command goes on with it.
    other = folder / "killed"
    other.mkdir()
    scenes(other)
    process = subprocess.Popen(command("run", "pcrm-crs-m.toml", "--quiet", "--threads", 1, "--out", "run", *SMALL,
                                       *sets(output__checkpoint_every=200)), cwd=other, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while process.poll() is None and not any((other / "runs").rglob("checkpoint-*.h5")):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    code = process.wait()
    faults.check(code == 128 + signal.SIGINT, "stopped while the cell is made: exit", code, process.stderr.read())
    faults.check(not (other / "run").exists(), "stopped while the cell is made: a run folder was begun")
    must(run(other, "run"))
    faults.check(state_hash(other / "run") == whole[0], "cell stopped and gone on with: another hash")
    # Stopped in the run itself, resumed without the cell and its scene.
    half = summary(folder / "one")["provenance"]["time_s"] / 2
    must(run(other, "half", "--until", half))
    shutil.rmtree(other / "runs")
    for name in ("pcrm-cell.toml", "pcrm-crs-m.toml"):
        (other / name).unlink()
    must(talus("resume", "half", "--quiet", folder=other))
    faults.check(state_hash(other / "half") == whole[0], "resumed without the cell: another hash")
    faults.check((other / "half/hash_chain.csv").read_text() == whole[1], "resumed without the cell: another chain")
    # Its last checkpoint is damaged: the end of the cell is made again.
    last = sorted(cells(folder)[0].glob("checkpoint-*.h5"))[-1]
    data = bytearray(last.read_bytes())
    data[len(data) // 2] ^= 1
    last.write_bytes(data)
    must(run(folder, "mended"))
    faults.check(state_hash(folder / "mended") == whole[0], "cell with a damaged checkpoint: another hash")


def from_file(faults, folder, whole):
    last = sorted(cells(folder)[0].glob("checkpoint-*.h5"))[-1]
    shutil.copy(last, folder / "cell.h5")
    must(run(folder, "file", *sets(cell="cell.h5")))
    faults.check(state_hash(folder / "file") == whole[0], "cell from a file: another hash")
    must(run(folder, "disturbed", *sets(cell="cell.h5", dD=0.0075)))
    faults.check(figures(folder / "disturbed")["replica_correlation"] < figures(folder / "one")["replica_correlation"] - 0.1,
                 "dD does not tell copies apart", figures(folder / "disturbed")["replica_correlation"])
    must(run(folder, "moved", *sets(cell="cell.h5", v_ini="0.01 m/s")))
    faults.check(state_hash(folder / "moved") != whole[0], "v_ini does nothing")


def searched(faults, folder):
    """A porosity and a number of contacts, on 90 grains: cells of one recipe differ by much, so it may miss by much."""
    wide = sets(sample__search__small="", sample__search__porosity_within=0.012, sample__search__Z_within=0.3)
    size = [word for pair in zip(SMALL[::2], SMALL[1::2]) if not pair[1].startswith("porosity=") for word in pair]
    search = lambda out, **asked: talus("run", "pcrm-crs-m.toml", "--quiet", "--threads", 1, "--out", out, *size, *wide, *sets(**asked), folder=folder)
    asked = dict(porosity=0.378, Z=2.4)  # as it comes a cell of this porosity has 2.9
    must(search("few", **asked))
    f = figures(folder / "few")
    faults.near("searched: porosity", f["n0"], 0.378, 0.013 / 0.378)  # copies come to rest anew
    faults.near("searched: Z", f["Z0"], 2.4, 0.35 / 2.4)
    with open(folder / "few/inputs/search.csv") as file:
        trials = list(csv.DictReader(file))
    print("trials:", [(t["porosity"], t["stretch_steps"], t["n0"], t["Z0"]) for t in trials])
    faults.check(1 < len(trials) <= 30 and int(trials[-1]["stretch_steps"]) > 0, "trials", trials)
    before = cells(folder)
    must(search("again", **asked))
    faults.check(cells(folder) == before and state_hash(folder / "again") == state_hash(folder / "few"), "a search that is repeated makes other cells")
    result = search("far", porosity=0.40, Z=8, sample__search__trials=3)
    faults.check(result.returncode == 3 and "out of reach" in result.stderr and "nearest" in result.stderr, f"out of reach: exit {result.returncode}:", result.stderr)
    faults.check(not (folder / "far").exists(), "out of reach: a folder was made")
    kept = sorted((folder / "runs/cells").glob("search-*.csv"))
    faults.check(len(kept) == 1 and str(kept[0].relative_to(folder)) in result.stderr, "out of reach: no table of trials:", result.stderr)
    with open(kept[0]) as file:
        tried = list(csv.DictReader(file))
    faults.check(len(tried) == 3 and all(float(t["n0"]) > 0.3 and float(t["Z0"]) > 2 for t in tried), "out of reach: trials", tried)
    result = talus("run", "pcrm-cell.toml", "--quiet", "--out", "far", *sets(side="1 mm", porosity=0.4, Z=2.4), folder=folder)
    faults.check(result.returncode == 2 and "as it comes" in result.stderr, f"a cell that is asked for contacts: exit {result.returncode}:", result.stderr)


def refused(faults, folder):
    must(talus("run", "pcrm-cell.toml", "--quiet", "--out", "restless", *sets(side="1 mm", porosity=0.4, output__vtk="false",
               stage__compression__unbalanced=0.9, stage__compression__tolerance=0.9, stage__rest__unbalanced=0.9, stage__rest__tolerance=0.9), folder=folder))
    restless = sorted((folder / "restless").glob("checkpoint-*.h5"))[-1]
    must(talus("run", "pcrm-cell.toml", "--quiet", "--out", "growing", "--until", "1e-6", *sets(side="1 mm", porosity=0.4, output__vtk="false"), folder=folder))
    growing = sorted((folder / "growing").glob("checkpoint-*.h5"))[-1]
    whole = (folder / "cell.h5").read_bytes()
    (folder / "cut.h5").write_bytes(whole[: len(whole) // 2])
    flipped = bytearray(whole)
    flipped[-100] ^= 8
    (folder / "flipped.h5").write_bytes(flipped)
    (folder / "empty.h5").write_bytes(b"")
    text = (folder / "pcrm-crs-m.toml").read_text()
    (folder / "linear.toml").write_text(text.replace('law = "hertz-mindlin"', 'law = "linear"\nnormal_stiffness = "1 MN/m"'))
    (folder / "walls.toml").write_text(text + '\n[boundary.box]\nkind = "box"\n')
    (folder / "grains.toml").write_text(text + '\n[grains.sand]\ncount = 3\n')
    (folder / "itself.toml").write_text(text.replace('"pcrm-cell"', '"itself"'))
    (folder / "clay.toml").write_text(text.replace("material.quartz", "material.clay"))
    (folder / "none.toml").write_text(text.replace('scene = "pcrm-cell"', ''))
    cases = {
        "cut short": ("pcrm-crs-m", dict(cell="cut.h5"), "cut short"),
        "damaged": ("pcrm-crs-m", dict(cell="flipped.h5"), "damaged"),
        "empty": ("pcrm-crs-m", dict(cell="empty.h5"), "empty"),
        "not there": ("pcrm-crs-m", dict(cell="nothing.h5"), "nothing.h5"),
        "not at rest": ("pcrm-crs-m", dict(cell=restless), "not at rest"),
        "nearly at rest": ("pcrm-crs-m", dict(cell="cell.h5", sample__unbalanced=1e-9), "not at rest"),
        "still growing": ("pcrm-crs-m", dict(cell=growing), "full size"),
        "of another friction": ("pcrm-crs-m", dict(cell="cell.h5", friction=0.3), "friction of 0.275"),
        "of another material": ("clay", dict(cell="cell.h5"), "'quartz'"),
        "of another law": ("linear", dict(cell="cell.h5"), "linear"),
        "under two grains wide": ("pcrm-crs-m", dict(side="0.4 mm"), "less than two of its largest grains"),
        "disturbed too much": ("pcrm-crs-m", dict(cell="cell.h5", dD=0.5), "dD"),
        "copied by no numbers": ("pcrm-crs-m", dict(cell="cell.h5", replicas="2x2"), "3 numbers"),
        "opened along q": ("pcrm-crs-m", dict(cell="cell.h5", sample__open="q"), "no list of axes"),
        "with walls around": ("walls", dict(cell="cell.h5"), "walls"),
        "with grains": ("grains", dict(cell="cell.h5"), "come with the sample"),
        "of the scene itself": ("itself", {}, "from itself"),
        "of no scene": ("none", {}, "neither a scene nor a file"),
        "of an unknown scene": ("pcrm-crs-m", dict(sample__scene="pcrm-cel"), "pcrm-cell"),
        "of an unknown parameter": ("pcrm-crs-m", dict(sample__set__sid="1 mm"), "side"),
        "with so many contacts": ("pcrm-crs-m", dict(Z=20), "Z"),
    }
    for what, (scene, settings, words) in cases.items():
        base = dict(replicas="2x2x1", shear_to=0.003, side="1 mm", porosity=0.4)
        result = talus("run", f"{scene}.toml", "--quiet", "--out", "refused", *sets(**{**base, **settings}), folder=folder)
        faults.check(result.returncode == 2 and words in result.stderr, f"a cell {what}: exit {result.returncode}:", result.stderr)
        faults.check(not (folder / "refused").exists(), f"a cell {what}: a folder was made")
        shutil.rmtree(folder / "refused", ignore_errors=True)


def main():
    faults = Faults()
    with scratch() as name:
        folder = pathlib.Path(name)
        scenes(folder)
        looked = must(talus("check", "pcrm-crs-m.toml", *SMALL, folder=folder))
        faults.check("grains            " in looked.stdout and not (folder / "runs").exists(), "check makes the cell, or says nothing")
        whole = threads(faults, folder)
        figures_of(faults, folder)
        from_file(faults, folder, whole)
        refused(faults, folder)
        interrupted(faults, folder, whole)
        searched(faults, folder)
    faults.finish()


if __name__ == "__main__":
    main()
