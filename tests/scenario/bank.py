#!/usr/bin/env python3
"""The bank of samples: save, list, card, take by name, take instead of making it again, representative size; nothing is written over, and what is wrong is refused."""
import csv
import json
import pathlib
import shutil
import subprocess

from program import SOURCE, Faults, command, done, figures, scratch, sets, state_hash, talus

faults = Faults()
CELL = sets(side="1 mm", porosity=0.40, output__vtk="false", output__film_frames=0)
COPIES = CELL + sets(replicas="2x1x1", shear_to=0.001)


def saved(folder):
    """A cell of a hundred grains, saved; its card says what its run said."""
    done("run", "pcrm-cell.toml", "--quiet", "--threads", 1, "--out", "cell", *CELL, folder=folder)
    said = done("sample", "save", "cell", "dense", folder=folder).stdout
    faults.check("dense" in said and "hertz-mindlin" in said and "Z " in said, "the card does not tell of the sample:", said)
    card = json.loads(done("sample", "card", "dense", "--json", folder=folder).stdout)
    run = figures(folder / "cell")
    faults.check(card["grains"] == run["np"], "card: grains", card["grains"])
    for name, figure in (("porosity", "n0"), ("Z", "Z0"), ("pressure", "pressure"), ("unbalanced", "unbalanced_final")):
        # Forces are those of the sample at rest, without its last velocities and the dashpots they work on.
        faults.near(f"card: {name}", card[name], run[figure], 1e-12 if name in ("porosity", "Z") else 1e-3 if name == "pressure" else 0.1)
    faults.near("card: sum of the fabric", sum(card["fabric"][k][k] for k in range(3)), 1, 1e-12)
    faults.check("checked" in done("sample", "card", "dense", folder=folder).stdout, "the card was not checked")
    rows = done("sample", "list", folder=folder).stdout.splitlines()
    faults.check(len(rows) == 2 and rows[1].startswith("dense "), "list:", rows)
    return card


def taken(folder, card):
    """By name as by its file; as what another scene would make first."""
    done("run", "pcrm-crs-s.toml", "--quiet", "--threads", 1, "--out", "by-name", *COPIES, *sets(cell="dense"), folder=folder)
    file = f"samples/dense-{card['hash']}.h5"
    done("run", "pcrm-crs-s.toml", "--quiet", "--threads", 1, "--out", "by-file", *COPIES, *sets(cell=file), folder=folder)
    faults.check(state_hash(folder / "by-name") == state_hash(folder / "by-file"), "by name another sample than by file")
    # What a scene has made for itself, saved: it is found by the text of its scene when the run that made it is gone.
    done("run", "pcrm-crs-s.toml", "--quiet", "--threads", 1, "--out", "made", *COPIES, folder=folder)
    made, = (folder / "runs/cells").iterdir()
    done("sample", "save", made, "recipe", folder=folder)
    shutil.rmtree(folder / "runs")
    done("run", "pcrm-crs-s.toml", "--quiet", "--threads", 1, "--out", "by-recipe", *COPIES, folder=folder)
    faults.check(not (folder / "runs").exists(), "a sample that the bank has was made again")
    faults.check(state_hash(folder / "by-recipe") == state_hash(folder / "made"), "by recipe another sample than the one that was made")
    # A run that took a sample goes on without the bank.
    done("run", "pcrm-crs-s.toml", "--quiet", "--threads", 1, "--out", "part", *COPIES, *sets(cell="dense"), "--until", 1e-5, folder=folder)
    shutil.move(folder / "samples", folder / "elsewhere")
    done("resume", "part", "--quiet", "--threads", 2, folder=folder)
    shutil.move(folder / "elsewhere", folder / "samples")
    faults.check(state_hash(folder / "part") == state_hash(folder / "by-name"), "resumed without the bank: another state")
    # A copy of a sample knows where it comes from; one from the middle of a run is not what its scene makes.
    done("sample", "save", "by-name", "copies", folder=folder)
    copies = json.loads(done("sample", "card", "copies", "--json", folder=folder).stdout)
    faults.check(copies["parent"].startswith("dense "), "the parent of copies is", copies["parent"])
    faults.check(copies["grains"] == 2 * card["grains"], "copies have", copies["grains"], "grains")
    earlier = min((folder / "by-name").glob("checkpoint-*.h5"))
    done("sample", "save", earlier, "earlier", folder=folder)
    early = json.loads(done("sample", "card", "earlier", "--json", folder=folder).stdout)
    faults.check(early["recipe"] == copies["recipe"] and early["hash"] != copies["hash"] and not early["is_end_of_run"], "a sample from the middle of a run:", early)


def refused(folder, card):
    file = folder / f"samples/dense-{card['hash']}.h5"
    before = file.read_bytes()
    cases = {
        "a name that is there": (("sample", "save", "cell", "dense"), "already"),
        "a name with a slash": (("sample", "save", "cell", "a/b"), "cannot have this name"),
        "no such run": (("sample", "save", "cel", "other"), "did you mean 'cell'"),
        "no such sample": (("sample", "card", "dens"), "did you mean 'dense'"),
        "no name": (("sample", "card"), "name"),
        "a run without a file": (("sample", "cell"), "--out"),
        "taken by a wrong name": (("run", "pcrm-crs-s.toml", *COPIES, *sets(cell="dnese")), "did you mean 'dense'"),
        "rev: one size": (("sample", "rev", "pcrm-cell.toml", "--vary", "side=1mm", "--figure", "n0"), "one size only"),
        "rev: falling sizes": (("sample", "rev", "pcrm-cell.toml", "--vary", "side=1mm,0.9mm", "--figure", "n0"), "not larger"),
        "rev: no such figure": (("sample", "rev", "pcrm-cell.toml", "--vary", "side=0.9mm,1mm", "--figure", "porosity_fnal", "--quiet", *sets(porosity=0.40, output__vtk="false")), "no figure"),
    }
    for what, (words, says) in cases.items():
        result = talus(*words, folder=folder)
        faults.check(result.returncode == 2 and says in result.stderr, f"{what}: exit {result.returncode}:", result.stderr)
    faults.check(file.read_bytes() == before, "a sample of the bank was changed")
    # A folder of the name of a command.
    shutil.copytree(folder / "cell", folder / "list")
    done("sample", "./list", "--out", "places.csv", folder=folder)
    faults.check((folder / "places.csv").exists(), "./list was not read as a folder")
    # A file that is not what its card says: another sample under this name; a damaged one.
    other = folder / "samples" / f"other-{'0' * 16}.h5"
    shutil.copy(next((folder / "cell").glob("checkpoint-*.h5")), other)
    result = talus("sample", "card", "other", folder=folder)
    faults.check(result.returncode == 2 and "no card" in result.stderr, "without a card: exit", result.returncode, result.stderr)
    damaged = bytearray(before)
    damaged[len(damaged) // 2] ^= 1
    (folder / "samples/notes-of-somebody.h5").write_text("no sample")
    rows = done("sample", "list", folder=folder).stdout.splitlines()
    faults.check(any(row.startswith("dense ") for row in rows), "list stops at a file that is no sample:", rows)
    (folder / "samples/notes-of-somebody.h5").unlink()
    other.write_bytes(damaged)
    result = talus("sample", "card", "other", folder=folder)
    faults.check(result.returncode == 2, "damaged: exit", result.returncode, result.stderr)
    other.unlink()


def made_once(folder):
    """Runs side by side that need the same cell: one makes it, the other waits for it."""
    size = sets(side="1 mm", porosity=0.41, replicas="2x1x1", shear_to=0.001, output__vtk="false", output__film_frames=0)
    words = [command("run", "pcrm-crs-s.toml", "--quiet", "--threads", 1, "--out", out, *size) for out in ("one", "two")]
    both = [subprocess.Popen(w, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for w in words]
    for process in both:
        _, said = process.communicate(timeout=300)
        faults.check(process.returncode == 0, "side by side: exit", process.returncode, said)
    faults.check(len(list((folder / "runs/cells").iterdir())) == 1, "the cell was not made once")
    faults.check(state_hash(folder / "one") == state_hash(folder / "two"), "side by side: another state")


def representative(folder):
    size = sets(porosity=0.40, output__vtk="false", output__film_frames=0)
    found = talus("sample", "rev", "pcrm-cell.toml", "--vary", "side=0.9mm,1mm,1.1mm", "--figure", "n0", "--within", 0.05, "--seeds", 2, "--quiet", "--threads", 1, "--out", "rev", *size, folder=folder)
    faults.check(found.returncode == 0 and "representative: side = 0.9mm" in found.stdout, "rev: exit", found.returncode, found.stdout, found.stderr)
    with (folder / "rev/rev.csv").open() as file:
        rows = list(csv.DictReader(file))
    mean = sum(figures(folder / f"rev/side=1mm-seed-{s}")["n0"] for s in (1, 2)) / 2
    faults.near("rev: mean of two seeds", float(rows[1]["n0"]), mean, 1e-8)
    faults.near("rev: change", float(rows[1]["change"]), abs(float(rows[1]["n0"]) - float(rows[0]["n0"])) / float(rows[1]["n0"]), 1e-2)
    never = talus("sample", "rev", "pcrm-cell.toml", "--vary", "side=0.9mm,1.2mm", "--figure", "np", "--within", 0.05, "--quiet", "--threads", 1, "--out", "rev-np", *size, folder=folder)
    faults.check(never.returncode == 3 and "depends on side" in never.stderr, "rev of a number that grows: exit", never.returncode, never.stderr)


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        for scene in ("pcrm-cell", "pcrm-crs-s", "pcrm-mixed"):
            shutil.copy(SOURCE / f"scenes/{scene}.toml", folder)
        card = saved(folder)
        taken(folder, card)
        refused(folder, card)
        made_once(folder)
        representative(folder)
    faults.finish()


if __name__ == "__main__":
    main()
