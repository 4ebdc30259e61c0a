#!/usr/bin/env python3
"""Domains whose stress grows with depth, made of copies of a cell: a column in exact balance, a small centrifuge, threads, interruptions, refusals."""
import math
import pathlib
import shutil
import sys

from program import SOURCE, Faults, figures, scratch, sets, state_hash, talus

# A cell of 120 grains, copied into a model of some hundreds.
SMALL = sets(depth="0.12 m", width="0.12 m", discs_per_cell=120, output__vtk="false", output__hash_every=200, probes__every=200)
SPACE = sets(depth="0.1 m", width="0.09 m", discs_per_cell=110, cu=1.2, output__vtk="false", output__hash_every=200, probes__every=200, analysis__boxes="[3, 3, 8]")
QUICK = {"steps = 8000": "steps = 2000"}


def scenes(folder):
    """Copies of the scenes that run in seconds."""
    for name in ("centrifuge", "centrifuge-cell", "centrifuge-3d", "centrifuge-3d-cell", "pcrm-column", "pcrm-column-cell"):
        text = (SOURCE / "scenes" / f"{name}.toml").read_text()
        if name.startswith("centrifuge"):
            for old, new in QUICK.items():
                text = text.replace(old, new)
            text = text.replace("unbalanced = 1e-5", "unbalanced = 5e-4" if name.endswith("-cell") else "unbalanced = 1e-4")
        (folder / f"{name}.toml").write_text(text)


def must(result):
    if result.returncode != 0:
        sys.exit(f"{result.args}\nexit {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def run(folder, scene, out, *more):
    return talus("run", f"{scene}.toml", "--quiet", "--out", out, *more, folder=folder)


def column(faults, folder):
    d, rho, g_s, nu, g = 0.01, 2650, 3e9, 0.3, 9.81
    weight = rho * math.pi / 6 * d**3 * g
    hertz = 2 * g_s * math.sqrt(d) / (3 * (1 - nu))  # N/m^1.5, of equal balls
    overlap = {"hertz-mindlin": lambda f: (f / hertz) ** (2 / 3), "linear": lambda f: f / 1e6}
    for law, of_force in overlap.items():
        for copies, level in ((5, 1), (3, 10)):
            out = f"column-{law}-{level}"
            must(run(folder, "pcrm-column", out, *sets(law=law, copies=copies, g_level=level)))
            f, count, w = figures(folder / out), 4 * copies, level * weight
            faults.check(f["contacts"] == count and f["np"] == count, out, "contacts", f["contacts"])
            faults.near(f"{out}: weight", f["weight_N"], w, 1e-12)
            faults.near(f"{out}: force on the plane", f["base_force_N"], count * w, 1e-9)
            faults.near(f"{out}: virtual overlap of the top contact", f["shift_top_m"], of_force(w) - of_force(count * w), 1e-6)
            # Forces of up to `count` weights, from overlaps that are known to 1e-9 of themselves.
            faults.check(f["net_force_max_rel"] < 1e-7, out, "net force", f["net_force_max_rel"])
            faults.check(f["displacement_max_over_d"] < 1e-12, out, "moved by", f["displacement_max_over_d"])


def centrifuge(faults, folder):
    hashes = {}
    for n in (1, 2):
        must(run(folder, "centrifuge", f"t{n}", "--threads", n, *SMALL))
        hashes[n] = state_hash(folder / f"t{n}"), (folder / f"t{n}/hash_chain.csv").read_text()
    faults.check(hashes[1] == hashes[2], "2 threads: another hash")
    faults.check(len(hashes[1][1].splitlines()) > 3, "the chain is short:", hashes[1][1])
    f = figures(folder / "t1")
    print({k: v for k, v in f.items() if k in ("np", "n0", "Z0", "reaction_over_weight", "wall_share", "sigma_v_slope_ratio", "sigma_v_r2", "k0_measured",
                                               "displacement_mean_over_d50", "displacement_max_over_d", "porosity_change", "porosity_wall_excess", "steps_to_equilibrium")})
    # 600 discs of which a third is held: the profile is rough, the balance is not. Where resultants are 1e-4 of all forces, they are a few thousandths of the weight.
    faults.near("support over weight", f["reaction_over_weight"], 1, 5e-3)
    faults.near("slope of the vertical stress over the unit weight", f["sigma_v_slope_ratio"], 1, 0.3)
    faults.check(f["displacement_mean_over_d50"] < 0.05, "grains moved by", f["displacement_mean_over_d50"])
    report = (folder / "t1/report.html").read_text()
    faults.check("Stress over depth" in report and "Porosity over depth" in report, "the report has no profiles")
    # Stopped half way, and resumed without its cell.
    must(run(folder, "centrifuge", "half", "--until", 0.004, *SMALL))
    shutil.move(folder / "runs", folder / "elsewhere")
    must(talus("resume", "half", "--quiet", folder=folder))
    shutil.move(folder / "elsewhere", folder / "runs")
    faults.check((state_hash(folder / "half"), (folder / "half/hash_chain.csv").read_text()) == hashes[1], "resumed: another hash")
    # Ten times the gravity on discs that count per metre.
    must(run(folder, "centrifuge", "ten", *SMALL, *sets(g_level=10, law="linear")))
    ten = figures(folder / "ten")
    faults.near("10 g, linear: support over weight", ten["reaction_over_weight"], 1, 5e-3)
    faults.near("10 g, linear: slope over the unit weight", ten["sigma_v_slope_ratio"], 1, 0.3)
    must(run(folder, "centrifuge-3d", "space", *SPACE))
    space = figures(folder / "space")
    faults.near("in space: support over weight", space["reaction_over_weight"], 1, 5e-3)
    faults.check(space["displacement_mean_over_d50"] < 0.05, "in space: grains moved by", space["displacement_mean_over_d50"])


def refused(faults, folder):
    text = (folder / "centrifuge.toml").read_text()
    (folder / "weightless.toml").write_text(text.replace('"-9.81 m/s2"]', '"0 m/s2"]'))
    (folder / "closed.toml").write_text(text.replace('open = "xy"', 'open = "x"'))
    (folder / "face.toml").write_text(text.replace("y_low", "z_low"))
    (folder / "twice.toml").write_text(text.replace('open = "xy"', 'open = "xy"\nreplicas = "2x2"\ncopies = [2, 2]'))
    (folder / "few.toml").write_text(text.replace('open = "xy"', 'open = "xy"\nreplicas = "1x1"'))
    (folder / "stray.toml").write_text(text.replace('normal_stiffness = "$stiffness"', 'normal_stiffness = "1 MPa"'))
    text = (folder / "centrifuge-3d.toml").read_text()
    (folder / "bulging.toml").write_text(text + '\n[multi_contact]\nmodel = "multi-contact"\ngamma = 1\n')
    cases = {
        "a law that cannot be scaled": ("bulging", {}, "forces cannot be scaled"),
        "no gravity": ("weightless", {}, "gravity"),
        "no surface": ("closed", dict(width="0.12 m"), "repeats along y"),
        "no such face": ("face", {}, "is no face"),
        "copies twice": ("twice", {}, "stated twice"),
        "too few copies": ("few", dict(depth="1 m"), "does not lie inside"),
        "a box without grains": ("centrifuge", dict(width="1 um"), "centres inside the box"),
        "a box of held grains": ("centrifuge", dict(width="12 mm"), "all grains are held"),
        "a key of another law": ("stray", {}, "normal_stiffness"),
    }
    for what, (scene, settings, words) in cases.items():
        base = dict(depth="0.12 m", width="0.12 m", discs_per_cell=120)
        result = run(folder, scene, "refused", *(SPACE if scene == "bulging" else sets(**{**base, **settings})))
        faults.check(result.returncode == 2 and words in result.stderr, f"{what}: exit {result.returncode}:", result.stderr)
        shutil.rmtree(folder / "refused", ignore_errors=True)


def main():
    faults = Faults()
    with scratch() as name:
        folder = pathlib.Path(name)
        scenes(folder)
        column(faults, folder)
        centrifuge(faults, folder)
        refused(faults, folder)
    faults.finish()


if __name__ == "__main__":
    main()
