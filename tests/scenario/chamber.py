#!/usr/bin/env python3
"""A calibration chamber made of copies of a cell, by two methods: a periodic cell cut out by the cylinder, and a slice inside the cylinder. Threads, interruptions, refusals."""
import pathlib
import shutil
import sys

from program import SOURCE, Faults, figures, scratch, sets, state_hash, talus

# Some hundreds of grains. The slice repeats along its axis alone.
CELL = {"a": sets(cell_height="50 mm"), "b": sets(cell_height="42 mm")}
SMALL = sets(height="80 mm", diameter="70 mm", output__vtk="false", output__film_frames=0, output__hash_every=200, probes__every=500, analysis__boxes="[1, 1, 5]", analysis__rings="[3, 3]")


def scenes(folder):
    """Copies of the scenes that run in seconds."""
    for name in ("chamber-a", "chamber-b", "chamber-cell-a", "chamber-cell-b"):
        text = (SOURCE / "scenes" / f"{name}.toml").read_text().replace("steps = 8000", "steps = 2000")
        text = text.replace("unbalanced = 1e-5", "unbalanced = 5e-4" if "cell" in name else "unbalanced = 2e-4")
        (folder / f"{name}.toml").write_text(text)


def run(folder, scene, out, *more):
    return talus("run", f"{scene}.toml", "--quiet", "--out", out, *more, folder=folder)


def must(result):
    if result.returncode != 0:
        sys.exit(f"{result.args}\nexit {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def bits(folder):
    return state_hash(folder), (folder / "hash_chain.csv").read_text()


def method(faults, folder, which):
    scene, size = f"chamber-{which}", SMALL + CELL[which]
    seen = {}
    for n in (1, 2):
        must(run(folder, scene, f"{which}{n}", "--threads", n, *size))
        seen[n] = bits(folder / f"{which}{n}")
    faults.check(seen[1] == seen[2], f"{scene}: 2 threads: another hash")
    faults.check(len(seen[1][1].splitlines()) > 3, f"{scene}: the chain is short")
    f = figures(folder / f"{which}1")
    names = ("np", "n0", "Z0", "net_force_max_rel", "reaction_over_weight", "wall_share", "sigma_v_slope_ratio", "sigma_v_r2", "k0_measured", "displacement_mean_over_d50",
             "displacement_max_over_d", "porosity_change", "porosity_wall_excess", "steps_to_equilibrium")
    print(scene, {k: f[k] for k in names})
    # Some 900 grains of 8 mm in a cylinder of 70 mm: the profile is rough, the balance is not.
    faults.near(f"{scene}: support over weight", f["reaction_over_weight"], 1, 1e-2)
    faults.near(f"{scene}: slope of the vertical stress over the unit weight", f["sigma_v_slope_ratio"], 1, 0.3)
    faults.check(abs(f["wall_share"]) < 1e-12, f"{scene}: a wall without friction carries", f["wall_share"])
    # A cut through the cell takes contacts of all grains at the cylinder, a slice keeps them.
    faults.check(f["displacement_mean_over_d50"] < {"a": 0.2, "b": 0.05}[which], f"{scene}: grains moved by", f["displacement_mean_over_d50"])
    faults.check(f["porosity_wall_excess"] > 0, f"{scene}: no looser ring at the wall", f["porosity_wall_excess"])
    report = (folder / f"{which}1/report.html").read_text()
    faults.check("Stress over depth" in report and "Hoop stress on rings" in report, f"{scene}: the report has no profiles or rings")
    # Stopped half way, and resumed without its cell.
    must(run(folder, scene, f"{which}-half", "--until", 0.004, *size))
    shutil.move(folder / "runs", folder / "elsewhere")
    must(talus("resume", f"{which}-half", "--quiet", folder=folder))
    shutil.move(folder / "elsewhere", folder / "runs")
    faults.check(bits(folder / f"{which}-half") == seen[1], f"{scene}: resumed: another hash")


def rough_walls(faults, folder):
    must(run(folder, "chamber-b", "rough", *SMALL, *CELL["b"], *sets(wall_friction=0.3)))
    f = figures(folder / "rough")
    faults.near("rough wall: support over weight", f["reaction_over_weight"], 1, 1e-2)
    faults.check(abs(f["wall_share"]) > 1e-6, "a rough wall carries nothing")


def interrupted_slice(faults, folder):
    """While the cylinder closes in: threads, and a stop in the middle."""
    size = sets(height="80 mm", diameter="70 mm", cell_height="42 mm", output__hash_every=200)
    must(run(folder, "chamber-cell-b", "slice1", "--threads", 1, *size))
    must(run(folder, "chamber-cell-b", "slice2", "--threads", 2, "--until", 0.02, *size))
    must(talus("resume", "slice2", "--quiet", folder=folder))
    faults.check(bits(folder / "slice1") == bits(folder / "slice2"), "a slice that was stopped has another hash")
    rows = [line.split(",") for line in (folder / "slice1/series.csv").read_text().splitlines()]
    column = {name.split(" ")[0]: rows[-1][k] for k, name in enumerate(rows[0])}
    way = float(column["wall_side_position"])
    faults.check(way != 0, "the cylinder did not move")
    faults.near("radial pressure over the vertical stress", float(column["wall_side_stress"]) / float(column["sigma_zz"]), 0.5, 0.01)


def refused(faults, folder):
    a, b, cell = ((folder / f"{name}.toml").read_text() for name in ("chamber-a", "chamber-b", "chamber-cell-b"))
    base = "[boundary.base]\nkind = \"platen\"\nmaterial = \"wall\"\nface = \"z_low\"\n"
    (folder / "flat.toml").write_text(a.replace('within = "side"', 'within = "base"'))
    (folder / "none.toml").write_text(a.replace('within = "side"', 'within = "sides"'))
    (folder / "order.toml").write_text(b.replace(base, "").replace("[boundary.side]", base + "\n[boundary.side]"))
    (folder / "width.toml").write_text(b.replace('axis = [0, 0, 1]\ndiameter = "$diameter"', 'axis = [0, 0, 1]\ndiameter = "71 mm"'))
    (folder / "aside.toml").write_text(b.replace('axis = [0, 0, 1]\ndiameter = "$diameter"', 'axis = [0, 0, 1]\npoint = ["36 mm", "35 mm", "0 mm"]\ndiameter = "$diameter"'))
    (folder / "tilt.toml").write_text(cell.replace('k0 = "$k0"\n', 'k0 = "$k0"\nhold_shear = true\n'))
    (folder / "within.toml").write_text(cell.replace('within = "side"', 'within = "size"'))
    (folder / "slanted.toml").write_text(cell.replace("axis = [0, 0, 1]", 'axis = [1, 0, 0]\ncontrol = "velocity"\nclosing = "1 mm/s"'))
    cases = {
        "a plane as the wall around": ("flat", "no wall that goes all around"),
        "no such wall": ("none", "no wall that goes all around"),
        "the walls of the slice are not the first": ("order", "states otherwise"),
        "a wider cylinder than the slice's": ("width", "states otherwise"),
        "a cylinder that stands elsewhere": ("aside", "states otherwise"),
        "a cell around a wall that is to tilt": ("tilt", "tilt"),
        "a cell within no wall": ("within", "no wall that goes all around"),
        "a cylinder about another axis": ("slanted", "no wall that goes all around"),
    }
    for what, (scene, words) in cases.items():
        size = SMALL if scene in ("flat", "none", "order", "width", "aside") else sets(height="80 mm", diameter="70 mm")
        result = run(folder, scene, "refused", *size, *CELL["a" if scene in ("flat", "none") else "b"])
        faults.check(result.returncode == 2 and words in result.stderr, f"{what}: exit {result.returncode}:", result.stderr)
        shutil.rmtree(folder / "refused", ignore_errors=True)


def main():
    faults = Faults()
    with scratch() as name:
        folder = pathlib.Path(name)
        scenes(folder)
        for which in "ab":
            method(faults, folder, which)
        rough_walls(faults, folder)
        interrupted_slice(faults, folder)
        refused(faults, folder)
    faults.finish()


if __name__ == "__main__":
    main()
